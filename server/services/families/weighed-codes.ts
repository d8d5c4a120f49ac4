// The code of APKs with what each method says, read once for all that compare it. Knows no family.
import type { CodeSketchRepository } from '../../store/repositories/code-sketch-repository.ts';
import { WeightedCode } from '../catalogue/likeness/weighted-code.ts';
import type { CodeCache } from './code-cache.ts';

interface SketchReads {
  codeSketches: Pick<CodeSketchRepository, 'findAll'>;
}

export class WeighedCodes {
  readonly #reads: SketchReads;
  readonly #weightOf: (hash: number) => number;
  readonly #cache: CodeCache;

  constructor(reads: SketchReads, weightOf: (hash: number) => number, cache: CodeCache) {
    this.#reads = reads;
    this.#weightOf = weightOf;
    this.#cache = cache;
  }

  /** Those of these APKs whose code was read, by id. */
  async of(ids: readonly number[]): Promise<Map<number, WeightedCode>> {
    const codes = new Map<number, WeightedCode>();
    const missing = ids.filter((id) => {
      const code = this.#cache.get(id);
      if (code !== undefined) codes.set(id, code);
      return code === undefined;
    });
    if (missing.length === 0) return codes;
    for (const sketch of await this.#reads.codeSketches.findAll(missing)) {
      const code = new WeightedCode(sketch, this.#weightOf);
      codes.set(sketch.apkId, code);
      this.#cache.keep(sketch.apkId, code);
    }
    return codes;
  }
}
