// Fingerprints of the texts in some bytes: what a literal of ten letters or more has, the bytes that hold it have too.
// Knows neither files nor rules.
import { hash } from 'node:crypto';
import { printBits } from '../../contract/engine/content-index.ts';

/** Letters of one hash. */
const gramLength = 8;
/** Of so many hashes that follow each other the least is a fingerprint (winnowing). */
const windowLength = 3;
/** A literal of so many printable letters surely has a fingerprint. */
const leastLetters = gramLength + windowLength - 1;

/** By byte, its letter with capitals made small; 0: it is not printable ASCII. */
const letterOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte < 0x20 || byte > 0x7e) return 0;
  return byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte;
});

/** Of the least hash the lower bits: the upper ones of the least are small. */
const printMask = 2 ** printBits - 1;

const base = 0x01000193;
/** `base` to the power of `gramLength`, modulo 2^32. */
const outgoing = Array.from({ length: gramLength }).reduce((power: number) => Math.imul(power, base), 1);

/** The shortest run takes so many words of four bytes, and a byte of each of its neighbours. */
const narrowWords = 2;
/** The shortest wide run takes so many words of four bytes, and nearly another one. */
const wideWords = 4;

/** By the lower bits of a fingerprint, the one that was added last: most that come again come again soon. */
const recentLength = 8192;
const none = 0xffff_ffff;

/** Collects the fingerprints of one file or several, each once. */
export class FingerprintSet {
  #prints = new Uint32Array(1024);
  #held = 0;
  /** Made once there are many. */
  #recent: Uint32Array | null = null;

  /** How many it holds; few of them are held more than once. */
  get held(): number {
    return this.#held;
  }

  add(print: number): void {
    this.addAll(Uint32Array.of(print), 1);
  }

  /** Adds the first `count` of some. */
  addAll(prints: Uint32Array, count: number): void {
    this.#reserve(count);
    if (this.#recent === null) {
      this.#prints.set(prints.subarray(0, count), this.#held);
      this.#held += count;
    } else this.#addNew(prints, count, this.#recent);
  }

  #addNew(prints: Uint32Array, count: number, recent: Uint32Array): void {
    const all = this.#prints;
    let held = this.#held;
    for (let index = 0; index < count; index++) {
      const print = prints[index]!;
      const place = print & (recentLength - 1);
      // Overwritten by the next one where it is held already.
      all[held] = print;
      held += recent[place] === print ? 0 : 1;
      recent[place] = print;
    }
    this.#held = held;
  }

  /** In rising order, each once. */
  sorted(): Uint32Array {
    return this.#prints.slice(0, this.#sort());
  }

  /** @returns how many there are */
  #sort(): number {
    const all = this.#prints.subarray(0, this.#held);
    if (all.length < leastByDigits) all.sort();
    else sortByDigits(all);
    this.#held = keepEachOnce(all);
    return this.#held;
  }

  #reserve(count: number): void {
    if (this.#held + count <= this.#prints.length) return;
    const least = 2 * (this.#sort() + count);
    if (least <= this.#prints.length) return;
    this.#recent ??= new Uint32Array(recentLength).fill(none);
    const before = this.#prints.subarray(0, this.#held);
    this.#prints = new Uint32Array(2 ** Math.ceil(Math.log2(least)));
    this.#prints.set(before);
  }
}

/** Moves numbers in rising order together, each once. @returns how many there are */
function keepEachOnce(sorted: Uint32Array): number {
  let count = Math.min(1, sorted.length);
  for (let index = 1; index < sorted.length; index++) {
    sorted[count] = sorted[index]!;
    count += sorted[index] === sorted[count - 1] ? 0 : 1;
  }
  return count;
}

/** Fingerprints from which on sorting them by digits is the faster way. */
const leastByDigits = 2048;
const digitBits = printBits / 2;
const digits = 2 ** digitBits;

function sortByDigits(prints: Uint32Array): void {
  const { length } = prints;
  const low = new Uint32Array(digits + 1);
  const high = new Uint32Array(digits + 1);
  for (let index = 0; index < length; index++) {
    const print = prints[index]!;
    low[(print & (digits - 1)) + 1]! += 1;
    high[(print >>> digitBits) + 1]! += 1;
  }
  for (let digit = 1; digit < digits; digit++) {
    low[digit]! += low[digit - 1]!;
    high[digit]! += high[digit - 1]!;
  }
  const half = new Uint32Array(length);
  for (let index = 0; index < length; index++) {
    const print = prints[index]!;
    half[low[print & (digits - 1)]!++] = print;
  }
  for (let index = 0; index < length; index++) {
    const print = half[index]!;
    prints[high[print >>> digitBits]!++] = print;
  }
}

/** The fingerprint of a whole value of some kind. */
export const valueFingerprint = (kind: string, value: string): number =>
  hash('sha256', `${kind}\0${value}`, 'buffer').readUInt32LE(0) & printMask;

/** The fingerprints of what stands in a value of some kind, other ones than in files. */
export function fingerprintsWithin(kind: string, bytes: Uint8Array): number[] {
  const prints = new FingerprintSet();
  addFingerprints(bytes, prints);
  const salt = valueFingerprint(kind, '');
  return [...prints.sorted()].map((print) => Math.imul(print ^ salt, 0x9e3779b1) & printMask);
}

/** Fingerprints on their way into a set: that many at once are looked up faster. */
const found = new Uint32Array(1 << 15);
/** Letters of a run that are looked at in one go; no more than there is room for. */
const longestRun = 1 << 14;

/** Adds the fingerprints of all printable runs, ASCII and wide: letters with a zero behind each. */
export function addFingerprints(bytes: Uint8Array, prints: FingerprintSet): void {
  if (bytes.length < leastLetters) return;
  const lead = -bytes.byteOffset & 3;
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + lead, (bytes.length - lead) >> 2);
  const place = { bytes, lead, words };
  prints.addAll(found, addWide(place, prints, addNarrow(place, prints, 0)));
}

/** Some bytes, and four of them at a time from the first place on where a processor reads them so. */
interface InWords {
  bytes: Uint8Array;
  lead: number;
  words: Int32Array;
}

/**
 * The shortest run has three letters at the begin of one of every two words, but for one at the end.
 * @param count how many were found before @returns how many are found now and not in the set yet
 */
function addNarrow({ bytes, lead, words }: InWords, prints: FingerprintSet, count: number): number {
  const { length } = bytes;
  let now = count;
  let end = 0;
  for (let word = 0; word < words.length; word += narrowWords) {
    const four = words[word]!;
    // The highest bit of a byte is set where it is no ASCII, or 0x7f, or less than a space.
    if (((four | (four + 0x01010101) | ~(four + 0x60606060)) & 0x00808080) !== 0) continue;
    let start = lead + 4 * word;
    end = start + 3;
    while (start > 0 && letterOf[bytes[start - 1]!] !== 0) start -= 1;
    while (end < length && letterOf[bytes[end]!] !== 0) end += 1;
    if (end - start >= leastLetters) now = addRun(bytes, start, end, 1, prints, now);
    word = ((end - lead) >> 3) * narrowWords;
  }
  let start = length;
  while (start > end && letterOf[bytes[start - 1]!] !== 0) start -= 1;
  return length - start >= leastLetters ? addRun(bytes, start, length, 1, prints, now) : now;
}

/** As `addNarrow`: the shortest run has two letters in one of every four words. */
function addWide({ bytes, lead, words }: InWords, prints: FingerprintSet, count: number): number {
  const last = bytes.length - 2;
  let now = count;
  let seen = -1;
  for (let word = 0; word < words.length; word += wideWords) {
    const four = words[word]!;
    if (four === 0 || ((four & 0xff00ff00) !== 0 && (four & 0x00ff00ff) !== 0)) continue;
    let start = lead + 4 * word + ((four & 0xff) === 0 ? 1 : 0);
    if (start <= seen || letterOf[bytes[start]!] === 0 || letterOf[bytes[start + 2]!] === 0) continue;
    let end = start + 2;
    while (start >= 2 && bytes[start - 1] === 0 && letterOf[bytes[start - 2]!] !== 0) start -= 2;
    while (end < last && bytes[end + 1] === 0 && letterOf[bytes[end + 2]!] !== 0) end += 2;
    if (end - start >= 2 * (leastLetters - 1)) now = addRun(bytes, start, end + 1, 2, prints, now);
    seen = end;
  }
  return now;
}

/** In parts that share as many letters as no fingerprint needs. @param step 2 where every second byte is a letter */
function addRun(
  bytes: Uint8Array,
  start: number,
  end: number,
  step: number,
  prints: FingerprintSet,
  count: number,
): number {
  let now = count;
  for (let from = start; ; from += step * (longestRun - leastLetters + 1)) {
    if (now + longestRun > found.length) {
      prints.addAll(found, now);
      now = 0;
    }
    const to = Math.min(end, from + step * longestRun);
    now = findInRun(bytes, from, to, step, now);
    if (to === end) return now;
  }
}

/** Without branches in its loop, since which hash is the least no processor can guess. @returns as `addNarrow` */
function findInRun(bytes: Uint8Array, start: number, end: number, step: number, count: number): number {
  const behind = step * gramLength;
  let at = start;
  let rolled = 0;
  for (; at < start + behind; at += step) rolled = (Math.imul(rolled, base) + letterOf[bytes[at]!]!) | 0;
  const first = mixed(rolled);
  rolled = roll(rolled, letterOf[bytes[at]!]!, letterOf[bytes[at - behind]!]!);
  const second = mixed(rolled);
  at += step;
  rolled = roll(rolled, letterOf[bytes[at]!]!, letterOf[bytes[at - behind]!]!);
  let before = mixed(rolled);
  let leastOfTwo = lesser(second, before);
  let last = lesser(first, leastOfTwo);
  let now = count;
  found[now++] = last & printMask;
  for (at += step; at < end; at += step) {
    rolled = roll(rolled, letterOf[bytes[at]!]!, letterOf[bytes[at - behind]!]!);
    const mix = mixed(rolled);
    const least = lesser(mix, leastOfTwo);
    leastOfTwo = lesser(mix, before);
    before = mix;
    // Overwritten by the next one where it is the same as the last one.
    found[now] = least & printMask;
    const difference = least ^ last;
    now += (difference | -difference) >>> 31;
    last = least;
  }
  return now;
}

const roll = (rolled: number, letter: number, gone: number): number =>
  (Math.imul(rolled, base) + letter - Math.imul(gone, outgoing)) | 0;

function mixed(rolled: number): number {
  let mix = rolled ^ (rolled >>> 15);
  mix = Math.imul(mix, 0x2c1b3c6d);
  mix ^= mix >>> 12;
  mix = Math.imul(mix, 0x297a2d39);
  return mix ^ (mix >>> 15);
}

/** The lesser one of two numbers of 32 bits without a sign: what is borrowed when they are subtracted tells it. */
function lesser(one: number, other: number): number {
  const borrowed = (~one & other) | ((~one | other) & ((one - other) | 0));
  return other ^ ((one ^ other) & (borrowed >> 31));
}
