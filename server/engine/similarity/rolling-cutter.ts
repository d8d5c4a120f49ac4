// The rolling hash of ssdeep: where it cuts a stream, at every block size at once. Knows nothing of pieces' hashes.

/** Block sizes are three times a power of two; the level is that power. */
const minBlockSize = 3;
const windowLength = 7;

export interface Cuts {
  count: number;
  /** Positions of the first ones, each the last byte of its piece. */
  readonly first: Float64Array;
  /** Position of the last one, -1 where there is none. */
  last: number;
}

export class RollingCutter {
  readonly #lowLevel: number;
  readonly #topLevel: number;
  readonly #cuts: Cuts[];
  #position = 0;
  #sum = 0;
  #weighted = 0;
  #shifted = 0;
  /** The last seven bytes of the chunk before. */
  #window = new Uint8Array(windowLength);

  /** @param kept how many positions are kept per level, the last one apart */
  constructor(lowLevel: number, topLevel: number, kept: number) {
    this.#lowLevel = lowLevel;
    this.#topLevel = topLevel;
    this.#cuts = Array.from({ length: topLevel + 1 }, () => ({ count: 0, first: new Float64Array(kept), last: -1 }));
  }

  /** The rolling hash of the last seven bytes; 0 only where the stream is empty or ends in zeros. */
  get value(): number {
    return (this.#sum + this.#weighted + this.#shifted) >>> 0;
  }

  /** @param level between the low and the top level */
  cutsAt(level: number): Readonly<Cuts> {
    return this.#cuts[level]!;
  }

  update(chunk: Uint8Array): void {
    const head = Math.min(windowLength, chunk.length);
    const joined = new Uint8Array(windowLength + head);
    joined.set(this.#window);
    joined.set(chunk.subarray(0, head), windowLength);
    this.#roll(joined, this.#position - windowLength);
    // A plain view: one kind of array keeps the loop's code small.
    if (chunk.length > head) this.#roll(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.length), this.#position);
    this.#window = joined.slice(-windowLength);
    if (chunk.length > head) this.#window = chunk.slice(-windowLength);
    this.#position += chunk.length;
  }

  /** Rolls over the bytes after the first seven, which only fall out of the window; `base` is the first one's position. */
  #roll(bytes: Uint8Array, base: number): void {
    const mask = 2 ** this.#lowLevel - 1;
    for (
      let at = this.#rollToCut(bytes, windowLength, mask);
      at < bytes.length;
      at = this.#rollToCut(bytes, at + 1, mask)
    )
      this.#cut(base + at, (this.value + 1) | 0);
  }

  /**
   * Rolls on from a position to the next cut, or to the end where there is none; answers where that is. It only rolls,
   * since a loop that does nothing else takes a third of the time.
   */
  #rollToCut(bytes: Uint8Array, from: number, mask: number): number {
    let sum = this.#sum;
    let weighted = this.#weighted;
    let shifted = this.#shifted;
    const end = bytes.length;
    let at = from;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      weighted = (weighted - sum + Math.imul(windowLength, byte)) | 0;
      sum = (sum + byte - bytes[at - windowLength]!) | 0;
      shifted = (shifted << 5) ^ byte;
      const next = (sum + weighted + shifted + 1) | 0;
      // The cheap half of the division by three times a power of two comes first.
      if ((next & mask) === 0 && next !== 0 && (next >>> 0) % minBlockSize === 0) break;
    }
    this.#sum = sum;
    this.#weighted = weighted;
    this.#shifted = shifted;
    return at;
  }

  #cut(position: number, next: number): void {
    const highest = Math.min(this.#topLevel, 31 - Math.clz32(next & -next));
    for (let level = this.#lowLevel; level <= highest; level++) {
      const cuts = this.#cuts[level]!;
      if (cuts.count < cuts.first.length) cuts.first[cuts.count] = position;
      cuts.count++;
      cuts.last = position;
    }
  }
}
