// Checks one cryptographic signature over bytes with a public key. Knows no file format.
import { constants, hash as digest, verify } from 'node:crypto';
import { FormatError } from '../byte-reader.ts';
import { parseAsn1, universalTag, unsignedInteger } from './asn1.ts';
import type { KeyAlgorithm, PublicKey } from './public-key.ts';

export type HashName = 'md5' | 'sha1' | 'sha224' | 'sha256' | 'sha384' | 'sha512';

export interface SignatureKind {
  key: Exclude<KeyAlgorithm, 'unknown'>;
  hash: HashName;
  /** RSASSA-PSS with a salt as long as the digest, where true; RSASSA-PKCS1-v1_5 else. */
  isPss: boolean;
}

/** What Android's BoringSSL takes: larger keys cost more than they can prove. */
const maxModulusBits = 16_384;
const maxExponentBits = 33;
const maxDsaBits = 10_000;

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  let factor = base % modulus;
  for (let left = exponent; left > 0n; left >>= 1n) {
    if ((left & 1n) === 1n) result = (result * factor) % modulus;
    factor = (factor * factor) % modulus;
  }
  return result;
}

const hash = (name: HashName, data: Uint8Array): Buffer => digest(name, data, 'buffer');

/** DigestInfo headers of RFC 8017 section 9.2, note 1. */
const digestInfoPrefixes: Readonly<Record<HashName, string>> = {
  md5: '3020300c06082a864886f70d020505000410',
  sha1: '3021300906052b0e03021a05000414',
  sha224: '302d300d06096086480165030402040500041c',
  sha256: '3031300d060960864801650304020105000420',
  sha384: '3041300d060960864801650304020205000430',
  sha512: '3051300d060960864801650304020305000440',
};

function isPkcs1Encoded(message: Buffer, name: HashName, data: Uint8Array): boolean {
  const info = Buffer.concat([Buffer.from(digestInfoPrefixes[name], 'hex'), hash(name, data)]);
  const padding = message.length - info.length - 3;
  if (padding < 8) return false;
  return message.equals(Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(padding, 0xff), Buffer.from([0]), info]));
}

/** RFC 8017 section 9.1.2, with MGF1 over the same hash. */
function isPssEncoded(padded: Buffer, modulusBits: number, name: HashName, data: Uint8Array): boolean {
  const digestOfData = hash(name, data);
  const size = digestOfData.length;
  const emBits = modulusBits - 1;
  const message = padded.subarray(padded.length - Math.ceil(emBits / 8));
  const unusedBits = 8 * message.length - emBits;
  if (message.length < 2 * size + 2 || message[message.length - 1] !== 0xbc) return false;
  const dataBlock = Buffer.from(message.subarray(0, message.length - size - 1));
  const seed = message.subarray(dataBlock.length, message.length - 1);
  if (unusedBits > 0 && dataBlock[0]! >> (8 - unusedBits) !== 0) return false;
  const counter = Buffer.alloc(4);
  for (let at = 0, block = 0; at < dataBlock.length; block++) {
    counter.writeUInt32BE(block);
    for (const octet of hash(name, Buffer.concat([seed, counter]))) {
      if (at < dataBlock.length) dataBlock[at] = dataBlock[at]! ^ octet;
      at++;
    }
  }
  dataBlock[0] = dataBlock[0]! & (0xff >> unusedBits);
  const saltStart = dataBlock.length - size;
  if (dataBlock[saltStart - 1] !== 1 || dataBlock.subarray(0, saltStart - 1).some((octet) => octet !== 0)) return false;
  const salted = Buffer.concat([Buffer.alloc(8), digestOfData, dataBlock.subarray(saltStart)]);
  return hash(name, salted).equals(seed);
}

/** A modulus that no key has, and no library takes. */
const isEven = (modulus: bigint): boolean => (modulus & 1n) === 0n;

const modulusLength = (modulus: bigint): number => Math.ceil(modulus.toString(2).length / 8);

function isRsaSignature(key: PublicKey, kind: SignatureKind, data: Uint8Array, signature: Uint8Array): boolean {
  if (key.rsa === null) return false;
  const { modulus, exponent } = key.rsa;
  const bits = modulus.toString(2).length;
  if (bits > maxModulusBits || exponent >> BigInt(maxExponentBits) !== 0n || modulus < 3n || isEven(modulus))
    return false;
  const length = modulusLength(modulus);
  const value = unsignedInteger(signature);
  if (signature.length !== length || value >= modulus) return false;
  const message = Buffer.from(
    power(value, exponent, modulus)
      .toString(16)
      .padStart(length * 2, '0'),
    'hex',
  );
  return kind.isPss ? isPssEncoded(message, bits, kind.hash, data) : isPkcs1Encoded(message, kind.hash, data);
}

/** FIPS 186-4 section 4.7. */
function isDsaSignature(key: PublicKey, name: HashName, data: Uint8Array, signature: Uint8Array): boolean {
  if (key.dsa === null) return false;
  const { p, q, g, y } = key.dsa;
  const orderBits = q.toString(2).length;
  if (p.toString(2).length > maxDsaBits || ![160, 224, 256].includes(orderBits) || p <= q || isEven(p)) return false;
  const [first, second] = parseAsn1(signature).expect(universalTag.sequence, 'A DSA signature').children();
  if (first === undefined || second === undefined) return false;
  const r = unsignedInteger(first.content);
  const s = unsignedInteger(second.content);
  if (r <= 0n || r >= q || s <= 0n || s >= q) return false;
  const w = power(s, q - 2n, q);
  const z = unsignedInteger(hash(name, data).subarray(0, Math.ceil(orderBits / 8)));
  const u1 = (z * w) % q;
  const u2 = (r * w) % q;
  return ((power(g, u1, p) * power(y, u2, p)) % p) % q === r;
}

/** The same as `isSignatureValid` by arithmetic alone, for RSA and DSA: where the linked OpenSSL or BoringSSL refuses key or hash. */
export function isSignatureByArithmetic(
  key: PublicKey,
  kind: SignatureKind,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  try {
    if (kind.key === 'RSA') return isRsaSignature(key, kind, data, signature);
    return kind.key === 'DSA' && isDsaSignature(key, kind.hash, data, signature);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return false;
  }
}

/**
 * Whether `signature` is one of `data` by the holder of `key`. Never throws for a wrong key, a weak one or garbage.
 * ECDSA and DSA signatures are DER sequences of r and s.
 */
export function isSignatureValid(
  key: PublicKey,
  kind: SignatureKind,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (key.algorithm !== kind.key) return false;
  // OpenSSL takes a PSS signature that lacks its leading zero; Android and Java want every octet.
  if (key.rsa !== null && signature.length !== modulusLength(key.rsa.modulus)) return false;
  const handle = key.handle;
  if (handle === null) return isSignatureByArithmetic(key, kind, data, signature);
  try {
    const padding = kind.isPss
      ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
      : {};
    return verify(kind.hash, data, { key: handle, dsaEncoding: 'der', ...padding }, signature);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return isSignatureByArithmetic(key, kind, data, signature);
  }
}
