// Symbols of an ELF file with their addresses, and what its relocations put into which word. Knows no instruction.
// https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.symtab.html
import { readDynamicSection, type StringTable, stringTable, symbolCount, tag } from './dynamic-section.ts';
import type { ElfFile } from './elf-file.ts';
import { readRelocations, relativeTypes } from './relocations.ts';

/** The largest real libraries with debug symbols have some hundred thousand. */
const maxSymbols = 200_000;
/** C++ templates reach some thousand letters; those of what is shown are cut anyway. */
const maxNameLength = 4096;
/** Characters of all names together; a damaged table may let all symbols share a long one. */
const maxNames = 16 * 1024 * 1024;
const symtabType = 2;

export const symbolType = { none: 0, object: 1, function: 2, indirect: 10 } as const;

export interface ProgramSymbol {
  name: string;
  /** As the file has it: on ARM the low bit of a function tells Thumb. */
  value: number;
  size: number;
  type: number;
  isGlobal: boolean;
  isDefined: boolean;
}

/** What the linker writes into a word: the address of a symbol, or an address of the library itself. */
export type Relocated = { symbol: ProgramSymbol } | { address: number };

export interface ProgramSymbols {
  dynamic: ProgramSymbol[];
  /** Of `.symtab`, where it was kept: with local functions, and on ARM `$a`, `$t` and `$d`. */
  all: ProgramSymbol[];
  /** By the address of the word. */
  relocations: ReadonlyMap<number, Relocated>;
  /** Tables or names that did not fit the bounds or the file. */
  isCut: boolean;
}

class SymbolReader {
  isCut = false;
  readonly #file: ElfFile;
  #names = 0;

  constructor(file: ElfFile) {
    this.#file = file;
  }

  read(start: number, declared: number, strings: StringTable): ProgramSymbol[] {
    const { bytes, is64 } = this.#file;
    const size = is64 ? 24 : 16;
    const count = Math.max(0, Math.min(declared, Math.floor((bytes.length - start) / size), maxSymbols));
    if (count < declared) this.isCut = true;
    return Array.from({ length: count }, (_, index) => this.#symbol(start + index * size, strings));
  }

  #symbol(at: number, strings: StringTable): ProgramSymbol {
    const file = this.#file;
    const [info, section, value, size] = file.is64
      ? [file.bytes[at + 4]!, file.u16(at + 6), file.word(at + 8), file.word(at + 16)]
      : [file.bytes[at + 12]!, file.u16(at + 14), file.u32(at + 4), file.u32(at + 8)];
    const name = this.#name(strings.start + file.u32(at), strings.end);
    return { name, value, size, type: info & 15, isGlobal: info >> 4 !== 0, isDefined: section !== 0 };
  }

  #name(offset: number, end: number): string {
    if (this.#names > maxNames) {
      this.isCut = true;
      return '';
    }
    const name = this.#file.text(offset, Math.min(end, offset + maxNameLength));
    this.#names += name?.length ?? maxNameLength;
    return name ?? '';
  }
}

/** Everything that names addresses of a library. What lies outside of the file is left out, and told by `isCut`. */
export function readProgramSymbols(file: ElfFile): ProgramSymbols {
  const reader = new SymbolReader(file);
  const values = readDynamicSection(file)?.values ?? new Map<number, number>();
  const strings = stringTable(file, values);
  const start = file.offsetOf(values.get(tag.symtab) ?? -1);
  const dynamic =
    strings === null || start === null
      ? []
      : reader.read(start, symbolCount(file, values, start, file.is64 ? 24 : 16, strings), strings);
  const table = file.sections.findIndex(({ type }) => type === symtabType);
  const section = file.sections[table];
  const names = section && file.sections[section.link];
  const all =
    section === undefined || names === undefined
      ? []
      : reader.read(section.offset, Math.floor(section.size / (file.is64 ? 24 : 16)), {
          start: names.offset,
          end: Math.min(file.bytes.length, names.offset + names.size),
        });
  const { found, isWhole } = readRelocations(file, values);
  const relocations = new Map<number, Relocated>();
  for (const { at, symbol, type, addend } of found) {
    const named = dynamic[symbol];
    if (symbol !== 0) {
      if (named !== undefined) relocations.set(at, { symbol: named });
    } else if (type === relativeTypes[file.machine]) {
      const address = addend ?? wordAt(file, at);
      if (address !== null) relocations.set(at, { address });
    }
  }
  return { dynamic, all, relocations, isCut: reader.isCut || !isWhole };
}

/** The address that a word holds once the library is loaded; null where the file has none there. */
export function pointerAt(file: ElfFile, address: number, relocations: ReadonlyMap<number, Relocated>): number | null {
  const relocated = relocations.get(address);
  if (relocated !== undefined) {
    if ('address' in relocated) return relocated.address;
    return relocated.symbol.isDefined ? relocated.symbol.value : null;
  }
  return wordAt(file, address);
}

/** What stands at an address before anything is loaded; null where it is not in the file. */
function wordAt(file: ElfFile, address: number): number | null {
  const offset = file.offsetOf(address);
  if (offset === null || offset + (file.is64 ? 8 : 4) > file.bytes.length) return null;
  return file.word(offset);
}
