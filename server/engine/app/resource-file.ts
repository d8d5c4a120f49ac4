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

/** A table of words of 32 bits, the lowest byte first, read anew each time. */
export function resourceWords(name: string): Uint32Array {
  const bytes = readFileSync(new URL(`../../../resources/${name}`, import.meta.url));
  const words = new Uint32Array(bytes.length >> 2);
  for (let index = 0; index < words.length; index++) words[index] = bytes.readUInt32LE(index * 4);
  return words;
}
