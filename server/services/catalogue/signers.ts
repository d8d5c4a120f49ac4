// Signers and whether they are trusted. Knows nothing of HTTP; who may decide is in policies.
import type { CountedSigner } from '../../store/repositories/signer-repository.ts';
import type { DescribedSigner } from '../../store/repositories/statistics-repository.ts';
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';
import type { KnownApks } from './known-apks.ts';

export type { CountedSigner };

/** What is said of a signer; absent: unchanged, unless the other says so. */
export interface SignerChanges {
  isTrusted?: boolean | undefined;
  isBad?: boolean | undefined;
}

export class Signers {
  readonly #store: Store;
  readonly #knownApks: KnownApks;

  constructor(store: Store, knownApks: KnownApks) {
    this.#store = store;
    this.#knownApks = knownApks;
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
   * Trusts a signer or calls it bad, or does so no longer. With its trust all its APKs are marked alike; each can be marked
   * otherwise afterwards.
   * @throws Failure `not-found` where no APK in the catalogue is signed so
   */
  async judge(sha256: string, { isTrusted, isBad }: SignerChanges): Promise<CountedSigner> {
    return this.#store.transaction(async (inside) => {
      const signer = await inside.signers.findBySha256(sha256);
      if (signer === null) throw new Failure('not-found');
      const judged = {
        isTrusted: isTrusted ?? (signer.isTrusted && isBad !== true),
        isBad: isBad ?? (signer.isBad && isTrusted !== true),
      };
      await inside.signers.judge(signer.id, judged);
      if (isTrusted !== undefined || judged.isTrusted !== signer.isTrusted)
        await inside.signers.markApks(signer.id, judged.isTrusted);
      await this.#knownApks.noteSigner(inside, signer.id);
      return { ...signer, ...judged };
    });
  }
}
