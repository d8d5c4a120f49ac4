// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../../components/text/counted.ts';

/** Of the files in which a rule matches. */
const filesNamed = 3;

export const rulesetsTexts = {
  title: 'Rulesets',
  new: 'New ruleset',
  untitled: 'Ruleset name',
  filter: 'Which rulesets',
  choices: { own: 'Mine', public: 'Public', all: 'All' },
  search: 'Search names and rules',
  none: 'No rulesets here',
  noneText: 'A ruleset is a set of YARA rules that scans every new APK. Write one, or add the starter rules.',
  starting: 'Starter rules',
  packages: 'Packages',
  statistics: 'Statistics',
  leavePackage: (name: string) => `Leave the package ${name}`,
  startingNote: 'They come with the workstation. Adding them makes a ruleset of your own, which you can edit.',
  rulesHeld: (rules: number) => counted(rules, 'rule', 'rules'),
  add: 'Add',
  addNamed: (name: string) => `Add ${name}`,
  open: 'Open',
  openNamed: (name: string) => `Open ${name}`,
  addAll: 'Add all',
  columns: {
    name: 'Name',
    author: 'Author',
    rules: 'Rules',
    matches: 'Matches',
    comments: 'Comments',
    changed: 'Updated',
    state: 'State',
  },
  states: { enabled: 'Enabled', disabled: 'Disabled' },
  waiting: (time: string) => `Active from ${time}`,
  scanStates: { ok: 'OK', slow: 'Slow', timed_out: 'Timed out', failed: 'Failed', suspended: 'Suspended' },
  socialText:
    'Matches of a social ruleset count as detections for everybody. Its author proposes it, the owner or an expert accepts it.',
  social: { none: '', pending: 'Proposed as social', accepted: 'Social', rejected: 'Rejected as social' },
  public: 'Public',
  private: 'Private',
  tabs: { editor: 'Rules', matches: 'Matches', hunts: 'Retrohunts', versions: 'Versions', comments: 'Comments' },
  name: 'Name',
  unsaved: 'Unsaved',
  leave: 'Leave',
  leaveQuestion: 'The rules have unsaved changes. Leave anyway?',
  enabled: 'Scan new APKs',
  settings: { is_public: 'Public', is_notifier: 'Notify me of matches' },
  delete: 'Delete',
  deleteQuestion: 'Delete this ruleset with its matches?',
  promote: 'Propose as social',
  promoteNote: 'Matches of a social ruleset count as detections for everybody.',
  accept: 'Accept as social',
  reject: 'Reject',
  editor: 'YARA rules',
  verdictValid: (rules: number) => `${counted(rules, 'rule', 'rules')}, ready to save`,
  verdictFaults: (faults: number) => `${counted(faults, 'error', 'errors')}: cannot be saved`,
  verdictWarnings: (warnings: number) => counted(warnings, 'warning', 'warnings'),
  problem: (line: number, column: number) => `Line ${line}, column ${column}`,
  readOnly: (author: string) => `Written by ${author}; you can read it, test it and comment on it.`,
  beside: 'Ruleset panels',
  tryOut: 'Dry run',
  tryOutNote: 'Tests the rules as they are in the editor, saved or not. No matches are stored.',
  tryOn: 'Newest APKs that this search finds',
  tryOnAll: 'empty: newest of the catalogue',
  knownGood: 'Also trusted APKs, where nothing should match',
  run: 'Run',
  stop: 'Stop',
  running: (scanned: number, all: number) => `${formatCount(scanned)} of ${counted(all, 'APK', 'APKs')}`,
  ranOn: (apks: number, good: number, matches: number, goodMatches: number) =>
    `${counted(matches, 'match', 'matches')} in ${counted(apks, 'APK', 'APKs')}${good === 0 ? '' : `, ${formatCount(goodMatches)} in ${formatCount(good)} trusted`}`,
  ranColumns: {
    rule: 'Rule',
    matches: 'Matches',
    good: 'In trusted',
    time: 'Time',
  },
  milliseconds: (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`,
  untimed: 'Only the total time of all rules is known:',
  capped: 'Too many matches: not all were counted.',
  hits: (identifier: string, hits: number) => `${identifier} ×${formatCount(hits)}`,
  filterMatches: 'Filter matches',
  matchExport: ['App', 'Package', 'Version', 'SHA-256', 'Rules'],
  firstMatches: (shown: number, all: number) =>
    `The first ${formatCount(shown)} of ${counted(all, 'APK', 'APKs')} that match are shown, trusted ones before others.`,
  runFailed: (reason: string) => `The dry run failed: ${reason}`,
  goodMatch: 'Trusted',
  hunt: 'Retrohunt',
  huntNote: 'Scans the APKs in the catalogue with the saved rules. Matches appear while it runs.',
  huntOver: 'Only APKs that this search finds',
  start: 'Start',
  resume: 'Resume',
  estimate: (read: number, all: number, time: string) =>
    read === 0
      ? `Nothing has to be read: the index of contents shows that no rule can match in any of ${counted(all, 'APK', 'APKs')}.`
      : `${read === all ? 'All' : `About ${formatCount(read)} of`} ${counted(all, 'APK', 'APKs')} will be read, in about ${time}.`,
  slowRules: 'These rules can match in any APK, so every APK is read:',
  slowReasons: {
    condition: () => 'its condition can hold without any of its strings. Demand a string beside it.',
    strings: (names: string) =>
      `${names} can match without ten printable characters in a row. Demand a longer text beside it.`,
  },
  huntLine: (scanned: number, all: number, passed: number, matches: number, fresh: number) =>
    `${formatCount(scanned)} of ${counted(all, 'APK', 'APKs')}${passed === 0 ? '' : ` (${formatCount(scanned - passed)} read)`}, ${counted(matches, 'match', 'matches')}, ${formatCount(fresh)} new`,
  rate: (rate: number) => `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} APKs/s`,
  left: (time: string) => `${time} left`,
  huntFailures: (failures: number) => `${counted(failures, 'APK', 'APKs')} could not be scanned`,
  noHunts: 'No retrohunts yet.',
  everything: 'the whole catalogue',
  noMatches: 'No matches',
  noMatchesText: 'New APKs that match are listed here. Run a retrohunt to scan the APKs already in the catalogue.',
  version: (version: number) => `Version ${version}`,
  current: 'Current',
  compare: 'Compare with current',
  diff: (version: number) => `Version ${version} beside the current text`,
  restore: 'Restore',
  restored: 'The text is in the editor; save it to use it.',
  characters: (length: number) => counted(length, 'character', 'characters'),
  /**
   * @param files empty for the APK itself
   * @param untold further ones
   */
  inFiles: (files: readonly string[], untold: number) => {
    const named = files.slice(0, filesNamed).map((file) => (file === '' ? 'the APK itself' : file));
    const rest = files.length - named.length + untold;
    return `in ${named.join(', ')}${rest === 0 ? '' : ` and ${counted(rest, 'more file', 'more files')}`}`;
  },
  example: `rule sends_sms_at_boot
{
meta:
  description = "starts with the phone and may send SMS"
condition:
  androguard.permission("android.permission.SEND_SMS") and
  androguard.filter("android.intent.action.BOOT_COMPLETED")
}
`,
  exampleImport: 'import "androguard"\n\n',
} as const;
