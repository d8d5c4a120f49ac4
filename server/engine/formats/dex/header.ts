// The header of a dex file and the map of its sections. Knows nothing of what the sections hold.
import type { Findings } from '../../findings.ts';
import { FormatError } from '../byte-reader.ts';

/** A table: how many items, and where the first one stands. */
export interface Section {
  readonly count: number;
  /** From the start of the file, for version 41 of the container. */
  readonly offset: number;
}

/** https://source.android.com/docs/core/runtime/dex-format#header-item */
export interface DexHeader {
  /** Where this header stands: 0 but for the later parts of a container. */
  readonly offset: number;
  /** As written, `035` to `041`. */
  readonly version: string;
  readonly checksum: number;
  /** SHA-1, 20 bytes. */
  readonly signature: Uint8Array;
  readonly fileSize: number;
  readonly headerSize: number;
  readonly endianTag: number;
  readonly mapOffset: number;
  readonly strings: Section;
  readonly types: Section;
  readonly protos: Section;
  readonly fields: Section;
  readonly methods: Section;
  readonly classes: Section;
  readonly data: Section;
  /** Size of the whole container, for version 41. */
  readonly containerSize: number | null;
}

const magic = [0x64, 0x65, 0x78, 0x0a];
const headerLength = 0x70;
const containerHeaderLength = 0x78;
const littleEndianTag = 0x12345678;
const knownVersions = new Set(['035', '036', '037', '038', '039', '040', '041']);

/** Whether a dex file's magic stands at `offset`. */
export function isDexAt(bytes: Uint8Array, offset = 0): boolean {
  return offset + 8 <= bytes.length && magic.every((byte, index) => bytes[offset + index] === byte);
}

/** Bytes per item of the header's tables. */
export const itemSizes = { strings: 4, types: 4, protos: 12, fields: 8, methods: 8, classes: 32 } as const;

/**
 * Reads the header at `offset` and cuts every table to the items that lie inside the file.
 * @throws FormatError `dex-magic` where there is no dex, `truncated` where the header does not fit
 */
export function readHeader(bytes: Uint8Array, offset: number, findings: Findings, where: string): DexHeader {
  if (!isDexAt(bytes, offset)) throw new FormatError('dex-magic', offset, 'this is no dex file');
  if (offset + headerLength > bytes.length) throw new FormatError('truncated', offset, 'the dex header is cut off');
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, bytes.length - offset);
  const u32 = (at: number) => view.getUint32(at, true);
  const version = String.fromCharCode(...bytes.subarray(offset + 4, offset + 7));
  if (!knownVersions.has(version) || bytes[offset + 7] !== 0) {
    findings.add('dex-version', where, `version ${JSON.stringify(version)}`);
  }
  const headerSize = u32(36);
  const isContainer =
    version >= '041' && headerSize >= containerHeaderLength && view.byteLength >= containerHeaderLength;
  if (headerSize !== (isContainer || version === '041' ? containerHeaderLength : headerLength)) {
    findings.add('dex-header-size', where, `header size 0x${headerSize.toString(16)}`);
  }
  const endianTag = u32(40);
  if (endianTag !== littleEndianTag) {
    findings.add('dex-endian-tag', where, `endian tag 0x${endianTag.toString(16)}, read as little-endian`);
  }
  const table = (at: number, name: keyof typeof itemSizes): Section => {
    const count = u32(at);
    const start = u32(at + 4);
    const room = Math.max(0, Math.floor((bytes.length - start) / itemSizes[name]));
    if (count <= room) return { count, offset: start };
    findings.add('dex-table-outside', where, `${count} ${name} at 0x${start.toString(16)}, room for ${room}`);
    return { count: room, offset: start };
  };
  const header: DexHeader = {
    offset,
    version,
    checksum: u32(8),
    signature: bytes.subarray(offset + 12, offset + 32),
    fileSize: u32(32),
    headerSize,
    endianTag,
    mapOffset: u32(52),
    strings: table(56, 'strings'),
    types: table(64, 'types'),
    protos: table(72, 'protos'),
    fields: table(80, 'fields'),
    methods: table(88, 'methods'),
    classes: table(96, 'classes'),
    data: { count: u32(104), offset: u32(108) },
    containerSize: isContainer ? u32(112) : null,
  };
  if (isContainer && u32(116) !== offset) {
    findings.add(
      'dex-container-offset',
      where,
      `the header at 0x${offset.toString(16)} says 0x${u32(116).toString(16)}`,
    );
  }
  reportSize(bytes, header, findings, where);
  reportOverlaps(header, findings, where);
  return header;
}

/** Bytes of the header's tables together. */
export function tablesSize(header: DexHeader): number {
  const names = Object.keys(itemSizes) as (keyof typeof itemSizes)[];
  return names.reduce((sum, name) => sum + header[name].count * itemSizes[name], 0);
}

function reportSize(bytes: Uint8Array, header: DexHeader, findings: Findings, where: string): void {
  const declared = header.containerSize ?? header.fileSize;
  if (declared === bytes.length) return;
  const kind = declared > bytes.length ? 'dex-truncated' : 'dex-trailing-data';
  findings.add(kind, where, `${declared} bytes are declared, ${bytes.length} are there`);
}

function reportOverlaps(header: DexHeader, findings: Findings, where: string): void {
  const ranges = (Object.keys(itemSizes) as (keyof typeof itemSizes)[])
    .map((name) => ({
      name,
      start: header[name].offset,
      end: header[name].offset + header[name].count * itemSizes[name],
    }))
    .filter((range) => range.end > range.start)
    .sort((a, b) => a.start - b.start);
  ranges.forEach((range, index) => {
    const next = ranges[index + 1];
    if (range.start < header.offset + headerLength && range.end > header.offset) {
      findings.add('dex-overlap', where, `${range.name} lie over the header`);
    }
    if (next && next.start < range.end) findings.add('dex-overlap', where, `${range.name} and ${next.name} overlap`);
  });
}

/** Types of map items that have no place in the header. */
const mapTypes = { callSites: 7, methodHandles: 8, hiddenApi: 0xf000 } as const;

/** Sections that only the map names, null where it does not. https://source.android.com/docs/core/runtime/dex-format#map-list */
export interface MapSections {
  callSites: Section | null;
  methodHandles: Section | null;
  hiddenApi: Section | null;
  /** Every entry as written. */
  entries: { type: number; count: number; offset: number }[];
}

/** A map has some twenty kinds of items; more entries than this are there to cost time. */
const maxMapEntries = 1024;

export function readMap(bytes: Uint8Array, header: DexHeader, findings: Findings, where: string): MapSections {
  const sections: MapSections = { callSites: null, methodHandles: null, hiddenApi: null, entries: [] };
  const start = header.mapOffset;
  if (start === 0 || start + 4 > bytes.length) {
    findings.add('dex-map', where, `no map at 0x${start.toString(16)}`);
    return sections;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const declared = view.getUint32(start, true);
  const count = Math.min(declared, Math.floor((bytes.length - start - 4) / 12), maxMapEntries);
  if (count < declared) findings.add('dex-map', where, `${declared} map entries, ${count} read`);
  for (let index = 0; index < count; index++) {
    const at = start + 4 + index * 12;
    const entry = {
      type: view.getUint16(at, true),
      count: view.getUint32(at + 4, true),
      offset: view.getUint32(at + 8, true),
    };
    sections.entries.push(entry);
    const itemSize = entry.type === mapTypes.callSites ? 4 : entry.type === mapTypes.methodHandles ? 8 : 0;
    if (itemSize > 0) {
      const room = Math.max(0, Math.floor((bytes.length - entry.offset) / itemSize));
      if (entry.count > room)
        findings.add('dex-table-outside', where, `map type ${entry.type}: ${entry.count} items, room for ${room}`);
      const section = { count: Math.min(entry.count, room), offset: entry.offset };
      if (entry.type === mapTypes.callSites) sections.callSites = section;
      else sections.methodHandles = section;
    }
    if (entry.type === mapTypes.hiddenApi) sections.hiddenApi = { count: entry.count, offset: entry.offset };
  }
  return sections;
}
