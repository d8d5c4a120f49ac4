// The format of a sealed collection: pieces of JSON, each after its length, and the bytes of files after the piece that names them; all
// of it sealed by a passphrase. Knows no catalogue.
import { rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import {
  type CollectedFile,
  type CollectionHeader,
  type CollectionPiece,
  collectionHeaderSchema,
  collectionPieceSchema,
} from '../../../contract/workstation/collection.ts';
import type { ByteSource } from '../../../vault/byte-source.ts';
import { createPassphraseWriter, openPassphraseSealed } from '../../../vault/passphrase-seal.ts';
import { SealedFileError } from '../../../vault/sealed-format.ts';
import type { SealedWriter } from '../../../vault/sealed-writer.ts';

const lengthBytes = 4;
/** Bytes of the largest piece: a case of 10,000 APKs takes some 8 MB. */
const maxPieceBytes = 64 * 1024 ** 2;
/** Bytes that are read at a time. */
const stepBytes = 1024 ** 2;

/** The file is no sealed collection that can be read; the message says why. */
export class CollectionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CollectionError';
  }
}

const reasons: Record<SealedFileError['code'], string> = {
  altered: 'The passphrase is another one, or the file was altered.',
  truncated: 'The file is cut: some of it is missing at its end.',
  missing: 'There is no such file.',
  'not-sealed': 'This is no sealed collection.',
};

const asCollectionError = (error: unknown): unknown =>
  error instanceof SealedFileError ? new CollectionError(reasons[error.code]) : error;

/** Writes one; until `finish` nothing stands at its path. */
export class CollectionWriter {
  readonly #path: string;
  readonly #sealed: SealedWriter;

  private constructor(path: string, sealed: SealedWriter) {
    this.#path = path;
    this.#sealed = sealed;
  }

  /** @throws the system's error where no file can be made there */
  static async create(path: string, passphrase: string, header: CollectionHeader): Promise<CollectionWriter> {
    const partial = `${path}.partial`;
    // What an earlier one left that was killed.
    await rm(partial, { force: true });
    const writer = new CollectionWriter(path, await createPassphraseWriter(partial, passphrase));
    await writer.#json(header);
    return writer;
  }

  /** The files of an APK follow by `file`, in its order. */
  piece = (piece: CollectionPiece): Promise<void> => this.#json(piece);

  /** @throws Error where it has another size than the piece says */
  async file({ size, sha256 }: CollectedFile, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    let written = 0;
    for await (const chunk of bytes) {
      written += chunk.length;
      await this.#sealed.write(chunk);
    }
    if (written !== size) throw new Error(`${sha256} has ${written} of ${size} bytes`);
  }

  /** Ends it and puts it in its place. */
  async finish(): Promise<void> {
    await this.#json({ type: 'end' });
    await this.#sealed.finish();
    await this.#sealed.moveTo(this.#path);
  }

  /** Leaves nothing, unless it is finished. */
  discard = (): Promise<void> => this.#sealed.discard();

  async #json(value: CollectionHeader | CollectionPiece): Promise<void> {
    const bytes = Buffer.from(JSON.stringify(value));
    if (bytes.length > maxPieceBytes) throw new Error('More is said of it than a sealed collection can hold.');
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt32LE(bytes.length);
    await this.#sealed.write(length);
    await this.#sealed.write(bytes);
  }
}

/** Reads one that is whole and unaltered: both are known before the first piece is given. */
export class CollectionReader {
  readonly header: CollectionHeader;
  readonly #source: ByteSource;
  #position = 0;

  private constructor(source: ByteSource) {
    this.#source = source;
    this.header = this.#parsed(collectionHeaderSchema);
  }

  /** @throws CollectionError with the reason; the system's error */
  static async open(path: string, passphrase: string, signal: AbortSignal): Promise<CollectionReader> {
    try {
      const source = await openPassphraseSealed(path, passphrase);
      try {
        for (let position = 0; position < source.size; position += stepBytes) {
          source.read(position, stepBytes);
          signal.throwIfAborted();
          await setImmediate();
        }
        return new CollectionReader(source);
      } catch (error) {
        source.close();
        throw error;
      }
    } catch (error) {
      throw asCollectionError(error);
    }
  }

  /** The next piece, and the files of an APK's, whose `bytes` can be read until this is closed. @throws CollectionError */
  next(): { piece: CollectionPiece; files: { file: CollectedFile; bytes: () => AsyncGenerator<Uint8Array> }[] } {
    const piece = this.#parsed(collectionPieceSchema);
    const files = (piece.type === 'apk' ? piece.files : []).map((file) => {
      const start = this.#position;
      this.#position += file.size;
      return { file, bytes: () => this.#bytes(start, file.size) };
    });
    if (this.#position > this.#source.size) throw new CollectionError('It names files that are not in it.');
    return { piece, files };
  }

  /** Ends the reading. */
  close = (): void => this.#source.close();

  async *#bytes(start: number, size: number): AsyncGenerator<Uint8Array> {
    for (let position = start; position < start + size; position += stepBytes)
      yield this.#source.read(position, Math.min(stepBytes, start + size - position));
  }

  #parsed<T>(schema: { safeParse(value: unknown): { success: true; data: T } | { success: false } }): T {
    const length = this.#take(lengthBytes).readUInt32LE();
    if (length > maxPieceBytes) throw new CollectionError('It has a piece that is too large.');
    const text = this.#take(length).toString('utf8');
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw new CollectionError('It has a piece that is no JSON.');
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success)
      throw new CollectionError('It has a piece that this version of the workstation does not know.');
    return parsed.data;
  }

  #take(length: number): Buffer {
    const bytes = this.#source.read(this.#position, length);
    if (bytes.length < length) throw new CollectionError('It ends in the midst of a piece.');
    this.#position += length;
    return Buffer.from(bytes);
  }
}
