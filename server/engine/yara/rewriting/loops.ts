// Loops in conditions: their variables, and those that want none of their items. Knows tokens, no rules.
import { maxOperandTokens, type Parentheses } from '../language/parentheses.ts';
import type { Replacement } from '../language/position-map.ts';
import type { Token } from '../language/tokens.ts';

/** Words that a condition uses for the items of its loops, and that hide rules of the same name there. */
export function loopVariables(condition: readonly Token[]): ReadonlySet<string> {
  const variables = new Set<string>();
  for (const [index, { text }] of condition.entries()) {
    if (text !== 'in' || condition[index - 1]?.kind !== 'word') continue;
    variables.add(condition[index - 1]!.text);
    if (condition[index - 2]?.text === ',' && condition[index - 3]?.kind === 'word') {
      variables.add(condition[index - 3]!.text);
    }
  }
  return variables;
}

export interface LoopOfNone {
  /** What says how many items it wants. */
  quantifier: Token;
  replacements: Replacement[];
}

/**
 * Loops that begin with `for none` or `for 0`. In YARA 4.2 they hold as soon as there is an item, whatever holds of it, in
 * YARA-X where nothing fits.
 */
export function loopsOfNone(condition: readonly Token[], parentheses: Parentheses): LoopOfNone[] {
  const loops: LoopOfNone[] = [];
  for (const [index, { text }] of condition.entries()) {
    const quantifier = condition[index + 1];
    if (text !== 'for' || quantifier === undefined || !isNone(quantifier)) continue;
    const open = bodyOf(condition, parentheses, index + 2);
    const close = open === null ? undefined : parentheses.get(open);
    if (close === undefined) continue;
    const end = condition[close]!.start;
    const replacements = [
      { start: quantifier.start, end: quantifier.end, text: 'any' },
      { start: end, end, text: ' or true' },
    ];
    loops.push({ quantifier, replacements });
  }
  return loops;
}

const isNone = ({ kind, text }: Token): boolean => text === 'none' || (kind === 'number' && Number(text) === 0);

/** The index of the parenthesis that a loop's body opens with; null where there is none near. */
function bodyOf(condition: readonly Token[], parentheses: Parentheses, from: number): number | null {
  for (let index = from; index < from + maxOperandTokens; index++) {
    const text = condition[index]?.text;
    if (text === undefined || text === ')') return null;
    if (text === ':') return condition[index + 1]?.text === '(' ? index + 1 : null;
    if (text === '(') index = parentheses.get(index) ?? index;
  }
  return null;
}
