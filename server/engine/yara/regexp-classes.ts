// Which bytes the classes of a translated regular expression hold. Knows single classes, no expressions.

const byteValues = 256;
const newline = 10;
/** By its letter; a capital one holds the others. */
const shorthands: Readonly<Record<string, RegExp>> = { d: /\d/, w: /\w/, s: /[\t-\r ]/ };
const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', a: '\x07' };
const member = /\\x([\da-fA-F]{2})|\\([\s\S])|([\s\S])/y;

/** What the compiler takes a class for, however it is written; `line` is any byte but the end of a line. */
export type WideClass = 'every byte' | 'line';

/** @param isDotAll whether `.` holds the end of a line too */
export function wideClassOf(piece: string, isDotAll: boolean): WideClass | null {
  if (piece === '.') return isDotAll ? 'every byte' : 'line';
  return piece.startsWith('[') ? wideness(heldBytes(piece)) : null;
}

const written: Readonly<Record<WideClass, string>> = { 'every byte': '[\\x00-\\xff]', line: '[^\\n]' };
const single = /^(?:\.|\[[\s\S]+|\\[wWsSdD])$/;

/** Alternatives of single classes that the compiler takes for one such class, as that class. */
export function withWideAlternatives(pieces: readonly string[], isDotAll: boolean): readonly string[] {
  if (!pieces.includes('|')) return pieces;
  const result: string[] = [];
  for (let index = 0; index < pieces.length; ) {
    let next = index + (pieces[index] === '(' ? 1 : 0);
    const isStart = pieces[index] === '(' || index === 0;
    const start = next;
    while (isStart && single.test(pieces[next] ?? '') && pieces[next + 1] === '|') next += 2;
    const isWhole = next > start && single.test(pieces[next] ?? '');
    const isClosed = pieces[next + 1] === (pieces[index] === '(' ? ')' : undefined);
    const wide = isWhole && isClosed ? unionOf(pieces.slice(start, next + 1), isDotAll) : null;
    result.push(wide === null ? pieces[index]! : written[wide]);
    index = wide === null ? index + 1 : next + 2;
  }
  return result;
}

function unionOf(alternatives: readonly string[], isDotAll: boolean): WideClass | null {
  const union = new Uint8Array(byteValues);
  for (const piece of alternatives.filter((each) => each !== '|')) {
    const isDot = piece === '.';
    const held = heldBytes(
      isDot ? written[isDotAll ? 'every byte' : 'line'] : piece.startsWith('[') ? piece : `[${piece}]`,
    );
    for (let byte = 0; byte < byteValues; byte++) if (held[byte] === 1) union[byte] = 1;
  }
  return wideness(union);
}

function wideness(held: Uint8Array): WideClass | null {
  const missing = held.indexOf(0);
  if (missing < 0) return 'every byte';
  return missing === newline && held.indexOf(0, newline + 1) < 0 ? 'line' : null;
}

/** By byte, whether a class holds it. @param piece as `translateRegexp` writes classes */
function heldBytes(piece: string): Uint8Array {
  const isNegated = piece[1] === '^';
  const held = new Uint8Array(byteValues).fill(Number(isNegated));
  const set = (first: number, last: number) => held.fill(Number(!isNegated), first, last + 1);
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
  return held;
}

function byteOf(digits: string | undefined, escaped: string | undefined, plain: string | undefined): number {
  if (digits !== undefined) return Number.parseInt(digits, 16);
  return (escaped === undefined ? plain! : (controls[escaped] ?? escaped)).charCodeAt(0);
}
