// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../../components/text/counted.ts';

export const catalogueTexts = {
  title: 'Catalogue',
  loading: 'Loading the catalogue…',
  count: (count: number) => counted(count, 'APK', 'APKs'),
  arrived: (count: number) => counted(count, 'new APK', 'new APKs'),
  emptyTitle: 'The catalogue is empty',
  emptyText: 'Drop APKs or whole folders anywhere on this window, or pick them here.',
  firstSteps: [
    'Each APK is stored encrypted and analysed at once, on this machine.',
    'Its page shows what it asks for, what it can do and who signed it.',
    'Large collections come in by the command line: “import”.',
  ],
  nothingFound: 'Nothing matches',
  nothingFoundText: 'Words match app name, package and company in part, and hashes in full.',
};

export const columnsTexts = {
  choose: 'Columns',
  shown: '(shown)',
  labels: {
    app: 'App',
    verdicts: 'Verdicts and tags',
    version: 'Version',
    company: 'Signer',
    sha256: 'SHA-256',
    md5: 'MD5',
    size: 'Size',
    rating: 'Rating',
    matches: 'Matches',
    comments: 'Comments',
    votes: 'Votes',
    created: 'Added',
    updated: 'Changed',
  },
  sort: (label: string, isSorted: boolean, isFalling: boolean) =>
    isSorted ? `Sorted by ${label}, ${isFalling ? 'falling' : 'rising'}: turn around` : `Sort by ${label}`,
} as const;

export const facetsTexts = {
  title: 'Narrow down',
  show: 'Show how these APKs are spread',
  hide: 'Hide how these APKs are spread',
  names: {
    detected: 'Detected',
    analyzed: 'Analysed',
    trusted: 'Trusted',
    corrupted: 'Corrupted',
    tag: 'Tags',
    signer: 'Signers',
    target_sdk: 'Target SDK',
    min_sdk: 'Minimum SDK',
    size: 'Size',
    date: 'Added in',
  },
  yes: 'yes',
  no: 'no',
  from: (size: string) => `from ${size}`,
  narrow: (name: string) => `Only ${name}: `,
  shortcut: 'Show or hide the facets',
} as const;

export const bulkTexts = {
  choose: (name: string) => `Choose ${name}`,
  chosen: (value: number) => `${counted(value, 'APK', 'APKs')} chosen`,
  all: (value: number) => `Choose all ${formatCount(value)}`,
  none: 'Choose none',
  toggle: 'Choose or leave out',
  chooseAll: 'Choose all that is found',
  analyse: 'Analyse',
  kinds: { analyze_static: 'Static analysis', analyze_yara: 'YARA scan', analyze_dynamic: 'Dynamic analysis' },
  tag: 'Tag…',
  untag: 'Take a tag away…',
  tagName: 'Tag',
  trust: 'Trust',
  untrust: 'Trust no longer',
  export: 'Export CSV',
  delete: 'Delete…',
  deleteNow: (value: number) => `Delete ${counted(value, 'APK', 'APKs')}`,
  deleteQuestion: (value: number) => `Delete ${counted(value, 'APK', 'APKs')} with their reports and files?`,
  cancel: 'Cancel',
  apply: 'Apply',
  done: (value: number) => `Done for ${counted(value, 'APK', 'APKs')}.`,
  begun: (value: number) => `${counted(value, 'APK', 'APKs')}: the jobs tray shows how far it is.`,
  refused: (value: number, reason: string) => `Refused for ${counted(value, 'APK', 'APKs')}: ${reason}`,
  exportCut: (value: number) => `The first ${formatCount(value)} are in the file; the command line exports all.`,
} as const;
