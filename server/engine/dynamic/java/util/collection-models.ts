// Collection, Iterator and the abstract bases that apps extend. Knows the concrete lists, sets and queues only by their state.
import type { HeapObject, JavaArray, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { reportSought } from '../hooks.ts';
import { flag, type Reference, referencesOf, required, unsupported } from '../values.ts';
import { type CollectionState, type Cursor, ListCursor, noSuchElement } from './collection-state.ts';
import { elementsOf, iteratorOn } from './iteration.ts';
import { collectionOf } from './list-state.ts';

/** Text of a collection as AbstractCollection writes it, with the elements' taint. */
function joinElements(machine: Machine, self: HeapObject, elements: readonly Reference[]) {
  let taint: Taint = 0;
  const texts = elements.map((element) => {
    if (element === self) return '(this Collection)';
    const text = machine.toText(element);
    taint = machine.union(taint, text.taint);
    return text.text;
  });
  return machine.string(`[${texts.join(', ')}]`, taint);
}

function state(machine: Machine, self: HeapObject): CollectionState {
  return collectionOf(machine, self);
}

function containsAll(machine: Machine, self: HeapObject, other: Reference): boolean {
  const own = state(machine, self);
  return elementsOf(machine, other).every((element) => own.contains(machine, element));
}

/** Removes what the test names; whether anything went. */
function removeWhere(machine: Machine, self: HeapObject, test: (element: Reference) => boolean): number {
  const own = state(machine, self);
  const gone = own.elements(machine).map(test);
  if (!gone.includes(true)) return 0;
  const cursor = own.cursor(machine);
  for (let index = 0; cursor.hasNext(); index++) {
    cursor.next();
    if (gone[index]) cursor.remove();
  }
  return 1;
}

function has(machine: Machine, collection: Reference, element: Reference): boolean {
  return machine.call(required(machine, collection), 'contains(Ljava/lang/Object;)Z', element) !== 0;
}

function addAll(machine: Machine, self: HeapObject, other: Reference): number {
  const isOverridden = self.cls.isApp && machine.resolveMethod(self.cls, 'add(Ljava/lang/Object;)Z')?.native === null;
  const own = state(machine, self);
  let isChanged = 0;
  for (const element of elementsOf(machine, other)) {
    const added = isOverridden
      ? machine.call(self, 'add(Ljava/lang/Object;)Z', element) !== 0
      : own.add(machine, element);
    if (added) isChanged = 1;
  }
  return isChanged;
}

/** `toArray(T[])`: fills the array, or a new one of its kind. */
export function intoArray(machine: Machine, elements: readonly Reference[], array: JavaArray | null): JavaArray {
  const target = required(machine, array);
  const slots = referencesOf(target);
  if (slots.length < elements.length) {
    return machine.objectArray(target.cls.component?.descriptor ?? 'Ljava/lang/Object;', elements);
  }
  for (let index = 0; index < elements.length; index++) slots[index] = elements[index] ?? null;
  if (slots.length > elements.length) slots[elements.length] = null;
  return target;
}

export const collectionMethods: NativeMethods = {
  '<init>()V': () => undefined,
  'size()I': (machine, self) => state(machine, self).size(machine),
  'isEmpty()Z': (machine, self) => state(machine, self).size(machine) === 0,
  'contains(Ljava/lang/Object;)Z': (machine, self, element: Reference) => {
    const own = state(machine, self);
    const isThere = own.contains(machine, element);
    if (!isThere) reportSought(machine, element, () => own.walk(machine));
    return flag(isThere);
  },
  'add(Ljava/lang/Object;)Z': (machine, self, element: Reference) => state(machine, self).add(machine, element),
  'remove(Ljava/lang/Object;)Z': (machine, self, element: Reference) => state(machine, self).remove(machine, element),
  'clear()V': (machine, self) => state(machine, self).clear(machine),
  'addAll(Ljava/util/Collection;)Z': addAll,
  'containsAll(Ljava/util/Collection;)Z': (machine, self, other: Reference) => containsAll(machine, self, other),
  'removeAll(Ljava/util/Collection;)Z': (machine, self, other: Reference) =>
    removeWhere(machine, self, (element) => has(machine, other, element)),
  'retainAll(Ljava/util/Collection;)Z': (machine, self, other: Reference) =>
    removeWhere(machine, self, (element) => !has(machine, other, element)),
  'removeIf(Ljava/util/function/Predicate;)Z': (machine, self, test: HeapObject) =>
    removeWhere(
      machine,
      self,
      (element) => machine.call(required(machine, test), 'test(Ljava/lang/Object;)Z', element) !== 0,
    ),
  'toArray()[Ljava/lang/Object;': (machine, self) =>
    machine.objectArray('Ljava/lang/Object;', state(machine, self).elements(machine)),
  'toArray(![Ljava/lang/Object;)[Ljava/lang/Object;': (machine, self, array: JavaArray) =>
    intoArray(machine, state(machine, self).elements(machine), array),
  'toArray(!Ljava/util/function/IntFunction;)[Ljava/lang/Object;': (machine, self, make: HeapObject) =>
    intoArray(
      machine,
      state(machine, self).elements(machine),
      machine.call(make, 'apply(I)Ljava/lang/Object;', 0) as JavaArray,
    ),
  'iterator()Ljava/util/Iterator;': (machine, self) => iteratorOn(machine, state(machine, self).cursor(machine)),
  'forEach(Ljava/util/function/Consumer;)V': (machine, self, consumer: HeapObject) => {
    for (const element of elementsOf(machine, self)) {
      machine.call(required(machine, consumer), 'accept(Ljava/lang/Object;)V', element);
    }
  },
  'toString()Ljava/lang/String;': (machine, self) => joinElements(machine, self, elementsOf(machine, self)),
};

function setEquals(machine: Machine, self: HeapObject, other: Reference): number {
  if (self === other) return 1;
  if (other === null || !machine.isInstance(other, 'Ljava/util/Set;')) return 0;
  const theirs = elementsOf(machine, other);
  const own = state(machine, self);
  return flag(theirs.length === own.size(machine) && theirs.every((element) => own.contains(machine, element)));
}

const cursorOf = (self: HeapObject): Cursor => self.native as Cursor;

function listCursor(machine: Machine, self: HeapObject): ListCursor {
  if (self.native instanceof ListCursor) return self.native;
  throw unsupported(machine);
}

export const collectionModels: Record<string, ModelClass> = {
  'Ljava/util/Collection;': {
    isInterface: true,
    implements: ['Ljava/lang/Iterable;'],
    abstractMethods: [
      'size()I',
      'isEmpty()Z',
      'contains(Ljava/lang/Object;)Z',
      'iterator()Ljava/util/Iterator;',
      'toArray()[Ljava/lang/Object;',
      'toArray([Ljava/lang/Object;)[Ljava/lang/Object;',
      'add(Ljava/lang/Object;)Z',
      'remove(Ljava/lang/Object;)Z',
      'containsAll(Ljava/util/Collection;)Z',
      'addAll(Ljava/util/Collection;)Z',
      'removeAll(Ljava/util/Collection;)Z',
      'retainAll(Ljava/util/Collection;)Z',
      'clear()V',
    ],
    methods: {
      'removeIf(Ljava/util/function/Predicate;)Z': collectionMethods['removeIf(Ljava/util/function/Predicate;)Z']!,
      'stream()Ljava/util/stream/Stream;': (machine, self) => streamOf(machine, self),
      'parallelStream()Ljava/util/stream/Stream;': (machine, self) => streamOf(machine, self),
    },
  },
  'Ljava/util/AbstractCollection;': {
    isAbstract: true,
    implements: ['Ljava/util/Collection;'],
    methods: collectionMethods,
  },
  'Ljava/util/Set;': { isInterface: true, implements: ['Ljava/util/Collection;'], staticMethods: {} },
  'Ljava/util/AbstractSet;': {
    isAbstract: true,
    extends: 'Ljava/util/AbstractCollection;',
    implements: ['Ljava/util/Set;'],
    methods: {
      '<init>()V': () => undefined,
      'equals(Ljava/lang/Object;)Z': setEquals,
      'hashCode()I': (machine, self) => {
        let hash = 0;
        for (const element of elementsOf(machine, self)) hash = (hash + machine.hashCode(element)) | 0;
        return hash;
      },
    },
  },
  'Ljava/util/Iterator;': {
    isInterface: true,
    abstractMethods: ['hasNext()Z', 'next()Ljava/lang/Object;'],
    methods: {
      'remove()V': (machine) => {
        throw unsupported(machine, 'remove');
      },
      'forEachRemaining(!Ljava/util/function/Consumer;)V': (machine, self, consumer: HeapObject) => {
        while (machine.call(self, 'hasNext()Z') !== 0) {
          machine.call(consumer, 'accept(Ljava/lang/Object;)V', machine.call(self, 'next()Ljava/lang/Object;'));
        }
      },
    },
  },
  'Ljava/util/ListIterator;': {
    isInterface: true,
    implements: ['Ljava/util/Iterator;'],
    abstractMethods: [
      'hasPrevious()Z',
      'previous()Ljava/lang/Object;',
      'nextIndex()I',
      'previousIndex()I',
      'set(Ljava/lang/Object;)V',
      'add(Ljava/lang/Object;)V',
    ],
  },
  'Ljava/util/Enumeration;': {
    isInterface: true,
    abstractMethods: ['hasMoreElements()Z', 'nextElement()Ljava/lang/Object;'],
  },
  // One class stands for all iterators of modelled collections.
  'Ljava/util/ModelIterator;': {
    implements: ['Ljava/util/ListIterator;', 'Ljava/util/Enumeration;', 'Ljava/util/PrimitiveIterator$OfInt;'],
    methods: {
      'hasNext()Z': (_machine, self) => cursorOf(self).hasNext(),
      'next()Ljava/lang/Object;': (_machine, self) => cursorOf(self).next(),
      'remove()V': (_machine, self) => cursorOf(self).remove(),
      'hasMoreElements()Z': (_machine, self) => cursorOf(self).hasNext(),
      'nextElement()Ljava/lang/Object;': (_machine, self) => cursorOf(self).next(),
      'nextInt()I': (machine, self) => {
        const next = cursorOf(self).next();
        if (next === null) throw noSuchElement(machine);
        machine.setResultTaint(next.taint);
        return machine.unbox(next);
      },
      'hasPrevious()Z': (machine, self) => listCursor(machine, self).index > 0,
      'previous()Ljava/lang/Object;': (machine, self) => listCursor(machine, self).previous(),
      'nextIndex()I': (machine, self) => listCursor(machine, self).index,
      'previousIndex()I': (machine, self) => listCursor(machine, self).index - 1,
      'set(Ljava/lang/Object;)V': (machine, self, element: Reference) => listCursor(machine, self).set(element),
      'add(Ljava/lang/Object;)V': (machine, self, element: Reference) => listCursor(machine, self).add(element),
    },
  },
  'Ljava/util/PrimitiveIterator$OfInt;': { isInterface: true, implements: ['Ljava/util/Iterator;'] },
};

function streamOf(machine: Machine, self: HeapObject): HeapObject {
  const elements = machine.objectArray('Ljava/lang/Object;', elementsOf(machine, self));
  return machine.callStatic(
    'Ljava/util/Arrays;',
    'stream([Ljava/lang/Object;)Ljava/util/stream/Stream;',
    elements,
  ) as HeapObject;
}
