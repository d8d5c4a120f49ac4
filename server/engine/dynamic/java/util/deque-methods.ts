// Queue and Deque over a list's elements: ArrayDeque, LinkedList, concurrent queues. Knows no blocking.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { made, type Reference, required } from '../values.ts';
import { noSuchElement } from './collection-state.ts';
import { elementsOf, iteratorOn } from './iteration.ts';
import { ConstantList, ListState } from './list-state.ts';

function items(machine: Machine, self: HeapObject): Reference[] {
  return required(machine, self.native as ListState | undefined).items;
}

function offer(machine: Machine, self: HeapObject, element: Reference, isFirst: boolean): number {
  const list = self.native as ListState;
  if (self.cls.descriptor !== 'Ljava/util/LinkedList;') required(machine, element);
  if (list.items.length >= list.capacity) return 0;
  list.insert(machine, isFirst ? 0 : list.items.length, element);
  return 1;
}

function add(machine: Machine, self: HeapObject, element: Reference, isFirst: boolean): number {
  if (offer(machine, self, element, isFirst) === 0) {
    throw machine.exception('Ljava/lang/IllegalStateException;', 'Queue full');
  }
  return 1;
}

/** Takes (or looks at) one end; undefined where there is nothing. */
function end(machine: Machine, self: HeapObject, isFirst: boolean, isTaken: boolean): Reference | undefined {
  const list = self.native as ListState;
  const size = items(machine, self).length;
  if (size === 0) return undefined;
  const index = isFirst ? 0 : size - 1;
  return isTaken ? list.removeAt(machine, index) : list.items[index]!;
}

const orNull =
  (isFirst: boolean, isTaken: boolean): NativeMethod =>
  (machine, self) =>
    end(machine, self, isFirst, isTaken) ?? null;

const orThrow =
  (isFirst: boolean, isTaken: boolean): NativeMethod =>
  (machine, self) => {
    const element = end(machine, self, isFirst, isTaken);
    if (element === undefined) throw noSuchElement(machine);
    return element;
  };

function removeOccurrence(machine: Machine, self: HeapObject, element: Reference, isFirst: boolean): number {
  const elements = items(machine, self);
  const matches = (own: Reference): boolean => machine.equals(element, own);
  const index = isFirst ? elements.findIndex(matches) : elements.findLastIndex(matches);
  if (index < 0) return 0;
  (self.native as ListState).removeAt(machine, index);
  return 1;
}

const OBJECT = 'Ljava/lang/Object;';

export const dequeMethods: NativeMethods = {
  [`addFirst(${OBJECT})V`]: (machine, self, element: Reference) => add(machine, self, element, true),
  [`addLast(${OBJECT})V`]: (machine, self, element: Reference) => add(machine, self, element, false),
  [`add(${OBJECT})Z`]: (machine, self, element: Reference) => add(machine, self, element, false),
  [`offer(${OBJECT})Z`]: (machine, self, element: Reference) => offer(machine, self, element, false),
  [`offerFirst(${OBJECT})Z`]: (machine, self, element: Reference) => offer(machine, self, element, true),
  [`offerLast(${OBJECT})Z`]: (machine, self, element: Reference) => offer(machine, self, element, false),
  [`push(${OBJECT})V`]: (machine, self, element: Reference) => add(machine, self, element, true),
  [`pop()${OBJECT}`]: orThrow(true, true),
  [`remove()${OBJECT}`]: orThrow(true, true),
  [`removeFirst()${OBJECT}`]: orThrow(true, true),
  [`removeLast()${OBJECT}`]: orThrow(false, true),
  [`element()${OBJECT}`]: orThrow(true, false),
  [`getFirst()${OBJECT}`]: orThrow(true, false),
  [`getLast()${OBJECT}`]: orThrow(false, false),
  [`poll()${OBJECT}`]: orNull(true, true),
  [`pollFirst()${OBJECT}`]: orNull(true, true),
  [`pollLast()${OBJECT}`]: orNull(false, true),
  [`peek()${OBJECT}`]: orNull(true, false),
  [`peekFirst()${OBJECT}`]: orNull(true, false),
  [`peekLast()${OBJECT}`]: orNull(false, false),
  [`removeFirstOccurrence(${OBJECT})Z`]: (machine, self, element: Reference) =>
    removeOccurrence(machine, self, element, true),
  [`removeLastOccurrence(${OBJECT})Z`]: (machine, self, element: Reference) =>
    removeOccurrence(machine, self, element, false),
  'descendingIterator()Ljava/util/Iterator;': (machine, self) =>
    iteratorOn(machine, new ConstantList(items(machine, self).slice().reverse()).cursor(machine)),
};

const constructors: NativeMethods = {
  '<init>()V': made(() => new ListState()),
  '<init>(I)V': made(() => new ListState()),
  '<init>(Ljava/util/Collection;)V': made((machine, other: Reference) => new ListState(elementsOf(machine, other))),
  'clone()Ljava/lang/Object;': (machine, self) => {
    const copy = machine.allocate(self.cls.descriptor);
    copy.native = new ListState(items(machine, self).slice());
    return copy;
  },
};

const concurrentConstructors: NativeMethods = {
  '<init>()V': made(() => new ListState([], true)),
  '<init>(Ljava/util/Collection;)V': made(
    (machine, other: Reference) => new ListState(elementsOf(machine, other), true),
  ),
};

export const dequeModels: Record<string, ModelClass> = {
  'Ljava/util/Queue;': {
    isInterface: true,
    implements: ['Ljava/util/Collection;'],
    abstractMethods: [
      `offer(${OBJECT})Z`,
      `remove()${OBJECT}`,
      `poll()${OBJECT}`,
      `element()${OBJECT}`,
      `peek()${OBJECT}`,
    ],
  },
  'Ljava/util/Deque;': {
    isInterface: true,
    implements: ['Ljava/util/Queue;'],
    abstractMethods: Object.keys(dequeMethods),
  },
  'Ljava/util/AbstractQueue;': {
    isAbstract: true,
    extends: 'Ljava/util/AbstractCollection;',
    implements: ['Ljava/util/Queue;'],
    methods: {
      '<init>()V': () => undefined,
      [`add(${OBJECT})Z`]: (machine, self, element: Reference) =>
        machine.call(self, `offer(${OBJECT})Z`, element) !== 0,
    },
  },
  'Ljava/util/ArrayDeque;': {
    extends: 'Ljava/util/AbstractCollection;',
    implements: ['Ljava/util/Deque;', 'Ljava/lang/Cloneable;', 'Ljava/io/Serializable;'],
    methods: { ...dequeMethods, ...constructors },
  },
  'Ljava/util/concurrent/ConcurrentLinkedQueue;': {
    extends: 'Ljava/util/AbstractQueue;',
    methods: { ...dequeMethods, ...concurrentConstructors },
  },
  'Ljava/util/concurrent/ConcurrentLinkedDeque;': {
    extends: 'Ljava/util/AbstractCollection;',
    implements: ['Ljava/util/Deque;'],
    methods: { ...dequeMethods, ...concurrentConstructors },
  },
};
