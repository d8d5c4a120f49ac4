// Tar archives in memory: the library that reads all others has no names in other letters than ASCII from them. Knows nothing of
// what is in their files.
import { gunzipSync } from 'node:zlib';
import { isTar, tarEntries } from '../formats/tar/tar-entries.ts';
import type { Allowance, Archive } from './archive.ts';

/**
 * @param maxBytes that it may unpack to
 * @returns null where it is none that is whole, compressed by something else than gzip, or larger
 */
export function openTar(bytes: Buffer, maxBytes: number, allowance: Allowance): Archive | null {
  const plain = unpacked(bytes, maxBytes);
  if (plain === null || !isTar(plain)) return null;
  allowance.spend(plain.length);
  const { entries, faults } = tarEntries(plain);
  if (faults.length > 0) return null;
  for (const index of entries.keys()) allowance.list(index);
  return {
    entries: entries.map(({ name, start, end }) => ({ name, size: end - start })),
    async read(index, onBytes) {
      const { start, end } = entries[index]!;
      onBytes(new Uint8Array(plain.subarray(start, end)));
    },
    close: () => undefined,
  };
}

function unpacked(bytes: Buffer, maxBytes: number): Buffer | null {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch {
    // Larger, or damaged: the other reader says so, or reads what there is.
    return null;
  }
}
