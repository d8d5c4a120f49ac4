// Reads ZIP files of APKs, encrypted ones too, file by file. Knows nothing of what is in those files.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { configure, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js';
import type { BundleEntry } from '../../contract/process-line/bundles.ts';
import { maxBundleEntries } from '../../contract/process-line/limits.ts';
import { exactSize } from '../../contract/quantity.ts';

configure({ useWebWorkers: false });

/** The password that collections of malware are conventionally locked with. */
const password = 'infected';

/** zip.js's view of a file that is read as it is needed, not loaded. */
class DescriptorReader extends Reader<number> {
  readonly #descriptor: number;

  constructor(descriptor: number) {
    super(descriptor);
    this.#descriptor = descriptor;
    this.size = fstatSync(descriptor).size;
  }

  override readUint8Array(index: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(Math.min(length, this.size - index));
    const count = readSync(this.#descriptor, bytes, 0, bytes.length, index);
    return Promise.resolve(bytes.subarray(0, count));
  }
}

/** One ZIP file at a time. */
export class BundleReader {
  #descriptor: number | undefined;
  #files: FileEntry[] = [];

  /** @throws the system's errors; Error where it is no ZIP file, or one of too many files */
  async open(path: string): Promise<BundleEntry[]> {
    this.close();
    this.#descriptor = openSync(path, 'r');
    const reader = new ZipReader(new DescriptorReader(this.#descriptor), { password, checkSignature: true });
    for await (const entry of reader.getEntriesGenerator()) {
      if (this.#files.length === maxBundleEntries) throw new Error(`more than ${maxBundleEntries} files`);
      if (!entry.directory) this.#files.push(entry as FileEntry);
    }
    return this.#files.map(({ filename, uncompressedSize }) => ({ name: filename, size: uncompressedSize }));
  }

  /**
   * Hands the file's bytes over in step with its reader.
   * @throws Error where it is damaged, locked otherwise, or larger
   */
  async read(index: number, maxBytes: number, onBytes: (bytes: Uint8Array<ArrayBuffer>) => void): Promise<void> {
    let size = 0;
    const tooLarge = new Error(`larger than ${exactSize(maxBytes)}`);
    const output = new WritableStream<Uint8Array<ArrayBuffer>>({
      write(bytes) {
        size += bytes.length;
        if (size > maxBytes) throw tooLarge;
        onBytes(bytes);
      },
    });
    try {
      await this.#files[index]!.getData(output);
    } catch (error) {
      // Of a file that comes in one piece zip.js tells that the stream was closed, not by what.
      throw size > maxBytes ? tooLarge : error;
    }
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
    this.#files = [];
  }
}
