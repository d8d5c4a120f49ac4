// Limits of the API groups and what accounts used of them. Knows nothing of windows beyond their start.
import { type Kysely, sql } from 'kysely';
import type { RepositoryContext } from './repository-context.ts';
import type { Database } from './schema.ts';

export interface GroupLimit {
  apiGroup: string;
  name: string;
  amount: number;
  unit: 'day' | 'min';
}

export class LimitRepository {
  readonly #database: Kysely<Database>;

  constructor({ database }: RepositoryContext) {
    this.#database = database;
  }

  async groupLimits(): Promise<GroupLimit[]> {
    const rows = await this.#database
      .selectFrom('group_limits')
      .selectAll()
      .orderBy('api_group')
      .orderBy('name')
      .execute();
    return rows.map(({ api_group: apiGroup, name, amount, unit }) => ({ apiGroup, name, amount, unit }));
  }

  async setGroupLimit({ apiGroup, name, amount, unit }: GroupLimit): Promise<void> {
    await this.#database
      .insertInto('group_limits')
      .values({ api_group: apiGroup, name, amount, unit })
      .onConflict((conflict) => conflict.columns(['api_group', 'name']).doUpdateSet({ amount, unit }))
      .execute();
  }

  /** Adds to the use of a limit within the window that began at `windowStart` (microseconds). @returns the new sum */
  async consume(accountId: number, name: string, windowStart: number, amount: number): Promise<number> {
    const { used } = await this.#database
      .insertInto('limit_usage')
      .values({ account_id: accountId, name, window_start: windowStart, used: amount })
      .onConflict((conflict) =>
        conflict
          .columns(['account_id', 'name', 'window_start'])
          .doUpdateSet({ used: sql<number>`limit_usage.used + ${amount}` }),
      )
      .returning('used')
      .executeTakeFirstOrThrow();
    return used;
  }

  async used(accountId: number, name: string, windowStart: number): Promise<number> {
    const row = await this.#database
      .selectFrom('limit_usage')
      .select('used')
      .where('account_id', '=', accountId)
      .where('name', '=', name)
      .where('window_start', '=', windowStart)
      .executeTakeFirst();
    return row?.used ?? 0;
  }

  /** Forgets windows that began before this time. */
  async removeBefore(windowStart: number): Promise<void> {
    await this.#database.deleteFrom('limit_usage').where('window_start', '<', windowStart).execute();
  }
}
