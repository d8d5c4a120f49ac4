// java.util.stream.Collectors. Knows streams by their elements.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { illegalState, instance, type Reference, textOf } from '../values.ts';
import { newList } from './iteration.ts';
import { orderOf } from './sorted-state.ts';
import { type Collect, collect, joined } from './stream-state.ts';

const COLLECTOR = 'Ljava/util/stream/Collector;';
const F = 'Ljava/util/function/Function;';
const APPLY = 'apply(Ljava/lang/Object;)Ljava/lang/Object;';
const PUT = 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;';
const GET = 'get(Ljava/lang/Object;)Ljava/lang/Object;';

const collector = (machine: Machine, run: Collect): HeapObject =>
  instance(machine, 'Ljava/util/stream/ModelCollector;', run);

const toList: Collect = (machine, elements) => newList(machine, elements);
const toSet: Collect = (machine, elements) =>
  machine.construct('Ljava/util/HashSet;', '<init>(Ljava/util/Collection;)V', newList(machine, elements));

function grouping(
  key: HeapObject,
  makeMap: (machine: Machine) => HeapObject,
  downstream: (machine: Machine, group: Reference[]) => Reference,
): Collect {
  return (machine, elements) => {
    const groups = machine.construct('Ljava/util/LinkedHashMap;', '<init>()V');
    const lists: { key: Reference; elements: Reference[] }[] = [];
    for (const element of elements) {
      const by = machine.call(key, APPLY, element) as Reference;
      const known = machine.call(groups, GET, by) as Reference;
      if (known === null) {
        machine.call(groups, PUT, by, machine.box('I', lists.length));
        lists.push({ key: by, elements: [element] });
      } else lists[machine.unbox(known) as number]!.elements.push(element);
    }
    const map = makeMap(machine);
    for (const group of lists) machine.call(map, PUT, group.key, downstream(machine, group.elements));
    return map;
  };
}

const hashMap = (machine: Machine): HeapObject => machine.construct('Ljava/util/HashMap;', '<init>()V');

function toMap(
  key: HeapObject,
  value: HeapObject,
  merge: HeapObject | null,
  makeMap: (machine: Machine) => HeapObject,
): Collect {
  return (machine, elements) => {
    const map = makeMap(machine);
    for (const element of elements) {
      const k = machine.call(key, APPLY, element) as Reference;
      let v = machine.call(value, APPLY, element) as Reference;
      const before = machine.call(map, GET, k) as Reference;
      if (before !== null) {
        if (merge === null) throw illegalState(machine, `Duplicate key ${machine.toText(k).text}`);
        v = machine.call(
          merge,
          'apply(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;',
          before,
          v,
        ) as Reference;
      }
      machine.call(map, PUT, k, v);
    }
    return map;
  };
}

const supplied =
  (supplier: HeapObject) =>
  (machine: Machine): HeapObject =>
    machine.call(supplier, 'get()Ljava/lang/Object;') as HeapObject;

const best =
  (comparator: Reference, sign: number): Collect =>
  (machine, elements) => {
    const order = orderOf(comparator);
    const chosen = elements.reduce<Reference>(
      (known, one) => (known === null || order(machine, one, known) * sign > 0 ? one : known),
      null,
    );
    return instance(machine, 'Ljava/util/Optional;', chosen);
  };

function numbers(name: string, kind: string, returns: string): [string, NativeMethod] {
  return [
    `${name}${kind}(Ljava/util/function/To${kind}Function;)${COLLECTOR}`,
    (machine, key: HeapObject) =>
      collector(machine, (m, elements) => {
        const signature = `applyAs${kind}(Ljava/lang/Object;)${returns}`;
        const values = elements.map((element) => m.call(key, signature, element) as number | bigint);
        if (name === 'averaging') {
          return m.box(
            'D',
            values.length === 0 ? 0 : values.reduce<number>((sum, v) => sum + Number(v), 0) / values.length,
          );
        }
        if (returns === 'D')
          return m.box(
            'D',
            values.reduce<number>((sum, v) => sum + Number(v), 0),
          );
        const total = values.reduce<bigint>((sum, v) => sum + BigInt(v), 0n);
        return m.box(returns, returns === 'I' ? Number(BigInt.asIntN(32, total)) : BigInt.asIntN(64, total));
      }),
  ];
}

const joining =
  (between: string, before: string, after: string): Collect =>
  (machine, elements) => {
    const text = joined(machine, elements, between);
    return machine.string(before + text.text + after, text.taint);
  };

const statics: NativeMethods = {
  ...Object.fromEntries(
    ['summing', 'averaging'].flatMap((name) => [
      numbers(name, 'Int', 'I'),
      numbers(name, 'Long', 'J'),
      numbers(name, 'Double', 'D'),
    ]),
  ),
  [`toList()${COLLECTOR}`]: (machine) => collector(machine, toList),
  [`toUnmodifiableList()${COLLECTOR}`]: (machine) => collector(machine, toList),
  [`toSet()${COLLECTOR}`]: (machine) => collector(machine, toSet),
  [`toCollection(Ljava/util/function/Supplier;)${COLLECTOR}`]: (machine, supplier: HeapObject) =>
    collector(machine, (m, elements) => {
      const made = supplied(supplier)(m);
      for (const element of elements) m.call(made, 'add(Ljava/lang/Object;)Z', element);
      return made;
    }),
  [`joining()${COLLECTOR}`]: (machine) => collector(machine, joining('', '', '')),
  [`joining(Ljava/lang/CharSequence;)${COLLECTOR}`]: (machine, between: Reference) =>
    collector(machine, joining(textOf(machine, between), '', '')),
  [`joining(Ljava/lang/CharSequence;Ljava/lang/CharSequence;Ljava/lang/CharSequence;)${COLLECTOR}`]: (
    machine,
    between,
    before,
    after,
  ) => collector(machine, joining(textOf(machine, between), textOf(machine, before), textOf(machine, after))),
  [`counting()${COLLECTOR}`]: (machine) => collector(machine, (m, elements) => m.box('J', BigInt(elements.length))),
  [`groupingBy(${F})${COLLECTOR}`]: (machine, key: HeapObject) => collector(machine, grouping(key, hashMap, toList)),
  [`groupingBy(${F}${COLLECTOR})${COLLECTOR}`]: (machine, key: HeapObject, inner: HeapObject) =>
    collector(
      machine,
      grouping(key, hashMap, (m, group) => collect(m, group, inner)),
    ),
  [`groupingBy(${F}Ljava/util/function/Supplier;${COLLECTOR})${COLLECTOR}`]: (machine, key: HeapObject, make, inner) =>
    collector(
      machine,
      grouping(key, supplied(make), (m, group) => collect(m, group, inner)),
    ),
  [`partitioningBy(Ljava/util/function/Predicate;)${COLLECTOR}`]: (machine, test: HeapObject) =>
    collector(machine, (m, elements) => {
      const map = m.construct('Ljava/util/LinkedHashMap;', '<init>()V');
      const results = elements.map((element) => m.call(test, 'test(Ljava/lang/Object;)Z', element) !== 0);
      for (const side of [false, true]) {
        const part = elements.filter((_element, index) => results[index] === side);
        m.call(map, PUT, m.box('Z', Number(side)), newList(m, part));
      }
      return map;
    }),
  [`toMap(${F}${F})${COLLECTOR}`]: (machine, key: HeapObject, value: HeapObject) =>
    collector(machine, toMap(key, value, null, hashMap)),
  [`toMap(${F}${F}Ljava/util/function/BinaryOperator;)${COLLECTOR}`]: (machine, key, value, merge) =>
    collector(machine, toMap(key, value, merge, hashMap)),
  [`toMap(${F}${F}Ljava/util/function/BinaryOperator;Ljava/util/function/Supplier;)${COLLECTOR}`]: (
    machine,
    key,
    value,
    merge,
    make,
  ) => collector(machine, toMap(key, value, merge, supplied(make))),
  [`mapping(${F}${COLLECTOR})${COLLECTOR}`]: (machine, map: HeapObject, inner: HeapObject) =>
    collector(machine, (m, elements) =>
      collect(
        m,
        elements.map((element) => m.call(map, APPLY, element) as Reference),
        inner,
      ),
    ),
  [`collectingAndThen(${COLLECTOR}${F})${COLLECTOR}`]: (machine, inner: HeapObject, then: HeapObject) =>
    collector(machine, (m, elements) => m.call(then, APPLY, collect(m, elements, inner)) as Reference),
  [`maxBy(Ljava/util/Comparator;)${COLLECTOR}`]: (machine, order: Reference) => collector(machine, best(order, 1)),
  [`minBy(Ljava/util/Comparator;)${COLLECTOR}`]: (machine, order: Reference) => collector(machine, best(order, -1)),
};

export const collectorModels: Record<string, ModelClass> = {
  'Ljava/util/stream/Collectors;': { staticMethods: statics },
  'Ljava/util/stream/ModelCollector;': { implements: [COLLECTOR] },
};
