// Reads a sealed file at any position, checking every byte it gives. Knows nothing of APKs or of the catalogue.
import { createDecipheriv } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ByteSource } from './byte-source.ts';
import {
  chunkNonce,
  chunkSize,
  cipherName,
  type DerivationCost,
  headerCost,
  headerSalt,
  headerSize,
  provenSize,
  SealedFileError,
  sealedSize,
  storedChunkSize,
  tagSize,
} from './sealed-format.ts';

/** Chunks kept of a file too large to keep whole: a parser moves between a directory, a few entries and their data. */
const cachedChunks = 16;
/** Chunks fetched from the disk by one call. */
const batchChunks = 16;
/**
 * An analysis reads most of a file several times, and decrypts it once where it fits in here (in bytes). Only what is
 * read takes memory. Larger apps are rare, and their data is mostly read in one pass.
 */
const analysisMemory = 134_217_728;

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
 * How the master key of a file is derived from its passphrase, null where it is sealed without one.
 * @throws SealedFileError `not-sealed`, `truncated`, `missing`
 */
export function readDerivation(path: string): { salt: Uint8Array; cost: DerivationCost } | null {
  const descriptor = openDescriptor(path);
  try {
    const header = new Uint8Array(headerSize);
    const read = header.subarray(0, readFully(descriptor, header, headerSize, 0));
    const cost = headerCost(read, path);
    return cost === null ? null : { salt: headerSalt(read, path), cost };
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens a sealed file with its own key. Nothing that fails its check is ever returned.
 * @param keptBytes a content of at most so many bytes stays decrypted in memory as far as it was read
 * @throws SealedFileError at once where the header or the length is wrong; from `read` where the content is
 */
export function openSealedFile(path: string, key: Uint8Array, keptBytes = analysisMemory): ByteSource {
  const descriptor = openDescriptor(path);
  try {
    const header = new Uint8Array(headerSize);
    const size = provenSize(header.subarray(0, readFully(descriptor, header, headerSize, 0)), key, path);
    const length = fstatSync(descriptor).size;
    if (length < sealedSize(size)) {
      throw new SealedFileError('truncated', path, `${path} has ${length} of ${sealedSize(size)} bytes`);
    }
    if (length > sealedSize(size)) throw new SealedFileError('altered', path, `${path} is longer than it was`);
    const chunks = new SealedChunks(path, descriptor, key, size);
    return size <= keptBytes ? new KeptSource(chunks) : new CachedSource(chunks);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** The chunks of one open file, decrypted and checked. */
class SealedChunks {
  readonly size: number;
  readonly #path: string;
  readonly #descriptor: number;
  readonly #key: Uint8Array;

  constructor(path: string, descriptor: number, key: Uint8Array, size: number) {
    this.#path = path;
    this.#descriptor = descriptor;
    this.#key = key;
    this.size = size;
  }

  /** Reads `count` chunks from the disk at once and gives them one by one. */
  decrypt(first: number, count: number, take: (chunk: Uint8Array, index: number) => void): void {
    for (let index = first; index < first + count; index += batchChunks) {
      const batch = Math.min(batchChunks, first + count - index);
      const stored = this.#fetch(index, batch);
      for (let step = 0; step < batch; step += 1) {
        take(this.#open(stored, index + step, step * storedChunkSize), index + step);
      }
    }
  }

  close(): void {
    closeSync(this.#descriptor);
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

  #open(stored: Uint8Array, index: number, position: number): Uint8Array {
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
}

/** `[start, end)` of a read within the content, and the chunks it touches. */
function rangeOf(size: number, offset: number, length: number) {
  const start = Math.max(0, Math.min(offset, size));
  const end = Math.max(start, Math.min(offset + length, size));
  return { start, end, first: Math.floor(start / chunkSize), last: Math.floor((end - 1) / chunkSize) };
}

/** Decrypts every chunk once, into its place in one array that all reads share. */
class KeptSource implements ByteSource {
  readonly size: number;
  readonly #chunks: SealedChunks;
  readonly #content: Uint8Array;
  readonly #isKept: Uint8Array;

  constructor(chunks: SealedChunks) {
    this.#chunks = chunks;
    this.size = chunks.size;
    this.#content = Buffer.allocUnsafeSlow(chunks.size);
    this.#isKept = new Uint8Array(Math.ceil(chunks.size / chunkSize));
  }

  read(offset: number, length: number): Uint8Array {
    const { start, end, first, last } = rangeOf(this.size, offset, length);
    for (let index = first; index <= last; ) {
      let next = index;
      while (next <= last && this.#isKept[next] === 0) next += 1;
      if (next > index) {
        this.#chunks.decrypt(index, next - index, (chunk, at) => {
          this.#content.set(chunk, at * chunkSize);
          this.#isKept[at] = 1;
        });
      }
      index = next + 1;
    }
    return this.#content.subarray(start, end);
  }

  close(): void {
    this.#chunks.close();
  }
}

/** Caches the last few chunks that were read in part. */
class CachedSource implements ByteSource {
  readonly size: number;
  readonly #chunks: SealedChunks;
  /** Decrypted chunks by index; the order of insertion is the order of use. */
  readonly #cache = new Map<number, Uint8Array>();

  constructor(chunks: SealedChunks) {
    this.#chunks = chunks;
    this.size = chunks.size;
  }

  read(offset: number, length: number): Uint8Array {
    const { start, end, first, last } = rangeOf(this.size, offset, length);
    if (start === end) return new Uint8Array(0);
    if (first === last) {
      const base = first * chunkSize;
      return this.#cached(first).subarray(start - base, end - base);
    }
    const result = Buffer.allocUnsafeSlow(end - start);
    this.#chunks.decrypt(first, last - first + 1, (chunk, index) => {
      const base = index * chunkSize;
      if (base >= start && base + chunk.length <= end) result.set(chunk, base - start);
      else {
        // A chunk that is only partly wanted here is likely to be wanted next.
        this.#keep(index, chunk);
        result.set(chunk.subarray(Math.max(0, start - base), end - base), Math.max(0, base - start));
      }
    });
    return result;
  }

  close(): void {
    this.#cache.clear();
    this.#chunks.close();
  }

  #cached(index: number): Uint8Array {
    let chunk = this.#cache.get(index);
    if (chunk === undefined) {
      this.#chunks.decrypt(index, 1, (decrypted) => {
        chunk = decrypted;
      });
    }
    this.#keep(index, chunk!);
    return chunk!;
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
}
