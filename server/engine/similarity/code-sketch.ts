// What an app's own code does, as a sketch that renaming, reordering and repackaging leave alone. Knows no other app.
// MinHash with bands: Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, chapter 3.
import { type CodeSketch, hashBytes, maxSketchHashes, sketchBands } from '../../contract/engine/code-sketch.ts';
import type { CodeRun } from '../formats/dex/code-scan.ts';
import type { Dex } from '../formats/dex/dex.ts';
import { DexMethodHashes } from './dex-method-hashes.ts';
import type { KnownMethods } from './known-methods.ts';
import { mixed } from './method-words.ts';

/** Of all code, methods of every so many lengths are looked at: libraries are most of it. */
const sampledLengths = 4;
const maxMethods = 1_000_000;
/** Minimal hashes in each band: two APKs with half of their code in common agree in a band of two in a quarter of all cases. */
const bandRows = 2;

/** So many methods that no version of a library has are not that library's, whatever their package is called. */
const tellingMethods = 8;

/** Methods that stand in a package of a known library. */
interface NamedPackage {
  readonly unknown: number[];
  known: number;
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

/** The sketch of an app with these methods. @param all hashes of library code too */
export function sketchOf(own: ReadonlySet<number>, all: ReadonlySet<number>): CodeSketch {
  const hashes = Uint32Array.from(own).sort();
  const kept = Buffer.alloc(Math.min(hashes.length, maxSketchHashes) * hashBytes);
  for (let at = 0; at < kept.length; at += hashBytes) kept.writeUInt32BE(hashes[at / hashBytes]!, at);
  const bands = hashes.length === 0 ? [] : [...bandsOf(hashes, 0), ...bandsOf(all, sketchBands)];
  return { methods: hashes.length, hashes: kept, bands };
}

/**
 * Makes the sketch of an app's code, which it is told of method by method: hashes of what is no known library's, and bands of
 * that and of all code. A method is a library's where the table has its hash. One that the table lacks, as those of other
 * versions, is a library's where its package is one of a library and has methods of the table, too. Where an obfuscator
 * renamed libraries that the table lacks, all is own code, and the bands of all code are what the app has in common with itself.
 */
export class CodeSketcher {
  readonly #known: KnownMethods;
  readonly #own = new Set<number>();
  readonly #all = new Set<number>();
  /** By path; null where no library has it. */
  readonly #packages = new Map<string, NamedPackage | null>();

  constructor(known: KnownMethods) {
    this.#known = known;
  }

  /** What is to be told of a dex file's code. */
  reader(dex: Dex): CodeRun {
    const hashes = new DexMethodHashes(dex);
    let lastClass = -1;
    let named: NamedPackage | null = null;
    return (classIndex, units, start, end) => {
      if (classIndex !== lastClass) {
        lastClass = classIndex;
        named = this.#packageOf(dex, classIndex);
      }
      const isSampled = (end - start) % sampledLengths === 0;
      if ((named !== null && !isSampled) || this.#all.size >= maxMethods) return;
      const hash = hashes.hashOf(units, start, end);
      if (hash === null) return;
      if (isSampled) this.#all.add(hash);
      const isKnown = this.#known.has(hash);
      if (named === null && !isKnown) this.#own.add(hash);
      else if (isKnown && named !== null) named.known++;
      else if (named !== null) named.unknown.push(hash);
    };
  }

  #packageOf(dex: Dex, classIndex: number): NamedPackage | null {
    const name = dex.className(classIndex);
    const path = name.slice(1, Math.max(1, name.lastIndexOf('/')));
    let named = this.#packages.get(path);
    if (named === undefined) {
      named = this.#known.hasPackage(path) ? { unknown: [], known: 0 } : null;
      this.#packages.set(path, named);
    }
    return named;
  }

  sketch(): CodeSketch {
    for (const named of this.#packages.values())
      if (named?.known === 0 && named.unknown.length >= tellingMethods)
        for (const hash of named.unknown) this.#own.add(hash);
    return sketchOf(this.#own, this.#all);
  }
}
