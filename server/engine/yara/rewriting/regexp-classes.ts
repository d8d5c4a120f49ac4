// Which bytes the classes of a translated regular expression hold, and what that means to YARA-X. Knows single classes and
// alternatives of them.

const byteValues = 256;
const newline = 10;
/** By its letter; a capital one holds the others. */
const shorthands: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: /[\t-\r ]/ };
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', a: '\x07' };
const member = /\\x([\da-fA-F]{2})|\\([\s\S])|([\s\S])/y;
const single = /^(?:\.|\[[\s\S]+|\\[wWsSdD])$/;

export interface ClassFlags {
  /** Whether `.` holds the end of a line too. */
  isDotAll: boolean;
  /** Whether letters stand for those of either case. */
  isCaseless: boolean;
}

/** By byte, 1 where a class holds it. */
export type ByteClass = Uint8Array;

/** The bytes of `.`, `\w` or `[…]` as `translateRegexp` writes them; null for what is no class. */
export function classOf(piece: string, { isDotAll, isCaseless }: ClassFlags): ByteClass | null {
  if (!single.test(piece)) return null;
  const bracketed =
    piece === '.' ? (isDotAll ? '[\\x00-\\xff]' : '[^\\n]') : piece.startsWith('[') ? piece : `[${piece}]`;
  return heldBytes(bracketed, isCaseless);
}

export const isEveryByte = (held: ByteClass): boolean => !held.includes(0);

/** Every byte but the end of a line. */
export function isLine(held: ByteClass): boolean {
  return held[newline] === 0 && held.indexOf(0, newline + 1) < 0 && held.indexOf(0) === newline;
}

/** Whether a class holds exactly the bytes with some bits in common, like `{ 4? }`, and several of them. */
export function isMasked(held: ByteClass): boolean {
  const least = held.indexOf(1);
  const free = least ^ held.lastIndexOf(1);
  const count = held.reduce((sum, holds) => sum + holds, 0);
  if (count < 2 || count !== 2 ** bitCount(free) || (least & free) !== 0) return false;
  return held.every((holds, byte) => holds === Number((byte & ~free) === least));
}

function bitCount(value: number): number {
  let count = 0;
  for (let rest = value; rest > 0; rest &= rest - 1) count += 1;
  return count;
}

/** The class as two alternatives that the compiler does not join. */
export function inTwo(held: ByteClass): string {
  const least = held.indexOf(1);
  const others = held.slice();
  others[least] = 0;
  return `(${hexByte(least)}|${written(others)})`;
}

const hexByte = (byte: number): string => `\\x${byte.toString(16).padStart(2, '0')}`;

function written(held: ByteClass): string {
  let ranges = '';
  for (let first = held.indexOf(1); first >= 0; ) {
    const past = held.indexOf(0, first);
    const last = past < 0 ? byteValues - 1 : past - 1;
    ranges += last === first ? hexByte(first) : `${hexByte(first)}-${hexByte(last)}`;
    first = past < 0 ? -1 : held.indexOf(1, past);
  }
  return `[${ranges}]`;
}

/** Joins alternatives that are all classes into one class, as the compiler does. */
export function withJoinedClasses(pieces: readonly string[], flags: ClassFlags): readonly string[] {
  if (!pieces.includes('|')) return pieces;
  const result: string[] = [];
  for (let index = 0; index < pieces.length; ) {
    const isGroup = pieces[index] === '(';
    const start = index + Number(isGroup);
    let next = start;
    while ((isGroup || index === 0) && single.test(pieces[next] ?? '') && pieces[next + 1] === '|') next += 2;
    const isJoined =
      next > start && single.test(pieces[next] ?? '') && pieces[next + 1] === (isGroup ? ')' : undefined);
    result.push(isJoined ? written(unionOf(pieces.slice(start, next + 1), flags)) : pieces[index]!);
    index = isJoined ? next + 2 : index + 1;
  }
  return result;
}

function unionOf(alternatives: readonly string[], flags: ClassFlags): ByteClass {
  const union = new Uint8Array(byteValues);
  for (const piece of alternatives) {
    const held = classOf(piece, flags);
    for (let byte = 0; byte < byteValues; byte++) if (held?.[byte] === 1) union[byte] = 1;
  }
  return union;
}

function foldCase(held: ByteClass): void {
  for (let capital = 65; capital <= 90; capital++) {
    const small = capital + 32;
    held[capital] = held[small] = held[capital]! | held[small]!;
  }
}

/** @param piece in brackets */
function heldBytes(piece: string, isCaseless: boolean): ByteClass {
  const isNegated = piece[1] === '^';
  const held = new Uint8Array(byteValues);
  const set = (first: number, last: number) => held.fill(1, first, last + 1);
  member.lastIndex = isNegated ? 2 : 1;
  while (member.lastIndex < piece.length - 1) {
    const [, digits, escaped, plain] = member.exec(piece)!;
    const shorthand = escaped === undefined ? undefined : shorthands[escaped.toLowerCase()];
    if (shorthand !== undefined) {
      const isWanted = escaped === escaped!.toLowerCase();
      for (let byte = 0; byte < byteValues; byte++) {
        if (shorthand.test(String.fromCharCode(byte)) === isWanted) set(byte, byte);
      }
      continue;
    }
    const first = byteOf(digits, escaped, plain);
    let last = first;
    if (piece[member.lastIndex] === '-' && member.lastIndex < piece.length - 2) {
      member.lastIndex += 1;
      const [, lastDigits, lastEscaped, lastPlain] = member.exec(piece)!;
      last = byteOf(lastDigits, lastEscaped, lastPlain);
    }
    set(first, last);
  }
  // `[^d]` holds neither `d` nor `D` then.
  if (isCaseless) foldCase(held);
  return isNegated ? held.map((holds) => 1 - holds) : held;
}

function byteOf(digits: string | undefined, escaped: string | undefined, plain: string | undefined): number {
  if (digits !== undefined) return Number.parseInt(digits, 16);
  return (escaped === undefined ? plain! : (controls[escaped] ?? escaped)).charCodeAt(0);
}
