// The dynamic section of an ELF file: what the linker is told, and where its tables stand. Knows no symbol's name.
// https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html
import { type ElfFile, sectionType, segmentType } from './elf-file.ts';

const maxDynamicEntries = 4096;
const maxNeeded = 1024;

export const tag = {
  needed: 1,
  pltRelocationsSize: 2,
  pltGot: 3,
  hash: 4,
  strtab: 5,
  symtab: 6,
  rela: 7,
  relaSize: 8,
  strsz: 10,
  init: 12,
  fini: 13,
  soname: 14,
  rel: 17,
  relSize: 18,
  pltRelocationType: 20,
  textrel: 22,
  pltRelocations: 23,
  initArray: 25,
  finiArray: 26,
  initArraySize: 27,
  finiArraySize: 28,
  relrSize: 35,
  relr: 36,
  androidRel: 0x6000000f,
  androidRelSize: 0x60000010,
  androidRela: 0x60000011,
  androidRelaSize: 0x60000012,
  androidRelr: 0x6fffe000,
  androidRelrSize: 0x6fffe001,
  gnuHash: 0x6ffffef5,
} as const;

export interface StringTable {
  start: number;
  end: number;
}

export interface DynamicSection {
  /** The last value of each tag. */
  values: ReadonlyMap<number, number>;
  /** Where names of needed libraries stand in the string table. */
  needed: readonly number[];
}

/** By the program headers, as the linker does; by the section headers where there is none. Null where there is neither. */
export function readDynamicSection(file: ElfFile): DynamicSection | null {
  const place = dynamicPlace(file);
  if (place === null) return null;
  const values = new Map<number, number>();
  const needed: number[] = [];
  const wordSize = file.is64 ? 8 : 4;
  const end = Math.min(place.offset + place.size, file.bytes.length, place.offset + maxDynamicEntries * 2 * wordSize);
  for (let at = place.offset; at + 2 * wordSize <= end; at += 2 * wordSize) {
    const key = file.word(at);
    const value = file.word(at + wordSize);
    if (key === 0) break;
    if (key === tag.needed) {
      if (needed.length < maxNeeded) needed.push(value);
    } else values.set(key, value);
  }
  return { values, needed };
}

function dynamicPlace(file: ElfFile): { offset: number; size: number } | null {
  const segment = file.segments.find(({ type }) => type === segmentType.dynamic);
  if (segment !== undefined) {
    // The linker goes by the address; the offset of the header itself is not looked at and may lie.
    return { offset: file.offsetOf(segment.address) ?? segment.offset, size: segment.fileSize };
  }
  return file.sections.find(({ type }) => type === sectionType.dynamic) ?? null;
}

/** Null where the section leads to none in the file. */
export function stringTable(file: ElfFile, values: ReadonlyMap<number, number>): StringTable | null {
  const start = file.offsetOf(values.get(tag.strtab) ?? -1);
  if (start === null || start >= file.bytes.length) return null;
  const size = values.get(tag.strsz) ?? file.bytes.length;
  return { start, end: Math.min(file.bytes.length, start + size) };
}

/** How many dynamic symbols there are: only the hash tables tell. */
export function symbolCount(
  file: ElfFile,
  values: ReadonlyMap<number, number>,
  symbols: number,
  entrySize: number,
  strings: StringTable,
): number {
  const hash = file.offsetOf(values.get(tag.hash) ?? -1);
  if (hash !== null && hash + 8 <= file.bytes.length) return file.u32(hash + 4);
  const gnuHash = file.offsetOf(values.get(tag.gnuHash) ?? -1);
  const counted = gnuHash === null ? null : gnuHashCount(file, gnuHash);
  if (counted !== null) return counted;
  const section = file.sections.find(({ type, offset }) => type === sectionType.dynsym && offset === symbols);
  if (section !== undefined) return Math.floor(section.size / entrySize);
  // Linkers put the string table right behind the symbols.
  return strings.start > symbols ? Math.floor((strings.start - symbols) / entrySize) : 0;
}

/**
 * Symbols are ordered by bucket, so that the chain of the last bucket ends with the last symbol.
 * https://sourceware.org/gnu-gabi/program-loading-and-dynamic-linking.txt
 */
function gnuHashCount(file: ElfFile, start: number): number | null {
  const size = file.bytes.length;
  if (start + 16 > size) return null;
  const bucketCount = file.u32(start);
  const firstSymbol = file.u32(start + 4);
  const buckets = start + 16 + file.u32(start + 8) * (file.is64 ? 8 : 4);
  const chains = buckets + bucketCount * 4;
  if (chains > size) return null;
  let last = 0;
  for (let index = 0; index < bucketCount; index++) last = Math.max(last, file.u32(buckets + index * 4));
  if (last < firstSymbol) return firstSymbol;
  for (let at = chains + (last - firstSymbol) * 4; at + 4 <= size; at += 4, last++) {
    if ((file.u32(at) & 1) === 1) return last + 1;
  }
  return null;
}
