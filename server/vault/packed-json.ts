// JSON text under compression: how reports are stored, and how they travel between processes. Knows nothing of what it says.
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** JSON text in UTF-8, compressed with zstd. */
export interface PackedJson {
  /** Length of the text in bytes. */
  size: number;
  compressed: Uint8Array;
}

/** Blocks its thread, by some 10 ms for a megabyte of text. */
export function packJson(value: unknown): PackedJson {
  const text = Buffer.from(JSON.stringify(value));
  return { size: text.length, compressed: zstdCompressSync(text) };
}

/** Blocks its thread, by some 10 ms for a megabyte of text. @throws where it is damaged */
export const unpackJson = <T>({ compressed }: Pick<PackedJson, 'compressed'>): T =>
  JSON.parse(zstdDecompressSync(compressed).toString()) as T;
