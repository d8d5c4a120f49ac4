// Votes on rulesets: one per account and ruleset. Knows no ruleset.
import type { RulesetVotesTable } from '../../schema/rules.ts';
import { countOf } from '../../sqlite/keyset-page.ts';
import { DuplicateError } from '../../store-errors.ts';
import { isDuplicate, isOneOf, type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';
import { type RecordOf, recordOf } from '../table-record.ts';

export type RulesetVoteRecord = RecordOf<RulesetVotesTable>;

export class RulesetVoteRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** @throws DuplicateError where this account has voted on it before */
  async insert(
    this: RulesetVoteRepository<WriteHandle>,
    { rulesetId, accountId, kind }: Pick<RulesetVoteRecord, 'rulesetId' | 'accountId' | 'kind'>,
  ): Promise<void> {
    try {
      await this.database
        .insertInto('ruleset_votes')
        .values({ ruleset_id: rulesetId, account_id: accountId, kind, created_at: this.clock() })
        .execute();
    } catch (error) {
      if (isDuplicate(error)) throw new DuplicateError(`Account ${accountId} has voted on ruleset ${rulesetId}`);
      throw error;
    }
  }

  /** The vote of an account on a ruleset, null where it has not voted. */
  async find(rulesetId: number, accountId: number): Promise<RulesetVoteRecord | null> {
    const row = await this.database
      .selectFrom('ruleset_votes')
      .selectAll()
      .where('ruleset_id', '=', rulesetId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** Newest first. */
  async list(rulesetId: number, { offset, limit }: { offset: number; limit: number }): Promise<RulesetVoteRecord[]> {
    const rows = await this.database
      .selectFrom('ruleset_votes')
      .selectAll()
      .where('ruleset_id', '=', rulesetId)
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute();
    return rows.map(recordOf);
  }

  /** How many accounts have voted on a ruleset. */
  async count(rulesetId: number): Promise<number> {
    return countOf(this.database.selectFrom('ruleset_votes').where('ruleset_id', '=', rulesetId));
  }

  /** Positive minus negative votes, by ruleset; one without votes is left out. */
  async ratings(rulesetIds: readonly number[]): Promise<Map<number, number>> {
    const rows = await this.database
      .selectFrom('ruleset_votes')
      .select((row) => [
        'ruleset_id',
        row.fn.sum<number>(row.case().when('kind', '=', 'positive').then(1).else(-1).end()).as('rating'),
      ])
      .where(isOneOf('ruleset_id', rulesetIds))
      .groupBy('ruleset_id')
      .execute();
    return new Map(rows.map((row) => [row.ruleset_id, row.rating]));
  }
}
