// Reads entries by the strict rules of Android's verifier, which takes no local header that contradicts the directory.
// Knows no signature.
import { FormatError } from '../byte-reader.ts';
import type { ZipArchive, ZipEntry } from '../zip/archive.ts';

const localSignature = 0x04034b50;
const headerLength = 30;
const descriptorFlag = 0x0008;
const zip64Mark = 0xffff_ffff;
/** Local headers of small entries lie close together: one read serves many. */
const windowLength = 16 * 1024;
/** Entries up to this size are unpacked in one piece. */
const maxWholeEntry = 256 * 1024 * 1024;
const pieceLength = 1024 * 1024;

export class SignedEntries {
  readonly #archive: ZipArchive;
  #window: Uint8Array = new Uint8Array(0);
  #windowOffset = 0;

  constructor(archive: ZipArchive) {
    this.#archive = archive;
  }

  /**
   * The unpacked content.
   * @throws FormatError where the local header contradicts the directory, or the content cannot be read whole
   */
  read(entry: ZipEntry, maxLength: number = maxWholeEntry): Uint8Array {
    this.checkLocalHeader(entry);
    const content = this.#archive.read(entry, maxLength);
    if (content.length !== entry.size) {
      throw this.#malformed(entry, `${entry.size} bytes are declared, ${content.length} are there`);
    }
    return content;
  }

  /** The content in pieces; only an entry that is stored comes in more than one. @throws FormatError as `read` */
  *pieces(entry: ZipEntry): Generator<Uint8Array> {
    if (entry.effectiveMethod !== 'stored' || entry.size <= maxWholeEntry) {
      yield this.read(entry);
      return;
    }
    this.checkLocalHeader(entry);
    const start = this.#archive.dataOffsetOf(entry);
    for (let at = 0; at < entry.size; at += pieceLength) {
      yield this.#archive.source.read(start + at, Math.min(pieceLength, entry.size - at));
    }
  }

  /** @throws FormatError where the local header contradicts the directory */
  checkLocalHeader(entry: ZipEntry): void {
    const problem = this.#localHeaderProblem(entry);
    if (problem !== null) throw this.#malformed(entry, problem);
  }

  #localHeaderProblem(entry: ZipEntry): string | null {
    const limit = this.#archive.centralDirectoryOffset;
    const { localHeaderOffset: offset, nameBytes, flags, compressedSize, size } = entry;
    if (offset + headerLength + nameBytes.length > limit) return 'its local header reaches into the central directory';
    const at = this.#see(offset, headerLength + nameBytes.length);
    const bytes = this.#window;
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (at + headerLength + nameBytes.length > bytes.length || view.getUint32(at, true) !== localSignature) {
      return 'it has no local header';
    }
    if (entry.method !== 0 && entry.effectiveMethod === 'stored') {
      return `Android takes its compression method ${entry.method} for deflate, which it is not`;
    }
    const hasDescriptor = (view.getUint16(at + 6, true) & descriptorFlag) !== 0;
    if (hasDescriptor !== ((flags & descriptorFlag) !== 0)) return 'local header and directory differ in flags';
    const nameStart = at + headerLength;
    const nameLength = view.getUint16(at + 26, true);
    if (
      Buffer.compare(bytes.subarray(nameStart, nameStart + Math.min(nameLength, nameBytes.length)), nameBytes) !== 0
    ) {
      return 'local header and directory differ in names';
    }
    const contentLength = entry.effectiveMethod === 'stored' ? size : compressedSize;
    if (offset + headerLength + nameLength + view.getUint16(at + 28, true) + contentLength > limit) {
      return 'its content reaches into the central directory';
    }
    if (hasDescriptor) return null;
    if (view.getUint32(at + 14, true) !== entry.crc32) return 'local header and directory differ in CRC';
    const localSizes = [view.getUint32(at + 18, true), view.getUint32(at + 22, true)];
    const differ = (local: number, declared: number) => local !== zip64Mark && local !== declared;
    if (differ(localSizes[0]!, compressedSize) || differ(localSizes[1]!, size)) {
      return 'local header and directory differ in sizes';
    }
    return null;
  }

  /** Makes the window hold the bytes. @returns their offset in it */
  #see(offset: number, length: number): number {
    const at = offset - this.#windowOffset;
    if (at >= 0 && at + length <= this.#window.length) return at;
    this.#window = this.#archive.source.read(offset, Math.max(windowLength, length));
    this.#windowOffset = offset;
    return 0;
  }

  #malformed(entry: ZipEntry, problem: string): FormatError {
    return new FormatError('malformed-zip-entry', entry.localHeaderOffset, `${entry.name}: ${problem}`);
  }
}
