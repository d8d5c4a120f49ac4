// 7z, RAR and tar archives, the latter compressed too, by libarchive as WebAssembly. Knows nothing of what is in their files.
// libarchive itself opens no locked 7z; `seven-zip-lock.ts` takes the lock away before.
import { type LibarchiveWasm, libarchiveWasm } from 'libarchive-wasm';
import { type ArchiveKind, archiveKind } from '../../contract/catalogue/archive-signatures.ts';
import type { BundleEntry } from '../../contract/process-line/bundles.ts';
import { maxBundleName } from '../../contract/process-line/limits.ts';
import { exactSize } from '../../contract/quantity.ts';
import type { Allowance, Archive, Source } from './archive.ts';
import { sevenZipLock, sevenZipNames } from './seven-zip-lock.ts';
import { openTar } from './tar-archive.ts';

/** WebAssembly of 32 bits holds the archive, and a dictionary to unpack it. */
const maxPackedBytes = 1024 ** 3;
/** What of a file is unpacked to learn whether a password fits. */
const proofBytes = 8 * 1024 ** 2;
const pieceLength = 1 << 20;
/** The library takes what ends like a ZIP file for one, as an archive does whose last file is a stored APK. It looks no farther back. */
const endLength = 65_536;
/** `AE_IFREG` of libarchive, and what an archive says nothing of. */
const fileTypes: readonly number[] = [0o100000, 0];

const hasOwnEnd = (bytes: Uint8Array): boolean =>
  archiveKind(bytes) !== 'packed' || archiveKind(bytes.subarray(0, 257)) === null;

/** One for all: archives that are open at once share its memory. */
let library: Promise<LibarchiveWasm> | undefined;

/**
 * An archive in the memory of the library, read from its first file to its last. Whatever ends in WebAssembly's own error leaves
 * that memory in any state: the process has to end then.
 */
class Reading {
  readonly #library: LibarchiveWasm;
  readonly #bytes: number;
  readonly #length: number;
  readonly #piece: number;
  #archive = 0;

  private constructor(from: LibarchiveWasm, bytes: Uint8Array) {
    this.#library = from;
    const { module } = from;
    // Behind what was compressed as a whole zeros would be damage, and no ZIP file is looked for.
    this.#length = bytes.length + (hasOwnEnd(bytes) ? endLength : 0);
    this.#bytes = module._malloc(this.#length);
    this.#piece = module._malloc(pieceLength);
    if (this.#bytes === 0 || this.#piece === 0) throw new Error('not enough memory for this archive');
    module.HEAP8.set(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), this.#bytes);
    module.HEAP8.fill(0, this.#bytes + bytes.length, this.#bytes + this.#length);
  }

  static async open(bytes: Uint8Array): Promise<Reading> {
    library ??= libarchiveWasm();
    return new Reading(await library, bytes);
  }

  /** Before its first file. @throws Error with libarchive's words */
  rewind(): void {
    if (this.#archive !== 0) this.#library.read_free(this.#archive);
    this.#archive = this.#library.read_new();
    this.#library.read_support_filter_all(this.#archive);
    this.#library.read_support_format_all(this.#archive);
    this.#library.read_open_memory(this.#archive, this.#bytes, this.#length);
  }

  /** Null behind the last one. Of sizes the lower 32 bits come. @throws Error with libarchive's words */
  next(): { name: string | null; size: number; isFile: boolean; isLocked: boolean } | null {
    const entry = this.#library.read_next_entry(this.#archive);
    if (entry === 0) {
      const fault = this.#library.error_string(this.#archive);
      if (fault) throw new Error(fault);
      return null;
    }
    return {
      name: this.#library.entry_pathname(entry),
      size: this.#library.entry_size(entry) >>> 0,
      isFile: fileTypes.includes(this.#library.entry_filetype(entry)),
      isLocked: this.#library.entry_is_encrypted(entry) !== 0,
    };
  }

  /** Of the file that `next` came to. Returning false ends it. @throws Error with libarchive's words */
  data(onBytes: (bytes: Uint8Array<ArrayBuffer>) => boolean): void {
    for (;;) {
      const length = this.#library.read_data(this.#archive, this.#piece, pieceLength);
      if (length === 0) return;
      const bytes = this.#library.module.HEAP8.slice(this.#piece, this.#piece + length);
      if (!onBytes(new Uint8Array(bytes.buffer as ArrayBuffer))) return;
    }
  }

  close(): void {
    if (this.#archive !== 0) this.#library.read_free(this.#archive);
    this.#library.module._free(this.#piece);
    this.#library.module._free(this.#bytes);
  }
}

interface ListedFile extends BundleEntry {
  /** Among all that the archive lists. */
  place: number;
}

class PackedArchive implements Archive {
  readonly entries: readonly BundleEntry[];
  readonly #reading: Reading;
  /** Where each file stands among all that the archive lists. */
  readonly #places: readonly number[];
  /** What `next` comes to; none before the first `rewind`. */
  #place = Number.POSITIVE_INFINITY;

  constructor(reading: Reading, files: readonly ListedFile[]) {
    this.#reading = reading;
    this.#places = files.map(({ place }) => place);
    this.entries = files.map(({ name, size }) => ({ name, size }));
  }

  async read(index: number, onBytes: (bytes: Uint8Array<ArrayBuffer>) => boolean): Promise<void> {
    const wanted = this.#places[index]!;
    if (wanted < this.#place) {
      this.#reading.rewind();
      this.#place = 0;
    }
    for (;;) {
      const entry = this.#reading.next();
      if (entry === null) throw new Error('the archive ends before this file');
      this.#place += 1;
      if (this.#place <= wanted) continue;
      if (entry.isLocked) throw new Error('locked, in a format whose locks cannot be opened here');
      this.#reading.data(onBytes);
      return;
    }
  }

  close(): void {
    this.#reading.close();
  }
}

/**
 * The archive's files.
 * @param names of all that the archive lists, in its order, where the library has only those in ASCII
 * @throws Error
 */
function filesOf(
  reading: Reading,
  kind: ArchiveKind,
  allowance: Allowance,
  names: readonly string[] | null,
): ListedFile[] {
  const files: ListedFile[] = [];
  reading.rewind();
  for (let place = 0; ; place++) {
    const entry = reading.next();
    if (entry === null) return files;
    allowance.list(files.length);
    const name = (names?.[place] || entry.name || `file ${place + 1}`).slice(0, maxBundleName);
    // Of what was compressed as a whole all is unpacked on the way to the next file.
    const size = kind === 'packed' ? unpackedSize(reading, allowance) : entry.size;
    if (entry.isFile) files.push({ name, size, place });
  }
}

function unpackedSize(reading: Reading, allowance: Allowance): number {
  let size = 0;
  reading.data(({ length }) => {
    allowance.spend(length);
    size += length;
    return true;
  });
  return size;
}

/** The beginning of the first file that has any bytes. @throws Error */
async function firstBytes(archive: Uint8Array, max: number): Promise<Buffer> {
  const reading = await Reading.open(archive);
  const pieces: Uint8Array[] = [];
  let left = max;
  try {
    reading.rewind();
    for (let entry = reading.next(); entry !== null && pieces.length === 0; entry = reading.next()) {
      reading.data((piece) => {
        pieces.push(piece);
        left -= piece.length;
        return left > 0;
      });
    }
  } finally {
    reading.close();
  }
  return Buffer.concat(pieces);
}

/** @returns the archive without its lock, if it has one @throws Error where no password fits */
async function withoutLock(bytes: Buffer, passwords: readonly string[]): Promise<Buffer> {
  const lock = await sevenZipLock(bytes, firstBytes);
  if (lock === null) return bytes;
  for (const password of passwords) {
    try {
      const archive = await lock.open(password);
      await firstBytes(archive, proofBytes);
      return archive;
    } catch (error) {
      // Another password gives other bytes, which are no archive.
      if (error instanceof WebAssembly.RuntimeError) throw error;
    }
  }
  throw new Error('locked with a password that is none of those known here');
}

/** @throws Error where it cannot be read, or is too large */
export async function openPacked(
  source: Source,
  kind: ArchiveKind,
  passwords: readonly string[],
  allowance: Allowance,
): Promise<Archive> {
  if (source.size > maxPackedBytes) throw new Error(`larger than ${exactSize(maxPackedBytes)}: only ZIP files may be`);
  const { buffer, byteOffset, length } = source.read(0, source.size);
  const given = Buffer.from(buffer, byteOffset, length);
  const tar = kind === 'packed' ? openTar(given, maxPackedBytes, allowance) : null;
  if (tar !== null) {
    source.close();
    return tar;
  }
  const bytes = kind === '7z' ? await withoutLock(given, passwords) : given;
  const names = kind === '7z' ? await sevenZipNames(bytes, firstBytes) : null;
  const reading = await Reading.open(bytes);
  try {
    const archive = new PackedArchive(reading, filesOf(reading, kind, allowance, names));
    source.close();
    return archive;
  } catch (error) {
    reading.close();
    throw error;
  }
}
