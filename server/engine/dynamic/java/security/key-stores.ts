// KeyPairGenerator and KeyStore. Knows keys by node's own; pairs are made from a fixed sequence, so that runs repeat.
import { createECDH, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import type { HeapObject } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { reportCrypto } from '../hooks.ts';
import { isProbablePrime } from '../math/big-integer.ts';
import { iteratorOn } from '../util/iteration.ts';
import { ListState } from '../util/list-state.ts';
import { fillRandom, freshSeed, seededRandom } from '../util/random.ts';
import { instance, made, type Reference, textOf } from '../values.ts';
import { aliasIn, asymmetricKey, deviceKeys, instances } from './keys.ts';

const JS = 'Ljava/security/';
const PAIR = `${JS}KeyPair;`;
const GENERATOR = `${JS}KeyPairGenerator;`;
const STORE = `${JS}KeyStore;`;
const S = 'Ljava/lang/String;';

function randomNumber(machine: Machine, bits: number): bigint {
  const bytes = new Uint8Array(bits / 8);
  fillRandom(seededRandom(freshSeed(machine)), bytes);
  // The two highest bits set keep the product's length.
  bytes[0] = bytes[0]! | 0xc0;
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`) | 1n;
}

const SMALL = [
  3n,
  5n,
  7n,
  11n,
  13n,
  17n,
  19n,
  23n,
  29n,
  31n,
  37n,
  41n,
  43n,
  47n,
  53n,
  59n,
  61n,
  67n,
  71n,
  73n,
  79n,
  83n,
  89n,
  97n,
];

function prime(machine: Machine, bits: number, exponent: bigint): bigint {
  for (let candidate = randomNumber(machine, bits); ; candidate += 2n) {
    if (SMALL.some((divisor) => candidate % divisor === 0n) || (candidate - 1n) % exponent === 0n) continue;
    if (isProbablePrime(candidate)) return candidate;
  }
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [a, b, x, y] = [value % modulus, modulus, 1n, 0n];
  while (b !== 0n) {
    const quotient = a / b;
    [a, b, x, y] = [b, a - quotient * b, y, x - quotient * y];
  }
  return ((x % modulus) + modulus) % modulus;
}

const base64url = (value: bigint): string => {
  const hex = value.toString(16);
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
};

/** Generates RSA keys of at most 2048 bits: larger ones would take seconds. */
function rsaKey(machine: Machine, bits: number): KeyObject {
  const e = 65_537n;
  const half = Math.max(256, Math.min(bits, 2048)) / 2;
  const p = prime(machine, half, e);
  const q = prime(machine, half, e);
  const d = inverse(e, (p - 1n) * (q - 1n));
  const numbers = { n: p * q, e, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
  const jwk = Object.fromEntries(Object.entries(numbers).map(([name, value]) => [name, base64url(value)]));
  return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...jwk } });
}

function ecKey(machine: Machine): KeyObject {
  const ecdh = createECDH('prime256v1');
  const secret = new Uint8Array(32);
  fillRandom(seededRandom(freshSeed(machine)), secret);
  secret[0] = secret[0]! & 0x7f;
  ecdh.setPrivateKey(secret);
  const point = ecdh.getPublicKey();
  const part = (from: number): string => point.subarray(from, from + 32).toString('base64url');
  const d = Buffer.from(secret).toString('base64url');
  return createPrivateKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x: part(1), y: part(33), d } });
}

interface Generating {
  readonly algorithm: string;
  bits: number;
  alias?: string | undefined;
}

function generate(machine: Machine, self: HeapObject): HeapObject {
  const { algorithm, bits, alias } = self.native as Generating;
  const key = algorithm.toUpperCase() === 'EC' ? ecKey(machine) : rsaKey(machine, bits);
  const secret = asymmetricKey(machine, key, 0);
  const open = asymmetricKey(machine, createPublicKey(key), 0);
  if (alias !== undefined) deviceKeys(machine).set(alias, secret);
  const bytes = (secret.native as { bytes: Uint8Array }).bytes;
  reportCrypto(machine, { algorithm, operation: 'keyalgo', key: bytes, data: null, result: null, taint: 0 });
  return instance(machine, PAIR, { open, secret });
}

const begin = (_machine: Machine, self: HeapObject, bits: number): undefined => {
  (self.native as Generating).bits = bits;
};

const nothing = (): undefined => undefined;

/** Entries by alias. */
const entries = (self: HeapObject): Map<string, HeapObject> => {
  self.native ??= new Map<string, HeapObject>();
  return self.native as Map<string, HeapObject>;
};

const put = (machine: Machine, self: HeapObject, alias: Reference, entry: HeapObject): undefined => {
  entries(self).set(textOf(machine, alias), entry);
};

const find = (machine: Machine, self: HeapObject, alias: Reference): HeapObject | null =>
  entries(self).get(textOf(machine, alias)) ?? null;

const storeMethods: NativeMethods = {
  'load(Ljava/io/InputStream;[C)V': nothing,
  [`load(${STORE.slice(0, -1)}$LoadStoreParameter;)V`]: nothing,
  'store(Ljava/io/OutputStream;[C)V': nothing,
  [`containsAlias(${S})Z`]: (machine, self, alias: Reference) => find(machine, self, alias) !== null,
  [`getKey(${S}[C)${JS}Key;`]: find,
  [`getCertificate(${S})${JS}cert/Certificate;`]: find,
  [`setCertificateEntry(${S}${JS}cert/Certificate;)V`]: put,
  [`setKeyEntry(${S}${JS}Key;[C[${JS}cert/Certificate;)V`]: put,
  [`deleteEntry(${S})V`]: (machine, self, alias: Reference) => entries(self).delete(textOf(machine, alias)),
  'aliases()Ljava/util/Enumeration;': (machine, self) => {
    const names = [...entries(self).keys()].map((name) => machine.string(name));
    return iteratorOn(machine, new ListState(names).cursor(machine));
  },
  'size()I': (_machine, self) => entries(self).size,
  [`isKeyEntry(${S})Z`]: (machine, self, alias: Reference) => find(machine, self, alias) !== null,
};

function storeOf(machine: Machine, type: Reference): HeapObject {
  const made = machine.allocate(STORE);
  if (textOf(machine, type) === 'AndroidKeyStore') {
    made.native = deviceKeys(machine);
  }
  return made;
}

export const keyStoreModels: Record<string, ModelClass> = {
  [PAIR]: {
    methods: {
      [`<init>(!${JS}PublicKey;!${JS}PrivateKey;)V`]: made((_machine, open: HeapObject, secret: HeapObject) => ({
        open,
        secret,
      })),
      [`getPublic()${JS}PublicKey;`]: (_machine, self) => (self.native as { open: HeapObject }).open,
      [`getPrivate()${JS}PrivateKey;`]: (_machine, self) => (self.native as { secret: HeapObject }).secret,
    },
  },
  [GENERATOR]: {
    methods: {
      'initialize(I)V': begin,
      [`initialize(I${JS}SecureRandom;)V`]: begin,
      [`initialize(${JS}spec/AlgorithmParameterSpec;)V`]: (_machine, self, spec: Reference) => {
        (self.native as Generating).alias = aliasIn(spec);
      },
      [`generateKeyPair()${PAIR}`]: generate,
      [`genKeyPair()${PAIR}`]: generate,
    },
    staticMethods: instances(GENERATOR, (machine, name) =>
      instance(machine, GENERATOR, { algorithm: textOf(machine, name), bits: 2048 } satisfies Generating),
    ),
  },
  [STORE]: {
    methods: storeMethods,
    staticMethods: {
      ...instances(STORE, storeOf),
      [`getDefaultType()${S}`]: (machine) => machine.string('BKS'),
    },
  },
};
