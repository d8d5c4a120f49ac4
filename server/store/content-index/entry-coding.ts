// How the entries of a range lie in a segment of the content index: which groups of files have each fingerprint, in as few bits as
// can be had without a table of what is common. Knows no file.

/**
 * Numbers are written after Rice: so many lower bits as their mean has, and before them the rest, as that many ones and a zero.
 * A range: how many entries, then for each the difference to the fingerprint before, how many groups have it, and those, each less
 * the one before it.
 */
export class EntryRange {
  /** The first `#entries` of both. */
  readonly #prints: number[] = [];
  readonly #counts: number[] = [];
  #entries = 0;
  /** The first `#postings`. */
  readonly #groups: number[] = [];
  #postings = 0;
  readonly #bits = new BitWriter();

  /** Adds the next fingerprint in rising order. @param groups in rising order, the first `count` of them */
  add(print: number, groups: ArrayLike<number>, count: number): void {
    this.#prints[this.#entries] = print;
    this.#counts[this.#entries] = count;
    this.#entries += 1;
    for (let index = 0; index < count; index++) this.#groups[this.#postings++] = groups[index]!;
  }

  /** The entries as bytes, and none of them from then on. @param width how many fingerprints the range may have */
  take(first: number, width: number, groupsCount: number): Uint8Array {
    if (this.#entries === 0) return new Uint8Array(0);
    const bits = this.#bits;
    bits.putCount(this.#entries);
    const printBits = lowerBits(width, this.#entries);
    let nextPrint = first;
    let at = 0;
    for (let entry = 0; entry < this.#entries; entry++) {
      const print = this.#prints[entry]!;
      bits.putRice(print - nextPrint, printBits);
      nextPrint = print + 1;
      const count = this.#counts[entry]!;
      bits.putCount(count);
      const groupBits = lowerBits(groupsCount, count);
      let next = 0;
      for (const end = at + count; at < end; at++) {
        const group = this.#groups[at]!;
        bits.putRice(group - next, groupBits);
        next = group + 1;
      }
    }
    this.#entries = 0;
    this.#postings = 0;
    return bits.take();
  }
}

/** Lower bits of numbers that are about `whole / count`. */
const lowerBits = (whole: number, count: number): number => Math.max(0, 31 - Math.clz32(whole / count));

/** Goes through the entries of one range. */
export class EntryCursor {
  /** Of the entry. */
  print = 0;
  /** The first `count` of them. */
  readonly groups: number[] = [];
  count = 0;
  readonly #bits: BitReader;
  readonly #printBits: number;
  readonly #groupsCount: number;
  #left: number;
  #next: number;

  /** @param first,width as the range was written with */
  constructor(bytes: Uint8Array, { first, width, groupsCount }: { first: number; width: number; groupsCount: number }) {
    this.#bits = new BitReader(bytes);
    this.#left = bytes.length === 0 ? 0 : this.#bits.count();
    this.#printBits = lowerBits(width, this.#left);
    this.#groupsCount = groupsCount;
    this.#next = first;
  }

  /** Goes on to the next entry. @returns whether there is one */
  next(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    const bits = this.#bits;
    this.print = this.#next + bits.rice(this.#printBits);
    this.#next = this.print + 1;
    this.count = bits.count();
    const groupBits = lowerBits(this.#groupsCount, this.count);
    let group = 0;
    for (let index = 0; index < this.count; index++) {
      group += bits.rice(groupBits);
      this.groups[index] = group;
      group += 1;
    }
    return true;
  }
}

/** No number takes more bits at once. */
const mostAtOnce = 24;

class BitWriter {
  #bytes = new Uint8Array(4096);
  #length = 0;
  /** Less than eight bits that fill no byte yet. */
  #pending = 0;
  #pendingBits = 0;

  /** A number from one on, after Elias: as many ones as it has bits beyond the first, a zero, and those bits. */
  putCount(number: number): void {
    const bits = 31 - Math.clz32(number);
    this.#putBoth(bits, number & ((1 << bits) - 1), bits);
  }

  putRice(number: number, bits: number): void {
    this.#putBoth(number >>> bits, number & ((1 << bits) - 1), bits);
  }

  /** So many ones, a zero, and the lower bits of a number. */
  #putBoth(ones: number, number: number, bits: number): void {
    if (ones + 1 + bits <= mostAtOnce) {
      this.#put((((2 << ones) - 2) << bits) | number, ones + 1 + bits);
      return;
    }
    let rest = ones;
    for (; rest >= 16; rest -= 16) this.#put(0xffff, 16);
    this.#put((2 << rest) - 2, rest + 1);
    if (bits > mostAtOnce) this.#put(number >>> mostAtOnce, bits - mostAtOnce);
    const lower = Math.min(bits, mostAtOnce);
    this.#put(number & ((1 << lower) - 1), lower);
  }

  /** All that was written, and nothing from then on. */
  take(): Uint8Array {
    if (this.#pendingBits > 0) this.#put(0, 8 - this.#pendingBits);
    const written = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return written;
  }

  #put(number: number, bits: number): void {
    if (this.#length + 4 > this.#bytes.length) this.#grow();
    const pending = (this.#pending << bits) | number;
    let pendingBits = this.#pendingBits + bits;
    for (; pendingBits >= 8; pendingBits -= 8) this.#bytes[this.#length++] = pending >>> (pendingBits - 8);
    this.#pending = pending & ((1 << pendingBits) - 1);
    this.#pendingBits = pendingBits;
  }

  #grow(): void {
    const before = this.#bytes;
    this.#bytes = new Uint8Array(2 * before.length);
    this.#bytes.set(before);
  }
}

/** Beyond its end it reads zeros. */
class BitReader {
  readonly #bytes: Uint8Array;
  /** In bits. */
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  count(): number {
    const bits = this.#ones();
    return 2 ** bits + this.#bits(bits);
  }

  rice(bits: number): number {
    return this.#ones() * 2 ** bits + this.#bits(bits);
  }

  #ones(): number {
    let ones = 0;
    for (;;) {
      const found = Math.clz32(~this.#ahead());
      if (found < mostAtOnce) {
        this.#at += found + 1;
        return ones + found;
      }
      ones += mostAtOnce;
      this.#at += mostAtOnce;
    }
  }

  #bits(bits: number): number {
    if (bits === 0) return 0;
    if (bits > mostAtOnce) {
      const upper = this.#bits(bits - mostAtOnce);
      return upper * 2 ** mostAtOnce + this.#bits(mostAtOnce);
    }
    const number = this.#ahead() >>> (32 - bits);
    this.#at += bits;
    return number;
  }

  /** The next bits, the first of them highest: `mostAtOnce` of them and one more at least. */
  #ahead(): number {
    const bytes = this.#bytes;
    const at = this.#at >>> 3;
    const four = (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
    return four << (this.#at & 7);
  }
}
