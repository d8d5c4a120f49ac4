// The activities of analysts, derived from votes, comments, rulesets and follows. Has no table of its own.
import { sql } from 'kysely';
import { type ReadHandle, Repository } from '../repository-context.ts';

export const activityTypes = ['comment', 'vote', 'ruleset', 'follow', 'upload'] as const;

export interface ActivityRecord {
  type: (typeof activityTypes)[number];
  accountId: number;
  apkId: number | null;
  rulesetId: number | null;
  commentId: number | null;
  /** The account that is followed, or whose profile is commented on. */
  otherId: number | null;
  /** Whether a vote is positive. */
  kind: 'positive' | 'negative' | null;
  createdAt: number;
}

export class ActivityRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Activities of one account that another may see: private rulesets, and comments on them, are their author's alone. */
  #deeds(accountId: number, readerId: number) {
    const isVisible = sql`(rulesets.is_public = 1 or rulesets.author_id = ${readerId})`;
    return sql`
      select 'comment' as type, comments.apk_id as "apkId", comments.ruleset_id as "rulesetId", comments.id as "commentId",
        comments.profile_id as "otherId", null as kind, comments.created_at as "createdAt"
      from comments left join rulesets on rulesets.id = comments.ruleset_id
      where comments.author_id = ${accountId} and (comments.ruleset_id is null or ${isVisible})
      union all
      select 'vote', apk_id, null, null, null, kind, created_at from votes where account_id = ${accountId}
      union all
      select 'ruleset', null, id, null, null, null, created_at from rulesets
      where author_id = ${accountId} and ${isVisible}
      union all
      select 'follow', null, null, null, followed_id, null, created_at from follows where follower_id = ${accountId}
      union all
      select 'upload', id, null, null, null, null, created_at from apks where uploader_id = ${accountId}`;
  }

  /** Newest first. */
  async list(
    accountId: number,
    readerId: number,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<ActivityRecord[]> {
    const { rows } = await sql<Omit<ActivityRecord, 'accountId'>>`
      select * from (${this.#deeds(accountId, readerId)}) order by "createdAt" desc, type limit ${limit} offset ${offset}
    `.execute(this.database);
    return rows.map((row) => ({ ...row, accountId }));
  }

  /** How many activities of an account the reader may see. */
  async count(accountId: number, readerId: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (${this.#deeds(accountId, readerId)})
    `.execute(this.database);
    return rows[0]!.count;
  }
}
