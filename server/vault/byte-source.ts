// Random access to the bytes of one file, whether plain, in memory or sealed. Knows nothing of APKs or of the catalogue.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/**
 * Seekable, read-only bytes. Reads are synchronous: a worker process handles one job at a time, and a synchronous
 * positioned read of a cached page is cheaper than any promise around it.
 */
export interface ByteSource {
  /** Length in bytes. */
  readonly size: number;
  /**
   * Bytes `[offset, offset + length)`, shorter only where the source ends first. The result may share memory with the
   * source and must not be written to.
   */
  read(offset: number, length: number): Uint8Array;
  close(): void;
}

/** A byte source over an array that is already in memory. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.length,
    read: (offset, length) => bytes.subarray(Math.min(offset, bytes.length), Math.min(offset + length, bytes.length)),
    close: () => undefined,
  };
}

/**
 * Opens a plain file for reading.
 * @throws the file system's error where the file cannot be opened
 */
export function fileSource(path: string): ByteSource {
  const descriptor = openSync(path, 'r');
  const { size } = fstatSync(descriptor);
  return {
    size,
    read(offset, length) {
      const wanted = Math.max(0, Math.min(length, size - offset));
      const bytes = Buffer.allocUnsafeSlow(wanted);
      let filled = 0;
      while (filled < wanted) {
        const count = readSync(descriptor, bytes, filled, wanted - filled, offset + filled);
        if (count === 0) break;
        filled += count;
      }
      return filled === wanted ? bytes : bytes.subarray(0, filled);
    },
    close: () => closeSync(descriptor),
  };
}
