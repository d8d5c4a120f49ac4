// English texts of this room. Knows nothing of where they are shown.
import { counted } from '../../components/text/counted.ts';

export const apkTexts = {
  unnamed: '(no name)',
  packageName: 'package name',
  ofPackage: 'All APKs of this package',
  ofSigner: 'All APKs by this signer',
  added: (when: string) => `added ${when}`,
  otherNames: (count: number) => `and ${counted(count, 'other name', 'other names')}`,
  parts: 'Parts of the report',
  partShortcut: (key: string) => `Key: ${key}`,
  openPart: (part: string) => `Open: ${part}`,
  loadingReport: 'Loading the report…',
  notFound: 'This APK is not in the catalogue',
  notFoundText: 'It may have been deleted, or the address is wrong.',
  analyse: 'Analyse',
  download: 'Download the APK',
  downloadPlain: 'APK',
  downloadLocked: 'ZIP with the password “infected”',
  delete: 'Delete',
  deleteTitle: 'Delete this APK?',
  deleteText:
    'The file, its reports and all comments and verdicts go to the trash, and can be restored from there for a while.',
  keep: 'Keep it',
};

export const usesTexts = {
  none: 'no use found',
  count: (count: number) => counted(count, 'place', 'places'),
  more: (count: number) => `and ${counted(count, 'more place', 'more places')}`,
};
