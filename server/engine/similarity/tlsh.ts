// TLSH digests, identical to what the tool `tlsh` prints. Knows nothing of APKs.
//
// The algorithm: J. Oliver, C. Cheng, Y. Chen, "TLSH - A Locality Sensitive Hash", 2013, https://tlsh.org/papers.html. A window
// of five bytes goes over the file; at each place six triples of its bytes are counted in 128 buckets. The digest tells in
// which quarter of all each bucket lies, behind a checksum, the logarithm of the length and the ratios of the quartiles.
import { readFileSync } from 'node:fs';

/** A permutation of all bytes: P. Pearson, "Fast hashing of variable-length text strings", 1990. */
const permutation = Uint8Array.from(
  Buffer.from(
    'AVcxDLCyZqZ5wQZU+eYsow7F1bWhVdpQQO8Y4uyOJshusWhnjf3/Mk1lURItYB/eGWu+Rlbt8CJI8hTW9OOV62HqORY8+lKv0AV/x28+h/iuqdM6Qppqw/WrEbu2' +
      'swDzhDiUS4CFnmSCflsNmfbY23dE305TWMljegtcIIhyNAqKHjC3nCM9Go9K+16Boj+Yqgdzp/HOA5Y3O5fcWjUXg32tD+5PX1kQaYnh4NmgJXt2SQKdLnQJkYbk' +
      'z9TK10XlG7xDfKj8KgQdbBX3E80ny+koupPGwJshpL9izKW0dUyMJNKsKTafCLnoccTnL5J4M0EckP7dXb3Ci3ArR2240Q==',
    'base64',
  ),
);
/** TLSH takes as long for each byte as some four percent of a static report: larger files are found by what else they are. */
export const maxTlshBytes = 4 * 1024 * 1024;
const buckets = 128;
const minLength = 50;
const window = 5;

/** What the loop over bytes needs and keeps, by its place in memory: see `resources/tlsh.wat`. */
const places = { permutation: 0, salted: 256, counts: 2048, last: 3072, checksum: 3076, bytes: 4096 } as const;
const salts = [0, 2, 3, 5, 7, 11, 13];
/** Bytes that go into its memory at a time. */
const maxBytes = 64 * 1024;

interface Loop {
  readonly memory: WebAssembly.Memory;
  /** Counts what is in so many bytes. */
  update(length: number): void;
}

let compiled: WebAssembly.Module | null = null;
/** A loop whose digest is made: a memory of its own for each digest costs more than a small file. */
let spare: Loop | null = null;

function newLoop(): Loop {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('../../../resources/tlsh.wasm', import.meta.url)));
  const loop = new WebAssembly.Instance(compiled).exports as unknown as Loop;
  const memory = new Uint8Array(loop.memory.buffer);
  memory.set(permutation, places.permutation);
  for (const [at, salt] of salts.entries()) {
    const hashes = permutation.map((_, byte) => permutation[permutation[salt]! ^ byte]!);
    memory.set(hashes, places.salted + at * hashes.length);
  }
  return loop;
}

/** Makes the digest of bytes that come piece by piece. */
export class TlshHasher {
  readonly #loop: Loop;
  readonly #memory: Uint8Array;
  #length = 0;

  constructor() {
    this.#loop = spare ?? newLoop();
    spare = null;
    this.#memory = new Uint8Array(this.#loop.memory.buffer);
    this.#memory.fill(0, places.counts, places.bytes);
  }

  update(bytes: Uint8Array): void {
    let at = 0;
    // Nothing is counted before the window is full.
    for (; at < bytes.length && this.#length < window - 1; at++, this.#length++) {
      this.#memory.copyWithin(places.last + 1, places.last, places.last + window - 2);
      this.#memory[places.last] = bytes[at]!;
    }
    for (; at < bytes.length; at += maxBytes) {
      const part = bytes.subarray(at, at + maxBytes);
      this.#memory.set(part, places.bytes);
      this.#loop.update(part.length);
      this.#length += part.length;
    }
  }

  /** How often each bucket was met. */
  #counts(): Uint32Array {
    const counts = new Uint32Array(256);
    const beforeLast = new Uint32Array(this.#loop.memory.buffer, places.counts, counts.length);
    for (const [hash, count] of beforeLast.entries()) counts[permutation[hash]!] = count;
    return counts.subarray(0, buckets);
  }

  /** 70 upper-case hex digits; null where the bytes are too few or too much the same. Ends the hasher. */
  digest(): string | null {
    const counts = this.#counts();
    spare = this.#loop;
    const used = counts.reduce((sum, count) => sum + Number(count > 0), 0);
    if (this.#length < minLength || used <= buckets / 2) return null;
    const sorted = counts.toSorted();
    const [first, second, third] = [1, 2, 3].map((quarter) => sorted[(buckets / 4) * quarter - 1]!) as [
      ...[number, number, number],
    ];
    const ratio = (quartile: number) => Math.floor(Math.fround((quartile * 100) / third)) % 16;
    const bytes = Buffer.alloc(3 + buckets / 4);
    bytes[0] = swapped(this.#memory[places.checksum]!);
    bytes[1] = swapped(lengthStep(this.#length));
    bytes[2] = (ratio(first) << 4) | ratio(second);
    counts.forEach((count, bucket) => {
      const quarter = Number(count > first) + Number(count > second) + Number(count > third);
      bytes[bytes.length - 1 - (bucket >>> 2)]! |= quarter << ((bucket & 3) * 2);
    });
    return bytes.toString('hex').toUpperCase();
  }
}

const swapped = (byte: number): number => ((byte & 0xf) << 4) | (byte >>> 4);

/** The logarithm of a length, to the base of 1.5, 1.3 and 1.1 as it grows. */
function lengthStep(length: number): number {
  if (length <= 656) return Math.floor(Math.log(length) / 0.405_465_1);
  if (length <= 3199) return Math.floor(Math.log(length) / 0.262_364_26 - 8.727_77);
  return Math.floor(Math.log(length) / 0.095_310_18 - 62.5472) & 0xff;
}

export function tlsh(bytes: Uint8Array): string | null {
  const hasher = new TlshHasher();
  hasher.update(bytes);
  return hasher.digest();
}
