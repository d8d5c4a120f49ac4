// E-mails that wait to be handed to the mail server. Knows no server and no schedule.
import type { EmailsTable } from '../../schema/people.ts';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { type RecordOf, recordOf } from '../table-record.ts';

export type EmailRecord = RecordOf<EmailsTable>;

export type NewEmail = Pick<EmailRecord, 'messageId' | 'recipient' | 'subject' | 'body'> & { accountId: number };

export class EmailRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Stores an e-mail that is due at once. */
  async insert(
    this: EmailRepository<WriteHandle>,
    { accountId, messageId, recipient, subject, body }: NewEmail,
  ): Promise<void> {
    const now = this.clock();
    const times = { next_attempt_at: now, created_at: now };
    await this.database
      .insertInto('emails')
      .values({ account_id: accountId, message_id: messageId, recipient, subject, body, ...times })
      .execute();
  }

  /**
   * E-mails whose next attempt is due at this time (microseconds), the longest overdue first.
   * @param latest later attempts were scheduled while the clock was wrong, and are due too
   */
  async due(now: number, limit: number, latest: number): Promise<EmailRecord[]> {
    const rows = await this.database
      .selectFrom('emails')
      .selectAll()
      .where((row) => row.or([row('next_attempt_at', '<=', now), row('next_attempt_at', '>', latest)]))
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(recordOf);
  }

  /** When the next attempt is due, null where no e-mail is waiting. */
  async nextAttemptAt(): Promise<number | null> {
    const row = await this.database
      .selectFrom('emails')
      .select('next_attempt_at')
      .orderBy('next_attempt_at')
      .limit(1)
      .executeTakeFirst();
    return row?.next_attempt_at ?? null;
  }

  /** Records a failed attempt. */
  async postpone(
    this: EmailRepository<WriteHandle>,
    id: number,
    lastError: string,
    nextAttemptAt: number,
  ): Promise<void> {
    await this.database
      .updateTable('emails')
      .set((row) => ({
        attempts: row('attempts', '+', 1),
        last_error: lastError,
        next_attempt_at: nextAttemptAt,
      }))
      .where('id', '=', id)
      .execute();
  }

  /** Deletes an e-mail that was sent or given up. */
  async remove(this: EmailRepository<WriteHandle>, id: number): Promise<void> {
    await this.database.deleteFrom('emails').where('id', '=', id).execute();
  }
}
