// Runtimes that an app bundles for code other than Dalvik's, which is not run. Knows no machine.

/** What holds the code, by the runtime's name. */
const runtimes: readonly (readonly [name: string, entry: RegExp])[] = [
  ['Flutter', /^(?:lib\/[^/]+\/libapp\.so|assets\/flutter_assets\/kernel_blob\.bin)$/],
  ['React Native', /^assets\/index\.android\.bundle$/],
  ['.NET', /^(?:assemblies\/.+\.(?:dll|blob)|lib\/[^/]+\/libassemblies\..+\.so)$/],
  ['Unity', /^(?:lib\/[^/]+\/libil2cpp\.so|assets\/bin\/Data\/Managed\/.+\.dll)$/],
  ['Cordova', /^assets\/www\/index\.html$/],
  ['Cocos', /^assets\/(?:src|script|scripts)\/.+\.(?:luac?|jsc)$/],
  ['Python', /^(?:lib\/[^/]+\/libpython[\d.]+\.so|assets\/private\.(?:mp3|tar))$/],
];

/** The runtimes whose code an app has, with one of the files that hold it. */
export function otherRuntimes(entryNames: readonly string[]): { readonly name: string; readonly entry: string }[] {
  return runtimes.flatMap(([name, pattern]) => {
    const entry = entryNames.find((each) => pattern.test(each));
    return entry === undefined ? [] : [{ name, entry }];
  });
}
