// A ZIP archive as Android reads it, tolerant of what tools refuse. Knows nothing of what APKs keep in it.
import { Readable } from 'node:stream';
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import type { ByteSource } from '../../../vault/byte-source.ts';
import type { Findings } from '../../findings.ts';
import { FormatError } from '../byte-reader.ts';
import {
  type DirectoryRecord,
  deflateMethod,
  type Packing,
  readDirectory,
  storeMethod,
  type ZipEntry,
} from './directory.ts';
import { type EndRecord, findEndRecord } from './end-record.ts';
import { defaultZipLimits, totalOutputLimit, type ZipLimits } from './limits.ts';
import { encryptedFlags, locateContent } from './local-header.ts';
import { reportNames, reportOverlaps } from './names.ts';

export type { ZipEntry } from './directory.ts';
export type { ZipLimits } from './limits.ts';

/** Deflate cannot expand further (a block of 258-byte matches of one bit each, with its header). */
const deflateMaxRatio = 1032;
/** Code, resources and text compress less than this. */
const usualMaxRatio = 16;
/** Packed bytes that `readPrefix` unpacks first; doubled while they give too little. */
const prefixStep = 256;
const defaultChunkSize = 256 * 1024;

/** An open archive; reading is synchronous. Contents share memory with nothing that the caller may change. */
export class ZipArchive {
  readonly source: ByteSource;
  /** In the order of the central directory, duplicates included. */
  readonly entries: readonly ZipEntry[];
  readonly centralDirectoryOffset: number;
  readonly centralDirectorySize: number;
  readonly endOfCentralDirectoryOffset: number;
  readonly comment: Uint8Array;
  /** Unpacked bytes so far, each entry counted once, and how many there may be. */
  readonly budget: { spent: number; readonly limit: number };
  readonly #records: readonly DirectoryRecord[];
  readonly #byName = new Map<string, DirectoryRecord>();
  readonly #findings: Findings;
  readonly #limits: ZipLimits;
  /** Unpacked bytes charged to the budget, by entry index. */
  readonly #charged: Float64Array;
  readonly #packings = new Map<number, Packing>();
  /** Contents that are not unpacked again, by entry index. */
  readonly #kept = new Map<number, Uint8Array>();
  /** Bytes that may still be spent on finding out what unknown compression methods mean. */
  #probeBudget: number;

  constructor(source: ByteSource, end: EndRecord, records: DirectoryRecord[], findings: Findings, limits: ZipLimits) {
    this.source = source;
    this.entries = records;
    this.centralDirectoryOffset = end.directoryOffset;
    this.centralDirectorySize = end.directorySize;
    this.endOfCentralDirectoryOffset = end.offset;
    this.comment = end.comment;
    this.budget = { spent: 0, limit: totalOutputLimit(limits, source.size) };
    this.#records = records;
    this.#findings = findings;
    this.#limits = limits;
    this.#charged = new Float64Array(records.length);
    this.#probeBudget = limits.maxEntryMemory;
    for (const record of records) this.#register(record);
    reportNames(records, this.#byName, findings, limits);
    reportOverlaps(records, end.directoryOffset, findings);
  }

  #register(record: DirectoryRecord): void {
    const { name, method, flags } = record;
    // Android refuses duplicates since version 5. Before, its native code, which ran the app, took the first one (while
    // the verifier took the last: the "master key" defect).
    if (this.#byName.has(name)) {
      const evidence = 'the name occurs more than once; the first one counts, Android refuses such an archive';
      this.#findings.add('zip-duplicate-entry', name, evidence);
    } else {
      this.#byName.set(name, record);
    }
    if ((flags & encryptedFlags) !== 0) {
      this.#findings.add('zip-encrypted-flag', name, 'marked as encrypted, which Android ignores and tools believe');
    }
    if (method !== storeMethod && method !== deflateMethod) {
      this.#findings.add('zip-unknown-method', name, `compression method ${method}`);
      Object.defineProperty(record, 'effectiveMethod', { enumerable: true, get: () => this.#probePacking(record) });
    }
  }

  /** The entry that Android would use under this name. */
  get(name: string): ZipEntry | undefined {
    return this.#byName.get(name);
  }

  /**
   * Absolute offset of the entry's packed content.
   * @throws FormatError where there is no local header
   */
  dataOffsetOf(entry: ZipEntry): number {
    const record = this.#records[entry.index]!;
    if (record.dataOffset === null) locateContent(this.source, record, 0, this.#findings);
    return record.dataOffset!;
  }

  /**
   * The whole unpacked content.
   * @param maxBytes refuse an entry that unpacks to more
   * @throws FormatError `zip-entry-too-large`, `zip-bomb`, or `zip-entry-corrupt`
   */
  read(entry: ZipEntry, maxBytes: number = this.#limits.maxEntryMemory): Uint8Array {
    const record = this.#records[entry.index]!;
    const limit = Math.min(maxBytes, this.#limits.maxEntryMemory);
    const kept = this.#kept.get(entry.index);
    if (kept !== undefined && kept.length <= limit) return kept;
    const packedLength = this.#packedLength(record);
    this.#checkLength(record, Math.min(record.size, this.#possibleLength(record, packedLength)), limit);
    this.#checkLength(record, packedLength, this.#limits.maxEntryMemory);
    const packed = this.#packed(record, packedLength);
    const content = record.effectiveMethod === 'stored' ? packed : this.#inflate(record, packed, limit);
    // Many entries may use the same bytes.
    this.#charge(record, Math.max(content.length, packed.length));
    this.#compareContent(record, content.length, crc32(content));
    return content;
  }

  /** Answers an entry's content from now on with what was read of it, which its reader holds anyway. */
  keep(entry: ZipEntry, content: Uint8Array): void {
    this.#kept.set(entry.index, content);
  }

  /**
   * The first `maxBytes` bytes of the content, fewer where it is shorter or breaks off.
   * @throws FormatError where there is no local header, or the first packed bytes cannot be unpacked
   */
  readPrefix(entry: ZipEntry, maxBytes: number): Uint8Array {
    const record = this.#records[entry.index]!;
    if (record.effectiveMethod === 'stored') {
      return this.#packed(record, Math.min(this.#packedLength(record), maxBytes));
    }
    let length = Math.min(record.compressedSize, Math.max(prefixStep, maxBytes >> 2));
    for (;;) {
      const packed = this.#packed(record, length);
      const content = this.#inflatePart(record, packed);
      if (content.length >= maxBytes || packed.length < length || length >= record.compressedSize) {
        return content.subarray(0, maxBytes);
      }
      length = Math.min(record.compressedSize, length * 2);
    }
  }

  /**
   * The content in pieces, for entries too large for memory.
   * @throws FormatError as `read`, while iterating
   */
  async *chunks(entry: ZipEntry, chunkSize: number = defaultChunkSize): AsyncGenerator<Uint8Array, void, undefined> {
    const record = this.#records[entry.index]!;
    const pieces = this.#pieces(record, chunkSize);
    const ratioLimit =
      record.effectiveMethod === 'stored' ? Number.MAX_SAFE_INTEGER : this.#ratioLimit(record.compressedSize);
    let total = 0;
    let checksum = 0;
    const count = (bytes: Uint8Array): Uint8Array => {
      total += bytes.length;
      this.#charge(record, total);
      if (total > ratioLimit) throw this.#bomb(record, `${record.name} unpacks to more than ${ratioLimit} bytes`);
      checksum = crc32(bytes, checksum);
      return bytes;
    };
    if (record.effectiveMethod === 'stored') {
      for (const piece of pieces) yield count(piece);
    } else {
      const inflate = createInflateRaw({ chunkSize });
      const input = Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
      input.on('error', (error) => inflate.destroy(error));
      input.pipe(inflate);
      try {
        for await (const bytes of inflate) yield count(bytes);
      } catch (error) {
        throw this.#corrupt(record, error);
      } finally {
        input.destroy();
        inflate.destroy();
      }
    }
    this.#compareContent(record, total, checksum);
  }

  #compareContent(record: DirectoryRecord, length: number, checksum: number): void {
    if (length !== record.size) {
      const evidence = `${record.size} bytes are declared, ${length} are there`;
      this.#findings.add('zip-size-mismatch', record.name, evidence);
    } else if (checksum !== record.crc32) {
      const evidence = 'the content does not have the declared CRC, which Android does not check';
      this.#findings.add('zip-crc-mismatch', record.name, evidence);
    }
  }

  *#pieces(record: DirectoryRecord, chunkSize: number): Generator<Uint8Array, void, undefined> {
    const length = this.#packedLength(record);
    const start = this.dataOffsetOf(record);
    for (let done = 0; done < length; done += chunkSize) {
      const piece = this.source.read(start + done, Math.min(chunkSize, length - done));
      if (piece.length === 0) return;
      yield piece;
    }
  }

  /**
   * Stored content is as long as its unpacked size says: Android does not look at the other number, and refuses a size
   * that reaches into the directory, where the other one is left to go by.
   */
  #packedLength(record: DirectoryRecord): number {
    const isSizeUsed =
      record.effectiveMethod === 'stored' && record.size <= this.centralDirectoryOffset - record.localHeaderOffset;
    return isSizeUsed ? record.size : record.compressedSize;
  }

  /** What so many packed bytes can unpack to at most. */
  #possibleLength(record: DirectoryRecord, packedLength: number): number {
    return record.effectiveMethod === 'stored' ? packedLength : packedLength * deflateMaxRatio + 64;
  }

  /** The first `length` packed bytes, fewer where the file ends first. */
  #packed(record: DirectoryRecord, length: number): Uint8Array {
    const read = record.dataOffset === null ? locateContent(this.source, record, length, this.#findings) : null;
    const bytes = read ?? this.source.read(record.dataOffset!, length);
    if (bytes.length < length) {
      const evidence = `${length} bytes are declared, the file ends after ${bytes.length}`;
      this.#findings.add('zip-entry-truncated', record.name, evidence);
    }
    return bytes;
  }

  #inflate(record: DirectoryRecord, packed: Uint8Array, limit: number): Uint8Array {
    const possible = this.#possibleLength(record, packed.length);
    const cap = Math.max(1, Math.min(limit, this.#ratioLimit(packed.length)));
    // One byte more than the declared size: zlib then ends in its first buffer, which spares a copy. A size that lies
    // is not to cost more memory than what honest files unpack to.
    const chunkSize = Math.max(64, Math.min(record.size + 1, packed.length * usualMaxRatio, cap + 1));
    try {
      const content = inflateRawSync(packed, { chunkSize, maxOutputLength: cap });
      if (content.length < chunkSize >> 1) this.#charge(record, chunkSize);
      return content;
    } catch (error) {
      if (error instanceof FormatError) throw error;
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
        this.#charge(record, cap);
        const message = `${record.name} unpacks to more than ${cap} bytes`;
        if (cap < limit) throw this.#bomb(record, message);
        throw new FormatError('zip-entry-too-large', record.localHeaderOffset, message);
      }
      // The attempt is charged too: otherwise damaged entries would be a way around the budget.
      this.#charge(record, Math.min(possible, cap));
      throw this.#corrupt(record, error);
    }
  }

  /** What the packed bytes unpack to as far as they go. */
  #inflatePart(record: DirectoryRecord, packed: Uint8Array): Uint8Array {
    try {
      const cap = this.#ratioLimit(packed.length);
      const content = inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: cap });
      this.#charge(record, content.length);
      return content;
    } catch (error) {
      throw this.#corrupt(record, error);
    }
  }

  /**
   * Android's resource loader (since version 9) takes any method but deflate as stored, older versions took any method
   * but stored as deflate. The bytes tell which one the author meant.
   */
  #probePacking(record: DirectoryRecord): Packing {
    const known = this.#packings.get(record.index);
    if (known !== undefined) return known;
    const packing = this.#inflatesAsDeclared(record) ? 'deflated' : 'stored';
    this.#packings.set(record.index, packing);
    return packing;
  }

  #inflatesAsDeclared(record: DirectoryRecord): boolean {
    const { size, compressedSize } = record;
    const cost = Math.max(size, compressedSize);
    if (size === 0 || size === compressedSize || cost > this.#probeBudget) return false;
    this.#probeBudget -= cost;
    try {
      return inflateRawSync(this.#packed(record, compressedSize), { maxOutputLength: size }).length === size;
    } catch {
      return false;
    }
  }

  #ratioLimit(packedLength: number): number {
    return Math.max(this.#limits.ratioThreshold, packedLength * this.#limits.maxRatio);
  }

  #checkLength(record: DirectoryRecord, length: number, limit: number): void {
    if (length > limit) {
      throw new FormatError(
        'zip-entry-too-large',
        record.localHeaderOffset,
        `${record.name} has ${length} bytes, the limit is ${limit}`,
      );
    }
  }

  /** @throws FormatError `zip-bomb` when the archive has unpacked to more than its budget */
  #charge(record: DirectoryRecord, total: number): void {
    const charged = this.#charged[record.index]!;
    if (total <= charged) return;
    this.#charged[record.index] = total;
    this.budget.spent += total - charged;
    if (this.budget.spent <= this.budget.limit) return;
    throw this.#bomb(record, `the archive unpacks to more than ${this.budget.limit} bytes`);
  }

  #bomb(record: DirectoryRecord, message: string): FormatError {
    this.#findings.add('zip-bomb', record.name, message);
    return new FormatError('zip-bomb', record.localHeaderOffset, message);
  }

  #corrupt(record: DirectoryRecord, error: unknown): FormatError {
    if (error instanceof FormatError) return error;
    const reason = error instanceof Error ? error.message : String(error);
    return new FormatError(
      'zip-entry-corrupt',
      record.localHeaderOffset,
      `${record.name} cannot be unpacked: ${reason}`,
    );
  }
}

/**
 * Opens an archive from its end record and central directory; contents are read on demand. Reads the last 64 KiB and
 * the directory, whatever the file's size.
 * @throws FormatError `not-a-zip`, or `zip-limit` where the directory is larger than any real one
 */
export function openZip(source: ByteSource, findings: Findings, limits: Partial<ZipLimits> = {}): ZipArchive {
  const applied = { ...defaultZipLimits, ...limits };
  const end = findEndRecord(source, findings);
  const records = readDirectory(source, end, findings, applied);
  reportStart(source, findings);
  return new ZipArchive(source, end, records, findings, applied);
}

/** Android demands a local header as the file's first bytes; a DEX header there is the "Janus" attack. */
function reportStart(source: ByteSource, findings: Findings): void {
  const start = Buffer.from(source.read(0, 4));
  if (start.equals(Buffer.from('dex\n'))) {
    findings.add(
      'zip-dex-prefix',
      'start of file',
      'the archive is a DEX file as well (CVE-2017-13156): v1 signatures do not cover it',
    );
  } else if (!start.equals(Buffer.from('PK\x03\x04'))) {
    const evidence = `the file begins with ${start.toString('hex')}, not with a local header; Android refuses such an archive`;
    findings.add('zip-bad-start', 'start of file', evidence);
  }
}
