// Where functions of an ELF file start that no symbol names: start and end of the library, tables for unwinding. Knows no
// instruction.
import { readDynamicSection, tag } from './dynamic-section.ts';
import { type ElfFile, segmentType } from './elf-file.ts';
import { pointerAt, type Relocated } from './program-symbols.ts';

const maxArray = 1024;
const maxUnwound = 200_000;
/** The one encoding that linkers write the table of .eh_frame_hdr in: four bytes with a sign, from the header on. */
const headerRelativeWords = 0x3b;
const fourBytes = 0x03;

/** What runs when the library is loaded or unloaded: DT_INIT, DT_FINI and the entries of their arrays. */
export function startAndEnd(
  file: ElfFile,
  relocations: ReadonlyMap<number, Relocated>,
): { name: string; address: number }[] {
  const values = readDynamicSection(file)?.values ?? new Map<number, number>();
  const found: { name: string; address: number }[] = [];
  for (const [name, key] of [['.init', tag.init] as const, ['.fini', tag.fini] as const]) {
    const address = values.get(key);
    if (address !== undefined && address !== 0) found.push({ name, address });
  }
  for (const [name, key, length] of [
    ['.init_array', tag.initArray, tag.initArraySize] as const,
    ['.fini_array', tag.finiArray, tag.finiArraySize] as const,
  ]) {
    const start = values.get(key);
    if (start === undefined) continue;
    const wordSize = file.is64 ? 8 : 4;
    const count = Math.min(Math.floor((values.get(length) ?? 0) / wordSize), maxArray);
    for (let index = 0; index < count; index++) {
      const address = pointerAt(file, start + index * wordSize, relocations);
      // 0 and -1 are places that linkers leave empty.
      if (address !== null && address !== 0 && address < 2 ** (file.is64 ? 53 : 32) - 1) {
        found.push({ name: `${name}[${index}]`, address });
      }
    }
  }
  return found;
}

/** Code that can be unwound as one. */
interface Unwound {
  address: number;
  /** Null where no table tells it. */
  size: number | null;
}

/** Functions that can be unwound, in the order of the tables. */
export const unwoundFunctions = (file: ElfFile): number[] => unwoundCode(file).map(({ address }) => address);

/**
 * Functions that can be unwound, by the sorted tables that linkers write: `.eh_frame_hdr`, on ARM `.ARM.exidx`.
 * https://refspecs.linuxfoundation.org/LSB_5.0.0/LSB-Core-generic/LSB-Core-generic/ehframechpt.html
 * https://github.com/ARM-software/abi-aa/blob/main/ehabi32/ehabi32.rst
 */
export function unwoundCode(file: ElfFile): Unwound[] {
  const header = file.segments.find(({ type }) => type === segmentType.ehFrame);
  if (header !== undefined) return ehFrameFunctions(file, header.address);
  const index = file.segments.find(({ type }) => type === segmentType.armIndex);
  if (index === undefined || file.machine !== 40) return [];
  const start = file.offsetOf(index.address);
  if (start === null) return [];
  const count = Math.min(Math.floor(Math.min(index.fileSize, file.bytes.length - start) / 8), maxUnwound);
  return Array.from({ length: count }, (_, entry) => {
    const offset = (file.u32(start + entry * 8) << 1) >> 1;
    return { address: index.address + entry * 8 + offset, size: null };
  });
}

function ehFrameFunctions(file: ElfFile, address: number): Unwound[] {
  const at = file.offsetOf(address);
  if (at === null || at + 12 > file.bytes.length) return [];
  const [version, , countEncoding, tableEncoding] = file.bytes.subarray(at, at + 4);
  if (version !== 1 || countEncoding !== fourBytes || tableEncoding !== headerRelativeWords) return [];
  const fitting = Math.floor((file.bytes.length - at - 12) / 8);
  const count = Math.min(file.u32(at + 8), fitting, maxUnwound);
  return Array.from({ length: count }, (_, entry) => {
    const start = address + (file.u32(at + 12 + entry * 8) | 0);
    return { address: start, size: sizeIn(file, address + (file.u32(at + 16 + entry * 8) | 0), start) };
  });
}

/** The size of a function in its entry of `.eh_frame`, where that is written as linkers do: relative, in four bytes. */
function sizeIn(file: ElfFile, entry: number, start: number): number | null {
  const at = file.offsetOf(entry);
  if (at === null || at + 16 > file.bytes.length) return null;
  return entry + 8 + (file.u32(at + 8) | 0) === start ? file.u32(at + 12) : null;
}
