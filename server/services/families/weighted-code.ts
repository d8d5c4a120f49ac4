// The code of an app with what each method says, and how much of it two apps have in common. Knows no APK.
import { hashBytes } from '../../contract/engine/code-sketch.ts';
import type { CodeSketchRecord } from '../../store/repositories/code-sketch-repository.ts';

/** Fewer methods that are the same say little by themselves. */
export const tellingMethods = 8;

export class WeightedCode {
  /** Different methods of its own. */
  readonly methods: number;
  /** The smallest hashes, ascending, and their weights. */
  readonly hashes: Uint32Array;
  readonly weights: Float32Array;
  /** Up to which value it has all hashes. */
  readonly upTo: number;

  /** @param weightOf how much it says that two apps have a method in common, 0 to 1 */
  constructor({ methods, hashes }: Pick<CodeSketchRecord, 'methods' | 'hashes'>, weightOf: (hash: number) => number) {
    this.methods = methods;
    this.hashes = Uint32Array.from({ length: hashes.length / hashBytes }, (_, at) =>
      hashes.readUInt32BE(at * hashBytes),
    );
    this.weights = Float32Array.from(this.hashes, weightOf);
    this.upTo = methods > this.hashes.length ? this.hashes.at(-1)! : Number.POSITIVE_INFINITY;
  }

  get bytes(): number {
    return this.hashes.byteLength + this.weights.byteLength;
  }

  /**
   * How much of both apps' code is the same, 0 to 1: at two thirds the cosine of both sets, else how much of the smaller is in
   * the larger, for one that was packed with a library or shrunk is still the same app. More for the latter would join
   * strangers of which one is little but a library that the other carries. Of large apps it is estimated from the range of
   * hashes that both sketches have whole.
   */
  likeness(other: WeightedCode): number {
    const end = Math.min(this.upTo, other.upTo);
    const sums = { first: 0, second: 0, both: 0 };
    let common = 0;
    let [at, otherAt] = [0, 0];
    const [{ hashes, weights }, { hashes: otherHashes, weights: otherWeights }] = [this, other];
    for (;;) {
      const hash = at < hashes.length ? hashes[at]! : Number.POSITIVE_INFINITY;
      const otherHash = otherAt < otherHashes.length ? otherHashes[otherAt]! : Number.POSITIVE_INFINITY;
      const least = Math.min(hash, otherHash);
      if (least > end || least === Number.POSITIVE_INFINITY) break;
      if (hash === otherHash) {
        common++;
        sums.both += weights[at]!;
      }
      if (hash === least) sums.first += weights[at++]!;
      if (otherHash === least) sums.second += otherWeights[otherAt++]!;
    }
    if (sums.first === 0 || sums.second === 0) return 0;
    const cosine = sums.both / Math.sqrt(sums.first * sums.second);
    const contained = sums.both / Math.min(sums.first, sums.second);
    return ((2 * cosine + contained) / 3) * Math.min(1, common / tellingMethods);
  }
}

/** Code that was read lately. */
export class CodeCache {
  readonly #byId = new Map<number, WeightedCode>();
  #bytes = 0;

  /** Whether an APK's code is here. */
  has = (id: number): boolean => this.#byId.has(id);
  /** The code of an APK, where it is here. */
  get = (id: number): WeightedCode | undefined => this.#byId.get(id);

  /** Keeps an APK's code, and forgets the oldest where all take more than `maxCachedBytes`. */
  keep(id: number, code: WeightedCode): void {
    this.forget(id);
    this.#byId.set(id, code);
    this.#bytes += code.bytes;
    for (const [oldest] of this.#byId) {
      if (this.#bytes <= maxCachedBytes) return;
      this.forget(oldest);
    }
  }

  /** Forgets an APK's code, which was read anew or is gone. */
  forget(id: number): void {
    this.#bytes -= this.#byId.get(id)?.bytes ?? 0;
    this.#byId.delete(id);
  }

  /** Forgets all, as where methods weigh otherwise than they did. */
  clear(): void {
    this.#byId.clear();
    this.#bytes = 0;
  }
}

const maxCachedBytes = 64 * 1024 ** 2;
