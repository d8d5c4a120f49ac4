// FNV hashes of the pieces that a file is cut into. Knows no signature.
import type { ByteSource } from '../../vault/byte-source.ts';

export interface Piece {
  readonly from: number;
  /** Past its last byte. */
  readonly to: number;
  /** Filled by `hashPieces`; only the low six bits are used. */
  hash: number;
}

const fnvPrime = 0x01000193;
const fnvStart = 0x28021967;
const windowLength = 1 << 18;

/** Hashes every piece of several cuts through a file, which is read once. The pieces of a cut follow each other, from 0 on. */
export function hashPieces(source: ByteSource, cuts: readonly (readonly Piece[])[]): void {
  const left = cuts.map((pieces) => [...pieces].reverse());
  for (const piece of cuts.flat()) piece.hash = fnvStart;
  const end = Math.max(0, ...cuts.map((pieces) => pieces.at(-1)?.to ?? 0));
  for (let offset = 0; offset < end; offset += windowLength) {
    const window = source.read(offset, Math.min(windowLength, end - offset));
    for (const pieces of left) {
      for (
        let piece = pieces.at(-1);
        piece !== undefined && piece.from < offset + window.length;
        piece = pieces.at(-1)
      ) {
        const [from, to] = [Math.max(piece.from - offset, 0), Math.min(piece.to - offset, window.length)];
        piece.hash = advance(piece.hash, window, from, to);
        if (piece.to > offset + window.length) break;
        pieces.pop();
      }
    }
  }
}

function advance(start: number, bytes: Uint8Array, from: number, to: number): number {
  let hash = start;
  for (let at = from; at < to; at++) hash = Math.imul(hash, fnvPrime) ^ bytes[at]!;
  return hash;
}
