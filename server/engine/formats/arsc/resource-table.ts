// Reads resources.arsc and looks resources up by id, decoding only what is asked for. Knows no manifest and no XML.
import type { FindingCode } from '../../../contract/findings/finding-catalogue.ts';
import type { Findings } from '../../findings.ts';
import { FormatError } from '../byte-reader.ts';
import { type Chunk, chunkHeaderSize, chunkTypes, readChunk } from './chunk.ts';
import { frameworkResourceName } from './framework-resources.ts';
import { hex8, isReferenceType, type ResValue, valueTypes } from './res-value.ts';
import { isBetterConfig, matchesConfig, phoneConfig, type ResourceConfig } from './resource-config.ts';
import { StringPool } from './string-pool.ts';
import { type ResourceEntry, TypeChunk } from './type-chunk.ts';

export type { ResourceBag, ResourceEntry } from './type-chunk.ts';

const where = 'resources.arsc';
const frameworkPackageId = 1;
/** An application's own package; a reference with package 0 means the package it stands in. */
const applicationPackageId = 0x7f;
/** A chunk's header and the number of packages. */
const tableHeaderSize = 12;
/** Android follows 20 references before it gives up. */
const maxReferences = 20;
/** Package chunks take 284 bytes; an app has one, the most one sees is a handful. */
const maxPackages = 64;
/** Resources of one string that are named: their first ones tell where it is from. */
const maxNames = 5;
/** An id has 16 bits for the entry of a type. */
const maxEntries = 0x10000;
/** Values of one resource; the widest application has a few hundred locales and densities. */
const maxConfigurations = 10_000;
/** Through so many chunks each look-up goes one by one; a type of more, such as the framework's strings, gets an index. */
const unindexedChunks = 128;
/** Values that the indexes and all comparisons of values in them may go through: about a second's work. */
const maxVisits = 32_000_000;

/** Bytes that the headers of a package's chunks need, where they have fields of their own. */
const partHeaderSizes: ReadonlyMap<number, number> = new Map([
  [chunkTypes.tableTypeSpec, 16],
  [chunkTypes.tableType, 24],
  [chunkTypes.tableLibrary, 12],
  [chunkTypes.tableStagedAlias, 12],
]);

interface PackageChunk {
  id: number;
  name: string;
  chunk: Chunk;
  typeStrings: StringPool;
  keyStrings: StringPool;
  typeIdOffset: number;
  /** Ids of the types whose specification has been read, which has to stand before their values. */
  specified: Set<number>;
  /** Runtime id of each shared library by the id it has in this package's references. */
  libraries: { id: number; name: string }[];
}

interface ResourceType {
  name: string;
  chunks: TypeChunk[];
  /** The chunks that have a value for an entry, in their order; null until it is needed. */
  byEntry: Map<number, TypeChunk[]> | null;
  /** The largest entry count that its chunks and its specification declare. */
  entryCount: number;
}

/**
 * Reads the outline of a resource table: its pools' and chunks' places, no value.
 * @throws FormatError with code `arsc-truncated` or `arsc-no-table` where no table chunk stands in the bytes
 * @see https://android.googlesource.com/platform/frameworks/base/+/refs/heads/main/libs/androidfw/include/androidfw/ResourceTypes.h
 */
export function parseResourceTable(bytes: Uint8Array, findings: Findings): ResourceTable {
  return new ResourceTable(bytes, findings);
}

export class ResourceTable {
  /** Packages in the order of the file. */
  readonly packages: { id: number; name: string }[] = [];
  readonly #view: DataView;
  readonly #bytes: Uint8Array;
  readonly #findings: Findings;
  #strings: StringPool;
  /** Types by package id and type id, `package << 8 | type`. */
  readonly #types = new Map<number, ResourceType>();
  /** Final ids of resources that were staged. */
  readonly #aliases = new Map<number, number>();
  #applicationId = applicationPackageId;
  #visitsLeft = maxVisits;
  /** Of split APKs, which say more of the same resources. */
  #joined: readonly ResourceTable[] = [];

  constructor(bytes: Uint8Array, findings: Findings) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#findings = findings;
    this.#strings = StringPool.empty(findings);
    if (bytes.length < tableHeaderSize) {
      throw new FormatError('arsc-truncated', 0, `a resource table needs ${tableHeaderSize} bytes`);
    }
    const table = this.#findTable();
    this.#readTable(table);
    const own =
      this.packages.find((each) => each.id === applicationPackageId) ?? this.packages.find((each) => each.id > 1);
    this.#applicationId = own?.id ?? this.packages[0]?.id ?? applicationPackageId;
  }

  /** Android passes over chunks of other types that stand before the table. */
  #findTable(): Chunk {
    let at = 0;
    while (at + tableHeaderSize <= this.#bytes.length) {
      const chunk = readChunk(this.#view, at, this.#bytes.length, chunkHeaderSize);
      if (chunk?.type === chunkTypes.table && chunk.body - chunk.start >= tableHeaderSize) {
        if (chunk.end < this.#bytes.length) {
          this.#report('arsc-trailing-data', chunk.end, `${this.#bytes.length - chunk.end} bytes past the table`);
        }
        return chunk;
      }
      const type = this.#view.getUint16(at, true);
      if (chunk === null && (type === chunkTypes.table || at === 0)) {
        const headerSize = this.#view.getUint16(at + 2, true);
        const size = this.#view.getUint32(at + 4, true);
        this.#report('arsc-header', at, `type 0x${type.toString(16)}, header ${headerSize}, size ${size}`);
        if (type !== chunkTypes.table && !this.#isPoolAt(at + tableHeaderSize)) break;
        const isWhole = headerSize >= tableHeaderSize && headerSize < this.#bytes.length - at;
        const body = at + (isWhole ? headerSize : tableHeaderSize);
        return { type: chunkTypes.table, start: at, body, end: this.#bytes.length };
      }
      if (chunk === null) break;
      this.#report('arsc-unknown-chunk', at, `type 0x${chunk.type.toString(16)}, ${chunk.end - at} bytes`);
      at = chunk.end;
    }
    // Before version 8 Android did not look at the type.
    const first = readChunk(this.#view, 0, this.#bytes.length, tableHeaderSize);
    if (first !== null && this.#isPoolAt(first.body)) return first;
    throw new FormatError('arsc-no-table', at, 'no resource table chunk');
  }

  #isPoolAt(at: number): boolean {
    return at + 2 <= this.#bytes.length && this.#view.getUint16(at, true) === chunkTypes.stringPool;
  }

  readonly #report = (code: FindingCode, offset: number, evidence: string): void => {
    this.#findings.add(code, `${where}:0x${offset.toString(16)}`, evidence);
  };

  *#chunks(start: number, end: number): Generator<Chunk> {
    let at = start;
    while (at + chunkHeaderSize <= end) {
      let chunk = readChunk(this.#view, at, end, chunkHeaderSize);
      if (chunk === null) {
        const type = this.#view.getUint16(at, true);
        this.#report('arsc-bad-chunk', at, `type 0x${type.toString(16)}, size ${this.#view.getUint32(at + 4, true)}`);
        // A last chunk that claims more than is left is read as far as it goes.
        const headerSize = this.#view.getUint16(at + 2, true);
        const isKnown =
          type === chunkTypes.tablePackage || type === chunkTypes.tableType || type === chunkTypes.stringPool;
        if (!isKnown || headerSize < chunkHeaderSize || at + headerSize > end) return;
        chunk = { type, start: at, body: at + headerSize, end };
      }
      yield chunk;
      at = chunk.end;
    }
  }

  #readTable(table: Chunk): void {
    const declared = this.#view.getUint32(table.start + 8, true);
    let hasStrings = false;
    for (const chunk of this.#chunks(table.body, table.end)) {
      if (chunk.type === chunkTypes.stringPool) {
        // Android keeps the first pool.
        if (hasStrings) this.#report('arsc-second-string-pool', chunk.start, 'the first one counts');
        else this.#strings = new StringPool(this.#bytes, chunk.start, chunk.end, this.#findings, where);
        hasStrings = true;
      } else if (chunk.type === chunkTypes.tablePackage) {
        if (this.packages.length < maxPackages) this.#readPackage(chunk);
      } else {
        this.#report('arsc-unknown-chunk', chunk.start, `type 0x${chunk.type.toString(16)}`);
      }
    }
    if (declared !== this.packages.length) {
      this.#report('arsc-package-count', table.start + 8, `${declared} declared, ${this.packages.length} found`);
    }
  }

  #readPackage(chunk: Chunk): void {
    const view = this.#view;
    const headerSize = chunk.body - chunk.start;
    if (headerSize < 284 || chunk.end - chunk.start < 284) {
      this.#report('arsc-package-header', chunk.start, `${headerSize} bytes, 284 are needed`);
      return;
    }
    const poolAt = (field: number): StringPool => {
      const at = chunk.start + view.getUint32(chunk.start + field, true);
      const pool = at >= chunk.body ? readChunk(view, at, chunk.end, chunkHeaderSize) : null;
      if (pool?.type === chunkTypes.stringPool) {
        return new StringPool(this.#bytes, pool.start, pool.end, this.#findings, where);
      }
      return StringPool.empty(this.#findings);
    };
    let id = view.getUint32(chunk.start + 8, true) & 0xff;
    // A shared library is built with id 0 and gets its own when it is loaded.
    if (id === 0) id = 2;
    const record: PackageChunk = {
      id,
      name: this.#packageName(chunk.start + 12),
      chunk,
      typeStrings: poolAt(268),
      keyStrings: poolAt(276),
      typeIdOffset: headerSize >= 288 ? view.getUint32(chunk.start + 284, true) & 0xff : 0,
      specified: new Set(),
      libraries: [],
    };
    this.packages.push({ id, name: record.name });
    for (const inner of this.#chunks(chunk.body, chunk.end)) this.#readPackagePart(record, inner);
  }

  #packageName(start: number): string {
    let end = start;
    while (end < start + 256 && this.#view.getUint16(end, true) !== 0) end += 2;
    return Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset + start, end - start).toString('utf16le');
  }

  #readPackagePart(record: PackageChunk, chunk: Chunk): void {
    const view = this.#view;
    const needed = partHeaderSizes.get(chunk.type) ?? chunkHeaderSize;
    if (chunk.body - chunk.start < needed) {
      this.#report('arsc-chunk-header', chunk.start, `${chunk.body - chunk.start} bytes, ${needed} are needed`);
      return;
    }
    switch (chunk.type) {
      case chunkTypes.stringPool:
        return;
      case chunkTypes.tableTypeSpec: {
        const id = view.getUint8(chunk.start + 8);
        const declared = view.getUint32(chunk.start + 12, true);
        const count = Math.min(declared, (chunk.end - chunk.body) >> 2);
        if (count < declared) this.#report('arsc-entry-count', chunk.start, `${declared} entries, room for ${count}`);
        const type = this.#type(record, id);
        if (count > type.entryCount) type.entryCount = Math.min(count, maxEntries);
        record.specified.add(id);
        return;
      }
      case chunkTypes.tableType: {
        const id = view.getUint8(chunk.start + 8);
        if (id === 0 || !record.specified.has(id)) this.#report('arsc-type-unspecified', chunk.start, `type ${id}`);
        const type = this.#type(record, id);
        const values = new TypeChunk(view, chunk, record.keyStrings, this.#report);
        type.chunks.push(values);
        if (!values.isSparse && values.entryCount > type.entryCount) {
          type.entryCount = Math.min(values.entryCount, maxEntries);
        }
        return;
      }
      case chunkTypes.tableLibrary: {
        const count = Math.min(view.getUint32(chunk.start + 8, true), Math.floor((chunk.end - chunk.body) / 260));
        for (let index = 0; index < Math.min(count, 255); index++) {
          const at = chunk.body + index * 260;
          record.libraries.push({ id: view.getUint32(at, true), name: this.#packageName(at + 4) });
        }
        return;
      }
      case chunkTypes.tableStagedAlias: {
        const count = Math.min(view.getUint32(chunk.start + 8, true), (chunk.end - chunk.body) >> 3);
        if (record.id !== frameworkPackageId) {
          this.#report('arsc-staged-alias', chunk.start, `${count} resources of package ${record.name}`);
          return;
        }
        for (let index = 0; index < count; index++) {
          const at = chunk.body + index * 8;
          this.#aliases.set(view.getUint32(at, true), view.getUint32(at + 4, true));
        }
        return;
      }
      case chunkTypes.tableOverlayable:
      case chunkTypes.tableOverlayablePolicy:
        return;
      default:
        this.#report('arsc-unknown-chunk', chunk.start, `type 0x${chunk.type.toString(16)} in package ${record.name}`);
    }
  }

  #type(record: PackageChunk, id: number): ResourceType {
    const key = (record.id << 8) | ((id + record.typeIdOffset) & 0xff);
    let type = this.#types.get(key);
    if (type === undefined) {
      type = { name: record.typeStrings.at(id - 1) ?? '', chunks: [], byEntry: null, entryCount: 0 };
      this.#types.set(key, type);
    }
    return type;
  }

  /** Replaces package 0 by the application's own, and a staged id by its final one. */
  #realId(id: number): number {
    const whole = id >>> 24 === 0 ? ((this.#applicationId << 24) | id) >>> 0 : id;
    return this.#aliases.get(whole) ?? whole;
  }

  readonly #typed = (type: number, data: number): ResValue => ({
    type,
    data,
    text: type === valueTypes.string ? this.#strings.at(data) : null,
  });

  #typeOf(id: number): ResourceType | undefined {
    return this.#types.get(this.#realId(id) >>> 16);
  }

  /** The chunks of a type that may have a value for an entry. */
  #chunksOf(type: ResourceType, index: number): readonly TypeChunk[] {
    if (type.chunks.length <= unindexedChunks) return type.chunks;
    type.byEntry ??= this.#indexOf(type);
    return type.byEntry.get(index) ?? [];
  }

  /** The same, to look at every one of them; none once indexes have cost too much. */
  #allChunksOf(type: ResourceType, index: number): readonly TypeChunk[] {
    const chunks = this.#chunksOf(type, index);
    return type.byEntry === null || this.#spend(chunks.length, type) ? chunks : [];
  }

  #indexOf(type: ResourceType): Map<number, TypeChunk[]> {
    const byEntry = new Map<number, TypeChunk[]>();
    for (const chunk of type.chunks) {
      chunk.forEachEntry((index) => {
        const chunks = byEntry.get(index);
        if (chunks === undefined) byEntry.set(index, [chunk]);
        else chunks.push(chunk);
        return this.#spend(1, type);
      });
    }
    return byEntry;
  }

  /** @returns whether so many visits are still to be had */
  #spend(visits: number, type: ResourceType): boolean {
    if (this.#visitsLeft < 0) return false;
    this.#visitsLeft -= visits;
    if (this.#visitsLeft >= 0) return true;
    const evidence = `${type.chunks.length} configurations of type ${type.name}; no further resources are looked up`;
    this.#findings.add('arsc-look-up-limit', where, evidence);
    return false;
  }

  /** Takes in the tables of split APKs: each fits the app to more devices, or has resources of its own. */
  join(tables: readonly ResourceTable[]): void {
    this.#joined = tables;
  }

  /** The name of a resource, `string/app_name`; `android:attr/name` for the framework's; null where it is unknown. */
  nameOf(id: number): string | null {
    const type = this.#typeOf(id);
    if (type === undefined) return this.#joinedName(id) ?? frameworkResourceName(id);
    const index = this.#realId(id) & 0xffff;
    for (const chunk of this.#chunksOf(type, index)) {
      const at = chunk.offsetOf(index);
      if (at !== null) return `${type.name}/${chunk.keyAt(at) ?? `0x${hex8(id)}`}`;
    }
    return this.#joinedName(id);
  }

  #joinedName(id: number): string | null {
    for (const table of this.#joined) {
      const name = table.#typeOf(id) === undefined ? null : table.nameOf(id);
      if (name !== null) return name;
    }
    return null;
  }

  /** Whether the table's author made a resource public. */
  isPublic(id: number): boolean {
    const type = this.#typeOf(id);
    const index = this.#realId(id) & 0xffff;
    for (const chunk of type === undefined ? [] : this.#chunksOf(type, index)) {
      const at = chunk.offsetOf(index);
      if (at !== null) return chunk.isPublicAt(at);
    }
    return false;
  }

  /** Every value of a resource with its configuration, in the order of the file. */
  entries(id: number): ResourceEntry[] {
    const type = this.#typeOf(id);
    const found: ResourceEntry[] = [];
    const index = this.#realId(id) & 0xffff;
    for (const chunk of type === undefined ? [] : this.#allChunksOf(type, index)) {
      const at = chunk.offsetOf(index);
      const entry = at === null ? null : chunk.read(at, this.#typed);
      if (entry !== null) found.push(entry);
      if (found.length >= maxConfigurations) break;
    }
    for (const table of this.#joined) found.push(...table.entries(id).slice(0, maxConfigurations - found.length));
    return found;
  }

  /** The entry that a device takes, null where the resource has no value for it. */
  bestEntry(id: number, wanted?: Partial<ResourceConfig>): ResourceEntry | null {
    let best = this.#ownBestEntry(id, wanted);
    const device = wanted === undefined ? phoneConfig : { ...phoneConfig, ...wanted };
    for (const table of this.#joined) {
      const other = table.bestEntry(id, wanted);
      if (other !== null && (best === null || isBetterConfig(other.config, best.config, device))) best = other;
    }
    return best;
  }

  #ownBestEntry(id: number, wanted?: Partial<ResourceConfig>): ResourceEntry | null {
    const type = this.#typeOf(id);
    if (type === undefined) return null;
    const device = wanted === undefined ? phoneConfig : { ...phoneConfig, ...wanted };
    const index = this.#realId(id) & 0xffff;
    let best: TypeChunk | null = null;
    let bestAt = 0;
    for (const chunk of this.#allChunksOf(type, index)) {
      // Most chunks have no value for one resource, and that is the cheapest to see.
      const at = chunk.offsetOf(index);
      if (at === null) continue;
      const { config } = chunk;
      if (!matchesConfig(config, device)) continue;
      if (best !== null && !isBetterConfig(config, best.config, device)) continue;
      best = chunk;
      bestAt = at;
    }
    return best === null ? null : best.read(bestAt, this.#typed);
  }

  /**
   * The value of a resource or of a reference, following references as far as Android does.
   * @returns null where the chain ends in nothing, in a bag, in a circle or after 20 steps
   */
  resolve(
    idOrValue: number | { type: number; data: number; text?: string | null },
    wanted?: Partial<ResourceConfig>,
  ): ResValue | null {
    let value: ResValue =
      typeof idOrValue === 'number'
        ? { type: valueTypes.reference, data: idOrValue, text: null }
        : { type: idOrValue.type, data: idOrValue.data, text: idOrValue.text ?? null };
    for (let step = 0; step < maxReferences; step++) {
      if (!isReferenceType(value.type)) return value;
      if (value.data === 0) return null;
      const entry = this.bestEntry(value.data, wanted);
      if (entry === null || entry.value === null) return null;
      value = entry.value;
    }
    this.#findings.add('arsc-reference-cycle', where, `${maxReferences} references from one to the next`);
    return null;
  }

  /** The text a reference leads to, null where it leads to no string. */
  resolveString(
    idOrValue: number | { type: number; data: number; text?: string | null },
    wanted?: Partial<ResourceConfig>,
  ): string | null {
    return this.resolve(idOrValue, wanted)?.text ?? null;
  }

  /** Every string of the table's own pool: the values of string resources and the paths of files. */
  strings(): Iterable<string> {
    return this.#strings;
  }

  /**
   * The pool's strings that `isWanted` picks, in order, each with the first resources that have it as a value or in an
   * array, `@string/name`. Time is linear in the table's size.
   */
  namedStrings(isWanted: (text: string) => boolean): { text: string; names: string[] }[] {
    const wanted = new Map<number, { text: string; names: string[] }>();
    this.#strings.forEach((text, index) => {
      if (isWanted(text)) wanted.set(index, { text, names: [] });
    });
    if (wanted.size > 0) for (const type of this.#types.values()) this.#nameStrings(type, wanted);
    return [...wanted.values()];
  }

  #nameStrings(type: ResourceType, wanted: ReadonlyMap<number, { names: string[] }>): void {
    // Entries may share their values on purpose.
    let itemsLeft = this.#bytes.length;
    for (const chunk of type.chunks) {
      chunk.forEachEntry((index, at) => {
        chunk.forEachStringAt(at, (string) => {
          const names = wanted.get(string)?.names;
          if (names === undefined || names.length >= maxNames) return;
          const name = `@${type.name}/${chunk.keyAt(at) ?? index}`;
          if (!names.includes(name)) names.push(name);
        });
        itemsLeft -= chunk.itemCountAt(at);
        return itemsLeft >= 0;
      });
      if (itemsLeft < 0) return;
    }
  }

  /** Every resource id that has a value, ascending within each type. */
  *ids(): Generator<number> {
    for (const [key, type] of this.#types) {
      for (let index = 0; index < type.entryCount; index++) {
        if (this.#chunksOf(type, index).some((chunk) => chunk.offsetOf(index) !== null))
          yield ((key << 16) | index) >>> 0;
      }
    }
  }

  /** Names of the types of one package, `attr`, `string` …, by type id. */
  typeNames(packageId: number): Map<number, string> {
    const names = new Map<number, string>();
    for (const [key, type] of this.#types) if (key >> 8 === packageId) names.set(key & 0xff, type.name);
    return names;
  }
}
