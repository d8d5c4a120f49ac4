// What is wrong with the workstation as a whole, and what to do about it. Names no path: guests read it too.
import type { Health } from '../contract/workstation/health.ts';

type Parts = Pick<Health, 'database' | 'storage' | 'pages' | 'keys'>;

const advice: { [Part in keyof Parts]: Partial<Record<Parts[Part], string>> } = {
  database: { failed: 'The database does not answer. The log says why; ending and starting the workstation may help.' },
  storage: {
    full: 'The disk is full: everything can be read, and nothing is taken in until its owner makes room.',
    unwritable: 'The data folder can only be read: its owner gives it back to the workstation, or moves it elsewhere.',
  },
  pages: {
    damaged:
      'Pages of the database are damaged. Its owner makes a backup of what can be read, ends the workstation and repairs it (apk-workstation repair), or restores an earlier backup.',
  },
  keys: {
    unreadable:
      'The master key is gone from its place: APKs can be read until the workstation ends. Bring it back from a backup before.',
    foreign:
      'Another master key stands in its place: APKs can be read until the workstation ends. Bring the right one back from a backup before.',
  },
};

/** In the order of the fields. */
export function faultsOf(parts: Parts): Health['faults'] {
  return (Object.keys(advice) as (keyof Parts)[]).flatMap((part) => {
    const text = (advice[part] as Record<string, string | undefined>)[parts[part]];
    return text === undefined ? [] : [{ part, advice: text }];
  });
}
