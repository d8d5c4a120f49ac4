// java.math.BigDecimal, exact. Knows BigInteger's representation, a bigint in `native`.
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { enumModel, enumOrdinal } from '../lang/enum.ts';
import { doubleText } from '../lang/number-text.ts';
import type { DecimalDigits } from '../text/decimal-text.ts';
import { instance, made, type Reference, required, textOf } from '../values.ts';

/** value = unscaled × 10^-scale */
export interface Decimal {
  readonly unscaled: bigint;
  readonly scale: number;
}

/** Largest exponent taken: `1e999999999` would not fit a phone either. */
const MAXIMUM_SCALE = 100_000;

const DECIMAL = 'Ljava/math/BigDecimal;';
const BIG = 'Ljava/math/BigInteger;';

function arithmetic(machine: Machine, message: string) {
  return machine.exception('Ljava/lang/ArithmeticException;', message);
}

function decimalObject(machine: Machine, unscaled: bigint, scale: number): HeapObject {
  if (Math.abs(scale) > MAXIMUM_SCALE) throw arithmetic(machine, 'Overflow');
  return instance(machine, DECIMAL, { unscaled, scale } satisfies Decimal);
}

function of(machine: Machine, value: Reference): Decimal {
  return required(machine, value).native as Decimal;
}

const power = (exponent: number): bigint => 10n ** BigInt(exponent);
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const digitsIn = (value: bigint): number => absolute(value).toString().length;

function parseDecimal(text: string): Decimal | null {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,9}))?$/.exec(text);
  if (match === null || (match[2] ?? '') + (match[3] ?? '') === '') return null;
  const fraction = match[3] ?? '';
  const scale = fraction.length - Number(match[4] ?? 0);
  if (Math.abs(scale) > MAXIMUM_SCALE || text.length > 10_000) return null;
  const unscaled = BigInt(match[2] + fraction);
  return { unscaled: match[1] === '-' ? -unscaled : unscaled, scale };
}

function decimalText({ unscaled, scale }: Decimal, isPlain = false): string {
  const sign = unscaled < 0n ? '-' : '';
  const digits = absolute(unscaled).toString();
  if (scale === 0) return sign + digits;
  const adjusted = digits.length - 1 - scale;
  if (isPlain && scale < 0) return unscaled === 0n ? '0' : sign + digits + '0'.repeat(-scale);
  if (isPlain || (scale >= 0 && adjusted >= -6)) {
    const padded = digits.padStart(scale + 1, '0');
    return `${sign}${padded.slice(0, -scale)}.${padded.slice(-scale)}`;
  }
  const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits;
  return `${sign}${mantissa}${adjusted === 0 ? '' : `E${adjusted > 0 ? '+' : ''}${adjusted}`}`;
}

export function bigDecimalDigits(value: HeapObject): DecimalDigits & { isNegative: boolean } {
  const { unscaled, scale } = value.native as Decimal;
  const digits = absolute(unscaled).toString();
  return {
    digits: unscaled === 0n ? '' : digits,
    point: unscaled === 0n ? 0 : digits.length - scale,
    isNegative: unscaled < 0n,
  };
}

const ROUNDING = ['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_DOWN', 'HALF_EVEN', 'UNNECESSARY'];

/** Divides with one of the rounding modes, by number. */
function divideRounded(machine: Machine, dividend: bigint, divisor: bigint, mode: number): bigint {
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  if (rest === 0n) return quotient;
  const isNegative = dividend < 0n !== divisor < 0n;
  const half = absolute(rest) * 2n - absolute(divisor);
  let isAway: boolean;
  switch (ROUNDING[mode]) {
    case 'UP':
      isAway = true;
      break;
    case 'DOWN':
      isAway = false;
      break;
    case 'CEILING':
      isAway = !isNegative;
      break;
    case 'FLOOR':
      isAway = isNegative;
      break;
    case 'HALF_UP':
      isAway = half >= 0n;
      break;
    case 'HALF_DOWN':
      isAway = half > 0n;
      break;
    case 'HALF_EVEN':
      isAway = half > 0n || (half === 0n && quotient % 2n !== 0n);
      break;
    default:
      throw arithmetic(machine, 'Rounding necessary');
  }
  return isAway ? quotient + (isNegative ? -1n : 1n) : quotient;
}

function rescale(machine: Machine, { unscaled, scale }: Decimal, wanted: number, mode: number): Decimal {
  if (Math.abs(wanted) > MAXIMUM_SCALE) throw arithmetic(machine, 'Overflow');
  if (wanted >= scale) return { unscaled: unscaled * power(wanted - scale), scale: wanted };
  return { unscaled: divideRounded(machine, unscaled, power(scale - wanted), mode), scale: wanted };
}

function aligned(a: Decimal, b: Decimal): [bigint, bigint, number] {
  const scale = Math.max(a.scale, b.scale);
  return [a.unscaled * power(scale - a.scale), b.unscaled * power(scale - b.scale), scale];
}

function compare(a: Decimal, b: Decimal): number {
  const [left, right] = aligned(a, b);
  return left < right ? -1 : left > right ? 1 : 0;
}

function make(machine: Machine, decimal: Decimal): HeapObject {
  return decimalObject(machine, decimal.unscaled, decimal.scale);
}

function add(machine: Machine, a: Decimal, b: Decimal, sign: bigint): HeapObject {
  const [left, right, scale] = aligned(a, b);
  return decimalObject(machine, left + sign * right, scale);
}

function divideTo(machine: Machine, a: Decimal, b: Decimal, scale: number, mode: number): HeapObject {
  if (b.unscaled === 0n) throw arithmetic(machine, a.unscaled === 0n ? 'Division undefined' : 'Division by zero');
  const shift = scale + b.scale - a.scale;
  const dividend = shift >= 0 ? a.unscaled * power(shift) : a.unscaled;
  const divisor = shift >= 0 ? b.unscaled : b.unscaled * power(-shift);
  return decimalObject(machine, divideRounded(machine, dividend, divisor, mode), scale);
}

/** Exact division; ArithmeticException where the expansion does not terminate. */
function divideExactly(machine: Machine, a: Decimal, b: Decimal): HeapObject {
  if (b.unscaled === 0n) throw arithmetic(machine, a.unscaled === 0n ? 'Division undefined' : 'Division by zero');
  const preferred = a.scale - b.scale;
  if (a.unscaled === 0n) return decimalObject(machine, 0n, Math.max(-MAXIMUM_SCALE, preferred));
  // A terminating expansion has at most as many digits as the divisor has bits.
  const extra = Math.ceil(absolute(b.unscaled).toString(2).length) + 1;
  const dividend = a.unscaled * power(extra);
  if (dividend % b.unscaled !== 0n) {
    throw arithmetic(machine, 'Non-terminating decimal expansion; no exact representable decimal result.');
  }
  return make(machine, stripped({ unscaled: dividend / b.unscaled, scale: preferred + extra }, preferred));
}

/** Takes zeros off the end down to a scale. */
function stripped({ unscaled, scale }: Decimal, preferred: number): Decimal {
  let [value, places] = [unscaled, scale];
  while (places > preferred && value % 10n === 0n) {
    value /= 10n;
    places--;
  }
  return { unscaled: value, scale: places };
}

/** The whole part of a quotient, at the scale nearest to the preferred one. */
function integralQuotient(machine: Machine, a: Decimal, b: Decimal): Decimal {
  const [left, right] = aligned(a, b);
  if (right === 0n) throw arithmetic(machine, 'Division by zero');
  const preferred = a.scale - b.scale;
  const unscaled = left / right;
  if (unscaled === 0n) return { unscaled, scale: preferred };
  return preferred >= 0
    ? { unscaled: unscaled * power(preferred), scale: preferred }
    : stripped({ unscaled, scale: 0 }, preferred);
}

interface MathContext {
  readonly precision: number;
  readonly mode: number;
}

function toPrecision(machine: Machine, decimal: Decimal, context: Reference): Decimal {
  const { precision, mode } = required(machine, context).native as MathContext;
  let result = decimal;
  while (precision > 0 && digitsIn(result.unscaled) > precision) {
    result = rescale(machine, result, result.scale - (digitsIn(result.unscaled) - precision), mode);
  }
  return result;
}

function exactDouble(machine: Machine, value: number): Decimal {
  if (!Number.isFinite(value)) throw machine.exception('Ljava/lang/NumberFormatException;', 'Infinite or NaN');
  let scale = 0;
  let number = value;
  while (!Number.isInteger(number)) {
    number *= 2;
    scale++;
  }
  return { unscaled: BigInt(number) * 5n ** BigInt(scale), scale };
}

function fromText(machine: Machine, text: string): Decimal {
  const decimal = parseDecimal(text);
  if (decimal === null) throw machine.exception('Ljava/lang/NumberFormatException;', text);
  return decimal;
}

const integral = ({ unscaled, scale }: Decimal): bigint =>
  scale <= 0 ? unscaled * power(-scale) : unscaled / power(scale);
const modeOf = (mode: Reference): number => (mode === null ? 4 : enumOrdinal(mode));
const D = DECIMAL;

const methods: NativeMethods = {
  [`add(${D})${D}`]: (m, a, b: Reference) => add(m, of(m, a), of(m, b), 1n),
  [`add(${D}Ljava/math/MathContext;)${D}`]: (m, a, b: Reference, context: Reference) =>
    make(m, toPrecision(m, of(m, add(m, of(m, a), of(m, b), 1n)), context)),
  [`subtract(${D})${D}`]: (m, a, b: Reference) => add(m, of(m, a), of(m, b), -1n),
  [`multiply(${D})${D}`]: (m, a, b: Reference) =>
    decimalObject(m, of(m, a).unscaled * of(m, b).unscaled, of(m, a).scale + of(m, b).scale),
  [`multiply(${D}Ljava/math/MathContext;)${D}`]: (m, a, b: Reference, context: Reference) => {
    const product = { unscaled: of(m, a).unscaled * of(m, b).unscaled, scale: of(m, a).scale + of(m, b).scale };
    return make(m, toPrecision(m, product, context));
  },
  [`divide(${D})${D}`]: (m, a, b: Reference) => divideExactly(m, of(m, a), of(m, b)),
  [`divide(${D}II)${D}`]: (m, a, b: Reference, scale: number, mode: number) =>
    divideTo(m, of(m, a), of(m, b), scale, mode),
  [`divide(${D}I)${D}`]: (m, a, b: Reference, mode: number) => divideTo(m, of(m, a), of(m, b), of(m, a).scale, mode),
  [`divide(${D}ILjava/math/RoundingMode;)${D}`]: (m, a, b: Reference, scale: number, mode: Reference) =>
    divideTo(m, of(m, a), of(m, b), scale, modeOf(mode)),
  [`divide(${D}Ljava/math/RoundingMode;)${D}`]: (m, a, b: Reference, mode: Reference) =>
    divideTo(m, of(m, a), of(m, b), of(m, a).scale, modeOf(mode)),
  [`divide(${D}!Ljava/math/MathContext;)${D}`]: (m, a, b: Reference, context: HeapObject) => {
    const { precision, mode } = context.native as MathContext;
    if (precision === 0) return divideExactly(m, of(m, a), of(m, b));
    const left = of(m, a);
    const right = of(m, b);
    const scale = precision + 3 + digitsIn(right.unscaled) - digitsIn(left.unscaled) + left.scale - right.scale;
    const exact = of(m, divideTo(m, left, right, scale, mode));
    return make(m, stripped(toPrecision(m, exact, context), left.scale - right.scale));
  },
  [`divideToIntegralValue(${D})${D}`]: (m, a, b: Reference) => {
    return make(m, integralQuotient(m, of(m, a), of(m, b)));
  },
  [`remainder(${D})${D}`]: (m, a, b: Reference) => {
    const quotient = integralQuotient(m, of(m, a), of(m, b));
    const product = { unscaled: quotient.unscaled * of(m, b).unscaled, scale: quotient.scale + of(m, b).scale };
    return add(m, of(m, a), product, -1n);
  },
  [`negate()${D}`]: (m, a) => decimalObject(m, -of(m, a).unscaled, of(m, a).scale),
  [`abs()${D}`]: (m, a) => decimalObject(m, absolute(of(m, a).unscaled), of(m, a).scale),
  [`plus()${D}`]: (_m, a) => a,
  [`pow(I)${D}`]: (m, a, exponent: number) => {
    if (exponent < 0 || exponent > 10_000) throw arithmetic(m, 'Invalid operation');
    return decimalObject(m, of(m, a).unscaled ** BigInt(exponent), of(m, a).scale * exponent);
  },
  [`round(Ljava/math/MathContext;)${D}`]: (m, a, context: Reference) => make(m, toPrecision(m, of(m, a), context)),
  [`setScale(I)${D}`]: (m, a, scale: number) => make(m, rescale(m, of(m, a), scale, 7)),
  [`setScale(II)${D}`]: (m, a, scale: number, mode: number) => make(m, rescale(m, of(m, a), scale, mode)),
  [`setScale(ILjava/math/RoundingMode;)${D}`]: (m, a, scale: number, mode: Reference) =>
    make(m, rescale(m, of(m, a), scale, modeOf(mode))),
  [`movePointLeft(I)${D}`]: (m, a, places: number) =>
    make(m, rescaleUp({ unscaled: of(m, a).unscaled, scale: of(m, a).scale + places })),
  [`movePointRight(I)${D}`]: (m, a, places: number) =>
    make(m, rescaleUp({ unscaled: of(m, a).unscaled, scale: of(m, a).scale - places })),
  [`scaleByPowerOfTen(I)${D}`]: (m, a, places: number) => decimalObject(m, of(m, a).unscaled, of(m, a).scale - places),
  [`stripTrailingZeros()${D}`]: (m, a) =>
    of(m, a).unscaled === 0n ? decimalObject(m, 0n, 0) : make(m, stripped(of(m, a), -MAXIMUM_SCALE)),
  [`max(${D})${D}`]: (m, a, b: Reference) => (compare(of(m, a), of(m, b)) >= 0 ? a : b),
  [`min(${D})${D}`]: (m, a, b: Reference) => (compare(of(m, a), of(m, b)) <= 0 ? a : b),
  [`compareTo(${D})I`]: (m, a, b: Reference) => compare(of(m, a), of(m, b)),
  'compareTo(Ljava/lang/Object;)I': (m, a, b: Reference) => compare(of(m, a), of(m, b)),
  'equals(Ljava/lang/Object;)Z': (m, a, b: Reference) =>
    b?.cls.descriptor === D && of(m, a).scale === of(m, b).scale && of(m, a).unscaled === of(m, b).unscaled,
  'hashCode()I': (m, a) => {
    const { unscaled, scale } = of(m, a);
    if (BigInt.asIntN(64, unscaled) !== unscaled) return Number(BigInt.asIntN(32, unscaled * 31n)) + scale;
    const positive = absolute(unscaled);
    const hash = (Number(BigInt.asIntN(32, positive >> 32n)) * 31 + Number(positive & 0xffffffffn)) | 0;
    return (Math.imul(31, unscaled < 0n ? -hash : hash) + scale) | 0;
  },
  'signum()I': (m, a) => Number(of(m, a).unscaled > 0n) - Number(of(m, a).unscaled < 0n),
  'scale()I': (m, a) => of(m, a).scale,
  'precision()I': (m, a) => digitsIn(of(m, a).unscaled),
  [`unscaledValue()${BIG}`]: (m, a) => instance(m, BIG, of(m, a).unscaled),
  [`toBigInteger()${BIG}`]: (m, a) => instance(m, BIG, integral(of(m, a))),
  'toString()Ljava/lang/String;': (m, a) => m.string(decimalText(of(m, a))),
  'toPlainString()Ljava/lang/String;': (m, a) => m.string(decimalText(of(m, a), true)),
  'toEngineeringString()Ljava/lang/String;': (m, a) => m.string(decimalText(of(m, a))),
  'intValue()I': (m, a) => Number(BigInt.asIntN(32, integral(of(m, a)))),
  'longValue()J': (m, a) => BigInt.asIntN(64, integral(of(m, a))),
  'doubleValue()D': (m, a) => Number(decimalText(of(m, a))),
  'floatValue()F': (m, a) => Math.fround(Number(decimalText(of(m, a)))),
  'intValueExact()I': (m, a) => {
    const value = of(m, rescaleObject(m, a));
    if (BigInt.asIntN(32, value.unscaled) !== value.unscaled) throw arithmetic(m, 'Overflow');
    return Number(value.unscaled);
  },
  'longValueExact()J': (m, a) => of(m, rescaleObject(m, a)).unscaled,
};

function rescaleObject(machine: Machine, value: Reference): HeapObject {
  return make(machine, rescale(machine, of(machine, value), 0, 7));
}

/** movePoint never leaves a negative scale. */
function rescaleUp({ unscaled, scale }: Decimal): Decimal {
  return scale >= 0 ? { unscaled, scale } : { unscaled: unscaled * power(Math.min(-scale, MAXIMUM_SCALE)), scale: 0 };
}

function begin(machine: Machine, self: HeapObject, decimal: Decimal, source?: Reference): undefined {
  self.native = decimal;
  self.taint = source?.taint ?? machine.argumentTaint(1);
}

const constant = (value: bigint) => (machine: Machine) => decimalObject(machine, value, 0);
const context = (precision: number, mode: number) => (machine: Machine) =>
  instance(machine, 'Ljava/math/MathContext;', { precision, mode } satisfies MathContext);

export const decimalModels: Record<string, ModelClass> = {
  [DECIMAL]: {
    extends: 'Ljava/lang/Number;',
    implements: ['Ljava/lang/Comparable;'],
    methods: {
      '<init>(Ljava/lang/String;)V': (m, self, text: Reference) => begin(m, self, fromText(m, textOf(m, text)), text),
      '<init>(D)V': (m, self, value: number) => begin(m, self, exactDouble(m, value)),
      '<init>(I)V': (m, self, value: number) => begin(m, self, { unscaled: BigInt(value), scale: 0 }),
      '<init>(J)V': (m, self, value: bigint) => begin(m, self, { unscaled: value, scale: 0 }),
      [`<init>(!${BIG})V`]: (m, self, value: HeapObject) =>
        begin(m, self, { unscaled: value.native as bigint, scale: 0 }, value),
      [`<init>(!${BIG}I)V`]: (m, self, value: HeapObject, scale: number) =>
        begin(m, self, { unscaled: value.native as bigint, scale }, value),
    },
    pure: methods,
    pureStatic: {
      [`valueOf(J)${D}`]: (m, value: bigint) => decimalObject(m, value, 0),
      [`valueOf(JI)${D}`]: (m, value: bigint, scale: number) => decimalObject(m, value, scale),
      [`valueOf(D)${D}`]: (m, value: number) => make(m, fromText(m, doubleText(value))),
    },
    constants: {
      [`ZERO:${D}`]: constant(0n),
      [`ONE:${D}`]: constant(1n),
      [`TEN:${D}`]: constant(10n),
      ...Object.fromEntries(ROUNDING.map((name, mode) => [`ROUND_${name}:I`, mode])),
    },
  },
  'Ljava/math/RoundingMode;': enumModel('Ljava/math/RoundingMode;', ROUNDING),
  'Ljava/math/MathContext;': {
    methods: {
      '<init>(I)V': made((_m, precision: number) => ({ precision, mode: 4 }) satisfies MathContext),
      '<init>(ILjava/math/RoundingMode;)V': made(
        (_m, precision: number, mode: Reference) => ({ precision, mode: modeOf(mode) }) satisfies MathContext,
      ),
      'getPrecision()I': (_m, self) => (self.native as MathContext).precision,
    },
    constants: {
      'UNLIMITED:Ljava/math/MathContext;': context(0, 4),
      'DECIMAL32:Ljava/math/MathContext;': context(7, 6),
      'DECIMAL64:Ljava/math/MathContext;': context(16, 6),
      'DECIMAL128:Ljava/math/MathContext;': context(34, 6),
    },
  },
};
