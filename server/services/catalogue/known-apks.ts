// What lists of known files and signers say of the catalogue's APKs: looked up when asked, so that a new list holds for all.
import type { Known } from '../../contract/catalogue/known.ts';
import { KnownLists } from '../../store/files/known-lists.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { Store } from '../../store/store.ts';

export class KnownApks {
  readonly #store: Store;
  readonly #lists: KnownLists;

  constructor(store: Store) {
    this.#store = store;
    this.#lists = new KnownLists(store.dataDir);
  }

  /** Every list that has the file or its signer, by the lists' names. */
  async of({ sha256, sha1, md5, signerId }: ApkRecord): Promise<Known[]> {
    if (this.#lists.all().size === 0) return [];
    const signer = signerId === null ? undefined : (await this.#store.statistics.signers([signerId])).get(signerId);
    return this.#lists.find([sha256, sha1, md5], signer?.sha256 ?? null);
  }
}
