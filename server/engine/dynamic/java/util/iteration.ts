// Reads any iterable of the program: modelled ones directly, the app's own by their iterators. Knows no method tables.
import { type HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { nullPointer, type Reference, referencesOf } from '../values.ts';
import { CollectionState, type Cursor, type Entry, ListLike, MapState } from './collection-state.ts';

/** Most elements taken from one of the app's own iterators, which may never end. */
const MAXIMUM_ELEMENTS = 1_000_000;

export function stateOfCollection(object: HeapObject): CollectionState | null {
  return object.native instanceof CollectionState ? object.native : null;
}

/** Whether the app's class has a method of its own in place of the model's. */
function overrides(machine: Machine, object: HeapObject, signature: string): boolean {
  return object.cls.isApp && machine.resolveMethod(object.cls, signature)?.native === null;
}

/** A list's state where reading it directly is what its methods would do; null otherwise. */
export function listStateOf(machine: Machine, object: HeapObject): ListLike | null {
  const state = stateOfCollection(object);
  return state instanceof ListLike && !overrides(machine, object, 'get(I)Ljava/lang/Object;') ? state : null;
}

/** A snapshot of the elements of an Iterable, an Iterator or an object array. @throws JavaThrow NullPointerException */
export function elementsOf(machine: Machine, object: Reference): Reference[] {
  if (object === null || object === undefined) throw nullPointer(machine);
  if (object instanceof JavaArray) return referencesOf(object).slice();
  const state = stateOfCollection(object);
  if (state !== null && !overrides(machine, object, 'iterator()Ljava/util/Iterator;')) return state.elements(machine);
  const isIterator = machine.isInstance(object, 'Ljava/util/Iterator;');
  const iterator = isIterator ? object : (machine.call(object, 'iterator()Ljava/util/Iterator;') as HeapObject | null);
  return iterator === null ? [] : drain(machine, iterator);
}

/** The rest of an iterator. */
function drain(machine: Machine, iterator: HeapObject): Reference[] {
  const all: Reference[] = [];
  while (all.length < MAXIMUM_ELEMENTS && machine.call(iterator, 'hasNext()Z') !== 0) {
    all.push(machine.call(iterator, 'next()Ljava/lang/Object;') as Reference);
    machine.charge(16);
  }
  return all;
}

/** A snapshot of the entries of a Map. */
export function entriesOf(machine: Machine, map: Reference): Entry[] {
  if (map === null || map === undefined) throw nullPointer(machine);
  const isOwn = map.native instanceof MapState && !overrides(machine, map, 'entrySet()Ljava/util/Set;');
  if (isOwn) return (map.native as MapState).entries(machine);
  const set = machine.call(map, 'entrySet()Ljava/util/Set;') as HeapObject | null;
  if (set === null) return [];
  return elementsOf(machine, set).map((entry) => ({
    key: machine.call(entry!, 'getKey()Ljava/lang/Object;') as Reference,
    value: machine.call(entry!, 'getValue()Ljava/lang/Object;') as Reference,
  }));
}

/** An iterator object on a cursor. */
export function iteratorOn(machine: Machine, cursor: Cursor): HeapObject {
  const iterator = machine.allocate('Ljava/util/ModelIterator;');
  iterator.native = cursor;
  return iterator;
}

/** A new ArrayList of elements. */
export function newList(machine: Machine, elements: readonly Reference[]): HeapObject {
  const list = machine.construct('Ljava/util/ArrayList;', '<init>()V');
  const state = list.native as { items: Reference[] };
  machine.charge(elements.length * 16);
  state.items = elements.slice();
  return list;
}
