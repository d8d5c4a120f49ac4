// English texts of this room. Knows nothing of where they are shown.
import { formatCount } from '../../../components/text/counted.ts';

export const nativeTexts = {
  label: 'Native',
  none: 'The app has no native code',
  empty: 'None',
  filter: 'Name or address',
  shown: (shown: number, all: number) =>
    shown < all ? `first ${formatCount(shown)} of ${formatCount(all)}` : formatCount(all),
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
