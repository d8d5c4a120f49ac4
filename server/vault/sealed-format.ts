// The layout of a sealed file, shared by its writer and its reader. Knows nothing of APKs or of the catalogue.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';

/*
 * A header of 80 bytes, then the content in chunks of 64 KiB (the last one shorter), each followed by its tag.
 *
 *   0  8   magic
 *   8  4   version, little-endian: 1, or 2 where the master key comes from a passphrase
 *  12  4   chunk size in bytes
 *  16  8   size of the content in bytes
 *  24  32  salt, random: with the master key it gives this file's own key
 *  56  8   zero; in version 2 the cost of scrypt: log2 N, r, p, each a byte
 *  64  16  tag over the 64 bytes before
 *
 * Everything is AES-256-GCM under the file's own key. A chunk's nonce is its index, so that no chunk can stand in
 * another's place; the header's tag binds the size, so that none can be cut off or added. A file that was not written
 * to its end has no valid header.
 * GCM: https://csrc.nist.gov/pubs/sp/800/38/d/final
 */
export const magic = Buffer.from('89415753eb0d1a0a', 'hex');
const formatVersion = 1;
const passphraseVersion = 2;
/** Small enough for random access to directories and entries, large enough to amortise the set-up of the cipher. */
export const chunkSize = 65_536;
export const tagSize = 16;
export const saltSize = 32;
export const headerSize = 80;
const authenticatedSize = 64;
export const storedChunkSize = chunkSize + tagSize;
export const cipherName = 'aes-256-gcm';
export const keySize = 32;

const headerNonce = Buffer.alloc(12, 0xff);

/** Why a sealed file cannot be read. `altered` includes a wrong key: the two cannot be told apart. */
export class SealedFileError extends Error {
  readonly code: 'altered' | 'truncated' | 'missing' | 'not-sealed';
  readonly path: string;

  constructor(code: SealedFileError['code'], path: string, message: string) {
    super(message);
    this.name = 'SealedFileError';
    this.code = code;
    this.path = path;
  }
}

/** Parameters with which scrypt (RFC 7914) derives a key from a passphrase. */
export interface DerivationCost {
  log2N: number;
  r: number;
  p: number;
}

/**
 * The cost that a header names, null where its file is sealed without a passphrase. Not yet proven to be genuine.
 * @throws SealedFileError as `headerSalt`
 */
export function headerCost(header: Uint8Array, path: string): DerivationCost | null {
  headerSalt(header, path);
  if (header[8] !== passphraseVersion) return null;
  return { log2N: header[56]!, r: header[57]!, p: header[58]! };
}

/**
 * The key of one file.
 * @param masterKey the installation's 32 bytes
 * @param salt the file's own 32 bytes, from its header
 */
export function fileKey(masterKey: Uint8Array, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', masterKey, salt, 'apk-workstation sealed file', keySize));
}

/** The nonce of a chunk. Unique within the file, and each file has a key of its own. */
export function chunkNonce(index: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(index, 6, 6);
  return nonce;
}

/** Length of the whole sealed file for a content of `size` bytes. */
export function sealedSize(size: number): number {
  return headerSize + size + Math.ceil(size / chunkSize) * tagSize;
}

/** @param cost of the derivation of the master key from a passphrase, null where there is none */
export function encodeHeader(key: Uint8Array, salt: Uint8Array, size: number, cost: DerivationCost | null): Buffer {
  const header = Buffer.alloc(headerSize);
  magic.copy(header, 0);
  header.writeUInt32LE(cost === null ? formatVersion : passphraseVersion, 8);
  header.writeUInt32LE(chunkSize, 12);
  header.writeBigUInt64LE(BigInt(size), 16);
  header.set(salt, 24);
  if (cost !== null) header.set([cost.log2N, cost.r, cost.p], 56);
  const cipher = createCipheriv(cipherName, key, headerNonce);
  cipher.setAAD(header.subarray(0, authenticatedSize));
  cipher.final();
  cipher.getAuthTag().copy(header, authenticatedSize);
  return header;
}

/**
 * The salt in a header, which is not yet proven to be genuine: that takes the key it leads to.
 * @throws SealedFileError `not-sealed` or `truncated`
 */
export function headerSalt(header: Uint8Array, path: string): Uint8Array {
  if (header.length < magic.length || magic.compare(header, 0, magic.length) !== 0) {
    throw new SealedFileError('not-sealed', path, `${path} is not a sealed file, or was not written to its end`);
  }
  if (header.length < headerSize) throw new SealedFileError('truncated', path, `${path} ends within its header`);
  const version = Buffer.from(header.buffer, header.byteOffset, header.length).readUInt32LE(8);
  if (version !== formatVersion && version !== passphraseVersion) {
    throw new SealedFileError(
      'not-sealed',
      path,
      `${path} is sealed in version ${version}, this program knows 1 and 2`,
    );
  }
  return header.subarray(24, 24 + saltSize);
}

/**
 * The size of the content, from a header proven with the key.
 * @throws SealedFileError
 */
export function provenSize(header: Uint8Array, key: Uint8Array, path: string): number {
  headerSalt(header, path);
  const decipher = createDecipheriv(cipherName, key, headerNonce, { authTagLength: tagSize });
  decipher.setAAD(header.subarray(0, authenticatedSize));
  decipher.setAuthTag(header.subarray(authenticatedSize, headerSize));
  try {
    decipher.final();
  } catch {
    throw new SealedFileError('altered', path, `the header of ${path} was altered, or the key is another's`);
  }
  return Number(Buffer.from(header.buffer, header.byteOffset, header.length).readBigUInt64LE(16));
}
