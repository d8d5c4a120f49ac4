// Writes a segment of the content index: which files of which APKs have each fingerprint. Never changes one that is there.
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import type { SegmentApks } from './segment-apks.ts';

export const segmentMagic = Buffer.from('apk contents 2\n\0');
/** The footer: length of the tables, their SHA-256, the magic. */
export const footerLength = 4 + 32 + segmentMagic.length;

/** Fingerprints of a range that is read and checked at once. */
const printsPerRange = 512;
export const maxRangeBits = 16;
const bufferLength = 1 << 20;
/** Of one entry: five for the fingerprint, five for the number of groups, five for each group. */
const maxVarint = 5;

/** How many ranges fingerprints are parted into by their first bits. */
export const rangeBitsFor = (postings: number): number =>
  Math.max(0, Math.min(maxRangeBits, Math.ceil(Math.log2(Math.max(1, postings / printsPerRange)))));

/**
 * The file: entries, range by range; the tables (bits of a range, groups in all, length and CRC-32 of each range, the APKs);
 * the footer. An entry is the difference to the fingerprint before, doubled, and one more where several groups have it; then
 * how many beyond two; then each group's number less the one before. All are numbers of seven bits a byte.
 */
export class SegmentWriter {
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: number;
  readonly #shift: number;
  readonly #ranges: Uint32Array;
  #buffer = Buffer.allocUnsafe(bufferLength);
  #used = 0;
  /** Where the entries of this range begin that are still in the buffer. */
  #rangeStart = 0;
  #range = 0;
  #before = 0;
  #checksum = 0;
  #length = 0;
  #postings = 0;

  constructor(path: string, rangeBits: number) {
    this.#path = path;
    this.#temporary = `${path}.tmp`;
    this.#file = openSync(this.#temporary, 'w', 0o600);
    this.#shift = 32 - rangeBits;
    this.#ranges = new Uint32Array(2 * 2 ** rangeBits);
  }

  /** Adds the next fingerprint in rising order. @param groups in rising order, the first `count` of them */
  add(print: number, groups: ArrayLike<number>, count: number): void {
    const range = this.#shift === 32 ? 0 : print >>> this.#shift;
    while (this.#range < range) this.#endRange();
    this.#reserve((2 + count) * maxVarint);
    // In two parts: doubled it may be more than 32 bits.
    this.#put((print - this.#before) * 2 + (count > 1 ? 1 : 0));
    if (count > 1) this.#put(count - 2);
    this.#before = print;
    let last = 0;
    for (let index = 0; index < count; index++) {
      const group = groups[index]!;
      this.#put(group - last);
      last = group;
    }
    this.#postings += count;
  }

  /** Ends the file: it is there whole, or not at all. */
  finish(apks: SegmentApks): void {
    try {
      while (this.#range < this.#ranges.length / 2) this.#endRange();
      const head = Uint32Array.of(32 - this.#shift, apks.groupsCount, this.#postings);
      const tables = Buffer.concat([asBytes(head), asBytes(this.#ranges), ...apks.tables().map(asBytes)]);
      const length = Buffer.alloc(4);
      length.writeUInt32LE(tables.length);
      this.#flush();
      this.#write(Buffer.concat([tables, length, createHash('sha256').update(tables).digest(), segmentMagic]));
      fsyncSync(this.#file);
      closeSync(this.#file);
      renameSync(this.#temporary, this.#path);
    } catch (error) {
      this.abandon();
      throw error;
    }
  }

  /** Removes what was written so far. */
  abandon(): void {
    try {
      closeSync(this.#file);
    } catch {
      // It is closed already.
    }
    rmSync(this.#temporary, { force: true });
  }

  #endRange(): void {
    this.#check();
    this.#ranges[2 * this.#range] = this.#length;
    this.#ranges[2 * this.#range + 1] = this.#checksum;
    this.#range += 1;
    this.#before = this.#shift === 32 ? 0 : this.#range * 2 ** this.#shift;
    this.#length = 0;
    this.#checksum = 0;
  }

  /** Brings length and checksum of the range to what is in the buffer. */
  #check(): void {
    const part = this.#buffer.subarray(this.#rangeStart, this.#used);
    this.#checksum = crc32(part, this.#checksum);
    this.#length += part.length;
    this.#rangeStart = this.#used;
  }

  #reserve(length: number): void {
    if (this.#used + length <= this.#buffer.length) return;
    this.#flush();
    if (length > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(length);
  }

  #flush(): void {
    this.#check();
    this.#write(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
    this.#rangeStart = 0;
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }

  #put(number: number): void {
    const buffer = this.#buffer;
    let rest = number;
    while (rest > 0x7fff_ffff) {
      buffer[this.#used++] = 0x80 | (rest & 0x7f);
      rest = Math.floor(rest / 128);
    }
    while (rest > 0x7f) {
      buffer[this.#used++] = 0x80 | (rest & 0x7f);
      rest >>>= 7;
    }
    buffer[this.#used++] = rest;
  }
}

const asBytes = (numbers: Uint32Array | Float64Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
