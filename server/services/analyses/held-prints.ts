// Fingerprints that wait to be indexed, so that no file is read for them again. Those that there is no room for are forgotten.
import type { SentPrints } from '../../store/content-index/content-index.ts';

const maxBytes = 96 * 1024 ** 2;

export class HeldPrints {
  /** By row of the APK, in the order in which they came. */
  readonly #held = new Map<number, SentPrints>();
  #bytes = 0;

  /** Holds those of an APK, in place of its earlier ones. */
  put(apk: SentPrints): void {
    this.#remove(apk.id);
    this.#held.set(apk.id, apk);
    this.#bytes += apk.prints.length;
    for (const id of this.#held.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.#remove(id);
    }
  }

  /** Those of an APK as it is now, which are held no longer; null where there are none. */
  take(id: number, tag: number): Uint8Array | null {
    return this.#held.get(id)?.tag === tag ? this.#remove(id)!.prints : null;
  }

  /** Forgets all of them. */
  clear(): void {
    this.#held.clear();
    this.#bytes = 0;
  }

  #remove(id: number): SentPrints | undefined {
    const held = this.#held.get(id);
    this.#held.delete(id);
    this.#bytes -= held?.prints.length ?? 0;
    return held;
  }
}
