// Which parentheses of a condition belong together, and how far apart the ends of an operand may be. Knows tokens, no rules.
import type { Token } from './tokens.ts';

/** By the index of a parenthesis, that of its other half; those that have none are missing. */
export type Parentheses = ReadonlyMap<number, number>;

/** Round ones alone, in linear time. */
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

/** Tokens of one operand or argument, past which it is left as it is; none that people write has as many. */
export const maxOperandTokens = 500;
