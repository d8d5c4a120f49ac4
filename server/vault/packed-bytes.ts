// Compressed bytes with their uncompressed length: reports in the store, and on their way there. Knows nothing of what
// they are.
import { promisify } from 'node:util';
import { constants, type ZstdOptions, zstdDecompress, zstdDecompressSync } from 'node:zlib';

export interface PackedBytes {
  /** Length before compression. */
  size: number;
  compressed: Uint8Array;
}

/** With a checksum, so that a flipped bit is noticed. */
export const packing: ZstdOptions = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** The compressed bytes are damaged. */
export class DamagedReportError extends Error {
  constructor(cause: unknown) {
    super('A stored report is damaged. Have the APK analysed again.', { cause });
    this.name = 'DamagedReportError';
  }
}

const decompress = promisify(zstdDecompress);

/** Bytes that are unpacked in a millisecond: under load the way to another thread and back takes far longer. */
const maxAtOnce = 1_000_000;
const minChunk = 64;

/**
 * Stops at the stated length. The output is one buffer: joining thousands of small ones would take longer than
 * decompressing them.
 */
const bounds = (size: number) => ({ maxOutputLength: Math.max(size, 1), chunkSize: Math.max(size + 1, minChunk) });

function checked(bytes: Buffer, size: number): Buffer {
  if (bytes.length !== size) throw new RangeError(`${bytes.length} bytes where ${size} were packed`);
  return bytes;
}

/** Blocks its thread, by about a millisecond for a megabyte. @throws DamagedReportError */
export function unpackBytesSync({ size, compressed }: PackedBytes): Buffer {
  try {
    return checked(zstdDecompressSync(compressed, bounds(size)), size);
  } catch (cause) {
    throw new DamagedReportError(cause);
  }
}

/** Runs off the main thread where the bytes are many. @throws DamagedReportError */
export async function unpackBytes(packed: PackedBytes): Promise<Buffer> {
  const { size, compressed } = packed;
  if (size <= maxAtOnce) return unpackBytesSync(packed);
  try {
    return checked(await decompress(compressed, bounds(size)), size);
  } catch (cause) {
    throw new DamagedReportError(cause);
  }
}
