// Tokens, of which only the hash of the secret is kept. Knows nothing of HTTP.
import { createHash } from 'node:crypto';
import type { TokensTable } from '../../schema/people.ts';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { type RecordOf, recordOf } from '../table-record.ts';

/** All but the secret. */
const columns = ['id', 'account_id', 'kind', 'name', 'created_at', 'expires_at', 'last_used_at'] as const;
export type TokenRecord = RecordOf<Pick<TokensTable, (typeof columns)[number]>>;

export type NewToken = Pick<TokenRecord, 'accountId' | 'kind' | 'name'> & {
  /** The secret as the client will send it; only its SHA-256 is stored. */
  secret: string;
  expiresAt?: number | null;
};

/** Shortest interval between updates, microseconds: a write for every request would cost more than the request. */
const touchIntervalMicroseconds = 60_000_000;

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();

export class TokenRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Stores a token by the hash of its secret. */
  async insert(
    this: TokenRepository<WriteHandle>,
    { accountId, kind, name, secret, expiresAt = null }: NewToken,
  ): Promise<TokenRecord> {
    const row = await this.database
      .insertInto('tokens')
      .values({
        account_id: accountId,
        kind,
        name,
        secret_sha256: hashOf(secret),
        created_at: this.clock(),
        expires_at: expiresAt,
        last_used_at: null,
      })
      .returning(columns)
      .executeTakeFirstOrThrow();
    return recordOf(row);
  }

  /** The token with this secret, null where there is none or it has expired. */
  async findBySecret(secret: string): Promise<TokenRecord | null> {
    const row = await this.database
      .selectFrom('tokens')
      .select(columns)
      .where('secret_sha256', '=', hashOf(secret))
      .executeTakeFirst();
    if (row === undefined || (row.expires_at !== null && row.expires_at <= this.clock())) return null;
    return recordOf(row);
  }

  /** Newest first. */
  async listByAccount(accountId: number, kind?: TokenRecord['kind']): Promise<TokenRecord[]> {
    let query = this.database
      .selectFrom('tokens')
      .select(columns)
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc');
    if (kind !== undefined) query = query.where('kind', '=', kind);
    return (await query.execute()).map(recordOf);
  }

  /** Records the use; at most once a minute for a token. */
  async touch(this: TokenRepository<WriteHandle>, token: TokenRecord): Promise<void> {
    const now = this.clock();
    if (token.lastUsedAt !== null && Math.abs(now - token.lastUsedAt) < touchIntervalMicroseconds) return;
    await this.database.updateTable('tokens').set({ last_used_at: now }).where('id', '=', token.id).execute();
  }

  /** Revokes one token of this account. @returns whether it was there */
  async remove(this: TokenRepository<WriteHandle>, id: number, accountId: number): Promise<boolean> {
    const result = await this.database
      .deleteFrom('tokens')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  /** Revokes all tokens of an account. @returns how many there were */
  async removeByAccount(this: TokenRepository<WriteHandle>, accountId: number): Promise<number> {
    const result = await this.database.deleteFrom('tokens').where('account_id', '=', accountId).executeTakeFirst();
    return Number(result.numDeletedRows);
  }

  /** Deletes sessions that were last used before a time. @param before microseconds since 1970 UTC */
  async removeIdleSessions(this: TokenRepository<WriteHandle>, before: number): Promise<void> {
    await this.database
      .deleteFrom('tokens')
      .where('kind', '=', 'session')
      .where(({ fn }) => fn.coalesce('last_used_at', 'created_at'), '<', before)
      .execute();
  }

  /** Deletes tokens that expired before a time, microseconds. @returns how many */
  async removeExpired(this: TokenRepository<WriteHandle>, now: number): Promise<number> {
    const result = await this.database.deleteFrom('tokens').where('expires_at', '<=', now).executeTakeFirst();
    return Number(result.numDeletedRows);
  }
}
