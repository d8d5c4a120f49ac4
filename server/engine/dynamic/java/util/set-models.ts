// Set's implementations, all on a map's keys: HashSet, LinkedHashSet, TreeSet, EnumSet, concurrent ones. Knows no maps' methods.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { enumClass, enumConstants, enumOrdinal } from '../lang/enum.ts';
import { illegalArgument, instance, type Reference, referencesOf, required } from '../values.ts';
import { collectionModels } from './collection-models.ts';
import { KeySet } from './collection-state.ts';
import { type HashSettings, HashTable } from './hash-table.ts';
import { elementsOf } from './iteration.ts';
import { collectionFactories } from './list-models.ts';
import { ReadOnlyCollection } from './list-state.ts';
import { ordinalOrder } from './map-models.ts';
import { navigableSetMethods } from './navigable-methods.ts';
import { type SortedView, sortedMap } from './sorted-state.ts';

function fill(machine: Machine, set: KeySet, elements: readonly Reference[]): void {
  for (const element of elements) set.add(machine, element);
}

function hashConstructors(settings: HashSettings): NativeMethods {
  const begin = (self: HeapObject, more: HashSettings = {}): KeySet => {
    const set = new KeySet(new HashTable({ ...settings, ...more }), true);
    self.native = set;
    return set;
  };
  return {
    '<init>()V': (_machine, self) => {
      begin(self);
    },
    '<init>(I)V': (machine, self, capacity: number) => {
      if (capacity < 0) throw illegalArgument(machine, `Illegal initial capacity: ${capacity}`);
      begin(self, { capacity });
    },
    '<init>(IF)V': (_machine, self, capacity: number) => {
      begin(self, { capacity });
    },
    '<init>(Ljava/util/Collection;)V': (machine, self, other: Reference) => {
      const elements = elementsOf(machine, other);
      fill(machine, begin(self, { capacity: Math.max(Math.floor(elements.length / 0.75) + 1, 16) }), elements);
    },
    'clone()Ljava/lang/Object;': (machine, self) => {
      const copy = machine.allocate(self.cls.descriptor);
      fill(machine, begin(copy), elementsOf(machine, self));
      return copy;
    },
  };
}

function sortedConstructors(isConcurrent: boolean): NativeMethods {
  const begin = (self: HeapObject, comparator: HeapObject | null): KeySet => {
    const set = new KeySet(sortedMap(comparator, isConcurrent), true);
    self.native = set;
    return set;
  };
  return {
    '<init>()V': (_machine, self) => {
      begin(self, null);
    },
    '<init>(Ljava/util/Comparator;)V': (_machine, self, comparator: HeapObject | null) => {
      begin(self, comparator);
    },
    '<init>(Ljava/util/Collection;)V': (machine, self, other: Reference) =>
      fill(machine, begin(self, null), elementsOf(machine, other)),
    '<init>(!Ljava/util/SortedSet;)V': (machine, self, other: HeapObject) => {
      const comparator = machine.call(required(machine, other), 'comparator()Ljava/util/Comparator;') as Reference;
      fill(machine, begin(self, comparator), elementsOf(machine, other));
    },
    'clone()Ljava/lang/Object;': (machine, self) => {
      const copy = machine.allocate(self.cls.descriptor);
      fill(machine, begin(copy, ((self.native as KeySet).map as SortedView).comparator), elementsOf(machine, self));
      return copy;
    },
  };
}

/** The state of an EnumSet; `universe` is the enum's class object. */
class EnumKeys extends KeySet {
  readonly enumType: HeapObject;

  constructor(enumType: HeapObject) {
    super(sortedMap(null, false, ordinalOrder), true);
    this.enumType = enumType;
  }
}

function enumSet(machine: Machine, enumType: HeapObject, elements: readonly Reference[]): HeapObject {
  const keys = new EnumKeys(enumType);
  fill(machine, keys, elements);
  return instance(machine, 'Ljava/util/EnumSet;', keys);
}

function typeOf(machine: Machine, constant: HeapObject): HeapObject {
  return machine.classObject(enumClass(required(machine, constant).cls));
}

function allOf(machine: Machine, enumType: HeapObject): HeapObject[] {
  return enumConstants(machine, machine.classFrom(required(machine, enumType)));
}

const ELEMENT = 'Ljava/lang/Enum;';
const ENUM_SET = 'Ljava/util/EnumSet;';

function enumFactories(): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  for (let count = 1; count <= 5; count++) {
    methods[`of(${ELEMENT.repeat(count)})${ENUM_SET}`] = (machine, ...constants: HeapObject[]) =>
      enumSet(machine, typeOf(machine, constants[0]!), constants);
  }
  return methods;
}

const enumStatics: NativeMethods = {
  ...enumFactories(),
  [`of(${ELEMENT}![${ELEMENT})${ENUM_SET}`]: (machine, first: HeapObject, rest: JavaArray) =>
    enumSet(machine, typeOf(machine, first), [first, ...referencesOf(rest)]),
  [`noneOf(Ljava/lang/Class;)${ENUM_SET}`]: (machine, type: HeapObject) =>
    enumSet(machine, required(machine, type), []),
  [`allOf(!Ljava/lang/Class;)${ENUM_SET}`]: (machine, type: HeapObject) => enumSet(machine, type, allOf(machine, type)),
  [`range(${ELEMENT}!${ELEMENT})${ENUM_SET}`]: (machine, from: HeapObject, to: HeapObject) => {
    const type = typeOf(machine, from);
    return enumSet(machine, type, allOf(machine, type).slice(enumOrdinal(from), enumOrdinal(to) + 1));
  },
  [`complementOf(!${ENUM_SET})${ENUM_SET}`]: (machine, set: HeapObject) => {
    const keys = set.native as EnumKeys;
    const rest = allOf(machine, keys.enumType).filter((constant) => !keys.contains(machine, constant));
    return enumSet(machine, keys.enumType, rest);
  },
  [`copyOf(!${ENUM_SET})${ENUM_SET}`]: (machine, set: HeapObject) =>
    enumSet(machine, (set.native as EnumKeys).enumType, elementsOf(machine, set)),
  [`copyOf(!Ljava/util/Collection;)${ENUM_SET}`]: (machine, other: HeapObject) => {
    const elements = elementsOf(machine, other);
    if (other.native instanceof EnumKeys) return enumSet(machine, other.native.enumType, elements);
    if (elements.length === 0) throw illegalArgument(machine, 'Collection is empty');
    return enumSet(machine, typeOf(machine, elements[0]!), elements);
  },
};

/** A set that cannot be changed: `Set.of`, `Collections.emptySet`. */
export function constantSet(machine: Machine, elements: readonly Reference[]): HeapObject {
  const set = machine.construct('Ljava/util/LinkedHashSet;', '<init>()V');
  fill(machine, set.native as KeySet, elements);
  return readOnlySet(machine, set);
}

export function readOnlySet(machine: Machine, set: HeapObject): HeapObject {
  return instance(machine, 'Ljava/util/Collections$UnmodifiableSet;', new ReadOnlyCollection(set));
}

const SET = ['Ljava/util/Set;', 'Ljava/lang/Cloneable;', 'Ljava/io/Serializable;'];

export const setModels: Record<string, ModelClass> = {
  'Ljava/util/Set;': {
    ...collectionModels['Ljava/util/Set;'],
    staticMethods: collectionFactories('Ljava/util/Set;', constantSet),
  },
  'Ljava/util/Collections$UnmodifiableSet;': { extends: 'Ljava/util/AbstractSet;' },
  'Ljava/util/HashSet;': { extends: 'Ljava/util/AbstractSet;', implements: SET, methods: hashConstructors({}) },
  'Ljava/util/LinkedHashSet;': { extends: 'Ljava/util/HashSet;', methods: hashConstructors({ order: 'inserted' }) },
  'Ljava/util/SortedSet;': { isInterface: true, implements: ['Ljava/util/Set;'] },
  'Ljava/util/NavigableSet;': { isInterface: true, implements: ['Ljava/util/SortedSet;'] },
  'Ljava/util/TreeSet;': {
    extends: 'Ljava/util/AbstractSet;',
    implements: ['Ljava/util/NavigableSet;', ...SET],
    methods: { ...navigableSetMethods, ...sortedConstructors(false) },
  },
  'Ljava/util/concurrent/ConcurrentSkipListSet;': {
    extends: 'Ljava/util/AbstractSet;',
    implements: ['Ljava/util/NavigableSet;'],
    methods: { ...navigableSetMethods, ...sortedConstructors(true) },
  },
  'Ljava/util/concurrent/CopyOnWriteArraySet;': {
    extends: 'Ljava/util/AbstractSet;',
    methods: hashConstructors({ order: 'inserted', isConcurrent: true }),
  },
  [ENUM_SET]: {
    extends: 'Ljava/util/AbstractSet;',
    implements: SET,
    methods: {
      'clone()Ljava/util/EnumSet;': (machine, self) =>
        enumSet(machine, (self.native as EnumKeys).enumType, elementsOf(machine, self)),
      'clone()Ljava/lang/Object;': (machine, self) =>
        enumSet(machine, (self.native as EnumKeys).enumType, elementsOf(machine, self)),
    },
    staticMethods: enumStatics,
  },
};
