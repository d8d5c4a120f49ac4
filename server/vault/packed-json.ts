// Compressed JSON text: how reports are stored and sent between processes. Knows nothing of their content.
import { zstdCompressSync } from 'node:zlib';
import { DamagedReportError, type PackedBytes, packing, unpackBytesSync } from './packed-bytes.ts';

/** Blocks its thread, by some 10 ms for a megabyte of text. */
export function packJson(value: unknown): PackedBytes {
  const text = Buffer.from(JSON.stringify(value));
  return { size: text.length, compressed: zstdCompressSync(text, packing) };
}

/** Blocks its thread, by some 10 ms for a megabyte of text. @throws DamagedReportError */
export function unpackJson<T>(packed: PackedBytes): T {
  const text = unpackBytesSync(packed);
  try {
    return JSON.parse(text.toString()) as T;
  } catch (cause) {
    throw new DamagedReportError(cause);
  }
}
