// Context-triggered piecewise hashes, identical to what the tool `ssdeep` prints. Knows nothing of APKs.
//
// The algorithm: J. Kornblum, "Identifying almost identical files using context triggered piecewise hashing",
// Digital Investigation 3S (2006), https://doi.org/10.1016/j.diin.2006.06.015. A rolling hash over seven bytes cuts the
// file into pieces wherever it is one less than a multiple of the block size; each piece gives one character, the low
// six bits of an FNV hash. Block sizes are 3, 6, 12 …; the largest whose signature is long enough is printed, and the
// next one's beside it at half the length.
import type { ByteSource } from '../../vault/byte-source.ts';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const minBlockSize = 3;
const signatureLength = 64;
const windowLength = 7;
const fnvPrime = 0x01000193;
const fnvStart = 0x28021967;
/** Read and hashed at a time: small enough that the second look at the bytes finds them in the processor's cache. */
const chunkLength = 1 << 17;

/** Block sizes by level. */
const blockSize = (level: number) => minBlockSize * 2 ** level;

/** The signature of a file in memory, for example `3:aaX8v:aV`. */
export function ssdeep(bytes: Uint8Array): string {
  return signatureOf(bytes.length, (visit) => {
    for (let at = 0; at < bytes.length; at += chunkLength) visit(bytes.subarray(at, at + chunkLength));
  });
}

/** The signature of a file that is read piece by piece, now and then twice. */
export function ssdeepOfSource(source: ByteSource): string {
  return signatureOf(source.size, (visit) => {
    for (let at = 0; at < source.size; at += chunkLength) visit(source.read(at, chunkLength));
  });
}

type ForEachChunk = (visit: (chunk: Uint8Array) => void) => void;

function signatureOf(size: number, forEachChunk: ForEachChunk): string {
  let topLevel = 0;
  while (blockSize(topLevel) * signatureLength < size) topLevel++;
  const lowLevel = Math.max(0, topLevel - 1);
  const likely = new Signatures(lowLevel, topLevel);
  forEachChunk((chunk) => likely.update(chunk));
  if (lowLevel === 0 || likely.isLongEnough) return likely.print();
  // So little varies in the file that both are too short: count the pieces at every level, then hash at the right one.
  const counter = new CutCounter(topLevel);
  forEachChunk((chunk) => counter.update(chunk));
  const level = counter.longEnoughLevel();
  const signatures = new Signatures(level, level);
  forEachChunk((chunk) => signatures.update(chunk));
  return signatures.print();
}

/** Finds where the rolling hash cuts a stream at one block size and every larger one. */
class Cutter {
  readonly #mask: number;
  #sum = 0;
  #weighted = 0;
  #shifted = 0;
  /** The last seven bytes of the chunk before. */
  #window = new Uint8Array(windowLength);
  /** Positions in the chunk, each the last byte of its piece, and the highest level each one cuts at. */
  positions = new Int32Array(64);
  levels = new Uint8Array(64);
  count = 0;

  constructor(level: number) {
    this.#mask = 2 ** level - 1;
  }

  /** The rolling hash of what was read last; 0 only where it is empty or ends in zeros. */
  get value(): number {
    return (this.#sum + this.#weighted + this.#shifted) >>> 0;
  }

  scan(chunk: Uint8Array): void {
    this.count = 0;
    const head = Math.min(windowLength, chunk.length);
    const joined = new Uint8Array(windowLength + head);
    joined.set(this.#window);
    joined.set(chunk.subarray(0, head), windowLength);
    this.#scan(joined, windowLength, -windowLength);
    if (chunk.length > head) this.#scan(chunk, windowLength, 0);
    this.#window = chunk.length >= windowLength ? chunk.slice(-windowLength) : joined.slice(-windowLength);
  }

  /** Rolls over `bytes[from …]`, before which seven bytes stand; `shift` makes their positions those of the chunk. */
  #scan(bytes: Uint8Array, from: number, shift: number): void {
    const mask = this.#mask;
    let sum = this.#sum;
    let weighted = this.#weighted;
    let shifted = this.#shifted;
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      weighted = (weighted - sum + windowLength * byte) | 0;
      sum = (sum + byte - bytes[at - windowLength]!) | 0;
      shifted = (shifted << 5) ^ byte;
      const next = (sum + weighted + shifted + 1) | 0;
      // The block size is a power of two times three: the cheap half of the division comes first.
      if ((next & mask) === 0 && next !== 0 && (next >>> 0) % 3 === 0) this.#add(at + shift, next);
    }
    this.#sum = sum;
    this.#weighted = weighted;
    this.#shifted = shifted;
  }

  #add(position: number, next: number): void {
    if (this.count === this.positions.length) {
      const positions = new Int32Array(this.count * 2);
      positions.set(this.positions);
      this.positions = positions;
      const levels = new Uint8Array(this.count * 2);
      levels.set(this.levels);
      this.levels = levels;
    }
    this.positions[this.count] = position;
    this.levels[this.count] = 31 - Math.clz32(next & -next);
    this.count++;
  }
}

/** The characters of one level's signature; once it is full the last piece goes on to the file's end. */
class Pieces {
  readonly level: number;
  readonly #limit: number;
  readonly #characters: number[] = [];
  /** What the piece past the limit hashed to where it was last cut. */
  #overflow = -1;
  state = fnvStart;

  constructor(level: number, limit: number) {
    this.level = level;
    this.#limit = limit;
  }

  get length(): number {
    return this.#characters.length;
  }

  cut(): void {
    const character = this.state & 63;
    if (this.#characters.length < this.#limit) {
      this.#characters.push(character);
      this.state = fnvStart;
    } else {
      this.#overflow = character;
    }
  }

  /** @param rollingHash at the end of the file; where it is 0 an unfinished piece is left out */
  print(rollingHash: number): string {
    const last = rollingHash === 0 ? this.#overflow : this.state & 63;
    return [...this.#characters, ...(last < 0 ? [] : [last])].map((character) => alphabet[character]).join('');
  }
}

/** Hashes a stream at two neighbouring levels at once, since one of them is nearly always the one that is printed. */
class Signatures {
  readonly #cutter: Cutter;
  readonly #highLevel: number;
  readonly #low: Pieces;
  readonly #high: Pieces;
  readonly #highHalf: Pieces;
  readonly #aboveHalf: Pieces;

  /** @param highLevel `lowLevel` or the one above */
  constructor(lowLevel: number, highLevel: number) {
    this.#cutter = new Cutter(lowLevel);
    this.#highLevel = highLevel;
    this.#low = new Pieces(lowLevel, signatureLength - 1);
    this.#high = new Pieces(lowLevel + 1, signatureLength - 1);
    this.#highHalf = new Pieces(lowLevel + 1, signatureLength / 2 - 1);
    this.#aboveHalf = new Pieces(lowLevel + 2, signatureLength / 2 - 1);
  }

  update(chunk: Uint8Array): void {
    const cutter = this.#cutter;
    cutter.scan(chunk);
    let from = 0;
    for (let index = 0; index < cutter.count; index++) {
      const to = cutter.positions[index]! + 1;
      const level = cutter.levels[index]!;
      this.#advance(chunk, from, to);
      from = to;
      this.#low.cut();
      if (level >= this.#high.level) {
        this.#high.cut();
        this.#highHalf.cut();
      }
      if (level >= this.#aboveHalf.level) this.#aboveHalf.cut();
    }
    this.#advance(chunk, from, chunk.length);
  }

  /** Four FNV hashes side by side: each waits for its own multiplication, so four cost hardly more than one. */
  #advance(bytes: Uint8Array, from: number, to: number): void {
    let low = this.#low.state;
    let high = this.#high.state;
    let highHalf = this.#highHalf.state;
    let aboveHalf = this.#aboveHalf.state;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      low = Math.imul(low, fnvPrime) ^ byte;
      high = Math.imul(high, fnvPrime) ^ byte;
      highHalf = Math.imul(highHalf, fnvPrime) ^ byte;
      aboveHalf = Math.imul(aboveHalf, fnvPrime) ^ byte;
    }
    this.#low.state = low;
    this.#high.state = high;
    this.#highHalf.state = highHalf;
    this.#aboveHalf.state = aboveHalf;
  }

  get #isHighChosen(): boolean {
    return this.#high.level <= this.#highLevel && this.#high.length >= signatureLength / 2;
  }

  get isLongEnough(): boolean {
    return this.#isHighChosen || this.#low.length >= signatureLength / 2;
  }

  print(): string {
    const [whole, half] = this.#isHighChosen ? [this.#high, this.#aboveHalf] : [this.#low, this.#highHalf];
    const rollingHash = this.#cutter.value;
    return `${blockSize(whole.level)}:${whole.print(rollingHash)}:${half.print(rollingHash)}`;
  }
}

/** Counts the pieces at every level. */
class CutCounter {
  readonly #cutter = new Cutter(0);
  /** By the highest level a cut belongs to. */
  readonly #counts = new Float64Array(32);
  readonly #topLevel: number;

  constructor(topLevel: number) {
    this.#topLevel = topLevel;
  }

  update(chunk: Uint8Array): void {
    this.#cutter.scan(chunk);
    for (let index = 0; index < this.#cutter.count; index++) this.#counts[this.#cutter.levels[index]!]!++;
  }

  /** The highest level with at least half a signature; 0 where there is none. */
  longEnoughLevel(): number {
    for (let level = this.#topLevel; level > 0; level--) {
      const cuts = this.#counts.subarray(level).reduce((total, count) => total + count, 0);
      if (cuts >= signatureLength / 2) return level;
    }
    return 0;
  }
}
