// java.util.Arrays over arrays of every type. Knows no collections but the list that writes through.
import { type HeapObject, JavaArray, type Taint, type Value } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, StaticMethod } from '../../machine/model.ts';
import { doubleBits, doubleText, floatBits, floatText, longHash } from '../lang/number-text.ts';
import { compareDoubles } from '../lang/other-boxes.ts';
import { copyArray } from '../lang/system.ts';
import {
  arrayTaint,
  flag,
  illegalArgument,
  instance,
  type Reference,
  referencesOf,
  required,
  setElementTaint,
} from '../values.ts';
import { binarySearch, sortRange } from './collections-class.ts';
import { ArrayBacked } from './list-state.ts';
import { naturalOrder, orderOf } from './sorted-state.ts';
import { numberStream, referenceStream } from './stream-state.ts';

const PRIMITIVES = ['Z', 'B', 'C', 'S', 'I', 'J', 'F', 'D'] as const;
const REFERENCE = 'Ljava/lang/Object;';

function textOfElement(type: string, value: number | bigint): string {
  if (type === 'Z') return value !== 0 ? 'true' : 'false';
  if (type === 'C') return String.fromCharCode(Number(value));
  if (type === 'F') return floatText(value as number);
  if (type === 'D') return doubleText(value as number);
  return String(value);
}

function hashOfElement(type: string, value: number | bigint): number {
  if (type === 'Z') return value !== 0 ? 1231 : 1237;
  if (type === 'J') return longHash(value as bigint);
  if (type === 'F') return floatBits(value as number);
  if (type === 'D') return longHash(doubleBits(value as number));
  return Number(value);
}

function compareElements(type: string, a: number | bigint, b: number | bigint): number {
  if (type === 'F' || type === 'D') return compareDoubles(a as number, b as number);
  return a < b ? -1 : a > b ? 1 : 0;
}

type Numbers = Int32Array | BigInt64Array;
const numbers = (array: JavaArray): Numbers => array.elements as Numbers;

function checkOrder(machine: Machine, array: JavaArray, from: number, to: number): void {
  const { length } = array.elements;
  if (from > to) throw illegalArgument(machine, `fromIndex(${from}) > toIndex(${to})`);
  if (from < 0 || to > length) {
    throw machine.exception(
      'Ljava/lang/ArrayIndexOutOfBoundsException;',
      `Array index out of range: ${from < 0 ? from : to}`,
    );
  }
}

function sort(machine: Machine, array: JavaArray, from: number, to: number): void {
  checkOrder(machine, array, from, to);
  const part = (numbers(array) as Int32Array).subarray(from, to);
  part.sort();
  if (array.elementTaints !== null) {
    setElementTaint(array, from, to, arrayTaint(machine, array, from, to));
  }
}

function copyRange(machine: Machine, array: JavaArray, from: number, to: number, component?: string): JavaArray {
  const { length } = required(machine, array).elements;
  if (from > to) throw illegalArgument(machine, `${from} > ${to}`);
  if (from < 0 || from > length) {
    throw machine.exception('Ljava/lang/ArrayIndexOutOfBoundsException;', `Array index out of range: ${from}`);
  }
  const type = component ?? array.cls.component?.descriptor ?? REFERENCE;
  const copy = machine.array(type, to - from);
  copyArray(machine, array, from, copy, 0, Math.min(length, to) - from);
  return copy;
}

function checkedLength(machine: Machine, length: number): number {
  if (length < 0) throw machine.exception('Ljava/lang/NegativeArraySizeException;', String(length));
  return length;
}

function sameNumbers(type: string, a: JavaArray | null, b: JavaArray | null): number {
  if (a === b) return 1;
  if (a === null || b === null || a.elements.length !== b.elements.length) return 0;
  const left = numbers(a);
  const right = numbers(b);
  for (let index = 0; index < left.length; index++) {
    if (compareElements(type, left[index]!, right[index]!) !== 0) return 0;
  }
  return 1;
}

function forType(methods: Record<string, StaticMethod>, pure: Record<string, StaticMethod>, type: string): void {
  const whole = (array: JavaArray): number => array.elements.length;
  pure[`toString([${type})Ljava/lang/String;`] = (machine, array: JavaArray | null) => {
    if (array === null) return machine.string('null');
    const texts = Array.from(numbers(array) as ArrayLike<number | bigint>, (value) => textOfElement(type, value));
    return machine.string(`[${texts.join(', ')}]`, arrayTaint(machine, array, 0, whole(array)));
  };
  pure[`hashCode([${type})I`] = (_machine, array: JavaArray | null) => {
    if (array === null) return 0;
    let hash = 1;
    for (const value of numbers(array)) hash = (Math.imul(31, hash) + hashOfElement(type, value)) | 0;
    return hash;
  };
  pure[`equals([${type}[${type})Z`] = (_machine, a: JavaArray | null, b: JavaArray | null) => sameNumbers(type, a, b);
  methods[`fill([${type}${type})V`] = (machine, array: JavaArray, value) => {
    (required(machine, array).elements as Int32Array).fill(value);
    setElementTaint(array, 0, whole(array), machine.argumentTaint(1));
  };
  methods[`fill([${type}II${type})V`] = (machine, array: JavaArray, from: number, to: number, value) => {
    checkOrder(machine, required(machine, array), from, to);
    (array.elements as Int32Array).fill(value, from, to);
    setElementTaint(array, from, to, machine.argumentTaint(3));
  };
  methods[`copyOf([${type}I)[${type}`] = (machine, array: JavaArray, length: number) =>
    copyRange(machine, array, 0, checkedLength(machine, length), type);
  methods[`copyOfRange([${type}II)[${type}`] = (machine, array: JavaArray, from: number, to: number) =>
    copyRange(machine, array, from, to, type);
  if (type === 'Z') return;
  methods[`sort([${type})V`] = (machine, array: JavaArray) => sort(machine, required(machine, array), 0, whole(array));
  methods[`parallelSort([${type})V`] = methods[`sort([${type})V`]!;
  methods[`sort([${type}II)V`] = (machine, array: JavaArray, from: number, to: number) =>
    sort(machine, required(machine, array), from, to);
  pure[`binarySearch(![${type}${type})I`] = (_machine, array: JavaArray, key: number) =>
    binarySearch(whole(array), (index) => compareElements(type, key, numbers(array)[index]!));
  pure[`binarySearch(![${type}II${type})I`] = (_machine, array: JavaArray, from: number, to: number, key: number) => {
    const found = binarySearch(to - from, (index) => compareElements(type, key, numbers(array)[from + index]!));
    return found < 0 ? found - from : found + from;
  };
}

/** Text of nested arrays; an array in itself is named, not followed. */
function deepText(machine: Machine, array: JavaArray, outer: readonly JavaArray[]): { text: string; taint: Taint } {
  if (outer.includes(array)) return { text: '[...]', taint: 0 };
  let taint = arrayTaint(machine, array, 0, array.elements.length);
  const type = array.cls.component?.descriptor ?? REFERENCE;
  const texts = Array.from(array.elements as ArrayLike<Value>, (element) => {
    if (typeof element === 'number' || typeof element === 'bigint') return textOfElement(type, element);
    if (element instanceof JavaArray && outer.length < 20) {
      const inner = deepText(machine, element, [...outer, array]);
      taint = machine.union(taint, inner.taint);
      return inner.text;
    }
    const text = machine.toText(element);
    taint = machine.union(taint, text.taint);
    return text.text;
  });
  return { text: `[${texts.join(', ')}]`, taint };
}

function deepEquals(machine: Machine, a: Value, b: Value, depth: number): boolean {
  if (a === b) return true;
  if (a instanceof JavaArray && b instanceof JavaArray && depth < 50) {
    if (a.cls !== b.cls || a.elements.length !== b.elements.length) return false;
    return Array.from(a.elements as ArrayLike<Value>).every((value, index) =>
      deepEquals(machine, value, (b.elements as ArrayLike<Value>)[index]!, depth + 1),
    );
  }
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return machine.equals(a, b);
}

function deepHash(machine: Machine, array: JavaArray, depth: number): number {
  const type = array.cls.component?.descriptor ?? REFERENCE;
  let hash = 1;
  for (const element of array.elements as Iterable<Value>) {
    let own: number;
    if (typeof element === 'number' || typeof element === 'bigint') own = hashOfElement(type, element);
    else if (element instanceof JavaArray && depth < 50) own = deepHash(machine, element, depth + 1);
    else own = machine.hashCode(element);
    hash = (Math.imul(31, hash) + own) | 0;
  }
  return hash;
}

const referenceMethods: Record<string, StaticMethod> = {
  'asList([Ljava/lang/Object;)Ljava/util/List;': (machine, array: JavaArray) =>
    instance(machine, 'Ljava/util/Arrays$ArrayList;', new ArrayBacked(required(machine, array))),
  'toString([Ljava/lang/Object;)Ljava/lang/String;': (machine, array: JavaArray | null) => {
    if (array === null) return machine.string('null');
    const texts = referencesOf(array).map((element) => machine.toText(element));
    const taint = texts.reduce((all, text) => machine.union(all, text.taint), 0);
    return machine.string(`[${texts.map((text) => text.text).join(', ')}]`, taint);
  },
  'deepToString([Ljava/lang/Object;)Ljava/lang/String;': (machine, array: JavaArray | null) => {
    if (array === null) return machine.string('null');
    const { text, taint } = deepText(machine, array, []);
    return machine.string(text, taint);
  },
  'equals([Ljava/lang/Object;[Ljava/lang/Object;)Z': (machine, a: JavaArray | null, b: JavaArray | null) => {
    if (a === b) return 1;
    if (a === null || b === null || a.elements.length !== b.elements.length) return 0;
    const right = referencesOf(b);
    return flag(referencesOf(a).every((element, index) => machine.equals(element, right[index]!)));
  },
  'deepEquals([Ljava/lang/Object;[Ljava/lang/Object;)Z': (machine, a: JavaArray | null, b: JavaArray | null) =>
    deepEquals(machine, a, b, 0),
  'hashCode([Ljava/lang/Object;)I': (machine, array: JavaArray | null) => {
    if (array === null) return 0;
    let hash = 1;
    for (const element of referencesOf(array)) hash = (Math.imul(31, hash) + machine.hashCode(element)) | 0;
    return hash;
  },
  'deepHashCode([Ljava/lang/Object;)I': (machine, array: JavaArray | null) =>
    array === null ? 0 : deepHash(machine, array, 0),
  'fill([Ljava/lang/Object;Ljava/lang/Object;)V': (machine, array: JavaArray, value: Reference) => {
    referencesOf(required(machine, array)).fill(value);
  },
  'fill(![Ljava/lang/Object;IILjava/lang/Object;)V': (machine, array: JavaArray, from: number, to: number, value) => {
    checkOrder(machine, required(machine, array), from, to);
    referencesOf(array).fill(value, from, to);
  },
  'copyOf([Ljava/lang/Object;I)[Ljava/lang/Object;': (machine, array: JavaArray, length: number) =>
    copyRange(machine, array, 0, checkedLength(machine, length)),
  'copyOf([Ljava/lang/Object;I!Ljava/lang/Class;)[Ljava/lang/Object;': (machine, array, length: number, cls) =>
    copyRange(machine, array, 0, checkedLength(machine, length), machine.classFrom(cls).component?.descriptor),
  'copyOfRange([Ljava/lang/Object;II)[Ljava/lang/Object;': (machine, array: JavaArray, from: number, to: number) =>
    copyRange(machine, array, from, to),
  'sort(![Ljava/lang/Object;)V': (machine, array: JavaArray) =>
    sortRange(machine, required(machine, array), 0, array.elements.length, naturalOrder),
  'sort([Ljava/lang/Object;II)V': (machine, array: JavaArray, from: number, to: number) =>
    sortRange(machine, required(machine, array), from, to, naturalOrder),
  'sort(![Ljava/lang/Object;Ljava/util/Comparator;)V': (machine, array: JavaArray, order: Reference) =>
    sortRange(machine, required(machine, array), 0, array.elements.length, orderOf(order)),
  'sort([Ljava/lang/Object;IILjava/util/Comparator;)V': (machine, array: JavaArray, from: number, to: number, order) =>
    sortRange(machine, required(machine, array), from, to, orderOf(order)),
  'binarySearch(![Ljava/lang/Object;Ljava/lang/Object;)I': (machine, array: JavaArray, key: Reference) =>
    binarySearch(array.elements.length, (index) => naturalOrder(machine, key, referencesOf(array)[index]!)),
  'binarySearch(![Ljava/lang/Object;Ljava/lang/Object;Ljava/util/Comparator;)I': (
    machine,
    array: JavaArray,
    key,
    order,
  ) => binarySearch(array.elements.length, (index) => orderOf(order)(machine, key, referencesOf(array)[index]!)),
  'stream([Ljava/lang/Object;)Ljava/util/stream/Stream;': (machine, array: JavaArray) =>
    referenceStream(machine, referencesOf(required(machine, array)).slice()),
  'stream(![Ljava/lang/Object;II)Ljava/util/stream/Stream;': (machine, array: JavaArray, from: number, to: number) =>
    referenceStream(machine, referencesOf(array).slice(from, to)),
  'stream([I)Ljava/util/stream/IntStream;': (machine, array: JavaArray) => boxedStream(machine, 'I', array),
  'stream([J)Ljava/util/stream/LongStream;': (machine, array: JavaArray) => boxedStream(machine, 'J', array),
  'stream([D)Ljava/util/stream/DoubleStream;': (machine, array: JavaArray) => boxedStream(machine, 'D', array),
};

function boxedStream(machine: Machine, type: 'I' | 'J' | 'D', array: JavaArray): HeapObject {
  const boxes = Array.from(numbers(required(machine, array)) as ArrayLike<number | bigint>, (value, index) =>
    machine.box(type, value, array.elementTaints?.[index] ?? array.taint),
  );
  return numberStream(machine, type, boxes);
}

function tables(): ModelClass {
  const methods: Record<string, NativeMethod> = { ...referenceMethods };
  const pure: Record<string, NativeMethod> = {};
  for (const type of PRIMITIVES) forType(methods, pure, type);
  return { staticMethods: methods, pureStatic: pure };
}

export const arraysModels: Record<string, ModelClass> = { 'Ljava/util/Arrays;': tables() };
