// Votes of analysts on APKs. Knows nothing of what votes lead to.
import type { Selectable } from 'kysely';
import type { VotesTable } from '../schema.ts';
import { type KeysetPage, type KeysetRequest, keysetPage } from '../sqlite/keyset-page.ts';
import { DuplicateError } from '../store-errors.ts';
import { isDuplicate, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export type VoteKind = VotesTable['kind'];

export interface VoteRecord {
  id: number;
  apkId: number;
  accountId: number;
  kind: VoteKind;
  createdAt: number;
}

export interface VoteFilter {
  apkId?: number | undefined;
  accountId?: number | undefined;
}

function toRecord(row: Selectable<VotesTable>): VoteRecord {
  return { id: row.id, apkId: row.apk_id, accountId: row.account_id, kind: row.kind, createdAt: row.created_at };
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
      return toRecord(row);
    } catch (error) {
      if (isDuplicate(error)) throw new DuplicateError('This account has voted on this APK already');
      throw error;
    }
  }

  /** Votes on an APK or by an account, newest first. */
  async page({ apkId, accountId, ...request }: VoteFilter & KeysetRequest): Promise<KeysetPage<VoteRecord>> {
    const { rows, ...ends } = await keysetPage(request, ({ direction, beyond, limit }) => {
      let query = this.database.selectFrom('votes').selectAll().orderBy('id', direction).limit(limit);
      if (apkId !== undefined) query = query.where('apk_id', '=', apkId);
      if (accountId !== undefined) query = query.where('account_id', '=', accountId);
      if (beyond !== null) query = query.where('id', direction === 'asc' ? '>' : '<', beyond);
      return query.execute();
    });
    return { ...ends, rows: rows.map(toRecord) };
  }
}
