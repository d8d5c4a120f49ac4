// How much it says that two apps have a file or a symbol of a native library in common: little where many packages have it.
// Knows no app's files.
import type { Store } from '../../../store/store.ts';
import { PackageCounts } from '../method-weights.ts';
import { hashesIn } from './hash-list.ts';

/** The most APKs that are counted to tell how common a file is, spread over the whole catalogue. */
const maxApks = 10_000;
const step = 250;
/** They are counted again when the catalogue has grown by a tenth, and by at least this many APKs. */
const minGrowth = 20;

export class FileWeights {
  readonly #store: Store;
  #counts = new PackageCounts();
  /** The last APK when they were counted. */
  #lastId = Number.NEGATIVE_INFINITY;
  #counting: Promise<void> | null = null;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The weight of each hash, 0 to 1, as far as the catalogue tells now. */
  async current(): Promise<(hash: number) => number> {
    const lastId = await this.#store.fingerprints.lastApkId();
    if (lastId > this.#lastId * 1.1 + minGrowth || this.#lastId < 0) {
      this.#counting ??= this.#count(lastId).finally(() => {
        this.#counting = null;
      });
      await this.#counting;
    }
    return this.#counts.weights();
  }

  async #count(lastId: number): Promise<void> {
    const counts = new PackageCounts();
    const stride = Math.max(1, lastId / maxApks);
    for (let from = 0; from < lastId / stride; from += step) {
      const ids = Array.from({ length: step }, (_, index) => Math.floor((from + index + 1) * stride));
      for (const { packageName, hashes } of await this.#store.fingerprints.ofPackages(ids))
        counts.add(packageName, hashesIn(hashes));
    }
    this.#counts = counts;
    this.#lastId = lastId;
  }
}
