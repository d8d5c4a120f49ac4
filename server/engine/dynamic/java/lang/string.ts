// java.lang.String. Knows of the regex engine and the formatter only how they are asked.
import { type HeapObject, type JavaArray, JavaString, type Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods, StaticMethods } from '../../machine/model.ts';
import { compareTexts, javaHooks, reportMade } from '../hooks.ts';
import { charsetOf, decodeBytes, encodeText } from '../nio/charset-codec.ts';
import { compilePattern, replaceMatches, splitText } from '../regex/operations.ts';
import { formatText } from '../text/formatter.ts';
import { elementsOf } from '../util/iteration.ts';
import {
  arrayTaint,
  bytesOf,
  charArray,
  charSequenceText,
  charsToText,
  flag,
  instance,
  nullPointer,
  objectTaint,
  type Reference,
  referencesOf,
  required,
  setElementTaint,
  stringArray,
  textOf,
} from '../values.ts';
import { doubleText, floatText, stringHash } from './number-text.ts';

const STRING = 'Ljava/lang/String;';

/** The constructors fill the string that `new-instance` made, before anybody else sees it. */
function fill(self: JavaString, text: string, taint: Taint): undefined {
  (self as { text: string }).text = text;
  self.taint = taint;
}

function indexError(machine: Machine, index: number, length: number) {
  return machine.exception('Ljava/lang/StringIndexOutOfBoundsException;', `index=${index}, length=${length}`);
}

function substring(machine: Machine, text: string, start: number, end: number): JavaString {
  if (start < 0 || end > text.length || start > end) {
    throw machine.exception(
      'Ljava/lang/StringIndexOutOfBoundsException;',
      `begin ${start}, end ${end}, length ${text.length}`,
    );
  }
  return machine.string(text.slice(start, end));
}

function bytesText(machine: Machine, array: JavaArray, offset: number, length: number, charset: string): string {
  const bytes = bytesOf(required(machine, array));
  if (offset < 0 || length < 0 || offset + length > bytes.length) throw indexError(machine, offset, bytes.length);
  const part = bytes.subarray(offset, offset + length);
  const hooks = javaHooks(machine);
  hooks.made(length, () => part);
  const text = decodeBytes(part, charset);
  hooks.decoded(machine, text);
  return text;
}

function encoded(machine: Machine, self: JavaString, charset: string): JavaArray {
  const array = machine.byteArray(encodeText(self.text, charset));
  setElementTaint(array, 0, array.elements.length, self.taint);
  return array;
}

/** Alphabets in which apps look up the value of a digit. */
const hexAlphabet = /^0123456789(?:abcdef|ABCDEF)$/;

/** The only text that a regular expression can match; null where it can match others. */
const literalOf = (pattern: string): string | null =>
  /^(?:[^\\[\](){}.*+?^$|]|\\[^A-Za-z0-9])+$/.test(pattern) ? pattern.replace(/\\(.)/g, '$1') : null;

function split(machine: Machine, self: JavaString, regex: Reference, limit: number): JavaArray {
  const pattern = textOf(machine, regex);
  const parts = splitText(machine, compilePattern(machine, pattern, 0), self.text, limit);
  if (parts.length === 1 || (limit > 0 && parts.length < limit)) {
    const literal = literalOf(pattern);
    if (literal !== null) javaHooks(machine).divided(self.text, literal);
  }
  return stringArray(machine, parts, machine.union(self.taint, objectTaint(machine, regex)));
}

function format(machine: Machine, locale: Reference, pattern: Reference, values: JavaArray | null): JavaString {
  const result = formatText(machine, locale, textOf(machine, pattern), values === null ? [] : referencesOf(values));
  return machine.string(result.text, machine.union(result.taint, objectTaint(machine, pattern)));
}

function localeTag(machine: Machine, locale: Reference): string | undefined {
  if (locale === null) throw nullPointer(machine);
  const tag = machine.toText(locale).text.replaceAll('_', '-');
  return /^(tr|az|lt)\b/.test(tag) ? tag : undefined;
}

/** Lexicographic by UTF-16 code unit: the difference that Java returns. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = a.charCodeAt(index) - b.charCodeAt(index);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function compareTo(machine: Machine, self: JavaString, other: Reference): number {
  const text = textOf(machine, other);
  compareTexts(machine, self.text, text, self.text === text);
  return compareText(self.text, text);
}

function contentEquals(machine: Machine, self: JavaString, other: Reference): number {
  const text = charSequenceText(machine, required(machine, other));
  return compareTexts(machine, self.text, text, self.text === text);
}

function foldCharacter(code: number): number {
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code;
  const upper = String.fromCharCode(code).toUpperCase();
  return (upper.length === 1 ? upper : String.fromCharCode(code)).toLowerCase().charCodeAt(0);
}

function compareTextIgnoringCase(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = foldCharacter(a.charCodeAt(index)) - foldCharacter(b.charCodeAt(index));
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function regionMatches(a: string, from: number, b: string, start: number, length: number, ignoringCase: boolean) {
  if (start < 0 || from < 0 || from > a.length - length || start > b.length - length) return 0;
  const left = a.slice(from, from + Math.max(0, length));
  const right = b.slice(start, start + Math.max(0, length));
  return flag(ignoringCase ? compareTextIgnoringCase(left, right) === 0 : left === right);
}

/** What `String.trim` takes away: everything up to U+0020. */
function trimText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 32) start++;
  while (end > start && text.charCodeAt(end - 1) <= 32) end--;
  return text.slice(start, end);
}

function codePointText(codePoint: number): string {
  return codePoint >= 0 && codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : '';
}

const constructors: NativeMethods = {
  '<init>()V': (_machine, self: JavaString) => fill(self, '', 0),
  '<init>(!Ljava/lang/String;)V': (machine, self: JavaString, other: JavaString) =>
    fill(self, textOf(machine, other), other.taint),
  '<init>(![C)V': (machine, self: JavaString, chars: JavaArray) =>
    fill(
      self,
      reportMade(machine, charsToText(required(machine, chars).elements as Uint16Array)),
      arrayTaint(machine, chars, 0, chars.elements.length),
    ),
  '<init>(![CII)V': (machine, self: JavaString, chars: JavaArray, offset: number, count: number) => {
    if (offset < 0 || count < 0 || offset + count > required(machine, chars).elements.length) {
      throw indexError(machine, offset, chars.elements.length);
    }
    const text = reportMade(machine, charsToText(chars.elements as Uint16Array, offset, offset + count));
    fill(self, text, arrayTaint(machine, chars, offset, offset + count));
  },
  '<init>(![III)V': (machine, self: JavaString, points: JavaArray, offset: number, count: number) => {
    const chosen = [...(required(machine, points).elements as Int32Array).subarray(offset, offset + count)];
    fill(self, chosen.map(codePointText).join(''), arrayTaint(machine, points, offset, offset + count));
  },
  '<init>(![B)V': (machine, self: JavaString, bytes: JavaArray) =>
    fill(
      self,
      bytesText(machine, bytes, 0, required(machine, bytes).elements.length, 'UTF-8'),
      arrayTaint(machine, bytes, 0, bytes.elements.length),
    ),
  '<init>(![BII)V': (machine, self: JavaString, bytes: JavaArray, offset: number, length: number) =>
    fill(self, bytesText(machine, bytes, offset, length, 'UTF-8'), arrayTaint(machine, bytes, offset, offset + length)),
  '<init>(![BI)V': (machine, self: JavaString, bytes: JavaArray) =>
    fill(
      self,
      bytesText(machine, bytes, 0, required(machine, bytes).elements.length, 'ISO-8859-1'),
      arrayTaint(machine, bytes, 0, bytes.elements.length),
    ),
  '<init>(![BIII)V': (machine, self: JavaString, bytes: JavaArray, _high: number, offset: number, length: number) =>
    fill(
      self,
      bytesText(machine, bytes, offset, length, 'ISO-8859-1'),
      arrayTaint(machine, bytes, offset, offset + length),
    ),
  '<init>(![BLjava/lang/String;)V': (machine, self: JavaString, bytes: JavaArray, charset: Reference) =>
    fill(
      self,
      bytesText(machine, bytes, 0, required(machine, bytes).elements.length, charsetOf(machine, charset)),
      arrayTaint(machine, bytes, 0, bytes.elements.length),
    ),
  '<init>(![BLjava/nio/charset/Charset;)V': (machine, self: JavaString, bytes: JavaArray, charset: Reference) =>
    fill(
      self,
      bytesText(machine, bytes, 0, required(machine, bytes).elements.length, charsetOf(machine, charset)),
      arrayTaint(machine, bytes, 0, bytes.elements.length),
    ),
  '<init>(![BIILjava/lang/String;)V': (
    machine,
    self: JavaString,
    bytes: JavaArray,
    offset: number,
    length: number,
    charset: Reference,
  ) =>
    fill(
      self,
      bytesText(machine, bytes, offset, length, charsetOf(machine, charset)),
      arrayTaint(machine, bytes, offset, offset + length),
    ),
  '<init>(![BIILjava/nio/charset/Charset;)V': (
    machine,
    self: JavaString,
    bytes: JavaArray,
    offset: number,
    length: number,
    charset: Reference,
  ) =>
    fill(
      self,
      bytesText(machine, bytes, offset, length, charsetOf(machine, charset)),
      arrayTaint(machine, bytes, offset, offset + length),
    ),
  '<init>(!Ljava/lang/StringBuilder;)V': (machine, self: JavaString, builder: HeapObject) =>
    fill(self, textOf(machine, builder), builder.taint),
  '<init>(!Ljava/lang/StringBuffer;)V': (machine, self: JavaString, builder: HeapObject) =>
    fill(self, textOf(machine, builder), builder.taint),
};

const inspections: NativeMethods = {
  'length()I': (_machine, self: JavaString) => self.text.length,
  'isEmpty()Z': (_machine, self: JavaString) => self.text.length === 0,
  'isBlank()Z': (_machine, self: JavaString) => self.text.trim() === '',
  'charAt(I)C': (machine, self: JavaString, index: number) => {
    if (index < 0 || index >= self.text.length) throw indexError(machine, index, self.text.length);
    return self.text.charCodeAt(index);
  },
  'codePointAt(I)I': (machine, self: JavaString, index: number) => {
    const point = self.text.codePointAt(index);
    if (point === undefined || index < 0) throw indexError(machine, index, self.text.length);
    return point;
  },
  'codePointBefore(I)I': (machine, self: JavaString, index: number) => {
    if (index < 1 || index > self.text.length) throw indexError(machine, index, self.text.length);
    const low = self.text.charCodeAt(index - 1);
    const pair = index > 1 ? self.text.codePointAt(index - 2)! : 0;
    return pair > 0xffff ? pair : low;
  },
  'codePointCount(II)I': (_machine, self: JavaString, from: number, to: number) =>
    [...self.text.slice(from, to)].length,
  'offsetByCodePoints(II)I': (_machine, self: JavaString, index: number, count: number) => {
    let place = index;
    for (let step = 0; step < count; step++) place += (self.text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1;
    for (let step = count; step < 0; step++) {
      place -= place > 1 && (self.text.codePointAt(place - 2) ?? 0) > 0xffff ? 2 : 1;
    }
    return place;
  },
  'equals(Ljava/lang/Object;)Z': (machine, self: JavaString, other: Reference) =>
    other instanceof JavaString ? compareTexts(machine, self.text, other.text, self.text === other.text) : 0,
  'equalsIgnoreCase(Ljava/lang/String;)Z': (machine, self: JavaString, other: JavaString | null) =>
    other === null
      ? 0
      : compareTexts(machine, self.text, other.text, compareTextIgnoringCase(self.text, other.text) === 0),
  'contentEquals(Ljava/lang/CharSequence;)Z': contentEquals,
  'contentEquals(Ljava/lang/StringBuffer;)Z': contentEquals,
  'hashCode()I': (machine, self: JavaString) => {
    javaHooks(machine).counted(machine, self.text, 'hash');
    return stringHash(self.text);
  },
  'compareTo(Ljava/lang/String;)I': compareTo,
  'compareTo(Ljava/lang/Object;)I': compareTo,
  'compareToIgnoreCase(Ljava/lang/String;)I': (machine, self: JavaString, other: Reference) =>
    compareTextIgnoringCase(self.text, textOf(machine, other)),
  'startsWith(Ljava/lang/String;)Z': (machine, self: JavaString, prefix: Reference) => {
    const wanted = textOf(machine, prefix);
    const isBegun = self.text.startsWith(wanted);
    if (!isBegun) javaHooks(machine).begun(self.text, wanted);
    return flag(isBegun);
  },
  'startsWith(Ljava/lang/String;I)Z': (machine, self: JavaString, prefix: Reference, offset: number) =>
    offset >= 0 && offset <= self.text.length && self.text.startsWith(textOf(machine, prefix), offset),
  'endsWith(Ljava/lang/String;)Z': (machine, self: JavaString, suffix: Reference) =>
    self.text.endsWith(textOf(machine, suffix)),
  'contains(Ljava/lang/CharSequence;)Z': (machine, self: JavaString, other: Reference) => {
    const wanted = textOf(machine, other);
    return compareTexts(machine, self.text, wanted, self.text.includes(wanted));
  },
  'indexOf(I)I': (machine, self: JavaString, character: number) => {
    const found = self.text.indexOf(codePointText(character));
    if (found < 0 && hexAlphabet.test(self.text)) javaHooks(machine).soughtDigits(codePointText(character));
    return found;
  },
  'indexOf(II)I': (_machine, self: JavaString, character: number, from: number) =>
    from >= self.text.length ? -1 : self.text.indexOf(codePointText(character), from),
  'indexOf(Ljava/lang/String;)I': (machine, self: JavaString, other: Reference) =>
    self.text.indexOf(textOf(machine, other)),
  'indexOf(Ljava/lang/String;I)I': (machine, self: JavaString, other: Reference, from: number) =>
    self.text.indexOf(textOf(machine, other), from),
  'lastIndexOf(I)I': (_machine, self: JavaString, character: number) => self.text.lastIndexOf(codePointText(character)),
  'lastIndexOf(II)I': (_machine, self: JavaString, character: number, from: number) =>
    from < 0 ? -1 : self.text.lastIndexOf(codePointText(character), from),
  'lastIndexOf(Ljava/lang/String;)I': (machine, self: JavaString, other: Reference) =>
    self.text.lastIndexOf(textOf(machine, other)),
  'lastIndexOf(Ljava/lang/String;I)I': (machine, self: JavaString, other: Reference, from: number) =>
    from < 0 ? -1 : self.text.lastIndexOf(textOf(machine, other), from),
  'regionMatches(ILjava/lang/String;II)Z': (
    machine,
    self: JavaString,
    from: number,
    other: Reference,
    start: number,
    length: number,
  ) => regionMatches(self.text, from, textOf(machine, other), start, length, false),
  'regionMatches(ZILjava/lang/String;II)Z': (
    machine,
    self: JavaString,
    ignoringCase: number,
    from: number,
    other: Reference,
    start: number,
    length: number,
  ) => regionMatches(self.text, from, textOf(machine, other), start, length, ignoringCase !== 0),
  'matches(Ljava/lang/String;)Z': (machine, self: JavaString, regex: Reference) =>
    compilePattern(machine, textOf(machine, regex), 0).matchWhole(machine, self.text) !== null,
};

const derivations: NativeMethods = {
  'toString()Ljava/lang/String;': (_machine, self: JavaString) => self,
  'intern()Ljava/lang/String;': (machine, self: JavaString) => {
    // The interned string is shared by the whole app: a tainted one is not pooled.
    return self.taint === 0 ? machine.literal(self.text) : self;
  },
  'substring(I)Ljava/lang/String;': (machine, self: JavaString, start: number) =>
    substring(machine, self.text, start, self.text.length),
  'substring(II)Ljava/lang/String;': (machine, self: JavaString, start: number, end: number) =>
    substring(machine, self.text, start, end),
  'subSequence(II)Ljava/lang/CharSequence;': (machine, self: JavaString, start: number, end: number) =>
    substring(machine, self.text, start, end),
  'concat(Ljava/lang/String;)Ljava/lang/String;': (machine, self: JavaString, other: Reference) =>
    machine.string(self.text + textOf(machine, other)),
  'trim()Ljava/lang/String;': (machine, self: JavaString) => machine.string(trimText(self.text)),
  'strip()Ljava/lang/String;': (machine, self: JavaString) => machine.string(self.text.trim()),
  'stripLeading()Ljava/lang/String;': (machine, self: JavaString) => machine.string(self.text.trimStart()),
  'stripTrailing()Ljava/lang/String;': (machine, self: JavaString) => machine.string(self.text.trimEnd()),
  'repeat(I)Ljava/lang/String;': (machine, self: JavaString, count: number) => {
    if (count < 0) throw machine.exception('Ljava/lang/IllegalArgumentException;', `count is negative: ${count}`);
    machine.charge(self.text.length * count * 2);
    return machine.string(self.text.repeat(count));
  },
  'toUpperCase()Ljava/lang/String;': (machine, self: JavaString) => machine.string(self.text.toUpperCase()),
  'toLowerCase()Ljava/lang/String;': (machine, self: JavaString) => machine.string(self.text.toLowerCase()),
  'toUpperCase(Ljava/util/Locale;)Ljava/lang/String;': (machine, self: JavaString, locale: Reference) =>
    machine.string(self.text.toLocaleUpperCase(localeTag(machine, locale) ?? 'en')),
  'toLowerCase(Ljava/util/Locale;)Ljava/lang/String;': (machine, self: JavaString, locale: Reference) =>
    machine.string(self.text.toLocaleLowerCase(localeTag(machine, locale) ?? 'en')),
  'replace(CC)Ljava/lang/String;': (machine, self: JavaString, from: number, to: number) =>
    machine.string(self.text.replaceAll(String.fromCharCode(from), () => String.fromCharCode(to))),
  'replace(Ljava/lang/CharSequence;Ljava/lang/CharSequence;)Ljava/lang/String;': (
    machine,
    self: JavaString,
    from: Reference,
    to: Reference,
  ) => {
    const replacement = textOf(machine, to);
    return machine.string(self.text.replaceAll(textOf(machine, from), () => replacement));
  },
  'replaceAll(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;': (
    machine,
    self: JavaString,
    regex: Reference,
    replacement: Reference,
  ) => {
    const pattern = compilePattern(machine, textOf(machine, regex), 0);
    return machine.string(replaceMatches(machine, pattern, self.text, textOf(machine, replacement), true));
  },
  'replaceFirst(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;': (
    machine,
    self: JavaString,
    regex: Reference,
    replacement: Reference,
  ) => {
    const pattern = compilePattern(machine, textOf(machine, regex), 0);
    return machine.string(replaceMatches(machine, pattern, self.text, textOf(machine, replacement), false));
  },
  'split(Ljava/lang/String;)[Ljava/lang/String;': (machine, self: JavaString, regex: Reference) =>
    split(machine, self, regex, 0),
  'split(Ljava/lang/String;I)[Ljava/lang/String;': (machine, self: JavaString, regex: Reference, limit: number) =>
    split(machine, self, regex, limit),
  'toCharArray()[C': (machine, self: JavaString) => charArray(machine, self.text, self.taint),
  'getBytes()[B': (machine, self: JavaString) => encoded(machine, self, 'UTF-8'),
  'getBytes(Ljava/lang/String;)[B': (machine, self: JavaString, charset: Reference) =>
    encoded(machine, self, charsetOf(machine, charset)),
  'getBytes(Ljava/nio/charset/Charset;)[B': (machine, self: JavaString, charset: Reference) =>
    encoded(machine, self, charsetOf(machine, charset)),
  'lines()Ljava/util/stream/Stream;': (machine, self: JavaString) => {
    const lines = self.text.split(/\r\n|\r|\n/);
    if (lines.at(-1) === '') lines.pop();
    const array = stringArray(machine, lines, self.taint);
    return machine.callStatic('Ljava/util/Arrays;', 'stream([Ljava/lang/Object;)Ljava/util/stream/Stream;', array);
  },
  'chars()Ljava/util/stream/IntStream;': (machine, self: JavaString) => {
    const codes = machine.array('I', self.text.length);
    for (let index = 0; index < self.text.length; index++) codes.elements[index] = self.text.charCodeAt(index);
    setElementTaint(codes, 0, self.text.length, self.taint);
    return machine.callStatic('Ljava/util/Arrays;', 'stream([I)Ljava/util/stream/IntStream;', codes);
  },
};

function join(machine: Machine, separator: Reference, parts: readonly Reference[]): JavaString {
  const between = textOf(machine, separator);
  let taint = objectTaint(machine, separator);
  const texts: string[] = [];
  for (const part of parts) {
    const text = machine.toText(part);
    taint = machine.union(taint, text.taint);
    texts.push(text.text);
  }
  return machine.string(texts.join(between), taint);
}

const statics: StaticMethods = {
  'valueOf(Ljava/lang/Object;)Ljava/lang/String;': (machine, value: Reference) => machine.toText(value),
  'valueOf(Z)Ljava/lang/String;': (machine, value: number) => machine.string(value !== 0 ? 'true' : 'false'),
  'valueOf(C)Ljava/lang/String;': (machine, value: number) => machine.string(String.fromCharCode(value)),
  'valueOf(I)Ljava/lang/String;': (machine, value: number) => machine.string(String(value)),
  'valueOf(J)Ljava/lang/String;': (machine, value: bigint) => machine.string(String(value)),
  'valueOf(F)Ljava/lang/String;': (machine, value: number) => machine.string(floatText(value)),
  'valueOf(D)Ljava/lang/String;': (machine, value: number) => machine.string(doubleText(value)),
  'valueOf(![C)Ljava/lang/String;': (machine, chars: JavaArray) =>
    machine.string(
      reportMade(machine, charsToText(required(machine, chars).elements as Uint16Array)),
      arrayTaint(machine, chars, 0, chars.elements.length),
    ),
  'copyValueOf(![C)Ljava/lang/String;': (machine, chars: JavaArray) =>
    machine.string(
      reportMade(machine, charsToText(required(machine, chars).elements as Uint16Array)),
      arrayTaint(machine, chars, 0, chars.elements.length),
    ),
  'valueOf([CII)Ljava/lang/String;': (machine, chars: JavaArray, offset: number, count: number) =>
    machine.construct(STRING, '<init>([CII)V', chars, offset, count),
  'copyValueOf([CII)Ljava/lang/String;': (machine, chars: JavaArray, offset: number, count: number) =>
    machine.construct(STRING, '<init>([CII)V', chars, offset, count),
  'format(Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;': (
    machine,
    pattern: Reference,
    values: JavaArray | null,
  ) => format(machine, null, pattern, values),
  'format(Ljava/util/Locale;Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/String;': (
    machine,
    locale: Reference,
    pattern: Reference,
    values: JavaArray | null,
  ) => format(machine, locale ?? (machine.getStatic('Ljava/util/Locale;', 'ROOT') as Reference), pattern, values),
  'join(Ljava/lang/CharSequence;[Ljava/lang/CharSequence;)Ljava/lang/String;': (
    machine,
    separator: Reference,
    parts: JavaArray,
  ) => join(machine, separator, referencesOf(required(machine, parts))),
  'join(Ljava/lang/CharSequence;Ljava/lang/Iterable;)Ljava/lang/String;': (
    machine,
    separator: Reference,
    parts: Reference,
  ) => join(machine, separator, elementsOf(machine, required(machine, parts))),
};

const moves: NativeMethods = {
  'getChars(II[CI)V': (machine, self: JavaString, start: number, end: number, target: JavaArray, at: number) => {
    const elements = required(machine, target).elements as Uint16Array;
    if (start < 0 || start > end || end > self.text.length || at < 0 || at + end - start > elements.length) {
      throw indexError(machine, start, self.text.length);
    }
    for (let index = start; index < end; index++) elements[at + index - start] = self.text.charCodeAt(index);
    setElementTaint(target, at, at + end - start, self.taint);
  },
  'getBytes(II[BI)V': (machine, self: JavaString, start: number, end: number, target: JavaArray, at: number) => {
    const elements = required(machine, target).elements as Int8Array;
    for (let index = start; index < end; index++) elements[at + index - start] = self.text.charCodeAt(index);
    setElementTaint(target, at, at + end - start, self.taint);
  },
};

export const stringModels = {
  [STRING]: {
    implements: ['Ljava/io/Serializable;', 'Ljava/lang/Comparable;', 'Ljava/lang/CharSequence;'],
    methods: { ...constructors, ...moves },
    pure: { ...inspections, ...derivations },
    pureStatic: statics,
    constants: {
      'CASE_INSENSITIVE_ORDER:Ljava/util/Comparator;': (machine: Machine) =>
        instance(machine, 'Ljava/lang/String$CaseInsensitiveComparator;', null),
    },
  },
  'Ljava/lang/String$CaseInsensitiveComparator;': {
    implements: ['Ljava/util/Comparator;', 'Ljava/io/Serializable;'],
    pure: {
      'compare(Ljava/lang/Object;Ljava/lang/Object;)I': (machine, _self, a: Reference, b: Reference) =>
        compareTextIgnoringCase(textOf(machine, a), textOf(machine, b)),
    },
  },
  'Ljava/lang/CharSequence;': {
    isInterface: true,
    abstractMethods: [
      'length()I',
      'charAt(I)C',
      'subSequence(II)Ljava/lang/CharSequence;',
      'toString()Ljava/lang/String;',
    ],
    methods: {
      'isEmpty()Z': (machine, self) => machine.call(self, 'length()I') === 0,
      'chars()Ljava/util/stream/IntStream;': (machine, self) =>
        machine.call(machine.toText(self), 'chars()Ljava/util/stream/IntStream;'),
    },
  },
} satisfies Record<string, ModelClass>;
