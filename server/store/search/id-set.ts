// Sets of row ids as bits, 32 to a word. Knows no table.

/** Bit `id & 31` of word `id >>> 5`. All sets of one catalogue have the same length. */
export type IdSet = Uint32Array;

export const emptySet = (capacity: number): IdSet => new Uint32Array((capacity + 31) >>> 5);
export const hasId = (set: IdSet, id: number): boolean => ((set[id >>> 5]! >>> (id & 31)) & 1) === 1;

/** Puts an id in. It must be below the capacity. */
export function addId(set: IdSet, id: number): void {
  set[id >>> 5]! |= 1 << (id & 31);
}

/** Takes an id out. */
export function removeId(set: IdSet, id: number): void {
  set[id >>> 5]! &= ~(1 << (id & 31));
}

/** The same ids in a set of another capacity. */
export function resized(set: IdSet, capacity: number): IdSet {
  const length = (capacity + 31) >>> 5;
  if (set.length === length) return set;
  const other = new Uint32Array(length);
  other.set(set.length > length ? set.subarray(0, length) : set);
  return other;
}

/** Adds every id in `[from, end)`. */
export function addRange(set: IdSet, from: number, end: number): void {
  if (from >= end) return;
  const [first, last] = [from >>> 5, end >>> 5];
  const [above, below] = [~(2 ** (from & 31) - 1), 2 ** (end & 31) - 1];
  if (first === last) {
    set[first]! |= above & below;
    return;
  }
  set[first]! |= above;
  set.fill(0xffffffff, first + 1, Math.min(last, set.length));
  if (last < set.length) set[last]! |= below;
}

/** Removes every id below `end`. */
export function removeAllBelow(set: IdSet, end: number): void {
  const words = Math.min(end >>> 5, set.length);
  set.fill(0, 0, words);
  if (words < set.length) set[words]! &= ~(2 ** (end & 31) - 1);
}

/** Ids that are in both sets, as a new one. */
export function bothOf(a: IdSet, b: IdSet): IdSet {
  const set = new Uint32Array(a.length);
  for (let at = 0; at < set.length; at++) set[at] = a[at]! & b[at]!;
  return set;
}

/** Ids that are in one of the sets or both, as a new one. */
export function eitherOf(a: IdSet, b: IdSet): IdSet {
  const set = new Uint32Array(a.length);
  for (let at = 0; at < set.length; at++) set[at] = a[at]! | b[at]!;
  return set;
}

/** Ids below the capacity that are not in the set, as a new one. */
export function noneOf(a: IdSet): IdSet {
  const set = new Uint32Array(a.length);
  for (let at = 0; at < set.length; at++) set[at] = ~a[at]!;
  return set;
}

/** How many bits of a word are set. */
export function bitsOf(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** How many ids are in the set. */
export function sizeOf(set: IdSet): number {
  let size = 0;
  for (let at = 0; at < set.length; at++) size += bitsOf(set[at]!);
  return size;
}

/** The largest id at or below `from`, -1 where there is none. */
export function lastIdTo(set: IdSet, from: number): number {
  if (from < 0) return -1;
  let at = Math.min(from >>> 5, set.length - 1);
  const kept = from >>> 5 === at ? (from & 31) + 1 : 32;
  let word = kept === 32 ? set[at]! : set[at]! & (2 ** kept - 1);
  while (word === 0) {
    at -= 1;
    if (at < 0) return -1;
    word = set[at]!;
  }
  return at * 32 + 31 - Math.clz32(word);
}

/** The smallest id at or above `from`, -1 where there is none. */
export function firstIdFrom(set: IdSet, from: number): number {
  let at = from >>> 5;
  if (at >= set.length) return -1;
  let word = set[at]! & ~(2 ** (from & 31) - 1);
  while (word === 0) {
    at += 1;
    if (at >= set.length) return -1;
    word = set[at]!;
  }
  return at * 32 + 31 - Math.clz32(word & -word);
}

/** The id with `count` larger ones in the set, -1 where there are fewer. */
export function idByRankFromEnd(set: IdSet, rank: number): number {
  let left = rank;
  for (let at = set.length - 1; at >= 0; at--) {
    let word = set[at]!;
    const bits = bitsOf(word);
    if (left >= bits) {
      left -= bits;
      continue;
    }
    for (; ; left--) {
      const bit = 31 - Math.clz32(word);
      if (left === 0) return at * 32 + bit;
      word &= ~(1 << bit);
    }
  }
  return -1;
}

/** A set of these ids. @param capacity ids are below it */
export function setOfIds(ids: readonly number[] | Uint32Array, capacity: number): IdSet {
  const set = emptySet(capacity);
  for (let at = 0; at < ids.length; at++) addId(set, ids[at]!);
  return set;
}

/** Every id, upwards. */
export function idsIn(set: IdSet): number[] {
  const ids: number[] = [];
  forEachId(set, (id) => ids.push(id));
  return ids;
}

/** Calls with every id, upwards. */
export function forEachId(set: IdSet, call: (id: number) => void): void {
  for (let at = 0; at < set.length; at++) {
    let word = set[at]!;
    while (word !== 0) {
      const lowest = word & -word;
      call(at * 32 + 31 - Math.clz32(lowest));
      word ^= lowest;
    }
  }
}
