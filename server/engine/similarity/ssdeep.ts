// Context-triggered piecewise hashes, identical to what the tool `ssdeep` prints. Knows nothing of APKs.
//
// The algorithm: J. Kornblum, "Identifying almost identical files using context triggered piecewise hashing",
// Digital Investigation 3S (2006), https://doi.org/10.1016/j.diin.2006.06.015. A rolling hash over seven bytes cuts the
// file into pieces wherever it is one less than a multiple of the block size; each piece gives one character, the low
// six bits of an FNV hash. Block sizes are 3, 6, 12 …; the largest whose signature is long enough is printed, and the
// next one's beside it at half the length.
//
// It takes two looks at the file. The first only rolls, and finds all cuts; then the block size is known, and the second
// hashes the pieces of just the two signatures that are printed.
import { type ByteSource, memorySource } from '../../vault/byte-source.ts';
import { type Piece, PieceHasher } from './piece-hash.ts';
import { RollingCutter } from './rolling-cutter.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const minBlockSize = 3;
const signatureLength = 64;
/** Files with long repetitions are cut less often than their size suggests; further below it is worth a second roll. */
const levelsBelowTop = 4;
const chunkLength = 1 << 18;

/** The signature of a file in memory, for example `3:aaX8v:aV`. */
export function ssdeep(bytes: Uint8Array): string {
  return ssdeepOfSource(memorySource(bytes));
}

/**
 * The signature of a file that is read piece by piece, each byte twice or, with long repetitions, three times.
 * @param seen told of each chunk when it is read first, in order
 */
export function ssdeepOfSource(source: ByteSource, seen?: (chunk: Uint8Array) => void): string {
  let topLevel = 0;
  while (blockSize(topLevel) * signatureLength < source.size) topLevel++;
  const lowLevel = Math.max(0, topLevel - levelsBelowTop);
  let cutter = roll(source, lowLevel, topLevel, seen);
  if (lowLevel > 0 && cutter.cutsAt(lowLevel).count < signatureLength / 2) cutter = roll(source, 0, topLevel);
  let level = topLevel;
  while (level > 0 && cutter.cutsAt(level).count < signatureLength / 2) level--;
  const whole = piecesBetween(cutter, level, signatureLength - 1, source.size);
  const half = piecesBetween(cutter, level + 1, signatureLength / 2 - 1, source.size);
  const hasher = new PieceHasher(whole, half);
  for (let at = 0; at < source.size && !hasher.isDone; at += chunkLength) hasher.update(source.read(at, chunkLength));
  return `${blockSize(level)}:${print(whole)}:${print(half)}`;
}

const blockSize = (level: number) => minBlockSize * 2 ** level;

const print = (pieces: readonly Piece[]) => pieces.map((piece) => alphabet[piece.hash & 63]).join('');

function roll(
  source: ByteSource,
  lowLevel: number,
  topLevel: number,
  seen?: (chunk: Uint8Array) => void,
): RollingCutter {
  const cutter = new RollingCutter(lowLevel, topLevel + 1, signatureLength);
  for (let at = 0; at < source.size; at += chunkLength) {
    const chunk = source.read(at, chunkLength);
    seen?.(chunk);
    cutter.update(chunk);
  }
  return cutter;
}

/**
 * The pieces of one signature. Once it holds `limit` of them the last one goes on to the file's end. Where the file ends
 * in zeros, and the rolling hash with it, an uncut piece is left out and the last one goes on to the last cut alone.
 */
function piecesBetween(cutter: RollingCutter, level: number, limit: number, size: number): Piece[] {
  const { count, first, last } = cutter.cutsAt(level);
  const pieces: Piece[] = [];
  let from = 0;
  for (let index = 0; index < Math.min(count, limit); index++) {
    const to = first[index]! + 1;
    pieces.push({ from, to, hash: 0 });
    from = to;
  }
  if (cutter.value !== 0) pieces.push({ from, to: size, hash: 0 });
  else if (count > limit) pieces.push({ from, to: last + 1, hash: 0 });
  return pieces;
}
