// Finds which of many literals stand in bytes, in one pass. Knows nothing of rules.
import type { Literal } from './necessary-literals.ts';

/** Bytes of the window by which a literal is looked for; the rest is compared where the window is found. */
const windowLength = 4;
const shortLength = 2;
/** Bits per literal of the table of windows: with more of them, fewer windows are looked up in vain. */
const bitsPerLiteral = 64;
const maxTableBits = 24;
/** Spreads the bits of a window over the table (the golden ratio of 2^32). */
const multiplier = 0x9e3779b1;

/** Small letters for capital ones. */
const folded = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));

interface Place {
  literal: number;
  /** Of the window within the literal. */
  offset: number;
}

export class LiteralSearch {
  readonly #bytes: Uint8Array[];
  readonly #isCaseless: boolean[];
  readonly #long = new Map<number, Place[]>();
  readonly #short = new Map<number, Place[]>();
  readonly #table: Uint8Array;
  readonly #shift: number;
  readonly #shortTable = new Uint8Array(65_536);
  readonly #isFound: Uint8Array;

  /** @param literals of two bytes at least, each once */
  constructor(literals: readonly Literal[]) {
    this.#bytes = literals.map(({ bytes }) => Buffer.from(bytes, 'latin1'));
    this.#isCaseless = literals.map(({ isCaseless }) => isCaseless);
    this.#isFound = new Uint8Array(literals.length);
    const bits = Math.min(maxTableBits, Math.max(12, Math.ceil(Math.log2(literals.length * bitsPerLiteral + 1))));
    this.#table = new Uint8Array(1 << bits);
    this.#shift = 32 - bits;
    for (const [literal, bytes] of this.#bytes.entries()) this.#enter(literal, bytes);
  }

  #enter(literal: number, bytes: Uint8Array): void {
    const isLong = bytes.length >= windowLength;
    const offset = rarestWindow(bytes, isLong ? windowLength : shortLength);
    const window = isLong ? windowAt(bytes, offset) : windowAt(bytes, offset) >>> 16;
    const places = isLong ? this.#long : this.#short;
    const known = places.get(window);
    if (known === undefined) places.set(window, [{ literal, offset }]);
    else known.push({ literal, offset });
    if (isLong) this.#table[Math.imul(window, multiplier) >>> this.#shift] = 1;
    else this.#shortTable[window] = 1;
  }

  /** The literals that stand there, each once, in no order. */
  find(bytes: Uint8Array): number[] {
    const found: number[] = [];
    if (this.#long.size > 0) this.#findLong(bytes, found);
    if (this.#short.size > 0) this.#findShort(bytes, found);
    for (const literal of found) this.#isFound[literal] = 0;
    return found;
  }

  #findLong(bytes: Uint8Array, found: number[]): void {
    const table = this.#table;
    const shift = this.#shift;
    const { length } = bytes;
    let window = 0;
    for (let at = 0; at < length; at++) {
      window = (window << 8) | folded[bytes[at]!]!;
      if (table[Math.imul(window, multiplier) >>> shift] === 0 || at < windowLength - 1) continue;
      const places = this.#long.get(window >>> 0);
      if (places !== undefined) this.#compare(bytes, at - (windowLength - 1), places, found);
    }
  }

  #findShort(bytes: Uint8Array, found: number[]): void {
    const table = this.#shortTable;
    const { length } = bytes;
    let window = 0;
    for (let at = 0; at < length; at++) {
      window = ((window << 8) | folded[bytes[at]!]!) & 0xffff;
      if (table[window] === 0 || at === 0) continue;
      this.#compare(bytes, at - 1, this.#short.get(window)!, found);
    }
  }

  #compare(bytes: Uint8Array, at: number, places: readonly Place[], found: number[]): void {
    for (const { literal, offset } of places) {
      if (this.#isFound[literal] !== 0 || !this.#standsAt(bytes, at - offset, literal)) continue;
      this.#isFound[literal] = 1;
      found.push(literal);
    }
  }

  #standsAt(bytes: Uint8Array, start: number, literal: number): boolean {
    const wanted = this.#bytes[literal]!;
    if (start < 0 || start + wanted.length > bytes.length) return false;
    const isCaseless = this.#isCaseless[literal]!;
    for (let index = 0; index < wanted.length; index++) {
      const byte = bytes[start + index]!;
      if ((isCaseless ? folded[byte] : byte) !== wanted[index]) return false;
    }
    return true;
  }
}

/** The folded window as an unsigned number; of two bytes, in its upper half. */
function windowAt(bytes: Uint8Array, offset: number): number {
  let window = 0;
  for (let index = offset; index < offset + windowLength; index++)
    window = (window << 8) | (folded[bytes[index] ?? 0] ?? 0);
  return window >>> 0;
}

/** The first of those with most different bytes, zeros not counted: files are full of zeros and of runs. */
function rarestWindow(bytes: Uint8Array, length: number): number {
  let best = 0;
  let most = -1;
  for (let offset = 0; offset + length <= bytes.length; offset++) {
    const different = new Set(bytes.subarray(offset, offset + length));
    different.delete(0);
    if (different.size > most) {
      best = offset;
      most = different.size;
    }
  }
  return best;
}
