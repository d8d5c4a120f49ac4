// Reads a segment of the content index. Whatever is read is checked first: a damaged one is as good as none.
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
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
  readonly #rangeBits: number;
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
      this.#rangeBits = Math.min(tables.readUInt32LE(0), maxRangeBits);
      this.postings = tables.readUInt32LE(8);
      const count = 2 ** this.#rangeBits;
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
    const range = this.#rangeBits === 0 ? 0 : print >>> (32 - this.#rangeBits);
    const cursor = new EntryCursor(this.range(range), this.firstOf(range));
    while (cursor.next()) {
      if (cursor.print === print) return cursor.groups.slice(0, cursor.count);
      if (cursor.print > print) return [];
    }
    return [];
  }

  /** The least fingerprint that a range may have. */
  firstOf(range: number): number {
    return this.#rangeBits === 0 ? 0 : range * 2 ** (32 - this.#rangeBits);
  }

  /** The entries of a range. @throws DamagedSegment */
  range(range: number): Uint8Array {
    const start = this.#starts[range]!;
    const bytes = this.#read(start, this.#starts[range + 1]! - start);
    if (crc32(bytes) !== this.#checksums[range]) throw new DamagedSegment(this.path);
    return bytes;
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

/** Goes through the entries of one range. */
export class EntryCursor {
  /** Of the entry. */
  print: number;
  /** The first `count` of them. */
  readonly groups: number[] = [];
  count = 0;
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array, first: number) {
    this.#bytes = bytes;
    this.print = first;
  }

  /** Goes on to the next entry. @returns whether there is one */
  next(): boolean {
    if (this.#at >= this.#bytes.length) return false;
    const head = this.#number();
    this.print += Math.floor(head / 2);
    this.count = head % 2 === 0 ? 1 : this.#number() + 2;
    let group = 0;
    for (let index = 0; index < this.count; index++) {
      group += this.#number();
      this.groups[index] = group;
    }
    return true;
  }

  #number(): number {
    let number = 0;
    let weight = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++]!;
      number += (byte & 0x7f) * weight;
      if (byte < 0x80) return number;
      weight *= 128;
    }
  }
}
