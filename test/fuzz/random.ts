// Random numbers that are the same for the same seed.

/** A number from 0 up to, not including, `below`. */
export type Random = (below: number) => number;

/** Random numbers from a seed: mulberry32, 32 bits of state. */
export function randomNumbers(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return Math.floor((((value ^ (value >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** The seed of a run's so-many-th input: neighbours have nothing in common. */
export const seedOf = (seed: number, index: number): number => {
  const mixed = Math.imul(seed ^ (index >>> 15) ^ index, 0x2c1b3c6d) + Math.imul(index, 0x297a2d39);
  return (mixed ^ (mixed >>> 12)) >>> 0;
};

export const pickOf = <T>(list: readonly T[], random: Random): T => list[random(list.length)]!;
