// Bytes under compression that say how many they are: reports in the store, and on their way there. Knows nothing of what
// they are.
import { promisify } from 'node:util';
import { constants, type ZstdOptions, zstdDecompress, zstdDecompressSync } from 'node:zlib';

export interface PackedBytes {
  /** Length before compression. */
  size: number;
  compressed: Uint8Array;
}

/** With a checksum: a bit that a disk has turned over must not become another fact. */
export const packing: ZstdOptions = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

/** What was packed is not what is there. */
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
 * What is larger than it says is not unpacked to its end. In one piece: to put thousands of small ones together would take
 * longer than to unpack them.
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

/** Off the main thread where that takes long. @throws DamagedReportError */
export async function unpackBytes(packed: PackedBytes): Promise<Buffer> {
  const { size, compressed } = packed;
  if (size <= maxAtOnce) return unpackBytesSync(packed);
  try {
    return checked(await decompress(compressed, bounds(size)), size);
  } catch (cause) {
    throw new DamagedReportError(cause);
  }
}
