// A table of known libraries: hashes of their methods, whatever their classes are called, and the packages that they are in.
// Knows no file.
import { textWord } from './method-words.ts';

const headerWords = 2;

/** Whether a sorted list has a value. The values are hashes: where one stands is told by its size, nearly. */
function includes(sorted: Uint32Array, value: number): boolean {
  let first = 0;
  let last = sorted.length - 1;
  while (first <= last) {
    const low = sorted[first]!;
    const high = sorted[last]!;
    if (value < low || value > high) return false;
    const at = high === low ? first : first + Math.floor(((value - low) / (high - low)) * (last - first));
    const found = sorted[at]!;
    if (found === value) return true;
    if (found < value) first = at + 1;
    else last = at - 1;
  }
  return false;
}

const packageWord = (path: string): number => textWord(Buffer.from(path), 0, Buffer.byteLength(path)) >>> 0;

export class KnownMethods {
  readonly #methods: Uint32Array;
  readonly #packages: Uint32Array;

  constructor(methods: Uint32Array, packages: Uint32Array) {
    this.#methods = methods;
    this.#packages = packages;
  }

  /** @param words as `packKnownMethods` wrote them */
  static unpack(words: Uint32Array): KnownMethods {
    const [methods = 0, packages = 0] = words;
    const end = headerWords + methods;
    return new KnownMethods(words.subarray(headerWords, end), words.subarray(end, end + packages));
  }

  get size(): number {
    return this.#methods.length;
  }

  has(hash: number): boolean {
    return includes(this.#methods, hash);
  }

  /** Whether a library has this package. @param path `androidx/core/view` */
  hasPackage(path: string): boolean {
    return includes(this.#packages, packageWord(path));
  }
}

/** The table as it is kept: how many methods and packages there are, then the hashes of each, ascending. */
export function packKnownMethods(methods: Iterable<number>, packages: Iterable<string>): Uint32Array {
  const hashes = Uint32Array.from(new Set(methods)).sort();
  const words = Uint32Array.from(new Set(Array.from(packages, packageWord))).sort();
  return Uint32Array.from([hashes.length, words.length, ...hashes, ...words]);
}
