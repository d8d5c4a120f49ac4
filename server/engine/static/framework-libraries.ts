// Native libraries that say which engine an app was made with, and nothing of the app. Knows no archive.

/** Engines and frameworks, the same in all apps that use them. */
const frameworkLibrary =
  /^lib(?:flutter|reactnative\w*|hermes\w*|jsc\w*|fbjni|folly\w*|glog|yoga|c\+\+_shared|gnustl_shared|stlport_shared|unity|main|mono\w*|xamarin\w*|gdx\w*|SDL2|python[\d.]*|sqlcipher|realm-jni|crashlytics\w*|conscrypt\w*)\.so$/;

/** @param path `lib/arm64-v8a/libflutter.so` */
export const isFrameworkLibrary = (path: string): boolean =>
  frameworkLibrary.test(path.slice(path.lastIndexOf('/') + 1));
