// Reads a condition's tokens into what can be said of it beforehand. Knows no bytes; what it cannot read is unknown.
import type { Comparison, Condition, IntegerReading } from './condition-outlook.ts';
import { TokenReader, UnknownSyntax } from './token-reader.ts';
import type { Token } from './tokens.ts';

/** What the names in a condition stand for. */
export interface ConditionNames {
  /** The rule's strings, by the number that each has among all: `$a` and so on, in the author's order. */
  readonly strings: readonly { identifier: string; string: number }[];
  readonly globals: ReadonlySet<string>;
  /** Of the rules before this one. */
  readonly rules: ReadonlySet<string>;
}

/** Members of one set that are looked at one by one. */
const maxParts = 1_000;
/** Operators of numbers in one condition: each makes it one deeper. */
const maxOperators = 400;

const unknown: Condition = { kind: 'unknown' };
const comparisons: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);
const textOperators = /^(?:contains|icontains|startswith|istartswith|endswith|iendswith|iequals|matches)$/;
const integerReader = /^(u?)int(8|16|32)(be)?$/;

/** @param tokens what stands behind `condition:`, without the closing brace */
export function readCondition(tokens: readonly Token[], names: ConditionNames): Condition {
  try {
    return new ConditionReader(tokens, names).read();
  } catch (error) {
    if (error instanceof UnknownSyntax) return unknown;
    throw error;
  }
}

class ConditionReader extends TokenReader {
  readonly #names: ConditionNames;
  readonly #strings: ReadonlyMap<string, number>;
  #operators = 0;
  /** Variables of loops, which hide rules of the same name. */
  readonly #variables = new Set<string>();
  /** What `$`, `#`, `@` and `!` mean within `for … of`. */
  #current: number | null = null;

  constructor(tokens: readonly Token[], names: ConditionNames) {
    super(tokens);
    this.#names = names;
    this.#strings = new Map(names.strings.map(({ identifier, string }) => [identifier, string]));
  }

  read(): Condition {
    const condition = this.#or();
    if (this.index < this.tokens.length) throw new UnknownSyntax();
    return condition;
  }

  #or(): Condition {
    const parts = [this.#and()];
    while (this.accept('or')) parts.push(this.#and());
    return parts.length === 1 ? parts[0]! : { kind: 'or', parts };
  }

  #and(): Condition {
    const parts = [this.#not()];
    while (this.accept('and')) parts.push(this.#not());
    return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
  }

  #not(): Condition {
    if (this.accept('not')) return { kind: 'not', part: this.deeper(() => this.#not()) };
    if (this.accept('defined')) {
      this.deeper(() => this.#not());
      return unknown;
    }
    return this.#comparison();
  }

  #comparison(): Condition {
    let left = this.#arithmetic();
    for (;;) {
      const comparison = this.#comparisonHere();
      if (comparison !== null) {
        this.#countOperator();
        this.index += comparison.length;
        left = { kind: 'compare', comparison, left, right: this.#arithmetic() };
      } else if (textOperators.test(this.text())) {
        this.index += 1;
        if (this.tokens[this.index]?.kind === 'regexp') this.index += 1;
        else this.#arithmetic();
        left = unknown;
      } else {
        return left;
      }
    }
  }

  #comparisonHere(): Comparison | null {
    const double = this.text() + (this.#touchesNext() ? this.text(1) : '');
    if (double === '<<' || double === '>>') return null;
    for (const text of [double, this.text()]) if (comparisons.has(text)) return text as Comparison;
    return null;
  }

  #touchesNext(): boolean {
    return this.tokens[this.index]?.end === this.tokens[this.index + 1]?.start;
  }

  /** All operators of numbers; those that bind tighter than sums, or looser, make the whole unknown. */
  #arithmetic(): Condition {
    let left = this.#factor();
    for (;;) {
      const operator = this.text();
      if (operator === '+' || operator === '-') {
        this.#countOperator();
        this.index += 1;
        left = { kind: operator === '+' ? 'sum' : 'difference', left, right: this.#product(this.#factor()) };
      } else if (operator === '*') {
        left = this.#product(left);
      } else if (/^[\\%&|^]$/.test(operator)) {
        this.index += 1;
        this.#factor();
        left = unknown;
      } else if ((operator === '<' || operator === '>') && this.text(1) === operator && this.#touchesNext()) {
        this.index += 2;
        this.#factor();
        left = unknown;
      } else {
        return left;
      }
    }
  }

  #product(first: Condition): Condition {
    let left = first;
    while (this.accept('*')) {
      this.#countOperator();
      left = { kind: 'product', left, right: this.#factor() };
    }
    return left;
  }

  #countOperator(): void {
    this.#operators += 1;
    if (this.#operators > maxOperators) throw new UnknownSyntax();
  }

  #factor(): Condition {
    if (this.accept('-')) {
      const right = this.deeper(() => this.#factor());
      return { kind: 'difference', left: { kind: 'number', value: 0 }, right };
    }
    if (this.accept('~')) {
      this.deeper(() => this.#factor());
      return unknown;
    }
    return this.#quantified(this.#primary());
  }

  /** A number, or an expression in parentheses, may turn out to say how many of a set. */
  #quantified(condition: Condition): Condition {
    if (this.text() === '%' && this.text(1) === 'of') {
      this.index += 1;
      return this.#of(shareOf(condition));
    }
    if (this.text() !== 'of') return condition;
    return this.#of(condition.kind === 'number' ? condition.value : null);
  }

  #primary(): Condition {
    const token = this.next();
    if (token.kind === 'number') return numberOf(token.text);
    if (token.kind === 'text') return unknown;
    if (token.kind === 'variable' || token.text === '!') return this.#variable(token);
    if (token.text === '(') {
      const inner = this.deeper(() => this.#or());
      this.expect(')');
      return inner;
    }
    if (token.kind === 'word') return this.#word(token);
    throw new UnknownSyntax();
  }

  #variable({ text }: Token): Condition {
    const sign = text[0]!;
    const identifier = `$${text.slice(1)}`;
    const string = identifier === '$' ? this.#current : this.#strings.get(identifier);
    if (string === undefined || string === null) throw new UnknownSyntax();
    if (sign === '$') {
      this.#skipPlace();
      return { kind: 'string', string };
    }
    if (sign === '#') {
      if (this.accept('in')) this.#skipRange();
      return { kind: 'count', string };
    }
    if (this.accept('[')) {
      this.deeper(() => this.#arithmetic());
      this.expect(']');
    }
    return { kind: 'place', string };
  }

  /** `at 0`, `in (0..100)`; a string that is not there is not there either. */
  #skipPlace(): void {
    if (this.accept('at')) this.deeper(() => this.#arithmetic());
    else if (this.accept('in')) this.#skipRange();
  }

  #skipRange(): void {
    this.expect('(');
    this.deeper(() => this.#arithmetic());
    this.expect('.');
    this.expect('.');
    this.deeper(() => this.#arithmetic());
    this.expect(')');
  }

  #word({ text }: Token): Condition {
    const [, unsigned, bits, bigEndian] = integerReader.exec(text) ?? [];
    if (bits !== undefined && this.text() === '(') {
      this.expect('(');
      const at = this.deeper(() => this.#arithmetic());
      this.expect(')');
      const size = (Number(bits) / 8) as IntegerReading['size'];
      return { kind: 'integer', at, reading: { size, isSigned: unsigned === '', isBigEndian: bigEndian === 'be' } };
    }
    if (text === 'true' || text === 'false') return { kind: 'boolean', value: text === 'true' };
    if (text === 'filesize') return { kind: 'filesize' };
    if (text === 'any' || text === 'all') return this.#of(text);
    if (text === 'none') return this.#of(null);
    if (text === 'for') return this.deeper(() => this.#for());
    if (reserved.has(text)) throw new UnknownSyntax();
    const isPath = /^[.([]$/.test(this.text());
    if (this.#variables.has(text)) {
      this.#skipPath();
      return unknown;
    }
    if (!isPath && this.#names.globals.has(text)) return { kind: 'global', name: text };
    if (!isPath && this.#names.rules.has(text)) return { kind: 'rule', name: text };
    const start = this.index;
    this.#skipPath();
    // A constant, `pe.MACHINE_AMD64`, has its value whatever the file is.
    if (!isPath || /^[A-Z][A-Z\d_]*$/.test(this.tokens[this.index - 1]!.text)) return unknown;
    return { kind: 'member', module: text, isDefinedElsewhere: this.#isDefinedElsewhere(start) };
  }

  /** `.member`, `(arguments)` and `[index]` behind a module's name. */
  #skipPath(): void {
    for (;;) {
      if (this.text() === '.' && this.text(1) !== '.') {
        this.index += 1;
        if (this.next().kind !== 'word') throw new UnknownSyntax();
      } else if (this.text() === '(' || this.text() === '[') {
        this.#skipParentheses();
      } else {
        return;
      }
    }
  }

  /** Whether a member may have a value for files that its module does not read: functions count and compare, fields do not. */
  #isDefinedElsewhere(start: number): boolean {
    const path = this.tokens.slice(start, this.index).map(({ text }) => text);
    return path.includes('(') ? path[1] !== 'imphash' : path[1] === undefined || path[1] === 'is_pe';
  }

  #skipParentheses(): void {
    let depth = 0;
    do {
      const { text } = this.next();
      if (text === '(' || text === '[') depth += 1;
      else if (text === ')' || text === ']') depth -= 1;
    } while (depth > 0);
  }

  /** @param least null where nobody knows how many, or where none may be */
  #of(least: 'any' | 'all' | number | null): Condition {
    this.expect('of');
    const parts = this.#set();
    this.#skipPlace();
    return quantified(least, parts);
  }

  /** `them`, `($a, $b*)`, or conditions in parentheses. */
  #set(): Condition[] {
    if (this.accept('them'))
      return this.#bounded(this.#names.strings.map(({ string }) => ({ kind: 'string', string })));
    this.expect('(');
    const parts: Condition[] = [];
    do {
      const { kind, text } = this.tokens[this.index] ?? this.next();
      if (kind === 'variable' && text.startsWith('$') && /^[,)]$/.test(this.text(1))) {
        this.index += 1;
        parts.push(...this.#named(text));
      } else {
        parts.push(this.deeper(() => this.#or()));
      }
    } while (this.accept(','));
    this.expect(')');
    return this.#bounded(parts);
  }

  #named(text: string): Condition[] {
    const isMeant = (identifier: string) =>
      text.endsWith('*') ? identifier.startsWith(text.slice(0, -1)) : identifier === text;
    const named = this.#names.strings.filter(({ identifier }) => isMeant(identifier));
    if (named.length === 0) throw new UnknownSyntax();
    return named.map(({ string }) => ({ kind: 'string', string }));
  }

  #bounded(parts: Condition[]): Condition[] {
    if (parts.length === 0 || parts.length > maxParts) throw new UnknownSyntax();
    return parts;
  }

  /** `for any of ($a*) : (…)`, `for all i in (1..#a) : (…)`. */
  #for(): Condition {
    const least = this.#quantifier();
    if (this.accept('of')) return this.#forOf(least);
    while (!this.accept('in')) {
      const { kind, text } = this.next();
      if (kind === 'word') this.#variables.add(text);
      else if (text !== ',') throw new UnknownSyntax();
    }
    if (this.text() === '(') this.#skipParentheses();
    else {
      this.next();
      this.#skipPath();
    }
    this.expect(':');
    this.expect('(');
    const body = this.#or();
    this.expect(')');
    // `all` of an empty set holds for the engines.
    return least === 'any' || (typeof least === 'number' && least > 0)
      ? { kind: 'and', parts: [body, unknown] }
      : unknown;
  }

  #quantifier(): 'any' | 'all' | number | null {
    const { kind, text } = this.next();
    if (text === 'any' || text === 'all') return text;
    if (text === 'none') return null;
    let least: Condition;
    if (kind === 'number') {
      least = numberOf(text);
    } else if (text === '(') {
      least = this.deeper(() => this.#arithmetic());
      this.expect(')');
    } else {
      throw new UnknownSyntax();
    }
    if (this.accept('%')) return shareOf(least);
    return least.kind === 'number' ? least.value : null;
  }

  #forOf(least: 'any' | 'all' | number | null): Condition {
    const set = this.#set();
    this.expect(':');
    this.expect('(');
    const start = this.index;
    const outer = this.#current;
    const parts: Condition[] = [];
    for (const part of set) {
      if (part.kind !== 'string') throw new UnknownSyntax();
      this.index = start;
      this.#current = part.string;
      parts.push(this.#or());
    }
    this.#current = outer;
    this.expect(')');
    return quantified(least, parts);
  }
}

const reserved: ReadonlySet<string> = new Set(
  'and or not of in at them with import include rule private global meta strings condition'.split(' '),
);

function quantified(least: 'any' | 'all' | number | null, parts: readonly Condition[]): Condition {
  if (least === null || (typeof least === 'number' && least <= 0)) return unknown;
  return { kind: 'of', least, parts };
}

/** A share above 0 of a set is at least one of its members. */
const shareOf = (percent: Condition): 'any' | null => (percent.kind === 'number' && percent.value > 0 ? 'any' : null);

function numberOf(text: string): Condition {
  const unit = text.endsWith('KB') ? 1024 : text.endsWith('MB') ? 1_048_576 : 1;
  const value = Number(unit === 1 ? text : text.slice(0, -2)) * unit;
  return Number.isSafeInteger(value) ? { kind: 'number', value } : unknown;
}
