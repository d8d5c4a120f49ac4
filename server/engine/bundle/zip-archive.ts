// ZIP files, encrypted ones too. Knows nothing of what is in their files.
import { configure, ERR_INVALID_PASSWORD, type FileEntry, Reader, ZipReader } from '@zip.js/zip.js';
import type { BundleEntry } from '../../contract/process-line/bundles.ts';
import type { Allowance, Archive, Source } from './archive.ts';

configure({ useWebWorkers: false });

class SourceReader extends Reader<Source> {
  readonly #source: Source;

  constructor(source: Source) {
    super(source);
    this.#source = source;
    this.size = source.size;
  }

  override readUint8Array(index: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    return Promise.resolve(this.#source.read(index, length));
  }
}

/** Sends nothing on; what is written to it is thrown away. */
const nowhere = () => new WritableStream<Uint8Array<ArrayBuffer>>();

class ZipArchive implements Archive {
  readonly entries: readonly BundleEntry[];
  readonly #source: Source;
  readonly #files: readonly FileEntry[];
  /** The one that opened a file comes first. */
  #passwords: readonly string[];

  constructor(source: Source, files: readonly FileEntry[], passwords: readonly string[]) {
    this.#source = source;
    this.#files = files;
    this.#passwords = passwords;
    this.entries = files.map(({ filename, uncompressedSize }) => ({ name: filename, size: uncompressedSize }));
  }

  async read(index: number, onBytes: (bytes: Uint8Array<ArrayBuffer>) => boolean): Promise<void> {
    const file = this.#files[index]!;
    const password = file.encrypted ? await this.#passwordOf(file) : undefined;
    let fault: unknown;
    let isEnded = false;
    const output = new WritableStream<Uint8Array<ArrayBuffer>>({
      write(bytes) {
        try {
          isEnded = !onBytes(bytes);
        } catch (error) {
          fault = error;
        }
        if (isEnded || fault !== undefined) throw new Error('no more is wanted');
      },
    });
    try {
      await file.getData(output, { checkSignature: true, ...(password !== undefined && { password }) });
    } catch (error) {
      // Of a file that comes in one piece zip.js tells that the stream was closed, not by what.
      if (fault !== undefined) throw fault;
      if (!isEnded) throw error;
    }
  }

  /** @throws Error where none of them fits */
  async #passwordOf(file: FileEntry): Promise<string> {
    for (const password of this.#passwords) {
      try {
        await file.getData(nowhere(), { password, checkPasswordOnly: true });
      } catch (error) {
        if ((error as Error).message === ERR_INVALID_PASSWORD) continue;
        throw error;
      }
      this.#passwords = [password, ...this.#passwords.filter((other) => other !== password)];
      return password;
    }
    throw new Error('locked with a password that is none of those known here');
  }

  close(): void {
    this.#source.close();
  }
}

/** @throws Error where it is no ZIP file, or one of too many files */
export async function openZip(source: Source, passwords: readonly string[], allowance: Allowance): Promise<Archive> {
  const files: FileEntry[] = [];
  for await (const entry of new ZipReader(new SourceReader(source)).getEntriesGenerator()) {
    allowance.list(files.length);
    if (!entry.directory) files.push(entry as FileEntry);
  }
  return new ZipArchive(source, files, passwords);
}
