// java.util.stream: lazy pipelines over JavaScript iterators; numbers travel boxed, so that their taint does. Knows no particular sources.
import type { HeapObject, JavaArray, JavaString, Taint, Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, StaticMethod } from '../../machine/model.ts';
import { instance, type Reference, required } from '../values.ts';
import { intoArray } from './collection-models.ts';
import { elementsOf, newList } from './iteration.ts';
import { naturalOrder, orderOf, sortReferences } from './sorted-state.ts';

type Elements = Iterable<Reference>;
export type NumberType = 'I' | 'J' | 'D';

const NAMES = { I: 'Int', J: 'Long', D: 'Double' } as const;
const STREAM = 'Ljava/util/stream/Stream;';
const classOf = (type: NumberType | 'L'): string => (type === 'L' ? STREAM : `Ljava/util/stream/${NAMES[type]}Stream;`);
const implementation = (type: NumberType | 'L'): string =>
  type === 'L' ? 'Ljava/util/stream/ReferencePipeline;' : `Ljava/util/stream/${NAMES[type]}Pipeline;`;

/** Most elements of an infinite stream that a terminal operation takes. */
const MAXIMUM_ELEMENTS = 1_000_000;

function stream(machine: Machine, type: NumberType | 'L', elements: Elements): HeapObject {
  return instance(machine, implementation(type), elements);
}

export function referenceStream(machine: Machine, elements: Elements): HeapObject {
  return stream(machine, 'L', elements);
}

/** A stream of boxed numbers. */
export function numberStream(machine: Machine, type: NumberType, boxes: Elements): HeapObject {
  return stream(machine, type, boxes);
}

function source(self: HeapObject): Elements {
  return self.native as Elements;
}

function all(machine: Machine, self: HeapObject): Reference[] {
  const elements: Reference[] = [];
  for (const element of source(self)) {
    elements.push(element);
    machine.charge(16);
    if (elements.length >= MAXIMUM_ELEMENTS) break;
  }
  return elements;
}

/** What a stream of the type hands to a function: the number, or the reference. */
function argument(machine: Machine, type: NumberType | 'L', element: Reference): Value {
  return type === 'L' ? element : machine.unbox(element);
}

/** What a function returned, as an element of a stream of the type. */
function element(machine: Machine, type: NumberType | 'L', value: Value, taint: Taint): Reference {
  return type === 'L' ? (value as Reference) : machine.box(type, value as number, taint);
}

const descriptorOf = (type: NumberType | 'L'): string => (type === 'L' ? 'Ljava/lang/Object;' : type);
const prefix = (type: NumberType | 'L'): string => (type === 'L' ? '' : NAMES[type]);

function* mapped(
  machine: Machine,
  from: NumberType | 'L',
  to: NumberType | 'L',
  elements: Elements,
  map: HeapObject,
): Elements & Generator<Reference> {
  const name = to === 'L' ? 'apply' : `applyAs${prefix(to)}`;
  const signature = `${name}(${descriptorOf(from)})${descriptorOf(to)}`;
  for (const one of elements) {
    const taint = one?.taint ?? 0;
    const value = machine.callWith([taint], map, signature, argument(machine, from, one));
    yield element(machine, to, value, map.cls.isApp ? machine.resultTaint : taint);
  }
}

function* filtered(
  machine: Machine,
  type: NumberType | 'L',
  elements: Elements,
  test: HeapObject,
): Generator<Reference> {
  for (const one of elements) {
    if (truth(machine, test, type, one)) yield one;
  }
}

function* limited(elements: Elements, count: number): Generator<Reference> {
  if (count <= 0) return;
  let left = count;
  for (const one of elements) {
    yield one;
    if (--left <= 0) return;
  }
}

function* skipped(elements: Elements, count: number): Generator<Reference> {
  let left = count;
  for (const one of elements) if (left-- <= 0) yield one;
}

function* peeked(machine: Machine, type: NumberType | 'L', elements: Elements, look: HeapObject): Generator<Reference> {
  for (const one of elements) {
    accept(machine, look, type, one);
    yield one;
  }
}

function* flattened(machine: Machine, elements: Elements, map: HeapObject): Generator<Reference> {
  for (const one of elements) {
    const inner = machine.call(map, 'apply(Ljava/lang/Object;)Ljava/lang/Object;', one) as Reference;
    if (inner !== null) yield* source(inner);
  }
}

/** Computed on first use: sorting, `distinct`. */
function* late(make: () => Reference[]): Generator<Reference> {
  yield* make();
}

function distinct(machine: Machine, elements: readonly Reference[]): Reference[] {
  const seen = machine.construct('Ljava/util/HashSet;', '<init>()V');
  return elements.filter((one) => machine.call(seen, 'add(Ljava/lang/Object;)Z', one) !== 0);
}

function* concatenated(...parts: Elements[]): Generator<Reference> {
  for (const part of parts) yield* part;
}

function* ranged(machine: Machine, type: 'I' | 'J', from: bigint, to: bigint): Generator<Reference> {
  for (let value = from; value < to; value++) yield machine.box(type, type === 'I' ? Number(value) : value);
}

const truth = (machine: Machine, test: HeapObject, type: NumberType | 'L', one: Reference): boolean =>
  machine.callWith([one?.taint ?? 0], test, `test(${descriptorOf(type)})Z`, argument(machine, type, one)) !== 0;

function accept(machine: Machine, consumer: HeapObject, type: NumberType | 'L', one: Reference): void {
  machine.callWith([one?.taint ?? 0], consumer, `accept(${descriptorOf(type)})V`, argument(machine, type, one));
}

const optional = (machine: Machine, type: NumberType | 'L', value: Reference): HeapObject =>
  instance(machine, type === 'L' ? 'Ljava/util/Optional;' : `Ljava/util/Optional${NAMES[type]};`, value);

/** Operations that streams of every type have. */
function common(type: NumberType | 'L'): Record<string, NativeMethod> {
  const own = classOf(type);
  const p = prefix(type);
  const d = descriptorOf(type);
  const fn = 'Ljava/util/function/';
  const make = (machine: Machine, elements: Elements): HeapObject => stream(machine, type, elements);
  const found = type === 'L' ? 'Ljava/util/Optional;' : `Ljava/util/Optional${p};`;
  const match = (name: string, on: boolean, result: number): [string, NativeMethod] => [
    `${name}(${fn}${p}Predicate;)Z`,
    (machine, self, test: HeapObject) => {
      for (const one of source(self)) if (truth(machine, test, type, one) === on) return result;
      return 1 - result;
    },
  ];
  const methods: Record<string, NativeMethod> = {
    ...Object.fromEntries([match('anyMatch', true, 1), match('allMatch', false, 0), match('noneMatch', true, 0)]),
    [`filter(${fn}${p}Predicate;)${own}`]: (machine, self, test: HeapObject) =>
      make(machine, filtered(machine, type, source(self), required(machine, test))),
    [`limit(J)${own}`]: (machine, self, count: bigint) => make(machine, limited(source(self), Number(count))),
    [`skip(J)${own}`]: (machine, self, count: bigint) => make(machine, skipped(source(self), Number(count))),
    [`peek(${fn}${p}Consumer;)${own}`]: (machine, self, look: HeapObject) =>
      make(machine, peeked(machine, type, source(self), look)),
    [`distinct()${own}`]: (machine, self) =>
      make(
        machine,
        late(() => distinct(machine, all(machine, self))),
      ),
    [`sorted()${own}`]: (machine, self) =>
      make(
        machine,
        late(() => {
          const elements = all(machine, self);
          sortReferences(machine, elements, naturalOrder);
          return elements;
        }),
      ),
    [`forEach(${fn}${p}Consumer;)V`]: each(type),
    [`forEachOrdered(${fn}${p}Consumer;)V`]: each(type),
    [`findFirst()${found}`]: (machine, self) => optional(machine, type, first(self)),
    [`findAny()${found}`]: (machine, self) => optional(machine, type, first(self)),
    'count()J': (machine, self) => BigInt(all(machine, self).length),
    'iterator()Ljava/util/Iterator;': (machine, self) =>
      machine.call(newList(machine, all(machine, self)), 'iterator()Ljava/util/Iterator;'),
    'close()V': () => undefined,
    [`reduce(${d}${fn}${p}BinaryOperator;)${d}`]: (machine, self, start: Value, join: HeapObject) => {
      const signature =
        type === 'L' ? 'apply(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;' : `applyAs${p}(${d}${d})${d}`;
      let value = start;
      let taint = machine.argumentTaint(1);
      for (const one of source(self)) {
        value = machine.callWith([taint, one?.taint ?? 0], join, signature, value, argument(machine, type, one));
        taint = machine.resultTaint;
      }
      if (type !== 'L') machine.setResultTaint(taint);
      return value;
    },
    [`reduce(${fn}${p}BinaryOperator;)${found}`]: (machine, self, join: HeapObject) => {
      const signature =
        type === 'L' ? 'apply(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;' : `applyAs${p}(${d}${d})${d}`;
      let value: Value | undefined;
      let taint: Taint = 0;
      for (const one of source(self)) {
        const next = argument(machine, type, one);
        const own = one?.taint ?? 0;
        value = value === undefined ? next : machine.callWith([taint, own], join, signature, value, next);
        taint = taint === 0 && value === next ? own : machine.resultTaint;
      }
      return optional(machine, type, value === undefined ? null : element(machine, type, value, taint));
    },
  };
  for (const name of ['parallel', 'sequential', 'unordered', 'onClose']) {
    for (const returns of ['Ljava/util/stream/BaseStream;', own]) {
      methods[`${name}()${returns}`] = (_machine, self) => self;
    }
  }
  return methods;
}

function each(type: NumberType | 'L'): NativeMethod {
  return (machine, self, consumer: HeapObject) => {
    for (const one of source(self)) accept(machine, consumer, type, one);
  };
}

function first(self: HeapObject): Reference {
  for (const one of source(self)) return one;
  return null;
}

/** Maps from one type of stream to another. */
function maps(from: NumberType | 'L'): Record<string, NativeMethod> {
  const methods: Record<string, NativeMethod> = {};
  const p = prefix(from);
  for (const to of ['L', 'I', 'J', 'D'] as const) {
    const name = to === from ? 'map' : to === 'L' ? 'mapToObj' : `mapTo${NAMES[to]}`;
    const kind =
      to === from
        ? from === 'L'
          ? 'Function'
          : `${p}UnaryOperator`
        : to === 'L'
          ? `${p}Function`
          : from === 'L'
            ? `To${NAMES[to]}Function`
            : `${p}To${NAMES[to]}Function`;
    methods[`${name}(Ljava/util/function/${kind};)${classOf(to)}`] = (machine, self, map: HeapObject) =>
      stream(machine, to, mapped(machine, from, to, source(self), required(machine, map)));
  }
  return methods;
}

function extreme(type: NumberType | 'L', sign: number): NativeMethod {
  return (machine, self, comparator: Reference = null) => {
    const order = orderOf(comparator);
    const elements = all(machine, self);
    const best = elements.reduce<Reference>(
      (chosen, one) => (chosen === null || order(machine, one, chosen) * sign > 0 ? one : chosen),
      null,
    );
    return optional(machine, type, best);
  };
}

function numeric(type: NumberType): Record<string, NativeMethod> {
  const own = classOf(type);
  const sum = (machine: Machine, self: HeapObject): [number | bigint, number, Taint] => {
    let total: number | bigint = type === 'D' ? 0 : 0n;
    let taint: Taint = 0;
    const elements = all(machine, self);
    for (const one of elements) {
      const value = machine.unbox(one) ?? 0;
      total = type === 'D' ? (total as number) + Number(value) : (total as bigint) + BigInt(value);
      taint = machine.union(taint, one?.taint ?? 0);
    }
    return [total, elements.length, taint];
  };
  return {
    [`sum()${type}`]: (machine, self) => {
      const [total, , taint] = sum(machine, self);
      machine.setResultTaint(taint);
      if (type === 'I') return Number(BigInt.asIntN(32, total as bigint));
      return type === 'J' ? BigInt.asIntN(64, total as bigint) : total;
    },
    'average()Ljava/util/OptionalDouble;': (machine, self) => {
      const [total, count] = sum(machine, self);
      return optional(machine, 'D', count === 0 ? null : machine.box('D', Number(total) / count));
    },
    [`max()Ljava/util/Optional${NAMES[type]};`]: extreme(type, 1),
    [`min()Ljava/util/Optional${NAMES[type]};`]: extreme(type, -1),
    [`boxed()${STREAM}`]: (machine, self) => stream(machine, 'L', source(self)),
    [`toArray()[${type}`]: (machine, self) => {
      const elements = all(machine, self);
      const array = machine.array(type, elements.length);
      const numbers = array.elements as Int32Array;
      for (const [index, one] of elements.entries()) {
        numbers[index] = machine.unbox(one) as number;
        if (one !== null && one.taint !== 0) {
          array.elementTaints ??= new Array<Taint>(elements.length).fill(0);
          array.elementTaints[index] = one.taint;
        }
      }
      return array;
    },
    'asLongStream()Ljava/util/stream/LongStream;': (machine, self) =>
      stream(machine, 'J', converted(machine, 'J', source(self))),
    'asDoubleStream()Ljava/util/stream/DoubleStream;': (machine, self) =>
      stream(machine, 'D', converted(machine, 'D', source(self))),
    [`concat(!${own}!${own})${own}`]: (machine, a: HeapObject, b: HeapObject) =>
      stream(machine, type, concatenated(source(a), source(b))),
  };
}

function* converted(machine: Machine, to: NumberType, elements: Elements): Generator<Reference> {
  for (const one of elements) {
    const value = machine.unbox(one) ?? 0;
    yield machine.box(to, to === 'J' ? BigInt(value) : Number(value), one?.taint);
  }
}

const COLLECTOR = 'Ljava/util/stream/Collector;';

/** The `native` of a modelled collector: from all elements to the result. */
export type Collect = (machine: Machine, elements: Reference[]) => Reference;

/** Collects by a modelled collector or an app's own. */
export function collect(machine: Machine, elements: Reference[], collector: HeapObject): Reference {
  if (typeof collector.native === 'function') return (collector.native as Collect)(machine, elements);
  const part = (name: string, type: string): HeapObject =>
    machine.call(collector, `${name}()Ljava/util/function/${type};`) as HeapObject;
  const container = machine.call(part('supplier', 'Supplier'), 'get()Ljava/lang/Object;');
  const accumulator = part('accumulator', 'BiConsumer');
  for (const one of elements)
    machine.call(accumulator, 'accept(Ljava/lang/Object;Ljava/lang/Object;)V', container, one);
  return machine.call(
    part('finisher', 'Function'),
    'apply(Ljava/lang/Object;)Ljava/lang/Object;',
    container,
  ) as Reference;
}

const references: Record<string, NativeMethod> = {
  [`collect(!${COLLECTOR})Ljava/lang/Object;`]: (machine, self, collector: HeapObject) =>
    collect(machine, all(machine, self), required(machine, collector)),
  'collect(!Ljava/util/function/Supplier;!Ljava/util/function/BiConsumer;Ljava/util/function/BiConsumer;)Ljava/lang/Object;':
    (machine, self, supplier: HeapObject, accumulator: HeapObject) => {
      const container = machine.call(supplier, 'get()Ljava/lang/Object;');
      for (const one of source(self))
        machine.call(accumulator, 'accept(Ljava/lang/Object;Ljava/lang/Object;)V', container, one);
      return container;
    },
  'toList()Ljava/util/List;': (machine, self) => newList(machine, all(machine, self)),
  'toArray()[Ljava/lang/Object;': (machine, self) => machine.objectArray('Ljava/lang/Object;', all(machine, self)),
  'toArray(!Ljava/util/function/IntFunction;)[Ljava/lang/Object;': (machine, self, make: HeapObject) => {
    const elements = all(machine, self);
    return intoArray(machine, elements, machine.call(make, 'apply(I)Ljava/lang/Object;', elements.length) as JavaArray);
  },
  [`flatMap(!Ljava/util/function/Function;)${STREAM}`]: (machine, self, map: HeapObject) =>
    stream(machine, 'L', flattened(machine, source(self), map)),
  [`sorted(Ljava/util/Comparator;)${STREAM}`]: (machine, self, comparator: Reference) =>
    stream(
      machine,
      'L',
      late(() => {
        const elements = all(machine, self);
        sortReferences(machine, elements, orderOf(comparator));
        return elements;
      }),
    ),
  'max(Ljava/util/Comparator;)Ljava/util/Optional;': extreme('L', 1),
  'min(Ljava/util/Comparator;)Ljava/util/Optional;': extreme('L', -1),
};

function* iterated(machine: Machine, seed: Reference, next: HeapObject): Generator<Reference> {
  for (
    let value = seed;
    ;
    value = machine.call(next, 'apply(Ljava/lang/Object;)Ljava/lang/Object;', value) as Reference
  ) {
    yield value;
  }
}

function* generated(machine: Machine, supplier: HeapObject): Generator<Reference> {
  for (;;) yield machine.call(supplier, 'get()Ljava/lang/Object;') as Reference;
}

const statics: Record<string, NativeMethod> = {
  [`of([Ljava/lang/Object;)${STREAM}`]: (machine, array: Reference) => stream(machine, 'L', elementsOf(machine, array)),
  [`of(Ljava/lang/Object;)${STREAM}`]: (machine, one: Reference) => stream(machine, 'L', [one]),
  [`empty()${STREAM}`]: (machine) => stream(machine, 'L', []),
  [`concat(!${STREAM}!${STREAM})${STREAM}`]: (machine, a: HeapObject, b: HeapObject) =>
    stream(machine, 'L', concatenated(source(a), source(b))),
  [`iterate(Ljava/lang/Object;Ljava/util/function/UnaryOperator;)${STREAM}`]: (
    machine,
    seed: Reference,
    next: HeapObject,
  ) => stream(machine, 'L', iterated(machine, seed, next)),
  [`generate(Ljava/util/function/Supplier;)${STREAM}`]: (machine, supplier: HeapObject) =>
    stream(machine, 'L', generated(machine, supplier)),
};

function rangeStatics(type: 'I' | 'J'): Record<string, StaticMethod> {
  const own = classOf(type);
  return {
    [`range(${type}${type})${own}`]: (machine, from: number, to: number) =>
      stream(machine, type, ranged(machine, type, BigInt(from), BigInt(to))),
    [`rangeClosed(${type}${type})${own}`]: (machine, from: number, to: number) =>
      stream(machine, type, ranged(machine, type, BigInt(from), BigInt(to) + 1n)),
  };
}

function numberModels(): Record<string, ModelClass> {
  const models: Record<string, ModelClass> = {};
  for (const type of ['I', 'J', 'D'] as const) {
    const own = classOf(type);
    models[own] = {
      isInterface: true,
      implements: ['Ljava/util/stream/BaseStream;'],
      staticMethods: {
        ...(type === 'D' ? {} : rangeStatics(type)),
        [`of([${type})${own}`]: (machine, array: JavaArray) =>
          machine.callStatic('Ljava/util/Arrays;', `stream([${type})${own}`, array),
        [`empty()${own}`]: (machine) => stream(machine, type, []),
      },
    };
    models[implementation(type)] = { implements: [own], methods: { ...common(type), ...maps(type), ...numeric(type) } };
  }
  return models;
}

export const streamModels: Record<string, ModelClass> = {
  'Ljava/util/stream/BaseStream;': { isInterface: true, implements: ['Ljava/lang/AutoCloseable;'] },
  [STREAM]: { isInterface: true, implements: ['Ljava/util/stream/BaseStream;'], staticMethods: statics },
  'Ljava/util/stream/ReferencePipeline;': {
    implements: [STREAM],
    methods: { ...common('L'), ...maps('L'), ...references },
  },
  [COLLECTOR]: { isInterface: true },
  ...numberModels(),
};

/** The text of a join, for collectors. */
export function joined(machine: Machine, elements: readonly Reference[], between: string): JavaString {
  const texts = elements.map((one) => machine.toText(one));
  const taint = texts.reduce((sum, text) => machine.union(sum, text.taint), 0);
  return machine.string(texts.map((text) => text.text).join(between), taint);
}
