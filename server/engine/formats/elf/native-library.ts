// Describes one native library of an APK. Knows nothing of the archive it came from.
import { createHash } from 'node:crypto';
import type { NativeLibraryRecord } from '../../../contract/engine/reports.ts';
import type { Findings } from '../../findings.ts';
import { readDynamicSymbols } from './dynamic-symbols.ts';
import { ElfFile, sectionFlag, sectionType, segmentFlag, segmentType } from './elf-file.ts';
import { type ByteRange, printableStrings } from './printable-strings.ts';

/** e_machine: the name readelf gives, and Android's ABIs of that machine. */
const machines: Readonly<Record<number, { name: string; abis: readonly string[] }>> = {
  3: { name: 'Intel 80386', abis: ['x86'] },
  8: { name: 'MIPS R3000', abis: ['mips', 'mips64'] },
  40: { name: 'ARM', abis: ['armeabi-v7a', 'armeabi'] },
  62: { name: 'Advanced Micro Devices X86-64', abis: ['x86_64'] },
  183: { name: 'AArch64', abis: ['arm64-v8a'] },
  243: { name: 'RISC-V', abis: ['riscv64'] },
};

/** Where UPX leaves its mark: behind the program headers, and at the end of the file. */
const upxSearchLength = 4096;

/**
 * Reads what an analyst wants to know of a native library, by the program headers where section headers are missing.
 * @param path the entry's name in the APK, `lib/arm64-v8a/libx.so`, from which the ABI is taken
 * @throws FormatError `not-an-elf`, or `truncated`
 */
export function readElf(bytes: Uint8Array, path: string, findings: Findings): NativeLibraryRecord {
  const file = new ElfFile(bytes, path, findings);
  const symbols = readDynamicSymbols(file, findings);
  const machine = machines[file.machine] ?? { name: `machine ${file.machine}`, abis: [] };
  const folder = /(?:^|\/)lib\/([^/]+)\/[^/]+$/.exec(path)?.[1];
  const fallback = machine.abis[file.is64 && machine.abis.length > 1 ? 1 : 0] ?? '';
  const abi = folder ?? (machine.name === 'ARM' ? 'armeabi-v7a' : fallback);
  if (folder !== undefined && machine.abis.length > 0 && !machine.abis.includes(folder)) {
    findings.add('elf-abi-mismatch', path, `code for ${machine.name} in the folder of ${folder}`);
  }
  if (symbols.hasTextRelocations) {
    findings.add('elf-text-relocations', path, 'the code is written to while it is loaded');
  }
  reportLayout(file, findings);
  return {
    path,
    abi,
    machine: machine.name,
    soname: symbols.soname,
    needed: symbols.needed,
    imports: symbols.imports,
    exports: symbols.exports,
    jni: {
      on_load: symbols.exports.includes('JNI_OnLoad'),
      methods: symbols.exports.filter((name) => name.startsWith('Java_')),
    },
    strings: printableStrings(bytes, dataRanges(file)),
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.length,
  };
}

function reportLayout(file: ElfFile, findings: Findings): void {
  const { bytes, path } = file;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const isMarked =
    buffer.subarray(0, upxSearchLength).includes('UPX!') || buffer.subarray(-upxSearchLength).includes('UPX!');
  if (isMarked) findings.add('elf-upx-packed', path, 'the mark of the UPX packer');
  const both = segmentFlag.execute | segmentFlag.write;
  const writable = file.segments.find(({ type, flags }) => type === segmentType.load && (flags & both) === both);
  if (writable !== undefined) {
    const evidence = `the segment at 0x${writable.address.toString(16)} can be written and executed`;
    findings.add('elf-writable-code', path, evidence);
  }
}

/** Where strings stand: the data sections, or, where there are no sections, all that is loaded and not executed. */
function dataRanges(file: ElfFile): ByteRange[] {
  const sections = file.sections.filter(
    ({ type, flags, name }) =>
      type === sectionType.progbits &&
      (flags & sectionFlag.alloc) !== 0 &&
      (flags & sectionFlag.execute) === 0 &&
      /^\.(?:rodata|data|tdata)/.test(name),
  );
  const places = sections.length > 0 ? sections.map(({ offset, size }) => ({ offset, size })) : loadedData(file);
  // Ranges may overlap in a damaged file; each byte is looked at once.
  const ranges: ByteRange[] = [];
  let from = 0;
  for (const { offset, size } of places.sort((a, b) => a.offset - b.offset)) {
    const start = Math.max(from, offset);
    const end = Math.min(file.bytes.length, offset + size);
    if (end <= start) continue;
    ranges.push({ start, end });
    from = end;
  }
  return ranges;
}

function loadedData(file: ElfFile): { offset: number; size: number }[] {
  const loaded = file.segments.filter(({ type }) => type === segmentType.load);
  const data = loaded.filter(({ flags }) => (flags & segmentFlag.execute) === 0);
  // Older linkers put constants and code into one segment; a file without segments is searched whole.
  const hasConstants = data.some(({ flags }) => (flags & segmentFlag.write) === 0);
  const chosen = hasConstants ? data : loaded;
  if (chosen.length === 0) return [{ offset: 0, size: file.bytes.length }];
  return chosen.map(({ offset, fileSize }) => ({ offset, size: fileSize }));
}
