// Small numbers of each APK, some dozens at most, close together in memory. Knows nothing of what they stand for.
import { addId, emptySet, forEachId, type IdSet } from './id-set.ts';

/** Bound for one APK: a hostile one could fill the memory. */
const maxOfApk = 255;
/** Distinct numbers in all. */
export const maxNumbers = 65_535;
/** Share of unused entries above which everything is read anew. */
const maxWastedShare = 0.5;

export class ApkNumbers {
  /** The numbers of each APK next to each other. */
  #stored = new Uint16Array(65_536);
  #used = 0;
  #wasted = 0;
  /** By row id: offset of an APK's numbers, and how many it has. */
  #starts: Uint32Array;
  #lengths: Uint8Array;

  /** @param capacity row ids are below it */
  constructor(capacity: number) {
    this.#starts = new Uint32Array(capacity);
    this.#lengths = new Uint8Array(capacity);
  }

  get isWasteful(): boolean {
    return this.#wasted > this.#used * maxWastedShare;
  }

  /** Makes room for row ids below the capacity. */
  grow(capacity: number): void {
    if (this.#starts.length >= capacity) return;
    const [starts, lengths] = [new Uint32Array(capacity), new Uint8Array(capacity)];
    starts.set(this.#starts);
    lengths.set(this.#lengths);
    [this.#starts, this.#lengths] = [starts, lengths];
  }

  /** Replaces an APK's numbers. */
  set(id: number, numbers: readonly number[]): void {
    const count = Math.min(maxOfApk, numbers.length);
    this.#wasted += this.#lengths[id]!;
    if (this.#used + count > this.#stored.length) {
      const stored = new Uint16Array(this.#stored.length * 2);
      stored.set(this.#stored);
      this.#stored = stored;
    }
    this.#starts[id] = this.#used;
    this.#lengths[id] = count;
    for (let at = 0; at < count; at++) this.#stored[this.#used + at] = numbers[at]!;
    this.#used += count;
  }

  /** Whether an APK has one of some numbers. @param wanted by number: 1 */
  hasAny(id: number, wanted: Uint8Array): boolean {
    const start = this.#starts[id] ?? 0;
    const end = start + (this.#lengths[id] ?? 0);
    for (let at = start; at < end; at++) if (wanted[this.#stored[at]!] === 1) return true;
    return false;
  }

  /** The APKs that have one of some numbers. */
  having(wanted: Uint8Array): IdSet {
    const ids = emptySet(this.#starts.length);
    for (let id = 1; id < this.#starts.length; id++) if (this.hasAny(id, wanted)) addId(ids, id);
    return ids;
  }

  /**
   * How many APKs of a set have a number of each group.
   * @param groupOf by number; -1: it is not counted
   */
  countsIn(set: IdSet, groupOf: Int32Array, groups: number): Uint32Array {
    const counts = new Uint32Array(groups);
    const last = new Uint32Array(groups);
    forEachId(set, (id) => {
      const start = this.#starts[id] ?? 0;
      const end = start + (this.#lengths[id] ?? 0);
      for (let at = start; at < end; at++) {
        const group = groupOf[this.#stored[at]!]!;
        if (group < 0 || last[group] === id) continue;
        last[group] = id;
        counts[group]! += 1;
      }
    });
    return counts;
  }
}
