// What analysts think of rulesets: one vote per account and ruleset. Knows no ruleset.
import type { Selectable } from 'kysely';
import type { RulesetVotesTable } from '../schema.ts';
import { DuplicateError } from '../store-errors.ts';
import { isDuplicate, isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export interface RulesetVoteRecord {
  id: number;
  rulesetId: number;
  accountId: number;
  kind: 'positive' | 'negative';
  createdAt: number;
}

function toRecord(row: Selectable<RulesetVotesTable>): RulesetVoteRecord {
  return {
    id: row.id,
    rulesetId: row.ruleset_id,
    accountId: row.account_id,
    kind: row.kind,
    createdAt: row.created_at,
  };
}

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
    return row === undefined ? null : toRecord(row);
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
    return rows.map(toRecord);
  }

  /** How many accounts have voted on a ruleset. */
  async count(rulesetId: number): Promise<number> {
    const { count } = await this.database
      .selectFrom('ruleset_votes')
      .select((all) => all.fn.countAll<number>().as('count'))
      .where('ruleset_id', '=', rulesetId)
      .executeTakeFirstOrThrow();
    return count;
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
