// Where the functions of an ELF file begin and end: by tables for unwinding, else by symbols with a size. Knows no instruction.
import type { ElfFile } from './elf-file.ts';
import { unwoundCode } from './function-starts.ts';
import { readProgramSymbols, symbolType } from './program-symbols.ts';

export interface CodeRange {
  /** On ARM the low bit tells Thumb. */
  readonly address: number;
  readonly size: number;
}

const maxFunctions = 20_000;

/** In the order of their addresses, each once. */
export function functionRanges(file: ElfFile): CodeRange[] {
  const unwound = unwoundCode(file).slice(0, maxFunctions);
  if (unwound.length > 0) {
    const starts = [...new Map(unwound.map(({ address, size }) => [address, size]))].sort(
      ([one], [other]) => one - other,
    );
    return starts.flatMap(([address, told], index) => {
      const size = told ?? (starts[index + 1]?.[0] ?? 0) - address;
      return size > 0 ? [{ address, size }] : [];
    });
  }
  const sized = readProgramSymbols(file).dynamic.filter(
    ({ type, size, isDefined }) => isDefined && type === symbolType.function && size > 0,
  );
  const byAddress = new Map(sized.map(({ value, size }) => [value, size]));
  return [...byAddress]
    .sort(([one], [other]) => one - other)
    .slice(0, maxFunctions)
    .map(([address, size]) => ({ address, size }));
}
