// Reading and making Java values inside models: null checks, exceptions, bytes and characters with their taint. Knows no class in particular.
import { type HeapObject, JavaArray, JavaString, type JavaThrow, type Taint } from '../machine/heap.ts';
import type { Machine, NativeMethod } from '../machine/model.ts';

export type Reference = HeapObject | null;

/** Most bytes a model takes from one stream, file or archive into one buffer: what a phone's heap would hold. */
export const MAXIMUM_BUFFER_BYTES = 64 << 20;

export function nullPointer(machine: Machine, message?: string): JavaThrow {
  return machine.exception('Ljava/lang/NullPointerException;', message);
}

export function illegalArgument(machine: Machine, message?: string): JavaThrow {
  return machine.exception('Ljava/lang/IllegalArgumentException;', message);
}

export function illegalState(machine: Machine, message?: string): JavaThrow {
  return machine.exception('Ljava/lang/IllegalStateException;', message);
}

export function outOfBounds(machine: Machine, message: string): JavaThrow {
  return machine.exception('Ljava/lang/IndexOutOfBoundsException;', message);
}

export function unsupported(machine: Machine, message?: string): JavaThrow {
  return machine.exception('Ljava/lang/UnsupportedOperationException;', message);
}

export function ioException(machine: Machine, message?: string): JavaThrow {
  return machine.exception('Ljava/io/IOException;', message);
}

/** @throws JavaThrow NullPointerException */
export function required<T extends object>(machine: Machine, value: T | null | undefined, what?: string): T {
  if (value === null || value === undefined) throw nullPointer(machine, what);
  return value;
}

/** The text of a `java.lang.String`. @throws JavaThrow NullPointerException */
export function textOf(machine: Machine, value: Reference): string {
  if (value instanceof JavaString) return value.text;
  if (value === null || value === undefined) throw nullPointer(machine);
  return charSequenceText(machine, value);
}

/** The text of a string or null. */
export function optionalText(value: Reference): string | null {
  return value instanceof JavaString ? value.text : null;
}

/** The text of any CharSequence, `null` as Java writes it. */
export function charSequenceText(machine: Machine, value: Reference): string {
  if (value instanceof JavaString) return value.text;
  if (value === null || value === undefined) return 'null';
  return machine.toText(value).text;
}

/** The taint of an object as a value: its own, or that of an array's elements as well. */
export function objectTaint(machine: Machine, value: Reference): Taint {
  if (value === null || value === undefined) return 0;
  if (value instanceof JavaArray) return arrayTaint(machine, value, 0, value.elements.length);
  return value.taint;
}

/** The union of the taints of an array's elements in [from, to) and of the array itself. */
export function arrayTaint(machine: Machine, array: JavaArray, from: number, to: number): Taint {
  let taint = array.taint;
  const taints = array.elementTaints;
  if (taints !== null) {
    let last: Taint = 0;
    for (let index = from; index < to; index++) {
      const here = taints[index] ?? 0;
      if (here !== 0 && here !== last) {
        taint = machine.union(taint, here);
        last = here;
      }
    }
  }
  return taint;
}

/** Gives the elements in [from, to) of an array of numbers the taint, in place of what they had. */
export function setElementTaint(array: JavaArray, from: number, to: number, taint: Taint): void {
  if (array.elementTaints === null) {
    if (taint === 0) return;
    array.elementTaints = new Array<Taint>(array.elements.length).fill(0);
  }
  array.elementTaints.fill(taint, from, to);
}

/** Copies taints along with elements; also an array's own taint, which stands for all its elements. */
export function copyElementTaints(
  machine: Machine,
  source: JavaArray,
  sourceStart: number,
  target: JavaArray,
  targetStart: number,
  length: number,
): void {
  const own = source.taint;
  const from = source.elementTaints;
  if (from === null) {
    setElementTaint(target, targetStart, targetStart + length, own);
    return;
  }
  target.elementTaints ??= new Array<Taint>(target.elements.length).fill(0);
  const moved = from.slice(sourceStart, sourceStart + length);
  for (let index = 0; index < length; index++) {
    const taint = moved[index] ?? 0;
    target.elementTaints[targetStart + index] = own === 0 ? taint : machine.union(own, taint);
  }
}

/** The bytes of a Java `byte[]`, not copied. */
export function bytesOf(array: JavaArray): Uint8Array {
  const elements = array.elements as Int8Array;
  return new Uint8Array(elements.buffer, elements.byteOffset, elements.byteLength);
}

/** The characters of a Java `char[]` as text. */
export function charsToText(elements: Uint16Array, from = 0, to = elements.length): string {
  // String.fromCharCode takes its code units as arguments: pieces keep within the stack.
  if (to - from <= 4096) return String.fromCharCode.apply(null, elements.subarray(from, to) as unknown as number[]);
  const pieces: string[] = [];
  for (let start = from; start < to; start += 4096) {
    pieces.push(
      String.fromCharCode.apply(null, elements.subarray(start, Math.min(to, start + 4096)) as unknown as number[]),
    );
  }
  return pieces.join('');
}

/** A Java `char[]` of a text, each with the taint. */
export function charArray(machine: Machine, text: string, taint: Taint = 0): JavaArray {
  const array = machine.array('C', text.length);
  const elements = array.elements as Uint16Array;
  for (let index = 0; index < text.length; index++) elements[index] = text.charCodeAt(index);
  setElementTaint(array, 0, text.length, taint);
  return array;
}

/** A Java `String[]`. */
export function stringArray(machine: Machine, texts: readonly string[], taint: Taint = 0): JavaArray {
  return machine.objectArray(
    'Ljava/lang/String;',
    texts.map((text) => machine.string(text, taint)),
  );
}

/** The references of a Java `Object[]`. */
export function referencesOf(array: JavaArray): Reference[] {
  return array.elements as Reference[];
}

/** @throws JavaThrow IndexOutOfBoundsException where [offset, offset + length) does not lie in [0, size) */
export function checkRange(machine: Machine, offset: number, length: number, size: number): void {
  if (offset < 0 || length < 0 || offset + length > size) {
    throw outOfBounds(machine, `Range [${offset}, ${offset} + ${length}) out of bounds for length ${size}`);
  }
}

/** An object of a modelled class with its state, no constructor run. */
export function instance(machine: Machine, descriptor: string, native: unknown, taint: Taint = 0): HeapObject {
  const object = machine.allocate(descriptor);
  object.native = native;
  object.taint = taint;
  return object;
}

/** A Java boolean. */
export function flag(value: boolean): number {
  return value ? 1 : 0;
}

/** A model method that does nothing: constructors of classes without state. */
export function nothing(): undefined {
  return undefined;
}

/** A constructor that makes the object's state of its arguments. */
export const made =
  // biome-ignore lint/suspicious/noExplicitAny: a model knows its parameters from the signature it stands under
    (make: (machine: Machine, ...args: any[]) => unknown): NativeMethod =>
    (machine, me, ...args) => {
      me.native = make(machine, ...args);
    };
