// One type chunk of a resource table (ResTable_type): the values of a type for one configuration, found by entry and read
// where they stand. Knows no other chunk and no string but the names of its entries.
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { Chunk } from './chunk.ts';
import { type ResValue, valueTypes } from './res-value.ts';
import { type ResourceConfig, readConfig } from './resource-config.ts';
import type { StringPool } from './string-pool.ts';

/** Items of a bag; no style or array has more. */
const maxBagItems = 65_536;

const flagSparse = 1;
const flagOffset16 = 2;
const entryFlags = { complex: 1, public: 2, weak: 4, compact: 8 } as const;
const none = 0xffffffff;
/** Bytes of a plain entry's header, of a complex one's, and of an item of the latter. */
const plainHeaderSize = 8;
const complexHeaderSize = 16;
const itemSize = 12;

/** A complex value: the items of a style, array, plural or attribute definition. */
export interface ResourceBag {
  parent: number;
  items: { name: number; value: ResValue }[];
}

export interface ResourceEntry {
  config: ResourceConfig;
  /** A plain value, or null where the entry is a bag. */
  value: ResValue | null;
  bag: ResourceBag | null;
}

type Report = (code: FindingCode, offset: number, evidence: string) => void;
/** Makes a value of a type and data; strings are the table's. */
type Typed = (type: number, data: number) => ResValue;

/** @see https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/libs/androidfw/include/androidfw/ResourceTypes.h */
export class TypeChunk {
  readonly #view: DataView;
  readonly #chunk: Chunk;
  readonly #keys: StringPool;
  readonly #report: Report;
  readonly #flags: number;
  readonly #entriesStart: number;
  #config: ResourceConfig | null = null;
  /** Entries, or of a sparse chunk those that have a value: the declared count, cut to what fits. */
  readonly entryCount: number;

  /** @param chunk with a header of 24 bytes at least */
  constructor(view: DataView, chunk: Chunk, keys: StringPool, report: Report) {
    this.#view = view;
    this.#chunk = chunk;
    this.#keys = keys;
    this.#report = report;
    this.#flags = view.getUint8(chunk.start + 9);
    this.#entriesStart = chunk.start + view.getUint32(chunk.start + 16, true);
    const declared = view.getUint32(chunk.start + 12, true);
    // A sparse entry is a pair of short numbers, whatever the other flag says.
    const width = (this.#flags & (flagSparse | flagOffset16)) === flagOffset16 ? 2 : 4;
    this.entryCount = Math.min(declared, Math.floor((chunk.end - chunk.body) / width));
    if (this.entryCount < declared) {
      report('arsc-entry-count', chunk.start, `${declared} entries, room for ${this.entryCount}`);
    }
    const past = this.#entriesStart - chunk.body - this.entryCount * width;
    if (past < 0 || this.#entriesStart > chunk.end || ((this.#entriesStart - chunk.start) & 3) !== 0) {
      report('arsc-entries-start', chunk.start, `at ${this.#entriesStart - chunk.start} of ${chunk.end - chunk.start}`);
    }
  }

  get isSparse(): boolean {
    return (this.#flags & flagSparse) !== 0;
  }

  get config(): ResourceConfig {
    this.#config ??= readConfig(this.#view, this.#chunk.start + 20, this.#chunk.body);
    return this.#config;
  }

  /** Offset of an entry, null where the chunk has no value for it. */
  offsetOf(index: number): number | null {
    const offset = this.isSparse ? this.#sparseOffset(index) : this.#denseOffset(index);
    if (offset === null) return null;
    const at = this.#entriesStart + offset;
    if (at + plainHeaderSize > this.#chunk.end) {
      this.#report('arsc-entry-offset', this.#chunk.start, `entry ${index} stands outside its chunk`);
      return null;
    }
    if ((offset & 3) !== 0) {
      this.#report('arsc-entry-offset', this.#chunk.start, `entry ${index} does not begin at a multiple of 4`);
      return null;
    }
    return at;
  }

  #denseOffset(index: number): number | null {
    if (index >= this.entryCount) return null;
    if ((this.#flags & flagOffset16) !== 0) {
      const short = this.#view.getUint16(this.#chunk.body + index * 2, true);
      return short === 0xffff ? null : short * 4;
    }
    const offset = this.#view.getUint32(this.#chunk.body + index * 4, true);
    return offset === none ? null : offset;
  }

  /** Searches the pairs of index and offset, which are sorted by index. */
  #sparseOffset(index: number): number | null {
    const { body } = this.#chunk;
    let low = 0;
    let high = this.entryCount - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const candidate = this.#view.getUint16(body + middle * 4, true);
      if (candidate === index) return this.#view.getUint16(body + middle * 4 + 2, true) * 4;
      if (candidate < index) low = middle + 1;
      else high = middle - 1;
    }
    return null;
  }

  /** Hands out the entries that have a value, by index, with their offset, until `visit` returns false. */
  forEachEntry(visit: (index: number, at: number) => boolean): void {
    for (let position = 0; position < this.entryCount; position++) {
      const index = this.isSparse ? this.#view.getUint16(this.#chunk.body + position * 4, true) : position;
      const at = this.offsetOf(index);
      if (at !== null && !visit(index, at)) return;
    }
  }

  /** The name of the entry at an offset, null where the pool has none. */
  keyAt(at: number): string | null {
    const isCompact = (this.#flagsAt(at) & entryFlags.compact) !== 0;
    return this.#keys.at(isCompact ? this.#view.getUint16(at, true) : this.#view.getUint32(at + 4, true));
  }

  isPublicAt(at: number): boolean {
    return (this.#flagsAt(at) & entryFlags.public) !== 0;
  }

  /** The entry at an offset, null where it reaches out of the chunk. */
  read(at: number, typed: Typed): ResourceEntry | null {
    const view = this.#view;
    const { config } = this;
    const flags = this.#flagsAt(at);
    if ((flags & entryFlags.compact) !== 0) {
      return { config, value: typed(flags >> 8, view.getUint32(at + 4, true)), bag: null };
    }
    const value = (start: number) => typed(view.getUint8(start + 3), view.getUint32(start + 4, true));
    const body = this.#bodyOf(at);
    if (body !== at + view.getUint16(at, true)) {
      this.#report('arsc-entry-size', at, `${view.getUint16(at, true)} bytes, ${body - at} are needed`);
    }
    const { end } = this.#chunk;
    if ((flags & entryFlags.complex) === 0) return body + 8 > end ? null : { config, value: value(body), bag: null };
    if (at + complexHeaderSize > end) return null;
    const declared = view.getUint32(at + 12, true);
    const count = this.itemCountAt(at);
    if (count < declared) this.#report('arsc-bag-count', at, `${declared} items declared, ${count} read`);
    const bag: ResourceBag = { parent: view.getUint32(at + 8, true), items: [] };
    for (let item = body; item < body + count * itemSize; item += itemSize) {
      bag.items.push({ name: view.getUint32(item, true), value: value(item + 4) });
    }
    return { config, value: null, bag };
  }

  /** How many items a bag has, as far as there is room for them; 0 for a plain value. */
  itemCountAt(at: number): number {
    const isComplex = (this.#flagsAt(at) & (entryFlags.complex | entryFlags.compact)) === entryFlags.complex;
    const { end } = this.#chunk;
    if (!isComplex || at + complexHeaderSize > end) return 0;
    const room = Math.floor((end - this.#bodyOf(at)) / itemSize);
    return Math.max(0, Math.min(this.#view.getUint32(at + 12, true), maxBagItems, room));
  }

  /** Hands out the pool indexes of the strings that an entry holds. */
  forEachStringAt(at: number, visit: (string: number) => void): void {
    const view = this.#view;
    const flags = this.#flagsAt(at);
    const visitValue = (value: number) => {
      if (view.getUint8(value + 3) === valueTypes.string) visit(view.getUint32(value + 4, true));
    };
    if ((flags & entryFlags.compact) !== 0) {
      if (flags >> 8 === valueTypes.string) visit(view.getUint32(at + 4, true));
      return;
    }
    const body = this.#bodyOf(at);
    if ((flags & entryFlags.complex) === 0) {
      if (body + 8 <= this.#chunk.end) visitValue(body);
      return;
    }
    const count = this.itemCountAt(at);
    for (let item = 0; item < count; item++) visitValue(body + item * itemSize + 4);
  }

  #flagsAt(at: number): number {
    return this.#view.getUint16(at + 2, true);
  }

  /** Where the value or the items of a plain or complex entry begin: past its header, whose declared size may be wrong. */
  #bodyOf(at: number): number {
    const isComplex = (this.#flagsAt(at) & entryFlags.complex) !== 0;
    return at + Math.max(this.#view.getUint16(at, true), isComplex ? complexHeaderSize : plainHeaderSize);
  }
}
