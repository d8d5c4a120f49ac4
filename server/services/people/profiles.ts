// Analysts among each other: who follows whom, and what their profiles count. Knows nothing of HTTP.
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { FollowPage, FollowSide } from '../../store/repositories/people/follow-repository.ts';
import type { Store } from '../../store/store.ts';
import type { EventBus } from '../event-bus.ts';
import { FieldFailure } from '../failure.ts';

/** What a profile shows beside the account itself. */
export interface ProfileTotals {
  publicRulesets: number;
  /** Private ones too. */
  rulesets: number;
  followers: number;
  following: number;
  comments: number;
}

export interface Profile {
  account: AccountRecord;
  totals: ProfileTotals;
}

export class Profiles {
  readonly #store: Store;
  readonly #events: EventBus;

  constructor(store: Store, events: EventBus) {
    this.#store = store;
    this.#events = events;
  }

  /** Of these accounts, in their order. */
  async of(accounts: readonly AccountRecord[]): Promise<Profile[]> {
    const ids = accounts.map(({ id }) => id);
    const [follows, written] = [await this.#store.follows.counts(ids), await this.#store.accounts.countWritten(ids)];
    return accounts.map((account) => ({
      account,
      totals: {
        ...{ followers: 0, following: 0, ...follows.get(account.id) },
        ...{ publicRulesets: 0, rulesets: 0, comments: 0, ...written.get(account.id) },
      },
    }));
  }

  /** The profile of one account. */
  async ofOne(account: AccountRecord): Promise<Profile> {
    return (await this.of([account]))[0]!;
  }

  /** One page of those who follow an analyst, or whom he follows, the latest first. */
  async list(side: FollowSide, account: AccountRecord, page: FollowPage) {
    const { onlyId } = page;
    const count =
      onlyId === undefined
        ? (await this.ofOne(account)).totals[side]
        : (await this.#store.follows.list(side, account.id, { offset: 0, limit: 1, onlyId })).length;
    const ids = await this.#store.follows.list(side, account.id, page);
    const accounts = await this.#store.accounts.findByIds(ids);
    const found = ids.flatMap((id) => accounts.get(id) ?? []);
    return { count, profiles: await this.of(found) };
  }

  /** One page of what an analyst did, as far as the reader may see it, the newest first. */
  async activity(account: AccountRecord, reader: AccountRecord, page: { offset: number; limit: number }) {
    const records = await this.#store.activity.list(account.id, reader.id, page);
    const comments = await this.#store.comments.findByIds(records.flatMap(({ commentId }) => commentId ?? []));
    return { count: await this.#store.activity.count(account.id, reader.id), records, comments };
  }

  /** One page of what everybody did, as `activity` shows it. An installation has as many analysts as a team. */
  async everybodysActivity(reader: AccountRecord, page: { offset: number; limit: number }) {
    const accounts = await this.#store.accounts.list({ offset: 0, limit: await this.#store.accounts.count() });
    const ids = accounts.map(({ id }) => id);
    return this.#activityOf(ids, reader, page);
  }

  /** One page of what those did whom an analyst follows. */
  async followedActivity(account: AccountRecord, reader: AccountRecord, page: { offset: number; limit: number }) {
    const ids = await this.#store.follows.list('following', account.id, {
      offset: 0,
      limit: await this.#store.accounts.count(),
    });
    return this.#activityOf(ids, reader, page);
  }

  async #activityOf(
    ids: readonly number[],
    reader: AccountRecord,
    { offset, limit }: { offset: number; limit: number },
  ) {
    let count = 0;
    for (const id of ids) count += await this.#store.activity.count(id, reader.id);
    // For a page after the last one nothing is read.
    const first = { offset: 0, limit: offset < count ? offset + limit : 0 };
    const records = [];
    for (const id of ids) records.push(...(await this.#store.activity.list(id, reader.id, first)));
    const page = records.toSorted((one, other) => other.createdAt - one.createdAt).slice(offset, offset + limit);
    const comments = await this.#store.comments.findByIds(page.flatMap(({ commentId }) => commentId ?? []));
    return { count, records: page, comments };
  }

  /** Does nothing where he follows already. @throws FieldFailure for oneself */
  async follow(follower: AccountRecord, followed: AccountRecord): Promise<void> {
    if (follower.id === followed.id) throw new FieldFailure({ username: ['You cannot follow yourself.'] });
    await this.#store.transaction(async (inside) => {
      if (!(await inside.follows.add(follower.id, followed.id))) return;
      await this.#events.happened({ name: 'followed', followerId: follower.id, followedId: followed.id }, inside);
    });
  }

  /** Does nothing where he does not follow. @throws FieldFailure for oneself */
  async unfollow(follower: AccountRecord, followed: AccountRecord): Promise<void> {
    if (follower.id === followed.id) throw new FieldFailure({ username: ['You cannot unfollow yourself.'] });
    await this.#store.transaction(({ follows }) => follows.remove(follower.id, followed.id));
  }
}
