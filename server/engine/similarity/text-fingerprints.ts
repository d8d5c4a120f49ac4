// Fingerprints of the texts in some bytes: what a literal of ten letters or more has, the bytes that hold it have too.
// Knows neither files nor rules.
import { hash } from 'node:crypto';

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

const base = 0x01000193;
/** `base` to the power of `gramLength`, modulo 2^32. */
const outgoing = Array.from({ length: gramLength }).reduce((power: number) => Math.imul(power, base), 1);

/** Wide runs of `leastLetters` have zeros at every second byte of at least so many; two neighbours in each are looked at. */
const wideStride = 2 * (leastLetters - 2);

/** Collects the fingerprints of one file or several, each once. */
export class FingerprintSet {
  #slots = new Uint32Array(1024);
  #size = 0;
  #hasZero = false;

  /** How many there are. */
  get size(): number {
    return this.#size;
  }

  add(print: number): void {
    if (print === 0) {
      if (!this.#hasZero) this.#size += 1;
      this.#hasZero = true;
      return;
    }
    const mask = this.#slots.length - 1;
    let slot = (print ^ (print >>> 16)) & mask;
    for (let there = this.#slots[slot]!; there !== 0; there = this.#slots[slot]!) {
      if (there === print) return;
      slot = (slot + 1) & mask;
    }
    this.#slots[slot] = print;
    this.#size += 1;
    if (this.#size * 2 > this.#slots.length) this.#grow();
  }

  /** In rising order. */
  sorted(): Uint32Array {
    const prints = new Uint32Array(this.#size);
    let count = this.#hasZero ? 1 : 0;
    for (const print of this.#slots) if (print !== 0) prints[count++] = print;
    return prints.sort();
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    this.#size = this.#hasZero ? 1 : 0;
    for (const print of before) if (print !== 0) this.add(print);
  }
}

/** The fingerprint of a whole value of some kind. */
export const valueFingerprint = (kind: string, value: string): number =>
  hash('sha256', `${kind}\0${value}`, 'buffer').readUInt32LE(0);

/** The fingerprints of what stands in a value of some kind, other ones than in files. */
export function fingerprintsWithin(kind: string, bytes: Uint8Array): number[] {
  const prints = new FingerprintSet();
  addFingerprints(bytes, prints);
  const salt = valueFingerprint(kind, '');
  return [...prints.sorted()].map((print) => Math.imul(print ^ salt, 0x9e3779b1) >>> 0);
}

/** Adds the fingerprints of all printable runs, ASCII and wide: letters with a zero behind each. */
export function addFingerprints(bytes: Uint8Array, prints: FingerprintSet): void {
  addNarrow(bytes, prints);
  addWide(bytes, prints);
}

function addNarrow(bytes: Uint8Array, prints: FingerprintSet): void {
  const { length } = bytes;
  for (let at = leastLetters - 1; at < length; ) {
    if (letterOf[bytes[at]!] === 0) {
      at += leastLetters;
      continue;
    }
    let start = at;
    // What lies further before has been looked at.
    while (start > 0 && letterOf[bytes[start - 1]!] !== 0) start -= 1;
    let end = at + 1;
    while (end < length && letterOf[bytes[end]!] !== 0) end += 1;
    if (end - start >= leastLetters) addRun(bytes, start, end, 1, prints);
    at = end + leastLetters;
  }
}

function addWide(bytes: Uint8Array, prints: FingerprintSet): void {
  let seen = 0;
  for (let at = 0; at < bytes.length; at += wideStride) {
    if (bytes[at] === 0 && at > seen) seen = Math.max(seen, addWideAround(bytes, at, prints));
    if (bytes[at + 1] === 0 && at + 1 > seen) seen = Math.max(seen, addWideAround(bytes, at + 1, prints));
  }
}

/** @param zero where one of its zeros may be @returns where the run ends */
function addWideAround(bytes: Uint8Array, zero: number, prints: FingerprintSet): number {
  const isLetter = (at: number) => letterOf[bytes[at] ?? 0] !== 0;
  if (!isLetter(zero - 1) || !isLetter(zero + 1)) return 0;
  let start = zero - 1;
  while (start >= 2 && bytes[start - 1] === 0 && isLetter(start - 2)) start -= 2;
  let last = zero + 1;
  while (bytes[last + 1] === 0 && isLetter(last + 2)) last += 2;
  if ((last - start) / 2 + 1 >= leastLetters) addRun(bytes, start, last + 1, 2, prints);
  return last;
}

/** @param step 2 where every second byte is a letter */
function addRun(bytes: Uint8Array, start: number, end: number, step: number, prints: FingerprintSet): void {
  let rolled = 0;
  let before = 0;
  let beforeThat = 0;
  let count = 0;
  let last = -1;
  const behind = step * gramLength;
  for (let at = start; at < end; at += step) {
    rolled = Math.imul(rolled, base) + letterOf[bytes[at]!]!;
    count += 1;
    if (count > gramLength) rolled -= Math.imul(letterOf[bytes[at - behind]!]!, outgoing);
    if (count < gramLength) continue;
    let mixed = rolled ^ (rolled >>> 15);
    mixed = Math.imul(mixed, 0x2c1b3c6d);
    mixed ^= mixed >>> 12;
    mixed = Math.imul(mixed, 0x297a2d39);
    mixed = (mixed ^ (mixed >>> 15)) >>> 0;
    if (count >= leastLetters) {
      const least =
        mixed < before ? (mixed < beforeThat ? mixed : beforeThat) : before < beforeThat ? before : beforeThat;
      if (least !== last) prints.add(least);
      last = least;
    }
    beforeThat = before;
    before = mixed;
  }
}
