// Map and its implementations by hash, by order and by enum. Knows their tables only as state.
import type { HeapObject, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { reportSought } from '../hooks.ts';
import { enumOrdinal } from '../lang/enum.ts';
import { flag, instance, made, nullPointer, type Reference, required, unsupported } from '../values.ts';
import {
  type Entry,
  type EntryCursor,
  EntrySet,
  entryObject,
  KeySet,
  MapState,
  ValueCollection,
} from './collection-state.ts';
import { type HashSettings, HashTable } from './hash-table.ts';
import { entriesOf } from './iteration.ts';
import { navigableMethods } from './navigable-methods.ts';
import { sortedMap } from './sorted-state.ts';

/** The map an app's own subclass of AbstractMap is, or any map behind a view. */
class CalledMap extends MapState {
  readonly self: HeapObject;
  readonly isReadOnly: boolean;

  constructor(self: HeapObject, isReadOnly: boolean) {
    super();
    this.self = self;
    this.isReadOnly = isReadOnly;
  }

  override contents(): Iterable<unknown> {
    return [this.self];
  }

  override size(machine: Machine): number {
    if (this.isReadOnly) return machine.call(this.self, 'size()I') as number;
    const set = machine.call(this.self, 'entrySet()Ljava/util/Set;') as HeapObject;
    return machine.call(set, 'size()I') as number;
  }

  override find(machine: Machine, key: Reference): Entry | null {
    if (this.isReadOnly) {
      if (machine.call(this.self, 'containsKey(Ljava/lang/Object;)Z', key) === 0) return null;
      return { key, value: machine.call(this.self, 'get(Ljava/lang/Object;)Ljava/lang/Object;', key) as Reference };
    }
    return this.entries(machine).find((entry) => machine.equals(key, entry.key)) ?? null;
  }

  override put(machine: Machine): Reference | undefined {
    throw unsupported(machine);
  }

  override remove(machine: Machine, key: Reference): Entry | null {
    if (this.isReadOnly) throw unsupported(machine);
    const set = machine.call(this.self, 'entrySet()Ljava/util/Set;') as HeapObject;
    const iterator = machine.call(set, 'iterator()Ljava/util/Iterator;') as HeapObject;
    while (machine.call(iterator, 'hasNext()Z') !== 0) {
      const entry = machine.call(iterator, 'next()Ljava/lang/Object;') as HeapObject;
      const own = machine.call(entry, 'getKey()Ljava/lang/Object;') as Reference;
      if (machine.equals(key, own)) {
        const value = machine.call(entry, 'getValue()Ljava/lang/Object;') as Reference;
        machine.call(iterator, 'remove()V');
        return { key: own, value };
      }
    }
    return null;
  }

  override clear(machine: Machine): void {
    if (this.isReadOnly) throw unsupported(machine);
    machine.call(machine.call(this.self, 'entrySet()Ljava/util/Set;') as HeapObject, 'clear()V');
  }

  override entries(machine: Machine): Entry[] {
    return entriesOf(machine, this.self);
  }

  override cursor(machine: Machine): EntryCursor {
    const entries = this.entries(machine);
    let index = 0;
    return {
      hasNext: () => index < entries.length,
      next: () => {
        const entry = entries[index++];
        if (entry === undefined) throw machine.exception('Ljava/util/NoSuchElementException;');
        return this.isReadOnly ? { key: entry.key, value: entry.value } : entry;
      },
      remove: () => {
        if (this.isReadOnly) throw unsupported(machine);
        this.remove(machine, entries[index - 1]?.key ?? null);
      },
    };
  }
}

function mapOf(self: HeapObject): MapState {
  return self.native instanceof MapState ? self.native : new CalledMap(self, false);
}

/** `Collections.unmodifiableMap`. */
export function readOnlyMap(machine: Machine, inner: HeapObject): HeapObject {
  return instance(machine, 'Ljava/util/Collections$UnmodifiableMap;', new CalledMap(inner, true));
}

/** `Map.of`: entries that cannot be changed, in the order given. */
export function constantMap(machine: Machine, entries: readonly (readonly [Reference, Reference])[]): HeapObject {
  const map = machine.construct('Ljava/util/LinkedHashMap;', '<init>()V');
  for (const [key, value] of entries)
    (map.native as HashTable).put(machine, required(machine, key), required(machine, value));
  return readOnlyMap(machine, map);
}

function keySet(machine: Machine, map: MapState, isSorted = false): HeapObject {
  return instance(machine, isSorted ? 'Ljava/util/TreeSet;' : 'Ljava/util/HashMap$KeySet;', new KeySet(map, false));
}

function put(machine: Machine, self: HeapObject, key: Reference, value: Reference): Reference {
  const map = mapOf(self);
  if (refusesNull.has(self.cls.descriptor) && (key === null || value === null)) throw nullPointer(machine);
  const before = map.put(machine, key, value);
  if (before === undefined && self.cls.isApp && map instanceof HashTable) evict(machine, self, map);
  return before ?? null;
}

/** LinkedHashMap calls `removeEldestEntry` after each insertion, by which apps bound their caches. */
function evict(machine: Machine, self: HeapObject, map: HashTable): void {
  const signature = 'removeEldestEntry(Ljava/util/Map$Entry;)Z';
  const eldest = map.eldest();
  if (eldest === null || machine.resolveMethod(self.cls, signature)?.native !== null) return;
  if (machine.call(self, signature, entryObject(machine, eldest)) !== 0) map.remove(machine, eldest.key);
}

const refusesNull = new Set([
  'Ljava/util/Hashtable;',
  'Ljava/util/Properties;',
  'Ljava/util/concurrent/ConcurrentHashMap;',
  'Ljava/util/concurrent/ConcurrentSkipListMap;',
]);

function* keysOf(machine: Machine, map: MapState): Generator<Reference> {
  const cursor = map.cursor(machine);
  while (cursor.hasNext()) yield cursor.next().key;
}

function get(machine: Machine, self: HeapObject, key: Reference): Reference {
  const map = mapOf(self);
  if (key === null && refusesNull.has(self.cls.descriptor)) throw nullPointer(machine);
  const entry = map.find(machine, key);
  if (entry === null) {
    reportSought(machine, key, () => keysOf(machine, map));
    return null;
  }
  map.touch?.(entry);
  return entry.value;
}

function mapText(machine: Machine, self: HeapObject) {
  let taint: Taint = 0;
  const part = (value: Reference): string => {
    if (value === self) return '(this Map)';
    const text = machine.toText(value);
    taint = machine.union(taint, text.taint);
    return text.text;
  };
  const texts = entriesOf(machine, self).map((entry) => `${part(entry.key)}=${part(entry.value)}`);
  return machine.string(`{${texts.join(', ')}}`, taint);
}

function mapEquals(machine: Machine, self: HeapObject, other: Reference): number {
  if (self === other) return 1;
  if (other === null || !machine.isInstance(other, 'Ljava/util/Map;')) return 0;
  const theirs = entriesOf(machine, other);
  const own = mapOf(self);
  if (theirs.length !== own.size(machine)) return 0;
  return flag(
    theirs.every((entry) => {
      const mine = own.find(machine, entry.key);
      return mine !== null && machine.equals(mine.value, entry.value);
    }),
  );
}

const APPLY = 'apply(Ljava/lang/Object;)Ljava/lang/Object;';
const APPLY_TWO = 'apply(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;';

/** Puts the function's result, or removes the key where it is null. */
function store(machine: Machine, self: HeapObject, key: Reference, value: Reference): Reference {
  if (value === null) machine.call(self, 'remove(Ljava/lang/Object;)Ljava/lang/Object;', key);
  else machine.call(self, 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;', key, value);
  return value;
}

const current = (machine: Machine, self: HeapObject, key: Reference): Reference =>
  machine.call(self, 'get(Ljava/lang/Object;)Ljava/lang/Object;', key) as Reference;

/** Default methods of Map, which work on any map. */
const mapDefaults: NativeMethods = {
  'getOrDefault(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;': (machine, self, key, otherwise: Reference) =>
    current(machine, self, key) ??
    (machine.call(self, 'containsKey(Ljava/lang/Object;)Z', key) !== 0 ? null : otherwise),
  'putIfAbsent(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;': (machine, self, key, value: Reference) => {
    const before = current(machine, self, key);
    if (before === null) store(machine, self, key, value);
    return before;
  },
  'computeIfAbsent(Ljava/lang/Object;Ljava/util/function/Function;)Ljava/lang/Object;': (machine, self, key, make) => {
    const before = current(machine, self, key);
    if (before !== null) return before;
    const made = machine.call(required(machine, make), APPLY, key) as Reference;
    return made === null ? null : store(machine, self, key, made);
  },
  'computeIfPresent(Ljava/lang/Object;!Ljava/util/function/BiFunction;)Ljava/lang/Object;': (
    machine,
    self,
    key: Reference,
    change: HeapObject,
  ) => {
    const before = current(machine, self, key);
    return before === null
      ? null
      : store(machine, self, key, machine.call(change, APPLY_TWO, key, before) as Reference);
  },
  'compute(Ljava/lang/Object;Ljava/util/function/BiFunction;)Ljava/lang/Object;': (machine, self, key, change) =>
    store(machine, self, key, machine.call(change, APPLY_TWO, key, current(machine, self, key)) as Reference),
  'merge(Ljava/lang/Object;Ljava/lang/Object;!Ljava/util/function/BiFunction;)Ljava/lang/Object;': (
    machine,
    self,
    key: Reference,
    value: Reference,
    join: HeapObject,
  ) => {
    const before = current(machine, self, key);
    const merged = before === null ? value : (machine.call(join, APPLY_TWO, before, value) as Reference);
    return store(machine, self, key, merged);
  },
  'remove(Ljava/lang/Object;Ljava/lang/Object;)Z': (machine, self, key: Reference, value: Reference) => {
    const before = current(machine, self, key);
    if (before === null || !machine.equals(before, value)) return 0;
    machine.call(self, 'remove(Ljava/lang/Object;)Ljava/lang/Object;', key);
    return 1;
  },
  'replace(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;': (machine, self, key, value: Reference) => {
    if (machine.call(self, 'containsKey(Ljava/lang/Object;)Z', key) === 0) return null;
    return machine.call(self, 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;', key, value);
  },
  'replace(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)Z': (machine, self, key, before, value) => {
    if (!machine.equals(current(machine, self, key), before)) return 0;
    machine.call(self, 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;', key, value);
    return 1;
  },
  'forEach(!Ljava/util/function/BiConsumer;)V': (machine, self, consumer: HeapObject) => {
    for (const entry of entriesOf(machine, self)) {
      machine.call(consumer, 'accept(Ljava/lang/Object;Ljava/lang/Object;)V', entry.key, entry.value);
    }
  },
  'replaceAll(!Ljava/util/function/BiFunction;)V': (machine, self, change: HeapObject) => {
    for (const entry of entriesOf(machine, self)) {
      entry.value = machine.call(change, APPLY_TWO, entry.key, entry.value) as Reference;
    }
  },
};

const mapMethods: NativeMethods = {
  '<init>()V': () => undefined,
  'size()I': (machine, self) => mapOf(self).size(machine),
  'isEmpty()Z': (machine, self) => mapOf(self).size(machine) === 0,
  'get(Ljava/lang/Object;)Ljava/lang/Object;': get,
  'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;': put,
  'containsKey(Ljava/lang/Object;)Z': (machine, self, key: Reference) => {
    const map = mapOf(self);
    const isThere = map.find(machine, key) !== null;
    if (!isThere) reportSought(machine, key, () => keysOf(machine, map));
    return flag(isThere);
  },
  'containsValue(Ljava/lang/Object;)Z': (machine, self, value: Reference) =>
    entriesOf(machine, self).some((entry) => machine.equals(value, entry.value)),
  'remove(Ljava/lang/Object;)Ljava/lang/Object;': (machine, self, key: Reference) =>
    mapOf(self).remove(machine, key)?.value ?? null,
  'clear()V': (machine, self) => mapOf(self).clear(machine),
  'putAll(Ljava/util/Map;)V': (machine, self, other: Reference) => {
    const entries = entriesOf(machine, other);
    if (self.native instanceof HashTable) self.native.reserve(entries.length);
    for (const entry of entries) {
      machine.call(self, 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;', entry.key, entry.value);
    }
  },
  'keySet()Ljava/util/Set;': (machine, self) => keySet(machine, mapOf(self)),
  'values()Ljava/util/Collection;': (machine, self) =>
    instance(machine, 'Ljava/util/HashMap$Values;', new ValueCollection(mapOf(self))),
  'entrySet()Ljava/util/Set;': (machine, self) =>
    instance(machine, 'Ljava/util/HashMap$KeySet;', new EntrySet(mapOf(self))),
  'equals(Ljava/lang/Object;)Z': mapEquals,
  'hashCode()I': (machine, self) => {
    let hash = 0;
    for (const entry of entriesOf(machine, self)) {
      hash = (hash + (machine.hashCode(entry.key) ^ machine.hashCode(entry.value))) | 0;
    }
    return hash;
  },
  'toString()Ljava/lang/String;': mapText,
  ...mapDefaults,
};

/** Constructors of a map by hash. */
function hashConstructors(settings: HashSettings): NativeMethods {
  const begin = (self: HeapObject, more: HashSettings = {}): HashTable => {
    const table = new HashTable({ ...settings, ...more });
    self.native = table;
    return table;
  };
  const isConcurrent = settings.isConcurrent === true;
  const capacityOf = (capacity: number): number => (isConcurrent ? capacity + (capacity >>> 1) + 1 : capacity);
  const checked = (machine: Machine, capacity: number): number => {
    if (capacity < 0)
      throw machine.exception('Ljava/lang/IllegalArgumentException;', `Illegal initial capacity: ${capacity}`);
    return capacityOf(capacity);
  };
  return {
    '<init>()V': (_machine, self) => {
      begin(self);
    },
    '<init>(I)V': (machine, self, capacity: number) => {
      begin(self, { capacity: checked(machine, capacity) });
    },
    '<init>(IF)V': (machine, self, capacity: number, loadFactor: number) => {
      begin(self, { capacity: checked(machine, capacity), loadFactor: loadFactor > 0 ? loadFactor : 0.75 });
    },
    '<init>(IFI)V': (machine, self, capacity: number) => {
      begin(self, { capacity: checked(machine, capacity) });
    },
    '<init>(IFZ)V': (_machine, self, capacity: number, _factor: number, isAccessed: number) => {
      begin(self, { capacity, order: isAccessed !== 0 ? 'accessed' : 'inserted' });
    },
    '<init>(Ljava/util/Map;)V': (machine, self, other: Reference) => {
      const entries = entriesOf(machine, other);
      const isTable = settings.order === 'hashtable';
      const table = begin(self, isTable ? { capacity: Math.max(2 * entries.length, 11) } : {});
      table.reserve(entries.length);
      for (const entry of entries) table.put(machine, entry.key, entry.value);
    },
    'clone()Ljava/lang/Object;': (machine, self) => {
      const copy = machine.allocate(self.cls.descriptor);
      copy.fields = self.fields.slice();
      copy.fieldTaints = self.fieldTaints?.slice() ?? null;
      const table = begin(copy, { order: (self.native as HashTable).order });
      const entries = mapOf(self).entries(machine);
      table.reserve(entries.length);
      for (const entry of entries) table.put(machine, entry.key, entry.value);
      return copy;
    },
  };
}

function sortedConstructors(isConcurrent: boolean): NativeMethods {
  return {
    '<init>()V': made(() => sortedMap(null, isConcurrent)),
    '<init>(Ljava/util/Comparator;)V': made((_machine, comparator: HeapObject | null) =>
      sortedMap(comparator, isConcurrent),
    ),
    '<init>(Ljava/util/Map;)V': (machine, self, other: Reference) => {
      const map = sortedMap(null, isConcurrent);
      self.native = map;
      for (const entry of entriesOf(machine, other)) map.put(machine, entry.key, entry.value);
    },
    '<init>(!Ljava/util/SortedMap;)V': (machine, self, other: HeapObject) => {
      const comparator = machine.call(required(machine, other), 'comparator()Ljava/util/Comparator;') as Reference;
      const map = sortedMap(comparator, isConcurrent);
      self.native = map;
      for (const entry of entriesOf(machine, other)) map.put(machine, entry.key, entry.value);
    },
    'clone()Ljava/lang/Object;': (machine, self) => {
      const copy = machine.allocate(self.cls.descriptor);
      const map = sortedMap((self.native as ReturnType<typeof sortedMap>).comparator, isConcurrent);
      copy.native = map;
      for (const entry of mapOf(self).entries(machine)) map.put(machine, entry.key, entry.value);
      return copy;
    },
  };
}

/** The order of enum constants. */
export function ordinalOrder(machine: Machine, a: Reference, b: Reference): number {
  if (a === null || b === null) throw nullPointer(machine);
  return enumOrdinal(a) - enumOrdinal(b);
}

const enumMapConstructors: NativeMethods = {
  '<init>(Ljava/lang/Class;)V': made(() => sortedMap(null, false, ordinalOrder)),
  '<init>(Ljava/util/Map;)V': (machine, self, other: Reference) => {
    const map = sortedMap(null, false, ordinalOrder);
    self.native = map;
    for (const entry of entriesOf(machine, other)) map.put(machine, entry.key, entry.value);
  },
  '<init>(Ljava/util/EnumMap;)V': (machine, self, other: Reference) => {
    const map = sortedMap(null, false, ordinalOrder);
    self.native = map;
    for (const entry of entriesOf(machine, other)) map.put(machine, entry.key, entry.value);
  },
};

const entryMethods: NativeMethods = {
  '<init>(Ljava/lang/Object;Ljava/lang/Object;)V': made(
    (_machine, key: Reference, value: Reference) => ({ key, value }) satisfies Entry,
  ),
  '<init>(!Ljava/util/Map$Entry;)V': made(
    (machine, other: HeapObject) =>
      ({
        key: machine.call(other, 'getKey()Ljava/lang/Object;') as Reference,
        value: machine.call(other, 'getValue()Ljava/lang/Object;') as Reference,
      }) satisfies Entry,
  ),
  'getKey()Ljava/lang/Object;': (_machine, self) => (self.native as Entry).key,
  'getValue()Ljava/lang/Object;': (_machine, self) => (self.native as Entry).value,
  'setValue(Ljava/lang/Object;)Ljava/lang/Object;': (_machine, self, value: Reference) => {
    const entry = self.native as Entry;
    const before = entry.value;
    entry.value = value;
    return before;
  },
  'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) => {
    if (other === null || !machine.isInstance(other, 'Ljava/util/Map$Entry;')) return 0;
    const entry = self.native as Entry;
    const key = machine.call(other, 'getKey()Ljava/lang/Object;') as Reference;
    const value = machine.call(other, 'getValue()Ljava/lang/Object;') as Reference;
    return flag(machine.equals(entry.key, key) && machine.equals(entry.value, value));
  },
  'hashCode()I': (machine, self) => {
    const entry = self.native as Entry;
    return machine.hashCode(entry.key) ^ machine.hashCode(entry.value);
  },
  'toString()Ljava/lang/String;': (machine, self) => {
    const entry = self.native as Entry;
    const key = machine.toText(entry.key);
    const value = machine.toText(entry.value);
    return machine.string(`${key.text}=${value.text}`, machine.union(key.taint, value.taint));
  },
};

const hashtableMethods: NativeMethods = {
  'contains(Ljava/lang/Object;)Z': mapMethods['containsValue(Ljava/lang/Object;)Z']!,
  'keys()Ljava/util/Enumeration;': (machine, self) =>
    machine.call(keySet(machine, mapOf(self)), 'iterator()Ljava/util/Iterator;'),
  'elements()Ljava/util/Enumeration;': (machine, self) =>
    machine.call(
      instance(machine, 'Ljava/util/HashMap$Values;', new ValueCollection(mapOf(self))),
      'iterator()Ljava/util/Iterator;',
    ),
};

const CLONEABLE = ['Ljava/util/Map;', 'Ljava/lang/Cloneable;', 'Ljava/io/Serializable;'];

/** Map.of with up to ten pairs. */
function mapFactories(): NativeMethods {
  const methods: Record<string, NativeMethods[string]> = {};
  for (let count = 0; count <= 10; count++) {
    methods[`of(${'Ljava/lang/Object;'.repeat(count * 2)})Ljava/util/Map;`] = (machine, ...parts: Reference[]) => {
      const pairs: [Reference, Reference][] = [];
      for (let index = 0; index < parts.length; index += 2) pairs.push([parts[index]!, parts[index + 1]!]);
      return constantMap(machine, pairs);
    };
  }
  return methods;
}

export const mapModels: Record<string, ModelClass> = {
  'Ljava/util/Map;': {
    isInterface: true,
    abstractMethods: Object.keys(mapMethods).filter((name) => !(name in mapDefaults) && !name.startsWith('<')),
    methods: mapDefaults,
    staticMethods: {
      ...mapFactories(),
      'entry(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/Map$Entry;': (machine, key: Reference, value: Reference) =>
        instance(machine, 'Ljava/util/HashMap$Node;', { key, value } satisfies Entry),
      'copyOf(Ljava/util/Map;)Ljava/util/Map;': (machine, other: Reference) =>
        constantMap(
          machine,
          entriesOf(machine, other).map((entry) => [entry.key, entry.value]),
        ),
    },
  },
  'Ljava/util/Map$Entry;': {
    isInterface: true,
    abstractMethods: [
      'getKey()Ljava/lang/Object;',
      'getValue()Ljava/lang/Object;',
      'setValue(Ljava/lang/Object;)Ljava/lang/Object;',
    ],
    staticMethods: {
      'comparingByKey()Ljava/util/Comparator;': (machine) =>
        instance(machine, 'Ljava/util/ModelComparator;', (m: Machine, a: HeapObject, b: HeapObject) =>
          compareParts(m, a, b, 'getKey()Ljava/lang/Object;'),
        ),
      'comparingByValue()Ljava/util/Comparator;': (machine) =>
        instance(machine, 'Ljava/util/ModelComparator;', (m: Machine, a: HeapObject, b: HeapObject) =>
          compareParts(m, a, b, 'getValue()Ljava/lang/Object;'),
        ),
    },
  },
  'Ljava/util/HashMap$Node;': { implements: ['Ljava/util/Map$Entry;'], methods: entryMethods },
  'Ljava/util/AbstractMap$SimpleEntry;': { implements: ['Ljava/util/Map$Entry;'], methods: entryMethods },
  'Ljava/util/AbstractMap$SimpleImmutableEntry;': {
    implements: ['Ljava/util/Map$Entry;'],
    methods: {
      ...entryMethods,
      'setValue(Ljava/lang/Object;)Ljava/lang/Object;': (machine) => {
        throw unsupported(machine);
      },
    },
  },
  'Ljava/util/HashMap$KeySet;': { extends: 'Ljava/util/AbstractSet;' },
  'Ljava/util/HashMap$Values;': { extends: 'Ljava/util/AbstractCollection;' },
  'Ljava/util/Dictionary;': { isAbstract: true, methods: { '<init>()V': () => undefined } },
  'Ljava/util/AbstractMap;': { isAbstract: true, implements: ['Ljava/util/Map;'], methods: mapMethods },
  'Ljava/util/Collections$UnmodifiableMap;': { extends: 'Ljava/util/AbstractMap;' },
  'Ljava/util/HashMap;': { extends: 'Ljava/util/AbstractMap;', implements: CLONEABLE, methods: hashConstructors({}) },
  'Ljava/util/LinkedHashMap;': {
    extends: 'Ljava/util/HashMap;',
    methods: {
      ...hashConstructors({ order: 'inserted' }),
      'removeEldestEntry(Ljava/util/Map$Entry;)Z': () => 0,
    },
  },
  'Ljava/util/WeakHashMap;': { extends: 'Ljava/util/AbstractMap;', methods: hashConstructors({}) },
  'Ljava/util/IdentityHashMap;': {
    extends: 'Ljava/util/AbstractMap;',
    methods: hashConstructors({ isByIdentity: true }),
  },
  'Ljava/util/Hashtable;': {
    extends: 'Ljava/util/Dictionary;',
    implements: CLONEABLE,
    methods: { ...mapMethods, ...hashtableMethods, ...hashConstructors({ order: 'hashtable' }) },
  },
  'Ljava/util/concurrent/ConcurrentMap;': { isInterface: true, implements: ['Ljava/util/Map;'] },
  'Ljava/util/concurrent/ConcurrentHashMap;': {
    extends: 'Ljava/util/AbstractMap;',
    implements: ['Ljava/util/concurrent/ConcurrentMap;', 'Ljava/io/Serializable;'],
    methods: {
      ...hashtableMethods,
      ...hashConstructors({ isConcurrent: true }),
      'mappingCount()J': (machine, self) => BigInt(mapOf(self).size(machine)),
      'keySet()Ljava/util/concurrent/ConcurrentHashMap$KeySetView;': (machine, self) =>
        instance(machine, 'Ljava/util/concurrent/ConcurrentHashMap$KeySetView;', new KeySet(mapOf(self), false)),
    },
    staticMethods: {
      'newKeySet()Ljava/util/concurrent/ConcurrentHashMap$KeySetView;': (machine) =>
        instance(
          machine,
          'Ljava/util/concurrent/ConcurrentHashMap$KeySetView;',
          new KeySet(new HashTable({ isConcurrent: true }), true),
        ),
    },
  },
  'Ljava/util/concurrent/ConcurrentHashMap$KeySetView;': { extends: 'Ljava/util/AbstractSet;' },
  'Ljava/util/SortedMap;': { isInterface: true, implements: ['Ljava/util/Map;'] },
  'Ljava/util/NavigableMap;': { isInterface: true, implements: ['Ljava/util/SortedMap;'] },
  'Ljava/util/TreeMap;': {
    extends: 'Ljava/util/AbstractMap;',
    implements: ['Ljava/util/NavigableMap;', ...CLONEABLE],
    methods: { ...navigableMethods, ...sortedConstructors(false) },
  },
  'Ljava/util/concurrent/ConcurrentNavigableMap;': {
    isInterface: true,
    implements: ['Ljava/util/NavigableMap;', 'Ljava/util/concurrent/ConcurrentMap;'],
  },
  'Ljava/util/concurrent/ConcurrentSkipListMap;': {
    extends: 'Ljava/util/AbstractMap;',
    implements: ['Ljava/util/concurrent/ConcurrentNavigableMap;'],
    methods: { ...navigableMethods, ...sortedConstructors(true) },
  },
  'Ljava/util/EnumMap;': {
    extends: 'Ljava/util/AbstractMap;',
    implements: CLONEABLE,
    methods: enumMapConstructors,
  },
};

function compareParts(machine: Machine, a: HeapObject, b: HeapObject, part: string): number {
  const left = machine.call(a, part) as HeapObject;
  const right = machine.call(b, part) as HeapObject;
  return machine.call(left, 'compareTo(Ljava/lang/Object;)I', right) as number;
}
