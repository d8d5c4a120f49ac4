// Whether a condition always comes out the same, as those do that obfuscators add. Knows no blocks.
import type { Expression, Relation } from './tree.ts';

const holds: Readonly<Record<Relation, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
};

/** What Java's `int` arithmetic makes of two values; null where it throws. */
const computed: Readonly<Record<string, (a: number, b: number) => number | null>> = {
  '+': (a, b) => (a + b) | 0,
  '-': (a, b) => (a - b) | 0,
  '*': Math.imul,
  '/': (a, b) => (b === 0 ? null : (a / b) | 0),
  '%': (a, b) => (b === 0 ? null : (a % b) | 0),
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => (a >>> b) | 0,
};

function constantInt(expression: Expression): number | null {
  if (expression.kind === 'number') return expression.value;
  if (expression.kind === 'negation' && expression.type === 'I') {
    const value = constantInt(expression.operand);
    return value === null ? null : expression.operator === '~' ? ~value : -value | 0;
  }
  if (expression.kind !== 'arithmetic' || expression.type !== 'I') return null;
  const [left, right] = [constantInt(expression.left), constantInt(expression.right)];
  return left === null || right === null ? null : computed[expression.operator]!(left, right);
}

/** @returns null where it depends on anything */
export function constantCondition(condition: Expression): boolean | null {
  if (condition.kind === 'not') {
    const value = constantCondition(condition.operand);
    return value === null ? null : !value;
  }
  if (condition.kind === 'truth') {
    const value = constantInt(condition.operand);
    return value === null ? null : value !== 0;
  }
  if (condition.kind !== 'relation') return null;
  const [left, right] = [constantInt(condition.left), constantInt(condition.right)];
  return left === null || right === null ? null : holds[condition.operator](left, right);
}
