// Reads a segment of the content index. Whatever is read is checked first: a damaged one is as good as none.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { printBits } from '../../contract/engine/content-index.ts';
import { EntryCursor } from './entry-coding.ts';
import { SegmentApks } from './segment-apks.ts';
import { footerLength, maxRangeBits, segmentMagic } from './segment-writer.ts';

/** A segment that is not as it was written. */
export class DamagedSegment extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`a segment of the content index is damaged: ${path}`);
    this.path = path;
  }
}

const headLength = 12;

export class Segment {
  readonly path: string;
  readonly apks: SegmentApks;
  /** Bytes on the disk. */
  readonly size: number;
  /** Pairs of a fingerprint and a group. */
  readonly postings: number;
  readonly #file: number;
  /** Fingerprints that a range may have. */
  readonly #width: number;
  /** By range, where it begins; at the end where the last one ends. */
  readonly #starts: Float64Array;
  readonly #checksums: Uint32Array;

  /** @throws DamagedSegment */
  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, 'r');
    try {
      this.size = fstatSync(this.#file).size;
      const footer = this.#read(this.size - footerLength, footerLength);
      const tablesLength = footer.readUInt32LE(0);
      const tables = this.#read(this.size - footerLength - tablesLength, tablesLength);
      const isWhole =
        footer.subarray(36).equals(segmentMagic) &&
        createHash('sha256').update(tables).digest().equals(footer.subarray(4, 36));
      if (!isWhole) throw new DamagedSegment(path);
      const rangeBits = Math.min(tables.readUInt32LE(0), maxRangeBits);
      this.#width = 2 ** (printBits - rangeBits);
      this.postings = tables.readUInt32LE(8);
      const count = 2 ** rangeBits;
      const ranges = new Uint32Array(new Uint8Array(tables.subarray(headLength, headLength + 8 * count)).buffer);
      this.#starts = new Float64Array(count + 1);
      this.#checksums = new Uint32Array(count);
      for (let range = 0; range < count; range++) {
        this.#starts[range + 1] = this.#starts[range]! + ranges[2 * range]!;
        this.#checksums[range] = ranges[2 * range + 1]!;
      }
      this.apks = SegmentApks.read(tables, headLength + 8 * count, tables.readUInt32LE(4));
    } catch (error) {
      closeSync(this.#file);
      throw error instanceof DamagedSegment ? error : new DamagedSegment(path);
    }
  }

  get rangesCount(): number {
    return this.#checksums.length;
  }

  /** The groups that have a fingerprint, in rising order. @throws DamagedSegment */
  groupsWith(print: number): number[] {
    const cursor = this.entries(Math.floor(print / this.#width));
    while (cursor.next()) {
      if (cursor.print === print) return cursor.groups.slice(0, cursor.count);
      if (cursor.print > print) return [];
    }
    return [];
  }

  /** The entries of a range. @throws DamagedSegment */
  entries(range: number): EntryCursor {
    const start = this.#starts[range]!;
    const bytes = this.#read(start, this.#starts[range + 1]! - start);
    if (crc32(bytes) !== this.#checksums[range]) throw new DamagedSegment(this.path);
    const width = this.#width;
    return new EntryCursor(bytes, { first: range * width, width, groupsCount: this.apks.groupsCount });
  }

  /** Lets go of the file. */
  close(): void {
    closeSync(this.#file);
  }

  #read(start: number, length: number): Buffer {
    if (start < 0) throw new DamagedSegment(this.path);
    const bytes = Buffer.allocUnsafe(length);
    for (let read = 0; read < length; ) {
      const count = readSync(this.#file, bytes, read, length - read, start + read);
      if (count === 0) throw new DamagedSegment(this.path);
      read += count;
    }
    return bytes;
  }
}
