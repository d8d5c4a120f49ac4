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

/**
 * The first reading notes the key's SHA-256 beside it, as `sha256sum` does, and later ones compare: what is sealed with
 * another key by mistake could never be read again.
 * @throws Error where the file is missing, has not 32 bytes or is not what it was
 */
export function readMasterKey(path: string): Uint8Array {
  const key = readFileSync(path);
  if (key.length !== keySize)
    throw new Error(`${path} is not a master key: it has ${key.length} bytes, not ${keySize}`);
  const note = `${path}.sha256`;
  const line = `${createHash('sha256').update(key).digest('hex')}  ${basename(path)}\n`;
  if (!existsSync(note)) writeDurableFile(note, Buffer.from(line));
  else if (readFileSync(note, 'utf8') !== line) throw new Error(`${path} is not the key that ${note} tells of`);
  return new Uint8Array(key);
}
