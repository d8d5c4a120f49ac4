// Damages bytes at random, the same way for the same seed. Knows no format.

/** Numbers that turn up where counts, lengths and offsets are checked wrongly. */
const edges = [
  0, 1, 2, 3, 4, 7, 8, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff, 0x10000, 0x7fffffff, 0x80000000,
  0xfffffffe, 0xffffffff,
];
const maxOperations = 6;
/** Repeated growth would make later runs slow for no gain. */
const maxGrowth = 4096;

/** Random numbers from a seed: mulberry32, 32 bits of state. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/**
 * A damaged copy of the sample.
 * @param hotspots offsets where damage is likely to matter, such as headers; half of the operations go there
 */
export function mutate(sample: Uint8Array, seed: number, hotspots: readonly number[] = []): Buffer {
  const random = randomNumbers(seed);
  let bytes: Buffer = Buffer.from(sample);
  for (let left = 1 + random(maxOperations); left > 0; left--) {
    if (bytes.length === 0) break;
    const isHot = hotspots.length > 0 && random(2) === 0;
    const at = isHot
      ? Math.min(bytes.length - 1, hotspots[random(hotspots.length)]! + random(64))
      : random(bytes.length);
    bytes = operate(bytes, at, random);
  }
  return bytes;
}

function operate(bytes: Buffer, at: number, random: (below: number) => number): Buffer {
  const length = Math.min(1 + random(random(8) === 0 ? maxGrowth : 16), bytes.length - at);
  const edge = edges[random(edges.length)]!;
  switch (random(9)) {
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
    case 4: {
      const aligned = at & ~3;
      if (aligned + 4 <= bytes.length) bytes.writeUInt32LE(edge, aligned);
      return bytes;
    }
    case 5: {
      // A small step away from the truth passes more checks than a random number.
      const aligned = at & ~3;
      if (aligned + 4 <= bytes.length) {
        bytes.writeUInt32LE((bytes.readUInt32LE(aligned) + random(33) - 16) >>> 0, aligned);
      }
      return bytes;
    }
    case 6:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 7:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)]);
    default:
      return random(8) === 0 ? bytes.subarray(0, at) : Buffer.from(bytes).fill(random(256), at, at + length);
  }
}
