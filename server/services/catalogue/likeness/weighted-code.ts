// The code of an app with what each method says, and how much of it two apps have in common. Knows no APK.
import { tellingMethods } from '../../../contract/engine/code-sketch.ts';
import type { CodeSketchRecord } from '../../../store/repositories/code-sketch-repository.ts';
import { hashesIn } from './hash-list.ts';

type Sketch = Pick<CodeSketchRecord, 'methods' | 'hashes' | 'coreMethods' | 'coreHashes'>;

export interface CodeLikeness {
  /** How much is the same, 0 to 1. */
  share: number;
  /** How surely both are made of one, 0 to 1: from one half on, by pairs of which that is known, hardly any are strangers. */
  score: number;
  /** Methods of the first that the second has, estimated where a sketch does not hold all. */
  shared: number;
}

/** An app whose core has fewer methods is a shell around a framework; fewer in common may be chance. */
const tellingCore = 4;
/** Share of either core found in the other app from which both are one app: optimizers leave at least this much. */
const usualCoreShare = 0.25;
/** Lower share from which they surely are, however much else was rewritten or added. */
const tellingCoreShare = 0.1;
/** Where they are, a quarter of all code scores a half: the power of what is alike. */
const ofRewritten = 0.5;
/** Factor where the cores have nothing in common: unrelated apps with the same library stay below one half. */
const leftOfStrangers = 0.45;

/** The smallest hashes of methods, ascending, and how much it says of each that two apps have it. */
class WeightedHashes {
  readonly values: Uint32Array;
  readonly weights: Float32Array;
  /** Hashes up to this value are complete. */
  readonly upTo: number;

  constructor(hashes: Uint32Array, methods: number, weightOf: (hash: number) => number) {
    this.values = hashes;
    this.weights = new Float32Array(hashes.length);
    for (let at = 0; at < hashes.length; at++) this.weights[at] = weightOf(hashes[at]!);
    this.upTo = methods > hashes.length ? (hashes.at(-1) ?? 0) : Number.POSITIVE_INFINITY;
  }

  get bytes(): number {
    return this.values.byteLength + this.weights.byteLength;
  }

  /** Puts a mark beside each of some hashes, ascending, that is among these. */
  mark(hashes: Uint32Array, marks: Uint8Array): void {
    const { values } = this;
    let at = 0;
    for (let place = 0; place < hashes.length; place++) {
      while (at < values.length && values[at]! < hashes[place]!) at++;
      if (values[at] === hashes[place]) marks[place] = 1;
    }
  }
}

export class WeightedCode {
  /** Different methods of its own. */
  readonly methods: number;
  readonly #own: WeightedHashes;
  /** Null where the manifest does not say where own code is. */
  readonly #core: WeightedHashes | null;

  /**
   * @param weightOf how much it says that two apps have a method in common, 0 to 1
   * @param most of its hashes that are looked at: fewer tell sooner, and less exactly
   */
  constructor(
    { methods, hashes, coreMethods, coreHashes }: Sketch,
    weightOf: (hash: number) => number,
    most = Number.POSITIVE_INFINITY,
  ) {
    this.methods = methods;
    this.#own = new WeightedHashes(hashesIn(hashes, most), methods, weightOf);
    this.#core = coreMethods === null ? null : new WeightedHashes(hashesIn(coreHashes, most), coreMethods, weightOf);
  }

  get bytes(): number {
    return this.#own.bytes + (this.#core?.bytes ?? 0);
  }

  /**
   * How much of both apps' code is the same: the cosine of both sets, and, at twice its weight, how much of the smaller is in
   * the larger, for one that was packed with a library or shrunk is still the same app; less where nothing of what is surely
   * own code is the same. Of large apps it is estimated from the range of hashes that both sketches have whole.
   */
  likeness(other: WeightedCode): CodeLikeness {
    const end = Math.min(this.#own.upTo, other.#own.upTo);
    const [{ values, weights }, { values: otherValues, weights: otherWeights }] = [this.#own, other.#own];
    let [first, second, both] = [0, 0, 0];
    let [at, otherAt, common] = [0, 0, 0];
    for (;;) {
      const hash = at < values.length ? values[at]! : Number.POSITIVE_INFINITY;
      const otherHash = otherAt < otherValues.length ? otherValues[otherAt]! : Number.POSITIVE_INFINITY;
      const least = Math.min(hash, otherHash);
      if (least > end || least === Number.POSITIVE_INFINITY) break;
      if (hash === otherHash) {
        common++;
        both += weights[at]!;
      }
      if (hash === least) first += weights[at++]!;
      if (otherHash === least) second += otherWeights[otherAt++]!;
    }
    if (both === 0) return { share: 0, score: 0, shared: 0 };
    const cosine = both / Math.sqrt(first * second);
    const contained = both / Math.min(first, second);
    const alike = ((cosine + 2 * contained) / 3) * Math.min(1, common / tellingMethods);
    return {
      ...this.#judgedByCores(alike, other),
      shared: Math.round((common / at) * this.methods),
    };
  }

  /** What it says that so much is alike, by how much of the cores is. */
  #judgedByCores(alike: number, other: WeightedCode): Pick<CodeLikeness, 'share' | 'score'> {
    if (this.#core === null && other.#core === null) return { share: alike, score: alike };
    const [one, another] = [this.#coreIn(other), other.#coreIn(this)];
    const { share, common } = one.share > another.share ? one : another;
    const agreed = (least: number) => Math.min(1, share / least, common / tellingCore);
    const left = (agreement: number) => leftOfStrangers + (1 - leftOfStrangers) * agreement;
    const telling = agreed(tellingCoreShare);
    return { share: alike * left(agreed(usualCoreShare)), score: alike ** (1 - telling * ofRewritten) * left(telling) };
  }

  /** How much of its core another app has, and how many methods of it. */
  #coreIn(other: WeightedCode): { share: number; common: number } {
    if (this.#core === null || this.#core.values.length < tellingCore) return { share: 0, common: 0 };
    const { values, weights } = this.#core;
    const marks = new Uint8Array(values.length);
    other.#own.mark(values, marks);
    other.#core?.mark(values, marks);
    const end = Math.max(other.#own.upTo, other.#core?.upTo ?? 0);
    let [all, shared, common] = [0, 0, 0];
    for (let at = 0; at < values.length && values[at]! <= end; at++) {
      all += weights[at]!;
      if (marks[at] === 1) {
        shared += weights[at]!;
        common++;
      }
    }
    return { share: all === 0 ? 0 : shared / all, common };
  }
}
