// The pages of a damaged SQLite database and of its write-ahead log. Knows no table.
import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

/*
 * https://sqlite.org/fileformat2.html: section 1.3 the header, 1.5 the freelist, 4 the write-ahead log.
 */
const magic = Buffer.from('SQLite format 3\0', 'latin1');
/** Maximum and minimum share of a page that a cell takes, and of a leaf: the same in every database. */
const shares = Buffer.from([64, 32, 32]);
/** Page size of every database that this program creates. */
const usualPageSize = 4096;

const isPageSize = (size: number): boolean => size >= 512 && size <= 65_536 && (size & (size - 1)) === 0;

export class DatabasePages {
  readonly pageSize: number;
  /** Usable bytes of a page, without those that extensions reserve at its end. */
  readonly usable: number;
  /** Pages are numbered from 1. */
  readonly count: number;
  readonly #descriptor: number;
  readonly #log: Map<number, Buffer>;

  /** @throws the system's errors */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
    const { size } = fstatSync(this.#descriptor);
    const header = Buffer.alloc(100);
    readSync(this.#descriptor, header, 0, 100, 0);
    const named = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
    const isWhole = magic.equals(header.subarray(0, 16)) && shares.equals(header.subarray(21, 24));
    this.pageSize = isWhole && isPageSize(named) ? named : usualPageSize;
    this.usable = this.pageSize - (isWhole && header[20]! <= 32 ? header[20]! : 0);
    const log = `${path}-wal`;
    const committed = existsSync(log) ? committedPages(readFileSync(log), this.pageSize) : null;
    this.#log = committed?.pages ?? new Map();
    // Pages after the size that the last commit states are no longer part of the database.
    this.count = committed?.count ?? Math.ceil(size / this.pageSize);
  }

  /** One page, padded with zeros where the file ends within it; null where there is no such page. */
  read(number: number): Buffer | null {
    if (number < 1 || number > this.count) return null;
    const logged = this.#log.get(number);
    if (logged !== undefined) return logged;
    const page = Buffer.alloc(this.pageSize);
    try {
      return readSync(this.#descriptor, page, 0, this.pageSize, (number - 1) * this.pageSize) > 0 ? page : null;
    } catch (error) {
      // A failing disk may be unable to read this page alone.
      if ((error as NodeJS.ErrnoException).code !== 'EIO') throw error;
      return null;
    }
  }

  /** Pages of the freelist, which hold deleted rows or nothing; null where the list is damaged. */
  freePages(): Set<number> | null {
    const header = this.read(1);
    if (header === null || !magic.equals(header.subarray(0, 16))) return null;
    const free = new Set<number>();
    for (let trunk = header.readUInt32BE(32); trunk !== 0; ) {
      const page = free.has(trunk) ? null : this.read(trunk);
      const leaves = page?.readUInt32BE(4) ?? 0;
      if (page === null || leaves > this.usable / 4 - 2) return null;
      free.add(trunk);
      for (let leaf = 0; leaf < leaves; leaf += 1) free.add(page.readUInt32BE(8 + 4 * leaf));
      trunk = page.readUInt32BE(0);
    }
    return free.size === header.readUInt32BE(36) ? free : null;
  }

  /** Closes the files. */
  close(): void {
    closeSync(this.#descriptor);
  }
}

const logHeaderSize = 32;
const frameHeaderSize = 24;

/** Committed pages of a write-ahead log, as far as its checksums match. @returns null where there are none */
function committedPages(log: Buffer, pageSize: number): { pages: Map<number, Buffer>; count: number } | null {
  if (log.length < logHeaderSize) return null;
  const format = log.readUInt32BE(0);
  if ((format & 0xfffffffe) >>> 0 !== 0x377f0682 || log.readUInt32BE(8) !== pageSize) return null;
  const sum = new LogChecksum((format & 1) === 1);
  sum.add(log, 0, 24);
  if (!sum.isAt(log, 24)) return null;
  const pages = new Map<number, Buffer>();
  let pending: [number, Buffer][] = [];
  let count: number | null = null;
  for (let at = logHeaderSize; at + frameHeaderSize + pageSize <= log.length; at += frameHeaderSize + pageSize) {
    const isOfThisLog = log.compare(log, 16, 24, at + 8, at + 16) === 0;
    sum.add(log, at, at + 8);
    sum.add(log, at + frameHeaderSize, at + frameHeaderSize + pageSize);
    if (!isOfThisLog || !sum.isAt(log, at + 16)) break;
    pending.push([log.readUInt32BE(at), log.subarray(at + frameHeaderSize, at + frameHeaderSize + pageSize)]);
    const pagesAfterCommit = log.readUInt32BE(at + 4);
    if (pagesAfterCommit === 0) continue;
    for (const [number, page] of pending) pages.set(number, page);
    pending = [];
    count = pagesAfterCommit;
  }
  return count === null ? null : { pages, count };
}

/** Section 4.2 of the file format. */
class LogChecksum {
  readonly #read: 'readUInt32BE' | 'readUInt32LE';
  #first = 0;
  #second = 0;

  constructor(isBigEndian: boolean) {
    this.#read = isBigEndian ? 'readUInt32BE' : 'readUInt32LE';
  }

  add(bytes: Buffer, start: number, end: number): void {
    for (let at = start; at < end; at += 8) {
      this.#first = (this.#first + bytes[this.#read](at) + this.#second) >>> 0;
      this.#second = (this.#second + bytes[this.#read](at + 4) + this.#first) >>> 0;
    }
  }

  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.#first && bytes.readUInt32BE(at + 4) === this.#second;
  }
}
