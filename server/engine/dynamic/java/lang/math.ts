// java.lang.Math and StrictMath. Knows numbers only.
import type { Machine, ModelClass, StaticMethods } from '../../machine/model.ts';
import { nextDouble, seededRandom } from '../util/random.ts';
import { bitsDouble, doubleBits, doubleToInt, doubleToLong } from './number-text.ts';

function overflow(machine: Machine, what: string) {
  return machine.exception('Ljava/lang/ArithmeticException;', `${what} overflow`);
}

function exactInt(machine: Machine, value: number): number {
  if (value > 2147483647 || value < -2147483648) throw overflow(machine, 'integer');
  return value;
}

function exactLong(machine: Machine, value: bigint): bigint {
  if (BigInt.asIntN(64, value) !== value) throw overflow(machine, 'long');
  return value;
}

function nonZero(machine: Machine, value: number | bigint): void {
  if (value === 0 || value === 0n) throw machine.exception('Ljava/lang/ArithmeticException;', '/ by zero');
}

/** Java's `rint`: half to even. */
function rint(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52) return value;
  const floor = Math.floor(value);
  const rest = value - floor;
  const result = rest < 0.5 ? floor : rest > 0.5 ? floor + 1 : floor % 2 === 0 ? floor : floor + 1;
  return result === 0 ? (Object.is(value, -0) || value < 0 ? -0 : 0) : result;
}

/** JavaScript's `pow` says NaN for 1 ** Infinity as Java does; both agree elsewhere. */
const power = (a: number, b: number): number => a ** b;

function floorDivideLong(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return BigInt.asIntN(64, a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient);
}

function floorModLong(a: bigint, b: bigint): bigint {
  const rest = a % b;
  return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
}

function neighbour(value: number, isUp: boolean): number {
  if (Number.isNaN(value) || value === (isUp ? Infinity : -Infinity)) return value;
  if (value === 0) return isUp ? Number.MIN_VALUE : -Number.MIN_VALUE;
  return bitsDouble(doubleBits(value) + (value > 0 === isUp ? 1n : -1n));
}

const functions: StaticMethods = {
  'abs(I)I': (_machine, a: number) => Math.abs(a) | 0,
  'abs(J)J': (_machine, a: bigint) => BigInt.asIntN(64, a < 0n ? -a : a),
  'abs(F)F': (_machine, a: number) => Math.abs(a),
  'abs(D)D': (_machine, a: number) => Math.abs(a),
  'max(II)I': (_machine, a: number, b: number) => (a > b ? a : b),
  'max(JJ)J': (_machine, a: bigint, b: bigint) => (a > b ? a : b),
  'max(FF)F': (_machine, a: number, b: number) => Math.max(a, b),
  'max(DD)D': (_machine, a: number, b: number) => Math.max(a, b),
  'min(II)I': (_machine, a: number, b: number) => (a < b ? a : b),
  'min(JJ)J': (_machine, a: bigint, b: bigint) => (a < b ? a : b),
  'min(FF)F': (_machine, a: number, b: number) => Math.min(a, b),
  'min(DD)D': (_machine, a: number, b: number) => Math.min(a, b),
  'round(F)I': (_machine, a: number) => doubleToInt(Math.floor(a + 0.5)),
  'round(D)J': (_machine, a: number) => doubleToLong(a === 0.49999999999999994 ? 0 : Math.floor(a + 0.5)),
  'rint(D)D': (_machine, a: number) => rint(a),
  'floor(D)D': (_machine, a: number) => Math.floor(a),
  'ceil(D)D': (_machine, a: number) => Math.ceil(a),
  'sqrt(D)D': (_machine, a: number) => Math.sqrt(a),
  'cbrt(D)D': (_machine, a: number) => Math.cbrt(a),
  'pow(DD)D': (_machine, a: number, b: number) => power(a, b),
  'exp(D)D': (_machine, a: number) => Math.exp(a),
  'expm1(D)D': (_machine, a: number) => Math.expm1(a),
  'log(D)D': (_machine, a: number) => Math.log(a),
  'log10(D)D': (_machine, a: number) => Math.log10(a),
  'log1p(D)D': (_machine, a: number) => Math.log1p(a),
  'sin(D)D': (_machine, a: number) => Math.sin(a),
  'cos(D)D': (_machine, a: number) => Math.cos(a),
  'tan(D)D': (_machine, a: number) => Math.tan(a),
  'asin(D)D': (_machine, a: number) => Math.asin(a),
  'acos(D)D': (_machine, a: number) => Math.acos(a),
  'atan(D)D': (_machine, a: number) => Math.atan(a),
  'atan2(DD)D': (_machine, a: number, b: number) => Math.atan2(a, b),
  'sinh(D)D': (_machine, a: number) => Math.sinh(a),
  'cosh(D)D': (_machine, a: number) => Math.cosh(a),
  'tanh(D)D': (_machine, a: number) => Math.tanh(a),
  'hypot(DD)D': (_machine, a: number, b: number) => Math.hypot(a, b),
  'toRadians(D)D': (_machine, a: number) => a * (Math.PI / 180),
  'toDegrees(D)D': (_machine, a: number) => a * (180 / Math.PI),
  'signum(D)D': (_machine, a: number) => Math.sign(a),
  'signum(F)F': (_machine, a: number) => Math.sign(a),
  'copySign(DD)D': (_machine, a: number, b: number) => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a)),
  'copySign(FF)F': (_machine, a: number, b: number) => (b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a)),
  'IEEEremainder(DD)D': (_machine, a: number, b: number) => a - b * rint(a / b),
  'getExponent(D)I': (_machine, a: number) => Number((BigInt.asUintN(64, doubleBits(a)) >> 52n) & 0x7ffn) - 1023,
  'scalb(DI)D': (_machine, a: number, b: number) => a * 2 ** b,
  'ulp(D)D': (_machine, a: number) => neighbour(Math.abs(a), true) - Math.abs(a),
  'nextUp(D)D': (_machine, a: number) => neighbour(a, true),
  'nextDown(D)D': (_machine, a: number) => neighbour(a, false),
  'fma(DDD)D': (_machine, a: number, b: number, c: number) => a * b + c,
  'addExact(II)I': (machine, a: number, b: number) => exactInt(machine, a + b),
  'addExact(JJ)J': (machine, a: bigint, b: bigint) => exactLong(machine, a + b),
  'subtractExact(II)I': (machine, a: number, b: number) => exactInt(machine, a - b),
  'subtractExact(JJ)J': (machine, a: bigint, b: bigint) => exactLong(machine, a - b),
  'multiplyExact(II)I': (machine, a: number, b: number) => exactInt(machine, a * b),
  'multiplyExact(JI)J': (machine, a: bigint, b: number) => exactLong(machine, a * BigInt(b)),
  'multiplyExact(JJ)J': (machine, a: bigint, b: bigint) => exactLong(machine, a * b),
  'incrementExact(I)I': (machine, a: number) => exactInt(machine, a + 1),
  'incrementExact(J)J': (machine, a: bigint) => exactLong(machine, a + 1n),
  'decrementExact(I)I': (machine, a: number) => exactInt(machine, a - 1),
  'decrementExact(J)J': (machine, a: bigint) => exactLong(machine, a - 1n),
  'negateExact(I)I': (machine, a: number) => exactInt(machine, -a) | 0,
  'negateExact(J)J': (machine, a: bigint) => exactLong(machine, -a),
  'toIntExact(J)I': (machine, a: bigint) => exactInt(machine, Number(a)),
  'floorDiv(II)I': (machine, a: number, b: number) => {
    nonZero(machine, b);
    return Math.floor(a / b) | 0;
  },
  'floorDiv(JJ)J': (machine, a: bigint, b: bigint) => {
    nonZero(machine, b);
    return floorDivideLong(a, b);
  },
  'floorDiv(JI)J': (machine, a: bigint, b: number) => {
    nonZero(machine, b);
    return floorDivideLong(a, BigInt(b));
  },
  'floorMod(II)I': (machine, a: number, b: number) => {
    nonZero(machine, b);
    return (a - Math.floor(a / b) * b) | 0;
  },
  'floorMod(JJ)J': (machine, a: bigint, b: bigint) => {
    nonZero(machine, b);
    return floorModLong(a, b);
  },
  'floorMod(JI)I': (machine, a: bigint, b: number) => {
    nonZero(machine, b);
    return Number(floorModLong(a, BigInt(b)));
  },
  'multiplyHigh(JJ)J': (_machine, a: bigint, b: bigint) => (a * b) >> 64n,
  'multiplyFull(II)J': (_machine, a: number, b: number) => BigInt(a) * BigInt(b),
  'clamp(JII)I': (_machine, value: bigint, low: number, high: number) =>
    Number(value < BigInt(low) ? BigInt(low) : value > BigInt(high) ? BigInt(high) : value),
};

const model: ModelClass = {
  pureStatic: functions,
  staticMethods: {
    'random()D': (machine) => nextDouble(machine.state('java.math-random', () => seededRandom(0x5deece66dn))),
  },
  constants: { 'PI:D': Math.PI, 'E:D': Math.E },
};

export const mathModels: Record<string, ModelClass> = { 'Ljava/lang/Math;': model, 'Ljava/lang/StrictMath;': model };
