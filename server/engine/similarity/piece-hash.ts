// FNV hashes of many pieces of a file, several at a time. Knows no signature.
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
/** Pieces that are hashed side by side: each step waits for the multiplication before it, so four take hardly longer than one. */
const laneCount = 4;

/** Where one lane stands. */
class Lane {
  readonly #source: ByteSource;
  /** Pieces still to do, shared by all lanes, the longest last. */
  readonly #queue: Piece[];
  #piece: Piece | undefined;
  #next = 0;
  hash = fnvStart;
  window: Uint8Array = new Uint8Array(0);
  at = 0;

  constructor(source: ByteSource, queue: Piece[]) {
    this.#source = source;
    this.#queue = queue;
  }

  /** Bytes that can be hashed in one go, having taken up the next window or piece; 0 where none is left. */
  prepare(): number {
    while (this.at === this.window.length) {
      if (this.#piece !== undefined && this.#next < this.#piece.to) {
        this.window = this.#source.read(this.#next, Math.min(windowLength, this.#piece.to - this.#next));
        this.at = 0;
        this.#next += this.window.length;
        // A source that ends early leaves nothing to wait for.
        if (this.window.length === 0) this.#next = this.#piece.to;
        continue;
      }
      if (this.#piece !== undefined) this.#piece.hash = this.hash;
      this.#piece = this.#queue.pop();
      if (this.#piece === undefined) return 0;
      this.#next = this.#piece.from;
      this.hash = fnvStart;
    }
    return this.window.length - this.at;
  }
}

/** Hashes every piece; they may overlap. */
export function hashPieces(source: ByteSource, pieces: readonly Piece[]): void {
  const queue = pieces.toSorted((a, b) => a.to - a.from - (b.to - b.from));
  let lanes = Array.from({ length: laneCount }, () => new Lane(source, queue));
  for (;;) {
    lanes = lanes.filter((lane) => lane.prepare() > 0);
    const [first] = lanes;
    if (first === undefined) return;
    const steps = Math.min(...lanes.map((lane) => lane.prepare()));
    // A lane without work repeats the first lane's; the result is dropped.
    const idle = Object.assign(new Lane(source, []), { window: first.window, at: first.at });
    advance(first, lanes[1] ?? idle, lanes[2] ?? idle, lanes[3] ?? idle, steps);
  }
}

function advance(a: Lane, b: Lane, c: Lane, d: Lane, steps: number): void {
  const aBytes = a.window.subarray(a.at, a.at + steps);
  const bBytes = b.window.subarray(b.at, b.at + steps);
  const cBytes = c.window.subarray(c.at, c.at + steps);
  const dBytes = d.window.subarray(d.at, d.at + steps);
  let aHash = a.hash;
  let bHash = b.hash;
  let cHash = c.hash;
  let dHash = d.hash;
  for (let at = 0; at < steps; at++) {
    aHash = Math.imul(aHash, fnvPrime) ^ aBytes[at]!;
    bHash = Math.imul(bHash, fnvPrime) ^ bBytes[at]!;
    cHash = Math.imul(cHash, fnvPrime) ^ cBytes[at]!;
    dHash = Math.imul(dHash, fnvPrime) ^ dBytes[at]!;
  }
  a.hash = aHash;
  b.hash = bHash;
  c.hash = cHash;
  d.hash = dHash;
  for (const lane of new Set([a, b, c, d])) lane.at += steps;
}
