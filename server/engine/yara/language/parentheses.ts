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

/** Words before a parenthesis that call nothing. */
const operators = new Set(
  'and or not defined of in at any all none for matches contains icontains startswith istartswith endswith iendswith iequals'.split(
    ' ',
  ),
);
/** Calls inside calls; rules that mean something have two or three. */
const maxNestedCalls = 8;

/**
 * The names of calls that stand in more calls than anybody needs: the engine tries each twice or more, so that time grows
 * by powers with their depth.
 */
export function tooDeepCalls(tokens: readonly Token[]): Token[] {
  const found: Token[] = [];
  const open: boolean[] = [];
  let depth = 0;
  tokens.forEach(({ text, kind }, index) => {
    if (text === 'rule' && kind === 'word') {
      open.length = 0;
      depth = 0;
    } else if (text === '(') {
      const before = tokens[index - 1];
      const isCall = before?.kind === 'word' && !operators.has(before.text);
      open.push(isCall);
      if (isCall) depth += 1;
      if (isCall && depth > maxNestedCalls) found.push(before);
    } else if (text === ')' && open.pop()) {
      depth -= 1;
    }
  });
  return found;
}

/** Longer operands and arguments are left as they are; nobody writes such. */
export const maxOperandTokens = 500;
