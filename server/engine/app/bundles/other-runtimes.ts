// Assemblies of .NET, Unity's IL2CPP, and Python as Kivy packs it.
import { constants, gunzipSync } from 'node:zlib';
import { isAssembly, isPackedAssembly, readAssembly, unpackAssembly } from '../../formats/dotnet/assembly.ts';
import { isAssemblyStore, readAssemblyStore, type StoredAssembly } from '../../formats/dotnet/assembly-store.ts';
import { isMetadata, readMetadata } from '../../formats/il2cpp/metadata.ts';
import { isTar, type TarEntry, tarEntries } from '../../formats/tar/tar-entries.ts';
import { type Bundle, type BundleStrings, bufferOf, bundle, read } from './bundle.ts';
import { printableRuns } from './printable-runs.ts';

/** Names of assemblies that are listed. */
const maxNames = 60;
/** Unpacked bytes of one archive of Python, and of one store's assemblies together. */
const maxUnpacked = 128 * 1024 * 1024;
/** Compressed bytes that show whether an archive is a tar. */
const gzipStart = 4096;
/** A library with nothing but a store in it has it within this. */
const storeWithin = 64 * 1024;

/** Python's releases by the number at the start of their bytecode, the last of each. */
const pythonReleases: readonly (readonly [from: number, to: number, release: string])[] = [
  [3390, 3399, '3.7'],
  [3400, 3419, '3.8'],
  [3420, 3429, '3.9'],
  [3430, 3449, '3.10'],
  [3450, 3499, '3.11'],
  [3500, 3549, '3.12'],
  [3550, 3599, '3.13'],
  [62_201, 62_211, '2.7'],
];

/** A store of assemblies; in newer apps it is the only content of a library. */
export function dotnetStore(bytes: Uint8Array, isElf: boolean): Bundle | null {
  const start = isElf ? bufferOf(bytes).subarray(0, storeWithin).indexOf('XABA', 0, 'latin1') : 0;
  const store = bytes.subarray(start);
  if (start < 0 || !isAssemblyStore(store)) return null;
  const faults: string[] = [];
  const found = read(faults, () => readAssemblyStore(store));
  if (found === null) return bundle('dotnet-store', { faults });
  const names = found.assemblies.map(({ name }) => name).filter((name) => name !== '');
  const more = names.length > maxNames ? ' …' : '';
  return bundle('dotnet-store', {
    version: `${found.version}`,
    modules: found.assemblies.length,
    details: [{ name: 'Assemblies', value: `${names.slice(0, maxNames).join(', ')}${more}` }],
    faults: [...faults, ...found.faults],
    holds: 'documents',
    readTexts: () => storedTexts(store, start, found.assemblies),
  });
}

function* storedTexts(store: Uint8Array, base: number, assemblies: readonly StoredAssembly[]): BundleStrings {
  let isWhole = true;
  let left = maxUnpacked;
  for (const { start, end } of assemblies) {
    left -= end - start;
    if (left < 0) return false;
    isWhole = (yield* assemblyTexts(store.subarray(start, end), base + start)) && isWhole;
  }
  return isWhole;
}

/** @param base where the assembly stands in the entry */
function* assemblyTexts(bytes: Uint8Array, base: number): BundleStrings {
  const isPacked = isPackedAssembly(bytes);
  const found = read([], () => readAssembly(isPacked ? unpackAssembly(bytes) : bytes));
  if (found === null) return false;
  for (const { offset, text } of found.strings) yield { offset: isPacked ? null : base + offset, text };
  return true;
}

/** An assembly in a file of its own. */
export function dotnetAssembly(bytes: Uint8Array): Bundle | null {
  const isPacked = isPackedAssembly(bytes);
  if (!isPacked && !isAssembly(bytes)) return null;
  const faults: string[] = [];
  const found = read(faults, () => readAssembly(isPacked ? unpackAssembly(bytes) : bytes));
  return bundle('dotnet-assembly', {
    version: found?.runtime ?? '',
    details: [{ name: 'Packed', value: isPacked ? 'with LZ4' : '' }],
    faults,
    holds: 'documents',
    readTexts: () => assemblyTexts(bytes, 0),
  });
}

export function il2cppMetadata(bytes: Uint8Array): Bundle | null {
  if (!isMetadata(bytes)) return null;
  const faults: string[] = [];
  const found = read(faults, () => readMetadata(bytes));
  if (found === null) return bundle('il2cpp', { faults });
  return bundle('il2cpp', {
    version: `${found.version}`,
    functions: found.methods,
    strings: found.literals,
    faults: found.faults,
    holds: found.literals === null ? null : 'constants',
    // Where the table of literals cannot be read, what is printable is better than nothing.
    readTexts: () => (found.literals === null ? printableRuns(bufferOf(bytes), 0, bytes.length) : found.strings()),
  });
}

/** Whether a compressed file is an archive of files, by its first bytes unpacked. */
function isPackedTar(bytes: Uint8Array): boolean {
  try {
    return isTar(
      gunzipSync(bytes.subarray(0, gzipStart), { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxUnpacked }),
    );
  } catch {
    // Anything may stand behind the two bytes that gzip begins with.
    return false;
  }
}

/** An archive with Python in it, as python-for-android packs an app. */
export function pythonArchive(bytes: Uint8Array, isPacked: boolean): Bundle | null {
  if (isPacked ? !isPackedTar(bytes) : !isTar(bytes)) return null;
  const faults: string[] = [];
  const tar = isPacked ? unpacked(bytes, faults) : bytes;
  if (tar === null) return bundle('python', { faults });
  const { entries, faults: broken } = tarEntries(tar);
  const scripts = entries.filter(({ name }) => /\.py[co]?$/.test(name));
  if (scripts.length === 0) return null;
  const compiled = scripts.find(({ name }) => !name.endsWith('.py'));
  return bundle('python', {
    version: compiled === undefined ? '' : releaseOf(tar, compiled),
    modules: scripts.length,
    details: [{ name: 'Files', value: `${entries.length}` }],
    faults: [...faults, ...broken],
    holds: isPacked ? 'documents' : null,
    readTexts: () => textsOf(tar, entries, isPacked),
  });
}

function unpacked(bytes: Uint8Array, faults: string[]): Uint8Array | null {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxUnpacked });
  } catch (error) {
    faults.push(`cannot be unpacked: ${(error as Error).message}`);
    return null;
  }
}

function releaseOf(tar: Uint8Array, { start, end }: TarEntry): string {
  if (end - start < 4) return '';
  const number = bufferOf(tar).readUInt16LE(start);
  const release = pythonReleases.find(([from, to]) => number >= from && number <= to)?.[2];
  return release === undefined ? `bytecode ${number}` : `Python ${release}`;
}

function* textsOf(tar: Uint8Array, entries: readonly TarEntry[], isPacked: boolean): BundleStrings {
  let isWhole = true;
  for (const { start, end } of entries) {
    const runs = printableRuns(bufferOf(tar), start, end);
    let next = runs.next();
    for (; next.done !== true; next = runs.next()) {
      yield { offset: isPacked ? null : next.value.offset, text: next.value.text };
    }
    isWhole = next.value && isWhole;
  }
  return isWhole;
}
