// Votes of analysts on APKs, and the rating that they make. Knows nothing of HTTP.

import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { VoteKind, VoteRecord } from '../../store/repositories/vote-repository.ts';
import type { KeysetPage, KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store } from '../../store/store.ts';
import { DuplicateError } from '../../store/store-errors.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import { judgeByRating } from './detections.ts';

export type { VoteKind, VoteRecord };

export class Votes {
  readonly #store: Store;
  readonly #events: EventBus;

  constructor(store: Store, events: EventBus) {
    this.#store = store;
    this.#events = events;
  }

  /**
   * Stores a vote, which is final.
   * @returns the vote, and the APK with its new rating
   * @throws Failure `voted-already`; `not-found` where the APK was deleted meanwhile
   */
  async cast(account: AccountRecord, apkId: number, kind: VoteKind): Promise<{ vote: VoteRecord; apk: ApkRecord }> {
    const cast = await this.#store.transaction(async (inside) => {
      const apk = await inside.apks.findById(apkId);
      if (apk === null) throw new Failure('not-found');
      const vote = await inside.votes.insert({ apkId, accountId: account.id, kind }).catch((error: unknown) => {
        throw error instanceof DuplicateError ? new Failure('voted-already') : error;
      });
      const rating = apk.rating + (kind === 'positive' ? 1 : -1);
      const rated = await inside.apks.update(apkId, { rating, votesCount: apk.votesCount + 1 });
      await judgeByRating(inside, rated ?? apk);
      return { vote, apk: (await inside.apks.findById(apkId)) ?? apk };
    });
    this.#events.publish({ name: 'apk_updated', apk: cast.apk });
    return cast;
  }

  /** @throws Failure `not-found` where the account has not voted on the APK */
  async get(account: AccountRecord, apkId: number): Promise<VoteRecord> {
    const { items } = await this.#store.votes.page({ apkId, accountId: account.id, limit: 1 });
    if (items[0] === undefined) throw new Failure('not-found');
    return items[0];
  }

  /** Votes on an APK, newest first. Their number is the APK's `votesCount`. */
  ofApk = (apkId: number, request: KeysetRequest): Promise<KeysetPage<VoteRecord>> =>
    this.#store.votes.page({ ...request, apkId });
}
