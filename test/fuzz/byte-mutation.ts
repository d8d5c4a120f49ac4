// Damages bytes at random, the same way for the same random numbers. Knows no format.
import { pickOf, type Random } from './random.ts';

/** Numbers that turn up where counts, lengths and offsets are checked wrongly. */
const edges = [
  0, 1, 2, 3, 4, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
  0xfffffffe, 0xffffffff,
];
const maxOperations = 6;
/** Repeated growth would make later runs slow for no gain. */
const maxGrowth = 4096;

export interface ByteMaterial {
  /** Offsets where damage is likely to matter, such as headers; half of the operations go there. */
  hotspots?: readonly number[];
  /** Words that the format or its reader knows. */
  words?: readonly Uint8Array[];
  /** Another input, pieces of which are put in. */
  other?: Uint8Array;
}

/** A damaged copy of the sample. */
export function mutateBytes(sample: Uint8Array, random: Random, material: ByteMaterial = {}): Buffer {
  const { hotspots = [] } = material;
  let bytes: Buffer = Buffer.from(sample);
  for (let left = 1 + random(maxOperations); left > 0; left--) {
    if (bytes.length === 0) break;
    const isHot = hotspots.length > 0 && random(2) === 0;
    const at = isHot ? Math.min(bytes.length - 1, pickOf(hotspots, random) + random(64)) : random(bytes.length);
    bytes = operate(bytes, at, random, material);
  }
  return bytes;
}

const spliced = (bytes: Buffer, at: number, removed: number, added: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)]);

const pieceOf = (bytes: Uint8Array, random: Random): Uint8Array => {
  const start = random(bytes.length);
  return bytes.subarray(start, start + 1 + random(Math.min(maxGrowth, bytes.length - start)));
};

function operate(bytes: Buffer, at: number, random: Random, { words = [], other }: ByteMaterial): Buffer {
  const length = Math.min(1 + random(random(8) === 0 ? maxGrowth : 16), bytes.length - at);
  const edge = pickOf(edges, random);
  const aligned = at & ~3;
  switch (random(12)) {
    case 0:
      bytes[at]! ^= 1 << random(8);
      return bytes;
    case 1:
      bytes[at] = random(256);
      return bytes;
    case 2:
      if (at + 2 <= bytes.length) bytes.writeUInt16LE(edge & 0xffff, at);
      return bytes;
    case 3:
    case 4:
      if (aligned + 4 <= bytes.length) bytes.writeUInt32LE(edge, aligned);
      return bytes;
    case 5:
      // A small step away from the truth passes more checks than a random number.
      if (aligned + 4 <= bytes.length) {
        bytes.writeUInt32LE((bytes.readUInt32LE(aligned) + random(33) - 16) >>> 0, aligned);
      }
      return bytes;
    case 6:
      return spliced(bytes, at, length, Buffer.alloc(0));
    case 7:
      return spliced(bytes, at, 0, bytes.subarray(at, at + length));
    case 8: {
      if (words.length === 0) return bytes;
      const word = pickOf(words, random);
      return spliced(bytes, at, random(2) * word.length, word);
    }
    case 9: {
      const piece = pieceOf(other ?? bytes, random);
      return spliced(bytes, at, random(2) * piece.length, piece);
    }
    case 10:
      // The front of one and the back of the other.
      return other === undefined ? bytes : spliced(bytes, at, bytes.length, other.subarray(random(other.length)));
    default:
      return random(8) === 0 ? bytes.subarray(0, at) : Buffer.from(bytes).fill(random(256), at, at + length);
  }
}
