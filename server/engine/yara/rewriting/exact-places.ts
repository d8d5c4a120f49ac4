// Places and ranges in conditions that YARA-X refuses, or takes otherwise than YARA. Knows tokens, no rules.
import { literalOf } from '../language/literals.ts';
import { maxOperandTokens, type Parentheses } from '../language/parentheses.ts';
import type { Replacement } from '../language/position-map.ts';
import { type Token, textOfTokens } from '../language/tokens.ts';

/** An offset past everything that is scanned; the WebAssembly engine fails at offsets past 32 bits. */
const farthest = 0x7fff_ffff;
/** Numbers of which a few, with two places in a file, come to less. */
const maxPlainNumber = 0x3ff_ffff;
const maxPlainPlaces = 2;
const maxPlainNumbers = 3;

const integerReader = /^u?int(?:8|16|32)(?:be)?$/;
const shortReader = /^u?int(?:8|16)(?:be)?$/;
const arithmetic = /^[-+*\\%&|^~<>()[\]]$/;

type Span = readonly Token[];

/**
 * Replacements in a condition, in no order; their texts may ask for the `entrypoint` too.
 * @param zero a global that is 0, with which the compiler knows no number beforehand
 */
export function exactPlaces(condition: readonly Token[], parentheses: Parentheses, zero: string): Replacement[] {
  return new PlaceReader(condition, parentheses, zero).read();
}

class PlaceReader {
  readonly #condition: readonly Token[];
  readonly #parentheses: Parentheses;
  readonly #zero: string;
  readonly #replacements: Replacement[] = [];
  /** Without a negation what is undefined is as good as false. */
  readonly #isNegated: boolean;
  /** Variables of loops over numbers, and whether each is small. */
  readonly #variables = new Map<string, boolean>();

  constructor(condition: readonly Token[], parentheses: Parentheses, zero: string) {
    this.#condition = condition;
    this.#parentheses = parentheses;
    this.#zero = zero;
    this.#isNegated = condition.some(({ text }) => /^(?:not|none|defined)$/.test(text));
  }

  read(): Replacement[] {
    // Insertions at the same place keep the order in which they are made: inner parts are closed first.
    for (const [index, token] of this.#condition.entries()) if (this.#isNegative(index)) this.#makeNegative(token);
    for (const [index, { text }] of this.#condition.entries()) {
      if (text === 'at') this.#exactPlace(index);
      else if (text === 'in') this.#exactRange(index);
      else if (text === '[') this.#exactIndex(index);
    }
    return this.#replacements;
  }

  #insert(place: number, text: string): void {
    this.#replacements.push({ start: place, end: place, text });
  }

  /** After a minus that is a sign rather than a subtraction. */
  #isNegative(index: number): boolean {
    if (this.#condition[index]!.kind !== 'number' || this.#condition[index - 1]?.text !== '-') return false;
    const before = this.#condition[index - 2];
    return before === undefined || /^(?:[([.,:]|at|and|or|not)$/.test(before.text);
  }

  /** A negative place or count never matches in YARA; YARA-X refuses it when it compiles. */
  #makeNegative({ start, end }: Token): void {
    this.#insert(start, '(');
    this.#insert(end, `+${this.#zero})`);
  }

  #exactPlace(at: number): void {
    const string = this.#condition[at - 1]!;
    const place = this.#spanFrom(at + 1, /^(?:and|or|[),:])$/);
    if (place.length === 0) return;
    if (string.kind === 'variable' && place.length === 1 && numberOf(place[0]!) === 0) {
      this.#unbind(string, place[0]!);
      return;
    }
    // `not $a at pe.entry_point` holds in YARA where there is no entry point.
    const isGuarded = this.#isNegated && string.kind === 'variable' && mayBeUndefined(place) && this.#isCopied(place);
    if (isGuarded) this.#insert(string.start, `(defined (${textOfTokens(place)}) and `);
    this.#take(place, { isUnknown: isReckoned(place) });
    if (isGuarded) this.#insert(place.at(-1)!.end, ')');
  }

  /**
   * Where a string must be at offset 0, the compiler searches the rule's strings only in data that begins with it, and loses
   * matches of other rules with the same strings. An offset that it cannot know beforehand avoids that.
   */
  #unbind(string: Token, place: Token): void {
    this.#insert(string.start, '(');
    this.#insert(place.end, ` or ${this.#zero}==1)`);
  }

  /** `in (0..100)`, behind a string, a set of strings or the variable of a loop. */
  #exactRange(index: number): void {
    const before = this.#condition[index - 1];
    if (before === undefined || this.#condition[index + 1]?.text !== '(') return;
    const from = this.#spanFrom(index + 2, /^[.,)]$/);
    const dots = index + 2 + from.length;
    if (from.length === 0 || this.#condition[dots]?.text !== '.' || this.#condition[dots + 1]?.text !== '.') {
      if (before.kind === 'word') this.#variables.set(before.text, false);
      return;
    }
    const to = this.#spanFrom(dots + 2, /^\)$/);
    if (to.length === 0) return;
    // Nothing matches in an empty range in YARA; YARA-X refuses one whose numbers it knows beforehand.
    const isUnknown = isReckoned(from) || (isConstant(from) && isConstant(to) && !isAscending(from, to));
    if (before.kind === 'word' && before.text !== 'them') {
      this.#variables.set(before.text, this.#isSmall(from) && this.#isSmall(to));
      this.#take(from, { isUnknown, isPlace: false });
      this.#take(to, { isUnknown: isReckoned(to), isPlace: false });
      return;
    }
    if (before.kind !== 'variable') this.#guardSet(index, dots + 2 + to.length, from, to);
    this.#take(from, { isUnknown });
    this.#take(to, { isUnknown: isReckoned(to) });
  }

  /** Whether strings stand in a range is undefined where the range is. */
  #guardSet(index: number, close: number, from: Span, to: Span): void {
    const bounds = [from, to].filter(mayBeUndefined);
    if (bounds.length === 0 || !bounds.every((span) => this.#isCopied(span))) return;
    const start = this.#quantifierBefore(index);
    const end = this.#condition[close];
    // Without a negation what is undefined is as good as false, where some string is asked for.
    if (start === null || end === undefined || (!this.#isNegated && /^(?:any|all|[1-9]\w*)$/.test(start.text))) return;
    this.#insert(start.start, '(math.to_number(');
    this.#insert(end.end, `)==1${bounds.map((span) => `+0*(${textOfTokens(span)})`).join('')})`);
  }

  /** The first token of `any of them`, which ends before an index. */
  #quantifierBefore(index: number): Token | null {
    const open = this.#parentheses.get(index - 1) ?? index - 1;
    if (this.#condition[open - 1]?.text !== 'of') return null;
    const last = open - 2;
    return this.#condition[this.#parentheses.get(last) ?? last] ?? null;
  }

  /** `@a[0]`: places are counted from 1. */
  #exactIndex(open: number): void {
    if (this.#condition[open - 1]?.kind !== 'variable') return;
    const place = this.#spanFrom(open + 1, /^\]$/);
    if (place.length === 0 || !isConstant(place)) return;
    this.#take(place, { isUnknown: isReckoned(place) || numberOf(place[0]!) === 0, isPlace: false });
  }

  /** The tokens up to one that ends them, outside of parentheses and brackets; empty where none is near. */
  #spanFrom(start: number, end: RegExp): Span {
    let depth = 0;
    const past = start + maxOperandTokens;
    for (let index = start; index < this.#condition.length; index++) {
      if (index === past) return [];
      const { text } = this.#condition[index]!;
      const isMember = text === '.' && this.#condition[index + 1]?.kind === 'word';
      if (depth === 0 && end.test(text) && !isMember) return this.#condition.slice(start, index);
      if (text === '(' || text === '[') depth += 1;
      else if (text === ')' || text === ']') depth -= 1;
      if (depth < 0) return [];
    }
    return end.test(')') && depth === 0 ? this.#condition.slice(start) : [];
  }

  /** @param options whether the compiler must not know the number beforehand, and whether it is a place in the file */
  #take(span: Span, { isUnknown = false, isPlace = true } = {}): void {
    const isBounded = isPlace && !this.#isSmall(span);
    const [opening, closing] = isUnknown ? ['(', `)+${this.#zero}`] : ['', ''];
    if (!isUnknown && !isBounded) return;
    this.#insert(span[0]!.start, isBounded ? `math.max(-1,math.min(${opening}` : opening);
    this.#insert(span.at(-1)!.end, isBounded ? `${closing},${farthest}))` : closing);
  }

  /** Whether a number surely fits into the bits that the engine has for it. */
  #isSmall(span: Span): boolean {
    let numbers = 0;
    let places = 0;
    for (const { kind, text } of span) {
      if (kind === 'number') {
        if (numberOf({ kind, text }) > maxPlainNumber) return false;
        numbers += 1;
      } else if (kind === 'variable' || text === 'filesize') places += 1;
      else if (kind === 'word') {
        if (this.#variables.get(text) === true) places += 1;
        else if (!shortReader.test(text)) return false;
      } else if (!/^[-+\\%&()[\]]$/.test(text)) return false;
    }
    return numbers <= maxPlainNumbers && places <= maxPlainPlaces;
  }

  /** Whether what stands there means the same to the engine, wherever it stands. */
  #isCopied(span: Span): boolean {
    return span.every(({ kind, text }, index) => {
      if (kind === 'number') return numberOf({ kind, text }) !== 0 || span[index - 1]?.text !== '[';
      if (kind === 'variable' || arithmetic.test(text) || text === '.') return true;
      if (kind !== 'word') return false;
      if (span[index - 1]?.text === '.') return true;
      return /^(?:filesize|entrypoint|pe|elf)$/.test(text) || integerReader.test(text) || this.#variables.has(text);
    });
  }
}

const isConstant = (span: Span): boolean =>
  span.every(({ kind, text }) => kind === 'number' || (kind === 'punctuation' && arithmetic.test(text)));

/** Whether the compiler can compute the value, and it is more than a single number. */
const isReckoned = (span: Span): boolean => span.length > 1 && isConstant(span);

const isAscending = (from: Span, to: Span): boolean =>
  from.length === 1 && to.length === 1 && numberOf(from[0]!) <= numberOf(to[0]!);

const mayBeUndefined = (span: Span): boolean =>
  span.some(
    ({ kind, text }) =>
      (kind === 'variable' && text[0] !== '#') || /^(?:[.\\%]|entrypoint)$/.test(text) || integerReader.test(text),
  );

/** Past what is exact for one that is too large. */
function numberOf(token: Pick<Token, 'kind' | 'text'>): number {
  const literal = literalOf(token);
  return literal?.kind === 'number' ? literal.value : Number.MAX_SAFE_INTEGER;
}
