// Writes a sealed file as its bytes arrive, and puts it in its place only when it is whole and on disk.
import { type CipherGCM, createCipheriv, randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from './durable-file.ts';
import {
  chunkNonce,
  chunkSize,
  cipherName,
  type DerivationCost,
  encodeHeader,
  fileKey,
  headerSize,
  saltSize,
} from './sealed-format.ts';

/** Encrypted bytes that wait for one call to the system. */
const flushBytes = 1_048_576;
/** The system's limit of pieces in one gathered write (IOV_MAX) is 1,024. */
const flushPieces = 512;

export interface SealedWriter {
  /** The file's own key, for `openSealedFile`. */
  readonly key: Uint8Array;
  /** Where the bytes stand until `moveTo`. */
  readonly path: string;
  /** Encrypts the bytes and writes them, perhaps buffered; await it before the next call. */
  write(bytes: Uint8Array): Promise<void>;
  /** Writes the rest and the header; afterwards the file is complete, durable and readable at `path`. */
  finish(): Promise<void>;
  /** Renames the finished file; it survives a power failure from here on. The folder must exist. */
  moveTo(path: string): Promise<void>;
  /** Closes and deletes what was written, unless it was moved. */
  discard(): Promise<void>;
}

/**
 * Begins a sealed file at a temporary path, on the file system of its later place.
 * @param isDurable false leaves out every fsync, for measuring alone
 * @param passphrase the salt and cost by which the master key was derived, where it was
 * @throws the file system's error where the path exists or cannot be written
 */
export async function createSealedWriter(
  path: string,
  masterKey: Uint8Array,
  { isDurable = true, passphrase = null }: { isDurable?: boolean; passphrase?: Derivation | null } = {},
): Promise<SealedWriter> {
  const file = await open(path, 'wx', 0o600);
  return new Writer(path, file, masterKey, isDurable, passphrase);
}

export interface Derivation {
  salt: Uint8Array;
  cost: DerivationCost;
}

class Writer implements SealedWriter {
  readonly key: Uint8Array;
  readonly path: string;
  readonly #salt: Uint8Array;
  readonly #isDurable: boolean;
  readonly #cost: DerivationCost | null;
  #file: FileHandle | null;
  #isMoved = false;
  #cipher: CipherGCM | null = null;
  #size = 0;
  #position = headerSize;
  #pieces: Uint8Array[] = [];
  #pendingBytes = 0;
  /** The write that is under way: the next bytes are encrypted meanwhile. */
  #writing: Promise<void> = Promise.resolve();

  constructor(
    path: string,
    file: FileHandle,
    masterKey: Uint8Array,
    isDurable: boolean,
    passphrase: Derivation | null,
  ) {
    this.path = path;
    this.#file = file;
    this.#salt = passphrase?.salt ?? randomBytes(saltSize);
    this.#cost = passphrase?.cost ?? null;
    this.key = fileKey(masterKey, this.#salt);
    this.#isDurable = isDurable;
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let taken = 0; taken < bytes.length; ) {
      const room = chunkSize - (this.#size % chunkSize);
      const piece = bytes.subarray(taken, taken + room);
      this.#cipher ??= createCipheriv(cipherName, this.key, chunkNonce(Math.floor(this.#size / chunkSize)));
      this.#push(this.#cipher.update(piece));
      taken += piece.length;
      this.#size += piece.length;
      if (piece.length === room) this.#endChunk();
      if (this.#pendingBytes >= flushBytes || this.#pieces.length >= flushPieces) {
        await this.#flush();
      }
    }
  }

  async finish(): Promise<void> {
    const file = this.#file;
    if (file === null) throw new Error('the sealed file is finished already');
    this.#endChunk();
    await this.#flush();
    await this.#writing;
    const header = encodeHeader(this.key, this.#salt, this.#size, this.#cost);
    await file.write(header, 0, header.length, 0);
    if (this.#isDurable) await file.sync();
    this.#file = null;
    await file.close();
  }

  async moveTo(path: string): Promise<void> {
    if (this.#file !== null) throw new Error('the sealed file is not finished');
    await rename(this.path, path);
    this.#isMoved = true;
    if (this.#isDurable) await syncFolder(dirname(path));
  }

  async discard(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    // The file goes, whether its last bytes were written or not.
    await this.#writing.catch(() => undefined);
    await file?.close();
    if (!this.#isMoved) await rm(this.path, { force: true });
  }

  #push(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.#pendingBytes += piece.length;
  }

  #endChunk(): void {
    if (this.#cipher === null) return;
    this.#cipher.final();
    this.#push(this.#cipher.getAuthTag());
    this.#cipher = null;
  }

  /** Starts writing what is pending, once what was pending before is written. */
  async #flush(): Promise<void> {
    const file = this.#file;
    if (file === null) throw new Error('the sealed file is closed');
    const pieces = this.#pieces;
    const bytes = this.#pendingBytes;
    this.#pieces = [];
    this.#pendingBytes = 0;
    await this.#writing;
    this.#writing = this.#writeOut(file, pieces, bytes);
    // A failure is thrown by the next `write` or `finish`.
    this.#writing.catch(() => undefined);
  }

  async #writeOut(file: FileHandle, pieces: Uint8Array[], bytes: number): Promise<void> {
    let left = bytes;
    let rest = pieces;
    while (left > 0) {
      const { bytesWritten } = await file.writev(rest, this.#position);
      this.#position += bytesWritten;
      left -= bytesWritten;
      if (left > 0) rest = dropFirst(rest, bytesWritten);
    }
  }
}

/** What is left of the pieces after their first `count` bytes. */
function dropFirst(pieces: readonly Uint8Array[], count: number): Uint8Array[] {
  const rest: Uint8Array[] = [];
  let skipped = count;
  for (const piece of pieces) {
    if (skipped < piece.length) rest.push(piece.subarray(skipped));
    skipped = Math.max(0, skipped - piece.length);
  }
  return rest;
}
