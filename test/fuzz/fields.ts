// Where well-formed files of each format have their counts, sizes and offsets.
import type { Field } from './field-mutation.ts';

const words = (start: number, end: number): Field[] =>
  Array.from({ length: Math.max(0, Math.floor((end - start) / 4)) }, (_, index) => ({
    offset: start + index * 4,
    width: 4,
  }));

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Words of a chunk's own that are worth a lie; those of large tables are all alike. */
const maxChunkWords = 40;
const containers: ReadonlySet<number> = new Set([0x0002, 0x0003, 0x0200]);
const startElement = 0x0102;

/** Headers and first words of every chunk of binary XML or a resource table, and the numbers of elements and attributes. */
export function chunkFields(bytes: Uint8Array): Field[] {
  const view = viewOf(bytes);
  const fields: Field[] = [];
  const walk = (start: number, end: number) => {
    for (let at = start; at + 8 <= end; ) {
      const type = view.getUint16(at, true);
      const headerSize = view.getUint16(at + 2, true);
      const size = view.getUint32(at + 4, true);
      if (size < 8 || at + size > end) return;
      fields.push({ offset: at, width: 2 }, { offset: at + 2, width: 2 });
      fields.push(...words(at + 4, Math.min(at + size, at + maxChunkWords * 4)));
      for (let half = at + 8; half < Math.min(at + headerSize, at + 24); half += 2)
        fields.push({ offset: half, width: 2 });
      if (type === startElement) for (let half = 24; half < 36; half += 2) fields.push({ offset: at + half, width: 2 });
      if (containers.has(type)) walk(at + headerSize, at + size);
      at += size;
    }
  };
  walk(0, bytes.length);
  return fields;
}

/** Rows of each table whose words are taken. */
const maxRows = 8;
const tables: readonly (readonly [count: number, offset: number, width: number])[] = [
  [56, 60, 4],
  [64, 68, 4],
  [72, 76, 12],
  [80, 84, 8],
  [88, 92, 8],
  [96, 100, 32],
];

/** The header's numbers, the map, the first rows of every table, and the bytes of what classes point to. */
export function dexFields(bytes: Uint8Array): Field[] {
  const view = viewOf(bytes);
  const fields: Field[] = [{ offset: 4, width: 4 }, ...words(8, 112)];
  const u32 = (at: number) => (at + 4 <= bytes.length ? view.getUint32(at, true) : 0);
  const map = u32(52);
  fields.push(...words(map, Math.min(map + 4 + u32(map) * 12, bytes.length)));
  for (const [count, offset, width] of tables) {
    const start = u32(offset);
    fields.push(...words(start, start + Math.min(u32(count), maxRows) * width));
  }
  const classes = u32(100);
  for (let row = 0; row < Math.min(u32(96), maxRows); row++) {
    for (const word of [3, 5, 6, 7]) {
      const place = u32(classes + row * 32 + word * 4);
      if (place === 0) continue;
      for (let at = place; at < Math.min(place + 32, bytes.length); at++) fields.push({ offset: at, width: 1 });
      if (word === 5) fields.push(...words(place, Math.min(place + 32, bytes.length)));
    }
  }
  for (let row = 0; row < Math.min(u32(56), maxRows); row++) fields.push({ offset: u32(u32(60) + row * 4), width: 1 });
  return fields.filter(({ offset, width }) => offset + width <= bytes.length);
}

const zipRecords: readonly (readonly [
  signature: number,
  halves: readonly number[],
  words: readonly number[],
  quads: readonly number[],
])[] = [
  [0x04034b50, [4, 6, 8, 10, 26, 28], [14, 18, 22], []],
  [0x02014b50, [6, 8, 10, 28, 30, 32, 34], [16, 20, 24, 38, 42], []],
  [0x06054b50, [4, 6, 8, 10, 20], [12, 16], []],
  [0x06064b50, [], [16, 20], [4, 24, 32, 40, 48]],
  [0x07064b50, [], [4, 16], [8]],
  [0x08074b50, [], [4, 8, 12], []],
];

/** The numbers of every record of an archive, and the sizes and ids of an APK signing block and its pairs. */
export function zipFields(bytes: Uint8Array): Field[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const fields: Field[] = [];
  for (const [signature, halves, longs, quads] of zipRecords) {
    const mark = Buffer.alloc(4);
    mark.writeUInt32LE(signature);
    for (let at = buffer.indexOf(mark); at >= 0; at = buffer.indexOf(mark, at + 4)) {
      for (const each of halves) fields.push({ offset: at + each, width: 2 });
      for (const each of longs) fields.push({ offset: at + each, width: 4 });
      for (const each of quads) fields.push({ offset: at + each, width: 8 });
    }
  }
  return [...fields, ...signingBlockFields(buffer)].filter(({ offset, width }) => offset + width <= bytes.length);
}

function signingBlockFields(bytes: Buffer): Field[] {
  const magic = bytes.lastIndexOf('APK Sig Block 42');
  if (magic < 8) return [];
  const fields: Field[] = [{ offset: magic - 8, width: 8 }];
  const start = magic + 16 - Number(bytes.readBigUInt64LE(magic - 8)) - 8;
  fields.push({ offset: start, width: 8 });
  for (let at = start + 8; at + 12 <= magic - 8; ) {
    const size = Number(bytes.readBigUInt64LE(at));
    fields.push({ offset: at, width: 8 }, ...words(at + 8, at + 12));
    fields.push(...lengthFields(bytes, at + 12, at + 8 + size));
    at += 8 + size;
  }
  return fields;
}

/** Words that can be lengths of what follows them, as all parts of a signature have them in front. */
function lengthFields(bytes: Buffer, start: number, end: number): Field[] {
  const fields: Field[] = [];
  for (let at = start; at + 4 <= end; at++) {
    const length = bytes.readUInt32LE(at);
    if (length > 0 && length <= end - at - 4) fields.push({ offset: at, width: 4 });
  }
  return fields;
}

/** Every word of the headers of an ELF file and of its first tables. */
export function elfFields(bytes: Uint8Array): Field[] {
  const halves = Array.from({ length: 32 }, (_, index): Field => ({ offset: 16 + index * 2, width: 2 }));
  return [...halves, ...words(16, Math.min(bytes.length & ~3, 2048))].filter(
    ({ offset, width }) => offset + width <= bytes.length,
  );
}
