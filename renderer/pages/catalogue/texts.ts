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
    'Its page shows which permissions it requests, what it can do and who signed it.',
    'Import large collections on the command line: “import”.',
  ],
  nothingFound: 'No APK matches',
  nothingFoundText: 'Words match part of the app name, package or company, or a whole hash.',
};

export const columnsTexts = {
  choose: 'Columns',
  shown: '(shown)',
  labels: {
    app: 'App',
    status: 'Status and tags',
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
    updated: 'Updated',
  },
  sort: (label: string, isSorted: boolean, isFalling: boolean) =>
    isSorted ? `Sorted by ${label}, ${isFalling ? 'descending' : 'ascending'}: reverse` : `Sort by ${label}`,
} as const;

export const facetsTexts = {
  title: 'Filters',
  show: 'Show filters',
  hide: 'Hide filters',
  names: {
    detected: 'Detected',
    analyzed: 'Analysed',
    trusted: 'Trusted',
    corrupted: 'Corrupted',
    tag: 'Tags',
    signer: 'Signers',
    target_sdk: 'Target SDK',
    min_sdk: 'Min SDK',
    size: 'Size',
    date: 'Added',
  },
  yes: 'yes',
  no: 'no',
  from: (size: string) => `from ${size}`,
  narrow: (name: string) => `Only ${name}: `,
  shortcut: 'Show or hide filters',
} as const;

export const bulkTexts = {
  choose: (name: string) => `Select ${name}`,
  chosen: (value: number) => `${counted(value, 'APK', 'APKs')} selected`,
  all: (value: number) => `Select all ${formatCount(value)}`,
  none: 'Clear selection',
  toggle: 'Select or deselect',
  chooseAll: 'Select all results',
  analyse: 'Analyse',
  kinds: { analyze_static: 'Static analysis', analyze_yara: 'YARA scan', analyze_dynamic: 'Dynamic analysis' },
  tag: 'Add tag…',
  untag: 'Remove tag…',
  tagName: 'Tag',
  judge: 'Verdict…',
  judgeMany: (value: number) => `Verdict on ${counted(value, 'APK', 'APKs')}`,
  trust: 'Trust',
  untrust: 'Remove trust',
  export: 'Export CSV',
  delete: 'Delete…',
  deleteNow: (value: number) => `Delete ${counted(value, 'APK', 'APKs')}`,
  deleteQuestion: (value: number) => `Delete ${counted(value, 'APK', 'APKs')} with their reports and files?`,
  apply: 'Apply',
  done: (value: number) => `Done for ${counted(value, 'APK', 'APKs')}.`,
  begun: (value: number) => `${counted(value, 'APK', 'APKs')}: the jobs tray shows the progress.`,
  refused: (value: number, reason: string) => `Rejected for ${counted(value, 'APK', 'APKs')}: ${reason}`,
  exportCut: (value: number) => `The file has the first ${formatCount(value)}; export all of them on the command line.`,
} as const;
