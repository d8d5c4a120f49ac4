// Tables of JNINativeMethod in an ELF file: which functions a library gives to RegisterNatives. Knows no class.
// https://docs.oracle.com/en/java/javase/17/docs/specs/jni/functions.html#registernatives
import { type ElfFile, segmentFlag, segmentType } from './elf-file.ts';
import { pointerAt, type Relocated } from './program-symbols.ts';

/** Tables and their methods of one library. */
const maxMethods = 20_000;
const maxName = 1024;
/** 255 parameters, each of a class with a long name. */
const maxDescriptor = 4096;
const descriptor = /^\((?:\[{0,255}(?:[ZBCSIJFD]|L[^;()]+;))*\)(?:V|\[{0,255}(?:[ZBCSIJFD]|L[^;()]+;))$/;

export interface RegisteredMethod {
  name: string;
  /** `(I)V`. */
  descriptor: string;
  /** As the file has it: on ARM the low bit tells Thumb. */
  address: number;
}

/** Methods that stand one behind the other: mostly those of one class. */
export type RegisteredTable = RegisteredMethod[];

/** Three words each, name, signature and function, which the linker fills. */
export function registeredMethods(file: ElfFile, relocations: ReadonlyMap<number, Relocated>): RegisteredTable[] {
  const wordSize = file.is64 ? 8 : 4;
  const isCode = (address: number) =>
    file.segments.some(
      ({ type, flags, address: start, fileSize }) =>
        type === segmentType.load &&
        (flags & segmentFlag.execute) !== 0 &&
        address >= start &&
        address < start + fileSize,
    );
  const textAt = (address: number, most: number): string | null => {
    const pointer = relocations.has(address) ? pointerAt(file, address, relocations) : null;
    const offset = pointer === null ? null : file.offsetOf(pointer);
    return offset === null ? null : file.text(offset, offset + most);
  };
  const tables: RegisteredTable[] = [];
  let count = 0;
  let last = 0;
  for (const at of [...relocations.keys()].sort((a, b) => a - b)) {
    if (count >= maxMethods) break;
    const signature = at < last ? null : textAt(at + wordSize, maxDescriptor);
    if (signature === null || !descriptor.test(signature)) continue;
    const name = textAt(at, maxName);
    const address = relocations.has(at + 2 * wordSize) ? pointerAt(file, at + 2 * wordSize, relocations) : null;
    if (name === null || !/^[^.;[/()]+$/.test(name) || address === null || !isCode(address)) continue;
    const method = { name, descriptor: signature, address };
    if (at === last && tables.length > 0) tables.at(-1)!.push(method);
    else tables.push([method]);
    last = at + 3 * wordSize;
    count += 1;
  }
  return tables;
}
