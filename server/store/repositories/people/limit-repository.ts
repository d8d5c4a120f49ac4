// Limits of the API groups and their use by accounts. Knows of a window only its start.
import { sql } from 'kysely';
import { type ReadHandle, Repository, type WriteHandle } from '../repository-context.ts';

export interface GroupLimit {
  apiGroup: string;
  name: string;
  amount: number;
  unit: 'day' | 'min';
}

/** Use of a limit by an account in the window that began at `start`, microseconds; negative: refunded. */
export interface LimitUse {
  accountId: number;
  name: string;
  start: number;
  amount: number;
}

export class LimitRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The limits of all API groups, by group and name. */
  async groupLimits(): Promise<GroupLimit[]> {
    const rows = await this.database
      .selectFrom('group_limits')
      .selectAll()
      .orderBy('api_group')
      .orderBy('name')
      .execute();
    return rows.map(({ api_group: apiGroup, name, amount, unit }) => ({ apiGroup, name, amount, unit }));
  }

  /** Sets a limit of a group. */
  async setGroupLimit(this: LimitRepository<WriteHandle>, { apiGroup, name, amount, unit }: GroupLimit): Promise<void> {
    await this.database
      .insertInto('group_limits')
      .values({ api_group: apiGroup, name, amount, unit })
      .onConflict((conflict) => conflict.columns(['api_group', 'name']).doUpdateSet({ amount, unit }))
      .execute();
  }

  /**
   * Adds to the use of limits in one write. It survives a crash of this process, perhaps not a power failure: waiting for
   * the disk would cost more than the request that is counted.
   */
  async consume(uses: readonly LimitUse[]): Promise<void> {
    const rows = JSON.stringify(uses.map(({ accountId, name, start, amount }) => [accountId, name, start, amount]));
    if (this.context.unsynced === undefined)
      throw new Error('A transaction is as lasting as what else is written in it.');
    await this.context.unsynced.connection().execute(async (connection) => {
      await sql`pragma synchronous = normal`.execute(connection);
      try {
        await sql`
          insert into limit_usage (account_id, name, window_start, used)
          select value ->> 0, value ->> 1, value ->> 2, value ->> 3 from json_each(${rows}) where true
          on conflict (account_id, name, window_start) do update set used = limit_usage.used + excluded.used
        `.execute(connection);
      } finally {
        await sql`pragma synchronous = full`.execute(connection);
      }
    });
  }

  /** Use of a limit by an account in the window that began at `windowStart`, microseconds. */
  async used(accountId: number, name: string, windowStart: number): Promise<number> {
    const row = await this.database
      .selectFrom('limit_usage')
      .select('used')
      .where('account_id', '=', accountId)
      .where('name', '=', name)
      .where('window_start', '=', windowStart)
      .executeTakeFirst();
    return row?.used ?? 0;
  }

  /** Deletes windows that began before this time. */
  async removeBefore(this: LimitRepository<WriteHandle>, windowStart: number): Promise<void> {
    await this.database.deleteFrom('limit_usage').where('window_start', '<', windowStart).execute();
  }
}
