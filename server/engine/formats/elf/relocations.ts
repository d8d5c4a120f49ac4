// Relocations of an ELF file, whichever of its tables they stand in: plain, packed by Android, relative ones as bits. Knows no symbol.
// https://refspecs.linuxfoundation.org/elf/gabi4+/ch4.reloc.html
import { tag } from './dynamic-section.ts';
import type { ElfFile } from './elf-file.ts';

const maxRelocations = 300_000;

export interface Relocation {
  /** Address of the word that the linker fills. */
  at: number;
  /** Number of a dynamic symbol, 0 for none. */
  symbol: number;
  type: number;
  /** Null where the word itself holds it. */
  addend: number | null;
}

/** R_*_RELATIVE by machine: the word is an address of the library itself. */
export const relativeTypes: Readonly<Record<number, number>> = { 3: 8, 40: 23, 62: 8, 183: 1027 };

type Values = ReadonlyMap<number, number>;

/** @returns the relocations in the order of the tables, and whether all could be read */
export function readRelocations(file: ElfFile, values: Values): { found: Relocation[]; isWhole: boolean } {
  const found: Relocation[] = [];
  const tables = [
    relativeTable(file, values, tag.relr, tag.relrSize, found),
    relativeTable(file, values, tag.androidRelr, tag.androidRelrSize, found),
    packedTable(file, values, tag.androidRela, tag.androidRelaSize, true, found),
    packedTable(file, values, tag.androidRel, tag.androidRelSize, false, found),
    plainTable(file, values, tag.rela, tag.relaSize, true, found),
    plainTable(file, values, tag.rel, tag.relSize, false, found),
    plainTable(
      file,
      values,
      tag.pltRelocations,
      tag.pltRelocationsSize,
      values.get(tag.pltRelocationType) === tag.rela,
      found,
    ),
  ];
  return { found, isWhole: tables.every((isWhole) => isWhole) };
}

/** The type stands in the low half of 64 bits, in the low byte of 32. */
const typeOf = (file: ElfFile, low: number): number => low & (file.is64 ? -1 : 0xff);

function plainTable(
  file: ElfFile,
  values: Values,
  place: number,
  length: number,
  hasAddend: boolean,
  found: Relocation[],
): boolean {
  const start = file.offsetOf(values.get(place) ?? -1);
  if (start === null) return true;
  const wordSize = file.is64 ? 8 : 4;
  const entry = wordSize * (hasAddend ? 3 : 2);
  const declared = Math.floor((values.get(length) ?? 0) / entry);
  const count = Math.min(declared, Math.floor((file.bytes.length - start) / entry), maxRelocations - found.length);
  for (let index = 0; index < count; index++) {
    const at = start + index * entry;
    const low = file.u32(at + wordSize);
    found.push({
      at: file.word(at),
      symbol: file.is64 ? file.u32(at + 12) : low >>> 8,
      type: typeOf(file, low),
      addend: hasAddend ? file.word(at + 2 * wordSize) : null,
    });
  }
  return count === declared;
}

/** Bits of a group in Android's packed form. */
const group = { byInfo: 1, byDistance: 2, byAddend: 4, hasAddend: 8 } as const;

/** Numbers of seven bits a byte, the lowest first, with a sign. */
class SignedNumbers {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** @returns null past the end, or where one is longer than 64 bits */
  next(): bigint | null {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) return null;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, (byte & 0x40) === 0 ? value : value - (1n << (shift + 7n)));
    }
    return null;
  }
}

/**
 * `APS2`: relocations in groups that share what is equal.
 * https://android.googlesource.com/platform/bionic/+/refs/heads/main/tools/relocation_packer/README.TXT
 */
function packedTable(
  file: ElfFile,
  values: Values,
  place: number,
  length: number,
  hasAddends: boolean,
  found: Relocation[],
): boolean {
  const start = file.offsetOf(values.get(place) ?? -1);
  if (start === null) return true;
  const bytes = file.bytes.subarray(start, start + (values.get(length) ?? 0));
  if (Buffer.from(bytes.subarray(0, 4)).toString('latin1') !== 'APS2') return false;
  const numbers = new SignedNumbers(bytes.subarray(4));
  let left = Number(numbers.next() ?? 0n);
  let at = numbers.next() ?? 0n;
  let addend = 0n;
  const bits = file.is64 ? 64 : 32;
  while (left > 0) {
    const size = Number(numbers.next() ?? 0n);
    const flags = Number(numbers.next() ?? 0n);
    if (size <= 0 || size > left) return false;
    left -= size;
    const has = (flag: number) => (flags & flag) !== 0;
    const distance = has(group.byDistance) ? numbers.next() : null;
    const shared = has(group.byInfo) ? numbers.next() : null;
    if (!has(group.hasAddend)) addend = 0n;
    else if (has(group.byAddend)) addend += numbers.next() ?? 0n;
    for (let index = 0; index < size; index++) {
      const step = distance ?? numbers.next();
      const info = shared ?? numbers.next();
      const added = has(group.hasAddend) && !has(group.byAddend) ? numbers.next() : 0n;
      if (step === null || info === null || added === null || found.length >= maxRelocations) return false;
      at = BigInt.asUintN(bits, at + step);
      addend += added;
      found.push({
        at: Number(at),
        symbol: Number(BigInt.asUintN(bits, info) >> (file.is64 ? 32n : 8n)),
        type: typeOf(file, Number(BigInt.asIntN(32, info))),
        addend: hasAddends ? Number(BigInt.asUintN(bits, addend)) : null,
      });
    }
  }
  return true;
}

/**
 * `DT_RELR`: relative relocations; an even word is an address, an odd one has a bit for each of the words behind it.
 * https://groups.google.com/g/generic-abi/c/bX460iggiKg
 */
function relativeTable(file: ElfFile, values: Values, place: number, length: number, found: Relocation[]): boolean {
  const start = file.offsetOf(values.get(place) ?? -1);
  if (start === null) return true;
  const wordSize = file.is64 ? 8 : 4;
  const declared = Math.floor((values.get(length) ?? 0) / wordSize);
  const count = Math.min(declared, Math.floor((file.bytes.length - start) / wordSize));
  const type = relativeTypes[file.machine] ?? 0;
  let next = 0;
  for (let index = 0; index < count; index++) {
    const offset = start + index * wordSize;
    const low = file.u32(offset);
    if (low % 2 === 0) {
      next = file.word(offset);
      found.push({ at: next, symbol: 0, type, addend: null });
      next += wordSize;
    } else {
      const words = file.is64 ? [low, file.u32(offset + 4)] : [low];
      for (const [half, word] of words.entries()) {
        for (let bit = half === 0 ? 1 : 0; bit < 32; bit++) {
          if (((word >>> bit) & 1) === 0) continue;
          found.push({ at: next + (half * 32 + bit - 1) * wordSize, symbol: 0, type, addend: null });
        }
      }
      next += (wordSize * 8 - 1) * wordSize;
    }
    if (found.length >= maxRelocations) return false;
  }
  return count === declared;
}
