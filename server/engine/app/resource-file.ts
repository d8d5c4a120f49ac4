// Reads the tables under resources/. Knows nothing of what they mean.
import { readFileSync } from 'node:fs';

const loaded = new Map<string, unknown>();

/** A parsed table, read on first use and kept: a worker that only identifies apps never pays for the others. */
export function resourceFile<T>(name: string): T {
  let table = loaded.get(name);
  if (table === undefined) {
    table = JSON.parse(readFileSync(new URL(`../../../resources/${name}`, import.meta.url), 'utf8'));
    loaded.set(name, table);
  }
  return table as T;
}

/** A table of words of 32 bits as they stand in memory on every platform that Node runs on, the lowest byte first. */
export function resourceWords(name: string): Uint32Array {
  const { buffer, byteOffset, length } = readFileSync(new URL(`../../../resources/${name}`, import.meta.url));
  return new Uint32Array(buffer.slice(byteOffset, byteOffset + length));
}
