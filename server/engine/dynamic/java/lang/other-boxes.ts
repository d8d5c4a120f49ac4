// java.lang.Boolean, Float, Double and Void. Knows no whole numbers.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods, StaticMethods } from '../../machine/model.ts';
import { flag, optionalText, type Reference, required } from '../values.ts';
import { boxed, conversions, fillBox, numberFormat } from './integer-boxes.ts';
import {
  bitsDouble,
  bitsFloat,
  doubleBits,
  doubleText,
  floatBits,
  floatText,
  longHash,
  parseDoubleText,
} from './number-text.ts';

function number(machine: Machine, self: Reference): number {
  return Number(boxed(machine, self));
}

function parse(machine: Machine, text: Reference): number {
  const value = parseDoubleText(
    required(machine, optionalText(text) === null ? null : { text: optionalText(text)! }).text,
  );
  if (value === null) throw numberFormat(machine, optionalText(text));
  return value;
}

/** The order of `Double.compare`: -0.0 before 0.0, NaN last. */
export function compareDoubles(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  const left = doubleBits(a);
  const right = doubleBits(b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function isTrue(text: Reference): number {
  return flag(optionalText(text)?.toLowerCase() === 'true');
}

function theBoolean(machine: Machine, value: number): HeapObject {
  const taint = machine.argumentTaint(0);
  if (taint !== 0) return machine.box('Z', value, taint);
  return machine.getStatic('Ljava/lang/Boolean;', value !== 0 ? 'TRUE' : 'FALSE') as HeapObject;
}

const booleanModel: ModelClass = {
  implements: ['Ljava/io/Serializable;', 'Ljava/lang/Comparable;'],
  methods: {
    '<init>(Z)V': (machine, self, value: number) => fillBox(machine, self, value),
    '<init>(Ljava/lang/String;)V': (machine, self, text: Reference) => fillBox(machine, self, isTrue(text)),
  },
  staticMethods: {
    'valueOf(Z)Ljava/lang/Boolean;': theBoolean,
    'valueOf(Ljava/lang/String;)Ljava/lang/Boolean;': (machine, text: Reference) => theBoolean(machine, isTrue(text)),
  },
  pure: {
    'booleanValue()Z': number,
    'toString()Ljava/lang/String;': (machine, self: Reference) =>
      machine.string(number(machine, self) !== 0 ? 'true' : 'false'),
    'hashCode()I': (machine, self: Reference) => (number(machine, self) !== 0 ? 1231 : 1237),
    'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
      other !== null && other.cls === self.cls && number(machine, self) === number(machine, other),
    'compareTo(Ljava/lang/Boolean;)I': (machine, self: Reference, other: Reference) =>
      number(machine, self) - number(machine, other),
    'compareTo(Ljava/lang/Object;)I': (machine, self: Reference, other: Reference) =>
      number(machine, self) - number(machine, other),
  },
  pureStatic: {
    'parseBoolean(Ljava/lang/String;)Z': (_machine, text: Reference) => isTrue(text),
    'toString(Z)Ljava/lang/String;': (machine, value: number) => machine.string(value !== 0 ? 'true' : 'false'),
    'hashCode(Z)I': (_machine, value: number) => (value !== 0 ? 1231 : 1237),
    'compare(ZZ)I': (_machine, a: number, b: number) => a - b,
    'logicalAnd(ZZ)Z': (_machine, a: number, b: number) => a & b,
    'logicalOr(ZZ)Z': (_machine, a: number, b: number) => a | b,
    'logicalXor(ZZ)Z': (_machine, a: number, b: number) => a ^ b,
    'getBoolean(Ljava/lang/String;)Z': (machine, name: Reference) =>
      isTrue(
        machine.callStatic(
          'Ljava/lang/System;',
          'getProperty(Ljava/lang/String;)Ljava/lang/String;',
          name,
        ) as Reference,
      ),
  },
  constants: {
    'TRUE:Ljava/lang/Boolean;': (machine) => machine.box('Z', 1),
    'FALSE:Ljava/lang/Boolean;': (machine) => machine.box('Z', 0),
    'TYPE:Ljava/lang/Class;': (machine) => machine.classObject(machine.classOf('Z')),
  },
};

function floatingMethods(text: (value: number) => string, hash: (value: number) => number, own: string): NativeMethods {
  const order = (machine: Machine, self: Reference, other: Reference) =>
    compareDoubles(number(machine, self), number(machine, other));
  return {
    ...conversions,
    'toString()Ljava/lang/String;': (machine, self: Reference) => machine.string(text(number(machine, self))),
    'hashCode()I': (machine, self: Reference) => hash(number(machine, self)),
    'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
      other !== null &&
      other.cls === self.cls &&
      doubleBits(number(machine, self)) === doubleBits(number(machine, other)),
    [`compareTo(${own})I`]: order,
    'compareTo(Ljava/lang/Object;)I': order,
    'isNaN()Z': (machine, self: Reference) => Number.isNaN(number(machine, self)),
    'isInfinite()Z': (machine, self: Reference) => Math.abs(number(machine, self)) === Infinity,
  };
}

function floatingStatics(p: 'F' | 'D', text: (value: number) => string, hash: (value: number) => number, own: string) {
  const round = p === 'F' ? Math.fround : (value: number) => value;
  return {
    [`parse${p === 'F' ? 'Float' : 'Double'}(Ljava/lang/String;)${p}`]: (machine, value: Reference) =>
      round(parse(machine, value)),
    [`valueOf(Ljava/lang/String;)${own}`]: (machine, value: Reference) =>
      machine.box(p, round(parse(machine, value)), value?.taint),
    [`valueOf(${p})${own}`]: (machine, value: number) => machine.box(p, value, machine.argumentTaint(0)),
    [`toString(${p})Ljava/lang/String;`]: (machine, value: number) => machine.string(text(value)),
    [`compare(${p}${p})I`]: (_machine, a: number, b: number) => compareDoubles(a, b),
    [`hashCode(${p})I`]: (_machine, value: number) => hash(value),
    [`isNaN(${p})Z`]: (_machine, value: number) => Number.isNaN(value),
    [`isInfinite(${p})Z`]: (_machine, value: number) => Math.abs(value) === Infinity,
    [`isFinite(${p})Z`]: (_machine, value: number) => Number.isFinite(value),
    [`sum(${p}${p})${p}`]: (_machine, a: number, b: number) => round(a + b),
    [`max(${p}${p})${p}`]: (_machine, a: number, b: number) => Math.max(a, b),
    [`min(${p}${p})${p}`]: (_machine, a: number, b: number) => Math.min(a, b),
  } satisfies StaticMethods as StaticMethods;
}

const doubleHash = (value: number): number => longHash(doubleBits(value));

export const otherBoxModels: Record<string, ModelClass> = {
  'Ljava/lang/Boolean;': booleanModel,
  'Ljava/lang/Double;': {
    extends: 'Ljava/lang/Number;',
    implements: ['Ljava/lang/Comparable;'],
    methods: {
      '<init>(D)V': (machine, self, value: number) => fillBox(machine, self, value),
      '<init>(Ljava/lang/String;)V': (machine, self, text: Reference) => fillBox(machine, self, parse(machine, text)),
    },
    pure: floatingMethods(doubleText, doubleHash, 'Ljava/lang/Double;'),
    pureStatic: {
      ...floatingStatics('D', doubleText, doubleHash, 'Ljava/lang/Double;'),
      'doubleToLongBits(D)J': (_machine, value: number) => doubleBits(value),
      'doubleToRawLongBits(D)J': (_machine, value: number) => doubleBits(value),
      'longBitsToDouble(J)D': (_machine, bits: bigint) => bitsDouble(bits),
    },
    constants: {
      'MAX_VALUE:D': Number.MAX_VALUE,
      'MIN_VALUE:D': Number.MIN_VALUE,
      'MIN_NORMAL:D': 2.2250738585072014e-308,
      'NaN:D': Number.NaN,
      'POSITIVE_INFINITY:D': Infinity,
      'NEGATIVE_INFINITY:D': -Infinity,
      'SIZE:I': 64,
      'BYTES:I': 8,
      'TYPE:Ljava/lang/Class;': (machine) => machine.classObject(machine.classOf('D')),
    },
  },
  'Ljava/lang/Float;': {
    extends: 'Ljava/lang/Number;',
    implements: ['Ljava/lang/Comparable;'],
    methods: {
      '<init>(F)V': (machine, self, value: number) => fillBox(machine, self, value),
      '<init>(D)V': (machine, self, value: number) => fillBox(machine, self, Math.fround(value)),
      '<init>(Ljava/lang/String;)V': (machine, self, text: Reference) =>
        fillBox(machine, self, Math.fround(parse(machine, text))),
    },
    pure: floatingMethods(floatText, floatBits, 'Ljava/lang/Float;'),
    pureStatic: {
      ...floatingStatics('F', floatText, floatBits, 'Ljava/lang/Float;'),
      'floatToIntBits(F)I': (_machine, value: number) => floatBits(value),
      'floatToRawIntBits(F)I': (_machine, value: number) => floatBits(value),
      'intBitsToFloat(I)F': (_machine, bits: number) => bitsFloat(bits),
    },
    constants: {
      'MAX_VALUE:F': 3.4028234663852886e38,
      'MIN_VALUE:F': 1.401298464324817e-45,
      'MIN_NORMAL:F': 1.1754943508222875e-38,
      'NaN:F': Number.NaN,
      'POSITIVE_INFINITY:F': Infinity,
      'NEGATIVE_INFINITY:F': -Infinity,
      'SIZE:I': 32,
      'BYTES:I': 4,
      'TYPE:Ljava/lang/Class;': (machine) => machine.classObject(machine.classOf('F')),
    },
  },
  'Ljava/lang/Void;': {
    constants: { 'TYPE:Ljava/lang/Class;': (machine) => machine.classObject(machine.classOf('V')) },
  },
};
