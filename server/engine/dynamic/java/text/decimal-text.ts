// Decimal digits of numbers, rounded as Java's formatters do. Knows no patterns.

/** Shortest digits of a finite number without its sign: value = 0.d1d2d3… × 10^point. */
export interface DecimalDigits {
  digits: string;
  point: number;
}

export function shortestDigits(value: number): DecimalDigits {
  if (value === 0) return { digits: '', point: 0 };
  const [mantissa, exponent] = Math.abs(value).toExponential().split('e') as [string, string];
  return { digits: mantissa.replace('.', ''), point: Number(exponent) + 1 };
}

/** All digits of a finite number as it stands in binary: what decides a tie. */
export function exactDigits(value: number): DecimalDigits {
  let number = Math.abs(value);
  let scale = 0;
  for (; !Number.isInteger(number); scale++) number *= 2;
  const digits = (BigInt(number) * 5n ** BigInt(scale)).toString();
  return number === 0 ? { digits: '', point: 0 } : { digits, point: digits.length - scale };
}

/** Rounds to `places` after the decimal point; half up, or half to even. */
export function roundDigits(number: DecimalDigits, places: number, isHalfEven: boolean): DecimalDigits {
  const kept = number.point + places;
  if (kept >= number.digits.length) return number;
  if (kept < 0) return { digits: '', point: number.point };
  const next = number.digits.charCodeAt(kept) - 48;
  const isTie = next === 5 && /^0*$/.test(number.digits.slice(kept + 1));
  const lastIsOdd = kept > 0 && (number.digits.charCodeAt(kept - 1) - 48) % 2 === 1;
  const isUp = isHalfEven && isTie ? lastIsOdd : next >= 5;
  const head = number.digits.slice(0, kept);
  if (!isUp) return { digits: head, point: number.point };
  const raised = (BigInt(head || '0') + 1n).toString().padStart(head.length, '0');
  return { digits: raised, point: number.point + (raised.length - head.length) };
}

/** `123.450`: exactly `places` after the point. */
export function plainDigits(number: DecimalDigits, places: number): string {
  const { digits, point } = number;
  const whole = point <= 0 ? '0' : digits.slice(0, point).padEnd(point, '0');
  const fraction = (point < 0 ? '0'.repeat(Math.min(-point, places)) + digits : digits.slice(Math.max(0, point)))
    .slice(0, places)
    .padEnd(places, '0');
  return places > 0 ? `${whole}.${fraction}` : whole;
}

/** Puts a separator between each three digits of a whole number. */
export function grouped(whole: string, separator: string, size = 3): string {
  if (size <= 0) return whole;
  let result = '';
  for (let end = whole.length; end > 0; end -= size) {
    const part = whole.slice(Math.max(0, end - size), end);
    result = result === '' ? part : part + separator + result;
  }
  return result;
}
