// The frame of an ELF file: header, program headers, section headers, addresses. Knows nothing of symbols.
// https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html
import type { Findings } from '../../findings.ts';
import { FormatError } from '../byte-reader.ts';

/** Real libraries have some 10 segments. */
const maxSegments = 256;
/** Real libraries have some 40 sections; objects with a section per function are not loaded by Android. */
const maxSections = 4096;

export const segmentType = { load: 1, dynamic: 2, ehFrame: 0x6474e550, armIndex: 0x70000001 } as const;
export const segmentFlag = { execute: 1, write: 2 } as const;
export const sectionType = { progbits: 1, dynamic: 6, nobits: 8, dynsym: 11 } as const;
export const sectionFlag = { alloc: 2, execute: 4 } as const;

export interface Segment {
  type: number;
  flags: number;
  offset: number;
  address: number;
  fileSize: number;
}

export interface Section {
  name: string;
  type: number;
  flags: number;
  address: number;
  offset: number;
  size: number;
  /** Number of another section: of a symbol table, that of its names. */
  link: number;
  entrySize: number;
}

/** Bounds-checked reading in the file's own byte order and word size. */
export class ElfFile {
  readonly bytes: Uint8Array;
  readonly path: string;
  readonly is64: boolean;
  readonly machine: number;
  /** ET_REL 1, ET_EXEC 2, ET_DYN 3, ET_CORE 4. */
  readonly type: number;
  /** Where a program starts; 0 in most libraries. */
  readonly entry: number;
  readonly segments: readonly Segment[];
  /** Empty where they are stripped or unreadable; a packer may make them lie. */
  readonly sections: readonly Section[];
  readonly #view: DataView;
  readonly #isLittle: boolean;

  /**
   * @throws FormatError `not-an-elf`, or `truncated` where the file header is not whole
   */
  constructor(bytes: Uint8Array, path: string, findings: Findings) {
    this.bytes = bytes;
    this.path = path;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    if (bytes.length < 16 || this.#view.getUint32(0) !== 0x7f454c46) {
      throw new FormatError('not-an-elf', 0, 'no ELF magic');
    }
    const [fileClass, order] = [bytes[4]!, bytes[5]!];
    if (fileClass !== 1 && fileClass !== 2) throw new FormatError('not-an-elf', 4, `unknown ELF class ${fileClass}`);
    this.is64 = fileClass === 2;
    // Android loads little-endian files only and does not run others; an unknown order is read as little-endian.
    this.#isLittle = order !== 2;
    this.type = this.u16(16);
    this.machine = this.u16(18);
    this.entry = this.word(24);
    const at = this.is64 ? { segments: 32, sections: 40, sizes: 54 } : { segments: 28, sections: 32, sizes: 42 };
    const segmentSize = this.u16(at.sizes);
    const segmentCount = this.u16(at.sizes + 2);
    const sectionSize = this.u16(at.sizes + 4);
    const sectionCount = this.u16(at.sizes + 6);
    const namesIndex = this.u16(at.sizes + 8);
    this.segments = this.#readSegments(this.word(at.segments), segmentSize, segmentCount, findings);
    this.sections = this.#readSections(this.word(at.sections), sectionSize, sectionCount, namesIndex, findings);
  }

  #check(offset: number, length: number): void {
    if (offset < 0 || offset + length > this.bytes.length) {
      throw new FormatError('truncated', offset, `${length} bytes are needed past the end`);
    }
  }

  u16(offset: number): number {
    this.#check(offset, 2);
    return this.#view.getUint16(offset, this.#isLittle);
  }

  u32(offset: number): number {
    this.#check(offset, 4);
    return this.#view.getUint32(offset, this.#isLittle);
  }

  /** An address, offset or size of the file's class; past 2^53 inexact, and out of the file anyway. */
  word(offset: number): number {
    if (!this.is64) return this.u32(offset);
    this.#check(offset, 8);
    const [low, high] = this.#isLittle ? [offset, offset + 4] : [offset + 4, offset];
    return this.#view.getUint32(high, this.#isLittle) * 2 ** 32 + this.#view.getUint32(low, this.#isLittle);
  }

  /** The NUL-terminated string at `offset`; null where it does not end before `limit`. */
  text(offset: number, limit: number): string | null {
    const last = Math.min(limit, this.bytes.length);
    if (offset < 0) return null;
    for (let end = offset; end < last; end++) {
      if (this.bytes[end] === 0)
        return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + offset, end - offset).toString();
    }
    return null;
  }

  /** File offset of a virtual address, null where no segment maps it from the file. */
  offsetOf(address: number): number | null {
    for (const { type, address: start, offset, fileSize } of this.segments) {
      if (type === segmentType.load && address >= start && address < start + fileSize) return address - start + offset;
    }
    return null;
  }

  #readSegments(start: number, size: number, declared: number, findings: Findings): Segment[] {
    const least = this.is64 ? 56 : 32;
    if (declared === 0) return [];
    const fitting = Math.max(0, Math.floor((this.bytes.length - start) / Math.max(size, least)));
    const count = Math.min(declared, fitting, maxSegments);
    if (size < least || count < declared) {
      const evidence = `${declared} program headers of ${size} bytes at 0x${start.toString(16)}, ${count} readable`;
      findings.add('elf-bad-program-headers', this.path, evidence);
      if (size < least) return [];
    }
    return Array.from({ length: count }, (_, index): Segment => {
      const at = start + index * size;
      return this.is64
        ? {
            type: this.u32(at),
            flags: this.u32(at + 4),
            offset: this.word(at + 8),
            address: this.word(at + 16),
            fileSize: this.word(at + 32),
          }
        : {
            type: this.u32(at),
            offset: this.u32(at + 4),
            address: this.u32(at + 8),
            fileSize: this.u32(at + 16),
            flags: this.u32(at + 24),
          };
    });
  }

  #readSections(start: number, size: number, declared: number, namesIndex: number, findings: Findings): Section[] {
    const least = this.is64 ? 64 : 40;
    if (declared === 0 || start === 0) {
      findings.add('elf-no-section-headers', this.path, 'the section headers are stripped');
      return [];
    }
    const isReadable = size >= least && start + declared * size <= this.bytes.length && declared <= maxSections;
    if (!isReadable) {
      const evidence = `${declared} section headers of ${size} bytes at 0x${start.toString(16)} do not lie in the file`;
      findings.add('elf-bad-section-headers', this.path, evidence);
      return [];
    }
    const nameOffsets: number[] = [];
    const sections = Array.from({ length: declared }, (_, index): Section => {
      const at = start + index * size;
      nameOffsets.push(this.u32(at));
      const wide = this.is64 ? 8 : 4;
      return {
        name: '',
        type: this.u32(at + 4),
        flags: this.word(at + 8),
        address: this.word(at + 8 + wide),
        offset: this.word(at + 8 + 2 * wide),
        size: this.word(at + 8 + 3 * wide),
        link: this.u32(at + 8 + 4 * wide),
        entrySize: this.word(at + 16 + 5 * wide),
      };
    });
    const names = sections[namesIndex];
    if (names !== undefined) {
      for (const [index, section] of sections.entries()) {
        section.name = this.text(names.offset + nameOffsets[index]!, names.offset + names.size) ?? '';
      }
    }
    return sections;
  }
}
