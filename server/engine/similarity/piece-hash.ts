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

/** Pieces of one signature, and the one that the file is in. */
class Row {
  readonly #pieces: readonly Piece[];
  #next = 0;

  /** @param pieces one behind the other from the start of the file */
  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
    for (const piece of pieces) piece.hash = fnvStart;
  }

  /** The piece that a position is in; null past the last one. */
  at(position: number): Piece | null {
    while (this.#next < this.#pieces.length && this.#pieces[this.#next]!.to <= position) this.#next++;
    return this.#pieces[this.#next] ?? null;
  }
}

/** Hashes the pieces of two signatures while the file is read. */
export class PieceHasher {
  readonly #rows: readonly [Row, Row];
  #position = 0;

  constructor(first: readonly Piece[], second: readonly Piece[]) {
    this.#rows = [new Row(first), new Row(second)];
  }

  get isDone(): boolean {
    return this.#rows.every((row) => row.at(this.#position) === null);
  }

  /** Takes the bytes that follow those before. */
  update(chunk: Uint8Array): void {
    // A plain view: one kind of array keeps the loop's code small.
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length);
    const start = this.#position;
    const past = start + bytes.length;
    while (this.#position < past) {
      const [first, second] = [this.#rows[0].at(this.#position), this.#rows[1].at(this.#position)];
      const to = Math.min(first?.to ?? past, second?.to ?? past, past);
      hashInto(first, second, bytes, this.#position - start, to - start);
      this.#position = to;
    }
  }
}

/** A byte of each hash waits for the one before it: two at once take as long as one. */
function hashInto(first: Piece | null, second: Piece | null, bytes: Uint8Array, from: number, to: number): void {
  let one = first?.hash ?? 0;
  let two = second?.hash ?? 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!;
    one = Math.imul(one, fnvPrime) ^ byte;
    two = Math.imul(two, fnvPrime) ^ byte;
  }
  if (first !== null) first.hash = one;
  if (second !== null) second.hash = two;
}
