// Unpacks one block of LZ4. https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md
import { ByteReader, FormatError } from '../byte-reader.ts';

/**
 * @param size of what it unpacks to, which the caller has bounded
 * @throws FormatError `truncated`, `bad-lz4` where it is longer, or copies from before its start
 */
export function unpackLz4Block(packed: Uint8Array, size: number): Uint8Array {
  const reader = new ByteReader(packed);
  const unpacked = new Uint8Array(size);
  let at = 0;
  const lengthOf = (start: number): number => {
    let length = start;
    if (start === 15) for (let byte = 255; byte === 255; length += byte) byte = reader.u8();
    if (at + length > size) throw new FormatError('bad-lz4', reader.offset, `more than ${size} bytes`);
    return length;
  };
  while (reader.remaining > 0) {
    const token = reader.u8();
    const literals = lengthOf(token >>> 4);
    unpacked.set(reader.take(literals), at);
    at += literals;
    if (reader.remaining === 0) break;
    const distance = reader.u16();
    if (distance === 0 || distance > at)
      throw new FormatError('bad-lz4', reader.offset, 'copies from before its start');
    const end = at + lengthOf(token & 15) + 4;
    if (end > size) throw new FormatError('bad-lz4', reader.offset, `more than ${size} bytes`);
    for (; at < end; at++) unpacked[at] = unpacked[at - distance]!;
  }
  return unpacked.subarray(0, at);
}
