// List and its implementations: ArrayList, LinkedList, Vector, Stack, CopyOnWriteArrayList, read-only ones. Knows no maps.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { flag, illegalArgument, instance, made, outOfBounds, type Reference, required } from '../values.ts';
import { collectionMethods } from './collection-models.ts';
import { ListCursor, noSuchElement } from './collection-state.ts';
import { dequeMethods } from './deque-methods.ts';
import { elementsOf, iteratorOn } from './iteration.ts';
import { ConstantList, ListState, listOf, SubList } from './list-state.ts';
import { orderOf, sortReferences } from './sorted-state.ts';

function indexOf(machine: Machine, self: HeapObject, element: Reference, from = 0): number {
  const elements = elementsOf(machine, self);
  for (let index = from; index < elements.length; index++) {
    if (machine.equals(element, elements[index]!)) return index;
  }
  return -1;
}

function lastIndexOf(machine: Machine, self: HeapObject, element: Reference): number {
  const elements = elementsOf(machine, self);
  for (let index = elements.length - 1; index >= 0; index--) {
    if (machine.equals(element, elements[index]!)) return index;
  }
  return -1;
}

function subList(machine: Machine, self: HeapObject, from: number, to: number): HeapObject {
  const base = listOf(self);
  if (from < 0 || to > base.size(machine)) throw outOfBounds(machine, `fromIndex: ${from}, toIndex: ${to}`);
  if (from > to) throw illegalArgument(machine, `fromIndex(${from}) > toIndex(${to})`);
  return instance(machine, 'Ljava/util/AbstractList$SubList;', new SubList(base, from, to - from));
}

function listIterator(machine: Machine, self: HeapObject, index = 0): HeapObject {
  const list = listOf(self);
  if (index < 0 || index > list.size(machine)) throw outOfBounds(machine, `Index: ${index}`);
  if (list instanceof ListState && list.isConcurrent) {
    return iteratorOn(machine, new ListCursor(machine, new ConstantList(list.elements()), index));
  }
  return iteratorOn(machine, new ListCursor(machine, list, index));
}

function listEquals(machine: Machine, self: HeapObject, other: Reference): number {
  if (self === other) return 1;
  if (other === null || !machine.isInstance(other, 'Ljava/util/List;')) return 0;
  const own = elementsOf(machine, self);
  const theirs = elementsOf(machine, other);
  return flag(own.length === theirs.length && own.every((element, index) => machine.equals(element, theirs[index]!)));
}

function sort(machine: Machine, self: HeapObject, comparator: Reference): undefined {
  const list = listOf(self);
  const elements = list.elements(machine);
  sortReferences(machine, elements, orderOf(comparator));
  if (list instanceof ListState) {
    list.items = elements;
    list.modifications++;
  } else for (const [index, element] of elements.entries()) list.set(machine, index, element);
}

const listMethods: NativeMethods = {
  'get(I)Ljava/lang/Object;': (machine, self, index: number) => listOf(self).get(machine, index),
  'set(ILjava/lang/Object;)Ljava/lang/Object;': (machine, self, index: number, element: Reference) =>
    listOf(self).set(machine, index, element),
  'add(ILjava/lang/Object;)V': (machine, self, index: number, element: Reference) =>
    listOf(self).insert(machine, index, element),
  'remove(I)Ljava/lang/Object;': (machine, self, index: number) => listOf(self).removeAt(machine, index),
  'addAll(ILjava/util/Collection;)Z': (machine, self, index: number, other: Reference) => {
    const list = listOf(self);
    const added = elementsOf(machine, other);
    for (const [offset, element] of added.entries()) list.insert(machine, index + offset, element);
    return flag(added.length > 0);
  },
  'indexOf(Ljava/lang/Object;)I': (machine, self, element: Reference) => indexOf(machine, self, element),
  'lastIndexOf(Ljava/lang/Object;)I': lastIndexOf,
  'subList(II)Ljava/util/List;': subList,
  'listIterator()Ljava/util/ListIterator;': (machine, self) => listIterator(machine, self),
  'listIterator(I)Ljava/util/ListIterator;': listIterator,
  'removeRange(II)V': (machine, self, from: number, to: number) => listOf(self).removeRange(machine, from, to),
  'equals(Ljava/lang/Object;)Z': listEquals,
  'hashCode()I': (machine, self) => {
    let hash = 1;
    for (const element of elementsOf(machine, self)) hash = (Math.imul(31, hash) + machine.hashCode(element)) | 0;
    return hash;
  },
  'sort(Ljava/util/Comparator;)V': sort,
  'replaceAll(!Ljava/util/function/UnaryOperator;)V': (machine, self, operator: HeapObject) => {
    const list = listOf(self);
    for (const [index, element] of list.elements(machine).entries()) {
      const replaced = machine.call(operator, 'apply(Ljava/lang/Object;)Ljava/lang/Object;', element) as Reference;
      list.set(machine, index, replaced);
    }
  },
};

function constructors(isConcurrent = false): NativeMethods {
  const begin = (self: HeapObject, items: Reference[]): undefined => {
    self.native = new ListState(items, isConcurrent);
  };
  return {
    '<init>()V': (_machine, self) => begin(self, []),
    '<init>(I)V': (machine, self, capacity: number) => {
      if (capacity < 0) throw illegalArgument(machine, `Illegal Capacity: ${capacity}`);
      begin(self, []);
    },
    '<init>(II)V': (_machine, self) => begin(self, []),
    '<init>(Ljava/util/Collection;)V': (machine, self, other: Reference) => begin(self, elementsOf(machine, other)),
    '<init>([Ljava/lang/Object;)V': (machine, self, other: Reference) => begin(self, elementsOf(machine, other)),
    'clone()Ljava/lang/Object;': (machine, self) => {
      const copy = machine.allocate(self.cls.descriptor);
      copy.fields = self.fields.slice();
      copy.fieldTaints = self.fieldTaints?.slice() ?? null;
      copy.native = new ListState((self.native as ListState).items.slice(), isConcurrent);
      return copy;
    },
    'ensureCapacity(I)V': () => undefined,
    'trimToSize()V': () => undefined,
  };
}

/** What Vector has beyond List. */
const vectorMethods: NativeMethods = {
  'elementAt(I)Ljava/lang/Object;': listMethods['get(I)Ljava/lang/Object;']!,
  'firstElement()Ljava/lang/Object;': (machine, self) => end(machine, self, 0),
  'lastElement()Ljava/lang/Object;': (machine, self) => end(machine, self, -1),
  'addElement(Ljava/lang/Object;)V': (machine, self, element: Reference) => listOf(self).add(machine, element),
  'insertElementAt(Ljava/lang/Object;I)V': (machine, self, element: Reference, index: number) =>
    listOf(self).insert(machine, index, element),
  'setElementAt(Ljava/lang/Object;I)V': (machine, self, element: Reference, index: number) =>
    listOf(self).set(machine, index, element),
  'removeElement(Ljava/lang/Object;)Z': collectionMethods['remove(Ljava/lang/Object;)Z']!,
  'removeElementAt(I)V': (machine, self, index: number) => listOf(self).removeAt(machine, index),
  'removeAllElements()V': collectionMethods['clear()V']!,
  'elements()Ljava/util/Enumeration;': collectionMethods['iterator()Ljava/util/Iterator;']!,
  'indexOf(Ljava/lang/Object;I)I': indexOf,
  'copyInto([Ljava/lang/Object;)V': (machine, self, array: JavaArray) => {
    const slots = required(machine, array).elements as Reference[];
    for (const [index, element] of elementsOf(machine, self).entries()) slots[index] = element;
  },
  'capacity()I': (machine, self) => Math.max(10, listOf(self).size(machine)),
  'setSize(I)V': (machine, self, size: number) => {
    const list = self.native as ListState;
    machine.charge(size * 16);
    while (list.items.length < size) list.items.push(null);
    list.items.length = size;
  },
};

function end(machine: Machine, self: HeapObject, index: number): Reference {
  const element = elementsOf(machine, self).at(index);
  if (element === undefined) throw noSuchElement(machine);
  return element;
}

function emptyStack(machine: Machine) {
  return machine.exception('Ljava/util/EmptyStackException;');
}

const stackMethods: NativeMethods = {
  '<init>()V': made(() => new ListState()),
  'push(Ljava/lang/Object;)Ljava/lang/Object;': (machine, self, element: Reference) => {
    listOf(self).add(machine, element);
    return element;
  },
  'pop()Ljava/lang/Object;': (machine, self) => {
    const list = listOf(self);
    const size = list.size(machine);
    if (size === 0) throw emptyStack(machine);
    return list.removeAt(machine, size - 1);
  },
  'peek()Ljava/lang/Object;': (machine, self) => {
    const element = elementsOf(machine, self).at(-1);
    if (element === undefined) throw emptyStack(machine);
    return element;
  },
  'empty()Z': collectionMethods['isEmpty()Z']!,
  'search(Ljava/lang/Object;)I': (machine, self, element: Reference) => {
    const index = lastIndexOf(machine, self, element);
    return index < 0 ? -1 : listOf(self).size(machine) - index;
  },
};

function constant(machine: Machine, elements: readonly Reference[]): HeapObject {
  for (const element of elements) required(machine, element);
  return instance(machine, 'Ljava/util/ImmutableCollections$ListN;', new ConstantList(elements));
}

/** `List.of` with up to ten elements, and with an array. */
function ofMethods(returns: string, make: (machine: Machine, elements: readonly Reference[]) => HeapObject) {
  const methods: Record<string, NativeMethods[string]> = {};
  for (let count = 0; count <= 10; count++) {
    methods[`of(${'Ljava/lang/Object;'.repeat(count)})${returns}`] = (machine, ...elements: Reference[]) =>
      make(machine, elements);
  }
  methods[`of([Ljava/lang/Object;)${returns}`] = (machine, elements: Reference) =>
    make(machine, elementsOf(machine, elements));
  methods[`copyOf(Ljava/util/Collection;)${returns}`] = (machine, elements: Reference) =>
    make(machine, elementsOf(machine, elements));
  return methods;
}

export { ofMethods as collectionFactories };

const LIST = ['Ljava/util/List;', 'Ljava/util/RandomAccess;', 'Ljava/lang/Cloneable;', 'Ljava/io/Serializable;'];

export const listModels: Record<string, ModelClass> = {
  'Ljava/util/List;': {
    isInterface: true,
    implements: ['Ljava/util/Collection;'],
    abstractMethods: Object.keys(listMethods).filter(
      (name) => !/^(removeRange|sort|replaceAll|equals|hashCode)/.test(name),
    ),
    methods: {
      'sort(Ljava/util/Comparator;)V': sort,
      'replaceAll(Ljava/util/function/UnaryOperator;)V':
        listMethods['replaceAll(Ljava/util/function/UnaryOperator;)V']!,
    },
    staticMethods: ofMethods('Ljava/util/List;', constant),
  },
  'Ljava/util/AbstractList;': {
    isAbstract: true,
    extends: 'Ljava/util/AbstractCollection;',
    implements: ['Ljava/util/List;'],
    methods: {
      '<init>()V': () => undefined,
      ...listMethods,
      'add(Ljava/lang/Object;)Z': (machine, self, element: Reference) => listOf(self).add(machine, element),
      'iterator()Ljava/util/Iterator;': (machine, self) => iteratorOn(machine, listOf(self).cursor(machine)),
    },
    fields: ['modCount:I'],
  },
  'Ljava/util/AbstractSequentialList;': {
    isAbstract: true,
    extends: 'Ljava/util/AbstractList;',
    methods: { '<init>()V': () => undefined },
  },
  'Ljava/util/AbstractList$SubList;': { extends: 'Ljava/util/AbstractList;' },
  'Ljava/util/ImmutableCollections$ListN;': { extends: 'Ljava/util/AbstractList;' },
  'Ljava/util/Arrays$ArrayList;': { extends: 'Ljava/util/AbstractList;', implements: ['Ljava/util/RandomAccess;'] },
  'Ljava/util/ArrayList;': { extends: 'Ljava/util/AbstractList;', implements: LIST, methods: constructors() },
  'Ljava/util/LinkedList;': {
    extends: 'Ljava/util/AbstractSequentialList;',
    implements: ['Ljava/util/List;', 'Ljava/util/Deque;', 'Ljava/lang/Cloneable;', 'Ljava/io/Serializable;'],
    methods: { ...dequeMethods, ...constructors() },
  },
  'Ljava/util/Vector;': {
    extends: 'Ljava/util/AbstractList;',
    implements: LIST,
    methods: { ...constructors(), ...vectorMethods },
  },
  'Ljava/util/Stack;': { extends: 'Ljava/util/Vector;', methods: stackMethods },
  'Ljava/util/concurrent/CopyOnWriteArrayList;': {
    extends: 'Ljava/util/AbstractList;',
    implements: LIST,
    methods: {
      ...constructors(true),
      'addIfAbsent(Ljava/lang/Object;)Z': (machine, self, element: Reference) => {
        const list = listOf(self);
        return flag(!list.contains(machine, element) && list.add(machine, element));
      },
      'addAllAbsent(Ljava/util/Collection;)I': (machine, self, other: Reference) => {
        const list = listOf(self);
        let added = 0;
        for (const element of elementsOf(machine, other)) {
          if (!list.contains(machine, element) && list.add(machine, element)) added++;
        }
        return added;
      },
    },
  },
};
