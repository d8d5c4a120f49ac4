// The content-addressed, encrypted store of APK files. Knows nothing of APKs or of the catalogue's records.
import type { Readable } from 'node:stream';
import type { FileReference } from '../contract/engine.ts';
import type { ByteSource } from '../vault/byte-source.ts';

/** Bytes that have arrived in full and wait, encrypted in a temporary file, for a decision. */
export interface ReceivedFile {
  sha256: string;
  sha1: string;
  md5: string;
  size: number;
  /** Where a worker reads the file before it is committed. */
  reference: FileReference;
  /** Puts the file in its place, durably; a second file of the same content replaces the first, unharmed. */
  commit(): Promise<void>;
  /** Deletes the temporary file; after `commit` it does nothing. */
  discard(): Promise<void>;
}

export interface ReceiveOptions {
  /** Lower-case hex. */
  expectedSha256?: string | undefined;
  maxBytes?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** Why bytes were not taken. `aborted`: the sender stopped before the end. */
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

export interface FileStore {
  /** The folder that workers must be able to read. */
  readonly folder: string;
  /** @throws ReceiveError; the stream's own error where it fails */
  receive(bytes: AsyncIterable<Uint8Array>, options?: ReceiveOptions): Promise<ReceivedFile>;
  fileReference(sha256: string): FileReference;
  /** @throws StoredFileError */
  open(sha256: string): ByteSource;
  /** Bytes `[start, end)`, the whole file by default. @throws StoredFileError; later faults destroy the stream with it */
  stream(sha256: string, start?: number, end?: number): Readable;
  /** Reads the whole file and compares its hash. */
  verify(sha256: string): Promise<'ok' | 'missing' | 'altered'>;
  /** Cheap: is the file there, with a whole header and the right length? */
  inspect(sha256: string): 'ok' | 'missing' | 'altered';
  remove(sha256: string): Promise<boolean>;
}
