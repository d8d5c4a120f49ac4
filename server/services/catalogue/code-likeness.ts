// How alike the code of two apps is, by their sketches and by how much each method says. Knows no APK.
import { hashBytes } from '../../contract/engine/code-sketch.ts';
import type { CodeSketchRecord } from '../../store/repositories/code-sketch-repository.ts';

type Sketch = Pick<CodeSketchRecord, 'methods' | 'hashes'>;

export interface CodeLikeness {
  /** 0 to 1 */
  score: number;
  /** Methods of the first that the second has, estimated where a sketch does not hold all. */
  shared: number;
}

/** Fewer methods that are the same say little by themselves. */
const tellingMethods = 8;

/** Up to which value a sketch has all hashes. */
const upTo = ({ methods, hashes }: Sketch): number =>
  methods * hashBytes <= hashes.length ? Number.POSITIVE_INFINITY : hashes.readUInt32BE(hashes.length - hashBytes);

/** Compares one app with others. */
export class ComparedCode {
  readonly #sketch: Sketch;
  readonly #upTo: number;
  readonly #weightOf: (hash: number) => number;
  /** Weights by hash. */
  readonly #weights = new Map<number, number>();

  /** @param weightOf how much it says that two apps have a method in common, 0 to 1 */
  constructor(sketch: Sketch, weightOf: (hash: number) => number) {
    this.#sketch = sketch;
    this.#upTo = upTo(sketch);
    this.#weightOf = weightOf;
    const { hashes } = sketch;
    for (let at = 0; at < hashes.length; at += hashBytes) {
      const hash = hashes.readUInt32BE(at);
      this.#weights.set(hash, weightOf(hash));
    }
  }

  /**
   * How much of both apps' code is the same: the cosine of both sets, and, at twice its weight, how much of the smaller is in
   * the larger, for one that was packed with a library or shrunk is still the same app. Of large apps it is estimated from
   * the range of hashes that both sketches have whole.
   */
  with(other: Sketch): CodeLikeness {
    const end = Math.min(this.#upTo, upTo(other));
    const sums = { first: 0, second: 0, both: 0 };
    let seen = 0;
    let common = 0;
    for (const [hash, weight] of this.#weights) {
      if (hash > end) continue;
      seen++;
      sums.first += weight;
    }
    const { hashes } = other;
    for (let at = 0; at < hashes.length; at += hashBytes) {
      const hash = hashes.readUInt32BE(at);
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
    return {
      score: ((cosine + 2 * contained) / 3) * Math.min(1, common / tellingMethods),
      shared: Math.round((common / seen) * this.#sketch.methods),
    };
  }
}
