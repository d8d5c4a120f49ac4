// Boxing, unboxing and widening between the types of a call and of what is called. Knows no handles and no reflection.
import { HeapObject, JavaThrow, type Value } from './heap.ts';
import { defaultValue } from './linked-class.ts';
import type { Runtime } from './runtime.ts';

export const boxes: Readonly<Record<string, string>> = {
  Z: 'Ljava/lang/Boolean;',
  B: 'Ljava/lang/Byte;',
  S: 'Ljava/lang/Short;',
  C: 'Ljava/lang/Character;',
  I: 'Ljava/lang/Integer;',
  J: 'Ljava/lang/Long;',
  F: 'Ljava/lang/Float;',
  D: 'Ljava/lang/Double;',
};
/** The primitive of each box. */
export const primitives: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(boxes).map(([primitive, box]) => [box, primitive]),
);

const isPrimitive = (descriptor: string) => descriptor.length === 1;

/** Types that a primitive widens to. https://docs.oracle.com/javase/specs/jls/se17/html/jls-5.html#jls-5.1.2 */
const widenings: Readonly<Record<string, string>> = {
  B: 'BSIJFD',
  S: 'SIJFD',
  C: 'CIJFD',
  I: 'IJFD',
  J: 'JFD',
  F: 'FD',
  D: 'D',
  Z: 'Z',
};

/** A primitive as another that it widens to; null where it does not. */
export function widen(value: number | bigint, from: string, to: string): number | bigint | null {
  if (!(widenings[from] ?? '').includes(to)) return null;
  if (to === 'J') return typeof value === 'bigint' ? value : BigInt(value);
  if (to === 'F') return Math.fround(Number(value));
  return to === 'D' ? Number(value) : value;
}

/** The primitive that a box is of, null for other objects. */
export function boxedPrimitive(object: HeapObject): string | null {
  return primitives[object.cls.descriptor] ?? null;
}

/**
 * A value of one type as another. @throws JavaThrow ClassCastException, NullPointerException, WrongMethodTypeException
 */
export function convertValue(vm: Runtime, value: Value, from: string, to: string): Value {
  if (from === to) return value;
  if (from === 'V') return defaultValue(to);
  if (isPrimitive(from)) {
    if (isPrimitive(to)) {
      const widened = widen(value as number | bigint, from, to);
      if (widened === null) {
        throw vm.exception('Ljava/lang/invoke/WrongMethodTypeException;', `cannot convert ${from} to ${to}`);
      }
      return widened;
    }
    return vm.box(primitives[to] ?? from, value as number | bigint);
  }
  if (isPrimitive(to)) {
    if (value === null) throw vm.exception('Ljava/lang/NullPointerException;', 'a null box');
    const primitive = value instanceof HeapObject ? boxedPrimitive(value) : null;
    const number = value instanceof HeapObject ? (value.native as number | bigint) : null;
    const widened = primitive === null || number === null ? null : widen(number, primitive, to);
    if (widened === null) {
      throw vm.exception('Ljava/lang/ClassCastException;', `${(value as HeapObject).cls.name} cannot be cast to ${to}`);
    }
    return widened;
  }
  if (value instanceof HeapObject) {
    const cls = vm.linker.find(to);
    if (cls !== null && !cls.isInterface && !vm.isInstanceOf(value, cls)) throw new JavaThrow(vm.classCast(value, cls));
  }
  return value;
}
