// Reads a sealed file at any position, checking every byte it gives. Knows nothing of APKs or of the catalogue.
import { createDecipheriv } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.ts';
import {
  chunkNonce,
  chunkSize,
  cipherName,
  headerSalt,
  headerSize,
  provenSize,
  SealedFileError,
  sealedSize,
  storedChunkSize,
  tagSize,
} from './sealed-format.ts';

export { fileKey, SealedFileError } from './sealed-format.ts';

/** A parser moves between a directory, a few entries and their data; 16 chunks are 1 MiB. */
const cachedChunks = 16;
/** Chunks fetched from the disk by one call. */
const batchChunks = 16;

function openDescriptor(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new SealedFileError('missing', path, `${path} does not exist`);
    }
    throw error;
  }
}

function readFully(descriptor: number, target: Uint8Array, length: number, position: number): number {
  let filled = 0;
  while (filled < length) {
    const count = readSync(descriptor, target, filled, length - filled, position + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/**
 * The salt in a sealed file's header, from which `fileKey` derives its key.
 * @throws SealedFileError
 */
export function readSalt(path: string): Uint8Array {
  const descriptor = openDescriptor(path);
  try {
    const header = new Uint8Array(headerSize);
    return headerSalt(header.subarray(0, readFully(descriptor, header, headerSize, 0)), path);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens a sealed file with its own key. Nothing that fails its check is ever returned.
 * @throws SealedFileError at once where the header or the length is wrong; from `read` where the content is
 */
export function openSealedFile(path: string, key: Uint8Array): ByteSource {
  const descriptor = openDescriptor(path);
  try {
    const header = new Uint8Array(headerSize);
    const size = provenSize(header.subarray(0, readFully(descriptor, header, headerSize, 0)), key, path);
    const length = fstatSync(descriptor).size;
    if (length < sealedSize(size)) {
      throw new SealedFileError('truncated', path, `${path} has ${length} of ${sealedSize(size)} bytes`);
    }
    if (length > sealedSize(size)) throw new SealedFileError('altered', path, `${path} is longer than it was`);
    return new SealedSource(path, descriptor, key, size);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

class SealedSource implements ByteSource {
  readonly size: number;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #key: Uint8Array;
  /** Decrypted chunks by index; the order of insertion is the order of use. */
  readonly #cache = new Map<number, Uint8Array>();

  constructor(path: string, descriptor: number, key: Uint8Array, size: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#key = key;
    this.size = size;
  }

  read(offset: number, length: number): Uint8Array {
    const start = Math.max(0, Math.min(offset, this.size));
    const end = Math.max(start, Math.min(offset + length, this.size));
    if (start === end) return new Uint8Array(0);
    const first = Math.floor(start / chunkSize);
    const last = Math.floor((end - 1) / chunkSize);
    if (first === last) {
      const base = first * chunkSize;
      return this.#cached(first).subarray(start - base, end - base);
    }
    const result = Buffer.allocUnsafeSlow(end - start);
    for (let index = first; index <= last; index += batchChunks) {
      const count = Math.min(batchChunks, last - index + 1);
      this.#copyChunks(index, count, result, start, end);
    }
    return result;
  }

  /** Decrypts `count` chunks from one piece of the file into the bytes `[start, end)` of the content. */
  #copyChunks(first: number, count: number, result: Uint8Array, start: number, end: number): void {
    const stored = this.#fetch(first, count);
    for (let index = first; index < first + count; index += 1) {
      const base = index * chunkSize;
      const chunk = this.#cache.get(index) ?? this.#decrypt(stored, index, (index - first) * storedChunkSize);
      if (base >= start && base + chunk.length <= end) result.set(chunk, base - start);
      else {
        // A chunk that is only partly wanted here is likely to be wanted next.
        this.#keep(index, chunk);
        result.set(chunk.subarray(Math.max(0, start - base), end - base), Math.max(0, base - start));
      }
    }
  }

  #cached(index: number): Uint8Array {
    const known = this.#cache.get(index);
    const chunk = known ?? this.#decrypt(this.#fetch(index, 1), index, 0);
    this.#keep(index, chunk);
    return chunk;
  }

  #keep(index: number, chunk: Uint8Array): void {
    this.#cache.delete(index);
    this.#cache.set(index, chunk);
    if (this.#cache.size > cachedChunks) {
      for (const oldest of this.#cache.keys()) {
        this.#cache.delete(oldest);
        break;
      }
    }
  }

  #storedLength(index: number): number {
    return Math.min(chunkSize, this.size - index * chunkSize) + tagSize;
  }

  #fetch(first: number, count: number): Uint8Array {
    const length = (count - 1) * storedChunkSize + this.#storedLength(first + count - 1);
    const stored = Buffer.allocUnsafe(length);
    if (readFully(this.#descriptor, stored, length, headerSize + first * storedChunkSize) < length) {
      throw new SealedFileError('truncated', this.#path, `${this.#path} became shorter while it was read`);
    }
    return stored;
  }

  #decrypt(stored: Uint8Array, index: number, position: number): Uint8Array {
    const tagAt = position + this.#storedLength(index) - tagSize;
    const decipher = createDecipheriv(cipherName, this.#key, chunkNonce(index), { authTagLength: tagSize });
    decipher.setAuthTag(stored.subarray(tagAt, tagAt + tagSize));
    const chunk = decipher.update(stored.subarray(position, tagAt));
    try {
      decipher.final();
    } catch {
      throw new SealedFileError('altered', this.#path, `${this.#path} was altered near byte ${index * chunkSize}`);
    }
    return chunk;
  }

  close(): void {
    this.#cache.clear();
    closeSync(this.#descriptor);
  }
}
