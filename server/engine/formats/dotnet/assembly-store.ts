// A store of assemblies, as .NET for Android packs them: which there are, and where.
// https://github.com/dotnet/android/blob/main/Documentation/project-docs/AssemblyStores.md
import { ByteReader, FormatError } from '../byte-reader.ts';

const storeMagic = 0x41424158;
const headerSize = 20;
/** Apps have some hundred. */
const maxAssemblies = 20_000;
const maxNameLength = 1024;

export interface StoredAssembly {
  /** Empty in the first version, whose names stand in a file beside. */
  name: string;
  /** From the start of the store on. */
  start: number;
  end: number;
}

export interface AssemblyStore {
  version: number;
  assemblies: StoredAssembly[];
  faults: string[];
}

export const isAssemblyStore = (bytes: Uint8Array): boolean =>
  bytes.length >= headerSize && new ByteReader(bytes).u32() === storeMagic;

/** @throws FormatError `not-a-store` */
export function readAssemblyStore(bytes: Uint8Array): AssemblyStore {
  if (!isAssemblyStore(bytes)) throw new FormatError('not-a-store', 0, 'no store of assemblies');
  const reader = new ByteReader(bytes, 4);
  // The upper half tells of the processor.
  const version = reader.u32() & 0xffff;
  const count = reader.u32();
  const indexSize = reader.seek(16).u32();
  const isFirst = version < 2;
  const [table, width] = isFirst ? [headerSize, 24] : [headerSize + indexSize, 28];
  const faults: string[] = [];
  const told = Math.max(0, Math.min(count, maxAssemblies, Math.floor((bytes.length - table) / width)));
  if (told < count) {
    faults.push(`a table of ${count} assemblies at 0x${table.toString(16)} does not fit ${bytes.length} bytes`);
  }
  const assemblies = Array.from({ length: told }, (_, index): StoredAssembly => {
    reader.seek(table + index * width + (isFirst ? 0 : 4));
    const [start, size] = [reader.u32(), reader.u32()];
    return { name: '', start, end: start + size };
  });
  if (!isFirst && told === count) readNames(reader.seek(table + count * width), assemblies, faults);
  const outside = assemblies.filter(({ end }) => end > bytes.length);
  if (outside.length > 0) {
    const { name, start } = outside[0]!;
    faults.push(
      `${outside.length} assemblies end behind the store, ${name} at 0x${start.toString(16)} the first of them`,
    );
  }
  return { version, assemblies: assemblies.filter(({ end }) => end <= bytes.length), faults };
}

function readNames(reader: ByteReader, assemblies: readonly StoredAssembly[], faults: string[]): void {
  const start = reader.offset;
  try {
    for (const one of assemblies) {
      const length = reader.u32();
      if (length > maxNameLength) throw new FormatError('truncated', reader.offset, `a name of ${length} bytes`);
      one.name = Buffer.from(reader.take(length)).toString();
    }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    faults.push(`names of assemblies at 0x${start.toString(16)}: ${error.message}`);
  }
}
