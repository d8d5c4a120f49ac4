// How far two files are apart by their TLSH digests, as the tool `tlsh` counts it. Knows no files.
//
// J. Oliver, C. Cheng, Y. Chen, "TLSH - A Locality Sensitive Hash", 2013, https://tlsh.org/papers.html

const digestLength = 35;
const headerLength = 3;
/** What a difference of more than one costs in length and quartiles. */
const stepCost = 12;
/** Of two buckets that lie in the outermost quarters. */
const outermostCost = 6;

const swapped = (byte: number): number => ((byte & 0xf) << 4) | (byte >>> 4);

/** The difference of two numbers on a ring. */
function around(one: number, other: number, length: number): number {
  const apart = Math.abs(one - other);
  return Math.min(apart, length - apart);
}

/** Four buckets of one byte against those of another. */
const bucketCosts = Uint8Array.from({ length: 0x10000 }, (_, pair) => {
  let cost = 0;
  for (let shift = 0; shift < 8; shift += 2) {
    const apart = Math.abs(((pair >>> (8 + shift)) & 3) - ((pair >>> shift) & 3));
    cost += apart === 3 ? outermostCost : apart;
  }
  return cost;
});

const quartileCost = (apart: number): number => (apart <= 1 ? apart : (apart - 1) * stepCost);

/** 0: the same; some 30 where files have much in common, 100 and more where they have nothing. @param first, second 35 bytes each */
export function tlshDistance(first: Uint8Array, second: Uint8Array): number {
  const lengths = around(swapped(first[1]!), swapped(second[1]!), 256);
  let distance = lengths <= 1 ? lengths : lengths * stepCost;
  distance += quartileCost(around(first[2]! >>> 4, second[2]! >>> 4, 16));
  distance += quartileCost(around(first[2]! & 0xf, second[2]! & 0xf, 16));
  distance += Number(first[0] !== second[0]);
  for (let at = headerLength; at < digestLength; at++) distance += bucketCosts[(first[at]! << 8) | second[at]!]!;
  return distance;
}

/** The logarithm of the file's length that a digest holds. */
export const lengthStepOf = (digest: Uint8Array): number => swapped(digest[1]!);
