// The log of who did what, when and from where. Added to, counted on, and cut at its old end. Knows no action.
import type { Selectable } from 'kysely';
import type { AuditTable } from '../schema.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export type AuditRecord = Selectable<AuditTable>;
export type NewAuditRecord = Omit<AuditRecord, 'id' | 'at' | 'count' | 'last_at'>;

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

  /** Says how many a record stands for by now. @param lastAt microseconds since 1970 UTC */
  async recount(this: AuditRepository<WriteHandle>, id: number, count: number, lastAt: number): Promise<void> {
    await this.database.updateTable('audit').set({ count, last_at: lastAt }).where('id', '=', id).execute();
  }

  /** @param username null: everybody's */
  page(request: KeysetRequest, username: string | null): Promise<KeysetPage<AuditRecord>> {
    return pageOf(this.#of(username).selectAll(), request, 'id', (row) => row);
  }

  /** How many records there are, of one account where `username` is not null. */
  async count(username: string | null): Promise<number> {
    return countOf(this.#of(username));
  }

  /** @param before microseconds since 1970 UTC @returns how many there were */
  async removeOlder(this: AuditRepository<WriteHandle>, before: number): Promise<number> {
    const result = await this.database.deleteFrom('audit').where('at', '<', before).executeTakeFirst();
    return Number(result.numDeletedRows);
  }

  #of(username: string | null) {
    const query = this.database.selectFrom('audit');
    return username === null ? query : query.where('username', '=', username);
  }
}
