// Reads rows from the b-tree pages of a SQLite database, as far as they hold together. Knows no table by name.
import type { DatabasePages } from './database-pages.ts';

/*
 * https://sqlite.org/fileformat2.html: section 1.6 b-tree pages, 1.7 overflow pages, 2.1 records.
 */
export type Value = null | number | bigint | string | Buffer;

export interface StoredRow {
  /** null in an index, or a table without rowid. */
  rowid: number | null;
  values: Value[];
  /** Every page that holds a part of the row, overflow pages included. */
  pages: number[];
}

interface Cell {
  /** The child page, of interior pages. */
  child: number | null;
  /** The greatest rowid below the child. */
  key: number | null;
  row: StoredRow | null;
}

export interface TreePage {
  isLeaf: boolean;
  isTable: boolean;
  cells: Cell[];
  /** Cells that cannot be read. */
  damaged: number;
  /** The right-most child page. */
  last: number | null;
}

const kinds: Readonly<Record<number, { isLeaf: boolean; isTable: boolean }>> = {
  2: { isLeaf: false, isTable: false },
  5: { isLeaf: false, isTable: true },
  10: { isLeaf: true, isTable: false },
  13: { isLeaf: true, isTable: true },
};

/** Thrown where the page is inconsistent. */
class Damage extends Error {}

/** @returns null where it is no page of a b-tree */
export function readTreePage(pages: DatabasePages, number: number): TreePage | null {
  const page = pages.read(number);
  const start = number === 1 ? 100 : 0;
  const kind = page === null ? undefined : kinds[page[start]!];
  if (page === null || kind === undefined) return null;
  const first = start + (kind.isLeaf ? 8 : 12);
  const count = page.readUInt16BE(start + 3);
  const end = first + 2 * count;
  if (end > pages.usable) return null;
  const cells: Cell[] = [];
  let damaged = 0;
  for (let at = first; at < end; at += 2) {
    try {
      const offset = page.readUInt16BE(at);
      if (offset < end || offset >= pages.usable) throw new Damage();
      cells.push(readCell(pages, { page, number, offset, ...kind }));
    } catch (error) {
      if (!(error instanceof Damage) && !(error instanceof RangeError)) throw error;
      damaged += 1;
    }
  }
  return { ...kind, cells, damaged, last: kind.isLeaf ? null : page.readUInt32BE(start + 8) };
}

interface CellPlace {
  page: Buffer;
  number: number;
  offset: number;
  isLeaf: boolean;
  isTable: boolean;
}

function readCell(pages: DatabasePages, { page, number, offset, isLeaf, isTable }: CellPlace): Cell {
  let at = offset;
  const take = (): number => {
    const { value, next } = varint(page, at);
    at = next;
    return safe(value);
  };
  const child = isLeaf ? null : page.readUInt32BE(at);
  if (!isLeaf) at += 4;
  if (isTable && !isLeaf) return { child, key: take(), row: null };
  const size = take();
  const rowid = isTable ? take() : null;
  const { payload, chain } = readPayload(pages, page, at, size, isTable);
  return { child, key: null, row: { rowid, values: readRecord(payload), pages: [number, ...chain] } };
}

/** How many bytes of a payload are on the cell's own page. */
function localSize(usable: number, size: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const rest = least + ((size - least) % (usable - 4));
  return rest <= most ? rest : least;
}

function readPayload(pages: DatabasePages, page: Buffer, at: number, size: number, isTable: boolean) {
  if (size > pages.count * pages.pageSize) throw new Damage();
  const local = localSize(pages.usable, size, isTable);
  if (at + local > pages.usable) throw new Damage();
  const pieces = [page.subarray(at, at + local)];
  const chain = new Set<number>();
  let missing = size - local;
  for (let next = missing > 0 ? page.readUInt32BE(at + local) : 0; missing > 0; ) {
    const overflow = chain.has(next) ? null : pages.read(next);
    if (overflow === null) throw new Damage();
    chain.add(next);
    pieces.push(overflow.subarray(4, 4 + Math.min(missing, pages.usable - 4)));
    missing -= pages.usable - 4;
    next = overflow.readUInt32BE(0);
    // The chain must end with the payload: one that is longer or shorter belongs to another row.
    if ((next === 0) !== missing <= 0) throw new Damage();
  }
  return { payload: pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces), chain };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Bytes of integers by their serial type. */
const integerSizes = [0, 1, 2, 3, 4, 6, 8];

function readRecord(payload: Buffer): Value[] {
  const { value, next } = varint(payload, 0);
  const headerEnd = safe(value);
  if (headerEnd > payload.length) throw new Damage();
  const values: Value[] = [];
  let at = headerEnd;
  for (let header = next; header < headerEnd; ) {
    const type = varint(payload, header);
    header = type.next;
    const { content, size } = readValue(payload, at, safe(type.value));
    values.push(content);
    at += size;
  }
  if (at !== payload.length) throw new Damage();
  return values;
}

function readValue(payload: Buffer, at: number, type: number): { content: Value; size: number } {
  if (type === 0) return { content: null, size: 0 };
  if (type === 8 || type === 9) return { content: type - 8, size: 0 };
  if (type === 10 || type === 11) throw new Damage();
  const size = type < 7 ? integerSizes[type]! : type === 7 ? 8 : (type - 12 - (type & 1)) / 2;
  if (at + size > payload.length) throw new Damage();
  const bytes = payload.subarray(at, at + size);
  if (type === 7) return { content: bytes.readDoubleBE(0), size };
  if (type < 6) return { content: bytes.readIntBE(0, size), size };
  if (type === 6) return { content: narrowed(bytes.readBigInt64BE(0)), size };
  if ((type & 1) === 0) return { content: bytes, size };
  try {
    return { content: utf8.decode(bytes), size };
  } catch {
    throw new Damage();
  }
}

const narrowed = (value: bigint): number | bigint =>
  value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;

function safe(value: bigint): number {
  const number = narrowed(value);
  if (typeof number === 'bigint' || number < 0) throw new Damage();
  return number;
}

/** Section 1.6: up to nine bytes, seven bits of each and all eight of the ninth. */
function varint(bytes: Buffer, start: number): { value: bigint; next: number } {
  let short = 0;
  for (let index = 0; index < 4; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new Damage();
    short = short * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value: BigInt(short), next: start + index + 1 };
  }
  let value = BigInt(short);
  for (let index = 4; index < 9; index += 1) {
    const byte = bytes[start + index];
    if (byte === undefined) throw new Damage();
    if (index === 8) return { value: BigInt.asIntN(64, (value << 8n) | BigInt(byte)), next: start + 9 };
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return { value, next: start + index + 1 };
  }
  throw new Damage();
}
