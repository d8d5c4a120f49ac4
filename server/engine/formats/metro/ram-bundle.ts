// JavaScript of React Native as Metro packs it so that modules are loaded one by one: a table of places, then the modules.
// https://metrobundler.dev/docs/bundling#indexed-ram-bundle
import { ByteReader, FormatError } from '../byte-reader.ts';

export const ramBundleMagic = 0xfb0bd1e5;
/** Real bundles have some thousand modules. */
const maxModules = 200_000;
const maxFaults = 10;

export interface ScriptPiece {
  /** In the file. */
  start: number;
  end: number;
}

export interface RamBundle {
  /** Modules that have code: numbers may be left out. */
  modules: number;
  /** The code that runs first, then each module's. */
  pieces: ScriptPiece[];
  faults: string[];
}

export const isRamBundle = (bytes: Uint8Array): boolean =>
  bytes.length >= 12 && new ByteReader(bytes).u32() === ramBundleMagic;

/** @throws FormatError `not-a-ram-bundle` */
export function readRamBundle(bytes: Uint8Array): RamBundle {
  if (!isRamBundle(bytes)) throw new FormatError('not-a-ram-bundle', 0, 'no RAM bundle');
  const reader = new ByteReader(bytes, 4);
  const [count, startup] = [reader.u32(), reader.u32()];
  const base = 12 + count * 8;
  const faults: string[] = [];
  const told = Math.min(count, maxModules, Math.floor((bytes.length - 12) / 8));
  if (told < count) faults.push(`a table of ${count} modules at 0xc does not fit the file of ${bytes.length} bytes`);
  const pieces: ScriptPiece[] = [];
  const add = (start: number, length: number, what: string): void => {
    if (start + length <= bytes.length) {
      // Each ends with a NUL.
      pieces.push({ start, end: start + Math.max(0, length - 1) });
    } else if (faults.length < maxFaults) {
      faults.push(`${what} of ${length} bytes at 0x${start.toString(16)} ends behind the file`);
    }
  };
  add(base, startup, 'the code that runs first');
  let modules = 0;
  for (let index = 0; index < told; index++) {
    const [offset, length] = [reader.u32(), reader.u32()];
    if (length === 0) continue;
    modules += 1;
    add(base + offset, length, `module ${index}`);
  }
  return { modules, pieces, faults };
}
