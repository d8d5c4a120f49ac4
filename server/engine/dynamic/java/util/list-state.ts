// Lists in TypeScript: own elements, a window on another list, a Java array's elements, read-only and called-back ones. Knows no method tables.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { outOfBounds, type Reference, referencesOf, unsupported } from '../values.ts';
import { CollectionState, type Cursor, type ListCursor, ListLike, SnapshotCursor } from './collection-state.ts';
import { elementsOf, listStateOf, stateOfCollection } from './iteration.ts';

/** Bytes that a slot of a list is charged with. */
const SLOT_BYTES = 16;

function checkIndex(machine: Machine, index: number, size: number): void {
  if (index < 0 || index >= size) throw outOfBounds(machine, `Index: ${index}, Size: ${size}`);
}

/** ArrayList, LinkedList, Vector, ArrayDeque and the like. */
export class ListState extends ListLike {
  items: Reference[];
  /** Concurrent classes iterate over a snapshot. */
  readonly isConcurrent: boolean;
  /** Most elements, of a bounded queue. */
  capacity = Infinity;

  constructor(items: Reference[] = [], isConcurrent = false) {
    super();
    this.items = items;
    this.isConcurrent = isConcurrent;
  }

  override contents(): Iterable<unknown> {
    return this.items;
  }

  override size(): number {
    return this.items.length;
  }

  override get(machine: Machine, index: number): Reference {
    checkIndex(machine, index, this.items.length);
    return this.items[index]!;
  }

  override set(machine: Machine, index: number, element: Reference): Reference {
    checkIndex(machine, index, this.items.length);
    const before = this.items[index]!;
    this.items[index] = element;
    return before;
  }

  override insert(machine: Machine, index: number, element: Reference): void {
    if (index < 0 || index > this.items.length) {
      throw outOfBounds(machine, `Index: ${index}, Size: ${this.items.length}`);
    }
    machine.charge(SLOT_BYTES);
    this.modifications++;
    if (index === this.items.length) this.items.push(element);
    else this.items.splice(index, 0, element);
  }

  override removeAt(machine: Machine, index: number): Reference {
    checkIndex(machine, index, this.items.length);
    this.modifications++;
    if (index === 0) return this.items.shift()!;
    return this.items.splice(index, 1)[0]!;
  }

  override removeRange(_machine: Machine, from: number, to: number): void {
    this.modifications++;
    this.items.splice(from, to - from);
  }

  override elements(): Reference[] {
    return this.items.slice();
  }

  override cursor(machine: Machine): ListCursor {
    if (!this.isConcurrent) return super.cursor(machine);
    return new ListState(this.items.slice()).cursor(machine);
  }
}

/** `List.subList`: a live window. */
export class SubList extends ListLike {
  readonly #base: ListLike;
  readonly #offset: number;
  #length: number;

  constructor(base: ListLike, offset: number, length: number) {
    super();
    this.#base = base;
    this.#offset = offset;
    this.#length = length;
  }

  override contents(): Iterable<unknown> {
    return [this.#base];
  }

  override size(): number {
    return this.#length;
  }

  override get(machine: Machine, index: number): Reference {
    checkIndex(machine, index, this.#length);
    return this.#base.get(machine, this.#offset + index);
  }

  override set(machine: Machine, index: number, element: Reference): Reference {
    checkIndex(machine, index, this.#length);
    return this.#base.set(machine, this.#offset + index, element);
  }

  override insert(machine: Machine, index: number, element: Reference): void {
    if (index < 0 || index > this.#length) throw outOfBounds(machine, `Index: ${index}, Size: ${this.#length}`);
    this.#base.insert(machine, this.#offset + index, element);
    this.#length++;
    this.modifications++;
  }

  override removeAt(machine: Machine, index: number): Reference {
    checkIndex(machine, index, this.#length);
    this.#length--;
    this.modifications++;
    return this.#base.removeAt(machine, this.#offset + index);
  }

  override removeRange(machine: Machine, from: number, to: number): void {
    this.#base.removeRange(machine, this.#offset + from, this.#offset + to);
    this.#length -= to - from;
    this.modifications++;
  }
}

/** `Arrays.asList`: writes go to the array. */
export class ArrayBacked extends ListLike {
  readonly array: JavaArray;

  constructor(array: JavaArray) {
    super();
    this.array = array;
  }

  override contents(): Iterable<unknown> {
    return [this.array];
  }

  override size(): number {
    return this.array.elements.length;
  }

  override get(machine: Machine, index: number): Reference {
    checkIndex(machine, index, this.array.elements.length);
    return referencesOf(this.array)[index]!;
  }

  override set(machine: Machine, index: number, element: Reference): Reference {
    const before = this.get(machine, index);
    referencesOf(this.array)[index] = element;
    return before;
  }

  override clear(machine: Machine): void {
    if (this.array.elements.length > 0) throw unsupported(machine);
  }
}

/** A list that cannot be changed: `List.of`, `Collections.emptyList`. */
export class ConstantList extends ListLike {
  readonly items: readonly Reference[];

  constructor(items: readonly Reference[]) {
    super();
    this.items = items;
  }

  override contents(): Iterable<unknown> {
    return this.items;
  }

  override size(): number {
    return this.items.length;
  }

  override get(machine: Machine, index: number): Reference {
    checkIndex(machine, index, this.items.length);
    return this.items[index]!;
  }

  override set(machine: Machine): Reference {
    throw unsupported(machine);
  }

  override clear(machine: Machine): void {
    throw unsupported(machine);
  }

  override remove(machine: Machine): boolean {
    throw unsupported(machine);
  }
}

/** `Collections.unmodifiableList`: a view. */
export class ReadOnlyList extends ListLike {
  readonly inner: HeapObject;

  constructor(inner: HeapObject) {
    super();
    this.inner = inner;
  }

  override contents(): Iterable<unknown> {
    return [this.inner];
  }

  override size(machine: Machine): number {
    return machine.call(this.inner, 'size()I') as number;
  }

  override get(machine: Machine, index: number): Reference {
    return machine.call(this.inner, 'get(I)Ljava/lang/Object;', index) as Reference;
  }

  override set(machine: Machine): Reference {
    throw unsupported(machine);
  }

  override remove(machine: Machine): boolean {
    throw unsupported(machine);
  }

  override clear(machine: Machine): void {
    throw unsupported(machine);
  }

  override cursor(machine: Machine): ListCursor {
    const list = listStateOf(machine, this.inner);
    return list === null ? super.cursor(machine) : new ConstantList(list.elements(machine)).cursor(machine);
  }
}

/** `Collections.unmodifiableCollection`, `unmodifiableSet`: a view. */
export class ReadOnlyCollection extends CollectionState {
  readonly inner: HeapObject;

  constructor(inner: HeapObject) {
    super();
    this.inner = inner;
  }

  override contents(): Iterable<unknown> {
    return [this.inner];
  }

  override size(machine: Machine): number {
    return machine.call(this.inner, 'size()I') as number;
  }

  override contains(machine: Machine, element: Reference): boolean {
    return machine.call(this.inner, 'contains(Ljava/lang/Object;)Z', element) !== 0;
  }

  override remove(machine: Machine): boolean {
    throw unsupported(machine);
  }

  override clear(machine: Machine): void {
    throw unsupported(machine);
  }

  override cursor(machine: Machine): Cursor {
    return new SnapshotCursor(machine, elementsOf(machine, this.inner), null);
  }
}

/** The list an app's subclass of AbstractList is: everything goes through its own methods. */
class CalledList extends ListLike {
  readonly self: HeapObject;

  constructor(self: HeapObject) {
    super();
    this.self = self;
  }

  override contents(): Iterable<unknown> {
    return [this.self];
  }

  override size(machine: Machine): number {
    return machine.call(this.self, 'size()I') as number;
  }

  override get(machine: Machine, index: number): Reference {
    return machine.call(this.self, 'get(I)Ljava/lang/Object;', index) as Reference;
  }

  override set(machine: Machine, index: number, element: Reference): Reference {
    const signature = 'set(ILjava/lang/Object;)Ljava/lang/Object;';
    if (!isOverridden(machine, this.self, signature)) throw unsupported(machine);
    return machine.call(this.self, signature, index, element) as Reference;
  }

  override insert(machine: Machine, index: number, element: Reference): void {
    if (!isOverridden(machine, this.self, 'add(ILjava/lang/Object;)V')) throw unsupported(machine);
    machine.call(this.self, 'add(ILjava/lang/Object;)V', index, element);
  }

  override removeAt(machine: Machine, index: number): Reference {
    if (!isOverridden(machine, this.self, 'remove(I)Ljava/lang/Object;')) throw unsupported(machine);
    return machine.call(this.self, 'remove(I)Ljava/lang/Object;', index) as Reference;
  }
}

/** The collection an app's subclass of AbstractCollection or AbstractSet is. */
class CalledCollection extends CollectionState {
  readonly self: HeapObject;

  constructor(self: HeapObject) {
    super();
    this.self = self;
  }

  override contents(): Iterable<unknown> {
    return [this.self];
  }

  override size(machine: Machine): number {
    return machine.call(this.self, 'size()I') as number;
  }

  override cursor(machine: Machine): Cursor {
    const iterator = machine.call(this.self, 'iterator()Ljava/util/Iterator;') as HeapObject;
    return {
      hasNext: () => machine.call(iterator, 'hasNext()Z') !== 0,
      next: () => machine.call(iterator, 'next()Ljava/lang/Object;') as Reference,
      remove: () => {
        machine.call(iterator, 'remove()V');
      },
    };
  }
}

function isOverridden(machine: Machine, self: HeapObject, signature: string): boolean {
  return machine.resolveMethod(self.cls, signature)?.native === null;
}

/** The state of a collection object, that of an app's own subclass of an abstract base included. */
export function collectionOf(machine: Machine, self: HeapObject): CollectionState {
  const state = stateOfCollection(self);
  if (state !== null) return state;
  const isList = machine.isInstance(self, 'Ljava/util/List;');
  return isList ? new CalledList(self) : new CalledCollection(self);
}

/** The same for lists. */
export function listOf(self: HeapObject): ListLike {
  const state = stateOfCollection(self);
  return state instanceof ListLike ? state : new CalledList(self);
}
