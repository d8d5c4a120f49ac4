// How alike the code of two apps is, by their sketches and by how much each method says. Knows no APK.
import { hashBytes } from '../../contract/engine/code-sketch.ts';
import type { CodeSketchRecord } from '../../store/repositories/code-sketch-repository.ts';

type Sketch = Pick<CodeSketchRecord, 'methods' | 'hashes' | 'coreMethods' | 'coreHashes'>;

export interface CodeLikeness {
  /** 0 to 1 */
  score: number;
  /** Methods of the first that the second has, estimated where a sketch does not hold all. */
  shared: number;
}

/** Fewer methods that are the same say little by themselves. */
const tellingMethods = 8;
/** Fewer methods in an app's core make it a shell around a framework. */
const tellingCore = 4;
/** So much of either core that the other app has shows that both are one app: optimizers leave as much as they can. */
const usualCoreShare = 0.25;
/** What is left of a score where the cores have nothing in common: strangers with the same library stay below the half. */
const leftOfStrangers = 0.45;

/** Hashes of a sketch, and up to which value it has all of them. */
interface Hashes {
  readonly values: ReadonlySet<number>;
  readonly upTo: number;
}

function opened(hashes: Buffer, methods: number): Hashes {
  const values = new Set<number>();
  for (let at = 0; at < hashes.length; at += hashBytes) values.add(hashes.readUInt32BE(at));
  const isWhole = methods * hashBytes <= hashes.length;
  return { values, upTo: isWhole ? Number.POSITIVE_INFINITY : hashes.readUInt32BE(hashes.length - hashBytes) };
}

class OpenedSketch {
  readonly own: Hashes;
  /** Null where the manifest does not say where own code is. */
  readonly core: Hashes | null;

  constructor({ methods, hashes, coreMethods, coreHashes }: Sketch) {
    this.own = opened(hashes, methods);
    this.core = coreMethods === null ? null : opened(coreHashes, coreMethods);
  }

  has(hash: number): boolean {
    return this.own.values.has(hash) || this.core?.values.has(hash) === true;
  }
}

/** Compares one app with others. */
export class ComparedCode {
  readonly #methods: number;
  readonly #sketch: OpenedSketch;
  readonly #weightOf: (hash: number) => number;
  /** Weights by hash. */
  readonly #weights = new Map<number, number>();

  /** @param weightOf how much it says that two apps have a method in common, 0 to 1 */
  constructor(sketch: Sketch, weightOf: (hash: number) => number) {
    this.#methods = sketch.methods;
    this.#sketch = new OpenedSketch(sketch);
    this.#weightOf = weightOf;
    for (const hash of this.#sketch.own.values) this.#weights.set(hash, weightOf(hash));
  }

  /**
   * How much of both apps' code is the same: the cosine of both sets, and, at twice its weight, how much of the smaller is in
   * the larger, for one that was packed with a library or shrunk is still the same app; less where nothing of what is surely
   * own code is the same. Of large apps it is estimated from the range of hashes that both sketches have whole.
   */
  with(record: Sketch): CodeLikeness {
    const other = new OpenedSketch(record);
    const end = Math.min(this.#sketch.own.upTo, other.own.upTo);
    const sums = { first: 0, second: 0, both: 0 };
    let seen = 0;
    let common = 0;
    for (const [hash, weight] of this.#weights) {
      if (hash > end) continue;
      seen++;
      sums.first += weight;
    }
    for (const hash of other.own.values) {
      if (hash > end) break;
      const weight = this.#weights.get(hash);
      sums.second += weight ?? this.#weightOf(hash);
      if (weight === undefined) continue;
      common++;
      sums.both += weight;
    }
    if (sums.first === 0 || sums.second === 0) return { score: 0, shared: 0 };
    const cosine = sums.both / Math.sqrt(sums.first * sums.second);
    const contained = sums.both / Math.min(sums.first, sums.second);
    const evidence = Math.min(1, common / tellingMethods) * this.#ofCores(other);
    return {
      score: ((cosine + 2 * contained) / 3) * evidence,
      shared: Math.round((common / seen) * this.#methods),
    };
  }

  /** What is left of a score by what the cores tell. */
  #ofCores(other: OpenedSketch): number {
    const first = this.#sketch;
    if (first.core === null && other.core === null) return 1;
    const share = Math.max(this.#coreShare(first, other), this.#coreShare(other, first));
    return leftOfStrangers + (1 - leftOfStrangers) * Math.min(1, share / usualCoreShare);
  }

  /** How much of an app's core another has. */
  #coreShare({ core }: OpenedSketch, other: OpenedSketch): number {
    if (core === null || core.values.size < tellingCore) return 0;
    const end = Math.max(other.own.upTo, other.core?.upTo ?? 0);
    let all = 0;
    let shared = 0;
    for (const hash of core.values) {
      if (hash > end) break;
      const weight = this.#weightOf(hash);
      all += weight;
      if (other.has(hash)) shared += weight;
    }
    return all === 0 ? 0 : shared / all;
  }
}
