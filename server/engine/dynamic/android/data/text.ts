// Models of android.util, android.text and the log. Knows no component.
import { compareTexts, reportBase64 } from '../../java/hooks.ts';
import { bytesOf, made } from '../../java/values.ts';
import type { HeapObject, JavaArray, Taint, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods, StaticMethod, StaticMethods } from '../../machine/model.ts';
import { recorderOf, sinkTaint } from '../../report/recorder.ts';
import {
  each,
  elementsOf,
  flag,
  no,
  none,
  nothing,
  plain,
  type Reference,
  self,
  stateOf,
  yes,
} from '../model-parts.ts';
import { setSpan } from './spans.ts';

const S = 'Ljava/lang/String;';
const C = 'Ljava/lang/CharSequence;';
const T = 'Ljava/lang/Throwable;';

const levels = { v: 'VERBOSE', d: 'DEBUG', i: 'INFO', w: 'WARN', e: 'ERROR', wtf: 'ASSERT' } as const;

function log(
  machine: Machine,
  name: keyof typeof levels,
  tag: Reference,
  message: Reference,
  thrown: Reference,
): number {
  const throwable = thrown === null ? '' : `\n${machine.toText(thrown).text}`;
  const taint = sinkTaint(machine, tag, message, thrown);
  const written = message === null ? '' : plain(machine, message);
  recorderOf(machine).log(
    levels[name],
    tag === null ? '' : plain(machine, tag),
    written + throwable,
    taint,
    `Log.${name}`,
  );
  return written.length;
}

const logMethods: StaticMethods = {
  ...Object.fromEntries(
    (Object.keys(levels) as (keyof typeof levels)[]).flatMap((name): [string, StaticMethod][] => [
      [`${name}(${S}${S})I`, (machine, tag: Reference, message: Reference) => log(machine, name, tag, message, null)],
      [
        `${name}(${S}${S}${T})I`,
        (machine, tag: Reference, message: Reference, thrown: Reference) => log(machine, name, tag, message, thrown),
      ],
      [`${name}(${S}${T})I`, (machine, tag: Reference, thrown: Reference) => log(machine, name, tag, null, thrown)],
    ]),
  ),
  [`println(I${S}${S})I`]: (machine, _level: number, tag: Reference, message: Reference) =>
    log(machine, 'i', tag, message, null),
  // INFO and above, the default of every phone.
  [`isLoggable(${S}I)Z`]: (_machine, _tag: Reference, level: number) => level >= 4,
  [`getStackTraceString(${T})${S}`]: (machine, thrown: Reference) =>
    thrown === null ? machine.string('') : machine.toText(thrown),
};

// Base64.

const urlSafe = 8;

const encoded = (bytes: Uint8Array, flags: number): string => {
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(
    (flags & urlSafe) !== 0 ? 'base64url' : 'base64',
  );
  if ((flags & urlSafe) !== 0 && (flags & 1) === 0) text += '='.repeat((4 - (text.length % 4)) % 4);
  if ((flags & 1) !== 0) text = text.replace(/=+$/, '');
  if ((flags & 2) === 0) {
    const lines = text.match(/.{1,76}/g) ?? [];
    text = lines.map((line) => line + ((flags & 4) === 0 ? '\n' : '\r\n')).join('');
  }
  return text;
};

const part = (array: JavaArray, offset: number, length: number): Uint8Array =>
  bytesOf(array).subarray(offset, offset + length);

function decoded(machine: Machine, text: string, flags: number): JavaArray {
  reportBase64(machine, text, (flags & urlSafe) !== 0);
  // Android skips characters that are not of the alphabet; the rest has all of its padding, or none.
  const clean = text.replace((flags & urlSafe) === 0 ? /[^A-Za-z0-9+/=]/g : /[^A-Za-z0-9_=-]/g, '');
  if (!/^(?:[^=]{4})*(?:[^=]{2}(?:==)?|[^=]{3}=?)?$/.test(clean))
    throw machine.exception('Ljava/lang/IllegalArgumentException;', 'bad base-64');
  return machine.byteArray(Buffer.from(clean, 'base64'));
}

const base64: NativeMethods = {
  [`encodeToString(![BI)${S}`]: (machine, array: JavaArray, flags: number) =>
    machine.string(encoded(bytesOf(array), flags)),
  [`encodeToString(![BIII)${S}`]: (machine, array: JavaArray, offset: number, length: number, flags: number) =>
    machine.string(encoded(part(array, offset, length), flags)),
  'encode(![BI)[B': (machine, array: JavaArray, flags: number) =>
    machine.byteArray(Buffer.from(encoded(bytesOf(array), flags))),
  'encode(![BIII)[B': (machine, array: JavaArray, offset: number, length: number, flags: number) =>
    machine.byteArray(Buffer.from(encoded(part(array, offset, length), flags))),
  [`decode(${S}I)[B`]: (machine, text: Reference, flags: number) =>
    decoded(machine, plain(machine, required(machine, text)), flags),
  'decode(![BI)[B': (machine, array: JavaArray, flags: number) =>
    decoded(machine, Buffer.from(bytesOf(array)).toString('latin1'), flags),
  'decode(![BIII)[B': (machine, array: JavaArray, offset: number, length: number, flags: number) =>
    decoded(machine, Buffer.from(part(array, offset, length)).toString('latin1'), flags),
};

function required<V>(machine: Machine, value: V | null): V {
  if (value === null) throw machine.exception('Ljava/lang/NullPointerException;');
  return value;
}

// TextUtils.

const joinParts = (machine: Machine, delimiter: Reference, parts: readonly Reference[]): Value => {
  const taint = parts.reduce<Taint>(
    (all, each) => machine.union(all, each === null ? 0 : machine.deepTaint(each)),
    delimiter?.taint ?? 0,
  );
  return machine.string(
    parts.map((each) => (each === null ? 'null' : machine.toText(each).text)).join(plain(machine, delimiter)),
    taint,
  );
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0', apos: "'" };

/** What `TextUtils.htmlEncode` writes. */
const written: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const sameText = (machine: Machine, left: string, right: string): number =>
  compareTexts(machine, left, right, left === right);

const textUtils: NativeMethods = {
  [`isEmpty(${C})Z`]: (machine, value: Reference) => value === null || plain(machine, value) === '',
  [`equals(${C}${C})Z`]: (machine, a: Reference, b: Reference) =>
    a === null || b === null ? flag(a === b) : sameText(machine, plain(machine, a), plain(machine, b)),
  [`isDigitsOnly(${C})Z`]: (machine, value: Reference) => /^\d*$/.test(plain(machine, value)),
  [`getTrimmedLength(${C})I`]: (machine, value: Reference) => plain(machine, value).trim().length,
  [`indexOf(${C}${C})I`]: (machine, value: Reference, part: Reference) =>
    plain(machine, value).indexOf(plain(machine, part)),
  [`htmlEncode(${S})${S}`]: (machine, value: Reference) =>
    machine.string(plain(machine, value).replace(/[&<>"']/g, (character) => written[character] ?? character)),
  [`split(${S}${S})[${S}`]: (machine, value: Reference, pattern: Reference) => {
    const pieces =
      plain(machine, value) === ''
        ? []
        : (machine.call(required(machine, value), `split(${S}I)[${S}`, pattern, -1) as JavaArray).elements;
    return machine.objectArray(S, pieces as Reference[]);
  },
  [`concat(![${C})${C}`]: (machine, parts: JavaArray) => joinParts(machine, null, parts.elements as Reference[]),
  [`substring(${C}II)${S}`]: (machine, value: Reference, from: number, to: number) =>
    machine.string(plain(machine, value).slice(from, to)),
  [`nullIfEmpty(${S})${S}`]: (machine, value: Reference) =>
    value === null || plain(machine, value) === '' ? null : value,
};

// Small collections.

interface PairsState {
  readonly entries: Map<number | bigint, Reference>;
}
const pairsOf = (object: HeapObject): Map<number | bigint, Reference> =>
  stateOf<PairsState>(object, () => ({ entries: new Map() })).entries;
const sortedKeys = (object: HeapObject): (number | bigint)[] =>
  [...pairsOf(object).keys()].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));

/** A sparse array: `key` I or J, `value` a descriptor; numbers are kept in boxes, with their taint. */
function sparse(key: 'I' | 'J', value: string): { methods: NativeMethods } {
  const isNumber = value.length === 1;
  const zero: Value = value === 'J' ? 0n : isNumber ? 0 : null;
  const put: NativeMethod = (machine, me, at: number | bigint, item: Value) => {
    pairsOf(me).set(at, isNumber ? machine.box(value, item as number, machine.argumentTaint(2)) : (item as Reference));
  };
  const out = (machine: Machine, item: Reference | undefined, otherwise: Value): Value => {
    if (item === undefined || item === null) return item === null && !isNumber ? null : otherwise;
    if (!isNumber) return item;
    if (item.taint !== 0) machine.setResultTaint(item.taint);
    return machine.unbox(item);
  };
  const remove: NativeMethod = (_machine, me, at: number | bigint) => {
    pairsOf(me).delete(at);
  };
  return {
    methods: {
      ...each(nothing, '<init>()V', '<init>(I)V'),
      [`put(${key}${value})V`]: put,
      [`append(${key}${value})V`]: put,
      [`get(${key})${value}`]: (machine, me, at: number | bigint) => out(machine, pairsOf(me).get(at), zero),
      [`get(${key}${value})${value}`]: (machine, me, at: number | bigint, otherwise: Value) =>
        out(machine, pairsOf(me).get(at), otherwise),
      ...each(remove, `delete(${key})V`, `remove(${key})V`),
      'removeAt(I)V': (_machine, me, index: number) => {
        const at = sortedKeys(me)[index];
        if (at !== undefined) pairsOf(me).delete(at);
      },
      'size()I': (_machine, me) => pairsOf(me).size,
      [`keyAt(I)${key}`]: (_machine, me, index: number) => sortedKeys(me)[index] ?? (key === 'J' ? 0n : 0),
      [`valueAt(I)${value}`]: (machine, me, index: number) =>
        out(machine, pairsOf(me).get(sortedKeys(me)[index] ?? -1), zero),
      [`indexOfKey(${key})I`]: (_machine, me, at: number | bigint) => sortedKeys(me).indexOf(at),
      [`contains(${key})Z`]: (_machine, me, at: number | bigint) => pairsOf(me).has(at),
      'clear()V': (_machine, me) => pairsOf(me).clear(),
      'clone()Landroid/util/SparseArray;': self,
    },
  };
}

const O = 'Ljava/lang/Object;';

// The text is what matters; spans are there for whom they call.

const spannable: NativeMethods = {
  '<init>()V': made((machine) => ({ text: machine.string('') })),
  [`<init>(${C})V`]: (machine, me, value: Reference) => {
    const text = value === null ? machine.string('') : machine.toText(value);
    me.native = { text };
    me.taint = text.taint;
  },
  [`toString()${S}`]: (_machine, me) => (me.native as { text: HeapObject }).text,
  'length()I': (machine, me) => plain(machine, (me.native as { text: HeapObject }).text).length,
  'charAt(I)C': (machine, me, index: number) => {
    machine.setResultTaint(me.taint);
    return machine.call((me.native as { text: HeapObject }).text, 'charAt(I)C', index);
  },
  [`subSequence(II)${C}`]: (machine, me, from: number, to: number) =>
    machine.call((me.native as { text: HeapObject }).text, `substring(II)${S}`, from, to),
  ...each(
    (machine, me, value: Reference) => {
      const before = (me.native as { text: HeapObject }).text;
      const added = value === null ? machine.string('null') : machine.toText(value);
      const text = machine.string(plain(machine, before) + added.text, machine.union(before.taint, added.taint));
      me.native = { text };
      me.taint = text.taint;
      return me;
    },
    `append(${C})Landroid/text/SpannableStringBuilder;`,
    `append(${C})Landroid/text/Editable;`,
  ),
  'clear()V': (machine, me) => {
    me.native = { text: machine.string('') };
    me.taint = 0;
  },
  [`setSpan(${O}III)V`]: (machine, me, span: Reference) => setSpan(machine, me, span),
  ...each(nothing, `removeSpan(${O})V`, 'clearSpans()V'),
  [`getSpans(II!Ljava/lang/Class;)[${O}`]: (machine, _me, _from: number, _to: number, cls: HeapObject) =>
    machine.objectArray(machine.classFrom(cls).descriptor, []),
};

const spannableClass = (extra: readonly string[] = []) => ({
  implements: ['Landroid/text/Spannable;', ...extra],
  methods: spannable,
});

const pattern =
  (source: string) =>
  (machine: Machine): Value =>
    machine.callStatic(
      'Ljava/util/regex/Pattern;',
      'compile(Ljava/lang/String;)Ljava/util/regex/Pattern;',
      machine.string(source),
    );

export const textModels: Models = {
  'Landroid/util/Log;': { staticMethods: logMethods },
  'Landroid/util/Slog;': { staticMethods: logMethods },
  'Landroid/util/EventLog;': { staticMethods: each(no, 'writeEvent(II)I', `writeEvent(I${S})I`) },
  'Landroid/util/Base64;': { pureStatic: base64, constants: { 'DEFAULT:I': 0, 'NO_WRAP:I': 2 } },
  'Landroid/text/TextUtils;': {
    pureStatic: textUtils,
    staticMethods: {
      [`join(${C}!Ljava/lang/Iterable;)${S}`]: (machine, delimiter: Reference, parts: HeapObject) =>
        joinParts(machine, delimiter, elementsOf(machine, parts)),
      [`join(${C}![${O})${S}`]: (machine, delimiter: Reference, parts: JavaArray) =>
        joinParts(machine, delimiter, parts.elements as Reference[]),
    },
  },
  'Landroid/text/Html;': {
    pureStatic: each(
      (machine, value: Reference) => {
        const text = plain(machine, value)
          .replace(/<br\s*\/?>/gi, '\n')
          .replace(/<[^>]*>/g, '')
          .replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole);
        const result = machine.construct(
          'Landroid/text/SpannableStringBuilder;',
          `<init>(${C})V`,
          machine.string(text, value?.taint ?? 0),
        );
        return result;
      },
      `fromHtml(${S})Landroid/text/Spanned;`,
      `fromHtml(${S}I)Landroid/text/Spanned;`,
    ),
  },
  'Landroid/text/Spanned;': { isInterface: true, implements: [C] },
  'Landroid/text/Spannable;': { isInterface: true, implements: ['Landroid/text/Spanned;'] },
  'Landroid/text/Editable;': { isInterface: true, implements: ['Landroid/text/Spannable;', 'Ljava/lang/Appendable;'] },
  'Landroid/text/SpannableStringBuilder;': spannableClass(['Landroid/text/Editable;']),
  'Landroid/text/SpannableString;': spannableClass(),
  'Landroid/text/SpannedString;': spannableClass(),
  'Landroid/util/SparseArray;': sparse('I', O),
  'Landroid/util/LongSparseArray;': sparse('J', O),
  'Landroid/util/SparseIntArray;': sparse('I', 'I'),
  'Landroid/util/SparseLongArray;': sparse('I', 'J'),
  'Landroid/util/SparseBooleanArray;': sparse('I', 'Z'),
  'Landroid/util/ArrayMap;': {
    extends: 'Ljava/util/HashMap;',
    methods: {
      [`keyAt(I)${O}`]: (machine, me, index: number) =>
        elementsOf(machine, machine.call(me, 'keySet()Ljava/util/Set;') as HeapObject)[index] ?? null,
      [`valueAt(I)${O}`]: (machine, me, index: number) =>
        elementsOf(machine, machine.call(me, 'values()Ljava/util/Collection;') as HeapObject)[index] ?? null,
    },
  },
  'Landroid/util/ArraySet;': { extends: 'Ljava/util/HashSet;' },
  'Landroid/util/Pair;': {
    fields: [`first:${O}`, `second:${O}`],
    methods: {
      [`<init>(${O}${O})V`]: (machine, me, first: Reference, second: Reference) => {
        machine.setField(me, 'first', first);
        machine.setField(me, 'second', second);
      },
    },
    staticMethods: {
      [`create(${O}${O})Landroid/util/Pair;`]: (machine, first: Reference, second: Reference) =>
        machine.construct('Landroid/util/Pair;', `<init>(${O}${O})V`, first, second),
    },
  },
  'Landroid/util/LruCache;': {
    methods: {
      '<init>(I)V': nothing,
      [`get(${O})${O}`]: (machine, me, key: Reference) => {
        const value = machine.call(cacheOf(machine, me), `get(${O})${O}`, key);
        return value ?? machine.call(me, `create(${O})${O}`, key);
      },
      [`put(${O}${O})${O}`]: (machine, me, key: Reference, value: Reference) =>
        machine.call(cacheOf(machine, me), `put(${O}${O})${O}`, key, value),
      [`remove(${O})${O}`]: (machine, me, key: Reference) =>
        machine.call(cacheOf(machine, me), `remove(${O})${O}`, key),
      [`create(${O})${O}`]: none,
      'evictAll()V': nothing,
      'size()I': no,
      [`sizeOf(${O}${O})I`]: yes,
    },
  },
  'Landroid/util/Patterns;': {
    constants: {
      'WEB_URL:Ljava/util/regex/Pattern;': pattern(
        '(?:(?:http|https|rtsp)://)?[\\w-]+(?:\\.[\\w-]+)+(?::\\d{1,5})?(?:/\\S*)?',
      ),
      'EMAIL_ADDRESS:Ljava/util/regex/Pattern;': pattern(
        '[a-zA-Z0-9+._%-]{1,256}@[a-zA-Z0-9][a-zA-Z0-9-]{0,64}(?:\\.[a-zA-Z0-9][a-zA-Z0-9-]{0,25})+',
      ),
      'PHONE:Ljava/util/regex/Pattern;': pattern(
        '(?:\\+[0-9]+[\\- .]*)?(?:\\([0-9]+\\)[\\- .]*)?[0-9][0-9\\- .]+[0-9]',
      ),
      'IP_ADDRESS:Ljava/util/regex/Pattern;': pattern('(?:\\d{1,3}\\.){3}\\d{1,3}'),
    },
  },
  'Landroid/util/AndroidRuntimeException;': { extends: 'Ljava/lang/RuntimeException;' },
  'Landroid/text/format/Formatter;': {
    staticMethods: {
      [`formatIpAddress(I)${S}`]: (machine, value: number) =>
        machine.string([0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff).join('.')),
      [`formatFileSize(Landroid/content/Context;J)${S}`]: (machine, _context: Reference, size: bigint) =>
        machine.string(`${(Number(size) / 1e6).toFixed(2)} MB`),
    },
  },
};

const cacheOf = (machine: Machine, me: HeapObject): HeapObject =>
  stateOf<HeapObject>(me, () => machine.construct('Ljava/util/LinkedHashMap;', '<init>()V'));
