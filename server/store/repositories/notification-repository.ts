// What analysts were told of. Knows neither what makes a notification nor the records that it names.
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database, NotificationsTable } from '../schema.ts';
import { type KeysetRequest, keysetPage } from '../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export interface NotificationRecord {
  id: number;
  /** Whom it tells. */
  accountId: number;
  type: string;
  isRead: boolean;
  apkId: number | null;
  rulesetId: number | null;
  matchId: number | null;
  commentId: number | null;
  /** Who did what it tells of. */
  analystId: number | null;
  jobId: number | null;
  createdAt: number;
}

export type NewNotification = Pick<NotificationRecord, 'accountId' | 'type'> &
  Partial<Pick<NotificationRecord, 'apkId' | 'rulesetId' | 'matchId' | 'commentId' | 'analystId' | 'jobId'>>;

export interface NotificationFilter {
  accountId: number;
  types?: readonly string[] | undefined;
  isRead?: boolean | undefined;
}

export interface NotificationPage {
  notifications: NotificationRecord[];
  hasOlder: boolean;
  hasNewer: boolean;
}

function toRecord(row: Selectable<NotificationsTable>): NotificationRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    type: row.type,
    isRead: row.is_read === 1,
    apkId: row.apk_id,
    rulesetId: row.ruleset_id,
    matchId: row.match_id,
    commentId: row.comment_id,
    analystId: row.analyst_id,
    jobId: row.job_id,
    createdAt: row.created_at,
  };
}

export class NotificationRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Stores a notification that is not read yet. */
  async insert(this: NotificationRepository<WriteHandle>, notification: NewNotification): Promise<NotificationRecord> {
    const row = await this.database
      .insertInto('notifications')
      .values({
        account_id: notification.accountId,
        type: notification.type,
        apk_id: notification.apkId ?? null,
        ruleset_id: notification.rulesetId ?? null,
        match_id: notification.matchId ?? null,
        comment_id: notification.commentId ?? null,
        analyst_id: notification.analystId ?? null,
        job_id: notification.jobId ?? null,
        created_at: this.clock(),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRecord(row);
  }

  /** Newest first. */
  async page({ accountId, types, isRead, ...request }: NotificationFilter & KeysetRequest): Promise<NotificationPage> {
    const { rows, hasOlder, hasNewer } = await keysetPage(request, ({ direction, beyond, limit }) => {
      let query = this.#filtered({ accountId, types, isRead })
        .selectAll('notifications')
        .orderBy('notifications.id', direction)
        .limit(limit);
      if (beyond !== null) query = query.where('notifications.id', direction === 'asc' ? '>' : '<', beyond);
      return query.execute();
    });
    return { notifications: rows.map(toRecord), hasOlder, hasNewer };
  }

  /** How many notifications the filter lets through. */
  async count(filter: NotificationFilter): Promise<number> {
    const { count } = await this.#filtered(filter)
      .select((all) => all.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** null where there is none, or it tells another account, or of a ruleset that this account may no longer see. */
  async find(id: number, accountId: number): Promise<NotificationRecord | null> {
    const row = await this.#filtered({ accountId })
      .selectAll('notifications')
      .where('notifications.id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Marks a notification as read or unread. */
  async setRead(this: NotificationRepository<WriteHandle>, id: number, isRead: boolean): Promise<void> {
    await this.database
      .updateTable('notifications')
      .set({ is_read: Number(isRead) })
      .where('id', '=', id)
      .execute();
  }

  /** Marks every notification of an account as read. */
  async markAllRead(this: NotificationRepository<WriteHandle>, accountId: number): Promise<void> {
    await this.database
      .updateTable('notifications')
      .set({ is_read: 1 })
      .where('account_id', '=', accountId)
      .where('is_read', '=', sql.lit(0))
      .execute();
  }

  #filtered({ accountId, types, isRead }: NotificationFilter): SelectQueryBuilder<Database, 'notifications', object> {
    let query = this.database
      .selectFrom('notifications')
      .where('notifications.account_id', '=', accountId)
      .where((all) =>
        all.or([
          all('notifications.ruleset_id', 'is', null),
          all.exists(
            all
              .selectFrom('rulesets')
              .select('rulesets.id')
              .whereRef('rulesets.id', '=', 'notifications.ruleset_id')
              .where((inner) =>
                inner.or([inner('rulesets.is_public', '=', 1), inner('rulesets.author_id', '=', accountId)]),
              ),
          ),
        ]),
      );
    if (types !== undefined) query = query.where('notifications.type', 'in', types);
    // As a literal, so that the index of what is unread serves it.
    if (isRead !== undefined) query = query.where('notifications.is_read', '=', sql.lit(Number(isRead)));
    return query;
  }
}
