// Which APKs the index of contents does not know as they are now: looked through once, then what changes is followed.
import { setImmediate } from 'node:timers/promises';
import type { ApkRecord } from '../../../store/repositories/apk-repository.ts';
import type { Store } from '../../../store/store.ts';
import type { HappeningFollower } from '../../event-bus.ts';
import type { ContentIndexing } from '../content-indexing.ts';

/** APKs that are looked up at a time. */
const pageSize = 1_000;

export class IndexFreshness {
  readonly #store: Store;
  readonly #contentIndexing: ContentIndexing;
  /** APKs that may be otherwise than the index knows them. */
  readonly #doubtful = new Set<number>();
  #isLookedThrough = false;
  #lookingThrough: Promise<void> | null = null;

  constructor(store: Store, contentIndexing: ContentIndexing) {
    this.#store = store;
    this.#contentIndexing = contentIndexing;
  }

  readonly followHappening: HappeningFollower = async (happening, inside) => {
    if (happening.name !== 'code_read' && happening.name !== 'evidence_changed') return;
    inside.afterCommit(() => {
      for (const id of happening.apkIds) this.#doubtful.add(id);
    });
  };

  /** All APKs that are not indexed as they are, and maybe some that are not indexed at all. */
  async outdated(signal: AbortSignal): Promise<ReadonlySet<number>> {
    if (!this.#isLookedThrough) {
      this.#lookingThrough ??= this.#lookThrough().finally(() => {
        this.#lookingThrough = null;
      });
      await this.#lookingThrough;
    }
    const doubtful = [...this.#doubtful];
    for (let at = 0; at < doubtful.length && !signal.aborted; at += pageSize) {
      const apks = await this.#store.apks.findByIds(doubtful.slice(at, at + pageSize));
      const outdated = await this.#outdatedOf([...apks.values()]);
      for (const id of doubtful.slice(at, at + pageSize)) if (!outdated.has(id)) this.#doubtful.delete(id);
    }
    return this.#doubtful;
  }

  async #lookThrough(): Promise<void> {
    for (let below = Number.MAX_SAFE_INTEGER; ; ) {
      const apks = await this.#store.apks.identities(below, pageSize);
      for (const id of await this.#outdatedOf(apks)) this.#doubtful.add(id);
      if (apks.length < pageSize) break;
      below = apks.at(-1)!.id;
      await setImmediate();
    }
    this.#isLookedThrough = true;
  }

  async #outdatedOf(apks: readonly Pick<ApkRecord, 'id' | 'sha256'>[]): Promise<Set<number>> {
    const tags = await this.#contentIndexing.tagsOf(apks);
    const tagged = apks.map(({ id }, index) => ({ id, tag: tags[index]! }));
    return new Set((await this.#contentIndexing.index.outdated(tagged)).map(({ id }) => id));
  }
}
