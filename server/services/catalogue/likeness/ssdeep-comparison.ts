// How alike two files are by their ssdeep signatures, as the tool `ssdeep` scores it. Knows no files.
//
// Scoring: J. Kornblum, "Identifying almost identical files using context triggered piecewise hashing" (2006), as
// ssdeep 2.14 rounds and bounds it.

interface Signature {
  blockSize: number;
  whole: string;
  half: string;
}

const signatureLength = 64;
const windowLength = 7;
const minBlockSize = 3;
/** From this block size on a match is never capped for being short. */
const uncappedBlockSize = 45;

/** Runs of more than three equal characters say little; the rest of the run is dropped. */
const withoutRuns = (text: string) => text.replace(/(.)\1{3,}/g, '$1$1$1');

function parse(text: string): Signature | null {
  const match = /^(\d{1,10}):([A-Za-z0-9+/]{0,64}):([A-Za-z0-9+/]{0,64})(?:,|$)/.exec(text);
  return match && { blockSize: Number(match[1]), whole: withoutRuns(match[2]!), half: withoutRuns(match[3]!) };
}

/**
 * Similarity of two signatures, 0 (nothing in common) to 100.
 * @returns null where one of them is no ssdeep signature
 */
export function compareSsdeep(first: string, second: string): number | null {
  const a = parse(first);
  const b = parse(second);
  if (a === null || b === null) return null;
  if (a.blockSize === b.blockSize) {
    if (a.whole === b.whole && a.half === b.half) return 100;
    return Math.max(score(a.whole, b.whole, a.blockSize), score(a.half, b.half, a.blockSize * 2));
  }
  if (a.blockSize * 2 === b.blockSize) return score(a.half, b.whole, b.blockSize);
  if (b.blockSize * 2 === a.blockSize) return score(a.whole, b.half, a.blockSize);
  return 0;
}

function score(a: string, b: string, blockSize: number): number {
  if (!hasCommonWindow(a, b)) return 0;
  const distance = editDistance(a, b);
  const scaled = Math.floor((distance * signatureLength) / (a.length + b.length));
  const similarity = 100 - Math.floor((scaled * 100) / signatureLength);
  if (blockSize >= uncappedBlockSize) return similarity;
  return Math.min(similarity, Math.floor(blockSize / minBlockSize) * Math.min(a.length, b.length));
}

/** Without seven characters in a row in common, a likeness is chance. */
function hasCommonWindow(a: string, b: string): boolean {
  for (let at = 0; at + windowLength <= a.length; at++) {
    if (b.includes(a.slice(at, at + windowLength))) return true;
  }
  return false;
}

/** Insertions and deletions that turn one into the other; a replacement counts as one of each. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 2);
      current.push(Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
