// The content-addressed, encrypted store of APK files. Knows nothing of APKs or of the catalogue's records.
import { createHash, randomUUID } from 'node:crypto';
import { accessSync, constants, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FileReference } from '../../contract/engine/analysis-results.ts';
import type { ByteSource } from '../../vault/byte-source.ts';
import { syncFolder } from '../../vault/durable-file.ts';
import { openBytes, sealBytes } from '../../vault/sealed-bytes.ts';
import { openSealedFile, readSalt } from '../../vault/sealed-file.ts';
import { fileKey, SealedFileError } from '../../vault/sealed-format.ts';
import { createSealedWriter, type SealedWriter } from '../../vault/sealed-writer.ts';
import { storageFaultOf } from '../store-errors.ts';

/** Bytes that have arrived in full and wait, encrypted in a temporary file, for a decision. */
export interface ReceivedFile {
  /** By which it is found again until it is discarded, also after a start, where `sweep` is told that it is awaited. */
  name: string;
  sha256: string;
  sha1: string;
  md5: string;
  size: number;
  /** Where a worker reads the file before it is committed. */
  reference: FileReference;
  /**
   * Renames the file into place, durably; a second file with the same content safely replaces the first. Until `discard`
   * the file counts as without a record: if the process ends before it, the next start removes files that have none.
   */
  commit(): Promise<void>;
  /** Deletes the temporary file; after `commit` it deletes nothing, and the file stays. */
  discard(): Promise<void>;
}

export interface ReceiveOptions {
  /** Lower-case hex. */
  expectedSha256?: string | undefined;
  maxBytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Why an upload was refused. `aborted`: the sender stopped before the end. */
export class ReceiveError extends Error {
  readonly code: 'too-large' | 'wrong-sha256' | 'aborted' | 'empty';

  constructor(code: ReceiveError['code'], message: string) {
    super(message);
    this.name = 'ReceiveError';
    this.code = code;
  }
}

/** Stored bytes that are not there, or not those that were stored. */
export class StoredFileError extends Error {
  readonly code: 'missing' | 'altered';
  readonly sha256: string;

  constructor(code: StoredFileError['code'], sha256: string, message: string) {
    super(message);
    this.name = 'StoredFileError';
    this.code = code;
    this.sha256 = sha256;
  }
}

export interface FileStoreOptions {
  /** `apks/` of the data folder. */
  folder: string;
  masterKey: Uint8Array;
  /** Called when a stored file is found missing or altered, and when it is found or made intact. */
  onState(sha256: string, state: 'ok' | 'missing' | 'altered'): void;
  /** false leaves out every fsync, for measuring alone. */
  isDurable?: boolean;
  /** Its disk can only be read. */
  isReadOnly?: boolean;
}

/** Bytes of one step while a file is streamed or verified: long enough to be fast, short enough not to be noticed. */
const stepBytes = 262_144;

/** Downloads are read once: caching them in the server's memory is not worth it. */
const keptBytes = 0;

/** Error codes of a file that cannot be read: its disk fails, or it belongs to another user. */
const unreadable: readonly string[] = ['EIO', 'EACCES', 'EPERM', 'EISDIR'];

const ownFolder = /^(?:incoming|unsettled|[0-9a-f]{2})$/;
const isReceived = (text: string) => /^[0-9a-f-]{36}$/.test(text);
const isSha256 = (text: string) => /^[0-9a-f]{64}$/.test(text);

export class FileStore {
  /** The folder that workers must be able to read. */
  readonly folder: string;
  readonly #incoming: string;
  /** Markers: empty files named after stored ones whose record may not exist yet, or not any more. */
  readonly #unsettled: string;
  readonly #masterKey: Uint8Array;
  readonly #onState: FileStoreOptions['onState'];
  readonly #isDurable: boolean;

  constructor({ folder, masterKey, onState, isDurable = true, isReadOnly = false }: FileStoreOptions) {
    this.folder = folder;
    this.#incoming = join(folder, 'incoming');
    this.#unsettled = join(folder, 'unsettled');
    this.#masterKey = masterKey;
    this.#onState = onState;
    this.#isDurable = isDurable;
    if (isReadOnly) return;
    for (const inside of [this.#incoming, this.#unsettled]) mkdirSync(inside, { recursive: true, mode: 0o700 });
    // A folder that belongs to another user would make uploads fail later.
    for (const name of readdirSync(folder)) {
      if (ownFolder.test(name)) accessSync(join(folder, name), constants.R_OK | constants.W_OK | constants.X_OK);
    }
  }

  /**
   * Deletes what interrupted uploads and removals left behind. Only for the process that holds the folder's lock, before
   * it receives.
   * @param isHeld whether there is a record of a file
   * @param isAwaited whether a file that was received is to be read yet, by its name
   */
  sweep(isHeld: (sha256: string) => boolean, isAwaited: (name: string) => boolean): void {
    for (const name of readdirSync(this.#incoming))
      if (!isAwaited(name)) rmSync(join(this.#incoming, name), { force: true });
    for (const name of readdirSync(this.#unsettled)) {
      if (isSha256(name) && !isHeld(name)) rmSync(this.#path(name), { force: true });
      rmSync(join(this.#unsettled, name), { force: true });
    }
  }

  /**
   * Takes bytes as they arrive: hashes and encrypts them into a temporary file, durable when this resolves.
   * @throws ReceiveError; the stream's own error where it fails
   */
  async receive(bytes: AsyncIterable<Uint8Array>, options: ReceiveOptions = {}): Promise<ReceivedFile> {
    const { expectedSha256, maxBytes = Number.POSITIVE_INFINITY, signal } = options;
    const writer = await createSealedWriter(join(this.#incoming, randomUUID()), this.#masterKey, {
      isDurable: this.#isDurable,
    });
    try {
      const hashes = { md5: createHash('md5'), sha1: createHash('sha1'), sha256: createHash('sha256') };
      let size = 0;
      for await (const piece of bytes) {
        size += piece.length;
        if (size > maxBytes) throw new ReceiveError('too-large', `The file is larger than ${maxBytes} bytes.`);
        if (signal?.aborted) throw new ReceiveError('aborted', 'The upload was stopped before its end.');
        hashes.md5.update(piece);
        hashes.sha1.update(piece);
        hashes.sha256.update(piece);
        await writer.write(piece);
      }
      if (signal?.aborted) throw new ReceiveError('aborted', 'The upload was stopped before its end.');
      if (size === 0) throw new ReceiveError('empty', 'The file is empty.');
      const sha256 = hashes.sha256.digest('hex');
      if (expectedSha256 !== undefined && expectedSha256.toLowerCase() !== sha256) {
        throw new ReceiveError('wrong-sha256', `The bytes have the sha256 ${sha256}, expected was ${expectedSha256}.`);
      }
      await writer.finish();
      return this.#received(writer, {
        sha256,
        sha1: hashes.sha1.digest('hex'),
        md5: hashes.md5.digest('hex'),
        size,
      });
    } catch (error) {
      await writer.discard();
      throw error;
    }
  }

  #received(writer: SealedWriter, described: Pick<ReceivedFile, 'sha256' | 'sha1' | 'md5' | 'size'>): ReceivedFile {
    let isCommitted = false;
    return {
      ...described,
      name: basename(writer.path),
      reference: { kind: 'sealed', path: writer.path, key: Buffer.from(writer.key).toString('base64') },
      commit: async () => {
        const path = this.#path(described.sha256);
        const folder = dirname(path);
        const isNewFolder = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
        if (isNewFolder && this.#isDurable) {
          await syncFolder(dirname(folder));
          await syncFolder(this.folder);
        }
        await this.#unsettle(described.sha256);
        isCommitted = true;
        await writer.moveTo(path);
        this.#onState(described.sha256, 'ok');
      },
      discard: async () => {
        await writer.discard();
        if (isCommitted) await this.#settle(described.sha256);
      },
    };
  }

  /** What a worker needs to read a file that was received, by its name; null: it is gone, or not what was received. */
  receivedReference(name: string): FileReference | null {
    const path = this.#receivedPath(name);
    try {
      return { kind: 'sealed', path, key: Buffer.from(fileKey(this.#masterKey, readSalt(path))).toString('base64') };
    } catch (error) {
      if (error instanceof SealedFileError) return null;
      throw error;
    }
  }

  /** Deletes a file that was received, where it still is. */
  discardReceived(name: string): Promise<void> {
    return rm(this.#receivedPath(name), { force: true });
  }

  /** What a worker needs to read a stored file. @throws StoredFileError */
  fileReference(sha256: string): FileReference {
    const path = this.#path(sha256);
    return { kind: 'sealed', path, key: Buffer.from(this.#key(sha256)).toString('base64') };
  }

  /** @throws StoredFileError at once, and from `read` where the content was altered */
  open(sha256: string): ByteSource {
    const source = this.#guard(sha256, () => openSealedFile(this.#path(sha256), this.#key(sha256), keptBytes));
    return {
      size: source.size,
      read: (offset, length) => this.#guard(sha256, () => source.read(offset, length)),
      close: () => source.close(),
    };
  }

  /**
   * Bytes `[start, end)`, the whole file by default.
   * @throws StoredFileError at once where the file or its first piece is damaged; damage found later destroys the stream
   *   with the error
   */
  stream(sha256: string, start = 0, end?: number): Readable {
    const source = this.open(sha256);
    const stop = Math.min(end ?? source.size, source.size);
    let position = start;
    const next = (): Uint8Array | null => {
      if (position >= stop) return null;
      const piece = source.read(position, Math.min(stepBytes, stop - position));
      position += piece.length;
      return piece;
    };
    let first: Uint8Array | null;
    try {
      first = next();
    } catch (error) {
      source.close();
      throw error;
    }
    return new Readable({
      highWaterMark: stepBytes,
      read() {
        try {
          this.push(first ?? next());
          first = null;
        } catch (error) {
          this.destroy(error as Error);
        }
      },
      destroy(error, done) {
        source.close();
        done(error);
      },
    });
  }

  /** Reads the whole file and compares its hash, without keeping other work waiting. */
  async verify(sha256: string): Promise<'ok' | 'missing' | 'altered'> {
    try {
      const source = this.open(sha256);
      try {
        const hash = createHash('sha256');
        for (let position = 0; position < source.size; position += stepBytes) {
          hash.update(source.read(position, stepBytes));
          await nextTurn();
        }
        const state = hash.digest('hex') === sha256 ? 'ok' : 'altered';
        this.#onState(sha256, state);
        return state;
      } finally {
        source.close();
      }
    } catch (error) {
      if (error instanceof StoredFileError) return error.code;
      throw error;
    }
  }

  /** A quick check: whether the file exists, with an authentic header and the right length. */
  inspect(sha256: string): 'ok' | 'missing' | 'altered' {
    try {
      this.open(sha256).close();
      return 'ok';
    } catch (error) {
      if (error instanceof StoredFileError) return error.code;
      throw error;
    }
  }

  /** @returns whether the file was there */
  async remove(sha256: string): Promise<boolean> {
    const path = this.#path(sha256);
    try {
      await rm(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    return true;
  }

  /**
   * Removes a stored file and its record; if the process ends in between, the next start finishes it.
   * @param forget deletes the record
   */
  async removeWith(sha256: string, forget: () => Promise<unknown>): Promise<void> {
    try {
      await this.#unsettle(sha256);
      await forget();
    } catch (error) {
      if (storageFaultOf(error) === null) throw error;
      // On a disk without any room the file makes what the record's deletion takes.
      await this.remove(sha256);
      await forget();
    }
    await this.remove(sha256);
    await this.#settle(sha256);
  }

  #unsettle(sha256: string): Promise<void> {
    return writeFile(join(this.#unsettled, sha256), '');
  }

  #settle(sha256: string): Promise<void> {
    return rm(join(this.#unsettled, sha256), { force: true });
  }

  /** Bytes sealed with the master key, to be stored elsewhere. */
  seal(bytes: Uint8Array): Buffer {
    return sealBytes(bytes, this.#masterKey);
  }

  /** @throws SealedFileError where they were not sealed here, or altered since */
  unseal(sealed: Uint8Array): Buffer {
    return openBytes(sealed, this.#masterKey);
  }

  #receivedPath(name: string): string {
    if (!isReceived(name)) throw new TypeError(`${name} is no name of a received file`);
    return join(this.#incoming, name);
  }

  #path(sha256: string): string {
    if (!isSha256(sha256)) throw new TypeError(`${sha256} is not a sha256 in lower-case hex`);
    return join(this.folder, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }

  #key(sha256: string): Uint8Array {
    return this.#guard(sha256, () => fileKey(this.#masterKey, readSalt(this.#path(sha256))));
  }

  /** Runs an access to a stored file; what is wrong with the file is told to `onState` and thrown as `StoredFileError`. */
  #guard<T>(sha256: string, access: () => T): T {
    try {
      return access();
    } catch (error) {
      const { code: fault = '', message } = error as NodeJS.ErrnoException;
      if (!(error instanceof SealedFileError) && !unreadable.includes(fault)) throw error;
      const code = fault === 'missing' ? 'missing' : 'altered';
      this.#onState(sha256, code);
      throw new StoredFileError(code, sha256, `The stored file of ${sha256} is ${code}: ${message}`);
    }
  }
}
