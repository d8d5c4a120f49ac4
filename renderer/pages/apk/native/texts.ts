// English texts of this room. Knows nothing of where they are shown.

export const nativeTexts = {
  label: 'Native',
  none: 'The app has no native code',
  empty: 'None',
  partChoice: 'Part of the library',
  parts: { jni: 'JNI methods', exports: 'Exports', imports: 'Imports', needed: 'Needed', strings: 'Strings' },
};
