// Constants in conditions that YARA refuses and YARA-X takes. Knows tokens, no rules.
import type { Token } from '../language/tokens.ts';

export interface RefusedConstant {
  title: string;
  /** Where the author is told of it. */
  token: Token;
}

/** Numbers in a condition that YARA's compiler refuses; only those that are written out are looked at. */
export function refusedConstants(condition: readonly Token[]): RefusedConstant[] {
  const refused: RefusedConstant[] = [];
  for (const [index, token] of condition.entries()) {
    if (token.kind !== 'number') continue;
    const previous = condition[index - 1]?.text;
    const isPercentage = condition[index + 1]?.text === '%' && condition[index + 2]?.text === 'of';
    if (isPercentage && isZero(token)) {
      refused.push({ title: 'a percentage is between 1 and 100', token });
    } else if ((previous === '\\' || previous === '%') && isZero(token)) {
      refused.push({ title: 'division by zero', token });
    }
  }
  return refused;
}

const isZero = ({ text }: Token): boolean => /^(?:0+(?:KB|MB)?|0x0+)$/.test(text);
