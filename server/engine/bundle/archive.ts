// What an archive is to whoever reads it. Knows no format.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { BundleEntry } from '../../contract/process-line/bundles.ts';
import { maxBundleEntries } from '../../contract/process-line/limits.ts';
import { exactSize } from '../../contract/quantity.ts';

export interface Archive {
  /** Files alone: no folders, no links. */
  readonly entries: readonly BundleEntry[];
  /**
   * Hands a file's bytes over piece by piece. Returning false ends it.
   * @throws Error where it is damaged or locked
   */
  read(index: number, onBytes: (bytes: Uint8Array<ArrayBuffer>) => boolean): Promise<void>;
  close(): void;
}

/** Bytes of an archive, wherever they lie. */
export interface Source {
  readonly size: number;
  /** Fewer at the end. */
  read(offset: number, length: number): Uint8Array<ArrayBuffer>;
  close(): void;
}

/** A file that is read as it is needed, not loaded. @throws the system's errors */
export function fileSource(path: string): Source {
  const descriptor = openSync(path, 'r');
  const { size } = fstatSync(descriptor);
  return {
    size,
    read(offset, length) {
      const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)));
      return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
    },
    close: () => closeSync(descriptor),
  };
}

/** Bytes at hand. */
export const heldSource = (bytes: Uint8Array<ArrayBuffer>): Source => ({
  size: bytes.length,
  read: (offset, length) => bytes.subarray(offset, offset + length),
  close: () => undefined,
});

/** Unpacked so far, against what an archive may come to: however it is nested, it ends. */
export class Allowance {
  readonly #maxBytes: number;
  #bytes = 0;
  #entries = 0;

  /**
   * Versions of one app in a solid archive come to a hundred times its size, read twice.
   * @param size of the outermost archive
   * @param least what every archive may come to
   */
  constructor(size: number, least = 4 * 1024 ** 3) {
    this.#maxBytes = least + 200 * size;
  }

  /** @throws Error */
  spend(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) throw new Error(`it unpacks to more than ${exactSize(this.#maxBytes)}`);
  }

  /** @param count files of the archive that were listed before this one @throws Error */
  list(count: number): void {
    this.#entries += 1;
    if (count >= maxBundleEntries) throw new Error(`more than ${maxBundleEntries} files`);
    if (this.#entries > 10 * maxBundleEntries) throw new Error('too many files in archives in each other');
  }
}
