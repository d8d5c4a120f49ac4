// java.lang.Character: Unicode properties of characters and code points. Knows no strings.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, StaticMethod, StaticMethods } from '../../machine/model.ts';
import { javaHooks } from '../hooks.ts';
import type { Reference } from '../values.ts';
import { boxed, fillBox } from './integer-boxes.ts';
import { digitOf } from './number-text.ts';

// biome-ignore format: a table
/** Constants of `Character.getType` by Unicode's general category. */
const TYPES: Readonly<Record<string, number>> = {
  Lu: 1, Ll: 2, Lt: 3, Lm: 4, Lo: 5, Mn: 6, Me: 7, Mc: 8, Nd: 9, Nl: 10, No: 11, Zs: 12, Zl: 13, Zp: 14, Cc: 15, Cf: 16,
  Co: 18, Cs: 19, Pd: 20, Ps: 21, Pe: 22, Pc: 23, Po: 24, Sm: 25, Sc: 26, Sk: 27, So: 28, Pi: 29, Pf: 30,
};

function has(codePoint: number, property: RegExp): boolean {
  return codePoint >= 0 && codePoint <= 0x10ffff && property.test(String.fromCodePoint(codePoint));
}

const LETTER = /^\p{L}$/u;
const DIGIT = /^\p{Nd}$/u;
const UPPER = /^\p{Uppercase}$/u;
const LOWER = /^\p{Lowercase}$/u;
const SPACE = /^[\p{Zs}\p{Zl}\p{Zp}]$/u;
const ALPHABETIC = /^\p{Alphabetic}$/u;
const IDENTIFIER_START = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}]$/u;
const IDENTIFIER_PART = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}\x00-\x08\x0e-\x1b\x7f-\x9f]$/u;

function isLetter(c: number): boolean {
  return c < 128 ? (c >= 97 && c <= 122) || (c >= 65 && c <= 90) : has(c, LETTER);
}

function isDigit(c: number): boolean {
  return c < 128 ? c >= 48 && c <= 57 : has(c, DIGIT);
}

function isUpper(c: number): boolean {
  return c < 128 ? c >= 65 && c <= 90 : has(c, UPPER);
}

function isLower(c: number): boolean {
  return c < 128 ? c >= 97 && c <= 122 : has(c, LOWER);
}

/** `Character.isWhitespace`: separators but the non-breaking ones, and some controls. */
function isWhitespace(c: number): boolean {
  if ((c >= 9 && c <= 13) || (c >= 28 && c <= 32)) return true;
  return c > 127 && c !== 0xa0 && c !== 0x2007 && c !== 0x202f && has(c, SPACE);
}

function toUpper(c: number): number {
  const upper = String.fromCodePoint(c).toUpperCase();
  return upper.length === (c > 0xffff ? 2 : 1) ? upper.codePointAt(0)! : c;
}

function toLower(c: number): number {
  const lower = String.fromCodePoint(c).toLowerCase();
  return lower.length === (c > 0xffff ? 2 : 1) ? lower.codePointAt(0)! : c;
}

function typeOf(c: number): number {
  const text = String.fromCodePoint(c);
  for (const [category, type] of Object.entries(TYPES)) {
    if (new RegExp(`^\\p{${category}}$`, 'u').test(text)) return type;
  }
  return 0;
}

function isIgnorable(c: number): boolean {
  return c <= 8 || (c >= 0xe && c <= 0x1b) || (c >= 0x7f && c <= 0x9f) || has(c, /^\p{Cf}$/u);
}

const tests: Readonly<Record<string, (c: number) => boolean>> = {
  isLetter,
  isDigit,
  isWhitespace,
  isLetterOrDigit: (c) => isLetter(c) || isDigit(c),
  isAlphabetic: (c) => has(c, ALPHABETIC),
  isUpperCase: isUpper,
  isLowerCase: isLower,
  isTitleCase: (c) => has(c, /^\p{Lt}$/u),
  isSpaceChar: (c) => has(c, SPACE),
  isISOControl: (c) => c <= 0x1f || (c >= 0x7f && c <= 0x9f),
  isDefined: (c) => !has(c, /^\p{Cn}$/u),
  isIdentifierIgnorable: isIgnorable,
  isIdeographic: (c) => has(c, /^\p{Ideographic}$/u),
  isMirrored: (c) => has(c, /^\p{Bidi_Mirrored}$/u),
  isJavaIdentifierStart: (c) => has(c, IDENTIFIER_START),
  isJavaIdentifierPart: (c) => has(c, IDENTIFIER_PART),
  isUnicodeIdentifierStart: (c) => has(c, /^\p{ID_Start}$/u),
  isUnicodeIdentifierPart: (c) => has(c, /^\p{ID_Continue}$/u) || isIgnorable(c),
};

const characterTests: Readonly<Record<string, (c: number) => boolean>> = {
  isSurrogate: (c) => c >= 0xd800 && c <= 0xdfff,
  isHighSurrogate: (c) => c >= 0xd800 && c <= 0xdbff,
  isLowSurrogate: (c) => c >= 0xdc00 && c <= 0xdfff,
  isSpace: (c) => c === 32 || (c >= 9 && c <= 13 && c !== 11),
};

const mappings: Readonly<Record<string, (c: number) => number>> = {
  toUpperCase: toUpper,
  toLowerCase: toLower,
  toTitleCase: toUpper,
};

function statics(): StaticMethods {
  const methods: Record<string, StaticMethod> = {};
  for (const [name, test] of Object.entries(tests)) {
    const native: StaticMethod = (_machine, c: number) => test(c);
    methods[`${name}(C)Z`] = native;
    methods[`${name}(I)Z`] = native;
  }
  for (const [name, test] of Object.entries(characterTests)) {
    methods[`${name}(C)Z`] = (_machine, c: number) => test(c);
  }
  for (const [name, map] of Object.entries(mappings)) {
    methods[`${name}(C)C`] = (_machine, c: number) => map(c);
    methods[`${name}(I)I`] = (_machine, c: number) => map(c);
  }
  return methods;
}

function character(machine: Machine, self: Reference): number {
  return Number(boxed(machine, self));
}

const numeric = (c: number): number => {
  const digit = digitOf(c, 36);
  return digit;
};

const digit: StaticMethod = (machine, c: number, radix: number) => {
  const value = radix < 2 || radix > 36 ? -1 : digitOf(c, radix);
  if (value < 0 && radix === 16) javaHooks(machine).soughtDigits(String.fromCharCode(c));
  return value;
};

export const characterModels: Record<string, ModelClass> = {
  'Ljava/lang/Character;': {
    implements: ['Ljava/io/Serializable;', 'Ljava/lang/Comparable;'],
    methods: { '<init>(C)V': (machine, self, value: number) => fillBox(machine, self, value) },
    pure: {
      'charValue()C': character,
      'toString()Ljava/lang/String;': (machine, self: Reference) =>
        machine.string(String.fromCharCode(character(machine, self))),
      'hashCode()I': character,
      'equals(Ljava/lang/Object;)Z': (machine, self, other: Reference) =>
        other !== null && other.cls === self.cls && character(machine, self) === character(machine, other),
      'compareTo(Ljava/lang/Character;)I': (machine, self: Reference, other: Reference) =>
        character(machine, self) - character(machine, other),
      'compareTo(Ljava/lang/Object;)I': (machine, self: Reference, other: Reference) =>
        character(machine, self) - character(machine, other),
    },
    pureStatic: {
      ...statics(),
      'valueOf(C)Ljava/lang/Character;': (machine, value: number) => {
        const taint = machine.argumentTaint(0);
        if (taint !== 0 || value > 127) return machine.box('C', value, taint);
        const cache = machine.state('java.cache.C', () => new Map<number, HeapObject>());
        const known = cache.get(value) ?? machine.box('C', value);
        cache.set(value, known);
        return known;
      },
      'toString(C)Ljava/lang/String;': (machine, value: number) => machine.string(String.fromCharCode(value)),
      'toString(I)Ljava/lang/String;': (machine, value: number) => machine.string(String.fromCodePoint(value)),
      'hashCode(C)I': (_machine, value: number) => value,
      'compare(CC)I': (_machine, a: number, b: number) => a - b,
      'reverseBytes(C)C': (_machine, value: number) => ((value & 0xff) << 8) | (value >> 8),
      'digit(CI)I': digit,
      'digit(II)I': digit,
      'forDigit(II)C': (_machine, digit: number, radix: number) =>
        radix < 2 || radix > 36 || digit < 0 || digit >= radix ? 0 : digit.toString(radix).charCodeAt(0),
      'getNumericValue(C)I': (_machine, c: number) => numeric(c),
      'getNumericValue(I)I': (_machine, c: number) => numeric(c),
      'getType(C)I': (_machine, c: number) => typeOf(c),
      'getType(I)I': (_machine, c: number) => typeOf(c),
      'charCount(I)I': (_machine, c: number) => (c >= 0x10000 ? 2 : 1),
      'isValidCodePoint(I)Z': (_machine, c: number) => c >= 0 && c <= 0x10ffff,
      'isSupplementaryCodePoint(I)Z': (_machine, c: number) => c >= 0x10000 && c <= 0x10ffff,
      'isBmpCodePoint(I)Z': (_machine, c: number) => c >= 0 && c <= 0xffff,
      'isSurrogatePair(CC)Z': (_machine, high: number, low: number) =>
        high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff,
      'toCodePoint(CC)I': (_machine, high: number, low: number) => ((high - 0xd800) << 10) + (low - 0xdc00) + 0x10000,
      'highSurrogate(I)C': (_machine, c: number) => ((c - 0x10000) >> 10) + 0xd800,
      'lowSurrogate(I)C': (_machine, c: number) => (c & 0x3ff) + 0xdc00,
      'toChars(I)[C': (machine, c: number) => {
        const text = String.fromCodePoint(c);
        const array = machine.array('C', text.length);
        for (let index = 0; index < text.length; index++) array.elements[index] = text.charCodeAt(index);
        return array;
      },
      'codePointAt(!Ljava/lang/CharSequence;I)I': (machine, text: HeapObject, index: number) =>
        machine.toText(text).text.codePointAt(index) ?? 0,
    },
    constants: {
      'MIN_VALUE:C': 0,
      'MAX_VALUE:C': 0xffff,
      'MIN_RADIX:I': 2,
      'MAX_RADIX:I': 36,
      'MIN_CODE_POINT:I': 0,
      'MAX_CODE_POINT:I': 0x10ffff,
      'MIN_SUPPLEMENTARY_CODE_POINT:I': 0x10000,
      'MIN_HIGH_SURROGATE:C': 0xd800,
      'MAX_HIGH_SURROGATE:C': 0xdbff,
      'MIN_LOW_SURROGATE:C': 0xdc00,
      'MAX_LOW_SURROGATE:C': 0xdfff,
      'SIZE:I': 16,
      'BYTES:I': 2,
      'TYPE:Ljava/lang/Class;': (machine) => machine.classObject(machine.classOf('C')),
    },
  },
};
