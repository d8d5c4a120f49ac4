// English texts of packages of rulesets. Knows nothing of where they are shown.
import type { ComparedLines } from '../../../server/contract/engine/comparison.ts';
import { counted, formatCount } from '../../components/text/counted.ts';

type Counts = Record<'added' | 'changed' | 'removed' | 'refused', number>;

/** `+3 ~1 −2, 1 refused` */
const change = ({ added, changed, removed, refused }: Counts): string => {
  const parts = [
    added > 0 && `+${formatCount(added)}`,
    changed > 0 && `~${formatCount(changed)}`,
    removed > 0 && `−${formatCount(removed)}`,
    refused > 0 && `${formatCount(refused)} refused`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'nothing changed' : parts.join(' ');
};

export const packagesTexts = {
  title: 'Rule packages',
  rulesets: 'Rulesets',
  listTitle: 'Packages',
  note: 'Rules that came together: one ruleset of yours for each file. A newer archive of the same name updates a package.',
  none: 'No package yet. Import an archive of public YARA rules below.',
  notAllowed: 'Packages are the owner’s',
  notAllowedText: 'Ask the owner of this workstation to import rules, or write rulesets of your own.',
  columns: {
    name: 'Package',
    licence: 'Licence',
    files: 'Rulesets',
    rules: 'Rules',
    matches: 'Matches',
    change: 'Last import',
    enabled: 'Scan new APKs',
    action: 'Action',
  },
  duplicates: (count: number) => counted(count, 'duplicate', 'duplicates'),
  enabledOf: (enabled: number, all: number) =>
    enabled === all ? 'all' : enabled === 0 ? 'none' : `${formatCount(enabled)} of ${formatCount(all)}`,
  switchLabel: (name: string) => `Scan new APKs with all rulesets of ${name}`,
  change,
  changeLabel: (name: string, counts: Counts) => `What the last import of ${name} changed: ${change(counts)}`,
  changeTitle: (name: string) => `Last import of “${name}”`,
  changes: {
    refused: 'Refused: they cannot be used, what was there before stays',
    added: 'Added',
    changed: 'Changed: new versions of their rulesets',
    removed: 'Removed: their rulesets lie in the trash',
  },
  leftOut: (count: number) => `${counted(count, 'file was', 'files were')} too large, damaged or too many.`,
  importTitle: 'Import or update',
  importNote:
    'A ZIP, .tar.gz or .tar of YARA rules, or one file of them. Name, version and licence are read from it. A folder is imported by the command line: rules import.',
  choose: 'Choose a file…',
  noFile: 'no file chosen',
  name: 'Name',
  source: 'Where it is from',
  asArchive: 'as the archive says',
  enable: 'Scan new APKs with rulesets of a new package',
  publish: 'Everybody sees rulesets of a new package and what they match',
  import: 'Import',
  update: 'Update',
  preview: 'Preview changes',
  newPackage: 'would be a new package:',
  wouldChange: 'would change:',
  seeChanges: 'See changes…',
  discard: 'Discard',
  previewTitle: (name: string) => `What importing “${name}” changes`,
  lines: ({ counts }: ComparedLines) =>
    `+${formatCount(counts.added + counts.changed)} −${formatCount(counts.removed + counts.changed)} lines`,
  linesOf: (path: string) => `Changed lines of ${path}`,
  sending: 'Sending the archive',
  cancel: 'Cancel',
  failed: (source: string, reason: string) => `${source}: ${reason}`,
  remove: 'Remove',
  removeLabel: (name: string) => `Remove the package ${name}`,
  removeTitle: (name: string) => `Remove “${name}”?`,
  removeText: 'Its rulesets and all their matches are deleted for good. It can be imported again.',
} as const;
