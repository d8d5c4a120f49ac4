// How Java writes and reads numbers as text. Knows no objects.

/** `Double.toString`. https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/lang/Double.html#toString(double) */
export function doubleText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (value === Infinity) return 'Infinity';
  if (value === -Infinity) return '-Infinity';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const shortest = value.toExponential();
  // Java takes the nearest of two digits where one would do: 4.9E-324.
  return decimalText(value, /^-?\de/.test(shortest) ? value.toExponential(1).replace('.0e', 'e') : shortest);
}

/** `Float.toString` of a number that `Math.fround` rounded. */
export function floatText(value: number): string {
  if (Number.isNaN(value) || !Number.isFinite(value) || value === 0) return doubleText(value);
  let digits = value.toExponential(0);
  for (let precision = 1; precision <= 9 && Math.fround(Number(digits)) !== value; precision++) {
    digits = value.toExponential(precision);
  }
  return decimalText(value, digits);
}

/** Java's layout of shortest digits: plain from 1e-3 to 1e7, else `1.0E10`. */
function decimalText(value: number, exponential: string): string {
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(exponential)!;
  const sign = match[1]!;
  const digits = match[2]! + (match[3] ?? '');
  const exponent = Number(match[4]);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e-3 && magnitude < 1e7) {
    if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`;
    const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
    return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`;
  }
  return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`;
}

/** `Double.parseDouble`: null where Java throws NumberFormatException. */
export function parseDoubleText(text: string): number | null {
  const trimmed = text.trim();
  const match = /^([+-]?)(?:(NaN)|(Infinity)|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)[fFdD]?)$/.exec(trimmed);
  if (match === null) return parseHexDouble(trimmed);
  const sign = match[1] === '-' ? -1 : 1;
  if (match[2] !== undefined) return Number.NaN;
  if (match[3] !== undefined) return sign * Infinity;
  return sign * Number(match[4]);
}

function parseHexDouble(text: string): number | null {
  const match = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d{1,9})[fFdD]?$/.exec(text);
  if (match === null || match[2]!.length + match[3]!.length === 0) return null;
  const mantissa = Number(`0x${match[2]}${match[3]}`);
  return (match[1] === '-' ? -1 : 1) * mantissa * 2 ** (Number(match[4]) - 4 * match[3]!.length);
}

/** Digits in a radix as Java accepts them, with sign; null where it throws NumberFormatException. */
export function parseIntegerText(text: string, radix: number): bigint | null {
  if (text.length === 0 || text.length > 300 || radix < 2 || radix > 36) return null;
  let index = 0;
  let isNegative = false;
  if (text[0] === '-' || text[0] === '+') {
    isNegative = text[0] === '-';
    index = 1;
    if (text.length === 1) return null;
  }
  let value = 0n;
  const base = BigInt(radix);
  for (; index < text.length; index++) {
    const digit = digitOf(text.charCodeAt(index), radix);
    if (digit < 0) return null;
    value = value * base + BigInt(digit);
  }
  return isNegative ? -value : value;
}

/** `Character.digit`. */
export function digitOf(codePoint: number, radix: number): number {
  let value = -1;
  if (codePoint >= 48 && codePoint <= 57) value = codePoint - 48;
  else if (codePoint >= 97 && codePoint <= 122) value = codePoint - 87;
  else if (codePoint >= 65 && codePoint <= 90) value = codePoint - 55;
  else if (codePoint >= 0xff10 && codePoint <= 0xff19) value = codePoint - 0xff10;
  else if (codePoint >= 0xff21 && codePoint <= 0xff3a) value = codePoint - 0xff21 + 10;
  else if (codePoint >= 0xff41 && codePoint <= 0xff5a) value = codePoint - 0xff41 + 10;
  else if (codePoint > 127 && /^\p{Nd}$/u.test(String.fromCodePoint(codePoint))) value = unicodeDigit(codePoint);
  return value < radix ? value : -1;
}

/** Unicode's decimal digits stand in runs of ten, each starting at a digit zero. */
function unicodeDigit(codePoint: number): number {
  let zero = codePoint;
  while (codePoint - zero < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) zero--;
  return codePoint - zero;
}

/** The parsed number within [minimum, maximum], or null. */
export function parseBounded(text: string | null, radix: number, minimum: bigint, maximum: bigint): bigint | null {
  if (text === null) return null;
  const value = parseIntegerText(text, radix);
  return value !== null && value >= minimum && value <= maximum ? value : null;
}

/** `Integer.decode`: `0x`, `#` and `0` before the digits. */
export function decodeIntegerText(text: string): bigint | null {
  const match = /^([+-]?)(0[xX]|#|0(?=.))?(.+)$/s.exec(text);
  if (match === null || /^[+-]/.test(match[3]!)) return null;
  const radix = match[2] === undefined ? 10 : match[2] === '0' ? 8 : 16;
  return parseIntegerText(match[1]! + match[3]!, radix);
}

const scratch = new DataView(new ArrayBuffer(8));

export function doubleBits(value: number): bigint {
  if (Number.isNaN(value)) return 0x7ff8000000000000n;
  scratch.setFloat64(0, value);
  return scratch.getBigInt64(0);
}

export function bitsDouble(bits: bigint): number {
  scratch.setBigInt64(0, bits);
  return scratch.getFloat64(0);
}

export function floatBits(value: number): number {
  if (Number.isNaN(value)) return 0x7fc00000;
  scratch.setFloat32(0, value);
  return scratch.getInt32(0);
}

export function bitsFloat(bits: number): number {
  scratch.setInt32(0, bits);
  return scratch.getFloat32(0);
}

/** `Long.hashCode`. */
export function longHash(value: bigint): number {
  return Number(BigInt.asIntN(32, value ^ (BigInt.asUintN(64, value) >> 32n)));
}

/** `String.hashCode`. */
export function stringHash(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(31, hash) + text.charCodeAt(index)) | 0;
  return hash;
}

/** Java's `(int) double`. */
export function doubleToInt(value: number): number {
  if (Number.isNaN(value)) return 0;
  if (value >= 2147483647) return 2147483647;
  if (value <= -2147483648) return -2147483648;
  return Math.trunc(value) | 0;
}

/** Java's `(long) double`. */
export function doubleToLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return 9223372036854775807n;
  if (value <= -(2 ** 63)) return -9223372036854775808n;
  return BigInt(Math.trunc(value));
}
