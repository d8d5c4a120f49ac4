// What TreeMap and TreeSet have beyond Map and Set: neighbours, ends and ranges. Knows no other maps.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { instance, type Reference } from '../values.ts';
import { type Entry, KeySet, noSuchElement } from './collection-state.ts';
import { iteratorOn } from './iteration.ts';
import type { SortedView } from './sorted-state.ts';

const KEY = 'Ljava/lang/Object;';
const ENTRY = 'Ljava/util/Map$Entry;';

function view(self: HeapObject): SortedView {
  return self.native as SortedView;
}

/** Entries given out by navigation are copies that cannot change the map. */
function entryOut(machine: Machine, entry: Entry | null): HeapObject | null {
  return entry === null
    ? null
    : instance(machine, 'Ljava/util/AbstractMap$SimpleImmutableEntry;', { key: entry.key, value: entry.value });
}

function keyOut(machine: Machine, entry: Entry | null): Reference {
  if (entry === null) throw noSuchElement(machine);
  return entry.key;
}

function taken(map: SortedView, entry: Entry | null): Entry | null {
  if (entry !== null) map.take(entry);
  return entry;
}

function subMap(machine: Machine, self: HeapObject, map: SortedView): HeapObject {
  return instance(machine, self.cls.isApp ? 'Ljava/util/TreeMap;' : self.cls.descriptor, map);
}

/** lower, floor, ceiling, higher: [is after, is inclusive]. */
const NEIGHBOURS = {
  lower: [false, false],
  floor: [false, true],
  ceiling: [true, true],
  higher: [true, false],
} as const;

function neighbours(): NativeMethods {
  const methods: Record<string, NativeMethod> = {};
  for (const [name, [isAfter, isInclusive]] of Object.entries(NEIGHBOURS)) {
    methods[`${name}Entry(${KEY})${ENTRY}`] = (machine, self, key: Reference) =>
      entryOut(machine, view(self).nearest(machine, key, isAfter, isInclusive));
    methods[`${name}Key(${KEY})${KEY}`] = (machine, self, key: Reference) =>
      view(self).nearest(machine, key, isAfter, isInclusive)?.key ?? null;
  }
  return methods;
}

/** Ranges as `head`, `tail` and `sub`, for both Map and Set. */
function ranges(
  suffix: string,
  types: readonly string[],
  make: (machine: Machine, self: HeapObject, map: SortedView) => HeapObject,
  of: (self: HeapObject) => SortedView,
): NativeMethods {
  const methods: Record<string, NativeMethod> = {};
  const [sorted, navigable] = types as [string, string];
  for (const returns of types) {
    methods[`head${suffix}(${KEY}Z)${returns}`] = (machine, self, to: Reference, isInclusive: number) =>
      make(machine, self, of(self).sub(machine, null, { key: to, isInclusive: isInclusive !== 0 }));
    methods[`tail${suffix}(${KEY}Z)${returns}`] = (machine, self, from: Reference, isInclusive: number) =>
      make(machine, self, of(self).sub(machine, { key: from, isInclusive: isInclusive !== 0 }, null));
    methods[`head${suffix}(${KEY})${returns}`] = (machine, self, to: Reference) =>
      make(machine, self, of(self).sub(machine, null, { key: to, isInclusive: false }));
    methods[`tail${suffix}(${KEY})${returns}`] = (machine, self, from: Reference) =>
      make(machine, self, of(self).sub(machine, { key: from, isInclusive: true }, null));
  }
  methods[`sub${suffix}(${KEY}${KEY})${sorted}`] = (machine, self, from: Reference, to: Reference) =>
    make(machine, self, of(self).sub(machine, { key: from, isInclusive: true }, { key: to, isInclusive: false }));
  methods[`sub${suffix}(${KEY}Z${KEY}Z)${navigable}`] = (machine, self, from, hasFrom: number, to, hasTo: number) =>
    make(
      machine,
      self,
      of(self).sub(machine, { key: from, isInclusive: hasFrom !== 0 }, { key: to, isInclusive: hasTo !== 0 }),
    );
  return methods;
}

function keys(machine: Machine, map: SortedView): HeapObject {
  return instance(machine, 'Ljava/util/TreeSet;', new KeySet(map, false));
}

export const navigableMethods: NativeMethods = {
  ...neighbours(),
  ...ranges('Map', ['Ljava/util/SortedMap;', 'Ljava/util/NavigableMap;'], subMap, view),
  [`firstKey()${KEY}`]: (machine, self) => keyOut(machine, view(self).first(machine)),
  [`lastKey()${KEY}`]: (machine, self) => keyOut(machine, view(self).last(machine)),
  [`firstEntry()${ENTRY}`]: (machine, self) => entryOut(machine, view(self).first(machine)),
  [`lastEntry()${ENTRY}`]: (machine, self) => entryOut(machine, view(self).last(machine)),
  [`pollFirstEntry()${ENTRY}`]: (machine, self) => entryOut(machine, taken(view(self), view(self).first(machine))),
  [`pollLastEntry()${ENTRY}`]: (machine, self) => entryOut(machine, taken(view(self), view(self).last(machine))),
  'comparator()Ljava/util/Comparator;': (_machine, self) => view(self).comparator,
  'descendingMap()Ljava/util/NavigableMap;': (machine, self) => subMap(machine, self, view(self).descending()),
  'keySet()Ljava/util/Set;': (machine, self) => keys(machine, view(self)),
  'navigableKeySet()Ljava/util/NavigableSet;': (machine, self) => keys(machine, view(self)),
  'descendingKeySet()Ljava/util/NavigableSet;': (machine, self) => keys(machine, view(self).descending()),
};

function setView(self: HeapObject): SortedView {
  return (self.native as KeySet).map as SortedView;
}

function subSet(machine: Machine, self: HeapObject, map: SortedView): HeapObject {
  return instance(machine, self.cls.isApp ? 'Ljava/util/TreeSet;' : self.cls.descriptor, new KeySet(map, true));
}

function setNeighbours(): NativeMethods {
  const methods: Record<string, NativeMethod> = {};
  for (const [name, [isAfter, isInclusive]] of Object.entries(NEIGHBOURS)) {
    methods[`${name}(${KEY})${KEY}`] = (machine, self, key: Reference) =>
      setView(self).nearest(machine, key, isAfter, isInclusive)?.key ?? null;
  }
  return methods;
}

export const navigableSetMethods: NativeMethods = {
  ...setNeighbours(),
  ...ranges('Set', ['Ljava/util/SortedSet;', 'Ljava/util/NavigableSet;'], subSet, setView),
  [`first()${KEY}`]: (machine, self) => keyOut(machine, setView(self).first(machine)),
  [`last()${KEY}`]: (machine, self) => keyOut(machine, setView(self).last(machine)),
  [`pollFirst()${KEY}`]: (machine, self) => taken(setView(self), setView(self).first(machine))?.key ?? null,
  [`pollLast()${KEY}`]: (machine, self) => taken(setView(self), setView(self).last(machine))?.key ?? null,
  'comparator()Ljava/util/Comparator;': (_machine, self) => setView(self).comparator,
  'descendingSet()Ljava/util/NavigableSet;': (machine, self) => subSet(machine, self, setView(self).descending()),
  'descendingIterator()Ljava/util/Iterator;': (machine, self) =>
    iteratorOn(machine, new KeySet(setView(self).descending(), false).cursor(machine)),
};
