// Translates YARA's regular expressions into those of other engines, byte for byte. Knows nothing of rules.
import { beginningAtByte, withoutEmptyMatch } from './nonempty-regexp.ts';
import { classOf, inTwo, isEveryByte, isLine, isMasked, withJoinedClasses } from './regexp-classes.ts';

/** `yara-x`: what YARA-X accepts; `javascript`: a source for RegExp over text that holds one byte in each unit. */
export type RegexpTarget = 'yara-x' | 'javascript';

const escapedSpace = '\\t\\n\\r\\f\\x0b\\x20';
/** Escapes that YARA knows; any other escaped character stands for itself. */
const knownEscapes = 'ntrfawWsSdDbB';
/** Characters that every engine takes literally when escaped. */
const special = '\\^$.|?*+()[]{}/-&~#';

interface Reader {
  readonly bytes: string;
  position: number;
}

/**
 * YARA's dialect knows neither lookaround nor back references; a brace that begins no repetition, an unknown escape and
 * an opening bracket within a class are literal characters, and text beyond ASCII is its UTF-8 bytes.
 * @param body what stands between the slashes
 * @param isDotAll the flag `s`, which JavaScript's classes need here
 * @throws SyntaxError for JavaScript, where YARA refuses what JavaScript knows
 * @see https://yara.readthedocs.io/en/stable/writingrules.html#regular-expressions
 */
export function translateRegexp(body: string, target: RegexpTarget, isDotAll = false): string {
  return translatePieces(body, target, isDotAll).join('');
}

/** A regular expression as a string of a rule. */
export interface RegexpString {
  /** With its slashes and flags. */
  value: string;
  modifiers: string;
}

/**
 * The expression that YARA-X must be given to match what YARA matches.
 * @param modifiers those of the string
 * @returns `isOtherDialect`: YARA-X would have read the author's own text otherwise, or not at all; `isWidened`: the
 * expression says what `wide` does
 */
export function exactRegexp(
  body: string,
  flags: string,
  modifiers: readonly string[] = [],
): { body: string; isOtherDialect: boolean; isWidened: boolean } {
  const pieces = translatePieces(body, 'yara-x', false);
  const isOtherDialect = pieces.join('') !== body;
  const widened = modifiers.includes('wide') ? widenedWithAnchors(pieces, modifiers) : null;
  const edged = modifiers.includes('wide') ? pieces : withEdgesOfFiles(pieces);
  const something = withoutEmptyAlternatives(withoutEmptyMatch(widened ?? edged));
  const found = modifiers.includes('fullword') ? something : atEveryByte(something);
  const rest = widened === null ? modifiers : modifiers.filter((word) => word !== 'wide');
  return {
    body: withoutGaps(found, flags, rest).join(''),
    isOtherDialect,
    isWidened: widened !== null,
  };
}

/** The expression for YARA-X of one that is searched in a text, where an empty match may count. */
export function exactTextRegexp(body: string, flags: string): { body: string; isOtherDialect: boolean } {
  const pieces = translatePieces(body, 'yara-x', false);
  const exact = withoutGaps(withEdgesOfFiles(beginningAtByte(pieces)), flags, []).join('');
  return { body: exact, isOtherDialect: pieces.join('') !== body };
}

/**
 * `(a|)` as `((a)?)`: where all alternatives are texts and one is empty, YARA-X 1.20 misses the empty one at the beginning
 * and the end of the data.
 */
function withoutEmptyAlternatives(pieces: readonly string[]): readonly string[] {
  const ends = emptyEndings(pieces);
  if (ends.size === 0) return pieces;
  // The engine refuses expressions that mix lazy and greedy repetitions.
  const isLazy = pieces.some((piece, index) => piece === '?' && isQuantifier(pieces[index - 1]));
  const optionally = isLazy ? ['?', '?'] : ['?'];
  const result: string[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (!ends.has(index)) {
      result.push(piece);
    } else if (piece === '(') {
      result.push('(', '(');
    } else {
      while (result.at(-1) === '|') result.pop();
      result.push(')', ...optionally, ')');
    }
  }
  return result;
}

/** Both parentheses of each group that ends in an empty alternative. */
function emptyEndings(pieces: readonly string[]): ReadonlySet<number> {
  const ends = new Set<number>();
  const open: number[] = [];
  for (const [index, piece] of pieces.entries()) {
    if (piece === '(') open.push(index);
    const first = piece === ')' ? open.pop() : undefined;
    if (first !== undefined && pieces[index - 1] === '|') ends.add(first).add(index);
  }
  return ends;
}

/** A word character, alone or as a class. */
const wordPart = /^(?:\w|\\[wd]|\[(?:\d-\d|[a-z]-[a-z]|[A-Z]-[A-Z]|\w|\\[wd])+\])$/;
const optional = /^(?:[*?]|\{0)/;

/** YARA takes both ends of a file for word boundaries, whatever is there; beside a word character YARA-X does too. */
function withEdgesOfFiles(pieces: readonly string[]): readonly string[] {
  if (!pieces.includes('\\b')) return pieces;
  return pieces.flatMap((piece, index) => {
    if (piece !== '\\b') return [piece];
    const [before, after] = [pieces[index - 1] ?? '|', pieces[index + 1] ?? '|'];
    const isBeforeWord = wordPart.test(after) && !optional.test(pieces[index + 2] ?? '');
    const beginsFile = /^[|(^]$/.test(before) && !isBeforeWord;
    const endsFile = /^[|)$]$/.test(after) && !wordPart.test(before);
    return beginsFile || endsFile
      ? ['(', ...(beginsFile ? ['^', '|'] : []), ...(endsFile ? ['$', '|'] : []), piece, ')']
      : [piece];
  });
}

/** Whether two parts may be separated by any number of any bytes of a line, of which YARA warns. */
export function holdsEndlessGap(body: string): boolean {
  const pieces = translatePieces(body, 'yara-x', false);
  return pieces.some((piece, index) => piece === '.' && /^(?:[*+]|\{\d+,\})$/.test(pieces[index + 1] ?? ''));
}

/** Where an expression asks for word boundaries: anywhere, and for none at its own beginning or end. */
export function wordEdges(body: string): { isAsked: boolean; isRefusedOutside: boolean } {
  const pieces = translatePieces(body, 'yara-x', false);
  return {
    isAsked: pieces.includes('\\b') || pieces.includes('\\B'),
    isRefusedOutside: pieces[0] === '\\B' || pieces.at(-1) === '\\B',
  };
}

const signs: ReadonlySet<string> = new Set(['(', ')', '|', '^', '$']);

/**
 * YARA-X ignores `^` and `$` in a wide expression: it is rewritten as an ordinary one, with the zeros written out.
 * @returns null where there is no such sign, or a word boundary, which means something else in wide text
 */
function widenedWithAnchors(pieces: readonly string[], modifiers: readonly string[]): readonly string[] | null {
  const isAnchored = pieces.includes('^') || pieces.includes('$');
  const hasEdges = modifiers.includes('fullword') || pieces.includes('\\b') || pieces.includes('\\B');
  if (!isAnchored || hasEdges || pieces.some((piece, index) => piece === '?' && pieces[index - 1] === '(')) return null;
  const wide = pieces.flatMap((piece, index) => {
    const isLazy = piece === '?' && isQuantifier(pieces[index - 1]);
    if (signs.has(piece) || isQuantifier(piece) || isLazy) return [piece];
    return isQuantifier(pieces[index + 1]) ? ['(', piece, '\\x00', ')'] : [piece, '\\x00'];
  });
  return modifiers.includes('ascii') ? ['(', ...pieces, '|', ...wide, ')'] : wide;
}

/** A repetition of almost any byte matches from every place, and finding how far takes quadratic time: one byte is enough. */
function atEveryByte(pieces: readonly string[]): readonly string[] {
  const [atom, quantifier] = pieces;
  const isRun =
    pieces.length === 2 &&
    isQuantifier(quantifier) &&
    (atom === '.' || atom!.startsWith('[^') || holdsEveryByte(atom!));
  if (!isRun) return pieces;
  const least = Number(/^\{(\d+)/.exec(quantifier!)?.[1] ?? 1);
  return least === 1 ? [atom!] : [atom!, `{${least}}`];
}

/**
 * YARA-X 1.20 treats a repetition of any byte as a gap, with several defects. `/ab.{0,4}/` is not found where the data end
 * after `ab`, and `/ab[\x00-\xff]+/` is. `/.*ab/` is not found after the end of a line. An expression that begins with an
 * endless gap is refused. In wide expressions the zeros between the bytes of a gap are not checked. With `fullword`, a byte
 * of which some bits are free makes it read outside the data, which ends the process. The same bytes written as two
 * alternatives are not treated as a gap.
 */
function withoutGaps(given: readonly string[], flags: string, modifiers: readonly string[]): readonly string[] {
  const isCaseless = flags.includes('i') || modifiers.includes('nocase');
  const classFlags = { isDotAll: flags.includes('s'), isCaseless };
  const pieces = withJoinedClasses(given, classFlags);
  const isWide = modifiers.includes('wide');
  const isFullword = modifiers.includes('fullword');
  let last = pieces.length;
  while (pieces[last - 1] === ')') last -= 1;
  last -= pieces[last - 1] === '?' && isQuantifier(pieces[last - 2]) ? 3 : 2;
  let first = 0;
  while (pieces[first] === '(') first += 1;
  const gaps = longLazyGaps(pieces);
  return pieces.map((piece, index) => {
    if (gaps.has(index)) return isWide ? inTwo(everyByte) : '[\\x00-\\xff]';
    const isEdge = isQuantifier(pieces[index + 1]) && (index === first || index === last || isWide);
    const held = isEdge || isFullword ? classOf(piece, classFlags) : null;
    if (held === null) return piece;
    return (isFullword && isMasked(held)) || (isEdge && (isEveryByte(held) || isLine(held))) ? inTwo(held) : piece;
  });
}

const everyByte = new Uint8Array(256).fill(1);

function holdsEveryByte(piece: string): boolean {
  const held = classOf(piece, { isDotAll: false, isCaseless: false });
  return held !== null && isEveryByte(held);
}

/** A gap of so many bytes, at least or at most, separates two parts for YARA. */
const maxUnsplitGap = 200;

/**
 * YARA looks for the parts on both sides of a long lazy gap by themselves, and lets it hold line ends too.
 * @returns the places of such gaps between parts of the whole expression, not within a group or an alternative
 * @see https://github.com/VirusTotal/yara/blob/v4.2.3/libyara/re.c (`yr_re_ast_split_at_chaining_point`)
 */
function longLazyGaps(pieces: readonly string[]): ReadonlySet<number> {
  const gaps = new Set<number>();
  let depth = 0;
  for (const [index, piece] of pieces.entries()) {
    if (piece === '(') depth += 1;
    else if (piece === ')') depth -= 1;
    else if (piece === '|' && depth === 0) return new Set();
    else if (piece === '.' && depth === 0 && index > 0 && isLongLazy(pieces, index)) gaps.add(index);
  }
  return gaps;
}

function isLongLazy(pieces: readonly string[], index: number): boolean {
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}$/.exec(pieces[index + 1] ?? '') ?? [];
  if (least === undefined || pieces[index + 2] !== '?' || pieces[index + 3] === undefined) return false;
  return Number(least) > maxUnsplitGap || (comma === ',' && (most === '' || Number(most) > maxUnsplitGap));
}

const isQuantifier = (piece: string | undefined): boolean => piece !== undefined && /^(?:[*+?]|\{\d.*)$/.test(piece);

function translatePieces(body: string, target: RegexpTarget, isDotAll: boolean): string[] {
  const reader: Reader = { bytes: Buffer.from(body, 'utf8').toString('latin1'), position: 0 };
  const output: string[] = [];
  while (reader.position < reader.bytes.length) {
    const character = reader.bytes[reader.position++]!;
    if (target === 'javascript') refuseOthers(character, reader);
    if (character === '[') output.push(translateClass(reader, target));
    else if (character === '\\') output.push(translateEscape(reader, target, false));
    else if (character === '{') output.push(translateBrace(reader));
    else if (character === '}' || character === ']') output.push(`\\${character}`);
    else if (character === '.' && target === 'javascript') output.push(isDotAll ? '[^]' : '[^\\n]');
    else output.push(literal(character, false));
  }
  return output;
}

/** Refuses what JavaScript knows and YARA does not. @throws SyntaxError */
function refuseOthers(character: string, { bytes, position }: Reader): void {
  const next = bytes[position] ?? '';
  if (character === '(' && /^\?(?:[=!]|<[=!])/.test(bytes.slice(position, position + 3))) {
    throw new SyntaxError('there is no looking around in regular expressions');
  }
  if (character === '\\' && next >= '1' && next <= '9') {
    throw new SyntaxError('there are no back references in regular expressions');
  }
}

function literal(character: string, isEscaped: boolean): string {
  const code = character.charCodeAt(0);
  if (code >= 0x7f || code < 0x20) return `\\x${code.toString(16).padStart(2, '0')}`;
  return isEscaped && special.includes(character) ? `\\${character}` : character;
}

function translateEscape(reader: Reader, target: RegexpTarget, isInClass: boolean): string {
  const character = reader.bytes[reader.position++];
  if (character === undefined) return '\\';
  if (character === 'x') {
    const digits = reader.bytes.slice(reader.position, reader.position + 2);
    if (!/^[\da-f]{2}$/i.test(digits)) return '\\x';
    reader.position += 2;
    return `\\x${digits}`;
  }
  if (character === 'a') return '\\x07';
  // In C's locale blanks are these six; JavaScript counts more.
  if (target === 'javascript' && character === 's') return isInClass ? escapedSpace : `[${escapedSpace}]`;
  if (target === 'javascript' && character === 'S' && !isInClass) return `[^${escapedSpace}]`;
  // A class cannot hold a word boundary.
  if (isInClass && (character === 'b' || character === 'B')) return character;
  // YARA takes both ends of a text for word boundaries, whatever is there.
  if (target === 'javascript' && character === 'b') return '(?:^|$|\\b)';
  if (target === 'javascript' && character === 'B') return '(?!^|$)\\B';
  // A digit would be a back reference, which the compiler must refuse.
  if (character >= '1' && character <= '9' && !isInClass) return `\\${character}`;
  if (knownEscapes.includes(character)) return `\\${character}`;
  return literal(character, true);
}

/** The text from an opening brace on: a repetition, else the brace itself. */
function translateBrace(reader: Reader): string {
  const close = reader.bytes.indexOf('}', reader.position);
  const inner = close < 0 || close - reader.position > 20 ? '' : reader.bytes.slice(reader.position, close);
  if (!/^(?:\d+(?:,\d*)?|,\d*)$/.test(inner)) return '\\{';
  reader.position = close + 1;
  return `{${inner.startsWith(',') ? '0' : ''}${inner}}`;
}

/** A character of a class, as YARA's lexer reads it beside a hyphen. */
const rangePattern = /(\\x[\da-fA-F]{2}|\\[\s\S]|[^\\])-(\\x[\da-fA-F]{2}|\\[\s\S]|[^\]\\])/y;

function translateClass(reader: Reader, target: RegexpTarget): string {
  const { bytes } = reader;
  let output = '[';
  if (bytes[reader.position] === '^') {
    output += '^';
    reader.position += 1;
  }
  if (bytes[reader.position] === ']') {
    output += '\\]';
    reader.position += 1;
  }
  while (reader.position < bytes.length) {
    const range = rangeAt(reader);
    if (range !== null) {
      output += range;
      continue;
    }
    const character = bytes[reader.position++]!;
    if (character === ']') return `${output}]`;
    if (character === '\\') output += translateEscape(reader, target, true);
    else output += literal(character, '[&~^-'.includes(character));
  }
  return output;
}

/**
 * `a-z`. An escaped letter beside the hyphen is that letter, `[\w-z]` is `[w-z]`; where that would be no range, which YARA
 * refuses, the letter is the class that it stands for elsewhere, and the hyphen a character.
 */
function rangeAt(reader: Reader): string | null {
  const { bytes, position } = reader;
  if (bytes[position] === ']') return null;
  rangePattern.lastIndex = position;
  const [range, first, last] = rangePattern.exec(bytes) ?? [];
  if (range === undefined) return null;
  const [start, end] = [characterOf(first!), characterOf(last!)];
  if (end < start && /\\[wWsSdD]/.test(range)) return null;
  reader.position += range.length;
  return `${literal(start, true)}-${literal(end, true)}`;
}

const controls: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', a: '\x07' };

function characterOf(written: string): string {
  if (!written.startsWith('\\')) return written;
  if (written.length === 4) return String.fromCharCode(Number.parseInt(written.slice(2), 16));
  return controls[written[1]!] ?? written[1]!;
}
