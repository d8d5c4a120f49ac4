// Keys, key specifications and their factories. Knows bytes and node's key objects.
import { createPrivateKey, createPublicKey, type KeyObject, pbkdf2Sync } from 'node:crypto';
import type { HeapObject, JavaArray, JavaString, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { reportCrypto } from '../hooks.ts';
import { fillRandom, freshSeed, seededRandom } from '../util/random.ts';
import {
  arrayTaint,
  bytesOf,
  charsToText,
  checkRange,
  instance,
  objectTaint,
  type Reference,
  required,
  textOf,
} from '../values.ts';

/** The `native` of every key and key specification: bytes, and node's key where it is asymmetric. */
export interface KeyState {
  readonly algorithm: string;
  readonly bytes: Uint8Array;
  readonly taint: Taint;
  readonly key?: KeyObject;
  readonly iterations?: number;
  readonly salt?: Uint8Array;
  /** Bits. */
  readonly length?: number;
  readonly numbers?: readonly bigint[];
}

const JS = 'Ljava/security/';
const JC = 'Ljavax/crypto/';
const S = 'Ljava/lang/String;';

export function keyState(self: HeapObject): KeyState {
  return self.native as KeyState;
}

/** The bytes of any key of the program. */
export function keyBytes(machine: Machine, key: HeapObject): Uint8Array {
  const state = key.native as KeyState | undefined;
  if (state?.bytes !== undefined) return state.bytes;
  const encoded = machine.call(key, 'getEncoded()[B') as JavaArray | null;
  return encoded === null ? new Uint8Array(0) : bytesOf(encoded);
}

export function invalidKey(machine: Machine, message: string) {
  return machine.exception('Ljava/security/InvalidKeyException;', message);
}

export function secretKey(machine: Machine, algorithm: string, bytes: Uint8Array, taint: Taint): HeapObject {
  return instance(machine, `${JC}spec/SecretKeySpec;`, { algorithm, bytes, taint } satisfies KeyState, taint);
}

function begin(
  machine: Machine,
  self: HeapObject,
  algorithm: string,
  array: JavaArray,
  from: number,
  length: number,
): undefined {
  const bytes = bytesOf(required(machine, array)).slice(from, from + length);
  if (bytes.length < length) throw machine.exception('Ljava/lang/IllegalArgumentException;', 'key too short');
  const taint = arrayTaint(machine, array, from, from + length);
  self.native = { algorithm, bytes, taint } satisfies KeyState;
  self.taint = taint;
}

const whole = (array: JavaArray): number => array?.elements.length ?? 0;

const keyMethods: NativeMethods = {
  'getAlgorithm()Ljava/lang/String;': (machine, self) => machine.string(keyState(self).algorithm),
  'getFormat()Ljava/lang/String;': (machine, self) => {
    const { key } = keyState(self);
    return machine.string(key === undefined ? 'RAW' : key.type === 'public' ? 'X.509' : 'PKCS#8');
  },
  'getEncoded()[B': (machine, self) => machine.byteArray(keyState(self).bytes, keyState(self).taint),
  'equals(Ljava/lang/Object;)Z': (_machine, self, other: Reference) =>
    other?.cls === self.cls && Buffer.compare(keyState(self).bytes, keyState(other).bytes) === 0,
  'hashCode()I': (_machine, self) => keyState(self).bytes.reduce((hash, byte) => (Math.imul(31, hash) + byte) | 0, 1),
};

const contents: NativeMethods = {
  'getKey()[B': (machine, self) => machine.byteArray(keyState(self).bytes, keyState(self).taint),
  'getIV()[B': (machine, self) => machine.byteArray(keyState(self).bytes, keyState(self).taint),
  'getEncoded()[B': (machine, self) => machine.byteArray(keyState(self).bytes, keyState(self).taint),
  'getSalt()[B': (machine, self) => machine.byteArray(keyState(self).salt ?? new Uint8Array(0)),
  'getIterationCount()I': (_machine, self) => keyState(self).iterations ?? 0,
  'getKeyLength()I': (_machine, self) => keyState(self).length ?? 0,
  'getTLen()I': (_machine, self) => keyState(self).length ?? 128,
};

/** A specification made of one byte array. */
const bytesSpec = (parent: string): ModelClass => ({
  implements: [parent],
  methods: {
    ...contents,
    '<init>(![B)V': (machine, self, array: JavaArray) => begin(machine, self, '', array, 0, whole(array)),
    '<init>(![BI)V': (machine, self, array: JavaArray, from: number) =>
      begin(machine, self, '', array, from, whole(array) - from),
    '<init>(![BII)V': (machine, self, array: JavaArray, from: number, length: number) =>
      begin(machine, self, '', array, from, length),
  },
});

const KEY_SPEC = `${JS}spec/KeySpec;`;
const PARAMETER = `${JS}spec/AlgorithmParameterSpec;`;
const BIG = 'Ljava/math/BigInteger;';

function passwordSpec(
  machine: Machine,
  self: HeapObject,
  password: JavaArray | null,
  salt: JavaArray | null,
  iterations: number,
  length: number,
) {
  const text = password === null ? '' : charsToText(password.elements as Uint16Array);
  const taint = objectTaint(machine, password);
  const state: KeyState = { algorithm: 'PBE', bytes: Buffer.from(text), taint, iterations, length };
  self.native = salt === null ? state : { ...state, salt: bytesOf(salt).slice() };
  self.taint = taint;
  return undefined;
}

/** Rounds of key derivation that the run pays for; an app's own number beyond is cut and noted. */
const MAXIMUM_ROUNDS = 200_000;

function derive(machine: Machine, factory: HeapObject, spec: HeapObject): HeapObject {
  const { algorithm } = factory.native as { algorithm: string };
  const state = keyState(required(machine, spec));
  if (!/^PBKDF2/i.test(algorithm)) {
    const name = algorithm.toUpperCase() === 'DESEDE' ? 'DESede' : algorithm;
    return secretKey(machine, name, state.bytes, state.taint);
  }
  const digest = /SHA(\d+)$/i.exec(algorithm)?.[1] ?? '1';
  const rounds = Math.max(1, Math.min(state.iterations ?? 1000, MAXIMUM_ROUNDS));
  if (rounds < (state.iterations ?? 0)) machine.unmodelled('PBKDF2 with more rounds than the run can pay for');
  const length = Math.min(4096, Math.max(8, state.length ?? 128)) / 8;
  const result = pbkdf2Sync(state.bytes, state.salt ?? new Uint8Array(0), rounds, length, `sha${digest}`);
  reportCrypto(machine, {
    algorithm,
    operation: 'derive',
    key: result,
    data: state.bytes,
    result: null,
    taint: state.taint,
  });
  return secretKey(machine, algorithm, result, state.taint);
}

function named(descriptor: string) {
  return (machine: Machine, name: Reference): HeapObject =>
    instance(machine, descriptor, { algorithm: textOf(machine, name) });
}

/** `getInstance` with and without a provider. */
export function instances(descriptor: string, make: (machine: Machine, name: Reference) => HeapObject): NativeMethods {
  return {
    [`getInstance(${S})${descriptor}`]: (machine, name: Reference) => make(machine, name),
    [`getInstance(${S}${S})${descriptor}`]: (machine, name: Reference) => make(machine, name),
    [`getInstance(${S}${JS}Provider;)${descriptor}`]: (machine, name: Reference) => make(machine, name),
  };
}

const LENGTHS: Readonly<Record<string, number>> = {
  AES: 128,
  DES: 64,
  DESEDE: 192,
  BLOWFISH: 128,
  RC4: 128,
  ARC4: 128,
  HMACSHA256: 256,
  HMACSHA1: 160,
  HMACMD5: 128,
  CHACHA20: 256,
};

interface Generating {
  algorithm: string;
  length?: number;
  alias?: string | undefined;
}

function generate(machine: Machine, self: HeapObject): HeapObject {
  const { algorithm, length, alias } = self.native as Generating;
  const bits = length ?? LENGTHS[algorithm.toUpperCase()] ?? 128;
  const bytes = new Uint8Array(
    algorithm.toUpperCase() === 'DES' ? 8 : algorithm.toUpperCase() === 'DESEDE' ? 24 : bits / 8,
  );
  fillRandom(seededRandom(freshSeed(machine)), bytes);
  reportCrypto(machine, { algorithm, operation: 'keyalgo', key: bytes, data: null, result: null, taint: 0 });
  const key = secretKey(machine, algorithm, bytes, 0);
  if (alias !== undefined) deviceKeys(machine).set(alias, key);
  return key;
}

/** Keys in the device's own store, which outlive the objects that made them. */
export const deviceKeys = (machine: Machine): Map<string, HeapObject> =>
  machine.state('java.android-key-store', () => new Map<string, HeapObject>());

/** The name that a specification gives a key in the device's own store; undefined in others. */
export const aliasIn = (spec: Reference): string | undefined => (spec?.native as { alias?: string } | undefined)?.alias;

function sized(machine: Machine, self: HeapObject, length: number): undefined {
  if (length <= 0 || length > 4096)
    throw machine.exception('Ljava/security/InvalidParameterException;', `key size ${length}`);
  (self.native as Generating).length = length;
}

/** A Java key on one of node's. */
export function asymmetricKey(machine: Machine, key: KeyObject, taint: Taint): HeapObject {
  const isPublic = key.type === 'public';
  const bytes = key.export({ format: 'der', type: isPublic ? 'spki' : 'pkcs8' } as { format: 'der'; type: 'pkcs8' });
  const type = key.asymmetricKeyType === 'ec' ? 'EC' : key.asymmetricKeyType === 'dsa' ? 'DSA' : 'RSA';
  const name = type === 'EC' ? `${JS}interfaces/EC` : `${JS}interfaces/${type}`;
  const descriptor = `${name}${isPublic ? 'PublicKey' : 'PrivateKey'}Impl;`;
  return instance(machine, descriptor, { algorithm: type, bytes, taint, key } satisfies KeyState, taint);
}

const base64url = (value: bigint): string => {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
};

function fromSpec(machine: Machine, spec: HeapObject, isPublic: boolean): HeapObject {
  const state = keyState(required(machine, spec));
  const { descriptor } = spec.cls;
  try {
    if (state.numbers !== undefined) {
      const [n, e] = state.numbers;
      if (!isPublic) return instance(machine, `${JS}interfaces/RSAPrivateKeyImpl;`, state, state.taint);
      const key = createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: base64url(n!), e: base64url(e!) } });
      return asymmetricKey(machine, key, state.taint);
    }
    const der = Buffer.from(state.bytes);
    const key = isPublic
      ? createPublicKey({ key: der, format: 'der', type: 'spki' })
      : createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return asymmetricKey(machine, key, state.taint);
  } catch (error) {
    if (!(error instanceof Error) || 'throwable' in error) throw error;
    throw machine.exception('Ljava/security/spec/InvalidKeySpecException;', `${descriptor}: ${error.message}`);
  }
}

/** The numbers of an RSA key. */
export function rsaNumbers(state: KeyState): { n: bigint; e: bigint; d: bigint } {
  if (state.key === undefined) return { n: state.numbers?.[0] ?? 1n, e: 0n, d: state.numbers?.[1] ?? 0n };
  const jwk = state.key.export({ format: 'jwk' });
  const number = (text: string | undefined): bigint =>
    text === undefined ? 0n : BigInt(`0x${Buffer.from(text, 'base64url').toString('hex') || '0'}`);
  return { n: number(jwk.n), e: number(jwk.e), d: number(jwk.d) };
}

const rsaMethods: NativeMethods = {
  ...keyMethods,
  [`getModulus()${BIG}`]: (machine, self) => instance(machine, BIG, rsaNumbers(keyState(self)).n),
  [`getPublicExponent()${BIG}`]: (machine, self) => instance(machine, BIG, rsaNumbers(keyState(self)).e),
  [`getPrivateExponent()${BIG}`]: (machine, self) => instance(machine, BIG, rsaNumbers(keyState(self)).d),
};

function asymmetricModels(): Record<string, ModelClass> {
  const models: Record<string, ModelClass> = {};
  for (const type of ['RSA', 'EC', 'DSA']) {
    for (const side of ['PublicKey', 'PrivateKey']) {
      const name = `${JS}interfaces/${type}${side}`;
      models[`${name};`] = { isInterface: true, implements: [`${JS}${side};`] };
      models[`${name}Impl;`] = { implements: [`${name};`], methods: type === 'RSA' ? rsaMethods : keyMethods };
    }
  }
  return models;
}

const rsaSpec: ModelClass = {
  implements: [KEY_SPEC],
  methods: {
    [`<init>(!${BIG}!${BIG})V`]: (machine, self, modulus: HeapObject, exponent: HeapObject) => {
      const numbers = [modulus.native as bigint, exponent.native as bigint];
      const taint = machine.union(modulus.taint, exponent.taint);
      self.native = { algorithm: 'RSA', bytes: new Uint8Array(0), taint, numbers } satisfies KeyState;
    },
  },
};

/** @param tagLength bits */
function beginGcm(
  machine: Machine,
  self: HeapObject,
  tagLength: number,
  array: JavaArray,
  offset: number,
  count: number,
): undefined {
  checkRange(machine, offset, count, required(machine, array).elements.length);
  const bytes = bytesOf(array).slice(offset, offset + count);
  self.native = { algorithm: 'GCM', bytes, taint: 0, length: tagLength } satisfies KeyState;
}

export const keyModels: Record<string, ModelClass> = {
  [`${JS}Key;`]: { isInterface: true, abstractMethods: [`getAlgorithm()${S}`, `getFormat()${S}`, 'getEncoded()[B'] },
  [`${JS}PublicKey;`]: { isInterface: true, implements: [`${JS}Key;`] },
  [`${JS}PrivateKey;`]: { isInterface: true, implements: [`${JS}Key;`] },
  [`${JC}SecretKey;`]: { isInterface: true, implements: [`${JS}Key;`] },
  [KEY_SPEC]: { isInterface: true },
  [PARAMETER]: { isInterface: true },
  [`${JC}spec/SecretKeySpec;`]: {
    implements: [KEY_SPEC, `${JC}SecretKey;`],
    methods: {
      ...keyMethods,
      [`<init>(![B!${S})V`]: (machine, self, array: JavaArray, algorithm: JavaString) => {
        if (whole(array) === 0) throw machine.exception('Ljava/lang/IllegalArgumentException;', 'Empty key');
        return begin(machine, self, textOf(machine, algorithm), array, 0, whole(array));
      },
      [`<init>([BII${S})V`]: (machine, self, array, from: number, length: number, algorithm) =>
        begin(machine, self, textOf(machine, algorithm), array, from, length),
    },
  },
  [`${JC}spec/IvParameterSpec;`]: bytesSpec(PARAMETER),
  [`${JC}spec/DESKeySpec;`]: bytesSpec(KEY_SPEC),
  [`${JC}spec/DESedeKeySpec;`]: bytesSpec(KEY_SPEC),
  [`${JS}spec/X509EncodedKeySpec;`]: bytesSpec(KEY_SPEC),
  [`${JS}spec/PKCS8EncodedKeySpec;`]: bytesSpec(KEY_SPEC),
  [`${JS}spec/RSAPublicKeySpec;`]: rsaSpec,
  [`${JS}spec/RSAPrivateKeySpec;`]: rsaSpec,
  [`${JC}spec/GCMParameterSpec;`]: {
    implements: [PARAMETER],
    methods: {
      ...contents,
      '<init>(I![B)V': (machine, self, length: number, array: JavaArray) =>
        beginGcm(machine, self, length, array, 0, required(machine, array).elements.length),
      '<init>(I![BII)V': beginGcm,
    },
  },
  [`${JC}spec/PBEParameterSpec;`]: {
    implements: [PARAMETER],
    methods: {
      ...contents,
      '<init>(![BI)V': (_machine, self, salt: JavaArray, iterations: number) => {
        const bytes = bytesOf(salt).slice();
        self.native = { algorithm: 'PBE', bytes, salt: bytes, taint: 0, iterations } satisfies KeyState;
      },
    },
  },
  [`${JC}spec/PBEKeySpec;`]: {
    implements: [KEY_SPEC],
    methods: {
      ...contents,
      '<init>(![C)V': (machine, self, password: JavaArray) => passwordSpec(machine, self, password, null, 0, 0),
      '<init>([C[BI)V': (machine, self, password, salt, rounds: number) =>
        passwordSpec(machine, self, password, salt, rounds, 0),
      '<init>([C[BII)V': passwordSpec,
      'clearPassword()V': () => undefined,
    },
  },
  [`${JC}SecretKeyFactory;`]: {
    methods: { [`generateSecret(${KEY_SPEC})${JC}SecretKey;`]: derive },
    staticMethods: instances(`${JC}SecretKeyFactory;`, named(`${JC}SecretKeyFactory;`)),
  },
  [`${JC}KeyGenerator;`]: {
    methods: {
      'init(I)V': sized,
      [`init(I${JS}SecureRandom;)V`]: sized,
      [`init(${JS}SecureRandom;)V`]: () => undefined,
      [`init(${PARAMETER})V`]: (_machine, self, spec: Reference) => {
        (self.native as Generating).alias = aliasIn(spec);
      },
      [`generateKey()${JC}SecretKey;`]: generate,
      [`getAlgorithm()${S}`]: (machine, self) => machine.string((self.native as Generating).algorithm),
    },
    staticMethods: instances(`${JC}KeyGenerator;`, named(`${JC}KeyGenerator;`)),
  },
  [`${JS}KeyFactory;`]: {
    methods: {
      [`generatePublic(${KEY_SPEC})${JS}PublicKey;`]: (machine, _self, spec: HeapObject) =>
        fromSpec(machine, spec, true),
      [`generatePrivate(${KEY_SPEC})${JS}PrivateKey;`]: (machine, _self, spec: HeapObject) =>
        fromSpec(machine, spec, false),
    },
    staticMethods: instances(`${JS}KeyFactory;`, named(`${JS}KeyFactory;`)),
  },
  ...asymmetricModels(),
};
