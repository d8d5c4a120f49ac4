// What an app's own code does, as a sketch that renaming, reordering and repackaging leave alone. Knows no other app.
// MinHash with bands: Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, chapter 3.
import { type CodeSketch, hashBytes, maxSketchHashes, sketchBands } from '../../contract/engine/code-sketch.ts';
import type { CodeRun } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { DexMethodHashes } from './dex-method-hashes.ts';
import { mixed } from './method-words.ts';

/** Of all code, methods of every so many lengths are looked at: libraries are most of it. */
const sampledLengths = 4;
const maxMethods = 1_000_000;
/** Minimal hashes in each band: two APKs with half of their code in common agree in a band of two in a quarter of all cases. */
const bandRows = 2;

/** Whose code an app's is. */
interface OwnClasses {
  readonly dexes: readonly Dex[];
  /** Whether a type, by its index, is outside known libraries. */
  isOwn(dex: Dex, type: number): boolean;
}

/**
 * Minima of one permutation: Li, Owen, Zhang, One Permutation Hashing, 2012.
 * @param first the number of the first band
 */
function bandsOf(hashes: Iterable<number>, first: number): number[] {
  const minima = new Float64Array(sketchBands * bandRows).fill(Infinity);
  for (const hash of hashes) {
    const spread = mixed(hash ^ 0x9e3779b9) >>> 0;
    const row = spread % minima.length;
    if (spread < minima[row]!) minima[row] = spread;
  }
  if (minima.every((least) => least === Infinity)) return [];
  const rows = Uint32Array.from(minima, (own, row) => {
    let least = own;
    // A row that got no hash takes that of the next one that did.
    for (let away = 1; least === Infinity; away++) least = minima[(row + away) % minima.length]! + away;
    return least;
  });
  return Array.from({ length: sketchBands }, (_, band) => {
    const [one = 0, other = 0] = rows.subarray(band * bandRows, (band + 1) * bandRows);
    return (first + band) * 2 ** 32 + (mixed(mixed(one) ^ Math.imul(other, 31)) >>> 0);
  });
}

/**
 * Makes the sketch of an app's code, which it is told of method by method: hashes of what is outside of known libraries, and
 * bands of that and of all code. Where an obfuscator renamed libraries, too, all is own code, and the bands of all code are
 * what the app has in common with itself.
 */
export class CodeSketcher {
  readonly #classes: OwnClasses;
  readonly #own = new Set<number>();
  readonly #all = new Set<number>();
  #hasOwnClass = false;

  constructor(classes: OwnClasses) {
    this.#classes = classes;
  }

  /** What is to be told of a dex file's code. */
  reader(dex: Dex): CodeRun {
    const hashes = new DexMethodHashes(dex);
    let lastClass = -1;
    let isOwn = false;
    return (classIndex, units, start, end) => {
      if (classIndex !== lastClass) {
        lastClass = classIndex;
        isOwn = this.#classes.isOwn(dex, dex.classDefs[classIndex * 8]!);
        this.#hasOwnClass ||= isOwn;
      }
      const isSampled = (end - start) % sampledLengths === 0;
      if ((!isOwn && !isSampled) || this.#all.size >= maxMethods) return;
      const hash = hashes.hashOf(units, start, end);
      if (hash === null) return;
      if (isSampled) this.#all.add(hash);
      if (isOwn) this.#own.add(hash);
    };
  }

  sketch(): CodeSketch {
    // A copy under another name of an app whose company also publishes libraries has the names of these alone.
    const own = this.#hasOwnClass ? this.#own : this.#all;
    const hashes = Uint32Array.from(own).sort();
    const kept = Buffer.alloc(Math.min(hashes.length, maxSketchHashes) * hashBytes);
    for (let at = 0; at < kept.length; at += hashBytes) kept.writeUInt32BE(hashes[at / hashBytes]!, at);
    const bands = own.size === 0 ? [] : [...bandsOf(own, 0), ...bandsOf(this.#all, sketchBands)];
    return { methods: own.size, hashes: kept, bands };
  }
}
