// An assembly of .NET: unpacks those that .NET for Android has packed, and reads the strings that its code uses.
// https://ecma-international.org/publications-and-standards/standards/ecma-335/ (II.24)
import { ByteReader, FormatError } from '../byte-reader.ts';
import { unpackLz4Block } from './lz4-block.ts';

/** `XALZ`: an index, the length unpacked, then one block of LZ4. */
const packedMagic = 0x5a4c4158;
const packedHeader = 12;
const maxUnpacked = 64 * 1024 * 1024;
/** LZ4 makes of one byte 255 at most. */
const maxRatio = 255;
const maxStreams = 32;

export const isPackedAssembly = (bytes: Uint8Array): boolean =>
  bytes.length > packedHeader && new ByteReader(bytes).u32() === packedMagic;

/** @throws FormatError */
export function unpackAssembly(bytes: Uint8Array): Uint8Array {
  const size = new ByteReader(bytes, 8).u32();
  if (size > Math.min(maxUnpacked, bytes.length * maxRatio)) {
    throw new FormatError('bad-lz4', 8, `${bytes.length} bytes cannot unpack to ${size}`);
  }
  return unpackLz4Block(bytes.subarray(packedHeader), size);
}

/** Where the root of the metadata stands, `BSJB`; null where there is none. */
function metadataRoot(bytes: Uint8Array): number | null {
  const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('BSJB\x01\0\x01\0', 0, 'latin1');
  return at < 0 ? null : at;
}

/** Whether a file is a program for Windows with code of .NET in it. */
export const isAssembly = (bytes: Uint8Array): boolean =>
  bytes[0] === 0x4d && bytes[1] === 0x5a && metadataRoot(bytes) !== null;

export interface AssemblyStrings {
  /** Of the runtime that it was compiled for: `v4.0.30319`. */
  runtime: string;
  /** Of a place in the unpacked assembly, what its code loads as strings. */
  strings: Generator<{ offset: number; text: string }>;
}

/** @throws FormatError `not-an-assembly`, `truncated` */
export function readAssembly(bytes: Uint8Array): AssemblyStrings {
  const root = metadataRoot(bytes);
  if (root === null) throw new FormatError('not-an-assembly', 0, 'no metadata of .NET');
  const reader = new ByteReader(bytes, root + 12);
  const length = reader.u32();
  const runtime = Buffer.from(reader.take(Math.min(length, 255)))
    .toString('latin1')
    .replace(/\0.*$/s, '');
  reader.seek(root + 18 + length);
  const streams = Math.min(reader.u16(), maxStreams);
  let [start, end] = [0, 0];
  for (let index = 0; index < streams; index++) {
    const [offset, size] = [reader.u32(), reader.u32()];
    const from = reader.offset;
    while (reader.u8() !== 0);
    const name = Buffer.from(bytes.subarray(from, reader.offset - 1)).toString('latin1');
    reader.seek(from + Math.ceil((reader.offset - from) / 4) * 4);
    if (name === '#US') [start, end] = [root + offset, Math.min(bytes.length, root + offset + size)];
  }
  return { runtime, strings: userStrings(bytes, start, end) };
}

/** Each is its length, packed in up to four bytes, two bytes a letter, and one byte more. */
function* userStrings(bytes: Uint8Array, start: number, end: number): Generator<{ offset: number; text: string }> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = start + 1; at < end; ) {
    const first = content[at]!;
    const width = first < 0x80 ? 1 : first < 0xc0 ? 2 : 4;
    if (at + width > end) return;
    const length = width === 1 ? first : content.readUIntBE(at, width) - (width === 2 ? 0x8000 : 0xc000_0000);
    at += width;
    if (length > end - at) return;
    if (length > 1) yield { offset: at, text: content.toString('utf16le', at, at + length - 1) };
    at += Math.max(0, length);
  }
}
