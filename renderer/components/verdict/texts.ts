// English texts of this room. Knows nothing of where they are shown.
import type { Verdict } from '../../../server/contract/catalogue/verdict.ts';

export const verdictTexts = {
  title: 'Verdict',
  labels: {
    malicious: 'Malicious',
    suspicious: 'Suspicious',
    clean: 'Clean',
    unknown: 'Unknown',
  } satisfies Record<Verdict, string>,
  family: 'Family',
  familyHint: 'Malware family, such as a name already used here',
  note: 'Note',
  noteHint: 'Reason for the verdict; other analysts see it',
  say: 'Save verdict',
  saidBy: (analyst: string) => `by ${analyst}`,
  shortcut: (label: string) => `Verdict: ${label.toLowerCase()}`,
  open: 'Verdict with family and note',
  change: 'Change the verdict',
  history: 'History',
  none: 'Nobody has given a verdict yet.',
  earlier: 'Earlier verdicts',
};
