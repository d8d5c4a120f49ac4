// English texts of this room. Knows nothing of where they are shown.

export const nativeTexts = {
  label: 'Native',
  none: 'The app has no native code',
  empty: 'None',
  filter: 'Name or address',
  code: 'Instructions',
  chooseFunction: 'Choose a function to see its code',
  noFunction: 'No function has this name: shorten the filter',
  isCut: 'Not all code was looked through: there may be more functions.',
  javaMethod: 'Java method',
  bytes: (count: number) => `${count} bytes`,
  kinds: {
    export: 'export',
    symbol: 'local symbol',
    start: 'run when loaded or unloaded',
    unwound: 'by the unwinding table',
    called: 'called',
    import: 'import',
  },
  partChoice: 'Part of the library',
  parts: {
    functions: 'Functions',
    jni: 'JNI methods',
    exports: 'Exports',
    imports: 'Imports',
    needed: 'Needed',
    strings: 'Strings',
  },
};
