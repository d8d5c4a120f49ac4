// MessageDigest, Mac, SecureRandom and checksums' like. Knows keys by their bytes.
import { createHash, createHmac } from 'node:crypto';
import type { HeapObject, JavaArray, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { reportCrypto } from '../hooks.ts';
import { fillRandom, freshSeed, type RandomState, randomMethods, seededRandom } from '../util/random.ts';
import { arrayTaint, bytesOf, checkRange, flag, instance, made, type Reference, required, textOf } from '../values.ts';
import { keyBytes } from './keys.ts';

const DIGESTS: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SHA: 'sha1',
  SHA1: 'sha1',
  'SHA-1': 'sha1',
  'SHA-224': 'sha224',
  'SHA-256': 'sha256',
  SHA256: 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
  SHA512: 'sha512',
};
const LENGTHS: Readonly<Record<string, number>> = { md5: 16, sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 };

interface Gathering {
  readonly algorithm: string;
  readonly node: string;
  parts: Uint8Array[];
  taint: Taint;
  key: Uint8Array | null;
}

function gathering(self: HeapObject): Gathering {
  return self.native as Gathering;
}

export function noSuchAlgorithm(machine: Machine, message: string) {
  return machine.exception('Ljava/security/NoSuchAlgorithmException;', message);
}

function add(machine: Machine, self: HeapObject, data: Uint8Array, taint: Taint): undefined {
  const state = gathering(self);
  machine.charge(data.length);
  state.parts.push(data);
  state.taint = machine.union(state.taint, machine.union(taint, machine.controlTaint));
}

function addArray(machine: Machine, self: HeapObject, array: JavaArray, offset: number, length: number): undefined {
  checkRange(machine, offset, length, required(machine, array).elements.length);
  return add(
    machine,
    self,
    bytesOf(array).slice(offset, offset + length),
    arrayTaint(machine, array, offset, offset + length),
  );
}

const updates: NativeMethods = {
  'update(B)V': (machine, self, byte: number) => add(machine, self, Uint8Array.of(byte), machine.argumentTaint(1)),
  'update([B)V': (machine, self, array: JavaArray) =>
    addArray(machine, self, array, 0, required(machine, array).elements.length),
  'update(![BII)V': addArray,
  'reset()V': (_machine, self) => {
    gathering(self).parts = [];
    gathering(self).taint = 0;
  },
};

function finish(machine: Machine, self: HeapObject): JavaArray {
  const state = gathering(self);
  const data = Buffer.concat(state.parts);
  const isMac = state.key !== null;
  const hash = isMac ? createHmac(state.node, state.key!) : createHash(state.node);
  const result = hash.update(data).digest();
  const operation = isMac ? 'mac' : 'digest';
  reportCrypto(machine, { algorithm: state.algorithm, operation, key: state.key, data, result, taint: state.taint });
  const array = machine.byteArray(result, state.taint);
  state.parts = [];
  state.taint = 0;
  return array;
}

function digestFor(machine: Machine, name: Reference): HeapObject {
  const algorithm = textOf(machine, name);
  const node = DIGESTS[algorithm.toUpperCase()];
  if (node === undefined) throw noSuchAlgorithm(machine, `${algorithm} MessageDigest not available`);
  return instance(machine, 'Ljava/security/MessageDigest;', {
    algorithm,
    node,
    parts: [],
    taint: 0,
    key: null,
  } satisfies Gathering);
}

function macFor(machine: Machine, name: Reference): HeapObject {
  const algorithm = textOf(machine, name);
  const match = /^(?:Hmac|PBEwithHmac)-?(MD5|SHA-?\d+)$/i.exec(algorithm);
  const node = match === null ? undefined : DIGESTS[match[1]!.toUpperCase().replace(/^SHA-?(\d)/, 'SHA-$1')];
  if (node === undefined) throw noSuchAlgorithm(machine, `Algorithm ${algorithm} not available`);
  return instance(machine, 'Ljavax/crypto/Mac;', {
    algorithm,
    node,
    parts: [],
    taint: 0,
    key: null,
  } satisfies Gathering);
}

function initializeMac(machine: Machine, self: HeapObject, key: HeapObject): undefined {
  const state = self.native as Gathering;
  state.key = keyBytes(machine, required(machine, key));
  state.parts = [];
  state.taint = machine.deepTaint(key);
}

const D = 'Ljava/security/MessageDigest;';
const M = 'Ljavax/crypto/Mac;';
const R = 'Ljava/security/SecureRandom;';

const length: NativeMethods[string] = (_machine, self) => LENGTHS[gathering(self).node] ?? 0;
const algorithm: NativeMethods[string] = (machine, self) => machine.string(gathering(self).algorithm);

function equalBytes(_machine: Machine, a: JavaArray | null, b: JavaArray | null): number {
  if (a === null || b === null) return flag(a === b);
  return flag(Buffer.compare(bytesOf(a), bytesOf(b)) === 0);
}

/** SecureRandom is the sequence of a fixed seed: runs repeat. */
const secure = (machine: Machine): HeapObject => instance(machine, R, seededRandom(freshSeed(machine)));

export const digestModels: Record<string, ModelClass> = {
  'Ljava/security/MessageDigestSpi;': { isAbstract: true, methods: { '<init>()V': () => undefined } },
  [D]: {
    extends: 'Ljava/security/MessageDigestSpi;',
    methods: {
      '<init>(Ljava/lang/String;)V': () => undefined,
      ...updates,
      'digest()[B': finish,
      'digest([B)[B': (machine, self, array: JavaArray) => {
        addArray(machine, self, array, 0, required(machine, array).elements.length);
        return finish(machine, self);
      },
      'digest(![BII)I': (machine, self, array: JavaArray, offset: number) => {
        const result = finish(machine, self);
        bytesOf(array).set(bytesOf(result), offset);
        return result.elements.length;
      },
      'getDigestLength()I': length,
      'getAlgorithm()Ljava/lang/String;': algorithm,
      'clone()Ljava/lang/Object;': (machine, self) =>
        instance(machine, D, { ...gathering(self), parts: gathering(self).parts.slice() }),
    },
    staticMethods: {
      [`getInstance(Ljava/lang/String;)${D}`]: digestFor,
      [`getInstance(Ljava/lang/String;Ljava/lang/String;)${D}`]: digestFor,
      [`getInstance(Ljava/lang/String;Ljava/security/Provider;)${D}`]: digestFor,
      'isEqual([B[B)Z': equalBytes,
    },
  },
  [M]: {
    methods: {
      ...updates,
      'init(Ljava/security/Key;)V': initializeMac,
      'init(Ljava/security/Key;Ljava/security/spec/AlgorithmParameterSpec;)V': initializeMac,
      'doFinal()[B': finish,
      'doFinal([B)[B': (machine, self, array: JavaArray) => {
        addArray(machine, self, array, 0, required(machine, array).elements.length);
        return finish(machine, self);
      },
      'getMacLength()I': length,
      'getAlgorithm()Ljava/lang/String;': algorithm,
    },
    staticMethods: {
      [`getInstance(Ljava/lang/String;)${M}`]: macFor,
      [`getInstance(Ljava/lang/String;Ljava/lang/String;)${M}`]: macFor,
      [`getInstance(Ljava/lang/String;Ljava/security/Provider;)${M}`]: macFor,
    },
  },
  [R]: {
    extends: 'Ljava/util/Random;',
    methods: {
      ...randomMethods,
      '<init>([B)V': made((machine) => seededRandom(freshSeed(machine))),
      'setSeed([B)V': () => undefined,
      'setSeed(J)V': () => undefined,
      'generateSeed(I)[B': (machine, self, count: number) => {
        const bytes = new Uint8Array(count);
        fillRandom(self.native as RandomState, bytes);
        return machine.byteArray(bytes);
      },
      'getAlgorithm()Ljava/lang/String;': (machine) => machine.string('SHA1PRNG'),
    },
    staticMethods: {
      [`getInstance(Ljava/lang/String;)${R}`]: secure,
      [`getInstance(Ljava/lang/String;Ljava/lang/String;)${R}`]: secure,
      [`getInstanceStrong()${R}`]: secure,
    },
  },
};

/** node:crypto's name of a digest that Java names. */
export function nodeDigest(name: string): string | null {
  return DIGESTS[name.toUpperCase()] ?? null;
}
