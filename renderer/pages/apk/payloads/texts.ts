// English texts of this room. Knows nothing of where they are shown.
import type { ShownChild } from '../../../../server/contract/catalogue/child.ts';
import type { ChildKind, ChildList, ChildWay } from '../../../../server/contract/engine/child.ts';
import { counted, formatCount } from '../../../components/text/counted.ts';

type Reason = ChildList['left_out'][number]['reason'];

export const payloadsTexts = {
  list: 'Payloads',
  count: (count: number) => `Payloads (${formatCount(count)})`,
  none: 'Nothing came out of this APK',
  noneText:
    'It carries no app, dex file, native code or script beside its own, and no run has left one. Run the dynamic analysis to see what it unpacks, decrypts or downloads.',
  looking: 'What came out of this APK is being looked into. There may be more.',
  failed:
    'Not everything that came out of this APK could be looked into. Analysing it again (Analyse) tries it once more.',
  kinds: { apk: 'App', dex: 'Dex file', elf: 'Native code', script: 'Script' } satisfies Record<ChildKind, string>,
  kindCounts: (kinds: Readonly<Partial<Record<ChildKind, number>>>) =>
    [
      counted(kinds.apk ?? 0, 'app', 'apps'),
      counted(kinds.dex ?? 0, 'dex file', 'dex files'),
      counted(kinds.elf ?? 0, 'file of native code', 'files of native code'),
      counted(kinds.script ?? 0, 'script', 'scripts'),
    ]
      .filter((text) => !text.startsWith('0 '))
      .join(' · '),
  status: { waiting: 'Waiting', running: 'Being looked into', done: 'Looked into', failed: 'Failed' },
  ways: 'How it came',
  origins: { entry: 'in the archive', run: 'interpreted run', device: 'run on a device' } satisfies Record<
    ChildWay['origin'],
    string
  >,
  actions: {
    carried: 'Carried',
    written: 'Written',
    decrypted: 'Decrypted',
    downloaded: 'Downloaded',
    loaded: 'Loaded',
    installed: 'Installed',
  } satisfies Record<ChildWay['action'], string>,
  by: 'by',
  facts: {
    package: 'Package',
    version: 'Version',
    inside: 'Inside',
    matches: 'YARA',
    code: 'Code',
    sdk: 'Min and target SDK',
    main: 'Main activity',
    permissions: 'Permissions',
    exported: 'Open to other apps',
  },
  moreMatches: (count: number) => `and ${counted(count, 'more', 'more')}`,
  noReport: {
    waiting: 'Its analysis has not begun yet; the jobs tray shows the progress.',
    running: 'It is being analysed; its report appears here as soon as it is done.',
    done: 'It has no report of its own.',
    failed: 'It could not be analysed. Its bytes can be shown and saved; analysing the APK again tries it once more.',
  } satisfies Record<ShownChild['status'], string>,
  risk: (score: number) => `Risk ${score} of 100`,
  findings: 'Findings',
  noFindings: 'No findings.',
  bytes: 'Show bytes',
  promote: 'Add to the catalogue',
  promoteHint: 'Analyses it as an APK of its own, as if you had added the file.',
  inCatalogue: 'Open in the catalogue',
  leftOut: (count: number) => `${counted(count, 'file was', 'files were')} left out`,
  reasons: {
    depth: 'lies too deep',
    count: 'beyond the first 64 files',
    size: 'beyond 256 MB',
    unreadable: 'could not be unpacked',
  } satisfies Record<Reason, string>,
};
