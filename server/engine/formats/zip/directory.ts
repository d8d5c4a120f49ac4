// Reads the central directory of a ZIP archive into entries. Knows nothing of the entries' contents.
import type { ByteSource } from '../../../vault/byte-source.ts';
import type { Findings } from '../../findings.ts';
import { FormatError } from '../byte-reader.ts';
import { directorySignature, type EndRecord, localSignature, readU32 } from './end-record.ts';
import type { ZipLimits } from './limits.ts';

const headerLength = 46;
export const storeMethod = 0;
export const deflateMethod = 8;
const zip64FieldId = 0x0001;
/** Bytes that are read past the declared size of a directory, which may be too small. */
const sizeSlack = 1024 * 1024;

/** How an entry's bytes are packed, whatever its method says. */
export type Packing = 'stored' | 'deflated';

/** One entry as the central directory declares it; the name decoded, offsets absolute in the file. */
export interface ZipEntry {
  /** Position in the central directory. */
  readonly index: number;
  readonly name: string;
  readonly nameBytes: Uint8Array;
  /** As declared; see `effectiveMethod` for what it means to Android. */
  readonly method: number;
  readonly effectiveMethod: Packing;
  readonly flags: number;
  readonly crc32: number;
  readonly size: number;
  readonly compressedSize: number;
  readonly localHeaderOffset: number;
  /** First byte of the packed content; null until the entry has been read or its place asked for. */
  readonly dataOffset: number | null;
}

/** The entry while the archive is being read: what is learned later is filled in. */
export class DirectoryRecord implements ZipEntry {
  readonly index: number;
  readonly name: string;
  /** The directory's bytes, and where the name stands in them: most names are never asked for as bytes. */
  readonly directory: Uint8Array;
  readonly nameStart: number;
  readonly nameLength: number;
  /** Length of the directory's own extra field: a guess at the local header's. */
  readonly extraLength: number;
  readonly method: number;
  readonly effectiveMethod: Packing;
  readonly flags: number;
  readonly crc32: number;
  size: number;
  compressedSize: number;
  localHeaderOffset: number;
  dataOffset: number | null = null;

  constructor(index: number, name: string, { directory, view, at, lengths }: HeaderPlace) {
    this.index = index;
    this.name = name;
    this.directory = directory;
    this.nameStart = at + headerLength;
    this.nameLength = lengths.name;
    this.extraLength = lengths.extra;
    this.method = view.getUint16(at + 10, true);
    this.effectiveMethod = this.method === deflateMethod ? 'deflated' : 'stored';
    this.flags = view.getUint16(at + 8, true);
    this.crc32 = view.getUint32(at + 16, true);
    this.compressedSize = view.getUint32(at + 20, true);
    this.size = view.getUint32(at + 24, true);
    this.localHeaderOffset = view.getUint32(at + 42, true);
  }

  get nameBytes(): Uint8Array {
    return this.directory.subarray(this.nameStart, this.nameStart + this.nameLength);
  }
}

/** A whole header in the directory. */
interface HeaderPlace {
  directory: Uint8Array;
  view: DataView;
  at: number;
  lengths: HeaderLengths;
}

interface HeaderLengths {
  name: number;
  extra: number;
  /** Offset of the first byte past the header. */
  end: number;
}

/** Valid UTF-8 as such, as Android demands; anything else byte by byte, so that different names stay different. */
function decodeName(bytes: Buffer, start: number, end: number): { name: string; isValid: boolean } {
  const name = bytes.toString('utf8', start, end);
  // A U+FFFD that really stands in the name turns back into its own three bytes; a replaced byte does not.
  if (!name.includes('\ufffd') || Buffer.from(name).equals(bytes.subarray(start, end))) return { name, isValid: true };
  return { name: bytes.toString('latin1', start, end), isValid: false };
}

/**
 * Fills in the numbers that did not fit into 32 bits.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.5.3)
 * @returns false where the extended information is needed and is not there
 */
function applyZip64(record: DirectoryRecord, view: DataView, start: number, end: number): boolean {
  let at = start;
  while (at + 4 <= end) {
    const id = view.getUint16(at, true);
    const length = view.getUint16(at + 2, true);
    at += 4;
    const fieldEnd = at + length;
    if (fieldEnd > end) return false;
    if (id !== zip64FieldId) {
      at = fieldEnd;
      continue;
    }
    // Some writers store all three numbers although only one is needed.
    const isComplete = length === 24 || length === 28;
    for (const key of ['size', 'compressedSize', 'localHeaderOffset'] as const) {
      if (record[key] !== 0xffffffff && !isComplete) continue;
      if (at + 8 > fieldEnd) return false;
      record[key] = Number(view.getBigUint64(at, true));
      at += 8;
    }
    return true;
  }
  return false;
}

/**
 * Reads as many central directory headers as the end record declares, as Android does; a directory that ends earlier
 * keeps what it has.
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT (4.3.12)
 * @throws FormatError `not-a-zip` where not even the first header can be read, `zip-limit` for a directory over the limit
 */
export function readDirectory(
  source: ByteSource,
  end: EndRecord,
  findings: Findings,
  limits: ZipLimits,
): DirectoryRecord[] {
  const space = end.directoryLimit - end.directoryOffset;
  const size = Math.min(end.directorySize, space);
  if (size > limits.maxDirectorySize) {
    throw new FormatError(
      'zip-limit',
      end.directoryOffset,
      `the central directory has ${size} bytes, more than ${limits.maxDirectorySize}`,
    );
  }
  const read = source.read(end.directoryOffset, Math.min(space, size + sizeSlack));
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const records: DirectoryRecord[] = [];
  // An archive that says it is empty and is not: Android refuses it; an analyst wants to see it.
  const wanted = Math.min(end.entryCount || limits.maxEntries, limits.maxEntries);

  let at = 0;
  while (records.length < wanted) {
    const header = headerAt(view, at);
    if (header === null) break;
    const extraStart = at + headerLength + header.name;
    const { name, isValid } = decodeName(bytes, at + headerLength, extraStart);
    const record = new DirectoryRecord(records.length, name, { directory: bytes, view, at, lengths: header });
    if (record.size === 0xffffffff || record.compressedSize === 0xffffffff || record.localHeaderOffset === 0xffffffff) {
      const isApplied = applyZip64(record, view, extraStart, extraStart + header.extra);
      if (!isApplied) findings.add('zip-bad-zip64-field', name, 'a 64-bit size or offset is announced and missing');
    }
    if (!isValid) {
      findings.add('zip-name-encoding', name, 'the name is not UTF-8; Android refuses such an archive');
    }
    records.push(record);
    at = header.end;
  }
  shiftOffsets(source, records, end.shift);

  if (records.length === 0 && end.directorySize > 0) {
    throw new FormatError('not-a-zip', end.directoryOffset, 'the central directory holds no readable header');
  }
  reportSizes(view, end, { count: records.length, used: at }, findings, limits);
  return records;
}

/** Compares the headers that were read, and the bytes that they take, with what the end record declares. */
function reportSizes(
  view: DataView,
  end: EndRecord,
  { count, used }: { count: number; used: number },
  findings: Findings,
  limits: ZipLimits,
): void {
  const where = 'central directory';
  if (count < Math.min(end.entryCount, limits.maxEntries)) {
    findings.add(
      'zip-entry-count-mismatch',
      where,
      `${end.entryCount} entries are declared, ${count} can be read; Android refuses such an archive`,
    );
  } else if (end.entryCount === 0 && count > 0) {
    findings.add(
      'zip-entry-count-mismatch',
      where,
      `no entries are declared, ${count} are there; Android refuses such an archive`,
    );
  } else if (count < end.entryCount) {
    findings.add(
      'zip-too-many-entries',
      where,
      `${end.entryCount} entries are declared, the first ${limits.maxEntries} were read`,
    );
  } else {
    const hidden = countHeaders(view, used, Math.min(end.directorySize, view.byteLength));
    if (hidden > 0) {
      findings.add(
        'zip-entry-count-mismatch',
        where,
        `${hidden} further entries stand behind the ${end.entryCount} declared ones; Android does not see them`,
      );
    }
  }
  if (used > end.directorySize || end.directorySize > end.directoryLimit - end.directoryOffset) {
    findings.add(
      'zip-directory-size-mismatch',
      where,
      `${end.directorySize} bytes are declared, ${used} are used; Android refuses such an archive`,
    );
  }
}

/** Data in front of the archive shifts the entries as far as the directory, unless only the directory's offset is wrong. */
function shiftOffsets(source: ByteSource, records: readonly DirectoryRecord[], shift: number): void {
  const [first] = records;
  if (shift === 0 || first === undefined) return;
  const isHeaderAt = (offset: number) => readU32(source, offset) === localSignature;
  if (!isHeaderAt(first.localHeaderOffset + shift) && isHeaderAt(first.localHeaderOffset)) return;
  for (const record of records) {
    if (record.localHeaderOffset + shift >= 0) record.localHeaderOffset += shift;
  }
}

/** The lengths of the header at `at`, null where no whole header stands there. */
function headerAt(view: DataView, at: number): HeaderLengths | null {
  if (at + headerLength > view.byteLength || view.getUint32(at, true) !== directorySignature) return null;
  const name = view.getUint16(at + 28, true);
  const extra = view.getUint16(at + 30, true);
  const end = at + headerLength + name + extra + view.getUint16(at + 32, true);
  return end > view.byteLength ? null : { name, extra, end };
}

function countHeaders(view: DataView, start: number, limit: number): number {
  let count = 0;
  for (let at = start; at < limit; count++) {
    const header = headerAt(view, at);
    if (header === null) break;
    at = header.end;
  }
  return count;
}
