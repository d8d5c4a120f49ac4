// Signers and whether they are trusted. Knows nothing of HTTP; who may decide is in policies.
import type { CountedSigner } from '../../store/repositories/signer-repository.ts';
import type { DescribedSigner } from '../../store/repositories/statistics-repository.ts';
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';

export type { CountedSigner };

export class Signers {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Signers of most APKs first. */
  list = (isTrusted: boolean | null, page: { offset: number; limit: number }): Promise<CountedSigner[]> =>
    this.#store.signers.list(isTrusted, page);

  /** How many signers there are, of the trusted or the others alone where `isTrusted` is not null. */
  count = (isTrusted: boolean | null): Promise<number> => this.#store.signers.count(isTrusted);

  /** Those of these signers that exist, by id. */
  findByIds = (ids: readonly number[]): Promise<Map<number, DescribedSigner>> => this.#store.statistics.signers(ids);

  /** @throws Failure `not-found` where no APK in the catalogue is signed so */
  async get(sha256: string): Promise<CountedSigner> {
    const signer = await this.#store.signers.findBySha256(sha256);
    if (signer === null) throw new Failure('not-found');
    return signer;
  }

  /**
   * Trusts a signer or does so no longer, and marks all its APKs alike; each can be marked otherwise afterwards.
   * @throws Failure `not-found` where no APK in the catalogue is signed so
   */
  async setTrusted(sha256: string, isTrusted: boolean): Promise<CountedSigner> {
    const changed = await this.#store.transaction(async ({ signers }) => {
      const signer = await signers.findBySha256(sha256);
      if (signer === null) throw new Failure('not-found');
      await signers.setTrusted(signer.id, isTrusted);
      await signers.markApks(signer.id, isTrusted);
      return { ...signer, isTrusted };
    });
    return changed;
  }
}
