// Writes a segment of the content index: which files of which APKs have each fingerprint. Never changes one that is there.
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { printBits } from '../../contract/engine/content-index.ts';
import { EntryRange } from './entry-coding.ts';
import type { SegmentApks } from './segment-apks.ts';

export const segmentMagic = Buffer.from('apk contents 3\n\0');
/** The footer: length of the tables, their SHA-256, the magic. */
export const footerLength = 4 + 32 + segmentMagic.length;

/** Fingerprints of a range that is read and checked at once. */
const printsPerRange = 512;
export const maxRangeBits = 16;
/** Bytes that are written at once. */
const bufferLength = 1 << 20;

/** How many ranges fingerprints are parted into by their first bits, as bits. */
export const rangeBitsFor = (postings: number): number =>
  Math.max(0, Math.min(maxRangeBits, Math.ceil(Math.log2(Math.max(1, postings / printsPerRange)))));

/**
 * The file: entries, range by range; the tables (bits of a range, groups in all, length and CRC-32 of each range, the APKs);
 * the footer.
 */
export class SegmentWriter {
  readonly #path: string;
  readonly #temporary: string;
  readonly #file: number;
  readonly #width: number;
  readonly #groupsCount: number;
  readonly #ranges: Uint32Array;
  readonly #entries = new EntryRange();
  /** Ranges that are not written yet. */
  #ended: Uint8Array[] = [];
  #endedLength = 0;
  #range = 0;
  #postings = 0;

  constructor(path: string, { rangeBits, groupsCount }: { rangeBits: number; groupsCount: number }) {
    this.#path = path;
    this.#temporary = `${path}.tmp`;
    this.#file = openSync(this.#temporary, 'w', 0o600);
    this.#width = 2 ** (printBits - rangeBits);
    this.#groupsCount = groupsCount;
    this.#ranges = new Uint32Array(2 * 2 ** rangeBits);
  }

  /** Adds the next fingerprint in rising order. @param groups in rising order, the first `count` of them */
  add(print: number, groups: ArrayLike<number>, count: number): void {
    while (print >= (this.#range + 1) * this.#width) this.#endRange();
    this.#entries.add(print, groups, count);
    this.#postings += count;
  }

  /** Ends the file: it is there whole, or not at all. */
  finish(apks: SegmentApks): void {
    try {
      while (this.#range < this.#ranges.length / 2) this.#endRange();
      const head = Uint32Array.of(Math.log2(this.#ranges.length / 2), this.#groupsCount, this.#postings);
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
    const bytes = this.#entries.take(this.#range * this.#width, this.#width, this.#groupsCount);
    this.#ranges[2 * this.#range] = bytes.length;
    this.#ranges[2 * this.#range + 1] = crc32(bytes);
    this.#range += 1;
    this.#ended.push(bytes);
    this.#endedLength += bytes.length;
    if (this.#endedLength >= bufferLength) this.#flush();
  }

  #flush(): void {
    this.#write(Buffer.concat(this.#ended));
    this.#ended = [];
    this.#endedLength = 0;
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at);
  }
}

const asBytes = (numbers: Uint32Array | Float64Array): Uint8Array =>
  new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
