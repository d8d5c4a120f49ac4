// Base64, UUID, StringTokenizer, Scanner, Properties, BitSet, Formatter and ServiceLoader. Knows no streams but by reading them whole.
import { createHash } from 'node:crypto';
import type { HeapObject, JavaArray, JavaString, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { reportBase64 } from '../hooks.ts';
import { readAll } from '../io/byte-input.ts';
import { writeTo } from '../io/byte-output.ts';
import { pathOf } from '../io/input-streams.ts';
import { formatMethods } from '../io/output-streams.ts';
import { readAllText } from '../io/readers.ts';
import { longHash, parseBounded, parseDoubleText } from '../lang/number-text.ts';
import { decodeBytes, encodeText } from '../nio/charset-codec.ts';
import { compilePattern } from '../regex/operations.ts';
import {
  arrayTaint,
  bytesOf,
  flag,
  illegalArgument,
  instance,
  objectTaint,
  optionalText,
  type Reference,
  required,
  textOf,
} from '../values.ts';
import { noSuchElement } from './collection-state.ts';
import { entriesOf, iteratorOn } from './iteration.ts';
import { ListState } from './list-state.ts';
import { fillRandom, freshSeed, seededRandom } from './random.ts';

const S = 'Ljava/lang/String;';

interface Base64Kind {
  readonly isUrl: boolean;
  readonly isMime: boolean;
  readonly isPadded: boolean;
}

function base64(bytes: Uint8Array, { isUrl, isMime, isPadded }: Base64Kind): string {
  let text = Buffer.from(bytes).toString('base64');
  if (isUrl) text = text.replaceAll('+', '-').replaceAll('/', '_');
  if (!isPadded) text = text.replace(/=+$/, '');
  return isMime ? (text.match(/.{1,76}/g) ?? []).join('\r\n') : text;
}

function unbase64(machine: Machine, text: string, { isUrl, isMime }: Base64Kind): Uint8Array {
  reportBase64(machine, text, isUrl);
  const clean = isMime ? text.replaceAll(/[^A-Za-z0-9+/=]/g, '') : text;
  const allowed = isUrl ? /^[A-Za-z0-9\-_]*={0,2}$/ : /^[A-Za-z0-9+/]*={0,2}$/;
  if (!allowed.test(clean)) throw illegalArgument(machine, 'Illegal base64 character');
  const digits = clean.replace(/=+$/, '');
  if (digits.length % 4 === 1 || (clean.length > digits.length && clean.length % 4 !== 0)) {
    throw illegalArgument(machine, 'Input byte array has wrong 4-byte ending unit');
  }
  return Buffer.from(digits, isUrl ? 'base64url' : 'base64');
}

const kindOf = (self: HeapObject): Base64Kind => self.native as Base64Kind;
const ENCODER = 'Ljava/util/Base64$Encoder;';
const DECODER = 'Ljava/util/Base64$Decoder;';

const kinds = (descriptor: string, suffix: string): NativeMethods => {
  const make =
    (isUrl: boolean, isMime: boolean): NativeMethod =>
    (machine) =>
      instance(machine, descriptor, { isUrl, isMime, isPadded: true } satisfies Base64Kind);
  return {
    [`get${suffix}()${descriptor}`]: make(false, false),
    [`getUrl${suffix}()${descriptor}`]: make(true, false),
    [`getMime${suffix}()${descriptor}`]: make(false, true),
  };
};

const arrayText = (array: JavaArray): string => Buffer.from(bytesOf(array)).toString('latin1');

const base64Models: Record<string, ModelClass> = {
  'Ljava/util/Base64;': { staticMethods: { ...kinds(ENCODER, 'Encoder'), ...kinds(DECODER, 'Decoder') } },
  [ENCODER]: {
    pure: {
      'encode(![B)[B': (machine, self, array: JavaArray) =>
        machine.byteArray(Buffer.from(base64(bytesOf(required(machine, array)), kindOf(self)))),
      [`encodeToString([B)${S}`]: (machine, self, array: JavaArray) =>
        machine.string(base64(bytesOf(required(machine, array)), kindOf(self))),
    },
    methods: {
      [`withoutPadding()${ENCODER}`]: (machine, self) =>
        instance(machine, ENCODER, { ...kindOf(self), isPadded: false }),
    },
  },
  [DECODER]: {
    pure: {
      'decode([B)[B': (machine, self, array: JavaArray) =>
        machine.byteArray(unbase64(machine, arrayText(required(machine, array)), kindOf(self))),
      [`decode(${S})[B`]: (machine, self, text: Reference) =>
        machine.byteArray(unbase64(machine, textOf(machine, text), kindOf(self))),
    },
  },
};

const UUID = 'Ljava/util/UUID;';
const uuid = (self: HeapObject): bigint => self.native as bigint;

function uuidText(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Marks the version and the variant. */
function uuidOf(machine: Machine, bytes: Uint8Array, version: number, taint: Taint = 0): HeapObject {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return instance(machine, UUID, BigInt(`0x${Buffer.from(bytes).toString('hex')}`), taint);
}

const high = (value: bigint): bigint => BigInt.asIntN(64, value >> 64n);
const low = (value: bigint): bigint => BigInt.asIntN(64, value);

const uuidModel: ModelClass = {
  implements: ['Ljava/lang/Comparable;', 'Ljava/io/Serializable;'],
  methods: {
    '<init>(JJ)V': (machine, self, most: bigint, least: bigint) => {
      self.native = (BigInt.asUintN(64, most) << 64n) | BigInt.asUintN(64, least);
      self.taint = machine.union(machine.argumentTaint(1), machine.argumentTaint(2));
    },
  },
  staticMethods: {
    [`randomUUID()${UUID}`]: (machine) => {
      const bytes = new Uint8Array(16);
      fillRandom(seededRandom(freshSeed(machine)), bytes);
      return uuidOf(machine, bytes, 4);
    },
  },
  pureStatic: {
    [`nameUUIDFromBytes(![B)${UUID}`]: (machine, array: JavaArray) =>
      uuidOf(
        machine,
        createHash('md5')
          .update(bytesOf(required(machine, array)))
          .digest(),
        3,
        arrayTaint(machine, array, 0, array.elements.length),
      ),
    [`fromString(${S})${UUID}`]: (machine, text: Reference) => {
      const parts = textOf(machine, text).split('-');
      const widths = [8, 4, 4, 4, 12];
      const isGood =
        parts.length === 5 &&
        parts.every((part, index) => part.length <= widths[index]! && /^[0-9a-fA-F]+$/.test(part));
      if (!isGood) throw illegalArgument(machine, `Invalid UUID string: ${textOf(machine, text)}`);
      const hex = parts.map((part, index) => part.padStart(widths[index]!, '0')).join('');
      return instance(machine, UUID, BigInt(`0x${hex}`), objectTaint(machine, text));
    },
  },
  pure: {
    [`toString()${S}`]: (machine, self) => machine.string(uuidText(uuid(self))),
    'getMostSignificantBits()J': (_machine, self) => high(uuid(self)),
    'getLeastSignificantBits()J': (_machine, self) => low(uuid(self)),
    'version()I': (_machine, self) => Number((uuid(self) >> 76n) & 15n),
    'variant()I': () => 2,
    'hashCode()I': (_machine, self) => longHash(high(uuid(self)) ^ low(uuid(self))),
    'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
      other?.cls.descriptor === UUID && uuid(other) === uuid(self),
    [`compareTo(!${UUID})I`]: (_machine, self, other: HeapObject) =>
      high(uuid(self)) === high(uuid(other))
        ? Number(low(uuid(self)) > low(uuid(other))) * 2 - 1
        : Number(high(uuid(self)) > high(uuid(other))) * 2 - 1,
  },
};

interface Tokens {
  readonly text: string;
  delimiters: string;
  readonly returnsDelimiters: boolean;
  at: number;
}

const tokens = (self: HeapObject): Tokens => self.native as Tokens;

/** The next token's ends; null where there is none. */
function nextToken({ text, delimiters, returnsDelimiters, at }: Tokens): [number, number] | null {
  let start = at;
  if (!returnsDelimiters) while (start < text.length && delimiters.includes(text[start]!)) start++;
  if (start >= text.length) return null;
  let end = start;
  while (end < text.length && !delimiters.includes(text[end]!)) end++;
  if (returnsDelimiters && end === start) end++;
  return [start, end];
}

function takeToken(machine: Machine, self: HeapObject): JavaString {
  const state = tokens(self);
  const found = nextToken(state);
  if (found === null) throw noSuchElement(machine);
  state.at = found[1];
  return machine.string(state.text.slice(...found), self.taint);
}

function beginTokens(
  machine: Machine,
  self: HeapObject,
  text: Reference,
  delimiters: string,
  returnsDelimiters: boolean,
): undefined {
  self.native = { text: textOf(machine, text), delimiters, returnsDelimiters, at: 0 } satisfies Tokens;
  self.taint = objectTaint(machine, text);
}

const hasToken: NativeMethod = (_machine, self) => nextToken(tokens(self)) !== null;

const tokenizer: ModelClass = {
  implements: ['Ljava/util/Enumeration;'],
  methods: {
    [`<init>(${S})V`]: (machine, self, text) => beginTokens(machine, self, text, ' \t\n\r\f', false),
    [`<init>(${S}${S})V`]: (machine, self, text, marks: Reference) =>
      beginTokens(machine, self, text, textOf(machine, marks), false),
    [`<init>(${S}${S}Z)V`]: (machine, self, text, marks: Reference, returned: number) =>
      beginTokens(machine, self, text, textOf(machine, marks), returned !== 0),
    'hasMoreTokens()Z': hasToken,
    'hasMoreElements()Z': hasToken,
    [`nextToken()${S}`]: takeToken,
    'nextElement()Ljava/lang/Object;': takeToken,
    [`nextToken(${S})${S}`]: (machine, self, marks: Reference) => {
      tokens(self).delimiters = textOf(machine, marks);
      return takeToken(machine, self);
    },
    'countTokens()I': (_machine, self) => {
      const state = { ...tokens(self) };
      let count = 0;
      for (let found = nextToken(state); found !== null; found = nextToken(state)) {
        state.at = found[1];
        count++;
      }
      return count;
    },
  },
};

interface Scan {
  text: string;
  at: number;
  delimiter: string;
}

const scan = (self: HeapObject): Scan => self.native as Scan;

function beginScan(self: HeapObject, text: string, taint: Taint): undefined {
  self.native = { text, at: 0, delimiter: '\\p{javaWhitespace}+' } satisfies Scan;
  self.taint = taint;
}

/** The next token and where it ends. */
function peekScan(machine: Machine, self: HeapObject): { token: string; end: number } | null {
  const state = scan(self);
  const pattern = compilePattern(machine, state.delimiter, 0);
  let start = state.at;
  const leading = pattern.matchStart(machine, state.text.slice(start));
  if (leading !== null) start += leading[1]!;
  if (start >= state.text.length) return null;
  const next = pattern.find(machine, state.text, start);
  const end = next === null || next[1] === next[0] ? state.text.length : next[0]!;
  return { token: state.text.slice(start, end), end };
}

function nextScan<T>(machine: Machine, self: HeapObject, parse: (token: string) => T | null): T {
  const found = peekScan(machine, self);
  if (found === null) throw noSuchElement(machine);
  const value = parse(found.token);
  if (value === null)
    throw machine.exception('Ljava/util/InputMismatchException;', `For input string: "${found.token}"`);
  scan(self).at = found.end;
  machine.setResultTaint(self.taint);
  return value;
}

const scanInt =
  (bits: bigint) =>
  (token: string): bigint | null =>
    parseBounded(token.replaceAll(',', ''), 10, -(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n);

const canScan =
  (parse: (token: string) => unknown): NativeMethod =>
  (machine, self) => {
    const found = peekScan(machine, self);
    return flag(found !== null && parse(found.token) !== null);
  };

const scanner: ModelClass = {
  implements: ['Ljava/util/Iterator;', 'Ljava/io/Closeable;'],
  methods: {
    [`<init>(${S})V`]: (machine, self, text: Reference) =>
      beginScan(self, textOf(machine, text), objectTaint(machine, text)),
    '<init>(Ljava/io/InputStream;)V': scanStream,
    [`<init>(Ljava/io/InputStream;${S})V`]: scanStream,
    '<init>(Ljava/lang/Readable;)V': (machine, self, reader: Reference) => {
      const { text, taint } = readAllText(machine, reader);
      return beginScan(self, text, taint);
    },
    '<init>(Ljava/io/File;)V': (machine, self, file: Reference) => {
      const stream = machine.construct(
        'Ljava/io/FileInputStream;',
        `<init>(${S})V`,
        machine.string(pathOf(machine, file)),
      );
      return scanStream(machine, self, stream);
    },
    'hasNext()Z': (machine, self) => peekScan(machine, self) !== null,
    [`next()${S}`]: (machine, self) =>
      machine.string(
        nextScan(machine, self, (token) => token),
        self.taint,
      ),
    'next()Ljava/lang/Object;': (machine, self) =>
      machine.string(
        nextScan(machine, self, (token) => token),
        self.taint,
      ),
    'hasNextLine()Z': (_machine, self) => scan(self).at < scan(self).text.length,
    [`nextLine()${S}`]: (machine, self) => {
      const state = scan(self);
      if (state.at >= state.text.length) throw noSuchElement(machine, 'No line found');
      const end = /\r\n|[\n\r\u2028\u2029\u0085]|$/.exec(state.text.slice(state.at))!;
      const line = state.text.slice(state.at, state.at + end.index);
      state.at += end.index + end[0].length;
      return machine.string(line, self.taint);
    },
    'hasNextInt()Z': canScan(scanInt(32n)),
    'hasNextLong()Z': canScan(scanInt(64n)),
    'hasNextDouble()Z': canScan(parseDoubleText),
    'nextInt()I': (machine, self) => Number(nextScan(machine, self, scanInt(32n))),
    'nextLong()J': (machine, self) => nextScan(machine, self, scanInt(64n)),
    'nextDouble()D': (machine, self) => nextScan(machine, self, parseDoubleText),
    'nextFloat()F': (machine, self) => Math.fround(nextScan(machine, self, parseDoubleText)),
    'nextBoolean()Z': (machine, self) =>
      nextScan(machine, self, (token) => (/^(true|false)$/i.test(token) ? flag(token.toLowerCase() === 'true') : null)),
    [`useDelimiter(${S})Ljava/util/Scanner;`]: (machine, self, pattern: Reference) => {
      scan(self).delimiter = textOf(machine, pattern);
      return self;
    },
    'useLocale(Ljava/util/Locale;)Ljava/util/Scanner;': (_machine, self) => self,
    'close()V': () => undefined,
  },
};

function scanStream(machine: Machine, self: HeapObject, stream: Reference): undefined {
  const { data, taint } = readAll(machine, stream);
  return beginScan(self, decodeBytes(data, 'UTF-8'), taint);
}

/** The lines of a .properties file, continued and unescaped. https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html#load(java.io.Reader) */
function parseProperties(text: string): [string, string][] {
  const entries: [string, string][] = [];
  const joined = text.replaceAll(/(^|[^\\])((?:\\\\)*)\\(?:\r\n|\n|\r)[ \t\f]*/g, '$1$2');
  for (const line of joined.split(/\r\n|\n|\r/)) {
    const trimmed = line.replace(/^[ \t\f]+/, '');
    if (trimmed === '' || trimmed[0] === '#' || trimmed[0] === '!') continue;
    let end = 0;
    while (end < trimmed.length && !/[=: \t\f]/.test(trimmed[end]!)) end += trimmed[end] === '\\' ? 2 : 1;
    const rest = trimmed.slice(end).replace(/^[ \t\f]*[=:]?[ \t\f]*/, '');
    entries.push([unescapeProperty(trimmed.slice(0, end)), unescapeProperty(rest)]);
  }
  return entries;
}

function unescapeProperty(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_all, hex: string | undefined, letter: string) =>
    hex === undefined
      ? ({ t: '\t', n: '\n', r: '\r', f: '\f' }[letter] ?? letter)
      : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

const PUT = 'put(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;';
const GET = 'get(Ljava/lang/Object;)Ljava/lang/Object;';

function loadProperties(machine: Machine, self: HeapObject, text: string, taint: Taint): undefined {
  for (const [key, value] of parseProperties(text)) {
    machine.call(self, PUT, machine.string(key, taint), machine.string(value, taint));
  }
}

function property(machine: Machine, self: HeapObject, key: Reference): Reference {
  const value = machine.call(self, GET, key) as Reference;
  if (optionalText(value) !== null) return value;
  const defaults = machine.getField(self, 'defaults') as Reference;
  return defaults === null ? null : property(machine, defaults, key);
}

const storeProperties = (machine: Machine, self: HeapObject): { text: string; taint: Taint } => {
  const quote = (text: string): string =>
    text.replaceAll(/[\\=:#!\n\r\t]/g, (found) => ({ '\n': '\\n', '\r': '\\r', '\t': '\\t' })[found] ?? `\\${found}`);
  let taint: Taint = 0;
  const lines = entriesOf(machine, self).map((entry) => {
    const key = machine.toText(entry.key);
    const value = machine.toText(entry.value);
    taint = machine.union(taint, machine.union(key.taint, value.taint));
    return `${quote(key.text)}=${quote(value.text)}\n`;
  });
  return { text: lines.join(''), taint };
};

const properties: ModelClass = {
  extends: 'Ljava/util/Hashtable;',
  methods: {
    '<init>()V': (machine, self) => beginTable(machine, self),
    '<init>(Ljava/util/Properties;)V': (machine, self, defaults: Reference) => {
      beginTable(machine, self);
      machine.setField(self, 'defaults', defaults);
    },
    [`getProperty(${S})${S}`]: property,
    [`getProperty(${S}${S})${S}`]: (machine, self, key: Reference, otherwise: Reference) =>
      property(machine, self, key) ?? otherwise,
    [`setProperty(${S}${S})Ljava/lang/Object;`]: (machine, self, key: Reference, value: Reference) =>
      machine.call(self, PUT, key, value),
    'load(Ljava/io/InputStream;)V': (machine, self, stream: Reference) => {
      const { data, taint } = readAll(machine, stream);
      return loadProperties(machine, self, decodeBytes(data, 'ISO-8859-1'), taint);
    },
    'load(Ljava/io/Reader;)V': (machine, self, reader: Reference) => {
      const { text, taint } = readAllText(machine, reader);
      return loadProperties(machine, self, text, taint);
    },
    [`store(Ljava/io/OutputStream;${S})V`]: (machine, self, out: Reference, comments: Reference) => {
      const { text, taint } = storeProperties(machine, self);
      const head = comments === null ? '' : `#${machine.toText(comments).text}\n`;
      writeTo(machine, out, encodeText(head + text, 'ISO-8859-1'), taint);
    },
    'stringPropertyNames()Ljava/util/Set;': (machine, self) => machine.call(self, 'keySet()Ljava/util/Set;'),
    'propertyNames()Ljava/util/Enumeration;': (machine, self) => machine.call(self, 'keys()Ljava/util/Enumeration;'),
  },
  fields: ['defaults:Ljava/util/Properties;'],
};

function beginTable(machine: Machine, self: HeapObject): undefined {
  const constructor_ = machine.resolveMethod(machine.classOf('Ljava/util/Hashtable;'), '<init>()V');
  if (constructor_ !== null) machine.invoke(constructor_, [self]);
}

const bits = (self: HeapObject): Set<number> => {
  self.native ??= new Set<number>();
  return self.native as Set<number>;
};
const sortedBits = (self: HeapObject): number[] => [...bits(self)].sort((a, b) => a - b);

/** Highest index of a bit: bounds the memory of a set. */
const MAXIMUM_BIT = 1 << 22;

function setBits(machine: Machine, self: HeapObject, from: number, to: number, isSet: boolean): undefined {
  if (from < 0 || to < from)
    throw machine.exception('Ljava/lang/IndexOutOfBoundsException;', `fromIndex ${from} toIndex ${to}`);
  const set = bits(self);
  for (let bit = from; bit < Math.min(to, MAXIMUM_BIT); bit++) {
    if (isSet) set.add(bit);
    else set.delete(bit);
  }
}

const next =
  (isSet: boolean): NativeMethod =>
  (_machine, self, from: number) => {
    if (isSet) return sortedBits(self).find((bit) => bit >= from) ?? -1;
    let bit = from;
    while (bits(self).has(bit)) bit++;
    return bit;
  };

const B = 'Ljava/util/BitSet;';

const bitSet: ModelClass = {
  methods: {
    '<init>()V': (_machine, self) => {
      bits(self);
    },
    '<init>(I)V': (_machine, self) => {
      bits(self);
    },
    'set(I)V': (machine, self, bit: number) => setBits(machine, self, bit, bit + 1, true),
    'set(IZ)V': (machine, self, bit: number, isSet: number) => setBits(machine, self, bit, bit + 1, isSet !== 0),
    'set(II)V': (machine, self, from: number, to: number) => setBits(machine, self, from, to, true),
    'clear(I)V': (machine, self, bit: number) => setBits(machine, self, bit, bit + 1, false),
    'clear(II)V': (machine, self, from: number, to: number) => setBits(machine, self, from, to, false),
    'clear()V': (_machine, self) => bits(self).clear(),
    'flip(I)V': (machine, self, bit: number) => setBits(machine, self, bit, bit + 1, !bits(self).has(bit)),
    'get(I)Z': (_machine, self, bit: number) => bits(self).has(bit),
    'nextSetBit(I)I': next(true),
    'nextClearBit(I)I': next(false),
    'cardinality()I': (_machine, self) => bits(self).size,
    'length()I': (_machine, self) => (sortedBits(self).at(-1) ?? -1) + 1,
    'size()I': (_machine, self) => Math.max(64, Math.ceil(((sortedBits(self).at(-1) ?? 0) + 1) / 64) * 64),
    'isEmpty()Z': (_machine, self) => bits(self).size === 0,
    [`and(${B})V`]: (_machine, self, other: HeapObject) => {
      self.native = new Set([...bits(self)].filter((bit) => bits(other).has(bit)));
    },
    [`or(!${B})V`]: (_machine, self, other: HeapObject) => {
      self.native = new Set([...bits(self), ...bits(other)]);
    },
    [`xor(!${B})V`]: (_machine, self, other: HeapObject) => {
      const both = [...bits(self), ...bits(other)];
      self.native = new Set(both.filter((bit) => bits(self).has(bit) !== bits(other).has(bit)));
    },
    [`andNot(${B})V`]: (_machine, self, other: HeapObject) => {
      self.native = new Set([...bits(self)].filter((bit) => !bits(other).has(bit)));
    },
    [`intersects(${B})Z`]: (_machine, self, other: HeapObject) => [...bits(self)].some((bit) => bits(other).has(bit)),
    'clone()Ljava/lang/Object;': (machine, self) => instance(machine, B, new Set(bits(self))),
    [`toString()${S}`]: (machine, self) => machine.string(`{${sortedBits(self).join(', ')}}`),
    'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
      other?.cls === self.cls && sortedBits(self).join() === sortedBits(other).join(),
  },
};

interface Target {
  out: HeapObject | null;
}

function formatTo(machine: Machine, self: HeapObject, text: string, taint: Taint): undefined {
  const target = self.native as Target;
  target.out ??= machine.construct('Ljava/lang/StringBuilder;', '<init>()V');
  const signature =
    target.out.cls.descriptor === 'Ljava/lang/StringBuilder;'
      ? 'append(Ljava/lang/String;)Ljava/lang/StringBuilder;'
      : 'append(Ljava/lang/CharSequence;)Ljava/lang/Appendable;';
  machine.call(target.out, signature, machine.string(text, taint));
}

const FORMATTER = 'Ljava/util/Formatter;';
const beginFormatter = (self: HeapObject, out: Reference): undefined => {
  self.native = { out } satisfies Target;
};

const formatter: ModelClass = {
  implements: ['Ljava/io/Closeable;', 'Ljava/io/Flushable;'],
  methods: {
    '<init>()V': (_machine, self) => beginFormatter(self, null),
    '<init>(Ljava/util/Locale;)V': (_machine, self) => beginFormatter(self, null),
    '<init>(Ljava/lang/Appendable;)V': (_machine, self, out: Reference) => beginFormatter(self, out),
    '<init>(Ljava/lang/Appendable;Ljava/util/Locale;)V': (_machine, self, out: Reference) => beginFormatter(self, out),
    ...formatMethods(FORMATTER, formatTo),
    [`toString()${S}`]: (machine, self) => machine.toText((self.native as Target).out ?? machine.string('')),
    'out()Ljava/lang/Appendable;': (_machine, self) => (self.native as Target).out,
    'close()V': () => undefined,
    'flush()V': () => undefined,
  },
};

const LOADER = 'Ljava/util/ServiceLoader;';

export const codecModels: Record<string, ModelClass> = {
  ...base64Models,
  [UUID]: uuidModel,
  'Ljava/util/StringTokenizer;': tokenizer,
  'Ljava/util/Scanner;': scanner,
  'Ljava/util/Properties;': properties,
  [B]: bitSet,
  [FORMATTER]: formatter,
  [LOADER]: {
    implements: ['Ljava/lang/Iterable;'],
    staticMethods: {
      [`load(Ljava/lang/Class;)${LOADER}`]: (machine) => machine.allocate(LOADER),
      [`load(Ljava/lang/Class;Ljava/lang/ClassLoader;)${LOADER}`]: (machine) => machine.allocate(LOADER),
    },
    methods: {
      'iterator()Ljava/util/Iterator;': (machine) => iteratorOn(machine, new ListState().cursor(machine)),
      'reload()V': () => undefined,
    },
  },
};
