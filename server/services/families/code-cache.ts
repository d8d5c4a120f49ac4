// Code of APKs that was read lately, so that it is weighed once. Knows no store.
import type { WeightedCode } from '../catalogue/likeness/weighted-code.ts';

const maxCachedBytes = 64 * 1024 ** 2;

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

  /** Forgets everything, as after the weights of methods have changed. */
  clear(): void {
    this.#byId.clear();
    this.#bytes = 0;
  }
}
