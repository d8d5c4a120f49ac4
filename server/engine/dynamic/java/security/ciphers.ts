// Encryption as javax.crypto names it: node:crypto where it has the algorithm, own code for RC4 and Blowfish. Knows no Java objects.
import { type CipherGCM, createCipheriv, createDecipheriv, type DecipherGCM } from 'node:crypto';
import { Blowfish } from './blowfish.ts';

export interface CipherSetting {
  /** Upper case: AES, DES, DESEDE, RC4, BLOWFISH, CHACHA20. */
  readonly algorithm: string;
  readonly mode: string;
  readonly padding: string;
}

/** Why a cipher cannot do what is asked; the model makes it the Java exception of the name. */
export class CipherFault extends Error {
  readonly exception: string;

  constructor(exception: string, message: string) {
    super(message);
    this.exception = exception;
  }
}

/** `AES/CBC/PKCS5Padding` and shorter forms. Null for algorithms and modes that no phone has. */
export function parseTransformation(text: string): CipherSetting | null {
  const [name = '', mode = '', padding = ''] = text.split('/').map((part) => part.trim());
  const algorithm = ALIASES[name.toUpperCase()] ?? name.toUpperCase();
  if (!KNOWN.has(algorithm) && !algorithm.startsWith('PBE')) return null;
  if (mode !== '' && blockSize(algorithm) > 0 && !MODES.has(mode.toUpperCase())) return null;
  const isStream = algorithm === 'RC4' || algorithm.startsWith('CHACHA20');
  return {
    algorithm,
    mode: mode.toUpperCase() || (isStream ? 'NONE' : 'ECB'),
    padding: (
      padding || (isStream ? 'NoPadding' : algorithm === 'RSA' ? 'PKCS1Padding' : 'PKCS5Padding')
    ).toUpperCase(),
  };
}

const ALIASES: Readonly<Record<string, string>> = {
  ARC4: 'RC4',
  ARCFOUR: 'RC4',
  TRIPLEDES: 'DESEDE',
  '3DES': 'DESEDE',
  RIJNDAEL: 'AES',
  AES_128: 'AES',
  AES_256: 'AES',
  CHACHA20: 'CHACHA20-POLY1305',
};
const KNOWN = new Set(['AES', 'DES', 'DESEDE', 'RC4', 'BLOWFISH', 'RSA', 'CHACHA20-POLY1305', 'AESWRAP']);

/** Of block ciphers. */
const MODES = new Set(['ECB', 'CBC', 'CTR', 'GCM', 'CFB', 'CFB8', 'CFB64', 'CFB128', 'OFB', 'CTS']);

export function blockSize(algorithm: string): number {
  if (algorithm === 'AES') return 16;
  return algorithm === 'DES' || algorithm === 'DESEDE' || algorithm === 'BLOWFISH' ? 8 : 0;
}

/** Whether only whole blocks can be encrypted. */
export const isBlockMode = ({ mode }: CipherSetting): boolean => mode === 'ECB' || mode === 'CBC' || mode === 'CTS';

function nodeName({ algorithm, mode }: CipherSetting, keyLength: number): string {
  if (algorithm === 'AES') {
    if (![16, 24, 32].includes(keyLength))
      throw new CipherFault('InvalidKeyException', `Unsupported key size: ${keyLength} bytes`);
    const name = {
      ECB: 'ecb',
      CBC: 'cbc',
      CTR: 'ctr',
      GCM: 'gcm',
      CFB: 'cfb',
      CFB8: 'cfb8',
      CFB128: 'cfb',
      OFB: 'ofb',
      CTS: 'cbc',
    }[mode];
    if (name === undefined) throw new CipherFault('NoSuchAlgorithmException', `mode ${mode}`);
    return `aes-${keyLength * 8}-${name}`;
  }
  if (algorithm.startsWith('CHACHA20')) return 'chacha20-poly1305';
  const name = { ECB: 'ecb', CBC: 'cbc', CFB: 'cfb', CFB8: 'cfb8', CFB64: 'cfb', OFB: 'ofb' }[mode];
  if (name === undefined) throw new CipherFault('NoSuchAlgorithmException', `mode ${mode}`);
  return name === 'ecb' ? 'des-ede3' : `des-ede3-${name}`;
}

/** Single DES is three DES with one key thrice, which OpenSSL still has. */
function nodeKey({ algorithm }: CipherSetting, key: Uint8Array): Uint8Array {
  if (algorithm === 'DES') {
    if (key.length !== 8) throw new CipherFault('InvalidKeyException', 'Wrong key size');
    return Buffer.concat([key, key, key]);
  }
  if (algorithm === 'DESEDE') {
    if (key.length === 16) return Buffer.concat([key, key.subarray(0, 8)]);
    if (key.length !== 24) throw new CipherFault('InvalidKeyException', 'Wrong key size');
  }
  return key;
}

export interface CipherParameters {
  readonly key: Uint8Array;
  readonly iv: Uint8Array | null;
  readonly aad: Uint8Array;
  /** Bits, of GCM. */
  readonly tagLength: number;
}

/** Encrypts or decrypts a whole message. @throws CipherFault */
export function runCipher(
  setting: CipherSetting,
  isEncryption: boolean,
  parameters: CipherParameters,
  data: Uint8Array,
): Uint8Array {
  const { algorithm, mode, padding } = setting;
  if (algorithm === 'RC4') return rc4(parameters.key, data);
  const size = blockSize(algorithm);
  const isBlock = isBlockMode(setting);
  const isPadded = padding === 'PKCS5PADDING' || padding === 'PKCS7PADDING' || padding === 'ISO10126PADDING';
  if (isBlock && !isPadded && data.length % size !== 0) {
    throw new CipherFault('IllegalBlockSizeException', `data not block size aligned`);
  }
  if (isBlock && !isEncryption && data.length % size !== 0) {
    throw new CipherFault(
      'IllegalBlockSizeException',
      'error:1e00007b:Cipher functions:OPENSSL_internal:WRONG_FINAL_BLOCK_LENGTH',
    );
  }
  if (algorithm === 'BLOWFISH') return blowfish(setting, isEncryption, parameters, data, isPadded);
  if (mode === 'GCM' || algorithm.startsWith('CHACHA20')) return runSealed(setting, isEncryption, parameters, data);
  const needsIv = mode !== 'ECB';
  const iv = needsIv ? (parameters.iv ?? new Uint8Array(size)) : null;
  if (iv !== null && iv.length !== size) {
    throw new CipherFault('InvalidAlgorithmParameterException', `expected IV length of ${size} but was ${iv.length}`);
  }
  const name = nodeName(setting, parameters.key.length);
  const key = nodeKey(setting, parameters.key);
  const cipher = isEncryption ? createCipheriv(name, key, iv) : createDecipheriv(name, key, iv);
  cipher.setAutoPadding(isPadded && isBlock);
  try {
    return Buffer.concat([cipher.update(data), cipher.final()]);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CipherFault('BadPaddingException', 'error:1e000065:Cipher functions:OPENSSL_internal:BAD_DECRYPT');
  }
}

/** @throws CipherFault where OpenSSL does not take key, vector or tag length */
function madeWith<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CipherFault('InvalidAlgorithmParameterException', error.message);
  }
}

function runSealed(
  setting: CipherSetting,
  isEncryption: boolean,
  parameters: CipherParameters,
  data: Uint8Array,
): Uint8Array {
  const name = nodeName(setting, parameters.key.length) as 'aes-256-gcm';
  const iv = parameters.iv ?? new Uint8Array(12);
  const authTagLength = parameters.tagLength / 8;
  if (isEncryption) {
    const cipher = madeWith(() => createCipheriv(name, parameters.key, iv, { authTagLength }) as CipherGCM);
    cipher.setAAD(parameters.aad);
    return Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]);
  }
  if (data.length < authTagLength) throw new CipherFault('AEADBadTagException', 'Input too short');
  const decipher = madeWith(() => createDecipheriv(name, parameters.key, iv, { authTagLength }) as DecipherGCM);
  decipher.setAAD(parameters.aad);
  decipher.setAuthTag(data.subarray(data.length - authTagLength));
  try {
    return Buffer.concat([decipher.update(data.subarray(0, data.length - authTagLength)), decipher.final()]);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new CipherFault('AEADBadTagException', 'error:1e000065:Cipher functions:OPENSSL_internal:BAD_DECRYPT');
  }
}

/** https://datatracker.ietf.org/doc/html/rfc6229 */
function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  if (key.length === 0) throw new CipherFault('InvalidKeyException', 'Key length must be between 40 and 1024 bit');
  const box = Uint8Array.from({ length: 256 }, (_, index) => index);
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + box[i]! + key[i % key.length]!) & 255;
    [box[i], box[j]] = [box[j]!, box[i]!];
  }
  const result = new Uint8Array(data.length);
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 255;
    j = (j + box[i]!) & 255;
    [box[i], box[j]] = [box[j]!, box[i]!];
    result[at] = data[at]! ^ box[(box[i]! + box[j]!) & 255]!;
  }
  return result;
}

function blowfish(
  { mode }: CipherSetting,
  isEncryption: boolean,
  { key, iv }: CipherParameters,
  data: Uint8Array,
  isPadded: boolean,
): Uint8Array {
  const cipher = new Blowfish(key);
  const chain = Uint8Array.from(iv ?? new Uint8Array(8));
  const fill = 8 - (data.length % 8);
  const input = isEncryption && isPadded ? Buffer.concat([data, new Uint8Array(fill).fill(fill)]) : data;
  const output = new Uint8Array(input.length);
  for (let at = 0; at < input.length; at += 8) {
    const block = Uint8Array.from(input.subarray(at, at + 8));
    if (isEncryption) {
      if (mode === 'CBC') for (let i = 0; i < 8; i++) block[i] = block[i]! ^ chain[i]!;
      cipher.encrypt(block);
      chain.set(block);
    } else {
      const before = Uint8Array.from(block);
      cipher.decrypt(block);
      if (mode === 'CBC') for (let i = 0; i < 8; i++) block[i] = block[i]! ^ chain[i]!;
      chain.set(before);
    }
    output.set(block, at);
  }
  if (isEncryption || !isPadded) return output;
  const last = output.at(-1) ?? 0;
  const isGood = last >= 1 && last <= 8 && output.subarray(-last).every((byte) => byte === last);
  if (!isGood) throw new CipherFault('BadPaddingException', 'pad block corrupted');
  return output.subarray(0, output.length - last);
}
