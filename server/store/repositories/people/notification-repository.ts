// Notifications of analysts. Knows neither their causes nor the records that they name.
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../../schema/database.ts';
import type { NotificationsTable } from '../../schema/people.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { type RecordOf, recordOf } from '../table-record.ts';

export type NotificationRecord = RecordOf<NotificationsTable>;

export type NewNotification = Pick<NotificationRecord, 'accountId' | 'type'> &
  Partial<Pick<NotificationRecord, 'apkId' | 'rulesetId' | 'matchId' | 'commentId' | 'analystId' | 'jobId'>>;

export interface NotificationFilter {
  accountId: number;
  types?: readonly string[] | undefined;
  isRead?: boolean | undefined;
}

export class NotificationRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Stores an unread notification. */
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
    return recordOf(row);
  }

  /** Newest first. */
  async page({
    accountId,
    types,
    isRead,
    ...request
  }: NotificationFilter & KeysetRequest): Promise<KeysetPage<NotificationRecord>> {
    return pageOf(
      this.#filtered({ accountId, types, isRead }).selectAll('notifications'),
      request,
      'notifications.id',
      recordOf,
    );
  }

  /** How many notifications the filter lets through. */
  async count(filter: NotificationFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** null where there is none, it is another account's, or it is about a ruleset that this account may no longer see. */
  async find(id: number, accountId: number): Promise<NotificationRecord | null> {
    const row = await this.#filtered({ accountId })
      .selectAll('notifications')
      .where('notifications.id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
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
