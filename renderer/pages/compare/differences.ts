// What differs between two lists of named things. Knows nothing of what they are.

/** One thing as one side has it. */
export interface Entry {
  name: string;
  /** What is shown of it. */
  text: string;
  /** By which it is compared with the other side; the text by default. */
  value?: string;
  /** Where it is shown. */
  address?: string;
}

export type DifferenceState = 'first' | 'second' | 'changed' | 'moved' | 'same';

/** `first` and `second`: only that side has it. `moved`: the other side has the same under another name. */
export interface Difference {
  name: string;
  state: DifferenceState;
  first: Entry | null;
  second: Entry | null;
}

const comparedOf = ({ value, text }: Entry) => value ?? text;

/** Several of one name are told apart by their order. */
function byName(entries: readonly Entry[]): Map<string, Entry> {
  const named = new Map<string, Entry>();
  const seen = new Map<string, number>();
  for (const entry of entries) {
    const times = seen.get(entry.name) ?? 0;
    seen.set(entry.name, times + 1);
    named.set(`${times}\n${entry.name}`, entry);
  }
  return named;
}

/** @returns in the order of the first list, what only the second has at the end */
export function differencesOf(first: readonly Entry[], second: readonly Entry[]): Difference[] {
  const others = byName(second);
  const found: Difference[] = [];
  for (const [key, one] of byName(first)) {
    const other = others.get(key);
    others.delete(key);
    if (other === undefined) found.push({ name: one.name, state: 'first', first: one, second: null });
    else {
      const state = comparedOf(one) === comparedOf(other) ? 'same' : 'changed';
      found.push({ name: one.name, state, first: one, second: other });
    }
  }
  for (const other of others.values()) {
    found.push({ name: other.name, state: 'second', first: null, second: other });
  }
  return found;
}

const order = (a: Difference, b: Difference) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** By name, for look-ups. */
export const sortedDifferencesOf = (first: readonly Entry[], second: readonly Entry[]) =>
  differencesOf(first, second).sort(order);

/**
 * Pairs what only one side has with what only the other has where both hold the same under another name.
 * @param isTelling whether equal values mean the same thing, rather than being equal by chance
 */
export function withMoved(differences: readonly Difference[], isTelling: (entry: Entry) => boolean): Difference[] {
  // Backwards, so that `pop` takes the first of several equal ones.
  const waiting = Map.groupBy(
    differences.filter(({ state, second }) => state === 'second' && isTelling(second!)).reverse(),
    ({ second }) => comparedOf(second!),
  );
  const taken = new Set<Difference>();
  const paired = differences.map((difference): Difference => {
    if (difference.state !== 'first') return difference;
    const target = waiting.get(comparedOf(difference.first!))?.pop();
    if (target === undefined) return difference;
    taken.add(target);
    return { ...difference, state: 'moved', second: target.second };
  });
  return paired.filter((difference) => !taken.has(difference));
}

export type DifferenceCounts = Record<DifferenceState, number>;

export function countsOf(differences: readonly Difference[]): DifferenceCounts {
  const counts: DifferenceCounts = { first: 0, second: 0, changed: 0, moved: 0, same: 0 };
  for (const { state } of differences) counts[state]++;
  return counts;
}
