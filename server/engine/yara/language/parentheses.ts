// Which parentheses of a condition belong together, and how far apart the ends of an operand may be. Knows tokens, no rules.
import type { Token } from './tokens.ts';

/** By the index of a parenthesis, the index of its partner; one without a partner is missing. */
export type Parentheses = ReadonlyMap<number, number>;

/** Pairs round parentheses, in linear time. */
export function pairedParentheses(tokens: readonly Token[]): Parentheses {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { text }] of tokens.entries()) {
    if (text === '(') open.push(index);
    else if (text === ')' && open.length > 0) {
      const first = open.pop()!;
      pairs.set(first, index).set(index, first);
    }
  }
  return pairs;
}

/** Longer operands and arguments are left as they are; nobody writes such. */
export const maxOperandTokens = 500;
