// Second factors of accounts and the hashes of their recovery codes. Knows neither secrets in clear nor what a code is.
import type { Selectable } from 'kysely';
import type { SecondFactorsTable } from '../../schema/people.ts';
import { countOf } from '../../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';

export type SecondFactorRecord = Selectable<SecondFactorsTable>;

export class SecondFactorRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The second factor of an account, null where it has none. */
  async find(accountId: number): Promise<SecondFactorRecord | null> {
    const row = await this.database
      .selectFrom('second_factors')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Confirmed second factors, the oldest account first. */
  listConfirmed(): Promise<SecondFactorRecord[]> {
    return this.database
      .selectFrom('second_factors')
      .selectAll()
      .where('confirmed_at', 'is not', null)
      .orderBy('account_id')
      .execute();
  }

  /** Stores an unconfirmed secret, replacing another such. @returns false where there is a confirmed one */
  async begin(this: SecondFactorRepository<WriteHandle>, accountId: number, secret: Uint8Array): Promise<boolean> {
    const result = await this.database
      .insertInto('second_factors')
      .values({ account_id: accountId, secret, created_at: this.clock(), confirmed_at: null, last_step: 0 })
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .doUpdateSet(({ ref }) => ({ secret: ref('excluded.secret'), created_at: ref('excluded.created_at') }))
          .where('second_factors.confirmed_at', 'is', null),
      )
      .executeTakeFirst();
    return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
  }

  /** Confirms the second factor: log-ins ask for it from now on. */
  async confirm(this: SecondFactorRepository<WriteHandle>, accountId: number): Promise<void> {
    await this.database
      .updateTable('second_factors')
      .set({ confirmed_at: this.clock() })
      .where('account_id', '=', accountId)
      .execute();
  }

  /** Uses up the codes until this time step. @returns false where they had been used up */
  async spendStep(this: SecondFactorRepository<WriteHandle>, accountId: number, step: number): Promise<boolean> {
    const result = await this.database
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('account_id', '=', accountId)
      .where('last_step', '<', step)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** @returns whether there was one, confirmed or not */
  async remove(this: SecondFactorRepository<WriteHandle>, accountId: number): Promise<boolean> {
    await this.database.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
    const result = await this.database
      .deleteFrom('second_factors')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }

  /** Replaces all recovery codes. */
  async setRecoveryCodes(
    this: SecondFactorRepository<WriteHandle>,
    accountId: number,
    hashes: readonly Uint8Array[],
  ): Promise<void> {
    await this.database.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute();
    const rows = hashes.map((code_sha256) => ({ account_id: accountId, code_sha256, used_at: null }));
    await this.database.insertInto('recovery_codes').values(rows).execute();
  }

  /** Uses up a recovery code. @returns false where there is no such code, or it was used */
  async spendRecoveryCode(
    this: SecondFactorRepository<WriteHandle>,
    accountId: number,
    hash: Uint8Array,
  ): Promise<boolean> {
    const result = await this.database
      .updateTable('recovery_codes')
      .set({ used_at: this.clock() })
      .where('account_id', '=', accountId)
      .where('code_sha256', '=', hash)
      .where('used_at', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  }

  /** How many recovery codes an account has left. */
  async countRecoveryCodes(accountId: number): Promise<number> {
    return countOf(
      this.database.selectFrom('recovery_codes').where('account_id', '=', accountId).where('used_at', 'is', null),
    );
  }
}
