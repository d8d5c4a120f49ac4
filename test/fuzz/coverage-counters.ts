// How often each block of the instrumented code has run since the counters were last read. Imports nothing: instrumented
// modules import it before anything else.

/** Blocks of all modules together; the whole server has some 60,000. */
const maxBlocks = 1 << 17;

/** One count a block, written by instrumented code; it starts again at 0 after 255. */
export const counters = new Uint8Array(maxBlocks);
const words = new Uint32Array(counters.buffer);

let used = 0;
/** What of the instrumented code has run yet: a bit for each order of magnitude of a block's count. */
const seen = new Uint8Array(maxBlocks);

/** Takes places for a module's blocks. @returns the first */
export function reserveBlocks(count: number): number {
  const first = used;
  used += count;
  if (used > maxBlocks) throw new Error(`more than ${maxBlocks} blocks are instrumented`);
  return first;
}

/** As libFuzzer's counters are told apart: 1, 2, 3, 4 to 7, 8 to 15, 16 to 31, 32 to 127, more. */
const magnitudes = Uint8Array.from({ length: 256 }, (_, count) => {
  if (count < 4) return count === 0 ? 0 : 1 << (count - 1);
  const bounds = [8, 16, 32, 128];
  const index = bounds.findIndex((bound) => count < bound);
  return 1 << (index < 0 ? 7 : 3 + index);
});

/** Reads the counters and sets them back. @returns how many magnitudes of blocks were never seen before */
export function takeNewCoverage(): number {
  let found = 0;
  for (let word = 0; word < (used + 3) >> 2; word++) {
    if (words[word] === 0) continue;
    for (let block = word << 2; block < (word << 2) + 4; block++) {
      const bit = magnitudes[counters[block]!]!;
      if (bit === 0 || (seen[block]! & bit) !== 0) continue;
      seen[block]! |= bit;
      found++;
    }
    words[word] = 0;
  }
  return found;
}

/** How many of these blocks have run. */
export function countCovered(first: number, count: number): number {
  return seen.subarray(first, first + count).reduce((sum, magnitude) => sum + (magnitude === 0 ? 0 : 1), 0);
}
