// What must stand in a file for a string of a rule to be found there: literal bytes. Knows tokens and expressions, no files.

/** One character a byte. */
export interface Literal {
  readonly bytes: string;
  /** ASCII letters of either case match; `bytes` has the small ones. */
  readonly isCaseless: boolean;
}

/** At least one of them is wherever the string is found; null where none is known. */
export type Alternatives = readonly Literal[] | null;

/** Longer literals are cut. */
const maxLength = 40;
/** Shorter literals are in almost every file. */
const minLength = 2;
/** Literals of strings with `xor`, which are looked for in a form for each key. */
const minXoredLength = 4;
const maxAlternatives = 32;
const maxDepth = 40;

/**
 * What a string of a rule needs.
 * @param value the token behind the equals sign: a text, a hex string or a regular expression in YARA-X's dialect
 * @param modifiers words and signs behind the value
 * @param worth of bytes that a string has: where several would do, those that are worth more are taken
 */
export function necessaryLiterals(
  value: string,
  modifiers: readonly string[],
  worth: (bytes: string) => number = rarity,
): Alternatives {
  if (modifiers.some((word) => word.startsWith('base64'))) return null;
  if (value.startsWith('{')) return hexLiterals(value, worth);
  const isRegexp = value.startsWith('/');
  const flags = isRegexp ? value.slice(value.lastIndexOf('/') + 1) : '';
  const isCaseless = modifiers.includes('nocase') || flags.includes('i');
  const found = isRegexp
    ? regexpLiterals(value.slice(1, value.lastIndexOf('/')), worth)
    : [textBytes(value.slice(1, -1))];
  if (found === null) return null;
  const isWide = modifiers.includes('wide');
  const isNarrow = !isWide || modifiers.includes('ascii');
  const forms = found.flatMap((bytes) => [...(isNarrow ? [bytes] : []), ...(isWide ? [wideBytes(bytes)] : [])]);
  if (modifiers.includes('xor')) return xoredLiterals(forms, modifiers);
  return accepted(forms.map((bytes) => ({ bytes: isCaseless ? smallLetters(bytes) : bytes, isCaseless })));
}

/** One form for each key: `xor`, `xor(0x20)` or `xor(1-255)`. */
function xoredLiterals(forms: readonly string[], modifiers: readonly string[]): Alternatives {
  const [open, least, hyphen, most] = modifiers.slice(modifiers.indexOf('xor') + 1);
  const first = open === '(' ? Number(least) : 0;
  const last = open === '(' ? Number(hyphen === '-' ? most : least) : 255;
  const isRange = first >= 0 && first <= last && last <= 255;
  if (!isRange || forms.some((bytes) => bytes.length < minXoredLength)) return null;
  const keys = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return forms.flatMap((bytes) =>
    keys.map((key) => ({
      bytes: String.fromCharCode(...[...bytes.slice(0, maxLength)].map((byte) => byte.charCodeAt(0) ^ key)),
      isCaseless: false,
    })),
  );
}

const accepted = (literals: readonly Literal[]): Alternatives =>
  literals.length <= maxAlternatives && literals.every(({ bytes }) => bytes.length >= minLength)
    ? literals.map(({ bytes, isCaseless }) => ({ bytes: bytes.slice(0, maxLength), isCaseless }))
    : null;

const smallLetters = (bytes: string): string => bytes.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Every byte followed by a zero, but the last. */
const wideBytes = (bytes: string): string => [...bytes].join('\0');

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', a: '\x07' };

function textBytes(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  return bytes.replace(/\\(?:x([\da-fA-F]{2})|([\s\S]))/g, (_, hex: string | undefined, character: string) =>
    hex === undefined ? (escapes[character] ?? character) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** The longest row of bytes that are written out, outside of alternatives. */
function hexLiterals(hex: string, worth: Worth): Alternatives {
  const inner = hex.slice(1, -1).replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  const runs: string[] = [''];
  const pattern = /\s+|~?[\da-fA-F?]{2}|\[[^\]]*\]|[()|]/y;
  let depth = 0;
  while (pattern.lastIndex < inner.length) {
    const piece = pattern.exec(inner)?.[0];
    if (piece === undefined) return null;
    if (piece.trim() === '') continue;
    if (piece === '(') depth += 1;
    else if (piece === ')') depth -= 1;
    const isByte = depth === 0 && /^[\da-fA-F]{2}$/.test(piece);
    if (isByte) runs.push(runs.pop()! + String.fromCharCode(Number.parseInt(piece, 16)));
    else runs.push('');
  }
  const mostTelling = runs.reduce((best, run) => (worth(run) > worth(best) ? run : best), '');
  return accepted([{ bytes: mostTelling, isCaseless: false }]);
}

type Worth = (bytes: string) => number;

/** How rare bytes are likely to be: by how many there are, repeated ones and zeros not counted. */
function rarity(bytes: string): number {
  const cut = bytes.slice(0, maxLength);
  return new Set(cut.replaceAll('\0', '')).size + cut.length / maxLength;
}

/** The commonest of several literals, as a file may hold that one alone. */
const worthOfAll = (bytes: readonly string[], worth: Worth): number =>
  Math.min(...bytes.map(worth)) - Math.log2(bytes.length) / 4;

/** Thrown where an expression has parts that this reader does not know. */
class UnknownSyntax extends Error {}

function regexpLiterals(body: string, worth: Worth): string[] | null {
  try {
    return new RegexpReader(Buffer.from(body, 'utf8').toString('latin1'), worth).read();
  } catch (error) {
    if (error instanceof UnknownSyntax) return null;
    throw error;
  }
}

/** One of the strings of bytes stands in whatever an expression matches; null where there is none. */
class RegexpReader {
  readonly #body: string;
  readonly #worth: Worth;
  #position = 0;

  constructor(body: string, worth: Worth) {
    this.#body = body;
    this.#worth = worth;
  }

  read(): string[] | null {
    const found = this.#alternation(0);
    if (this.#position < this.#body.length) throw new UnknownSyntax();
    return found;
  }

  #alternation(depth: number): string[] | null {
    if (depth > maxDepth) throw new UnknownSyntax();
    let all: string[] | null = this.#sequence(depth);
    while (this.#body[this.#position] === '|') {
      this.#position += 1;
      const next = this.#sequence(depth);
      all = all === null || next === null || all.length + next.length > maxAlternatives ? null : [...all, ...next];
    }
    return all;
  }

  #sequence(depth: number): string[] | null {
    let best: string[] | null = null;
    let run = '';
    const offer = (found: string[] | null) => {
      if (found === null || found.some((bytes) => bytes.length < minLength)) return;
      if (best === null || worthOfAll(found, this.#worth) > worthOfAll(best, this.#worth)) best = found;
    };
    const endRun = () => {
      if (run !== '') offer([run]);
      run = '';
    };
    while (
      this.#position < this.#body.length &&
      this.#body[this.#position] !== '|' &&
      this.#body[this.#position] !== ')'
    ) {
      const isGroup = this.#body[this.#position] === '(';
      const inner = isGroup ? this.#group(depth) : null;
      const byte = isGroup ? null : this.#atom();
      const quantifier = this.#quantifier();
      if (byte !== null && quantifier !== 'optional') run += byte;
      if (byte === null || quantifier !== 'once') endRun();
      if (quantifier !== 'optional') offer(inner);
    }
    endRun();
    return best;
  }

  #group(depth: number): string[] | null {
    this.#position += 1;
    if (this.#body.startsWith('?:', this.#position)) this.#position += 2;
    else if (this.#body[this.#position] === '?') throw new UnknownSyntax();
    const found = this.#alternation(depth + 1);
    if (this.#body[this.#position] !== ')') throw new UnknownSyntax();
    this.#position += 1;
    return found;
  }

  /** The byte that stands there; null for a class, a place or anything else. */
  #atom(): string | null {
    const character = this.#body[this.#position++]!;
    if (character === '[') this.#skipClass();
    if (character === '*' || character === '+' || character === '?' || character === '{') throw new UnknownSyntax();
    if ('[.^$'.includes(character)) return null;
    return character === '\\' ? this.#escape() : character;
  }

  #escape(): string | null {
    const character = this.#body[this.#position++];
    if (character === undefined) throw new UnknownSyntax();
    if (character === 'x') {
      const digits = this.#body.slice(this.#position, this.#position + 2);
      if (!/^[\da-fA-F]{2}$/.test(digits)) throw new UnknownSyntax();
      this.#position += 2;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    if ('wWsSdDbB'.includes(character)) return null;
    if (/[\da-zA-Z]/.test(character) && escapes[character] === undefined) throw new UnknownSyntax();
    return escapes[character] ?? character;
  }

  #skipClass(): void {
    for (let isFirst = true; this.#position < this.#body.length; isFirst = false) {
      const character = this.#body[this.#position++]!;
      if (character === '^' && isFirst && this.#body[this.#position] === ']') this.#position += 1;
      else if (character === ']' && !isFirst) return;
      else if (character === '\\') this.#position += 1;
    }
    throw new UnknownSyntax();
  }

  #quantifier(): 'once' | 'repeated' | 'optional' {
    const character = this.#body[this.#position];
    if (character === undefined || !'*+?{'.includes(character)) return 'once';
    const [braces, least = '0'] =
      character === '{'
        ? (/^\{(\d*)(?:,\d*)?\}/.exec(this.#body.slice(this.#position, this.#position + 24)) ?? [])
        : [character, character === '+' ? '1' : '0'];
    if (braces === undefined) throw new UnknownSyntax();
    this.#position += braces.length;
    if (this.#body[this.#position] === '?') this.#position += 1;
    return Number(least) > 0 ? 'repeated' : 'optional';
  }
}
