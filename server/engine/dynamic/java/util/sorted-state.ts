// TreeMap's entries as a sorted array, and views of ranges of it in both directions. Knows no method tables.
import { type HeapObject, JavaString } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { compareText } from '../lang/string.ts';
import { illegalArgument, illegalState, nullPointer, type Reference } from '../values.ts';
import { concurrentModification, type Entry, type EntryCursor, MapState, noSuchElement } from './collection-state.ts';

export type Order = (machine: Machine, a: Reference, b: Reference) => number;

/** Comparable's order. @throws JavaThrow ClassCastException, NullPointerException */
export function naturalOrder(machine: Machine, a: Reference, b: Reference): number {
  if (a instanceof JavaString && b instanceof JavaString) return compareText(a.text, b.text);
  if (a === null || b === null) throw nullPointer(machine);
  const left = machine.unbox(a);
  const right = machine.unbox(b);
  if (left !== null && right !== null && a.cls === b.cls) return left < right ? -1 : left > right ? 1 : 0;
  if (!machine.isInstance(a, 'Ljava/lang/Comparable;')) {
    throw machine.exception('Ljava/lang/ClassCastException;', `${a.cls.name} cannot be cast to java.lang.Comparable`);
  }
  return machine.call(a, 'compareTo(Ljava/lang/Object;)I', b) as number;
}

/** The order of a Comparator, Comparable's where there is none. */
export function orderOf(comparator: Reference): Order {
  if (comparator === null) return naturalOrder;
  return (machine, a, b) => machine.call(comparator, 'compare(Ljava/lang/Object;Ljava/lang/Object;)I', a, b) as number;
}

interface Sorted {
  readonly entries: Entry[];
  readonly order: Order;
  readonly comparator: HeapObject | null;
  modifications: number;
}

export interface Bound {
  readonly key: Reference;
  readonly isInclusive: boolean;
}

/** A range of a sorted map, the whole of it at first. */
export class SortedView extends MapState {
  readonly #sorted: Sorted;
  readonly #low: Bound | null;
  readonly #high: Bound | null;
  readonly isDescending: boolean;
  readonly isConcurrent: boolean;

  constructor(sorted: Sorted, low: Bound | null, high: Bound | null, isDescending: boolean, isConcurrent: boolean) {
    super();
    this.#sorted = sorted;
    this.#low = low;
    this.#high = high;
    this.isDescending = isDescending;
    this.isConcurrent = isConcurrent;
  }

  get comparator(): HeapObject | null {
    return this.#sorted.comparator;
  }

  override contents(): Iterable<unknown> {
    return this.#sorted.entries.flatMap((entry) => [entry.key, entry.value]);
  }

  override size(machine: Machine): number {
    const [start, end] = this.#range(machine);
    return end - start;
  }

  override find(machine: Machine, key: Reference): Entry | null {
    if (this.#sorted.entries.length === 0) {
      if (key === null && this.comparator === null) throw nullPointer(machine);
      return null;
    }
    const index = this.#search(machine, key, false);
    const entry = this.#sorted.entries[index];
    if (entry === undefined || this.#sorted.order(machine, key, entry.key) !== 0) return null;
    return this.#contains(machine, index) ? entry : null;
  }

  override put(machine: Machine, key: Reference, value: Reference): Reference | undefined {
    if (this.#low !== null || this.#high !== null) this.#checkKey(machine, key);
    // Java compares the first key with itself, so that it throws where it cannot be compared.
    if (this.#sorted.entries.length === 0) this.#sorted.order(machine, key, key);
    const index = this.#search(machine, key, false);
    const entry = this.#sorted.entries[index];
    if (entry !== undefined && this.#sorted.order(machine, key, entry.key) === 0) {
      const before = entry.value;
      entry.value = value;
      return before;
    }
    machine.charge(48);
    this.#sorted.modifications++;
    this.#sorted.entries.splice(index, 0, { key, value });
  }

  override remove(machine: Machine, key: Reference): Entry | null {
    const entry = this.find(machine, key);
    if (entry !== null) this.#take(entry);
    return entry;
  }

  override clear(machine: Machine): void {
    const [start, end] = this.#range(machine);
    this.#sorted.entries.splice(start, end - start);
    this.#sorted.modifications++;
  }

  override entries(machine: Machine): Entry[] {
    const entries = this.#sorted.entries.slice(...this.#range(machine));
    return this.isDescending ? entries.reverse() : entries;
  }

  override cursor(machine: Machine): EntryCursor {
    const entries = this.entries(machine);
    let index = 0;
    let last: Entry | null = null;
    let expected = this.#sorted.modifications;
    const check = (): void => {
      if (!this.isConcurrent && this.#sorted.modifications !== expected) throw concurrentModification(machine);
    };
    return {
      hasNext: () => index < entries.length,
      next: () => {
        check();
        last = entries[index++] ?? null;
        if (last === null) throw noSuchElement(machine);
        return last;
      },
      remove: () => {
        if (last === null) throw illegalState(machine);
        check();
        this.#take(last);
        last = null;
        expected = this.#sorted.modifications;
      },
    };
  }

  first(machine: Machine): Entry | null {
    const [start, end] = this.#range(machine);
    return start === end ? null : this.#sorted.entries[this.isDescending ? end - 1 : start]!;
  }

  last(machine: Machine): Entry | null {
    const [start, end] = this.#range(machine);
    return start === end ? null : this.#sorted.entries[this.isDescending ? start : end - 1]!;
  }

  /** The nearest entry after (before) a key in the view's direction, the equal one too where it is inclusive. */
  nearest(machine: Machine, key: Reference, isAfter: boolean, isInclusive: boolean): Entry | null {
    const isUp = isAfter !== this.isDescending;
    const index = isUp ? this.#search(machine, key, !isInclusive) : this.#search(machine, key, isInclusive) - 1;
    const [start, end] = this.#range(machine);
    const inside = isUp ? Math.max(index, start) : Math.min(index, end - 1);
    return inside >= start && inside < end ? this.#sorted.entries[inside]! : null;
  }

  /** A view of a range of this view; null bounds stay as they are. */
  sub(machine: Machine, from: Bound | null, to: Bound | null): SortedView {
    if (from !== null && to !== null) {
      const order = this.#sorted.order(machine, from.key, to.key);
      if (this.isDescending ? order < 0 : order > 0) throw illegalArgument(machine, 'fromKey > toKey');
    }
    const [low, high] = this.isDescending ? [to, from] : [from, to];
    return new SortedView(this.#sorted, low ?? this.#low, high ?? this.#high, this.isDescending, this.isConcurrent);
  }

  descending(): SortedView {
    return new SortedView(this.#sorted, this.#low, this.#high, !this.isDescending, this.isConcurrent);
  }

  take(entry: Entry): void {
    this.#take(entry);
  }

  #take(entry: Entry): void {
    const index = this.#sorted.entries.indexOf(entry);
    if (index < 0) return;
    this.#sorted.entries.splice(index, 1);
    this.#sorted.modifications++;
  }

  /** First index whose key is not below the key; with `isAfter`, above it. */
  #search(machine: Machine, key: Reference, isAfter: boolean): number {
    const { entries, order } = this.#sorted;
    let low = 0;
    let high = entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const comparison = order(machine, key, entries[middle]!.key);
      if (comparison > 0 || (isAfter && comparison === 0)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #range(machine: Machine): [number, number] {
    const start = this.#low === null ? 0 : this.#search(machine, this.#low.key, !this.#low.isInclusive);
    const end =
      this.#high === null ? this.#sorted.entries.length : this.#search(machine, this.#high.key, this.#high.isInclusive);
    return [start, Math.max(start, end)];
  }

  #contains(machine: Machine, index: number): boolean {
    if (this.#low === null && this.#high === null) return true;
    const [start, end] = this.#range(machine);
    return index >= start && index < end;
  }

  #checkKey(machine: Machine, key: Reference): void {
    const { order } = this.#sorted;
    const low = this.#low === null ? 1 : order(machine, key, this.#low.key);
    const high = this.#high === null ? -1 : order(machine, key, this.#high.key);
    if (low < 0 || (low === 0 && !this.#low!.isInclusive) || high > 0 || (high === 0 && !this.#high!.isInclusive)) {
      throw illegalArgument(machine, 'key out of range');
    }
  }
}

/** An empty sorted map. */
export function sortedMap(comparator: HeapObject | null, isConcurrent = false, order?: Order): SortedView {
  const sorted: Sorted = { entries: [], order: order ?? orderOf(comparator), comparator, modifications: 0 };
  return new SortedView(sorted, null, null, false, isConcurrent);
}

/** Sorts in place, stably, by an order that calls back into the program. */
export function sortReferences(machine: Machine, elements: Reference[], order: Order): void {
  elements.sort((a, b) => order(machine, a, b));
}
