// Character sets as Java decodes and encodes them. Knows no streams.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine } from '../../machine/model.ts';
import { charsToText, optionalText, type Reference } from '../values.ts';

const imapNames = 'x-IMAP-mailbox-name';

/** Lower-case alias to the canonical name. */
const ALIASES: Readonly<Record<string, string>> = {
  'utf-8': 'UTF-8',
  utf8: 'UTF-8',
  'us-ascii': 'US-ASCII',
  ascii: 'US-ASCII',
  'iso-8859-1': 'ISO-8859-1',
  'iso8859-1': 'ISO-8859-1',
  iso8859_1: 'ISO-8859-1',
  latin1: 'ISO-8859-1',
  'utf-16': 'UTF-16',
  utf16: 'UTF-16',
  'utf-16be': 'UTF-16BE',
  'utf-16le': 'UTF-16LE',
  unicode: 'UTF-16',
  'utf-32': 'UTF-32',
  utf32: 'UTF-32',
  'utf-32be': 'UTF-32BE',
  'utf-32le': 'UTF-32LE',
  'windows-1252': 'windows-1252',
  cp1252: 'windows-1252',
  gbk: 'GBK',
  gb2312: 'GB2312',
  gb18030: 'GB18030',
  big5: 'Big5',
  shift_jis: 'Shift_JIS',
  sjis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  'euc-kr': 'EUC-KR',
  'koi8-r': 'KOI8-R',
  'koi8-u': 'KOI8-U',
  cp1251: 'windows-1251',
  ...Object.fromEntries([0, 1, 3, 4, 5, 6, 7, 8].map((part) => [`windows-125${part}`, `windows-125${part}`])),
  ...Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 13, 15].map((part) => [`iso-8859-${part}`, `ISO-8859-${part}`])),
  // ICU's, which Android has: UTF-7 as IMAP's folders are named, RFC 3501 5.1.3.
  'x-imap-mailbox-name': imapNames,
  'imap-mailbox-name': imapNames,
};

/** The canonical name, null where there is no such charset. */
export function canonicalCharset(name: string): string | null {
  return ALIASES[name.toLowerCase()] ?? null;
}

/** The name behind a String or a Charset argument. @throws JavaThrow UnsupportedEncodingException, NullPointerException */
export function charsetOf(machine: Machine, charset: Reference): string {
  const text = optionalText(charset);
  if (text !== null) {
    const name = canonicalCharset(text);
    if (name === null) throw machine.exception('Ljava/io/UnsupportedEncodingException;', text);
    return name;
  }
  if (charset === null) throw machine.exception('Ljava/lang/NullPointerException;', 'charset');
  return typeof (charset as HeapObject).native === 'string' ? ((charset as HeapObject).native as string) : 'UTF-8';
}

export function decodeBytes(bytes: Uint8Array, charset: string): string {
  switch (charset) {
    case 'UTF-8':
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    case 'US-ASCII':
      return charsToText(Uint16Array.from(bytes, (byte) => (byte < 128 ? byte : 0xfffd)));
    case 'ISO-8859-1':
      return charsToText(Uint16Array.from(bytes));
    case 'UTF-16': {
      if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes.subarray(2), true);
      return decodeUtf16(bytes[0] === 0xfe && bytes[1] === 0xff ? bytes.subarray(2) : bytes, false);
    }
    case 'UTF-16BE':
      return decodeUtf16(bytes, false);
    case 'UTF-16LE':
      return decodeUtf16(bytes, true);
    case 'UTF-32': {
      if (bytes[0] === 0xff && bytes[1] === 0xfe && bytes[2] === 0 && bytes[3] === 0)
        return decodeUtf32(bytes.subarray(4), true);
      return decodeUtf32(
        bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff ? bytes.subarray(4) : bytes,
        false,
      );
    }
    case 'UTF-32BE':
      return decodeUtf32(bytes, false);
    case 'UTF-32LE':
      return decodeUtf32(bytes, true);
    case imapNames:
      return decodeImap(Buffer.from(bytes).toString('latin1'));
    default:
      return new TextDecoder(charset.toLowerCase()).decode(bytes);
  }
}

function decodeUtf16(bytes: Uint8Array, isLittle: boolean): string {
  const units = new Uint16Array((bytes.length + 1) >> 1);
  for (let index = 0; index + 1 < bytes.length; index += 2) {
    units[index >> 1] = isLittle ? bytes[index]! | (bytes[index + 1]! << 8) : (bytes[index]! << 8) | bytes[index + 1]!;
  }
  if (bytes.length % 2 === 1) units[units.length - 1] = 0xfffd;
  return charsToText(units);
}

function decodeUtf32(bytes: Uint8Array, isLittle: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const units = new Uint16Array(((bytes.length + 3) >> 2) * 2);
  let count = 0;
  for (let index = 0; index < bytes.length; index += 4) {
    const code = index + 4 <= bytes.length ? view.getUint32(index, isLittle) : 0xfffd;
    if (code < 0x10000) units[count++] = code;
    else if (code <= 0x10ffff) {
      units[count++] = 0xd800 | ((code - 0x10000) >> 10);
      units[count++] = 0xdc00 | (code & 0x3ff);
    } else units[count++] = 0xfffd;
  }
  return charsToText(units.subarray(0, count));
}

export function encodeText(text: string, charset: string): Uint8Array {
  switch (charset) {
    case 'UTF-8':
      // Java writes '?' for a lone surrogate where JavaScript writes U+FFFD.
      return new TextEncoder().encode(/[\ud800-\udfff]/.test(text) ? withoutLoneSurrogates(text) : text);
    case 'US-ASCII':
      return encodeNarrow(text, 127);
    case 'ISO-8859-1':
      return encodeNarrow(text, 255);
    case 'UTF-16':
      return text === '' ? new Uint8Array(0) : encodeUtf16(`\ufeff${text}`, false);
    case 'UTF-16BE':
      return encodeUtf16(text, false);
    case 'UTF-16LE':
      return encodeUtf16(text, true);
    case 'UTF-32':
    case 'UTF-32BE':
      return encodeUtf32(text, false);
    case 'UTF-32LE':
      return encodeUtf32(text, true);
    case imapNames:
      return Buffer.from(encodeImap(text), 'latin1');
    default:
      return encodeByTable(text, charset);
  }
}

/** Printable ASCII as it is, `&` as `&-`, the rest as base 64 of UTF-16 between `&` and `-`, with `,` for `/`. */
const encodeImap = (text: string): string =>
  text.replace(/&|[^ -~]+/g, (found) => {
    if (found === '&') return '&-';
    const packed = Buffer.from(encodeUtf16(found, false)).toString('base64');
    return `&${packed.replace(/=+$/, '').replaceAll('/', ',')}-`;
  });

const decodeImap = (text: string): string =>
  text.replace(/&([A-Za-z0-9+,]*)-/g, (_found, packed: string) =>
    packed === '' ? '&' : decodeUtf16(Buffer.from(packed.replaceAll(',', '/'), 'base64'), false),
  );

function withoutLoneSurrogates(text: string): string {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]|[\ud800-\udfff]/g, (found) => (found.length === 2 ? found : '?'));
}

function encodeNarrow(text: string, maximum: number): Uint8Array {
  const characters = withoutLoneSurrogates(text);
  const bytes: number[] = [];
  for (const character of characters) {
    const code = character.codePointAt(0)!;
    bytes.push(code <= maximum ? code : 63);
  }
  return Uint8Array.from(bytes);
}

function encodeUtf16(text: string, isLittle: boolean): Uint8Array {
  const bytes = new Uint8Array(text.length * 2);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes[index * 2] = isLittle ? unit & 0xff : unit >> 8;
    bytes[index * 2 + 1] = isLittle ? unit >> 8 : unit & 0xff;
  }
  return bytes;
}

function encodeUtf32(text: string, isLittle: boolean): Uint8Array {
  const characters = [...withoutLoneSurrogates(text)];
  const bytes = new DataView(new ArrayBuffer(characters.length * 4));
  for (const [index, character] of characters.entries()) {
    bytes.setUint32(index * 4, character.codePointAt(0)!, isLittle);
  }
  return new Uint8Array(bytes.buffer);
}

const tables = new Map<string, Map<string, readonly number[]>>();

/** The platform only decodes these: the table is turned round, once. */
function encodeByTable(text: string, charset: string): Uint8Array {
  let table = tables.get(charset);
  if (table === undefined) {
    table = new Map();
    const decoder = new TextDecoder(charset.toLowerCase());
    for (let first = 0; first < 256; first++) {
      const one = decoder.decode(Uint8Array.of(first));
      if (one.length === 1 && one !== '\ufffd') table.set(one, [first]);
      else
        for (let second = 0x30; second < 0xff; second++) {
          const two = decoder.decode(Uint8Array.of(first, second));
          if (two.length === 1 && two !== '\ufffd' && !table.has(two)) table.set(two, [first, second]);
        }
    }
    tables.set(charset, table);
  }
  const bytes: number[] = [];
  for (const character of text) bytes.push(...(table.get(character) ?? [63]));
  return Uint8Array.from(bytes);
}

/** @throws JavaThrow UnsupportedCharsetException */
export function requireCharset(machine: Machine, name: string): string {
  const canonical = canonicalCharset(name);
  if (canonical !== null) return canonical;
  if (!/^[A-Za-z0-9][A-Za-z0-9\-+.:_]*$/.test(name)) {
    throw machine.exception('Ljava/nio/charset/IllegalCharsetNameException;', name);
  }
  throw machine.exception('Ljava/nio/charset/UnsupportedCharsetException;', name);
}
