// Branches on the result of a comparison, as Java asks for what was compared. Knows no instructions.
import type { Expression, Relation } from './tree.ts';

/** What `if` asks of the result of a comparison, asked of what was compared. */
export function tested(comparison: Expression & { kind: 'comparison' }, operator: Relation): Expression {
  const { type, unordered, left, right, at } = comparison;
  const relation = (asked: Relation): Expression => ({ kind: 'relation', operator: asked, type, left, right, at });
  if (type === 'J' || operator === '==' || operator === '!=') return relation(operator);
  const isTrueForNaN = unordered < 0 ? operator === '<' || operator === '<=' : operator === '>' || operator === '>=';
  if (!isTrueForNaN) return relation(operator);
  return { kind: 'not', operand: relation(opposite[operator]), at };
}

const opposite: Readonly<Record<Relation, Relation>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};
