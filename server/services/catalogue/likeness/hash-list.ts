// Lists of hashes as they are stored, each of four bytes, the highest first. Knows no meaning of them.

/** The first hashes of a list. @param most how many at most */
export function hashesIn(list: Uint8Array, most = Number.POSITIVE_INFINITY): Uint32Array {
  const count = Math.min(most, Math.floor(list.length / Uint32Array.BYTES_PER_ELEMENT));
  const bytes = Buffer.alloc(count * Uint32Array.BYTES_PER_ELEMENT);
  bytes.set(list.subarray(0, bytes.length));
  bytes.swap32();
  return new Uint32Array(bytes.buffer, bytes.byteOffset, count);
}
