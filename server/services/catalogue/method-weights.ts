// How much it says that two apps have a method in common: little where it is common in the catalogue, nothing where people
// imported it as a library's. Knows no app's code.
import type { Store } from '../../store/store.ts';
import type { Happening } from '../event-bus.ts';
import { hashesIn } from './likeness/hash-list.ts';

/** The most packages that are counted to tell how common a method is, spread over the whole catalogue. */
const maxPackages = 10_000;
/** APKs that are read at a time. */
const step = 250;
/** By the low bits of a hash: what two methods share of a counter is taken off as noise. */
const counters = 2 ** 23;
const counterOf = counters - 1;
const mostCounted = 0xffff;
/** A method found in this many packages, or in one of a hundred, weighs half: more than the copies of one app have package names. */
const usualPackages = 8;
const usualShare = 0.01;

/** APKs that came since they were last asked for; those of a large import are told by what others show. */
const maxWaiting = 10_000;

/** In how many packages each method is, of a sample of the catalogue; 16 MB. An app counts once, however often it is there. */
export class PackageCounts {
  readonly #counts = new Uint16Array(counters);
  readonly #packages = new Set<string>();
  /** By how often a method was counted. */
  readonly #weights = new Float32Array(mostCounted + 1);
  #isWeighed = false;
  #counted = 0;

  get size(): number {
    return this.#packages.size;
  }

  /** Counts the methods of a package that was not counted yet, as far as there is room. @param hashes each once */
  add(packageName: string, hashes: Uint32Array): void {
    if (packageName === '' || this.#packages.has(packageName) || this.#packages.size >= maxPackages) return;
    this.#packages.add(packageName);
    this.#counted += hashes.length;
    this.#isWeighed = false;
    const counts = this.#counts;
    for (const hash of hashes) if (counts[hash & counterOf]! < mostCounted) counts[hash & counterOf]!++;
  }

  /** The weight of each hash as far as it is counted now, 0 to 1. */
  weights(): (hash: number) => number {
    const weights = this.#weights;
    if (!this.#isWeighed) {
      const [noise, usual] = [this.#counted / counters, usualPackages + this.size * usualShare];
      for (let count = 0; count <= mostCounted; count++)
        weights[count] = 1 / (1 + (Math.max(0, count - noise) / usual) ** 2);
      this.#isWeighed = true;
    }
    const counts = this.#counts;
    return (hash) => weights[counts[hash & counterOf]!]!;
  }
}

export class MethodWeights {
  readonly #store: Pick<Store, 'codeSketches' | 'libraries'>;
  readonly #counts = new PackageCounts();
  #isLearnt: Promise<void> | null = null;
  readonly #waiting = new Set<number>();
  #libraries: { version: string; methods: ReadonlySet<number> } = { version: '', methods: new Set() };

  constructor(store: Pick<Store, 'codeSketches' | 'libraries'>) {
    this.#store = store;
  }

  /** How many packages tell how common methods are, and which libraries people imported, as of when it was last asked. */
  get knowledge(): { packages: number; libraries: string } {
    return { packages: this.#counts.size, libraries: this.#libraries.version };
  }

  /** Notes whose code was read, to be counted when weights are next asked for. */
  readonly followHappening = async (happening: Happening): Promise<void> => {
    if (happening.name !== 'evidence_changed') return;
    for (const id of happening.apkIds) if (this.#waiting.size < maxWaiting) this.#waiting.add(id);
  };

  /** The weight of each method, 0 to 1, as far as the catalogue tells now. */
  async current(): Promise<(hash: number) => number> {
    this.#isLearnt ??= this.#learn();
    await this.#isLearnt;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (let from = 0; from < waiting.length; from += step) await this.#count(waiting.slice(from, from + step));
    const { methods } = await this.#currentLibraries();
    const weightOf = this.#counts.weights();
    return methods.size === 0 ? weightOf : (hash) => (methods.has(hash) ? 0 : weightOf(hash));
  }

  async #learn(): Promise<void> {
    const lastId = await this.#store.codeSketches.lastApkId();
    const stride = Math.max(1, lastId / (maxPackages * 2));
    for (let from = 0; from < lastId / stride && this.#counts.size < maxPackages; from += step) {
      const ids = Array.from({ length: step }, (_, index) => Math.floor((from + index + 1) * stride));
      await this.#count(ids);
    }
  }

  async #count(ids: readonly number[]): Promise<void> {
    for (const sketch of await this.#store.codeSketches.ofPackages(ids))
      this.#counts.add(sketch.packageName, hashesIn(sketch.hashes));
  }

  async #currentLibraries() {
    const version = await this.#store.libraries.version();
    if (version !== this.#libraries.version)
      this.#libraries = { version, methods: new Set(await this.#store.libraries.allMethods()) };
    return this.#libraries;
  }
}
