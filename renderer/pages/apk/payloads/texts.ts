// English texts of this room. Knows nothing of where they are shown.
import type { ShownChild } from '../../../../server/contract/catalogue/child.ts';
import type { ChildKind, ChildList, ChildWay } from '../../../../server/contract/engine/child.ts';
import { counted, formatCount } from '../../../components/text/counted.ts';

type Reason = ChildList['left_out'][number]['reason'];

export const payloadsTexts = {
  list: 'Payloads',
  count: (count: number) => `Payloads (${formatCount(count)})`,
  none: 'No payloads',
  noneText:
    'The APK contains no further app, dex file, native code or script, and no run has produced one. Run the dynamic analysis to see what it unpacks, decrypts or downloads.',
  looking: 'Payloads are being analysed. There may be more.',
  failed: 'Not all payloads could be analysed. To retry, analyse the APK again.',
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
  status: { waiting: 'Waiting', running: 'Analysing', done: 'Analysed', failed: 'Failed' },
  ways: 'Origin',
  origins: {
    entry: 'in the archive',
    part: 'a part of the app',
    run: 'interpreted run',
    device: 'run on a device',
  } satisfies Record<ChildWay['origin'], string>,
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
    exported: 'Exported components',
  },
  moreMatches: (count: number) => `and ${counted(count, 'more', 'more')}`,
  noReport: {
    waiting: 'Its analysis has not begun yet; the jobs tray shows the progress.',
    running: 'It is being analysed; its report appears here as soon as it is done.',
    done: 'It has no report of its own.',
    failed: 'It could not be analysed. Its bytes can be shown and saved. To retry, analyse the APK again.',
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
    depth: 'nested too deeply',
    count: 'beyond the first 64 files',
    size: 'beyond 256 MB',
    unreadable: 'could not be unpacked',
  } satisfies Record<Reason, string>,
};
