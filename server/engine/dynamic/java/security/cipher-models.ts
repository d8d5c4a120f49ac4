// javax.crypto.Cipher, its streams, Signature and providers. Knows algorithms by security/ciphers.ts and node:crypto.
import {
  constants,
  createPrivateKey,
  privateDecrypt,
  privateEncrypt,
  publicDecrypt,
  publicEncrypt,
  sign,
  verify,
} from 'node:crypto';
import type { HeapObject, JavaArray, Taint } from '../../machine/heap.ts';
import type { Machine, ModelClass, NativeMethods } from '../../machine/model.ts';
import { javaHooks, reportCrypto, type Sealing } from '../hooks.ts';
import { lazyInput, readAll } from '../io/byte-input.ts';
import { writeTo } from '../io/byte-output.ts';
import { fillRandom, freshSeed, seededRandom } from '../util/random.ts';
import {
  arrayTaint,
  bytesOf,
  checkRange,
  flag,
  instance,
  type Reference,
  required,
  setElementTaint,
  textOf,
} from '../values.ts';
import {
  blockSize,
  CipherFault,
  type CipherParameters,
  type CipherSetting,
  isBlockMode,
  parseTransformation,
  runCipher,
} from './ciphers.ts';
import { nodeDigest, noSuchAlgorithm } from './digests.ts';
import {
  asymmetricKey,
  instances,
  invalidKey,
  type KeyState,
  keyBytes,
  keyState,
  rsaNumbers,
  secretKey,
} from './keys.ts';

const JS = 'Ljava/security/';
const CIPHER = 'Ljavax/crypto/Cipher;';
const PARAMETER = `${JS}spec/AlgorithmParameterSpec;`;
const RANDOM = `${JS}SecureRandom;`;

interface Ciphering {
  readonly name: string;
  readonly setting: CipherSetting;
  /** 1 encrypts, 2 decrypts, 3 wraps, 4 unwraps. */
  operation: number;
  key: HeapObject | null;
  iv: Uint8Array | null;
  tagLength: number;
  aad: Uint8Array;
  parts: Uint8Array[];
  taint: Taint;
}

function ciphering(self: HeapObject): Ciphering {
  return self.native as Ciphering;
}

function cipherFor(machine: Machine, name: Reference): HeapObject {
  const text = textOf(machine, name);
  const setting = parseTransformation(text);
  if (setting === null) throw noSuchAlgorithm(machine, `Provider for ${text} not found`);
  const native: Ciphering = {
    name: text,
    setting,
    operation: 0,
    key: null,
    iv: null,
    tagLength: 128,
    aad: new Uint8Array(0),
    parts: [],
    taint: 0,
  };
  return instance(machine, CIPHER, native);
}

function initialize(
  machine: Machine,
  self: HeapObject,
  operation: number,
  key: HeapObject | null,
  spec: Reference,
): undefined {
  const state = ciphering(self);
  if (key === null) throw invalidKey(machine, 'key must not be null');
  state.operation = operation;
  state.key = key;
  state.parts = [];
  state.aad = new Uint8Array(0);
  state.taint = machine.deepTaint(key);
  const parameters = spec?.native as KeyState | undefined;
  state.iv = parameters?.bytes ?? null;
  if (parameters?.length !== undefined) state.tagLength = parameters.length;
  const { algorithm, mode } = state.setting;
  const bits = algorithm === 'AES' ? keyBytes(machine, key).length * 8 : 128;
  if (![128, 192, 256].includes(bits)) throw invalidKey(machine, `Unsupported key size: ${bits / 8} bytes`);
  const needsIv = algorithm.startsWith('CHACHA20') || (blockSize(algorithm) > 0 && mode !== 'ECB');
  if (state.iv === null && needsIv) {
    if (operation === 2) throw machine.exception('Ljava/security/InvalidKeyException;', 'no IV set when one expected');
    state.iv = new Uint8Array(mode === 'GCM' || algorithm.startsWith('CHACHA20') ? 12 : blockSize(algorithm));
    fillRandom(seededRandom(freshSeed(machine)), state.iv);
  }
}

function add(machine: Machine, self: HeapObject, array: JavaArray, offset: number, length: number): void {
  checkRange(machine, offset, length, required(machine, array).elements.length);
  const state = ciphering(self);
  machine.charge(length);
  state.parts.push(bytesOf(array).slice(offset, offset + length));
  state.taint = machine.union(
    state.taint,
    machine.union(arrayTaint(machine, array, offset, offset + length), machine.controlTaint),
  );
}

/** RSA without padding, and what node refuses: the bare power. */
function rawRsa(state: KeyState, data: Uint8Array): Uint8Array {
  const { n, e, d } = rsaNumbers(state);
  let base = BigInt(`0x${Buffer.from(data).toString('hex') || '0'}`) % n;
  let exponent = d === 0n ? e : d;
  let result = 1n;
  for (; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % n;
    base = (base * base) % n;
  }
  const size = Math.ceil(n.toString(16).length / 2);
  return Buffer.from(result.toString(16).padStart(size * 2, '0'), 'hex');
}

function runRsa(state: Ciphering, isEncryption: boolean, data: Uint8Array): Uint8Array {
  const key = keyState(state.key!);
  if (state.setting.padding === 'NOPADDING' || key.key === undefined) return rawRsa(key, data);
  const isPublic = key.key.type === 'public';
  const isOaep = state.setting.padding.startsWith('OAEP');
  const digest = /SHA-?(\d+)/.exec(state.setting.padding)?.[1] ?? '1';
  const options = isOaep
    ? { key: key.key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: `sha${digest}` }
    : { key: key.key, padding: constants.RSA_PKCS1_PADDING };
  const run = isEncryption ? (isPublic ? publicEncrypt : privateEncrypt) : isPublic ? publicDecrypt : privateDecrypt;
  try {
    return run(options, data);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CipherFault(isEncryption ? 'IllegalBlockSizeException' : 'BadPaddingException', error.message);
  }
}

/** The ciphertext that a server would have sent for the app to decrypt; the plaintext where it cannot be encrypted. */
function encryptedAnswer(setting: CipherSetting, parameters: CipherParameters, content: Uint8Array): Uint8Array {
  // Apps that decrypt without padding fill the last block with spaces and trim them.
  const isFilled = setting.padding === 'NOPADDING' && isBlockMode(setting);
  const missing = isFilled ? -content.length & (blockSize(setting.algorithm) - 1) : 0;
  const whole = missing === 0 ? content : Buffer.concat([content, Buffer.alloc(missing, ' ')]);
  try {
    return runCipher(setting, true, parameters, whole);
  } catch (error) {
    if (!(error instanceof CipherFault)) throw error;
    return content;
  }
}

/** doFinal: encrypts or decrypts everything gathered so far as one message. */
function finish(machine: Machine, self: HeapObject): { result: Uint8Array; taint: Taint } {
  const state = ciphering(self);
  if (state.key === null) throw machine.exception('Ljava/lang/IllegalStateException;', 'Cipher not initialized');
  const data = Buffer.concat(state.parts);
  const isEncryption = state.operation === 1 || state.operation === 3;
  const key = keyBytes(machine, state.key);
  const { iv, aad, tagLength, taint } = state;
  state.parts = [];
  const isRsa = state.setting.algorithm === 'RSA';
  if (!isEncryption && !isRsa) {
    const seal: Sealing['seal'] = (content, vector) =>
      encryptedAnswer(state.setting, { key, iv: vector, aad, tagLength }, content);
    javaHooks(machine).opened(data, { vector: iv, seal });
  }
  let result: Uint8Array;
  try {
    result = isRsa
      ? runRsa(state, isEncryption, data)
      : runCipher(state.setting, isEncryption, { key, iv, aad, tagLength }, data);
  } catch (error) {
    if (!(error instanceof CipherFault)) throw error;
    const isKey = /^(InvalidKey|InvalidAlgorithm|NoSuch)/.test(error.exception);
    throw machine.exception(`${isKey ? JS : 'Ljavax/crypto/'}${error.exception};`, error.message);
  }
  const operation = isEncryption ? 'encryption' : 'decryption';
  reportCrypto(machine, { algorithm: state.name, operation, key, vector: iv, data, result, taint });
  state.taint = machine.deepTaint(state.key);
  return { result, taint };
}

function finishArray(machine: Machine, self: HeapObject): JavaArray {
  const { result, taint } = finish(machine, self);
  return machine.byteArray(result, taint);
}

function finishInto(machine: Machine, self: HeapObject, target: JavaArray, offset: number): number {
  const { result, taint } = finish(machine, self);
  if (offset + result.length > required(machine, target).elements.length) {
    throw machine.exception('Ljavax/crypto/ShortBufferException;', 'output buffer too small');
  }
  bytesOf(target).set(result, offset);
  setElementTaint(target, offset, offset + result.length, taint);
  return result.length;
}

/** Ciphers run on the whole message: all output comes from `doFinal`, also of stream ciphers. */
function update(machine: Machine, self: HeapObject, array: JavaArray, offset: number, length: number): JavaArray {
  add(machine, self, array, offset, length);
  return machine.array('B', 0);
}

const whole = (machine: Machine, array: JavaArray): number => required(machine, array).elements.length;
const KEY = `${JS}Key;`;

const cipherMethods: NativeMethods = {
  [`init(I${KEY})V`]: (machine, self, operation: number, key) => initialize(machine, self, operation, key, null),
  [`init(I${KEY}${RANDOM})V`]: (machine, self, operation: number, key) =>
    initialize(machine, self, operation, key, null),
  [`init(I${KEY}${PARAMETER})V`]: initialize,
  [`init(I${KEY}${PARAMETER}${RANDOM})V`]: initialize,
  [`init(I${KEY}${JS}AlgorithmParameters;)V`]: initialize,
  [`init(I!${JS}cert/Certificate;)V`]: (machine, self, operation: number, certificate: HeapObject) =>
    initialize(
      machine,
      self,
      operation,
      machine.call(certificate, `getPublicKey()${JS}PublicKey;`) as HeapObject,
      null,
    ),
  'update([B)[B': (machine, self, array: JavaArray) => update(machine, self, array, 0, whole(machine, array)),
  'update([BII)[B': update,
  'update(![BII[B)I': (machine, self, array: JavaArray, offset: number, length: number) => {
    add(machine, self, array, offset, length);
    return 0;
  },
  'update([BII[BI)I': (machine, self, array: JavaArray, offset: number, length: number) => {
    add(machine, self, array, offset, length);
    return 0;
  },
  'updateAAD(![B)V': (_machine, self, array: JavaArray) => {
    ciphering(self).aad = Buffer.concat([ciphering(self).aad, bytesOf(array)]);
  },
  'doFinal()[B': finishArray,
  'doFinal([B)[B': (machine, self, array: JavaArray) => {
    add(machine, self, array, 0, whole(machine, array));
    return finishArray(machine, self);
  },
  'doFinal([BII)[B': (machine, self, array: JavaArray, offset: number, length: number) => {
    add(machine, self, array, offset, length);
    return finishArray(machine, self);
  },
  'doFinal(![BI)I': finishInto,
  'doFinal([BII![B)I': (machine, self, array: JavaArray, offset: number, length: number, target: JavaArray) => {
    add(machine, self, array, offset, length);
    return finishInto(machine, self, target, 0);
  },
  'doFinal([BII[BI)I': (machine, self, array: JavaArray, offset: number, length: number, target, at: number) => {
    add(machine, self, array, offset, length);
    return finishInto(machine, self, target, at);
  },
  [`wrap(!${KEY})[B`]: (machine, self, key: HeapObject) => {
    ciphering(self).parts = [keyBytes(machine, key)];
    return finishArray(machine, self);
  },
  [`unwrap([BLjava/lang/String;I)${KEY}`]: (machine, self, array: JavaArray, algorithm: Reference, type: number) => {
    add(machine, self, array, 0, whole(machine, array));
    const { result, taint } = finish(machine, self);
    if (type === 3) return secretKey(machine, textOf(machine, algorithm), result, taint);
    return asymmetricKey(machine, createPrivateKey({ key: Buffer.from(result), format: 'der', type: 'pkcs8' }), taint);
  },
  'getIV()[B': (machine, self) => {
    const { iv } = ciphering(self);
    return iv === null ? null : machine.byteArray(iv);
  },
  'getBlockSize()I': (_machine, self) => blockSize(ciphering(self).setting.algorithm),
  'getOutputSize(I)I': (_machine, self, length: number) =>
    length + ciphering(self).parts.reduce((sum, part) => sum + part.length, 0) + 16,
  'getAlgorithm()Ljava/lang/String;': (machine, self) => machine.string(ciphering(self).name),
  [`getParameters()${JS}AlgorithmParameters;`]: (machine, self) =>
    instance(machine, `${JS}AlgorithmParameters;`, {
      algorithm: 'AES',
      bytes: ciphering(self).iv ?? new Uint8Array(0),
      taint: 0,
    }),
};

/** A message through a cipher object, at once. */
function through(
  machine: Machine,
  cipher: HeapObject,
  data: Uint8Array,
  taint: Taint,
): { data: Uint8Array; taint: Taint } {
  const array = machine.byteArray(data);
  setElementTaint(array, 0, data.length, taint);
  const result = machine.call(cipher, 'doFinal([B)[B', array) as JavaArray;
  return { data: bytesOf(result), taint: arrayTaint(machine, result, 0, result.elements.length) };
}

const streams: Record<string, ModelClass> = {
  'Ljavax/crypto/CipherInputStream;': {
    extends: 'Ljava/io/FilterInputStream;',
    methods: {
      [`<init>(!Ljava/io/InputStream;!${CIPHER})V`]: (machine, self, source: HeapObject, cipher: HeapObject) => {
        const inner = instance(
          machine,
          'Ljava/io/NativeInputStream;',
          lazyInput((m) => {
            const { data, taint } = readAll(m, source);
            return through(m, cipher, data, taint);
          }),
        );
        machine.setField(self, 'in', inner);
      },
    },
  },
  'Ljavax/crypto/CipherOutputStream;': {
    extends: 'Ljava/io/FilterOutputStream;',
    methods: {
      [`<init>(!Ljava/io/OutputStream;!${CIPHER})V`]: (machine, self, out: HeapObject, cipher: HeapObject) => {
        machine.setField(self, 'out', out);
        self.native = { cipher, isClosed: false };
      },
      'write(![BII)V': (machine, self, array: JavaArray, offset: number, length: number) =>
        machine.call((self.native as { cipher: HeapObject }).cipher, 'update([BII)[B', array, offset, length),
      'write(I)V': (machine, self, byte: number) => {
        const array = machine.byteArray(Uint8Array.of(byte));
        setElementTaint(array, 0, 1, machine.argumentTaint(1));
        machine.call((self.native as { cipher: HeapObject }).cipher, 'update([BII)[B', array, 0, 1);
      },
      'close()V': (machine, self) => {
        const state = self.native as { cipher: HeapObject; isClosed: boolean };
        if (state.isClosed) return;
        state.isClosed = true;
        const { data, taint } = through(machine, state.cipher, new Uint8Array(0), 0);
        const out = machine.getField(self, 'out') as HeapObject;
        writeTo(machine, out, data, taint);
        machine.call(out, 'flush()V');
        machine.call(out, 'close()V');
      },
    },
  },
  'Ljava/security/DigestInputStream;': {
    extends: 'Ljava/io/FilterInputStream;',
    methods: {
      [`<init>(Ljava/io/InputStream;${JS}MessageDigest;)V`]: (machine, self, source, digest) => {
        machine.setField(self, 'in', source);
        self.native = digest;
      },
      'read(![BII)I': (machine, self, array: JavaArray, offset: number, length: number) => {
        const count = machine.call(
          machine.getField(self, 'in') as HeapObject,
          'read([BII)I',
          array,
          offset,
          length,
        ) as number;
        if (count > 0) machine.call(self.native as HeapObject, 'update([BII)V', array, offset, count);
        return count;
      },
      [`getMessageDigest()${JS}MessageDigest;`]: (_machine, self) => self.native as HeapObject,
    },
  },
};

interface Signing {
  readonly algorithm: string;
  key: HeapObject | null;
  parts: Uint8Array[];
  taint: Taint;
}

const signing = (self: HeapObject): Signing => self.native as Signing;

function addToSign(machine: Machine, self: HeapObject, array: JavaArray, offset: number, length: number): undefined {
  checkRange(machine, offset, length, required(machine, array).elements.length);
  const state = signing(self);
  state.parts.push(bytesOf(array).slice(offset, offset + length));
  state.taint = machine.union(state.taint, arrayTaint(machine, array, offset, offset + length));
}

function begin(machine: Machine, self: HeapObject, key: Reference): void {
  if (key === null) throw invalidKey(machine, 'Key must not be null');
  Object.assign(signing(self), { key, parts: [], taint: 0 });
}

const digestOf = (machine: Machine, algorithm: string): string => {
  const name = /^(.*)with/i.exec(algorithm)?.[1] ?? 'SHA1';
  const digest = nodeDigest(name);
  if (digest === null) throw noSuchAlgorithm(machine, `${algorithm} Signature not available`);
  return digest;
};

const signatureMethods: NativeMethods = {
  [`initSign(${JS}PrivateKey;)V`]: begin,
  [`initSign(${JS}PrivateKey;${RANDOM})V`]: begin,
  [`initVerify(${JS}PublicKey;)V`]: begin,
  [`initVerify(!${JS}cert/Certificate;)V`]: (machine, self, certificate: HeapObject) =>
    begin(machine, self, machine.call(certificate, `getPublicKey()${JS}PublicKey;`) as HeapObject),
  'update([B)V': (machine, self, array: JavaArray) => addToSign(machine, self, array, 0, whole(machine, array)),
  'update(![BII)V': addToSign,
  'sign()[B': (machine, self) => {
    const { algorithm, key, parts, taint } = signing(self);
    const node = key === null ? undefined : keyState(key).key;
    if (node === undefined)
      throw machine.exception('Ljava/security/SignatureException;', 'not initialized for signing');
    const data = Buffer.concat(parts);
    const result = sign(digestOf(machine, algorithm), data, node);
    reportCrypto(machine, { algorithm, operation: 'sign', key: keyState(key!).bytes, data, result, taint });
    return machine.byteArray(result, taint);
  },
  'verify(![B)Z': (machine, self, array: JavaArray) => {
    const { algorithm, key, parts, taint } = signing(self);
    const node = key === null ? undefined : keyState(key).key;
    if (node === undefined)
      throw machine.exception('Ljava/security/SignatureException;', 'not initialized for verification');
    const data = Buffer.concat(parts);
    reportCrypto(machine, { algorithm, operation: 'verify', key: keyState(key!).bytes, data, result: null, taint });
    return flag(verify(digestOf(machine, algorithm), data, node, bytesOf(required(machine, array))));
  },
};

export const cipherModels: Record<string, ModelClass> = {
  [CIPHER]: {
    methods: cipherMethods,
    staticMethods: {
      ...instances(CIPHER, cipherFor),
      'getMaxAllowedKeyLength(Ljava/lang/String;)I': () => 2147483647,
    },
    constants: {
      'ENCRYPT_MODE:I': 1,
      'DECRYPT_MODE:I': 2,
      'WRAP_MODE:I': 3,
      'UNWRAP_MODE:I': 4,
      'PUBLIC_KEY:I': 1,
      'PRIVATE_KEY:I': 2,
      'SECRET_KEY:I': 3,
    },
  },
  ...streams,
  [`${JS}AlgorithmParameters;`]: {
    methods: {
      'getEncoded()[B': (machine, self) => machine.byteArray((self.native as KeyState).bytes),
      [`getParameterSpec(Ljava/lang/Class;)${PARAMETER}`]: (machine, self) =>
        instance(machine, 'Ljavax/crypto/spec/IvParameterSpec;', self.native),
    },
  },
  [`${JS}Signature;`]: {
    methods: signatureMethods,
    staticMethods: instances(`${JS}Signature;`, (machine, name) =>
      instance(machine, `${JS}Signature;`, {
        algorithm: textOf(machine, name),
        key: null,
        parts: [],
        taint: 0,
      } satisfies Signing),
    ),
  },
  [`${JS}Provider;`]: { methods: { 'getName()Ljava/lang/String;': (machine) => machine.string('AndroidOpenSSL') } },
  [`${JS}Security;`]: {
    staticMethods: {
      [`addProvider(${JS}Provider;)I`]: () => 1,
      [`insertProviderAt(${JS}Provider;I)I`]: () => 1,
      [`getProvider(Ljava/lang/String;)${JS}Provider;`]: (machine) => machine.allocate(`${JS}Provider;`),
      [`getProviders()[${JS}Provider;`]: (machine) =>
        machine.objectArray(`${JS}Provider;`, [machine.allocate(`${JS}Provider;`)]),
      'removeProvider(Ljava/lang/String;)V': () => undefined,
      'getProperty(Ljava/lang/String;)Ljava/lang/String;': () => null,
      'setProperty(Ljava/lang/String;Ljava/lang/String;)V': () => undefined,
    },
  },
};
