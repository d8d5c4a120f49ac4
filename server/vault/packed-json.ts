// JSON text under compression: how reports are stored, and how they travel between processes. Knows nothing of what it says.
import { constants, type ZstdOptions, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** JSON text in UTF-8, compressed with zstd. */
export interface PackedJson {
  /** Length of the text in bytes. */
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

/** Blocks its thread, by some 10 ms for a megabyte of text. */
export function packJson(value: unknown): PackedJson {
  const text = Buffer.from(JSON.stringify(value));
  return { size: text.length, compressed: zstdCompressSync(text, packing) };
}

/** Blocks its thread, by some 10 ms for a megabyte of text. @throws DamagedReportError */
export function unpackJson<T>({ compressed }: Pick<PackedJson, 'compressed'>): T {
  try {
    return JSON.parse(zstdDecompressSync(compressed).toString()) as T;
  } catch (cause) {
    throw new DamagedReportError(cause);
  }
}
