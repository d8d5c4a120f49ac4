// Who follows whom. Knows nothing of activities.
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';

export interface FollowCounts {
  followers: number;
  following: number;
}

/** Columns by direction: the followers of an account, or the accounts that it follows. */
const sides = {
  followers: { of: 'followed_id', shown: 'follower_id' },
  following: { of: 'follower_id', shown: 'followed_id' },
} as const;
export type FollowSide = keyof typeof sides;

export interface FollowPage {
  offset: number;
  limit: number;
  /** Only this follower, or this followed account. */
  onlyId?: number | undefined;
}

export class FollowRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** @returns whether that is new */
  async add(this: FollowRepository<WriteHandle>, followerId: number, followedId: number): Promise<boolean> {
    const result = await this.database
      .insertInto('follows')
      .values({ follower_id: followerId, followed_id: followedId, created_at: this.clock() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Has one account follow another no longer. */
  async remove(this: FollowRepository<WriteHandle>, followerId: number, followedId: number): Promise<void> {
    await this.database
      .deleteFrom('follows')
      .where('follower_id', '=', followerId)
      .where('followed_id', '=', followedId)
      .execute();
  }

  /** Followers of an account, or the accounts that it follows, the latest first. */
  async list(side: FollowSide, accountId: number, { offset, limit, onlyId }: FollowPage): Promise<number[]> {
    const { of, shown } = sides[side];
    let query = this.database
      .selectFrom('follows')
      .select(`${shown} as account_id`)
      .where(of, '=', accountId)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset);
    if (onlyId !== undefined) query = query.where(shown, '=', onlyId);
    const rows = await query.execute();
    return rows.map((row) => row.account_id);
  }

  /** Numbers of followers and followed accounts, by account; accounts without either are left out. */
  async counts(accountIds: readonly number[]): Promise<Map<number, FollowCounts>> {
    const counts = new Map<number, FollowCounts>();
    for (const side of ['followers', 'following'] as const) {
      const { of } = sides[side];
      const rows = await this.database
        .selectFrom('follows')
        .select((all) => [`${of} as account_id`, all.fn.countAll<number>().as('count')])
        .where(isOneOf(of, accountIds))
        .groupBy(of)
        .execute();
      for (const { account_id: id, count } of rows) {
        counts.set(id, { ...(counts.get(id) ?? { followers: 0, following: 0 }), [side]: count });
      }
    }
    return counts;
  }
}
