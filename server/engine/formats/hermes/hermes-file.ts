// Bytecode of Hermes, the JavaScript engine of React Native: its header, its strings, where it was compiled from.
// https://github.com/facebook/hermes/blob/main/include/hermes/BCGen/HBC/BytecodeFileFormat.h, and its history for older
// versions.
import { hash } from 'node:crypto';
import { ByteReader, FormatError } from '../byte-reader.ts';

/** "Hermes" in Greek; the other form, with all bits turned, is for finding differences and does not run. */
const magic = 'c61fbc03c103191f';
const deltaMagic = '39e043fc3efce6e0';
const headerSize = 128;
const hashSize = 20;
const newest = 99;
/** The first version whose hash is known to be that of all bytes before it. */
const hashedFrom = 76;
/** Real bundles have some hundred thousand; a table may claim as many as fit the file. */
const maxStrings = 2_000_000;
/** Letters of one string that are handed out: a longer one is a document. */
const maxStringLength = 8192;
/** Letters of all strings, which may lie over each other. */
const maxLetters = 64 * 1024 * 1024;
const maxSources = 20;

export interface HermesString {
  /** In the file. */
  offset: number;
  text: string;
}

export interface HermesFile {
  version: number;
  isDelta: boolean;
  /** SHA-1 of the JavaScript that it was compiled from, in hexadecimal. */
  sourceHash: string;
  functionCount: number;
  stringCount: number;
  identifierCount: number;
  /** Modules in the form of CommonJS, and the number of the segment where code is split. */
  commonJsModules: number;
  segment: number;
  /** Names of source files that the debug information has. */
  sources: string[];
  /** What departs from the format, and where. */
  faults: string[];
  /** @returns whether all were handed out whole */
  strings(): Generator<HermesString, boolean>;
}

/** Fields whose place depends on the version. */
function placesOf(version: number): { segment: number; modules: number; debugInfo: number; functionHeader: number } {
  // With 84 came sources of functions, with 87 big integers, with 97 shapes of objects and shorter headers.
  if (version >= 97) return { segment: 96, modules: 100, debugInfo: 108, functionHeader: 12 };
  if (version >= 87) return { segment: 92, modules: 96, debugInfo: 104, functionHeader: 16 };
  return { segment: 84, modules: 88, debugInfo: version >= 84 ? 96 : 92, functionHeader: 16 };
}

/** Whether bytes begin as Hermes bytecode does. */
export function isHermes(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(8, bytes.length)).toString('hex');
  return start === magic || start === deltaMagic;
}

/** @throws FormatError `not-hermes`, or `truncated` where the header is not whole */
export function readHermes(bytes: Uint8Array): HermesFile {
  if (!isHermes(bytes)) throw new FormatError('not-hermes', 0, 'no Hermes bytecode');
  const reader = new ByteReader(bytes, 8);
  const version = reader.u32();
  const sourceHash = Buffer.from(reader.take(hashSize)).toString('hex');
  const [fileLength, , functionCount, kindCount, identifierCount, stringCount, overflowCount, storageSize] = Array.from(
    { length: 8 },
    () => reader.u32(),
  ) as [number, number, number, number, number, number, number, number];
  reader.seek(0).skip(headerSize);
  const faults: string[] = [];
  if (version > newest) faults.push(`version ${version} is newer than ${newest}, the newest whose layout is known`);
  if (fileLength !== bytes.length) {
    faults.push(`the header says ${fileLength} bytes at 0x20, the file has ${bytes.length}`);
  }
  const at = (place: number) => reader.seek(place).u32();
  const places = placesOf(version);
  const layout = stringLayout(bytes, {
    ...{ functionCount, kindCount, identifierCount, stringCount, overflowCount, storageSize },
    functionHeader: places.functionHeader,
  });
  faults.push(...layout.faults);
  if (version >= hashedFrom && fileLength === bytes.length && fileLength >= headerSize + hashSize) {
    const written = Buffer.from(bytes.subarray(fileLength - hashSize)).toString('hex');
    if (hash('sha1', bytes.subarray(0, fileLength - hashSize), 'hex') !== written) {
      faults.push(`the hash at 0x${(fileLength - hashSize).toString(16)} is another: changed after it was compiled`);
    }
  }
  return {
    version,
    isDelta: Buffer.from(bytes.subarray(0, 8)).toString('hex') === deltaMagic,
    sourceHash,
    functionCount,
    stringCount,
    identifierCount,
    // Before 78 an offset stood where the segment's number is now.
    segment: version >= 78 ? at(places.segment) : 0,
    commonJsModules: at(places.modules),
    sources: sourcesOf(bytes, version, at(places.debugInfo), faults),
    faults,
    strings: () => stringsOf(bytes, layout),
  };
}

interface Counts {
  functionCount: number;
  kindCount: number;
  identifierCount: number;
  stringCount: number;
  overflowCount: number;
  storageSize: number;
  functionHeader: number;
}

interface StringLayout {
  entries: number;
  count: number;
  overflow: number;
  overflowCount: number;
  storage: number;
  storageEnd: number;
  faults: string[];
}

/** Where the tables of strings stand: behind the headers of functions, kinds of strings and hashes of identifiers. */
function stringLayout(bytes: Uint8Array, counts: Counts): StringLayout {
  const { functionCount, kindCount, identifierCount, stringCount, overflowCount, storageSize } = counts;
  const faults: string[] = [];
  const kinds = headerSize + functionCount * counts.functionHeader;
  const entries = kinds + kindCount * 4 + identifierCount * 4;
  const overflow = entries + stringCount * 4;
  const storage = overflow + overflowCount * 8;
  const storageEnd = storage + storageSize;
  const isWhole = storageEnd <= bytes.length;
  if (!isWhole) {
    faults.push(
      `${stringCount} strings at 0x${entries.toString(16)} end behind the file, at 0x${storageEnd.toString(16)}`,
    );
  }
  const fitting = Math.max(0, Math.floor((bytes.length - entries) / 4));
  const count = Math.min(stringCount, fitting, maxStrings);
  if (isWhole) {
    const reader = new ByteReader(bytes, kinds);
    let kindred = 0;
    // The highest bits say of which kind a run of strings is.
    for (let index = 0; index < kindCount; index++) kindred += reader.u32() & 0x3fff_ffff;
    if (kindred !== stringCount) {
      faults.push(`kinds of ${kindred} strings at 0x${kinds.toString(16)}, the header says ${stringCount}`);
    }
  }
  return { entries, count, overflow, overflowCount, storage, storageEnd: Math.min(storageEnd, bytes.length), faults };
}

function* stringsOf(bytes: Uint8Array, layout: StringLayout): Generator<HermesString, boolean> {
  const { entries, count, overflow, overflowCount, storage, storageEnd } = layout;
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let isWhole = layout.faults.length === 0;
  let left = maxLetters;
  for (let index = 0; index < count && left > 0; index++) {
    const entry = content.readUInt32LE(entries + index * 4);
    // One bit for two bytes a letter, 23 for the place, 8 for the length: 255 where both stand in the other table.
    let [place, length] = [(entry >>> 1) & 0x7f_ffff, entry >>> 24];
    if (length === 255) {
      const at = overflow + place * 8;
      if (place >= overflowCount || at + 8 > content.length) {
        isWhole = false;
        continue;
      }
      [place, length] = [content.readUInt32LE(at), content.readUInt32LE(at + 4)];
    }
    const width = (entry & 1) + 1;
    const start = storage + place;
    if (start + length * width > storageEnd) {
      isWhole = false;
      continue;
    }
    const shown = Math.min(length, maxStringLength);
    if (shown < length) isWhole = false;
    left -= shown + 1;
    yield { offset: start, text: content.toString(width === 2 ? 'utf16le' : 'latin1', start, start + shown * width) };
  }
  return isWhole && left > 0;
}

/** Names of the files that the debug information tells of. */
function sourcesOf(bytes: Uint8Array, version: number, start: number, faults: string[]): string[] {
  if (start === 0) return [];
  const size = version >= 97 ? 16 : version >= 91 ? 28 : 20;
  try {
    const reader = new ByteReader(bytes, start);
    const [count, storageSize] = [reader.u32(), reader.u32()];
    const table = start + size;
    const storage = table + count * 8;
    const names: string[] = [];
    for (let index = 0; index < Math.min(count, maxSources); index++) {
      reader.seek(table + index * 8);
      const [place, length] = [reader.u32(), reader.u32()];
      // The highest bit: two bytes a letter.
      const isWide = length >>> 31 === 1;
      const letters = Math.min(length & 0x7fff_ffff, maxStringLength);
      const width = isWide ? 2 : 1;
      if (place + letters * width > storageSize)
        throw new FormatError('truncated', storage, 'a name ends behind its table');
      names.push(
        Buffer.from(reader.seek(storage + place).take(letters * width)).toString(isWide ? 'utf16le' : 'latin1'),
      );
    }
    return names;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    faults.push(`debug information at 0x${start.toString(16)}: ${error.message}`);
    return [];
  }
}
