// Parses java.util.regex's dialect into nodes. Knows no matching. https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/regex/Pattern.html
import {
  type CharacterTest,
  ignoringCase,
  named,
  type Ranges,
  rangeTest,
  unicodeProperty,
} from './character-classes.ts';

export const FLAGS = {
  UNIX_LINES: 1,
  CASE_INSENSITIVE: 2,
  COMMENTS: 4,
  MULTILINE: 8,
  LITERAL: 16,
  DOTALL: 32,
  UNICODE_CASE: 64,
  CANON_EQ: 128,
  UNICODE_CHARACTER_CLASS: 256,
} as const;

/** What one character must be. */
export interface SingleTest {
  readonly test: CharacterTest;
  /** Length of the pattern's text for it: the parts of a class are tried one after the other. */
  readonly size: number;
}

export type Node =
  | { readonly kind: 'empty' }
  | ({ readonly kind: 'test' } & SingleTest)
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'sequence'; readonly nodes: readonly Node[] }
  | { readonly kind: 'choice'; readonly nodes: readonly Node[] }
  | { readonly kind: 'group'; readonly index: number; readonly node: Node }
  | { readonly kind: 'atomic'; readonly node: Node }
  | { readonly kind: 'look'; readonly node: Node; readonly isAhead: boolean; readonly isNegative: boolean }
  | {
      readonly kind: 'repeat';
      readonly node: Node;
      readonly minimum: number;
      readonly maximum: number;
      readonly mode: 'greedy' | 'lazy' | 'possessive';
    }
  | { readonly kind: 'back'; readonly group: number; readonly ignoresCase: boolean }
  | { readonly kind: 'anchor'; readonly anchor: Anchor };

export type Anchor = 'start' | 'end' | 'endBeforeLine' | 'lineStart' | 'lineEnd' | 'word' | 'notWord' | 'last';

export interface ParsedPattern {
  readonly node: Node;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
}

export class PatternError extends Error {
  readonly index: number;

  constructor(message: string, index: number) {
    super(message);
    this.index = index;
  }
}

/** Nesting of groups and classes; beyond, the pattern is refused. */
const MAXIMUM_DEPTH = 200;

export function parsePattern(source: string, flags: number): ParsedPattern {
  if ((flags & FLAGS.LITERAL) !== 0) {
    const nodes = [...source].map((character) => literalNode(character.codePointAt(0)!, flags));
    return { node: { kind: 'sequence', nodes }, groups: 0, names: new Map() };
  }
  const parser = new Parser(source, flags);
  return parser.parse();
}

function literalNode(codePoint: number, flags: number): Node {
  if ((flags & FLAGS.CASE_INSENSITIVE) !== 0) {
    return testNode(ignoringCase([[codePoint, codePoint]], (flags & FLAGS.UNICODE_CASE) !== 0));
  }
  return { kind: 'literal', text: String.fromCodePoint(codePoint) };
}

function testNode(test: CharacterTest, size = 1): Node {
  return { kind: 'test', test, size };
}

class Parser {
  readonly #source: string;
  #at = 0;
  #flags: number;
  #groups = 0;
  #depth = 0;
  readonly #names = new Map<string, number>();

  constructor(source: string, flags: number) {
    this.#source = source;
    this.#flags = flags;
  }

  parse(): ParsedPattern {
    const node = this.#choice();
    if (this.#at < this.#source.length) this.#fail("Unmatched closing ')'");
    return { node, groups: this.#groups, names: this.#names };
  }

  #fail(message: string): never {
    throw new PatternError(message, this.#at);
  }

  #has(flag: number): boolean {
    return (this.#flags & flag) !== 0;
  }

  #skipComments(): void {
    if (!this.#has(FLAGS.COMMENTS)) return;
    for (;;) {
      const character = this.#source[this.#at];
      if (character === undefined) return;
      if (/\s/.test(character)) this.#at++;
      else if (character === '#') while (this.#at < this.#source.length && this.#source[this.#at] !== '\n') this.#at++;
      else return;
    }
  }

  #choice(): Node {
    if (++this.#depth > MAXIMUM_DEPTH) this.#fail('Pattern too deep');
    const flags = this.#flags;
    const nodes: Node[] = [this.#sequence()];
    while (this.#source[this.#at] === '|') {
      this.#at++;
      nodes.push(this.#sequence());
    }
    this.#depth--;
    this.#flags = flags;
    return nodes.length === 1 ? nodes[0]! : { kind: 'choice', nodes };
  }

  #sequence(): Node {
    const nodes: Node[] = [];
    for (;;) {
      this.#skipComments();
      const character = this.#source[this.#at];
      if (character === undefined || character === '|' || character === ')') break;
      if (this.#source.startsWith('\\Q', this.#at)) {
        this.#quoted(nodes);
        continue;
      }
      const atom = this.#atom();
      if (atom !== null) nodes.push(this.#quantified(atom));
    }
    return nodes.length === 1 ? nodes[0]! : nodes.length === 0 ? { kind: 'empty' } : { kind: 'sequence', nodes };
  }

  #quoted(nodes: Node[]): void {
    const end = this.#source.indexOf('\\E', this.#at + 2);
    const text = this.#source.slice(this.#at + 2, end < 0 ? undefined : end);
    this.#at = end < 0 ? this.#source.length : end + 2;
    const parts = [...text].map((character) => literalNode(character.codePointAt(0)!, this.#flags));
    const last = parts.pop();
    nodes.push(...parts);
    if (last !== undefined) nodes.push(this.#quantified(last));
  }

  #quantified(node: Node): Node {
    this.#skipComments();
    const match = /^(?:[*+?]|\{(\d{1,9})(,(\d{1,9})?)?\})([?+]?)/.exec(this.#source.slice(this.#at, this.#at + 32));
    if (match === null) return this.#source[this.#at] === '{' ? this.#fail('Illegal repetition') : node;
    const [text, least, comma, most, mark] = match;
    const minimum = least === undefined ? Number(text[0] === '+') : Number(least);
    let maximum = text[0] === '?' ? 1 : Infinity;
    if (least !== undefined && comma === undefined) maximum = minimum;
    else if (most !== undefined) maximum = Number(most);
    if (maximum < minimum) this.#fail('Illegal repetition range');
    this.#at += text.length;
    return {
      kind: 'repeat',
      node,
      minimum,
      maximum,
      mode: mark === '?' ? 'lazy' : mark === '+' ? 'possessive' : 'greedy',
    };
  }

  #atom(): Node | null {
    const character = this.#source[this.#at]!;
    switch (character) {
      case '(':
        return this.#group();
      case '[': {
        const start = this.#at++;
        const test = this.#class();
        return testNode(test, this.#at - start);
      }
      case '.':
        this.#at++;
        return testNode(this.#dot());
      case '^':
        this.#at++;
        return { kind: 'anchor', anchor: this.#has(FLAGS.MULTILINE) ? 'lineStart' : 'start' };
      case '$':
        this.#at++;
        return { kind: 'anchor', anchor: this.#has(FLAGS.MULTILINE) ? 'lineEnd' : 'endBeforeLine' };
      case '\\':
        return this.#escape();
      case '*':
      case '+':
      case '?':
        return this.#fail(`Dangling meta character '${character}'`);
      case '{':
        // As in Java, a quantifier without anything before it repeats the empty match.
        return { kind: 'empty' };
      default: {
        const codePoint = this.#source.codePointAt(this.#at)!;
        this.#at += codePoint > 0xffff ? 2 : 1;
        return literalNode(codePoint, this.#flags);
      }
    }
  }

  #dot(): CharacterTest {
    if (this.#has(FLAGS.DOTALL)) return () => true;
    if (this.#has(FLAGS.UNIX_LINES)) return (c) => c !== 10;
    return (c) => c !== 10 && c !== 13 && c !== 0x85 && c !== 0x2028 && c !== 0x2029;
  }

  #group(): Node | null {
    this.#at++;
    if (this.#source[this.#at] !== '?') {
      const index = ++this.#groups;
      return { kind: 'group', index, node: this.#body() };
    }
    const rest = this.#source.slice(this.#at, this.#at + 64);
    const name = /^\?<([A-Za-z][A-Za-z0-9]*)>/.exec(rest);
    if (name !== null) {
      if (this.#names.has(name[1]!)) this.#fail(`Named capturing group <${name[1]}> is already defined`);
      this.#at += name[0].length;
      const index = ++this.#groups;
      this.#names.set(name[1]!, index);
      return { kind: 'group', index, node: this.#body() };
    }
    const look = /^\?(<?)([=!])/.exec(rest);
    if (look !== null) {
      this.#at += look[0].length;
      return { kind: 'look', isAhead: look[1] === '', isNegative: look[2] === '!', node: this.#body() };
    }
    if (rest.startsWith('?>')) {
      this.#at += 2;
      return { kind: 'atomic', node: this.#body() };
    }
    const flags = /^\?([idmsuxU]*)(?:-([idmsuxU]*))?([:)])/.exec(rest);
    if (flags === null) return this.#fail('Unknown inline modifier');
    this.#at += flags[0].length;
    const before = this.#flags;
    for (const letter of flags[1]!) this.#flags |= INLINE[letter]!;
    for (const letter of flags[2] ?? '') this.#flags &= ~INLINE[letter]!;
    if (flags[3] === ')') return null;
    const node = this.#body();
    this.#flags = before;
    return node.kind === 'literal' || node.kind === 'test' ? node : { kind: 'sequence', nodes: [node] };
  }

  #body(): Node {
    const node = this.#choice();
    if (this.#source[this.#at] !== ')') this.#fail('Unclosed group');
    this.#at++;
    return node;
  }

  #escape(): Node {
    const letter = this.#source[this.#at + 1];
    if (letter === undefined) return this.#fail('Unexpected internal error');
    const anchor = ANCHORS[letter];
    if (anchor !== undefined) {
      this.#at += 2;
      return { kind: 'anchor', anchor };
    }
    if (letter >= '1' && letter <= '9') return this.#backReference();
    if (letter === 'k') {
      const match = /^\\k<([A-Za-z][A-Za-z0-9]*)>/.exec(this.#source.slice(this.#at, this.#at + 64));
      const group = match === null ? undefined : this.#names.get(match[1]!);
      if (match === null || group === undefined) return this.#fail('Unknown named capturing group');
      this.#at += match[0].length;
      return { kind: 'back', group, ignoresCase: this.#has(FLAGS.CASE_INSENSITIVE) };
    }
    if (letter === 'R') {
      this.#at += 2;
      const single = testNode(named('v', false)!);
      return { kind: 'atomic', node: { kind: 'choice', nodes: [{ kind: 'literal', text: '\r\n' }, single] } };
    }
    if (letter === 'X') {
      this.#at += 2;
      return testNode(() => true);
    }
    const test = this.#classEscape();
    if (test !== null) return testNode(test);
    return literalNode(this.#character(), this.#flags);
  }

  #backReference(): Node {
    this.#at++;
    let group = Number(this.#source[this.#at++]);
    while (/^[0-9]$/.test(this.#source[this.#at] ?? '')) {
      const longer = group * 10 + Number(this.#source[this.#at]);
      if (longer > this.#groups) break;
      group = longer;
      this.#at++;
    }
    return { kind: 'back', group, ignoresCase: this.#has(FLAGS.CASE_INSENSITIVE) };
  }

  /** `\d`, `\p{…}` and their like at the current place; null where the escape is a single character. */
  #classEscape(): CharacterTest | null {
    const letter = this.#source[this.#at + 1]!;
    const isUnicode = this.#has(FLAGS.UNICODE_CHARACTER_CLASS);
    if (letter === 'p' || letter === 'P') {
      const match = /^\\[pP](?:\{(\^?)([^}]*)\}|(.))/s.exec(this.#source.slice(this.#at, this.#at + 80));
      if (match === null) return this.#fail('Unclosed character family');
      const test = unicodeProperty(match[2] ?? match[3]!);
      if (test === null) return this.#fail(`Unknown character property name {${match[2] ?? match[3]}}`);
      this.#at += match[0].length;
      const isNegative = (letter === 'P') !== (match[1] === '^');
      return isNegative ? (c) => !test(c) : test;
    }
    const test = named(letter, isUnicode);
    if (test !== null) this.#at += 2;
    return test;
  }

  /** A character, escaped or not, as a code point. */
  #character(): number {
    const source = this.#source;
    if (source[this.#at] !== '\\') {
      const codePoint = source.codePointAt(this.#at)!;
      this.#at += codePoint > 0xffff ? 2 : 1;
      return codePoint;
    }
    const rest = source.slice(this.#at + 1, this.#at + 12);
    const hex =
      /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|x\{([0-9a-fA-F]{1,6})\}|0([0-3][0-7]{2}|[0-7]{1,2})|c(.))/s.exec(rest);
    if (hex !== null) {
      this.#at += 1 + hex[0].length;
      if (hex[4] !== undefined) return Number.parseInt(hex[4], 8);
      if (hex[5] !== undefined) return hex[5].charCodeAt(0) ^ 64;
      const codePoint = Number.parseInt(hex[1] ?? hex[2] ?? hex[3]!, 16);
      if (codePoint > 0x10ffff) this.#fail('Hexadecimal codepoint is too big');
      return codePoint;
    }
    const letter = rest[0];
    if (letter === undefined) return this.#fail('Illegal escape');
    const control = CONTROLS[letter];
    if (control === undefined && /[A-Za-z]/.test(letter)) this.#fail('Illegal/unsupported escape sequence');
    const codePoint = control ?? source.codePointAt(this.#at + 1)!;
    this.#at += 1 + (codePoint > 0xffff ? 2 : 1);
    return codePoint;
  }

  /** After `[`. Unions and `&&` intersections. */
  #class(): CharacterTest {
    if (++this.#depth > MAXIMUM_DEPTH) this.#fail('Pattern too deep');
    const isNegative = this.#source[this.#at] === '^';
    if (isNegative) this.#at++;
    let ranges: Ranges = [];
    let tests: CharacterTest[] = [];
    const intersections: CharacterTest[] = [];
    const union = (): CharacterTest => {
      const isUnicode = this.#has(FLAGS.UNICODE_CASE);
      const isInRange = this.#has(FLAGS.CASE_INSENSITIVE) ? ignoringCase(ranges, isUnicode) : rangeTest(ranges);
      return classTest([isInRange, ...tests]);
    };
    for (let isFirst = true; ; isFirst = false) {
      this.#skipComments();
      const character = this.#source[this.#at];
      if (character === undefined) this.#fail('Unclosed character class');
      if (character === ']' && !isFirst) {
        this.#at++;
        break;
      }
      if (character === '[') {
        this.#at++;
        tests.push(this.#class());
        continue;
      }
      if (this.#source.startsWith('&&', this.#at)) {
        this.#at += 2;
        if (ranges.length > 0 || tests.length > 0) intersections.push(union());
        ranges = [];
        tests = [];
        continue;
      }
      if (this.#source.startsWith('\\Q', this.#at)) {
        const end = this.#source.indexOf('\\E', this.#at);
        for (const quoted of this.#source.slice(this.#at + 2, end < 0 ? undefined : end)) {
          ranges.push([quoted.codePointAt(0)!, quoted.codePointAt(0)!]);
        }
        this.#at = end < 0 ? this.#source.length : end + 2;
        continue;
      }
      const test = character === '\\' && this.#at + 1 < this.#source.length ? this.#classEscape() : null;
      if (test !== null) {
        tests.push(test);
        continue;
      }
      const from = this.#character();
      if (this.#source[this.#at] === '-' && !/^[\][]$/.test(this.#source[this.#at + 1] ?? ']')) {
        this.#at++;
        const to = this.#character();
        if (to < from) this.#fail('Illegal character range');
        ranges.push([from, to]);
      } else ranges.push([from, from]);
    }
    this.#depth--;
    if (ranges.length > 0 || tests.length > 0 || intersections.length === 0) intersections.push(union());
    const all = intersections.length === 1 ? intersections[0]! : (c: number) => intersections.every((test) => test(c));
    return isNegative ? (c) => !all(c) : all;
  }
}

/** What passes one of the tests, looked up for ASCII. */
function classTest(tests: readonly CharacterTest[]): CharacterTest {
  const slow: CharacterTest = (c) => tests.some((test) => test(c));
  const ascii = new Uint8Array(128);
  for (let c = 0; c < 128; c++) ascii[c] = slow(c) ? 1 : 0;
  return (c) => (c < 128 ? ascii[c] === 1 : slow(c));
}

const INLINE: Readonly<Record<string, number>> = {
  i: FLAGS.CASE_INSENSITIVE,
  d: FLAGS.UNIX_LINES,
  m: FLAGS.MULTILINE,
  s: FLAGS.DOTALL,
  u: FLAGS.UNICODE_CASE,
  x: FLAGS.COMMENTS,
  U: FLAGS.UNICODE_CHARACTER_CLASS,
};

const ANCHORS: Readonly<Record<string, Anchor>> = {
  b: 'word',
  B: 'notWord',
  A: 'start',
  z: 'end',
  Z: 'endBeforeLine',
  G: 'last',
};

const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };
