// Java's operations on numbers: signs, complements, conversions between types, and those on two. Knows nothing else.
//
// https://docs.oracle.com/javase/specs/jls/se17/html/jls-5.html#jls-5.1.3

function toInt(value: number): number {
  if (value >= 2147483647) return 2147483647;
  if (value <= -2147483648) return -2147483648;
  return value | 0;
}

function toLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return 9223372036854775807n;
  if (value <= -(2 ** 63)) return -9223372036854775808n;
  return BigInt(Math.trunc(value));
}

/** Rounded once: by way of a double it would be rounded twice. */
function longToFloat(value: bigint): number {
  if (value <= 9007199254740992n && value >= -9007199254740992n) return Math.fround(Number(value));
  const magnitude = value < 0n ? -value : value;
  const sticky = (magnitude & 0xfffn) === 0n ? 0n : 0x1000n;
  const rounded = Math.fround(Number((magnitude & ~0xfffn) | sticky));
  return value < 0n ? -rounded : rounded;
}

/**
 * The result of an instruction from `neg-int` (0x7b) to `int-to-short` (0x8f).
 * @param value a bigint for those that read a long
 */
// biome-ignore lint/suspicious/noExplicitAny: registers hold what the verified code says they do
export function converted(operation: number, value: any): number | bigint {
  switch (operation) {
    case 0x7b: // neg-int
      return -value | 0;
    case 0x7c: // not-int
      return ~value;
    case 0x7d: // neg-long
      return BigInt.asIntN(64, -(value as bigint));
    case 0x7e: // not-long
      return BigInt.asIntN(64, ~(value as bigint));
    case 0x7f: // neg-float
    case 0x80: // neg-double
      return -value;
    case 0x81: // int-to-long
      return BigInt(value);
    case 0x82: // int-to-float
    case 0x8c: // double-to-float
      return Math.fround(value);
    case 0x83: // int-to-double
    case 0x89: // float-to-double
      return value;
    case 0x84: // long-to-int
      return Number(BigInt.asIntN(32, value));
    case 0x85: // long-to-float
      return longToFloat(value);
    case 0x86: // long-to-double
      return Number(value);
    case 0x87: // float-to-int
    case 0x8a: // double-to-int
      return toInt(value);
    case 0x88: // float-to-long
    case 0x8b: // double-to-long
      return toLong(value);
    case 0x8d: // int-to-byte
      return (value << 24) >> 24;
    case 0x8e: // int-to-char
      return value & 0xffff;
    default: // int-to-short
      return (value << 16) >> 16;
  }
}

const longShift = 63n;

/** The result of an instruction from `add-int` (0x90) to `ushr-int` (0x9a). What is divided by is not 0. */
export function ofInts(operation: number, left: number, right: number): number {
  switch (operation) {
    case 0x90: // add-int
      return (left + right) | 0;
    case 0x91: // sub-int
      return (left - right) | 0;
    case 0x92: // mul-int
      return Math.imul(left, right);
    case 0x93: // div-int
      return (left / right) | 0;
    case 0x94: // rem-int
      return (left % right) | 0;
    case 0x95: // and-int
      return left & right;
    case 0x96: // or-int
      return left | right;
    case 0x97: // xor-int
      return left ^ right;
    case 0x98: // shl-int
      return left << right;
    case 0x99: // shr-int
      return left >> right;
    default: // ushr-int
      return (left >>> right) | 0;
  }
}

/**
 * The result of an instruction from `add-long` (0x9b) to `ushr-long` (0xa5). What is divided by is not 0.
 * @param right an int for shifts
 */
export function ofLongs(operation: number, left: bigint, right: bigint | number): bigint {
  switch (operation) {
    case 0x9b: // add-long
      return BigInt.asIntN(64, left + (right as bigint));
    case 0x9c: // sub-long
      return BigInt.asIntN(64, left - (right as bigint));
    case 0x9d: // mul-long
      return BigInt.asIntN(64, left * (right as bigint));
    case 0x9e: // div-long
      return BigInt.asIntN(64, left / (right as bigint));
    case 0x9f: // rem-long
      return BigInt.asIntN(64, left % (right as bigint));
    case 0xa0: // and-long
      return BigInt.asIntN(64, left & (right as bigint));
    case 0xa1: // or-long
      return BigInt.asIntN(64, left | (right as bigint));
    case 0xa2: // xor-long
      return BigInt.asIntN(64, left ^ (right as bigint));
    case 0xa3: // shl-long
      return BigInt.asIntN(64, left << (BigInt(right) & longShift));
    case 0xa4: // shr-long
      return BigInt.asIntN(64, left >> (BigInt(right) & longShift));
    default: // ushr-long
      return BigInt.asIntN(64, BigInt.asUintN(64, left) >> (BigInt(right) & longShift));
  }
}

/** The result of an instruction from `add-float` (0xa6) to `rem-double` (0xaf). */
export function ofFloats(operation: number, left: number, right: number): number {
  switch (operation) {
    case 0xa6: // add-float
      return Math.fround(left + right);
    case 0xa7: // sub-float
      return Math.fround(left - right);
    case 0xa8: // mul-float
      return Math.fround(left * right);
    case 0xa9: // div-float
      return Math.fround(left / right);
    case 0xaa: // rem-float
      return Math.fround(left % right);
    case 0xab: // add-double
      return left + right;
    case 0xac: // sub-double
      return left - right;
    case 0xad: // mul-double
      return left * right;
    case 0xae: // div-double
      return left / right;
    default: // rem-double
      return left % right;
  }
}
