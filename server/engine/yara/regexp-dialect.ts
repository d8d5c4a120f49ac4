// Translates YARA's regular expressions into those of other engines, byte for byte. Knows nothing of rules.

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
 * @see https://yara.readthedocs.io/en/stable/writingrules.html#regular-expressions
 */
export function translateRegexp(body: string, target: RegexpTarget, isDotAll = false): string {
  return translatePieces(body, target, isDotAll).join('');
}

/**
 * The expression that YARA-X must be given to match what YARA matches.
 * @returns `isOtherDialect`: YARA-X would have read the author's own text otherwise, or not at all
 */
export function exactRegexp(body: string, flags: string): { body: string; isOtherDialect: boolean } {
  const pieces = translatePieces(body, 'yara-x', false);
  const isOtherDialect = pieces.join('') !== body;
  return { body: (flags.includes('s') ? pieces : withoutOpenEnd(pieces)).join(''), isOtherDialect };
}

/**
 * YARA-X 1.20 misses a match where the expression ends in a repeated dot, which need not match, and a line or the data
 * end before the repetition could: `/ab.{0,4}/` on `ab`. Written with an empty alternative it takes another way.
 */
function withoutOpenEnd(pieces: readonly string[]): readonly string[] {
  let end = pieces.length;
  while (pieces[end - 1] === ')') end -= 1;
  const isLazy = pieces[end - 1] === '?' && isQuantifier(pieces[end - 2]);
  const place = isLazy ? end - 2 : end - 1;
  const quantifier = pieces[place];
  if (place < 1 || pieces[place - 1] !== '.' || quantifier === undefined || !isQuantifier(quantifier)) return pieces;
  const [, least = '0', comma, most = ''] = /^\{(\d+)(,?)(\d*)\}$/.exec(quantifier) ?? shortQuantifiers[quantifier]!;
  const optional = most === '' ? Number.POSITIVE_INFINITY : Number(most) - Number(least);
  if (comma === '' || !(optional > 0)) return pieces;
  const lazy = isLazy ? '?' : '';
  const some = optional === 1 ? '.' : optional === Number.POSITIVE_INFINITY ? `.+${lazy}` : `.{1,${optional}}${lazy}`;
  const rest = isLazy ? `(|${some})` : `(${some}|)`;
  const required = least === '0' ? '' : `.{${least}}`;
  return [...pieces.slice(0, place - 1), required, rest, ...pieces.slice(end)];
}

/** Like the parts of a repetition in braces. */
const shortQuantifiers: Readonly<Record<string, readonly string[]>> = {
  '*': ['', '0', ',', ''],
  '+': ['', '1', ',', ''],
  '?': ['', '0', ',', '1'],
};

const isQuantifier = (piece: string | undefined): boolean =>
  piece !== undefined && (piece in shortQuantifiers || /^\{\d/.test(piece));

function translatePieces(body: string, target: RegexpTarget, isDotAll: boolean): string[] {
  const reader: Reader = { bytes: Buffer.from(body, 'utf8').toString('latin1'), position: 0 };
  const output: string[] = [];
  while (reader.position < reader.bytes.length) {
    const character = reader.bytes[reader.position++]!;
    if (character === '[') output.push(translateClass(reader, target));
    else if (character === '\\') output.push(translateEscape(reader, target, false));
    else if (character === '{') output.push(translateBrace(reader));
    else if (character === '}' || character === ']') output.push(`\\${character}`);
    else if (character === '.' && target === 'javascript') output.push(isDotAll ? '[^]' : '[^\\n]');
    else output.push(literal(character, false));
  }
  return output;
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
  // In a class there is no edge of a word.
  if (isInClass && (character === 'b' || character === 'B')) return character;
  // A digit would be a back reference, which the compiler must refuse.
  if (character >= '1' && character <= '9' && !isInClass) return `\\${character}`;
  if (knownEscapes.includes(character)) return `\\${character}`;
  return literal(character, true);
}

/** The text from an opening brace on: a repetition, else the brace itself. */
function translateBrace(reader: Reader): string {
  const close = reader.bytes.indexOf('}', reader.position);
  const inner = close < 0 || close - reader.position > 20 ? '' : reader.bytes.slice(reader.position, close);
  if (!/^(?:\d+(?:,\d*)?|,\d+)$/.test(inner)) return '\\{';
  reader.position = close + 1;
  return `{${inner.startsWith(',') ? '0' : ''}${inner}}`;
}

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
    const character = bytes[reader.position++]!;
    if (character === ']') return `${output}]`;
    if (character === '\\') output += translateEscape(reader, target, true);
    else if (character === '-') output += isRange(output, bytes, reader.position) ? '-' : '\\-';
    else output += literal(character, '[&~^'.includes(character));
  }
  return output;
}

/** Whether a hyphen stands between two characters, rather than at an edge or beside a class like `\w`. */
function isRange(before: string, bytes: string, position: number): boolean {
  const next = bytes[position];
  if (next === undefined || next === ']' || before === '[' || before === '[^') return false;
  return (
    !/(?:^|[^\\])(?:\\\\)*\\[wWsSdD]$/.test(before.slice(-8)) &&
    !/^\\[wWsSdD]/.test(bytes.slice(position, position + 2))
  );
}
