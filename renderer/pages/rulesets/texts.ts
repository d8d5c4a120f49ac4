// English texts of this room. Knows nothing of where they are shown.
import { counted, formatCount } from '../../components/text/counted.ts';

/** Of the files in which a rule matches. */
const filesNamed = 3;

export const rulesetsTexts = {
  title: 'Rulesets',
  new: 'New ruleset',
  untitled: 'Name of the ruleset',
  filter: 'Which rulesets',
  choices: { own: 'Mine', public: 'Public', all: 'All' },
  search: 'Part of the name',
  none: 'No rulesets here',
  noneText:
    'A ruleset holds YARA rules that every incoming APK is scanned with. Write one, or add the rules to begin with.',
  starting: 'Rules to begin with',
  startingNote: 'They come with the workstation. What you add becomes a ruleset of your own that you can change.',
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
    changed: 'Changed',
    state: 'State',
  },
  states: { enabled: 'Enabled', disabled: 'Disabled' },
  waiting: (time: string) => `In use from ${time}`,
  scanStates: { ok: 'Runs well', slow: 'Slow', timed_out: 'Takes too long', failed: 'Fails', suspended: 'Suspended' },
  social: { none: '', pending: 'Asked to be social', accepted: 'Social', rejected: 'Not social' },
  public: 'Public',
  private: 'Private',
  tabs: { editor: 'Rules', matches: 'Matches', hunts: 'Retrohunts', versions: 'Versions', comments: 'Comments' },
  name: 'Name',
  unsaved: 'Not saved',
  leave: 'The rules are not saved. Leave them?',
  enabled: 'Scan incoming APKs',
  publicLabel: 'Public',
  notifier: 'Notify me of matches',
  delete: 'Delete',
  deleteQuestion: 'Delete this ruleset with its matches?',
  cancel: 'Cancel',
  promote: 'Ask for it to be social',
  promoteNote: 'Matches of a social ruleset count as detections for everybody.',
  accept: 'Accept as social',
  reject: 'Do not accept',
  editor: 'YARA rules',
  verdictValid: (rules: number) => `${counted(rules, 'rule', 'rules')}, ready to be saved`,
  verdictFaults: (faults: number) => `${counted(faults, 'fault', 'faults')}: it cannot be saved`,
  verdictWarnings: (warnings: number) => counted(warnings, 'warning', 'warnings'),
  checking: 'Checking…',
  problem: (line: number, column: number) => `Line ${line}, column ${column}`,
  readOnly: (author: string) => `Written by ${author}; you can read it, try it and comment on it.`,
  beside: 'What is done with the rules',
  tryOut: 'Dry run',
  tryOutNote: 'Tries the rules as they stand here, saved or not, and keeps nothing.',
  tryOn: 'On the newest APKs that this search finds',
  tryOnAll: 'empty: the newest of all',
  knownGood: 'Also on trusted APKs, where they should match nothing',
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
  untimed: 'Only the time of all rules together is known:',
  capped: 'They match so much that not everything was counted.',
  hits: (identifier: string, hits: number) => `${identifier} ×${formatCount(hits)}`,
  runFailed: (reason: string) => `The dry run failed: ${reason}`,
  goodMatch: 'Trusted',
  hunt: 'Retrohunt',
  huntNote: 'Runs the saved rules over APKs that are in the catalogue already. Matches appear while it runs.',
  huntOver: 'Only APKs that this search finds',
  start: 'Start',
  huntLine: (scanned: number, all: number, matches: number, fresh: number) =>
    `${formatCount(scanned)} of ${counted(all, 'APK', 'APKs')}, ${counted(matches, 'match', 'matches')}, ${formatCount(fresh)} new`,
  rate: (rate: number) => `${rate < 10 ? rate.toFixed(1) : Math.round(rate)} APKs/s`,
  left: (time: string) => `${time} left`,
  huntFailures: (failures: number) => `${counted(failures, 'APK', 'APKs')} could not be scanned`,
  noHunts: 'No retrohunt yet.',
  everything: 'the whole catalogue',
  noMatches: 'No matches',
  noMatchesText: 'What matches from now on appears here. A retrohunt looks through what is in the catalogue already.',
  more: 'Show more',
  version: (version: number) => `Version ${version}`,
  current: 'Current',
  compare: 'What changed since then',
  diff: (version: number) => `Version ${version} beside the present text`,
  restore: 'Bring this text back',
  restored: 'The text stands in the editor; save it to use it.',
  characters: (length: number) => counted(length, 'character', 'characters'),
  edit: 'Edit',
  remove: 'Delete',
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
