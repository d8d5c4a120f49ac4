// What a library tells the dynamic linker: its name, what it needs, its symbols. Knows nothing of sections' contents.
// https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.dynamic.html
import type { Findings } from '../../findings.ts';
import { readDynamicSection, type StringTable, stringTable, symbolCount, tag } from './dynamic-section.ts';
import type { ElfFile } from './elf-file.ts';

/** The largest real libraries (browsers, game engines) have under 100,000 dynamic symbols. */
const maxSymbols = 300_000;
/** Names may share bytes; linkers let those share that end alike, which saves little. */
const maxNameSharing = 4;
const nameAllowance = 64 * 1024;
/** C++ templates reach some thousand letters. */
const maxNameLength = 16 * 1024;
const bindingLocal = 0;

export interface DynamicSymbols {
  soname: string | null;
  needed: string[];
  imports: string[];
  exports: string[];
  hasTextRelocations: boolean;
}

/** Reads the dynamic section by the program headers, as the linker does; by the section headers where there is none. */
export function readDynamicSymbols(file: ElfFile, findings: Findings): DynamicSymbols {
  const result: DynamicSymbols = { soname: null, needed: [], imports: [], exports: [], hasTextRelocations: false };
  const section = readDynamicSection(file);
  if (section === null) return result;
  const { values: single, needed: neededOffsets } = section;
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
