// java.lang.Number and the boxes of whole numbers: Integer, Long, Short, Byte. Knows no floating point.
import type { HeapObject, JavaString } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods, StaticMethods } from '../../machine/model.ts';
import { javaHooks } from '../hooks.ts';
import { optionalText, type Reference, required } from '../values.ts';
import { decodeIntegerText, longHash, parseBounded } from './number-text.ts';

interface Width {
  readonly primitive: 'I' | 'J' | 'S' | 'B';
  readonly descriptor: string;
  readonly bits: number;
  readonly name: string;
}

const INTEGER: Width = { primitive: 'I', descriptor: 'Ljava/lang/Integer;', bits: 32, name: 'Int' };
const LONG: Width = { primitive: 'J', descriptor: 'Ljava/lang/Long;', bits: 64, name: 'Long' };
const SHORT: Width = { primitive: 'S', descriptor: 'Ljava/lang/Short;', bits: 16, name: 'Short' };
const BYTE: Width = { primitive: 'B', descriptor: 'Ljava/lang/Byte;', bits: 8, name: 'Byte' };

/** The number in a box that is known to be one. @throws JavaThrow NullPointerException */
export function boxed(machine: Machine, object: Reference): number | bigint {
  return machine.unbox(required(machine, object)) ?? 0;
}

export function numberFormat(machine: Machine, text: string | null) {
  return machine.exception(
    'Ljava/lang/NumberFormatException;',
    text === null ? 'Cannot parse null string: null' : `For input string: "${text}"`,
  );
}

/** Fills a box that `new-instance` made. */
export function fillBox(machine: Machine, self: HeapObject, value: number | bigint): undefined {
  self.native = value;
  self.taint = machine.argumentTaint(1);
}

function limits(width: Width): [bigint, bigint] {
  const half = 1n << BigInt(width.bits - 1);
  return [-half, half - 1n];
}

function parse(machine: Machine, width: Width, text: Reference, radix: number): number | bigint {
  const digits = optionalText(text);
  if (digits !== null) javaHooks(machine).counted(machine, digits, 'number');
  const value = parseBounded(digits, radix, ...limits(width));
  if (value === null) {
    if (radix === 16 && digits !== null) javaHooks(machine).soughtDigits(digits);
    throw numberFormat(machine, digits);
  }
  return width.primitive === 'J' ? value : Number(value);
}

function decoded(machine: Machine, width: Width, text: Reference): number | bigint {
  const [minimum, maximum] = limits(width);
  const value = decodeIntegerText(optionalText(text) ?? '');
  if (value === null || value < minimum || value > maximum) throw numberFormat(machine, optionalText(text));
  return width.primitive === 'J' ? value : Number(value);
}

/** A box; from -128 to 127 the cached one, unless the number is tainted. */
function boxOf(machine: Machine, width: Width, value: number | bigint): HeapObject {
  const taint = machine.argumentTaint(0);
  if (taint !== 0 || value < -128 || value > 127) return machine.box(width.primitive, value, taint);
  const cache = machine.state(`java.cache.${width.primitive}`, () => new Map<number, HeapObject>());
  const key = Number(value);
  let known = cache.get(key);
  if (known === undefined) {
    known = machine.box(width.primitive, value);
    cache.set(key, known);
  }
  return known;
}

/** What every `Number` subclass converts to. */
export const conversions: NativeMethods = {
  'intValue()I': (machine, self: Reference) => {
    const value = boxed(machine, self);
    return typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : saturate(value);
  },
  'longValue()J': (machine, self: Reference) => {
    const value = boxed(machine, self);
    if (typeof value === 'bigint') return value;
    if (Number.isNaN(value)) return 0n;
    if (value >= 2 ** 63) return 2n ** 63n - 1n;
    return value <= -(2 ** 63) ? -(2n ** 63n) : BigInt(Math.trunc(value));
  },
  'shortValue()S': (machine, self: Reference) => (toInt(boxed(machine, self)) << 16) >> 16,
  'byteValue()B': (machine, self: Reference) => (toInt(boxed(machine, self)) << 24) >> 24,
  'floatValue()F': (machine, self: Reference) => Math.fround(Number(boxed(machine, self))),
  'doubleValue()D': (machine, self: Reference) => Number(boxed(machine, self)),
};

function toInt(value: number | bigint): number {
  return typeof value === 'bigint' ? Number(BigInt.asIntN(32, value)) : saturate(value);
}

function saturate(value: number): number {
  if (Number.isNaN(value)) return 0;
  return Math.max(-2147483648, Math.min(2147483647, Math.trunc(value)));
}

function unsignedText(value: number | bigint, width: Width, radix: number): string {
  return BigInt.asUintN(width.bits, BigInt(value)).toString(radix);
}

function compare(a: number | bigint, b: number | bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function radixOf(radix: number): number {
  return radix < 2 || radix > 36 ? 10 : radix;
}

function instanceMethods(width: Width): NativeMethods {
  return {
    ...conversions,
    'toString()Ljava/lang/String;': (machine, self: Reference) => machine.string(String(boxed(machine, self))),
    'hashCode()I': (machine, self: Reference) => {
      const value = boxed(machine, self);
      return typeof value === 'bigint' ? longHash(value) : value;
    },
    'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
      other !== null && other.cls === self.cls && boxed(machine, self) === machine.unbox(other),
    [`compareTo(${width.descriptor})I`]: (machine, self: Reference, other: Reference) =>
      width.bits < 32
        ? Number(boxed(machine, self)) - Number(boxed(machine, other))
        : compare(boxed(machine, self), boxed(machine, other)),
    'compareTo(Ljava/lang/Object;)I': (machine, self: Reference, other: Reference) =>
      width.bits < 32
        ? Number(boxed(machine, self)) - Number(boxed(machine, other))
        : compare(boxed(machine, self), boxed(machine, other)),
  };
}

function staticMethods(width: Width): StaticMethods {
  const { primitive: p, descriptor, name } = width;
  return {
    [`parse${name}(Ljava/lang/String;)${p}`]: (machine, text: Reference) => parse(machine, width, text, 10),
    [`parse${name}(Ljava/lang/String;I)${p}`]: (machine, text: Reference, radix: number) =>
      parse(machine, width, text, radix),
    [`valueOf(Ljava/lang/String;)${descriptor}`]: (machine, text: Reference) =>
      machine.box(p, parse(machine, width, text, 10), text?.taint),
    [`valueOf(Ljava/lang/String;I)${descriptor}`]: (machine, text: Reference, radix: number) =>
      machine.box(p, parse(machine, width, text, radix), text?.taint),
    [`decode(Ljava/lang/String;)${descriptor}`]: (machine, text: Reference) =>
      machine.box(p, decoded(machine, width, text), text?.taint),
    [`toString(${p})Ljava/lang/String;`]: (machine, value: number) => machine.string(String(value)),
    [`hashCode(${p})I`]: (_machine, value: number | bigint) => (typeof value === 'bigint' ? longHash(value) : value),
    [`compare(${p}${p})I`]: (_machine, a: number | bigint, b: number | bigint) =>
      width.bits < 32 ? Number(a) - Number(b) : compare(a, b),
  };
}

/** What Integer and Long share beyond. */
function wideStatics(width: Width): StaticMethods {
  const { primitive: p, bits } = width;
  const make = (value: bigint): number | bigint =>
    bits === 64 ? BigInt.asIntN(64, value) : Number(BigInt.asIntN(32, value));
  const unsigned = (value: number | bigint): bigint => BigInt.asUintN(bits, BigInt(value));
  const count = (value: number | bigint): number => unsigned(value).toString(2).replaceAll('0', '').length;
  const leading = (value: number | bigint): number => {
    const u = unsigned(value);
    return u === 0n ? bits : bits - u.toString(2).length;
  };
  const trailing = (value: number | bigint): number => {
    const text = unsigned(value).toString(2);
    return text === '0' ? bits : text.length - 1 - text.lastIndexOf('1');
  };
  const rotate = (value: number | bigint, distance: number): number | bigint => {
    const u = unsigned(value);
    const left = BigInt(((distance % bits) + bits) % bits);
    return make((u << left) | (u >> (BigInt(bits) - left)));
  };
  return {
    ...staticMethods(width),
    [`toString(${p}I)Ljava/lang/String;`]: (machine, value: number | bigint, radix: number) =>
      machine.string(value.toString(radixOf(radix))),
    [`toHexString(${p})Ljava/lang/String;`]: (machine, value: number | bigint) =>
      machine.string(unsignedText(value, width, 16)),
    [`toOctalString(${p})Ljava/lang/String;`]: (machine, value: number | bigint) =>
      machine.string(unsignedText(value, width, 8)),
    [`toBinaryString(${p})Ljava/lang/String;`]: (machine, value: number | bigint) =>
      machine.string(unsignedText(value, width, 2)),
    [`toUnsignedString(${p})Ljava/lang/String;`]: (machine, value: number | bigint) =>
      machine.string(unsignedText(value, width, 10)),
    [`toUnsignedString(${p}I)Ljava/lang/String;`]: (machine, value: number | bigint, radix: number) =>
      machine.string(unsignedText(value, width, radixOf(radix))),
    [`parseUnsigned${width.name}(Ljava/lang/String;)${p}`]: (machine, text: Reference) =>
      parseUnsigned(machine, width, text, 10),
    [`parseUnsigned${width.name}(Ljava/lang/String;I)${p}`]: (machine, text: Reference, radix: number) =>
      parseUnsigned(machine, width, text, radix),
    [`compareUnsigned(${p}${p})I`]: (_machine, a: number | bigint, b: number | bigint) =>
      compare(unsigned(a), unsigned(b)),
    [`divideUnsigned(${p}${p})${p}`]: (machine, a: number | bigint, b: number | bigint) => {
      if (BigInt(b) === 0n) throw machine.exception('Ljava/lang/ArithmeticException;', 'divide by zero');
      return make(unsigned(a) / unsigned(b));
    },
    [`remainderUnsigned(${p}${p})${p}`]: (machine, a: number | bigint, b: number | bigint) => {
      if (BigInt(b) === 0n) throw machine.exception('Ljava/lang/ArithmeticException;', 'divide by zero');
      return make(unsigned(a) % unsigned(b));
    },
    [`bitCount(${p})I`]: (_machine, value: number | bigint) => count(value),
    [`numberOfLeadingZeros(${p})I`]: (_machine, value: number | bigint) => leading(value),
    [`numberOfTrailingZeros(${p})I`]: (_machine, value: number | bigint) => trailing(value),
    [`highestOneBit(${p})${p}`]: (_machine, value: number | bigint) => {
      const zeros = leading(value);
      return make(zeros === bits ? 0n : 1n << BigInt(bits - 1 - zeros));
    },
    [`lowestOneBit(${p})${p}`]: (_machine, value: number | bigint) => make(BigInt(value) & -BigInt(value)),
    [`rotateLeft(${p}I)${p}`]: (_machine, value: number | bigint, distance: number) => rotate(value, distance),
    [`rotateRight(${p}I)${p}`]: (_machine, value: number | bigint, distance: number) => rotate(value, -distance),
    [`reverse(${p})${p}`]: (_machine, value: number | bigint) =>
      make(BigInt(`0b${[...unsigned(value).toString(2).padStart(bits, '0')].reverse().join('')}`)),
    [`reverseBytes(${p})${p}`]: (_machine, value: number | bigint) =>
      make(
        BigInt(
          `0x${unsigned(value)
            .toString(16)
            .padStart(bits / 4, '0')
            .match(/../g)!
            .reverse()
            .join('')}`,
        ),
      ),
    [`signum(${p})I`]: (_machine, value: number | bigint) => compare(value, bits === 64 ? 0n : 0),
    [`sum(${p}${p})${p}`]: (_machine, a: number | bigint, b: number | bigint) => make(BigInt(a) + BigInt(b)),
    [`max(${p}${p})${p}`]: (_machine, a: number | bigint, b: number | bigint) => (a > b ? a : b),
    [`min(${p}${p})${p}`]: (_machine, a: number | bigint, b: number | bigint) => (a < b ? a : b),
  };
}

function parseUnsigned(machine: Machine, width: Width, text: Reference, radix: number): number | bigint {
  const value = parseBounded(optionalText(text), radix, 0n, (1n << BigInt(width.bits)) - 1n);
  if (value === null) throw numberFormat(machine, optionalText(text));
  return width.bits === 64 ? BigInt.asIntN(64, value) : Number(BigInt.asIntN(32, value));
}

function boxModel(width: Width, pureStatic: StaticMethods): ModelClass {
  const { primitive: p, descriptor } = width;
  const [minimum, maximum] = limits(width);
  const isWide = width.bits === 64;
  return {
    extends: 'Ljava/lang/Number;',
    implements: ['Ljava/lang/Comparable;'],
    methods: {
      [`<init>(${p})V`]: (machine, self, value: number | bigint) => fillBox(machine, self, value),
      '<init>(Ljava/lang/String;)V': (machine, self, text: Reference) =>
        fillBox(machine, self, parse(machine, width, text, 10)),
    },
    staticMethods: { [`valueOf(${p})${descriptor}`]: (machine, value: number) => boxOf(machine, width, value) },
    pure: instanceMethods(width),
    pureStatic,
    constants: {
      [`MIN_VALUE:${p}`]: isWide ? minimum : Number(minimum),
      [`MAX_VALUE:${p}`]: isWide ? maximum : Number(maximum),
      'SIZE:I': width.bits,
      'BYTES:I': width.bits / 8,
      'TYPE:Ljava/lang/Class;': (machine) => machine.classObject(machine.classOf(p)),
    },
  };
}

const unsignedNarrow = (p: string, mask: number): StaticMethods => ({
  [`toUnsignedInt(${p})I`]: (_machine, value: number) => value & mask,
  [`toUnsignedLong(${p})J`]: (_machine, value: number) => BigInt(value & mask),
});

function property(machine: Machine, name: JavaString | null): Reference {
  if (name === null) return null;
  return machine.callStatic(
    'Ljava/lang/System;',
    'getProperty(Ljava/lang/String;)Ljava/lang/String;',
    name,
  ) as Reference;
}

export const integerBoxModels: Record<string, ModelClass> = {
  'Ljava/lang/Number;': {
    isAbstract: true,
    implements: ['Ljava/io/Serializable;'],
    methods: {
      '<init>()V': () => undefined,
      'byteValue()B': (machine, self) => ((machine.call(self, 'intValue()I') as number) << 24) >> 24,
      'shortValue()S': (machine, self) => ((machine.call(self, 'intValue()I') as number) << 16) >> 16,
    },
    abstractMethods: ['intValue()I', 'longValue()J', 'floatValue()F', 'doubleValue()D'],
  },
  [INTEGER.descriptor]: boxModel(INTEGER, {
    ...wideStatics(INTEGER),
    'toUnsignedLong(I)J': (_machine, value: number) => BigInt(value >>> 0),
    'getInteger(Ljava/lang/String;)Ljava/lang/Integer;': (machine, name: JavaString) => {
      const value = parseBounded(optionalText(property(machine, name)), 10, ...limits(INTEGER));
      return value === null ? null : machine.box('I', Number(value));
    },
    'getInteger(Ljava/lang/String;I)Ljava/lang/Integer;': (machine, name: JavaString, otherwise: number) => {
      const value = parseBounded(optionalText(property(machine, name)), 10, ...limits(INTEGER));
      return machine.box('I', value === null ? otherwise : Number(value));
    },
    // Bit operations are hot in decryption loops: plain numbers here, in place of the bigints that Long shares.
    'bitCount(I)I': (_machine, value: number) => {
      let v = value - ((value >>> 1) & 0x55555555);
      v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
      return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    },
    'numberOfLeadingZeros(I)I': (_machine, value: number) => Math.clz32(value),
    'rotateLeft(II)I': (_machine, value: number, distance: number) => (value << distance) | (value >>> -distance),
    'rotateRight(II)I': (_machine, value: number, distance: number) => (value >>> distance) | (value << -distance),
    'toHexString(I)Ljava/lang/String;': (machine, value: number) => machine.string((value >>> 0).toString(16)),
    'sum(II)I': (_machine, a: number, b: number) => (a + b) | 0,
  }),
  [LONG.descriptor]: boxModel(LONG, wideStatics(LONG)),
  [SHORT.descriptor]: boxModel(SHORT, {
    ...staticMethods(SHORT),
    ...unsignedNarrow('S', 0xffff),
    'reverseBytes(S)S': (_machine, value: number) => (((value & 0xff) << 24) >> 16) | ((value >> 8) & 0xff),
  }),
  [BYTE.descriptor]: boxModel(BYTE, { ...staticMethods(BYTE), ...unsignedNarrow('B', 0xff) }),
};
