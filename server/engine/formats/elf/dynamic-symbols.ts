// What a library tells the dynamic linker: its name, what it needs, its symbols. Knows nothing of sections' contents.
// https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html
import type { Findings } from '../../findings.ts';
import { type ElfFile, sectionType, segmentType } from './elf-file.ts';

/** The largest real libraries (browsers, game engines) have under 100,000 dynamic symbols. */
const maxSymbols = 300_000;
/** Names may share bytes; linkers let those share that end alike, which saves little. */
const maxNameSharing = 4;
const nameAllowance = 64 * 1024;
/** C++ templates reach some thousand letters. */
const maxNameLength = 16 * 1024;
const maxDynamicEntries = 4096;
const maxNeeded = 1024;

const tag = {
  needed: 1,
  hash: 4,
  strtab: 5,
  symtab: 6,
  strsz: 10,
  soname: 14,
  textrel: 22,
  gnuHash: 0x6ffffef5,
} as const;
const bindingLocal = 0;

export interface DynamicSymbols {
  soname: string | null;
  needed: string[];
  imports: string[];
  exports: string[];
  hasTextRelocations: boolean;
}

interface StringTable {
  start: number;
  end: number;
}

/** Reads the dynamic section by the program headers, as the linker does; by the section headers where there is none. */
export function readDynamicSymbols(file: ElfFile, findings: Findings): DynamicSymbols {
  const result: DynamicSymbols = { soname: null, needed: [], imports: [], exports: [], hasTextRelocations: false };
  const place = dynamicPlace(file);
  if (place === null) return result;
  const single = new Map<number, number>();
  const neededOffsets: number[] = [];
  const wordSize = file.is64 ? 8 : 4;
  const end = Math.min(place.offset + place.size, file.bytes.length, place.offset + maxDynamicEntries * 2 * wordSize);
  for (let at = place.offset; at + 2 * wordSize <= end; at += 2 * wordSize) {
    const key = file.word(at);
    const value = file.word(at + wordSize);
    if (key === 0) break;
    if (key === tag.needed) {
      if (neededOffsets.length < maxNeeded) neededOffsets.push(value);
    } else single.set(key, value);
  }
  result.hasTextRelocations = single.has(tag.textrel);

  const strings = stringTable(file, single);
  if (strings === null) {
    findings.add('elf-bad-dynamic-section', file.path, 'the dynamic section leads to no string table');
    return result;
  }
  const textAt = (offset: number) => file.text(strings.start + offset, strings.end);
  const soname = single.get(tag.soname);
  if (soname !== undefined) result.soname = textAt(soname);
  result.needed = neededOffsets.map(textAt).filter((name) => name !== null);
  readSymbols(file, single, strings, result, findings);
  return result;
}

function dynamicPlace(file: ElfFile): { offset: number; size: number } | null {
  const segment = file.segments.find(({ type }) => type === segmentType.dynamic);
  if (segment !== undefined) {
    // The linker goes by the address; the offset of the header itself is not looked at and may lie.
    return { offset: file.offsetOf(segment.address) ?? segment.offset, size: segment.fileSize };
  }
  return file.sections.find(({ type }) => type === sectionType.dynamic) ?? null;
}

function stringTable(file: ElfFile, single: ReadonlyMap<number, number>): StringTable | null {
  const start = file.offsetOf(single.get(tag.strtab) ?? -1);
  if (start === null || start >= file.bytes.length) return null;
  const size = single.get(tag.strsz) ?? file.bytes.length;
  return { start, end: Math.min(file.bytes.length, start + size) };
}

function readSymbols(
  file: ElfFile,
  single: ReadonlyMap<number, number>,
  strings: StringTable,
  result: DynamicSymbols,
  findings: Findings,
): void {
  const start = file.offsetOf(single.get(tag.symtab) ?? -1);
  if (start === null) return;
  const entrySize = file.is64 ? 24 : 16;
  const fitting = Math.floor((file.bytes.length - start) / entrySize);
  const declared = symbolCount(file, single, start, entrySize, strings);
  const count = Math.min(declared, fitting, maxSymbols);
  if (declared > count) {
    findings.add('elf-symbol-count', file.path, `${declared} symbols are declared, ${count} are read`);
  }
  const imports = new Set<string>();
  const exports = new Set<string>();
  const maxNameBytes = (strings.end - strings.start) * maxNameSharing + nameAllowance;
  let nameBytes = 0;
  let bad = 0;
  for (let index = 1; index < count; index++) {
    const at = start + index * entrySize;
    const info = file.bytes[at + (file.is64 ? 4 : 12)]!;
    const sectionIndex = file.u16(at + (file.is64 ? 6 : 14));
    const nameOffset = file.u32(at);
    if (nameOffset === 0 || info >> 4 === bindingLocal) continue;
    const name = file.text(
      strings.start + nameOffset,
      Math.min(strings.end, strings.start + nameOffset + maxNameLength),
    );
    // A name that does not end costs as much as the longest one that does.
    nameBytes += name === null ? maxNameLength : name.length;
    if (nameBytes > maxNameBytes) {
      findings.add(
        'elf-symbol-count',
        file.path,
        `the names of ${index} symbols take too much space; the rest is left out`,
      );
      break;
    }
    if (name === null) bad++;
    else if (name !== '') (sectionIndex === 0 ? imports : exports).add(name);
  }
  if (bad > 0) findings.add('elf-bad-symbol-name', file.path, `${bad} symbols have no readable name`);
  result.imports = [...imports];
  result.exports = [...exports];
}

/** How many dynamic symbols there are: only the hash tables tell. */
function symbolCount(
  file: ElfFile,
  single: ReadonlyMap<number, number>,
  symbols: number,
  entrySize: number,
  strings: StringTable,
): number {
  const hash = file.offsetOf(single.get(tag.hash) ?? -1);
  if (hash !== null && hash + 8 <= file.bytes.length) return file.u32(hash + 4);
  const gnuHash = file.offsetOf(single.get(tag.gnuHash) ?? -1);
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
