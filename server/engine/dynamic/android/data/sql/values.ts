// What values of SQLite are to each other: order, truth, arithmetic. Knows no statement. https://www.sqlite.org/datatype3.html
import type { Cell } from '../cursor.ts';

export type SqlValue = Cell['value'];

/** Characters of a text, bytes of a blob; SQLite's own limit is a thousand million. */
export const maxLength = 1_000_000;

const numeric = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

export const textOf = (value: SqlValue): string =>
  value === null ? '' : value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);

/** As a number, as SQLite takes what a text begins with. */
export function numberOf(value: SqlValue): number | bigint {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  const digits = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(textOf(value))?.[0];
  return digits === undefined ? 0 : Number(digits);
}

export const isTrue = (value: SqlValue): boolean => value !== null && Number(numberOf(value)) !== 0;

const rank = (value: SqlValue): number =>
  value === null ? 0 : typeof value === 'string' ? 2 : value instanceof Uint8Array ? 3 : 1;

/**
 * The order of two values. A text that is a number is one beside a number: arguments of queries always are texts, and
 * columns have no types here.
 */
export function compareValues(left: SqlValue, right: SqlValue): number {
  const ranks = [rank(left), rank(right)];
  if (ranks[0] !== ranks[1]) {
    const [text, other] = typeof left === 'string' ? [left, right] : [right, left];
    const isNumber = typeof other === 'number' || typeof other === 'bigint';
    if (typeof text === 'string' && isNumber && numeric.test(text)) {
      const difference = Number(left) - Number(right);
      return difference < 0 ? -1 : difference > 0 ? 1 : 0;
    }
    return ranks[0]! - ranks[1]!;
  }
  if (left instanceof Uint8Array && right instanceof Uint8Array) return Buffer.compare(left, right);
  if (left === null || right === null) return 0;
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A key under which equal values are one: `1`, `1n` and `'1'`, but not `'01'`. */
export function keyOf(value: SqlValue): string {
  if (value === null) return '';
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('hex')}`;
  return `t${value}`;
}

const isWhole = (value: number | bigint): boolean => typeof value === 'bigint' || Number.isInteger(value);

/** A number as small as it fits. */
const tidy = (value: bigint): number | bigint =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;

/** Null where there is no such operator, and for a division by zero. A real number without a fraction counts as whole. */
export function arithmetic(operator: string, left: SqlValue, right: SqlValue): SqlValue {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (!isWhole(a) || !isWhole(b)) {
    const [x, y] = [Number(a), Number(b)];
    const result =
      operator === '+' ? x + y : operator === '-' ? x - y : operator === '*' ? x * y : y === 0 ? null : x / y;
    return operator === '%' && y !== 0 ? Math.trunc(x) % Math.trunc(y) : result;
  }
  const [x, y] = [BigInt(a), BigInt(b)];
  if (y === 0n && (operator === '/' || operator === '%')) return null;
  if ((operator === '<<' || operator === '>>') && (y < 0n || y > 63n)) return 0;
  const whole: Record<string, () => bigint> = {
    '+': () => x + y,
    '-': () => x - y,
    '*': () => x * y,
    '/': () => x / y,
    '%': () => x % y,
    '&': () => x & y,
    '|': () => x | y,
    '<<': () => x << y,
    '>>': () => x >> y,
  };
  const result = whole[operator]?.();
  return result === undefined ? null : tidy(BigInt.asIntN(64, result));
}
