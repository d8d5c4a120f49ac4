// java.math.BigInteger: a bigint in `native`. Knows no decimals.
import type { HeapObject, JavaArray } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { numberFormat } from '../lang/integer-boxes.ts';
import { parseIntegerText } from '../lang/number-text.ts';
import { nextBits, type RandomState } from '../util/random.ts';
import { arrayTaint, bytesOf, instance, made, objectTaint, type Reference, required, textOf } from '../values.ts';

const B = 'Ljava/math/BigInteger;';
/** Bits of the largest number: beyond, Java's own would be slow for minutes. */
const MAXIMUM_BITS = 1 << 20;

const of = (machine: Machine, value: Reference): bigint => required(machine, value).native as bigint;

function arithmetic(machine: Machine, message: string) {
  return machine.exception('Ljava/lang/ArithmeticException;', message);
}

function make(machine: Machine, value: bigint): HeapObject {
  return instance(machine, B, value);
}

function big(machine: Machine, bits: number): number {
  if (bits > MAXIMUM_BITS) throw arithmetic(machine, 'BigInteger would overflow supported range');
  return bits;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
const bitLength = (value: bigint): number => (value < 0n ? ~value : value).toString(2).replace(/^0$/, '').length;

/** Two's complement, most significant byte first, as short as it goes. */
function toBytes(value: bigint): Uint8Array {
  const length = Math.floor(bitLength(value) / 8) + 1;
  return Buffer.from(
    BigInt.asUintN(length * 8, value)
      .toString(16)
      .padStart(length * 2, '0'),
    'hex',
  );
}

function fromBytes(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n % modulus;
  let factor = ((base % modulus) + modulus) % modulus;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * factor) % modulus;
    factor = (factor * factor) % modulus;
  }
  return result;
}

function inverse(machine: Machine, value: bigint, modulus: bigint): bigint {
  let [a, b] = [((value % modulus) + modulus) % modulus, modulus];
  let [x, y] = [1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b] = [b, a - quotient * b];
    [x, y] = [y, x - quotient * y];
  }
  if (a !== 1n) throw arithmetic(machine, 'BigInteger not invertible.');
  return ((x % modulus) + modulus) % modulus;
}

const divisor = (a: bigint, b: bigint): bigint => {
  let [x, y] = [absolute(a), absolute(b)];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
};

function root(machine: Machine, value: bigint): bigint {
  if (value < 0n) throw arithmetic(machine, 'Negative BigInteger');
  if (value < 2n) return value;
  let guess = 1n << BigInt(Math.ceil(bitLength(value) / 2));
  for (;;) {
    const next = (guess + value / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** Miller and Rabin with the first primes: certain below 3.3e24, and far beyond chance above. */
export function isProbablePrime(value: bigint): boolean {
  if (value < 2n) return false;
  const primes = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n];
  for (const prime of primes) if (value % prime === 0n) return value === prime;
  let odd = value - 1n;
  let twos = 0;
  for (; (odd & 1n) === 0n; odd >>= 1n) twos++;
  return primes.every((base) => {
    let x = power(base, odd, value);
    if (x === 1n || x === value - 1n) return true;
    for (let turn = 1; turn < twos; turn++) {
      x = (x * x) % value;
      if (x === value - 1n) return true;
    }
    return false;
  });
}

function nextPrime(from: bigint): bigint {
  let candidate = from | 1n;
  while (!isProbablePrime(candidate)) candidate += 2n;
  return candidate;
}

/** Random bits by a Random object's own sequence. */
function randomBits(random: HeapObject, bits: number): bigint {
  const state = random.native as RandomState;
  let value = 0n;
  for (let have = 0; have < bits; have += 8) value = (value << 8n) | BigInt(nextBits(state, 8));
  return BigInt.asUintN(bits, value);
}

/** `BigInteger.hashCode`: over the magnitude's words. */
function hash(value: bigint): number {
  const hex = absolute(value).toString(16);
  const padded = hex.padStart(Math.ceil(hex.length / 8) * 8, '0');
  let result = 0;
  for (let at = 0; at < padded.length; at += 8) {
    result = (Math.imul(31, result) + Number.parseInt(padded.slice(at, at + 8), 16)) | 0;
  }
  return value < 0n ? -result | 0 : value === 0n ? 0 : result;
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

function nonZero(machine: Machine, value: bigint): bigint {
  if (value === 0n) throw arithmetic(machine, 'BigInteger divide by zero');
  return value;
}

function positive(machine: Machine, value: bigint): bigint {
  if (value <= 0n) throw arithmetic(machine, 'BigInteger: modulus not positive');
  return value;
}

const methods: NativeMethods = {
  [`add(${B})${B}`]: (m, a, b: Reference) => make(m, of(m, a) + of(m, b)),
  [`subtract(${B})${B}`]: (m, a, b: Reference) => make(m, of(m, a) - of(m, b)),
  [`multiply(${B})${B}`]: (m, a, b: Reference) => {
    big(m, bitLength(of(m, a)) + bitLength(of(m, b)));
    return make(m, of(m, a) * of(m, b));
  },
  [`divide(${B})${B}`]: (m, a, b: Reference) => make(m, of(m, a) / nonZero(m, of(m, b))),
  [`remainder(${B})${B}`]: (m, a, b: Reference) => make(m, of(m, a) % nonZero(m, of(m, b))),
  [`divideAndRemainder(${B})[${B}`]: (m, a, b: Reference) =>
    m.objectArray(B, [make(m, of(m, a) / nonZero(m, of(m, b))), make(m, of(m, a) % of(m, b))]),
  [`mod(${B})${B}`]: (m, a, b: Reference) => {
    const modulus = positive(m, of(m, b));
    return make(m, ((of(m, a) % modulus) + modulus) % modulus);
  },
  [`modPow(${B}${B})${B}`]: (m, a, e: Reference, n: Reference) => {
    const modulus = positive(m, of(m, n));
    const exponent = of(m, e);
    if (exponent >= 0n) return make(m, power(of(m, a), exponent, modulus));
    return make(m, power(inverse(m, of(m, a), modulus), -exponent, modulus));
  },
  [`modInverse(${B})${B}`]: (m, a, n: Reference) => make(m, inverse(m, of(m, a), positive(m, of(m, n)))),
  [`pow(I)${B}`]: (m, a, exponent: number) => {
    if (exponent < 0) throw arithmetic(m, 'Negative exponent');
    big(m, bitLength(of(m, a)) * exponent);
    return make(m, of(m, a) ** BigInt(exponent));
  },
  [`gcd(${B})${B}`]: (m, a, b: Reference) => make(m, divisor(of(m, a), of(m, b))),
  [`sqrt()${B}`]: (m, a) => make(m, root(m, of(m, a))),
  [`negate()${B}`]: (m, a) => make(m, -of(m, a)),
  [`abs()${B}`]: (m, a) => make(m, absolute(of(m, a))),
  [`and(${B})${B}`]: (m, a, b: Reference) => make(m, of(m, a) & of(m, b)),
  [`or(${B})${B}`]: (m, a, b: Reference) => make(m, of(m, a) | of(m, b)),
  [`xor(${B})${B}`]: (m, a, b: Reference) => make(m, of(m, a) ^ of(m, b)),
  [`andNot(${B})${B}`]: (m, a, b: Reference) => make(m, of(m, a) & ~of(m, b)),
  [`not()${B}`]: (m, a) => make(m, ~of(m, a)),
  [`shiftLeft(I)${B}`]: (m, a, n: number) => make(m, n >= 0 ? of(m, a) << BigInt(big(m, n)) : of(m, a) >> BigInt(-n)),
  [`shiftRight(I)${B}`]: (m, a, n: number) => make(m, n >= 0 ? of(m, a) >> BigInt(n) : of(m, a) << BigInt(big(m, -n))),
  'testBit(I)Z': (m, a, n: number) => ((of(m, a) >> BigInt(n)) & 1n) === 1n,
  [`setBit(I)${B}`]: (m, a, n: number) => make(m, of(m, a) | (1n << BigInt(big(m, n)))),
  [`clearBit(I)${B}`]: (m, a, n: number) => make(m, of(m, a) & ~(1n << BigInt(big(m, n)))),
  [`flipBit(I)${B}`]: (m, a, n: number) => make(m, of(m, a) ^ (1n << BigInt(big(m, n)))),
  'bitLength()I': (m, a) => bitLength(of(m, a)),
  'bitCount()I': (m, a) => {
    const value = of(m, a);
    return (value < 0n ? ~value : value).toString(2).replaceAll('0', '').length;
  },
  'getLowestSetBit()I': (m, a) => {
    const value = of(m, a);
    if (value === 0n) return -1;
    return (value & -value).toString(2).length - 1;
  },
  'signum()I': (m, a) => compare(of(m, a), 0n),
  [`max(${B})${B}`]: (m, a, b: Reference) => (of(m, a) >= of(m, b) ? a : b),
  [`min(${B})${B}`]: (m, a, b: Reference) => (of(m, a) <= of(m, b) ? a : b),
  [`compareTo(${B})I`]: (m, a, b: Reference) => compare(of(m, a), of(m, b)),
  'compareTo(Ljava/lang/Object;)I': (m, a, b: Reference) => compare(of(m, a), of(m, b)),
  'equals(Ljava/lang/Object;)Z': (m, a, b: Reference) => b?.cls.descriptor === B && of(m, a) === of(m, b),
  'hashCode()I': (m, a) => hash(of(m, a)),
  'isProbablePrime(I)Z': (m, a) => isProbablePrime(absolute(of(m, a))),
  [`nextProbablePrime()${B}`]: (m, a) => make(m, of(m, a) < 2n ? 2n : nextPrime(of(m, a) + 1n)),
  'toByteArray()[B': (m, a) => m.byteArray(toBytes(of(m, a)), (a as HeapObject).taint),
  'toString()Ljava/lang/String;': (m, a) => m.string(of(m, a).toString()),
  'toString(I)Ljava/lang/String;': (m, a, radix: number) =>
    m.string(of(m, a).toString(radix < 2 || radix > 36 ? 10 : radix)),
  'intValue()I': (m, a) => Number(BigInt.asIntN(32, of(m, a))),
  'longValue()J': (m, a) => BigInt.asIntN(64, of(m, a)),
  'shortValue()S': (m, a) => Number(BigInt.asIntN(16, of(m, a))),
  'byteValue()B': (m, a) => Number(BigInt.asIntN(8, of(m, a))),
  'doubleValue()D': (m, a) => Number(of(m, a)),
  'floatValue()F': (m, a) => Math.fround(Number(of(m, a))),
  'intValueExact()I': (m, a) => exact(m, of(m, a), 32),
  'longValueExact()J': (m, a) => exact(m, of(m, a), 64),
};

function exact(machine: Machine, value: bigint, bits: number): bigint | number {
  if (BigInt.asIntN(bits, value) !== value) throw arithmetic(machine, 'BigInteger out of range');
  return bits === 32 ? Number(value) : value;
}

function parse(machine: Machine, text: Reference, radix: number): bigint {
  const source = textOf(machine, text);
  const isLong = source.length > 300 && source.length < 300_000 && /^[+-]?\d+$/.test(source) && radix === 10;
  if (source.length > 300 && radix === 16 && /^[+-]?[0-9a-fA-F]+$/.test(source)) {
    const value = BigInt(`0x${source.replace(/^[+-]/, '')}`);
    return source.startsWith('-') ? -value : value;
  }
  const value = isLong ? BigInt(source) : parseIntegerText(source, radix);
  if (value === null) throw numberFormat(machine, source);
  return value;
}

const constant = (value: bigint) => (machine: Machine) => make(machine, value);

export const bigIntegerModels: Record<string, ModelClass> = {
  [B]: {
    extends: 'Ljava/lang/Number;',
    implements: ['Ljava/lang/Comparable;'],
    methods: {
      '<init>(Ljava/lang/String;)V': (m, self, text: Reference) => {
        self.native = parse(m, text, 10);
        self.taint = objectTaint(m, text);
      },
      '<init>(Ljava/lang/String;I)V': (m, self, text: Reference, radix: number) => {
        self.native = parse(m, text, radix);
        self.taint = objectTaint(m, text);
      },
      '<init>([B)V': (m, self, bytes: JavaArray) => {
        if (required(m, bytes).elements.length === 0) throw numberFormat(m, '');
        self.native = fromBytes(bytesOf(bytes));
        self.taint = arrayTaint(m, bytes, 0, bytes.elements.length);
      },
      '<init>(I[B)V': (m, self, sign: number, bytes: JavaArray) => {
        const hex = Buffer.from(bytesOf(required(m, bytes))).toString('hex');
        self.native = BigInt(sign) * BigInt(`0x${hex === '' ? '0' : hex}`);
        self.taint = arrayTaint(m, bytes, 0, bytes.elements.length);
      },
      '<init>(I!Ljava/util/Random;)V': made((m, bits: number, random: HeapObject) => randomBits(random, big(m, bits))),
      '<init>(II!Ljava/util/Random;)V': made((m, bits: number, _certainty: number, random: HeapObject) =>
        nextPrime(randomBits(random, big(m, Math.min(bits, 4096))) | (1n << BigInt(bits - 1))),
      ),
    },
    pure: methods,
    pureStatic: { [`valueOf(J)${B}`]: (m, value: bigint) => make(m, value) },
    staticMethods: {
      [`probablePrime(I!Ljava/util/Random;)${B}`]: (m, bits: number, random: HeapObject) =>
        make(m, nextPrime(randomBits(random, big(m, Math.min(bits, 4096))) | (1n << BigInt(bits - 1)))),
    },
    constants: {
      [`ZERO:${B}`]: constant(0n),
      [`ONE:${B}`]: constant(1n),
      [`TWO:${B}`]: constant(2n),
      [`TEN:${B}`]: constant(10n),
    },
  },
};
