// Loops over what a dex file defines, which the engine cannot run: its own lists hold other things. Knows tokens, no rules.

import { literalOf } from '../language/literals.ts';
import { TokenReader, UnknownSyntax } from '../language/token-reader.ts';
import type { Token } from '../language/tokens.ts';
import { type DexList, dexMemberKinds } from '../modules/dex-members.ts';
import type { ModuleArgument } from '../modules/module-functions.ts';
import { headerOffsets, ownOf } from './dex-dialect.ts';
import { isTextComparison, isTextOperator } from './text-comparisons.ts';

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
  /** Whether the rule's string is found, which is the same for every item. */
  | { kind: 'string'; identifier: string }
  | { kind: 'constant'; value: boolean }
  | DexComparison;

export interface DexComparison {
  kind: 'comparison';
  /** How many items behind the one at hand. */
  ahead: number;
  member: string;
  mask: number | null;
  operator: string;
  /** null for a number that is used as a truth value. */
  operand: ModuleArgument | null;
}

const numberOperators: ReadonlySet<string> = new Set(['==', '!=', '<', '<=', '>', '>=']);

/** Strings that one loop asks for; it is run for each way in which they may be found or not. */
const maxStrings = 3;

/** Items that a test may look ahead or back. */
const maxAhead = 1_000;

/** All comparisons of a loop's tests. */
export function comparisonsOf(test: DexTest): DexComparison[] {
  if (test.kind === 'comparison') return [test];
  if (test.kind === 'not') return comparisonsOf(test.part);
  return 'parts' in test ? test.parts.flatMap(comparisonsOf) : [];
}

/** What a loop's tests compare with. */
export const operandsOf = (test: DexTest): ModuleArgument[] =>
  comparisonsOf(test).flatMap(({ operand }) => (operand === null ? [] : [operand]));

/**
 * A loop that asks for strings as several without, one for each way in which the strings may be found or not.
 * @returns each with the condition on the strings under which it counts, empty for a loop that asks for none
 */
export function loopsByStrings(loop: DexLoop): { condition: string; loop: DexLoop }[] {
  const strings = [...new Set(stringsOf(loop.body))];
  return Array.from({ length: 2 ** strings.length }, (_, found) => {
    const values = new Map(strings.map((identifier, bit) => [identifier, (found & (1 << bit)) !== 0]));
    const condition = [...values]
      .map(([identifier, value]) => (value ? identifier : `not ${identifier}`))
      .join(' and ');
    return { condition, loop: { ...loop, body: withStrings(loop.body, values) } };
  });
}

function stringsOf(test: DexTest): string[] {
  if (test.kind === 'string') return [test.identifier];
  if (test.kind === 'not') return stringsOf(test.part);
  return 'parts' in test ? test.parts.flatMap(stringsOf) : [];
}

function withStrings(test: DexTest, values: ReadonlyMap<string, boolean>): DexTest {
  if (test.kind === 'string') return { kind: 'constant', value: values.get(test.identifier)! };
  if (test.kind === 'not') return { kind: 'not', part: withStrings(test.part, values) };
  return 'parts' in test ? { ...test, parts: test.parts.map((part) => withStrings(part, values)) } : test;
}

/**
 * Reads a loop that begins with `for`; null for one that the engine can run itself.
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
    if (this.#list === null || new Set(stringsOf(body)).size > maxStrings) throw new UnknownSyntax();
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
    while (/^(?:\w+|[-+.[\]])$/.test(this.text(ahead))) ahead += 1;
    return this.text(ahead) === '&' && this.text(ahead + 2) === ')';
  }

  #comparison(): DexTest {
    if (/^\$\w/.test(this.text())) return this.#string();
    const isMasked = this.accept('(');
    const { list, ahead } = this.#item();
    const member = this.#member();
    const kind = ownOf(dexMemberKinds[list], member);
    if (kind === undefined) throw new UnknownSyntax();
    const mask = kind === 'number' && this.accept('&') ? this.#number() : null;
    if (isMasked) this.expect(')');
    const operator = this.#operator();
    if (operator === '' && kind === 'number')
      return { kind: 'comparison', ahead, member, mask, operator, operand: null };
    const token = this.tokens[this.index];
    const operand = token === undefined ? null : literalOf(token);
    const isNumber = numberOperators.has(operator) && operand?.kind === 'number';
    if (!(kind === 'number' ? isNumber : isTextComparison(operator, operand))) throw new UnknownSyntax();
    this.index += 1;
    return { kind: 'comparison', ahead, member, mask, operator, operand };
  }

  /** `name`, `code_item.insns_size` */
  #member(): string {
    const { text } = this.next('word');
    return text === 'code_item' && this.accept('.') ? `${text}.${this.next('word').text}` : text;
  }

  #string(): DexTest {
    const { text } = this.next('variable');
    if (!/^(?:and|or|\))$/.test(this.text())) throw new UnknownSyntax();
    return { kind: 'string', identifier: text };
  }

  /** `dex.method[i].`, `dex.method[i + 1].`, or `m.` where the variable is the item. */
  #item(): { list: DexList; ahead: number } {
    if (this.#isItem) {
      this.#path(this.#variable);
      return { list: this.#list!, ahead: 0 };
    }
    this.#path('dex');
    const list = this.#listHere();
    if (this.#list !== null && this.#list !== list) throw new UnknownSyntax();
    this.#list = list;
    this.expect('[');
    this.expect(this.#variable);
    const sign = this.accept('+') ? 1 : this.accept('-') ? -1 : 0;
    const ahead = sign === 0 ? 0 : sign * this.#number();
    if (Math.abs(ahead) > maxAhead) throw new UnknownSyntax();
    this.expect(']');
    this.expect('.');
    return { list, ahead };
  }

  #operator(): string {
    const [first, second] = [this.text(), this.text(1)];
    const operator = /^[=!<>]$/.test(first) ? first + (second === '=' ? second : '') : first;
    if (!isTextOperator(operator) && !numberOperators.has(operator)) return '';
    this.index += /^\w/.test(operator) ? 1 : operator.length;
    return operator;
  }
}
