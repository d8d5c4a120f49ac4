// Expressions with a constant result: `int` arithmetic with numbers, and conditions, as obfuscators add them. Knows no blocks.
import type { Expression, Relation } from './tree.ts';

const holds: Readonly<Record<Relation, (a: number, b: number) => boolean>> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
};

type Operation = (a: number, b: number) => number | null;
/** From `add-int` on; null where it throws. */
const operations: readonly Operation[] = [
  (a, b) => (a + b) | 0,
  (a, b) => (a - b) | 0,
  Math.imul,
  (a, b) => (b === 0 ? null : (a / b) | 0),
  (a, b) => (b === 0 ? null : (a % b) | 0),
  (a, b) => a & b,
  (a, b) => a | b,
  (a, b) => a ^ b,
  (a, b) => a << b,
  (a, b) => a >> b,
  (a, b) => (a >>> b) | 0,
];
const reversed: Operation = (a, b) => (b - a) | 0;

/** What an opcode makes of two ints: that of the second operand, or the literal; null for another opcode. */
export function intOperation(opcode: number): Operation | null {
  if (opcode === 0xd1 || opcode === 0xd9) return reversed;
  const start = [0xd8, 0xd0, 0xb0, 0x90].find((first) => first <= opcode);
  return start === undefined ? null : (operations[opcode - start] ?? null);
}

const constant = (expression: Expression): number | null => (expression.kind === 'number' ? expression.value : null);

/** @returns null where it depends on anything */
export function constantCondition(condition: Expression): boolean | null {
  if (condition.kind === 'not') {
    const value = constantCondition(condition.operand);
    return value === null ? null : !value;
  }
  if (condition.kind === 'truth') {
    const value = constant(condition.operand);
    return value === null ? null : value !== 0;
  }
  if (condition.kind !== 'relation') return null;
  const [left, right] = [constant(condition.left), constant(condition.right)];
  return left === null || right === null ? null : holds[condition.operator](left, right);
}
