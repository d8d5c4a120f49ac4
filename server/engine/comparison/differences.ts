// What differs between two lists of named things, bounded. Knows nothing of what they are.
import type { ComparedList, Difference, Facts } from '../../contract/engine/comparison.ts';

/** Differences of one part that are listed: more is read by nobody, and counted all the same. */
const maxListed = 10_000;
/** Characters of a name or a fact. */
const maxText = 1000;

const cut = (text: string): string => (text.length > maxText ? `${text.slice(0, maxText)}…` : text);

const shownFacts = (facts: Facts | null): Facts | null =>
  facts === null
    ? null
    : Object.fromEntries(
        Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'string' ? cut(fact) : fact]),
      );

/** Counts all and lists the first ones that differ. */
export class DifferenceList {
  readonly #list: ComparedList = {
    counts: { removed: 0, added: 0, changed: 0, renamed: 0, same: 0 },
    is_cut: false,
    differences: [],
  };

  add(state: Difference['state'], name: string, first: Facts | null, second: Facts | null, to: string | null = null) {
    const { counts, differences } = this.#list;
    counts[state]++;
    if (state === 'same') return;
    if (differences.length >= maxListed) this.#list.is_cut = true;
    else {
      const shown = { first: shownFacts(first), second: shownFacts(second) };
      differences.push({ state, name: cut(name), to: to === null ? null : cut(to), ...shown });
    }
  }

  cut(): void {
    this.#list.is_cut = true;
  }

  /** By name. */
  done(): ComparedList {
    this.#list.differences.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    return this.#list;
  }
}

export interface Entry {
  name: string;
  facts: Facts;
  /** By which it is compared; the facts by default. */
  value?: string;
  /** Entries of the same mark under other names are the same thing renamed. */
  mark?: string | null;
}

const comparedOf = ({ value, facts }: Entry): string => value ?? JSON.stringify(facts);

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

/** In time linear to their number. */
export function differencesOf(first: readonly Entry[], second: readonly Entry[]): ComparedList {
  const list = new DifferenceList();
  const others = byName(second);
  const gone: Entry[] = [];
  for (const [key, one] of byName(first)) {
    const other = others.get(key);
    others.delete(key);
    if (other === undefined) gone.push(one);
    else list.add(comparedOf(one) === comparedOf(other) ? 'same' : 'changed', one.name, one.facts, other.facts);
  }
  // Backwards, so that `pop` takes the first of several equal ones.
  const marked = Map.groupBy([...others.values()].reverse(), ({ mark }) => mark ?? null);
  const renamed = new Set<Entry>();
  for (const one of gone) {
    const other = one.mark == null ? undefined : marked.get(one.mark)?.pop();
    if (other === undefined) list.add('removed', one.name, one.facts, null);
    else {
      renamed.add(other);
      list.add('renamed', one.name, one.facts, other.facts, other.name);
    }
  }
  for (const other of others.values()) if (!renamed.has(other)) list.add('added', other.name, null, other.facts);
  return list.done();
}
