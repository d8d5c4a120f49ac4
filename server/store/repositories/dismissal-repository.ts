// Dismissals of findings and of rules' matches; undone ones stay on record. Knows nothing of what they change.
import { type Insertable, type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../schema/database.ts';
import type { DismissalsTable } from '../schema/triage.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { columnsOf, type RecordOf, recordOf } from './table-record.ts';

export type DismissalRecord = RecordOf<DismissalsTable>;
export type NewDismissalRecord = Omit<DismissalRecord, 'id' | 'createdAt' | 'undoneBy' | 'undoneAt'>;

/** @property isUndone undefined: both */
export interface DismissalFilter {
  /** Leaves out dismissals of rules whose ruleset this account may not see. */
  readerId: number;
  isUndone?: boolean | undefined;
}

export class DismissalRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Stores a dismissal, made now. */
  async insert(this: DismissalRepository<WriteHandle>, dismissal: NewDismissalRecord): Promise<DismissalRecord> {
    const row = await this.database
      .insertInto('dismissals')
      .values({ ...columnsOf<DismissalsTable>(dismissal), created_at: this.clock() } as Insertable<DismissalsTable>)
      .returningAll()
      .executeTakeFirstOrThrow();
    return recordOf(row);
  }

  /** Undoes a dismissal. @returns whether it was in force */
  async undo(this: DismissalRepository<WriteHandle>, id: number, username: string): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable('dismissals')
      .set({ undone_by: username, undone_at: this.clock() })
      .where('id', '=', id)
      .where('undone_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /** The dismissal, null where there is none that the account may see. */
  async findById(id: number, readerId: number): Promise<DismissalRecord | null> {
    const row = await this.#filtered({ readerId })
      .selectAll('dismissals')
      .where('dismissals.id', '=', id)
      .executeTakeFirst();
    return row === undefined ? null : recordOf(row);
  }

  /** Those of these dismissals that there are, by id. */
  async findByIds(ids: readonly number[]): Promise<Map<number, DismissalRecord>> {
    const rows = await this.database.selectFrom('dismissals').selectAll().where(isOneOf('id', ids)).execute();
    return new Map(rows.map((row) => [row.id, recordOf(row)]));
  }

  /** Newest first. */
  async page({
    filter,
    ...request
  }: { filter: DismissalFilter } & KeysetRequest): Promise<KeysetPage<DismissalRecord>> {
    return pageOf(this.#filtered(filter).selectAll('dismissals'), request, 'dismissals.id', recordOf);
  }

  /** How many dismissals a filter lets through. */
  async count(filter: DismissalFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** Dismissals in force for an APK, oldest first. @param readerId null: those of all rulesets */
  async holdingFor(apk: { id: number; signerId: number | null }, readerId: number | null): Promise<DismissalRecord[]> {
    const { rows } = await sql<{ id: number }>`
      select id from dismissals where apk_id = ${apk.id} and undone_at is null
      union all select id from dismissals where signer_id = ${apk.signerId} and undone_at is null
      union all select id from dismissals where scope in ('library', 'everywhere') and undone_at is null
    `.execute(this.database);
    const ids = rows.map(({ id }) => id);
    const query = readerId === null ? this.database.selectFrom('dismissals') : this.#filtered({ readerId });
    const found = await query.selectAll('dismissals').where(isOneOf('dismissals.id', ids)).orderBy('id').execute();
    return found.map(recordOf);
  }

  #filtered({ readerId, isUndone }: DismissalFilter): SelectQueryBuilder<Database, 'dismissals', object> {
    let query = this.database.selectFrom('dismissals').where(
      sql<boolean>`(ruleset_id is null or exists (
        select 1 from rulesets r where r.id = ruleset_id and (r.is_public = 1 or r.author_id = ${readerId})
      ))`,
    );
    if (isUndone !== undefined) query = query.where('undone_at', isUndone ? 'is not' : 'is', null);
    return query;
  }
}
