// Loops over what a dex file defines, which the engine cannot run: its own lists hold other things. Knows tokens, no rules.
import { headerOffsets, ownOf } from './dex-dialect.ts';
import { type DexList, dexMemberKinds } from './dex-members.ts';
import { literalOf } from './literals.ts';
import type { ModuleArgument } from './module-functions.ts';
import { TokenReader, UnknownSyntax } from './token-reader.ts';
import type { Token } from './tokens.ts';

export interface DexLoop {
  quantifier: 'any' | 'all' | 'none' | number;
  list: DexList;
  /** The first and the last index; null for the whole list. */
  range: readonly [DexBound, DexBound] | null;
  body: DexTest;
}

/** A number, or one more or less than the dex file has of something. */
export interface DexBound {
  count: 'method' | 'field' | { headerOffset: number } | null;
  plus: number;
}

export type DexTest =
  | { kind: 'and' | 'or'; parts: DexTest[] }
  | { kind: 'not'; part: DexTest }
  /** `operand` is null for a number that is used as a truth value. */
  | { kind: 'comparison'; member: string; mask: number | null; operator: string; operand: ModuleArgument | null };

const textOperators: ReadonlySet<string> = new Set(
  '== != contains icontains startswith istartswith endswith iendswith iequals matches'.split(' '),
);
const numberOperators: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** What a loop's tests compare with. */
export function operandsOf(test: DexTest): ModuleArgument[] {
  if (test.kind === 'not') return operandsOf(test.part);
  if (test.kind !== 'comparison') return test.parts.flatMap(operandsOf);
  return test.operand === null ? [] : [test.operand];
}

/**
 * Reads what begins with `for`; null for what the engine is to run itself.
 * @returns `next` is the index behind the loop
 */
export function readDexLoop(tokens: readonly Token[], start: number): { loop: DexLoop; next: number } | null {
  try {
    return new LoopReader(tokens, start).read();
  } catch (error) {
    if (error instanceof UnknownSyntax) return null;
    throw error;
  }
}

class LoopReader extends TokenReader {
  #variable = '';
  #list: DexList | null = null;
  /** Whether the variable is an item rather than its index. */
  #isItem = false;

  read(): { loop: DexLoop; next: number } {
    this.expect('for');
    const quantifier = this.#quantifier();
    this.#variable = this.next('word').text;
    this.expect('in');
    const range = this.accept('(') ? this.#range() : null;
    if (range === null) {
      this.#path('dex');
      this.#list = this.#listHere();
      this.#isItem = true;
    }
    this.expect(':');
    const body = this.#parenthesized();
    if (this.#list === null) throw new UnknownSyntax();
    return { loop: { quantifier, list: this.#list, range, body }, next: this.index };
  }

  /** `dex.`, `dex.header.` */
  #path(...words: string[]): void {
    for (const word of words) {
      this.expect(word);
      this.expect('.');
    }
  }

  #listHere(): DexList {
    const { text } = this.next('word');
    if (ownOf(dexMemberKinds, text) === undefined) throw new UnknownSyntax();
    return text as DexList;
  }

  #quantifier(): DexLoop['quantifier'] {
    const text = this.text();
    if (text !== 'any' && text !== 'all' && text !== 'none') return this.#number();
    this.index += 1;
    return text;
  }

  #number(): number {
    const argument = literalOf(this.next('number'));
    if (argument?.kind !== 'number') throw new UnknownSyntax();
    return argument.value;
  }

  #range(): readonly [DexBound, DexBound] {
    const from = this.#bound();
    this.expect('.');
    this.expect('.');
    const to = this.#bound();
    this.expect(')');
    return [from, to];
  }

  #bound(): DexBound {
    if (this.text() !== 'dex') return { count: null, plus: this.#number() };
    this.#path('dex');
    let count: DexBound['count'];
    if (this.accept('number_of_methods')) count = 'method';
    else if (this.accept('number_of_fields')) count = 'field';
    else {
      this.#path('header');
      const headerOffset = ownOf(headerOffsets, this.next('word').text);
      if (headerOffset === undefined) throw new UnknownSyntax();
      count = { headerOffset };
    }
    if (this.accept('-')) return { count, plus: -this.#number() };
    return { count, plus: this.accept('+') ? this.#number() : 0 };
  }

  #parenthesized(): DexTest {
    return this.deeper(() => {
      this.expect('(');
      const test = this.#joined('or', () => this.#joined('and', () => this.#negated()));
      this.expect(')');
      return test;
    });
  }

  #joined(kind: 'and' | 'or', read: () => DexTest): DexTest {
    const parts = [read()];
    while (this.accept(kind)) parts.push(read());
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  #negated(): DexTest {
    let isNegated = false;
    while (this.accept('not')) isNegated = !isNegated;
    const test = this.text() === '(' && !this.#isMasked() ? this.#parenthesized() : this.#comparison();
    return isNegated ? { kind: 'not', part: test } : test;
  }

  /** `(item.access_flags & 8) == 8` */
  #isMasked(): boolean {
    let ahead = 1;
    while (/^(?:\w+|[.[\]])$/.test(this.text(ahead))) ahead += 1;
    return this.text(ahead) === '&' && this.text(ahead + 2) === ')';
  }

  #comparison(): DexTest {
    const isMasked = this.accept('(');
    const list = this.#item();
    const member = this.next('word').text;
    const kind = ownOf(dexMemberKinds[list], member);
    if (kind === undefined) throw new UnknownSyntax();
    const mask = kind === 'number' && this.accept('&') ? this.#number() : null;
    if (isMasked) this.expect(')');
    const operator = this.#operator();
    if (operator === '' && kind === 'number') return { kind: 'comparison', member, mask, operator, operand: null };
    const token = this.tokens[this.index];
    const operand = token === undefined ? null : literalOf(token);
    const wanted = kind === 'number' ? 'number' : operator === 'matches' ? 'regexp' : 'text';
    if (!(kind === 'text' ? textOperators : numberOperators).has(operator) || operand?.kind !== wanted) {
      throw new UnknownSyntax();
    }
    this.index += 1;
    return { kind: 'comparison', member, mask, operator, operand };
  }

  /** `dex.method[i].`, or `m.` where the variable is the item. */
  #item(): DexList {
    if (this.#isItem) this.#path(this.#variable);
    else {
      this.#path('dex');
      const list = this.#listHere();
      if (this.#list !== null && this.#list !== list) throw new UnknownSyntax();
      this.#list = list;
      for (const text of ['[', this.#variable, ']', '.']) this.expect(text);
    }
    return this.#list!;
  }

  #operator(): string {
    const [first, second] = [this.text(), this.text(1)];
    const operator = /^[=!<>]$/.test(first) ? first + (second === '=' ? second : '') : first;
    if (!textOperators.has(operator) && !numberOperators.has(operator)) return '';
    this.index += /^\w/.test(operator) ? 1 : operator.length;
    return operator;
  }
}
