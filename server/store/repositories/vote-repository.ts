// Votes of analysts on APKs. Knows nothing of their effects.
import type { VotesTable } from '../schema/triage.ts';
import { type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { DuplicateError } from '../store-errors.ts';
import { isDuplicate, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export type VoteKind = VotesTable['kind'];

export type VoteRecord = RecordOf<VotesTable>;

export interface VoteFilter {
  apkId?: number | undefined;
  accountId?: number | undefined;
}

export class VoteRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** @throws DuplicateError where this account has voted on this APK already */
  async insert(
    this: VoteRepository<WriteHandle>,
    { apkId, accountId, kind }: Pick<VoteRecord, 'apkId' | 'accountId' | 'kind'>,
  ): Promise<VoteRecord> {
    try {
      const row = await this.database
        .insertInto('votes')
        .values({ apk_id: apkId, account_id: accountId, kind, created_at: this.clock() })
        .returningAll()
        .executeTakeFirstOrThrow();
      return recordOf(row);
    } catch (error) {
      if (isDuplicate(error)) throw new DuplicateError('This account has voted on this APK already');
      throw error;
    }
  }

  /** Votes on an APK or by an account, newest first. */
  async page({ apkId, accountId, ...request }: VoteFilter & KeysetRequest): Promise<KeysetPage<VoteRecord>> {
    let query = this.database.selectFrom('votes').selectAll();
    if (apkId !== undefined) query = query.where('apk_id', '=', apkId);
    if (accountId !== undefined) query = query.where('account_id', '=', accountId);
    return pageOf(query, request, 'id', recordOf);
  }
}
