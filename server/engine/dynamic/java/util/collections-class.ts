// java.util.Collections, Objects, Optional and Comparator. Knows collections by their state.
import type { HeapObject, JavaArray, JavaString } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods, StaticMethods } from '../../machine/model.ts';
import { flag, illegalArgument, instance, outOfBounds, type Reference, referencesOf, required } from '../values.ts';
import { noSuchElement } from './collection-state.ts';
import { elementsOf, iteratorOn, newList } from './iteration.ts';
import { ConstantList, ListState, listOf, ReadOnlyCollection, ReadOnlyList } from './list-state.ts';
import { constantMap, readOnlyMap } from './map-models.ts';
import { nextBelow, type RandomState, seededRandom } from './random.ts';
import { constantSet, readOnlySet } from './set-models.ts';
import { naturalOrder, type Order, orderOf, sortReferences } from './sorted-state.ts';

const IMMUTABLE = 'Ljava/util/ImmutableCollections$ListN;';

function replace(machine: Machine, list: HeapObject, elements: readonly Reference[]): undefined {
  const state = listOf(required(machine, list));
  if (state instanceof ListState) {
    state.items = elements.slice();
    state.modifications++;
  } else for (const [index, element] of elements.entries()) state.set(machine, index, element);
}

function extreme(machine: Machine, collection: Reference, order: Order, sign: number): Reference {
  const elements = elementsOf(machine, collection);
  if (elements.length === 0) throw noSuchElement(machine);
  return elements.reduce((best, element) => (order(machine, element, best) * sign > 0 ? element : best));
}

/** `Collections.binarySearch` and `Arrays.binarySearch` over any order. */
export function binarySearch(length: number, compareTo: (index: number) => number): number {
  let low = 0;
  let high = length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const comparison = compareTo(middle);
    if (comparison === 0) return middle;
    if (comparison > 0) low = middle + 1;
    else high = middle - 1;
  }
  return -(low + 1);
}

function search(machine: Machine, list: Reference, key: Reference, order: Order): number {
  const elements = elementsOf(machine, list);
  return binarySearch(elements.length, (index) => order(machine, key, elements[index]!));
}

function shuffle(machine: Machine, list: HeapObject, random: RandomState): undefined {
  const elements = elementsOf(machine, list);
  for (let size = elements.length; size > 1; size--) {
    const other = nextBelow(random, size);
    [elements[size - 1], elements[other]] = [elements[other]!, elements[size - 1]!];
  }
  replace(machine, list, elements);
}

/** A Comparator that is implemented by a TypeScript function. */
function comparator(machine: Machine, order: Order): HeapObject {
  return instance(machine, 'Ljava/util/ModelComparator;', order);
}

const reversed =
  (order: Order): Order =>
  (machine, a, b) =>
    order(machine, b, a);

const same = (_machine: Machine, collection: HeapObject): HeapObject => collection;

const wrappers: NativeMethods = {
  'unmodifiableList(Ljava/util/List;)Ljava/util/List;': (machine, list: HeapObject) =>
    instance(machine, IMMUTABLE, new ReadOnlyList(required(machine, list))),
  'unmodifiableCollection(Ljava/util/Collection;)Ljava/util/Collection;': (machine, inner: HeapObject) =>
    instance(machine, 'Ljava/util/HashMap$Values;', new ReadOnlyCollection(required(machine, inner))),
  'unmodifiableSet(Ljava/util/Set;)Ljava/util/Set;': (machine, set: HeapObject) =>
    readOnlySet(machine, required(machine, set)),
  'unmodifiableSortedSet(Ljava/util/SortedSet;)Ljava/util/SortedSet;': same,
  'unmodifiableMap(Ljava/util/Map;)Ljava/util/Map;': (machine, map: HeapObject) =>
    readOnlyMap(machine, required(machine, map)),
  'unmodifiableSortedMap(Ljava/util/SortedMap;)Ljava/util/SortedMap;': same,
  // Only one interpreted thread runs at a time: every collection is synchronized already.
  'synchronizedList(Ljava/util/List;)Ljava/util/List;': same,
  'synchronizedCollection(Ljava/util/Collection;)Ljava/util/Collection;': same,
  'synchronizedSet(Ljava/util/Set;)Ljava/util/Set;': same,
  'synchronizedSortedSet(Ljava/util/SortedSet;)Ljava/util/SortedSet;': same,
  'synchronizedMap(Ljava/util/Map;)Ljava/util/Map;': same,
  'synchronizedSortedMap(Ljava/util/SortedMap;)Ljava/util/SortedMap;': same,
  'checkedList(Ljava/util/List;Ljava/lang/Class;)Ljava/util/List;': same,
  'checkedMap(Ljava/util/Map;Ljava/lang/Class;Ljava/lang/Class;)Ljava/util/Map;': same,
  'checkedSet(Ljava/util/Set;Ljava/lang/Class;)Ljava/util/Set;': same,
};

const makers: StaticMethods = {
  'emptyList()Ljava/util/List;': (machine) => instance(machine, IMMUTABLE, new ConstantList([])),
  'emptySet()Ljava/util/Set;': (machine) => constantSet(machine, []),
  'emptyMap()Ljava/util/Map;': (machine) => constantMap(machine, []),
  'emptyIterator()Ljava/util/Iterator;': (machine) => iteratorOn(machine, new ConstantList([]).cursor(machine)),
  'emptyEnumeration()Ljava/util/Enumeration;': (machine) => iteratorOn(machine, new ConstantList([]).cursor(machine)),
  'singletonList(Ljava/lang/Object;)Ljava/util/List;': (machine, element: Reference) =>
    instance(machine, IMMUTABLE, new ConstantList([element])),
  'singleton(Ljava/lang/Object;)Ljava/util/Set;': (machine, element: Reference) => constantSet(machine, [element]),
  'singletonMap(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/Map;': (machine, key: Reference, value: Reference) => {
    const map = machine.construct('Ljava/util/HashMap;', '<init>()V');
    machine.call(map, 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;', key, value);
    return readOnlyMap(machine, map);
  },
  'nCopies(ILjava/lang/Object;)Ljava/util/List;': (machine, count: number, element: Reference) => {
    if (count < 0) throw illegalArgument(machine, `List length = ${count}`);
    machine.charge(count * 8);
    return instance(machine, IMMUTABLE, new ConstantList(new Array<Reference>(count).fill(element)));
  },
  'newSetFromMap(Ljava/util/Map;)Ljava/util/Set;': (machine) => machine.construct('Ljava/util/HashSet;', '<init>()V'),
  'list(!Ljava/util/Enumeration;)Ljava/util/ArrayList;': (machine, enumeration: HeapObject) => {
    const all: Reference[] = [];
    while (machine.call(enumeration, 'hasMoreElements()Z') !== 0) {
      all.push(machine.call(enumeration, 'nextElement()Ljava/lang/Object;') as Reference);
    }
    return newList(machine, all);
  },
  'enumeration(Ljava/util/Collection;)Ljava/util/Enumeration;': (machine, collection: Reference) =>
    iteratorOn(machine, new ConstantList(elementsOf(machine, collection)).cursor(machine)),
  'reverseOrder()Ljava/util/Comparator;': (machine) => comparator(machine, reversed(naturalOrder)),
  'reverseOrder(Ljava/util/Comparator;)Ljava/util/Comparator;': (machine, order: Reference) =>
    comparator(machine, reversed(orderOf(order))),
};

const algorithms: NativeMethods = {
  'sort(!Ljava/util/List;)V': (machine, list: HeapObject) =>
    machine.call(required(machine, list), 'sort(Ljava/util/Comparator;)V', null),
  'sort(Ljava/util/List;Ljava/util/Comparator;)V': (machine, list: HeapObject, order: Reference) =>
    machine.call(required(machine, list), 'sort(Ljava/util/Comparator;)V', order),
  'reverse(!Ljava/util/List;)V': (machine, list: HeapObject) =>
    replace(machine, list, elementsOf(machine, list).reverse()),
  'shuffle(Ljava/util/List;)V': (machine, list: HeapObject) => shuffle(machine, list, seededRandom(42n)),
  'shuffle(Ljava/util/List;!Ljava/util/Random;)V': (machine, list: HeapObject, random: HeapObject) =>
    shuffle(machine, list, random.native as RandomState),
  'swap(!Ljava/util/List;II)V': (machine, list: HeapObject, a: number, b: number) => {
    const elements = elementsOf(machine, list);
    if (a < 0 || b < 0 || a >= elements.length || b >= elements.length) throw outOfBounds(machine, `Index: ${a}`);
    [elements[a], elements[b]] = [elements[b]!, elements[a]!];
    replace(machine, list, elements);
  },
  'rotate(!Ljava/util/List;I)V': (machine, list: HeapObject, distance: number) => {
    const elements = elementsOf(machine, list);
    const size = elements.length;
    if (size === 0) return;
    const shift = ((distance % size) + size) % size;
    replace(machine, list, [...elements.slice(size - shift), ...elements.slice(0, size - shift)]);
  },
  'fill(!Ljava/util/List;Ljava/lang/Object;)V': (machine, list: HeapObject, element: Reference) =>
    replace(
      machine,
      list,
      elementsOf(machine, list).map(() => element),
    ),
  'copy(!Ljava/util/List;Ljava/util/List;)V': (machine, target: HeapObject, source: Reference) => {
    const elements = elementsOf(machine, source);
    const state = listOf(target);
    if (elements.length > state.size(machine)) throw outOfBounds(machine, 'Source does not fit in dest');
    for (const [index, element] of elements.entries()) state.set(machine, index, element);
  },
  'addAll(!Ljava/util/Collection;[Ljava/lang/Object;)Z': (machine, collection: HeapObject, elements: JavaArray) => {
    let isChanged = 0;
    for (const element of referencesOf(required(machine, elements))) {
      if (machine.call(collection, 'add(Ljava/lang/Object;)Z', element) !== 0) isChanged = 1;
    }
    return isChanged;
  },
  'frequency(Ljava/util/Collection;Ljava/lang/Object;)I': (machine, collection: Reference, element: Reference) =>
    elementsOf(machine, collection).filter((own) => machine.equals(element, own)).length,
  'disjoint(Ljava/util/Collection;Ljava/util/Collection;)Z': (machine, a: Reference, b: Reference) => {
    const theirs = elementsOf(machine, b);
    return flag(!elementsOf(machine, a).some((own) => theirs.some((other) => machine.equals(own, other))));
  },
  'max(Ljava/util/Collection;)Ljava/lang/Object;': (machine, c: Reference) => extreme(machine, c, naturalOrder, 1),
  'min(Ljava/util/Collection;)Ljava/lang/Object;': (machine, c: Reference) => extreme(machine, c, naturalOrder, -1),
  'max(Ljava/util/Collection;Ljava/util/Comparator;)Ljava/lang/Object;': (machine, c: Reference, order: Reference) =>
    extreme(machine, c, orderOf(order), 1),
  'min(Ljava/util/Collection;Ljava/util/Comparator;)Ljava/lang/Object;': (machine, c: Reference, order: Reference) =>
    extreme(machine, c, orderOf(order), -1),
  'binarySearch(Ljava/util/List;Ljava/lang/Object;)I': (machine, list: Reference, key: Reference) =>
    search(machine, list, key, naturalOrder),
  'binarySearch(Ljava/util/List;Ljava/lang/Object;Ljava/util/Comparator;)I': (machine, list, key, order) =>
    search(machine, list, key, orderOf(order)),
};

const FUNCTION = 'apply(Ljava/lang/Object;)Ljava/lang/Object;';

const byKey =
  (key: HeapObject, order: Order): Order =>
  (machine, a, b) =>
    order(machine, machine.call(key, FUNCTION, a) as Reference, machine.call(key, FUNCTION, b) as Reference);

const byNumber =
  (key: HeapObject, signature: string): Order =>
  (machine, a, b) => {
    const left = machine.call(key, signature, a) as number;
    const right = machine.call(key, signature, b) as number;
    return left < right ? -1 : left > right ? 1 : 0;
  };

const then =
  (first: Order, second: Order): Order =>
  (machine, a, b) =>
    first(machine, a, b) || second(machine, a, b);

const C = 'Ljava/util/Comparator;';

const comparatorModel: ModelClass = {
  isInterface: true,
  abstractMethods: ['compare(Ljava/lang/Object;Ljava/lang/Object;)I'],
  methods: {
    [`reversed()${C}`]: (machine, self) => comparator(machine, reversed(orderOf(self))),
    [`thenComparing(${C})${C}`]: (machine, self, other: HeapObject) =>
      comparator(machine, then(orderOf(self), orderOf(other))),
    [`thenComparing(Ljava/util/function/Function;)${C}`]: (machine, self, key: HeapObject) =>
      comparator(machine, then(orderOf(self), byKey(key, naturalOrder))),
    [`thenComparingInt(Ljava/util/function/ToIntFunction;)${C}`]: (machine, self, key: HeapObject) =>
      comparator(machine, then(orderOf(self), byNumber(key, 'applyAsInt(Ljava/lang/Object;)I'))),
  },
  staticMethods: {
    [`naturalOrder()${C}`]: (machine) => comparator(machine, naturalOrder),
    [`reverseOrder()${C}`]: (machine) => comparator(machine, reversed(naturalOrder)),
    [`comparing(Ljava/util/function/Function;)${C}`]: (machine, key: HeapObject) =>
      comparator(machine, byKey(key, naturalOrder)),
    [`comparing(Ljava/util/function/Function;${C})${C}`]: (machine, key: HeapObject, order: HeapObject) =>
      comparator(machine, byKey(key, orderOf(order))),
    [`comparingInt(Ljava/util/function/ToIntFunction;)${C}`]: (machine, key: HeapObject) =>
      comparator(machine, byNumber(key, 'applyAsInt(Ljava/lang/Object;)I')),
    [`comparingLong(Ljava/util/function/ToLongFunction;)${C}`]: (machine, key: HeapObject) =>
      comparator(machine, byNumber(key, 'applyAsLong(Ljava/lang/Object;)J')),
    [`comparingDouble(Ljava/util/function/ToDoubleFunction;)${C}`]: (machine, key: HeapObject) =>
      comparator(machine, byNumber(key, 'applyAsDouble(Ljava/lang/Object;)D')),
    [`nullsFirst(${C})${C}`]: (machine, order: Reference) => comparator(machine, nulls(orderOf(order), -1)),
    [`nullsLast(${C})${C}`]: (machine, order: Reference) => comparator(machine, nulls(orderOf(order), 1)),
  },
};

const nulls =
  (order: Order, sign: number): Order =>
  (machine, a, b) =>
    a === null ? (b === null ? 0 : sign) : b === null ? -sign : order(machine, a, b);

const message = (machine: Machine, text: Reference): string => machine.toText(text).text;

const objects: StaticMethods = {
  'equals(Ljava/lang/Object;Ljava/lang/Object;)Z': (machine, a: Reference, b: Reference) => machine.equals(a, b),
  'deepEquals(Ljava/lang/Object;Ljava/lang/Object;)Z': (machine, a: Reference, b: Reference) => machine.equals(a, b),
  'hashCode(Ljava/lang/Object;)I': (machine, value: Reference) => machine.hashCode(value),
  'hash([Ljava/lang/Object;)I': (machine, values: JavaArray | null) => {
    if (values === null) return 0;
    let hash = 1;
    for (const value of referencesOf(values)) hash = (Math.imul(31, hash) + machine.hashCode(value)) | 0;
    return hash;
  },
  'toString(Ljava/lang/Object;)Ljava/lang/String;': (machine, value: Reference) => machine.toText(value),
  'toString(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/String;': (
    machine,
    value: Reference,
    otherwise: JavaString,
  ) => (value === null ? otherwise : machine.toText(value)),
  'compare(Ljava/lang/Object;Ljava/lang/Object;Ljava/util/Comparator;)I': (machine, a: Reference, b: Reference, c) =>
    a === b ? 0 : orderOf(c)(machine, a, b),
  'isNull(Ljava/lang/Object;)Z': (_machine, value: Reference) => value === null,
  'nonNull(Ljava/lang/Object;)Z': (_machine, value: Reference) => value !== null,
  'requireNonNull(Ljava/lang/Object;)Ljava/lang/Object;': (machine, value: HeapObject | null) =>
    required(machine, value),
  'requireNonNull(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/Object;': (machine, value: HeapObject | null, text) =>
    required(machine, value, message(machine, text)),
  'requireNonNull(Ljava/lang/Object;Ljava/util/function/Supplier;)Ljava/lang/Object;': (
    machine,
    value: HeapObject | null,
    supplier: HeapObject,
  ) =>
    required(
      machine,
      value,
      value === null ? message(machine, machine.call(supplier, 'get()Ljava/lang/Object;') as Reference) : undefined,
    ),
  'requireNonNullElse(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;': (_machine, value, otherwise) =>
    value ?? otherwise,
  'checkIndex(II)I': (machine, index: number, length: number) => {
    if (index < 0 || index >= length) throw outOfBounds(machine, `Index ${index} out of bounds for length ${length}`);
    return index;
  },
};

const O = 'Ljava/util/Optional;';
const value = (self: HeapObject): Reference => self.native as Reference;
const optional = (machine: Machine, content: Reference): HeapObject => instance(machine, O, content);

const optionalMethods: NativeMethods = {
  'isPresent()Z': (_machine, self) => value(self) !== null,
  'isEmpty()Z': (_machine, self) => value(self) === null,
  'get()Ljava/lang/Object;': present,
  'orElseThrow()Ljava/lang/Object;': present,
  'orElse(Ljava/lang/Object;)Ljava/lang/Object;': (_machine, self, otherwise: Reference) => value(self) ?? otherwise,
  'orElseGet(!Ljava/util/function/Supplier;)Ljava/lang/Object;': (machine, self, supplier: HeapObject) =>
    value(self) ?? machine.call(supplier, 'get()Ljava/lang/Object;'),
  'orElseThrow(Ljava/util/function/Supplier;)Ljava/lang/Object;': (machine, self, supplier: HeapObject) => {
    if (value(self) !== null) return value(self);
    const thrown = machine.exception('Ljava/util/NoSuchElementException;');
    (thrown as { throwable: HeapObject }).throwable = machine.call(supplier, 'get()Ljava/lang/Object;') as HeapObject;
    throw thrown;
  },
  'ifPresent(!Ljava/util/function/Consumer;)V': (machine, self, consumer: HeapObject) => {
    if (value(self) !== null) machine.call(consumer, 'accept(Ljava/lang/Object;)V', value(self));
  },
  [`map(!Ljava/util/function/Function;)${O}`]: (machine, self, map: HeapObject) =>
    optional(machine, value(self) === null ? null : (machine.call(map, FUNCTION, value(self)) as Reference)),
  [`flatMap(!Ljava/util/function/Function;)${O}`]: (machine, self, map: HeapObject) =>
    value(self) === null ? self : machine.call(map, FUNCTION, value(self)),
  [`filter(!Ljava/util/function/Predicate;)${O}`]: (machine, self, test: HeapObject) =>
    value(self) === null || machine.call(test, 'test(Ljava/lang/Object;)Z', value(self)) !== 0
      ? self
      : optional(machine, null),
  'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
    other?.cls === self.cls && machine.equals(value(self), value(other)),
  'hashCode()I': (machine, self) => machine.hashCode(value(self)),
  'toString()Ljava/lang/String;': (machine, self) => {
    if (value(self) === null) return machine.string('Optional.empty');
    const text = machine.toText(value(self));
    return machine.string(`Optional[${text.text}]`, text.taint);
  },
};

function present(machine: Machine, self: HeapObject): Reference {
  if (value(self) === null) throw noSuchElement(machine, 'No value present');
  return value(self);
}

/** OptionalInt and its like: a box or null. */
function primitiveOptional(name: string, type: string): ModelClass {
  const own = `Ljava/util/Optional${name};`;
  const content = (machine: Machine, self: HeapObject) => machine.unbox(present(machine, self) as HeapObject);
  return {
    methods: {
      'isPresent()Z': (_machine, self) => value(self) !== null,
      [`getAs${name}()${type}`]: content,
      [`orElseThrow()${type}`]: content,
      [`orElse(${type})${type}`]: (machine, self, otherwise: number) =>
        value(self) === null ? otherwise : content(machine, self),
      'toString()Ljava/lang/String;': (machine, self) =>
        machine.string(
          value(self) === null ? `Optional${name}.empty` : `Optional${name}[${machine.toText(value(self)).text}]`,
        ),
    },
    staticMethods: {
      [`of(${type})${own}`]: (machine, number: number) => instance(machine, own, machine.box(type, number)),
      [`empty()${own}`]: (machine) => instance(machine, own, null),
    },
  };
}

export const collectionsModels: Record<string, ModelClass> = {
  'Ljava/util/Collections;': {
    staticMethods: { ...wrappers, ...makers, ...algorithms },
    constants: {
      'EMPTY_LIST:Ljava/util/List;': (machine) => instance(machine, IMMUTABLE, new ConstantList([])),
      'EMPTY_SET:Ljava/util/Set;': (machine) => constantSet(machine, []),
      'EMPTY_MAP:Ljava/util/Map;': (machine) => constantMap(machine, []),
    },
  },
  [C]: comparatorModel,
  'Ljava/util/ModelComparator;': {
    implements: [C],
    methods: {
      'compare(Ljava/lang/Object;Ljava/lang/Object;)I': (machine, self, a: Reference, b: Reference) =>
        (self.native as Order)(machine, a, b),
    },
  },
  'Ljava/util/Objects;': { staticMethods: objects },
  [O]: {
    methods: optionalMethods,
    staticMethods: {
      [`of(Ljava/lang/Object;)${O}`]: (machine, content: HeapObject | null) =>
        optional(machine, required(machine, content)),
      [`ofNullable(Ljava/lang/Object;)${O}`]: optional,
      [`empty()${O}`]: (machine) => optional(machine, null),
    },
  },
  'Ljava/util/OptionalInt;': primitiveOptional('Int', 'I'),
  'Ljava/util/OptionalLong;': primitiveOptional('Long', 'J'),
  'Ljava/util/OptionalDouble;': primitiveOptional('Double', 'D'),
};

/** Sorts an array's references from an index to another, in place. */
export function sortRange(machine: Machine, array: JavaArray, from: number, to: number, order: Order): void {
  const elements = referencesOf(array);
  const part = elements.slice(from, to);
  sortReferences(machine, part, order);
  for (const [index, element] of part.entries()) elements[from + index] = element;
}
