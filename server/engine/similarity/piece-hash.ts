// FNV hashes of the pieces that a file is cut into. Knows no signature.

export interface Piece {
  readonly from: number;
  /** Past its last byte. */
  readonly to: number;
  /** Filled by a `PieceHasher`; only the low six bits are used. */
  hash: number;
}

const fnvPrime = 0x01000193;
const fnvStart = 0x28021967;

/** Hashes pieces that follow each other from a file's start, while the file is read. */
export class PieceHasher {
  /** The next one last. */
  readonly #left: Piece[];
  #position = 0;

  constructor(pieces: readonly Piece[]) {
    this.#left = pieces.toReversed();
    for (const piece of pieces) piece.hash = fnvStart;
  }

  get isDone(): boolean {
    return this.#left.length === 0;
  }

  /** Takes the bytes that follow those before. */
  update(chunk: Uint8Array): void {
    // A plain view: one kind of array keeps the loop's code small.
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
    const start = this.#position;
    const end = start + bytes.length;
    this.#position = end;
    for (let piece = this.#left.at(-1); piece !== undefined && piece.from < end; piece = this.#left.at(-1)) {
      const to = Math.min(piece.to, end) - start;
      let hash = piece.hash | 0;
      for (let at = Math.max(piece.from - start, 0); at < to; at++) hash = Math.imul(hash, fnvPrime) ^ bytes[at]!;
      piece.hash = hash;
      if (piece.to > end) return;
      this.#left.pop();
    }
  }
}
