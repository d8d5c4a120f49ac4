// Bytes that are sealed as stored files are, to stand within something else. Knows no file and no database.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { chunkNonce, cipherName, fileKey, magic, SealedFileError, saltSize, tagSize } from './sealed-format.ts';

const headerSize = magic.length + saltSize + tagSize;

/** Magic, salt of the key, tag, and the bytes under AES-256-GCM. Blocks its thread, by some 1 ms for a megabyte. */
export function sealBytes(bytes: Uint8Array, masterKey: Uint8Array): Buffer {
  const salt = randomBytes(saltSize);
  const cipher = createCipheriv(cipherName, fileKey(masterKey, salt), chunkNonce(0), { authTagLength: tagSize });
  const encrypted = cipher.update(bytes);
  cipher.final();
  return Buffer.concat([magic, salt, cipher.getAuthTag(), encrypted]);
}

/** @throws SealedFileError `not-sealed`, `altered` */
export function openBytes(sealed: Uint8Array, masterKey: Uint8Array): Buffer {
  if (sealed.length < headerSize || magic.compare(sealed, 0, magic.length) !== 0) {
    throw new SealedFileError('not-sealed', '', 'these bytes are not sealed');
  }
  const salt = sealed.subarray(magic.length, magic.length + saltSize);
  const decipher = createDecipheriv(cipherName, fileKey(masterKey, salt), chunkNonce(0), { authTagLength: tagSize });
  decipher.setAuthTag(sealed.subarray(headerSize - tagSize, headerSize));
  const bytes = decipher.update(sealed.subarray(headerSize));
  try {
    decipher.final();
  } catch {
    throw new SealedFileError('altered', '', 'sealed bytes were altered, or the key is another');
  }
  return bytes;
}
