// What stands behind modelled collections and maps: state with one small protocol each. Knows no method tables.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { illegalState, type Reference, unsupported } from '../values.ts';

/** An iterator's state. `next` past the end throws NoSuchElementException. */
export interface Cursor {
  hasNext(): boolean;
  next(): Reference;
  remove(): void;
}

export function noSuchElement(machine: Machine, message?: string) {
  return machine.exception('Ljava/util/NoSuchElementException;', message);
}

export function concurrentModification(machine: Machine) {
  return machine.exception('Ljava/util/ConcurrentModificationException;');
}

/** The elements of a collection. */
export abstract class CollectionState {
  abstract size(machine: Machine): number;
  abstract cursor(machine: Machine): Cursor;
  /** What counts as the collection's content, for the taint of all of it. */
  abstract contents(): Iterable<unknown>;

  /** False where a set had it already. */
  add(machine: Machine, _element: Reference): boolean {
    throw unsupported(machine);
  }

  contains(machine: Machine, element: Reference): boolean {
    for (const own of this.elements(machine)) if (machine.equals(element, own)) return true;
    return false;
  }

  remove(machine: Machine, element: Reference): boolean {
    const cursor = this.cursor(machine);
    while (cursor.hasNext()) {
      if (machine.equals(element, cursor.next())) {
        cursor.remove();
        return true;
      }
    }
    return false;
  }

  clear(machine: Machine): void {
    const cursor = this.cursor(machine);
    while (cursor.hasNext()) {
      cursor.next();
      cursor.remove();
    }
  }

  /** Element by element, until the collection is changed meanwhile. */
  *walk(machine: Machine): Generator<Reference> {
    const cursor = this.cursor(machine);
    while (cursor.hasNext()) yield cursor.next();
  }

  /** A snapshot. */
  elements(machine: Machine): Reference[] {
    const all: Reference[] = [];
    const cursor = this.cursor(machine);
    while (cursor.hasNext()) all.push(cursor.next());
    return all;
  }
}

/** A collection with positions. */
export abstract class ListLike extends CollectionState {
  /** Counts structural changes, so that iterators notice. */
  modifications = 0;

  abstract get(machine: Machine, index: number): Reference;
  abstract set(machine: Machine, index: number, element: Reference): Reference;

  insert(machine: Machine, _index: number, _element: Reference): void {
    throw unsupported(machine);
  }

  removeAt(machine: Machine, _index: number): Reference {
    throw unsupported(machine);
  }

  override add(machine: Machine, element: Reference): boolean {
    this.insert(machine, this.size(machine), element);
    return true;
  }

  removeRange(machine: Machine, from: number, to: number): void {
    for (let index = to - 1; index >= from; index--) this.removeAt(machine, index);
  }

  override clear(machine: Machine): void {
    this.removeRange(machine, 0, this.size(machine));
  }

  override cursor(machine: Machine): ListCursor {
    return new ListCursor(machine, this, 0);
  }
}

/** `ListIterator` over positions. */
export class ListCursor implements Cursor {
  index: number;
  #last = -1;
  #expected: number;
  readonly #machine: Machine;
  readonly #list: ListLike;

  constructor(machine: Machine, list: ListLike, index: number) {
    this.#machine = machine;
    this.#list = list;
    this.index = index;
    this.#expected = list.modifications;
  }

  hasNext(): boolean {
    return this.index !== this.#list.size(this.#machine);
  }

  next(): Reference {
    this.#check();
    if (this.index >= this.#list.size(this.#machine)) throw noSuchElement(this.#machine);
    this.#last = this.index++;
    return this.#list.get(this.#machine, this.#last);
  }

  previous(): Reference {
    this.#check();
    if (this.index <= 0) throw noSuchElement(this.#machine);
    this.#last = --this.index;
    return this.#list.get(this.#machine, this.#last);
  }

  remove(): void {
    if (this.#last < 0) throw illegalState(this.#machine);
    this.#check();
    this.#list.removeAt(this.#machine, this.#last);
    if (this.#last < this.index) this.index--;
    this.#last = -1;
    this.#expected = this.#list.modifications;
  }

  set(element: Reference): void {
    if (this.#last < 0) throw illegalState(this.#machine);
    this.#check();
    this.#list.set(this.#machine, this.#last, element);
  }

  add(element: Reference): void {
    this.#check();
    this.#list.insert(this.#machine, this.index++, element);
    this.#last = -1;
    this.#expected = this.#list.modifications;
  }

  #check(): void {
    if (this.#list.modifications !== this.#expected) throw concurrentModification(this.#machine);
  }
}

/** A cursor over a snapshot, whose removal is the collection's own. */
export class SnapshotCursor implements Cursor {
  #index = 0;
  readonly #machine: Machine;
  readonly #elements: readonly Reference[];
  readonly #remove: ((element: Reference) => void) | null;

  constructor(machine: Machine, elements: readonly Reference[], remove: ((element: Reference) => void) | null) {
    this.#machine = machine;
    this.#elements = elements;
    this.#remove = remove;
  }

  hasNext(): boolean {
    return this.#index < this.#elements.length;
  }

  next(): Reference {
    if (!this.hasNext()) throw noSuchElement(this.#machine);
    return this.#elements[this.#index++] ?? null;
  }

  remove(): void {
    if (this.#remove === null) throw unsupported(this.#machine);
    if (this.#index === 0) throw illegalState(this.#machine);
    this.#remove(this.#elements[this.#index - 1] ?? null);
  }
}

/** A key with its value; `Map.Entry.setValue` writes here. */
export interface Entry {
  key: Reference;
  value: Reference;
  /** The `Map.Entry` object, once somebody asked. */
  object?: HeapObject;
}

export interface EntryCursor {
  hasNext(): boolean;
  next(): Entry;
  remove(): void;
}

/** The entries of a map. */
export abstract class MapState {
  abstract size(machine: Machine): number;
  abstract find(machine: Machine, key: Reference): Entry | null;
  /** The value that stood there before; undefined where the key is new. */
  abstract put(machine: Machine, key: Reference, value: Reference): Reference | undefined;
  abstract remove(machine: Machine, key: Reference): Entry | null;
  abstract clear(machine: Machine): void;
  abstract cursor(machine: Machine): EntryCursor;

  /** Called by `get` alone: an access-ordered map moves the entry. */
  touch?(entry: Entry): void;

  /** What counts as the map's content, for the taint of all of it. */
  abstract contents(): Iterable<unknown>;

  entries(machine: Machine): Entry[] {
    const all: Entry[] = [];
    const cursor = this.cursor(machine);
    while (cursor.hasNext()) all.push(cursor.next());
    return all;
  }
}

/** The keys of a map as a set; with `added`, a set of its own (HashSet, TreeSet). */
export class KeySet extends CollectionState {
  readonly map: MapState;
  readonly #isOwn: boolean;

  constructor(map: MapState, isOwn: boolean) {
    super();
    this.map = map;
    this.#isOwn = isOwn;
  }

  override contents(): Iterable<unknown> {
    return [this.map];
  }

  override size(machine: Machine): number {
    return this.map.size(machine);
  }

  override cursor(machine: Machine): Cursor {
    const cursor = this.map.cursor(machine);
    return { hasNext: () => cursor.hasNext(), next: () => cursor.next().key, remove: () => cursor.remove() };
  }

  override add(machine: Machine, element: Reference): boolean {
    if (!this.#isOwn) throw unsupported(machine);
    if (this.map.find(machine, element) !== null) return false;
    this.map.put(machine, element, null);
    return true;
  }

  override contains(machine: Machine, element: Reference): boolean {
    return this.map.find(machine, element) !== null;
  }

  override remove(machine: Machine, element: Reference): boolean {
    return this.map.remove(machine, element) !== null;
  }

  override clear(machine: Machine): void {
    this.map.clear(machine);
  }
}

/** `Map.values()`. */
export class ValueCollection extends CollectionState {
  readonly map: MapState;

  constructor(map: MapState) {
    super();
    this.map = map;
  }

  override contents(): Iterable<unknown> {
    return [this.map];
  }

  override size(machine: Machine): number {
    return this.map.size(machine);
  }

  override cursor(machine: Machine): Cursor {
    const cursor = this.map.cursor(machine);
    return { hasNext: () => cursor.hasNext(), next: () => cursor.next().value, remove: () => cursor.remove() };
  }

  override clear(machine: Machine): void {
    this.map.clear(machine);
  }
}

/** `Map.entrySet()`. */
export class EntrySet extends CollectionState {
  readonly map: MapState;

  constructor(map: MapState) {
    super();
    this.map = map;
  }

  override contents(): Iterable<unknown> {
    return [this.map];
  }

  override size(machine: Machine): number {
    return this.map.size(machine);
  }

  override cursor(machine: Machine): Cursor {
    const cursor = this.map.cursor(machine);
    return {
      hasNext: () => cursor.hasNext(),
      next: () => entryObject(machine, cursor.next()),
      remove: () => cursor.remove(),
    };
  }

  override clear(machine: Machine): void {
    this.map.clear(machine);
  }
}

/** The `Map.Entry` of an entry, the same one each time. */
export function entryObject(machine: Machine, entry: Entry): HeapObject {
  if (entry.object === undefined) {
    entry.object = machine.allocate('Ljava/util/HashMap$Node;');
    entry.object.native = entry;
  }
  return entry.object;
}
