// The installation's master key, from which every file's own key is derived. Knows nothing of files.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { writeDurableFile } from './durable-file.ts';
import { keySize } from './sealed-format.ts';

/** Makes a master key where there is none. The caller holds the folder's lock, so that it is made once. */
export function ensureMasterKey(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeDurableFile(path, randomBytes(keySize));
}

/** Error codes with which the checksum cannot be written beside the key: a read-only folder, a full disk. */
const keptOut: readonly (string | undefined)[] = ['EROFS', 'EACCES', 'EPERM', 'ENOSPC', 'EDQUOT'];

/** Where the checksum of a key stands. */
export const keyNote = (path: string): string => `${path}.sha256`;

/** In hex. */
export const keyDigest = (key: Uint8Array): string => createHash('sha256').update(key).digest('hex');

/**
 * The first read writes the key's SHA-256 beside it, in the format of `sha256sum`; later reads compare, since files
 * sealed with a wrong key could never be read again. Where the checksum cannot be written, the key is read without one.
 * @throws Error where the file is missing, has not 32 bytes or does not match its checksum
 */
export function readMasterKey(path: string): Uint8Array {
  const key = readFileSync(path);
  if (key.length !== keySize)
    throw new Error(`${path} is not a master key: it has ${key.length} bytes, not ${keySize}`);
  const note = keyNote(path);
  const digest = keyDigest(key);
  if (!existsSync(note)) writeNote(note, `${digest}  ${basename(path)}\n`);
  else if (!readFileSync(note, 'utf8').startsWith(digest))
    throw new Error(`${path} is not the key that ${note} tells of`);
  return new Uint8Array(key);
}

function writeNote(path: string, line: string): void {
  try {
    writeDurableFile(path, Buffer.from(line));
  } catch (error) {
    if (!keptOut.includes((error as NodeJS.ErrnoException).code)) throw error;
  }
}
