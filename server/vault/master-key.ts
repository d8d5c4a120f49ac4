// The installation's master key, from which every file's own key is derived. Knows nothing of files.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeDurableFile } from './durable-file.ts';
import { keySize } from './sealed-format.ts';

/** Makes a master key where there is none. The caller holds the folder's lock, so that it is made once. */
export function ensureMasterKey(path: string): void {
  if (existsSync(path)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeDurableFile(path, randomBytes(keySize));
}

/** @throws Error where the file is missing or has not 32 bytes */
export function readMasterKey(path: string): Uint8Array {
  const key = readFileSync(path);
  if (key.length !== keySize)
    throw new Error(`${path} is not a master key: it has ${key.length} bytes, not ${keySize}`);
  return new Uint8Array(key);
}
