// The trash: rows of deleted records, moved out of all other tables and back again. Knows tables by their foreign keys
// alone.
import { deserialize, serialize } from 'node:v8';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { TrashTable } from '../schema/catalogue.ts';
import type { Database } from '../schema/database.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';
import { insertablePart, type ParentOf, type RowSet, type TableLink } from './trashed-rows.ts';

export type TrashRecord = Omit<RecordOf<TrashTable>, 'sha256' | 'state'> & {
  /** Lower-case hex; null: a ruleset. */
  sha256: string | null;
  /** What restoring does besides inserting rows. */
  state: Record<string, unknown>;
};
export type NewTrash = Omit<TrashRecord, 'id' | 'deletedAt'>;

/** Those of APKs, those of rulesets of this author, or both. */
export interface TrashFilter {
  hasApks: boolean;
  authorId: number;
  /** Only these items; absent: all. */
  about?: { sha256?: string; rulesetId?: number | null };
}

/** Tables that are derived from others, and rebuilt when these are restored. */
const derivedTables: readonly string[] = ['apk_terms', 'indexed_reports', 'rule_counts'];
const rootTables = { apk: 'apks', ruleset: 'rulesets' } as const;

const toRecord = ({ sha256, state, ...row }: RowOf): TrashRecord => ({
  ...recordOf(row),
  sha256: sha256 === null ? null : Buffer.from(sha256).toString('hex'),
  state: JSON.parse(state) as Record<string, unknown>,
});
type RowOf = { [Column in keyof TrashTable]: Column extends 'id' ? number : TrashTable[Column] };

export class TrashRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The item of a record; an interrupted deletion continues with the item that it created. */
  async begin(this: TrashRepository<WriteHandle>, { sha256, state, ...item }: NewTrash): Promise<TrashRecord> {
    const row = await this.database
      .insertInto('trash')
      .values({
        ...{ kind: item.kind, row_id: item.rowId, author_id: item.authorId, name: item.name, size: item.size },
        ...{ sha256: sha256 === null ? null : Buffer.from(sha256, 'hex'), state: JSON.stringify(state) },
        ...{ username: item.username, deleted_at: this.clock() },
      })
      .onConflict((conflict) => conflict.columns(['kind', 'row_id']).doUpdateSet({ deleted_at: this.clock() }))
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRecord(row as RowOf);
  }

  /** Moves rows of a table into an item, with all rows that are deleted with them. */
  async take(
    this: TrashRepository<WriteHandle>,
    trashId: number,
    table: string,
    ids: readonly number[],
  ): Promise<void> {
    if (ids.length === 0) return;
    const isRoot = Object.values(rootTables).some((root) => root === table);
    await this.#keep(trashId, await this.#collect(table, ids), isRoot);
    await sql`delete from ${sql.table(table)} where id in (select value from json_each(${JSON.stringify(ids)}))`.execute(
      this.database,
    );
  }

  /**
   * Restores a piece of an item; the piece with the record itself comes first. Rows that refer to something in the trash
   * are added to its item, and restored with it.
   * @returns the APKs of the restored rows; null: the item has no more pieces
   */
  async restorePiece(this: TrashRepository<WriteHandle>, trashId: number): Promise<number[] | null> {
    const piece = await this.database
      .selectFrom('trash_pieces')
      .select(['id', 'content'])
      .where('trash_id', '=', trashId)
      .orderBy('is_root', 'desc')
      .limit(1)
      .executeTakeFirst();
    if (piece === undefined) return null;
    const rows = deserialize(piece.content) as RowSet;
    const links = await this.#links();
    const { insertable, waiting } = await insertablePart(rows, links, this.#parents(trashId));
    for (const [table, some] of insertable) if (table === 'apks') await this.#giveTimes(some);
    // Rows refer to each other across tables: foreign keys are checked at the end.
    await sql`pragma defer_foreign_keys = on`.execute(this.database);
    for (const [table, some] of insertable) await this.#insert(table, some);
    for (const [holder, some] of waiting) await this.#keep(holder, some, false);
    await this.database.deleteFrom('trash_pieces').where('id', '=', piece.id).execute();
    const about = insertable.flatMap(([table, some]) =>
      table === 'apks' ? some.map(({ id }) => id) : some.map(({ apk_id: id }) => id),
    );
    return [...new Set(about.filter((id): id is number => typeof id === 'number'))];
  }

  /** Deletes an item, which was restored or is deleted for good. */
  async remove(this: TrashRepository<WriteHandle>, id: number): Promise<void> {
    await this.database.deleteFrom('trash').where('id', '=', id).execute();
  }

  /** The item, null where there is none. */
  async findById(id: number): Promise<TrashRecord | null> {
    const row = await this.database.selectFrom('trash').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** The item of an APK, null where it is not in the trash. */
  async findBySha256(sha256: string): Promise<TrashRecord | null> {
    const hash = Buffer.from(sha256, 'hex');
    const row = await this.database.selectFrom('trash').selectAll().where('sha256', '=', hash).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Newest first. */
  page({ filter, ...request }: { filter: TrashFilter } & KeysetRequest): Promise<KeysetPage<TrashRecord>> {
    return pageOf(this.#filtered(filter).selectAll('trash'), request, 'trash.id', toRecord);
  }

  /** How many items a filter lets through. */
  count(filter: TrashFilter): Promise<number> {
    return countOf(this.#filtered(filter));
  }

  /** The items that have been there longest. @param before only those deleted before it; null: all */
  async oldest(before: number | null, limit: number): Promise<TrashRecord[]> {
    let query = this.database.selectFrom('trash').selectAll().orderBy('deleted_at').orderBy('id').limit(limit);
    if (before !== null) query = query.where('deleted_at', '<', before);
    return (await query.execute()).map(toRecord);
  }

  /** Total bytes of the files in the trash. */
  async bytes(): Promise<number> {
    const { bytes } = await this.database
      .selectFrom('trash')
      .select(({ fn }) => fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('bytes'))
      .where('kind', '=', 'apk')
      .executeTakeFirstOrThrow();
    return bytes;
  }

  #filtered({ hasApks, authorId, about }: TrashFilter): SelectQueryBuilder<Database, 'trash', object> {
    const query = this.database
      .selectFrom('trash')
      .where(({ eb, or }) => or([eb('author_id', '=', authorId), ...(hasApks ? [eb('kind', '=', 'apk')] : [])]));
    if (about === undefined) return query;
    const hash = Buffer.from(about.sha256 ?? '', 'hex');
    return query.where(({ and, eb, or }) =>
      or([eb('sha256', '=', hash), and([eb('kind', '=', 'ruleset'), eb('row_id', '=', about.rulesetId ?? 0)])]),
    );
  }

  /** Every foreign key of the schema. */
  async #links(): Promise<TableLink[]> {
    const { rows } = await sql<TableLink>`
      select m.name as child, k."from" as "column", k."table" as parent, k.on_delete = 'SET NULL' as isOptional,
        k.on_delete = 'CASCADE' as isOwned
      from sqlite_schema m cross join pragma_foreign_key_list(m.name) k where m.type = 'table'`.execute(this.database);
    return rows;
  }

  /** Rows by their ids, and rows of other tables that are deleted with them, parents before children. */
  async #collect(table: string, ids: readonly number[]): Promise<RowSet> {
    const links = await this.#links();
    const found = new Map<string, Map<string, Record<string, unknown>>>();
    const wanted = [{ table, column: 'id', ids }];
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) {
      const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(next.table)}
        where ${sql.ref(next.column)} in (select value from json_each(${JSON.stringify(next.ids)}))`.execute(
        this.database,
      );
      const known = found.get(next.table) ?? new Map<string, Record<string, unknown>>();
      const keyOf = (row: Record<string, unknown>) => (row.id === undefined ? JSON.stringify(row) : String(row.id));
      const added = rows.filter((row) => !known.has(keyOf(row)));
      if (added.length === 0) continue;
      for (const row of added) known.set(keyOf(row), row);
      found.set(next.table, known);
      const owners = added.flatMap(({ id }) => (typeof id === 'number' ? [id] : []));
      for (const { child, column, parent, isOwned } of links)
        if (parent === next.table && isOwned && !derivedTables.includes(child))
          wanted.push({ table: child, column, ids: owners });
    }
    return [...found].map(([name, rows]) => [name, [...rows.values()]]);
  }

  async #keep(this: TrashRepository<WriteHandle>, trashId: number, rows: RowSet, isRoot: boolean): Promise<void> {
    const piece = { trash_id: trashId, is_root: Number(isRoot), content: serialize(rows) };
    await this.database.insertInto('trash_pieces').values(piece).execute();
  }

  /** Whether referenced rows exist, or are in the trash. */
  #parents(trashId: number): ParentOf {
    return async (parent, ids) => {
      const wanted = JSON.stringify(ids);
      const there = await sql<{ id: number }>`select id from ${sql.table(parent)}
        where id in (select value from json_each(${wanted}))`.execute(this.database);
      const kind = Object.entries(rootTables).find(([, table]) => table === parent)?.[0] ?? '';
      const trashed = await sql<{ id: number; rowId: number }>`select id, row_id as rowId from trash
        where kind = ${kind} and id <> ${trashId} and row_id in (select value from json_each(${wanted}))`.execute(
        this.database,
      );
      return {
        there: new Set(there.rows.map(({ id }) => id)),
        trashed: new Map(trashed.rows.map(({ id, rowId }) => [rowId, id])),
      };
    };
  }

  /** Creation times are unique: one may have been given to another APK, after the clock was set back. */
  async #giveTimes(apks: RowSet[number][1]): Promise<void> {
    for (const apk of apks) {
      const { rows } = await sql<{ time: number }>`
        with recursive times (time) as (
          select ${apk.created_at} union all
          select time + 1 from times where exists (select 1 from apks where created_at = time)
        ) select max(time) as time from times`.execute(this.database);
      apk.created_at = rows[0]!.time;
    }
  }

  /**
   * Columns that a later version dropped are left out; those that it added get their defaults. SQLite gives the numbers of
   * deleted rows again: a row whose number that of another APK has now gets a new one.
   */
  async #insert(this: TrashRepository<WriteHandle>, table: string, rows: RowSet[number][1]): Promise<void> {
    const { rows: columns } = await sql<{ name: string }>`select name from pragma_table_info(${table})`.execute(
      this.database,
    );
    const isNumbered = ['id', 'apk_id'].every((key) => columns.some(({ name }) => name === key));
    for (const row of rows) {
      const isTaken = isNumbered && (await this.#isTaken(table, row));
      const names = columns.flatMap(({ name }) => (name in row && !(isTaken && name === 'id') ? [name] : []));
      await sql`insert or ignore into ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))})
        values (${sql.join(names.map((name) => row[name]))})`.execute(this.database);
    }
  }

  async #isTaken(table: string, { id, apk_id }: Record<string, unknown>): Promise<boolean> {
    const { rows } = await sql`select 1 from ${sql.table(table)} where id = ${id} and apk_id is not ${apk_id}`.execute(
      this.database,
    );
    return rows.length > 0;
  }
}
