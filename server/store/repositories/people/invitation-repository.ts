// Links that open an account once. Knows nothing of how a link looks.
import { createHash } from 'node:crypto';
import type { InvitationsTable } from '../../schema/people.ts';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { type RecordOf, recordOf } from '../table-record.ts';

/** All but the secret. */
const columns = ['id', 'account_id', 'created_at', 'expires_at', 'used_at'] as const;
export type InvitationRecord = RecordOf<Pick<InvitationsTable, (typeof columns)[number]>>;

const hashOf = (code: string): Buffer => createHash('sha256').update(code).digest();

export class InvitationRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** @param code of which only the hash is stored */
  async insert(
    this: InvitationRepository<WriteHandle>,
    accountId: number,
    code: string,
    expiresAt: number,
  ): Promise<InvitationRecord> {
    const row = await this.database
      .insertInto('invitations')
      .values({ account_id: accountId, code_sha256: hashOf(code), created_at: this.clock(), expires_at: expiresAt })
      .returning(columns)
      .executeTakeFirstOrThrow();
    return recordOf(row);
  }

  /** Newest first. */
  async list(): Promise<InvitationRecord[]> {
    return (await this.database.selectFrom('invitations').select(columns).orderBy('id', 'desc').execute()).map(
      recordOf,
    );
  }

  /** @returns the account that it opens; null where it was used, has expired or never existed */
  async find(code: string): Promise<number | null> {
    const row = await this.database
      .selectFrom('invitations')
      .select('account_id')
      .where('code_sha256', '=', hashOf(code))
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.clock())
      .executeTakeFirst();
    return row?.account_id ?? null;
  }

  /** Uses up an invitation. @returns the account that it opens; null where it was used, has expired or never existed */
  async use(this: InvitationRepository<WriteHandle>, code: string): Promise<number | null> {
    const now = this.clock();
    const row = await this.database
      .updateTable('invitations')
      .set({ used_at: now })
      .where('code_sha256', '=', hashOf(code))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('account_id')
      .executeTakeFirst();
    return row?.account_id ?? null;
  }

  /** @returns whether it was there */
  async remove(this: InvitationRepository<WriteHandle>, id: number): Promise<boolean> {
    const result = await this.database.deleteFrom('invitations').where('id', '=', id).executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  /** Deletes every invitation to an account. */
  async removeByAccount(this: InvitationRepository<WriteHandle>, accountId: number): Promise<void> {
    await this.database.deleteFrom('invitations').where('account_id', '=', accountId).execute();
  }
}
