// Opens a well-formed ZIP file, whose entries are then read by yauzl. Knows nothing of what is in it.
import { Readable } from 'node:stream';
import yauzl from 'yauzl';
import type { ByteSource } from '../../vault/byte-source.ts';

const pieceLength = 1_048_576;

/**
 * Opens the file that a source holds; closing the ZIP file closes the source.
 * @throws Error that says why it is no ZIP file
 */
export async function openZipSource(source: ByteSource): Promise<yauzl.ZipFile> {
  const options = { lazyEntries: true, autoClose: false } as const;
  try {
    return await yauzl.fromRandomAccessReaderPromise(new SourceReader(source), source.size, options);
  } catch (error) {
    source.close();
    throw error;
  }
}

/**
 * Replaces yauzl's own file reader, which crashes the process on offsets beyond 2^53. It reports short reads: otherwise
 * yauzl would take the rest of its buffer for bytes of the file.
 */
class SourceReader extends yauzl.RandomAccessReader {
  readonly #source: ByteSource;

  constructor(source: ByteSource) {
    super();
    this.#source = source;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    let bytes: Uint8Array;
    try {
      bytes = this.#source.read(position, length);
    } catch (error) {
      return void setImmediate(callback, error as Error);
    }
    buffer.set(bytes, offset);
    setImmediate(callback, null, bytes.length);
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const source = this.#source;
    const pieces = function* () {
      for (let at = start; at < end; at += pieceLength) yield source.read(at, Math.min(pieceLength, end - at));
    };
    return Readable.from(pieces());
  }

  override close(callback: (error: Error | null) => void): void {
    this.#source.close();
    callback(null);
  }
}
