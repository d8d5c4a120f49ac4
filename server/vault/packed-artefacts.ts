// Artefacts of a dynamic analysis: bytes by their SHA-256, compressed together. Knows nothing of what they are.
import { zstdCompressSync } from 'node:zlib';
import type { PackedBytes } from './packed-bytes.ts';

const hashSize = 32;
/** A hash and the length, as unsigned 32 bits in little endian, stand before each artefact's bytes. */
const headSize = hashSize + 4;

/** Blocks its thread, by some 5 ms for a megabyte. */
export function packArtefacts(artefacts: readonly { sha256: string; bytes: Uint8Array }[]): PackedBytes {
  const pieces = artefacts.flatMap(({ sha256, bytes }) => {
    const head = Buffer.alloc(headSize);
    head.write(sha256, 'hex');
    head.writeUInt32LE(bytes.length, hashSize);
    return [head, bytes];
  });
  const whole = Buffer.concat(pieces);
  return { size: whole.length, compressed: zstdCompressSync(whole) };
}

/** The artefact with this hash, from the decompressed bytes; null where there is none. */
export function artefactIn(whole: Buffer, sha256: string): Buffer | null {
  const wanted = Buffer.from(sha256, 'hex');
  for (let at = 0; at + headSize <= whole.length; ) {
    const end = at + headSize + whole.readUInt32LE(at + hashSize);
    if (whole.subarray(at, at + hashSize).equals(wanted)) return whole.subarray(at + headSize, end);
    at = end;
  }
  return null;
}
