// The audit log: who did what, when and from where. Old records are deleted. Knows no action.
import type { Selectable } from 'kysely';
import type { AuditTable } from '../schema/workstation.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export type AuditRecord = Selectable<AuditTable>;
export type NewAuditRecord = Omit<AuditRecord, 'id' | 'at' | 'count' | 'last_at'>;

/** More than there are. */
const maxActions = 1000;

/** null: any. Times in microseconds since 1970 UTC. */
export interface AuditFilter {
  username: string | null;
  actions: readonly string[] | null;
  from: number | null;
  before: number | null;
}

export class AuditRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** @returns its id */
  async insert(this: AuditRepository<WriteHandle>, record: NewAuditRecord): Promise<number> {
    const { id } = await this.database
      .insertInto('audit')
      .values({ at: this.clock(), ...record })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Updates the number of requests that a record stands for. @param lastAt microseconds since 1970 UTC */
  async recount(this: AuditRepository<WriteHandle>, id: number, count: number, lastAt: number): Promise<void> {
    await this.database.updateTable('audit').set({ count, last_at: lastAt }).where('id', '=', id).execute();
  }

  /** Records that the filter lets through, newest first. */
  page(request: KeysetRequest, filter: AuditFilter | null): Promise<KeysetPage<AuditRecord>> {
    return pageOf(this.#of(filter).selectAll(), request, 'id', (row) => row);
  }

  /** How many records the filter lets through. */
  async count(filter: AuditFilter | null): Promise<number> {
    return countOf(this.#of(filter));
  }

  /** @param before microseconds since 1970 UTC @returns how many there were */
  async removeOlder(this: AuditRepository<WriteHandle>, before: number): Promise<number> {
    const result = await this.database.deleteFrom('audit').where('at', '<', before).executeTakeFirst();
    return Number(result.numDeletedRows);
  }

  /** @param filter null: everything */
  #of(filter: AuditFilter | null) {
    const { username = null, actions = null, from = null, before = null } = filter ?? {};
    let query = this.database.selectFrom('audit');
    if (username !== null) query = query.where('username', '=', username);
    if (actions !== null) query = query.where('action', 'in', actions.slice(0, maxActions));
    if (from !== null) query = query.where('at', '>=', from);
    return before === null ? query : query.where('at', '<', before);
  }
}
