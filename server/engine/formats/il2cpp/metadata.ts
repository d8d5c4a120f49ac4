// Metadata of Unity's IL2CPP, `global-metadata.dat`: what remains of C# when it became native code.
// https://github.com/Perfare/Il2CppDumper has the layouts of all versions.
import { ByteReader, FormatError } from '../byte-reader.ts';

const metadataMagic = 0xfab11baf;
/** The versions whose string literals are pairs of length and place. */
const pairsUntil = 31;
/** Bytes of a method's definition, by version, where it is the same in all releases. */
const methodSizes: Readonly<Record<number, number>> = { 27: 32, 28: 32, 29: 32, 31: 36 };
const maxStrings = 2_000_000;
const maxLetters = 64 * 1024 * 1024;
const maxStringLength = 8192;

export interface Il2CppMetadata {
  version: number;
  /** Null where the version's layout is not known. */
  methods: number | null;
  literals: number | null;
  faults: string[];
  /** @returns whether all were handed out whole */
  strings(): Generator<{ offset: number; text: string }, boolean>;
}

export const isMetadata = (bytes: Uint8Array): boolean =>
  bytes.length >= 8 && new ByteReader(bytes).u32() === metadataMagic;

/** @throws FormatError `not-il2cpp`, `truncated` */
export function readMetadata(bytes: Uint8Array): Il2CppMetadata {
  if (!isMetadata(bytes)) throw new FormatError('not-il2cpp', 0, 'no IL2CPP metadata');
  const reader = new ByteReader(bytes, 4);
  const version = reader.u32();
  const [table, tableSize, data, dataSize] = [reader.u32(), reader.u32(), reader.u32(), reader.u32()];
  const methodsSize = reader.seek(52).u32();
  const faults: string[] = [];
  const isKnown = version >= 16 && version <= pairsUntil;
  if (!isKnown) faults.push(`version ${version}: the layout of its strings is not known`);
  else if (table + tableSize > bytes.length || data + dataSize > bytes.length) {
    faults.push(`string literals at 0x${table.toString(16)} and 0x${data.toString(16)} end behind the file`);
  }
  const literals = isKnown ? Math.floor(tableSize / 8) : null;
  const methodSize = methodSizes[version];
  return {
    version,
    methods: methodSize === undefined ? null : Math.floor(methodsSize / methodSize),
    literals,
    faults,
    strings: () =>
      literalsOf(bytes, { table, data, end: Math.min(bytes.length, data + dataSize), count: literals ?? 0 }),
  };
}

function* literalsOf(
  bytes: Uint8Array,
  { table, data, end, count }: { table: number; data: number; end: number; count: number },
): Generator<{ offset: number; text: string }, boolean> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let left = maxLetters;
  let isWhole = count <= maxStrings;
  for (let index = 0; index < Math.min(count, maxStrings) && left > 0; index++) {
    const at = table + index * 8;
    if (at + 8 > content.length) return false;
    const [length, place] = [content.readUInt32LE(at), content.readUInt32LE(at + 4)];
    const start = data + place;
    if (start + length > end) {
      isWhole = false;
      continue;
    }
    const shown = Math.min(length, maxStringLength);
    if (shown < length) isWhole = false;
    left -= shown + 1;
    yield { offset: start, text: content.toString('utf8', start, start + shown) };
  }
  return isWhole && left > 0;
}
