// Conversions between Java's number types where JavaScript's own differ. Knows nothing else.
//
// https://docs.oracle.com/javase/specs/jls/se17/html/jls-5.html#jls-5.1.3

export function toInt(value: number): number {
  if (value >= 2147483647) return 2147483647;
  if (value <= -2147483648) return -2147483648;
  return value | 0;
}

export function toLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n;
  if (value >= 2 ** 63) return 9223372036854775807n;
  if (value <= -(2 ** 63)) return -9223372036854775808n;
  return BigInt(Math.trunc(value));
}

/** Rounded once: by way of a double it would be rounded twice. */
export function longToFloat(value: bigint): number {
  if (value <= 9007199254740992n && value >= -9007199254740992n) return Math.fround(Number(value));
  const magnitude = value < 0n ? -value : value;
  const sticky = (magnitude & 0xfffn) === 0n ? 0n : 0x1000n;
  const rounded = Math.fround(Number((magnitude & ~0xfffn) | sticky));
  return value < 0n ? -rounded : rounded;
}
