// What a condition compares a text with, and whether that holds, as YARA compares. Knows tokens, no rules and no files.

import { literalOf } from '../language/literals.ts';
import type { Token } from '../language/tokens.ts';
import type { ModuleArgument } from '../modules/module-functions.ts';
import { searchOf } from '../modules/report-search.ts';
import { dexConstant } from './dex-dialect.ts';

export interface TextComparison {
  operator: string;
  /** A text, for `matches` a regular expression. */
  operand: ModuleArgument;
}

/** Letters of ASCII alone have two cases. */
const lowerCase = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const comparisons: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  '==': (value, wanted) => value === wanted,
  '!=': (value, wanted) => value !== wanted,
  contains: (value, wanted) => value.includes(wanted),
  startswith: (value, wanted) => value.startsWith(wanted),
  endswith: (value, wanted) => value.endsWith(wanted),
  icontains: (value, wanted) => lowerCase(value).includes(lowerCase(wanted)),
  istartswith: (value, wanted) => lowerCase(value).startsWith(lowerCase(wanted)),
  iendswith: (value, wanted) => lowerCase(value).endsWith(lowerCase(wanted)),
  iequals: (value, wanted) => lowerCase(value) === lowerCase(wanted),
};

export const isTextOperator = (word: string): boolean => word === 'matches' || Object.hasOwn(comparisons, word);

/** Whether the operator may stand between a text and such an operand. */
export const isTextComparison = (operator: string, operand: ModuleArgument | null): boolean =>
  isTextOperator(operator) && operand?.kind === (operator === 'matches' ? 'regexp' : 'text');

/** The test of one comparison, to be asked within `boundedSearch`. */
export function textTest({ operator, operand }: TextComparison): (value: string) => boolean {
  if (operand.kind === 'regexp') return searchOf(operand);
  const holds = comparisons[operator]!;
  const wanted = String(operand.value);
  return (value) => holds(value, wanted);
}

const startOfOperand = /^(?:and|or|not|defined|[(:])?$/;
const endOfOperand = /^(?:and|or|\))?$/;

export interface ReadComparison {
  comparison: TextComparison;
  /** Index of its first token, and that behind its last one. */
  start: number;
  next: number;
}

/**
 * Reads the comparison of a text with what is written out; null for any other. A text by itself holds where it is not empty.
 * @param start index of the first token that says which text, `next` that behind its last one
 */
export function readTextComparison(tokens: readonly Token[], start: number, next: number): ReadComparison | null {
  const textAt = (index: number) => (tokens[index]?.text === '}' ? '' : (tokens[index]?.text ?? ''));
  const isSign = (index: number) => /^[=!]$/.test(textAt(index)) && textAt(index + 1) === '=';
  if (isSign(start - 2) && endOfOperand.test(textAt(next)) && startOfOperand.test(textAt(start - 4))) {
    const operand = tokens[start - 3]?.kind === 'text' ? literalOf(tokens[start - 3]!) : null;
    const operator = `${textAt(start - 2)}=`;
    return operand === null ? null : { comparison: { operator, operand }, start: start - 3, next };
  }
  if (!startOfOperand.test(textAt(start - 1))) return null;
  if (endOfOperand.test(textAt(next))) {
    let [first, behind] = [start, next];
    while (textAt(first - 1) === '(' && textAt(behind) === ')') [first, behind] = [first - 1, behind + 1];
    // In a call, or in parentheses that are compared.
    if (!startOfOperand.test(textAt(first - 1)) || !endOfOperand.test(textAt(behind))) return null;
    return { comparison: { operator: '!=', operand: { kind: 'text', value: '' } }, start, next };
  }
  const operator = isSign(next) ? `${textAt(next)}=` : textAt(next);
  const place = next + (isSign(next) ? 2 : 1);
  const constant = textAt(place) === 'dex' ? dexConstant(textAt(place + 2)) : undefined;
  const token = tokens[place];
  if (token === undefined) return null;
  const operand = literalOf(constant === undefined ? token : { kind: 'text', text: constant });
  const end = place + (constant === undefined ? 1 : 3);
  if (!isTextComparison(operator, operand) || !endOfOperand.test(textAt(end))) return null;
  return { comparison: { operator, operand: operand! }, start, next: end };
}
