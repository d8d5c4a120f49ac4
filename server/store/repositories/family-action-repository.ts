// What people did with families, and where each APK was before. Knows nothing of what they mean.
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '../schema/database.ts';
import type { FamilyActionsTable } from '../schema/families.ts';
import { countOf, type KeysetPage, type KeysetRequest, pageOf } from '../sqlite/keyset-page.ts';
import type { FamilyTie } from './family-repository.ts';
import { type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export interface ActionDetail {
  /** How many APKs it was about. */
  apks?: number;
  /** What the family was called and what was noted on it before and after. */
  before?: { name: string; note: string };
  after?: { name: string; note: string };
  /** What was said of its members. */
  verdict?: string;
  family?: string;
}

export type FamilyActionRecord = Omit<RecordOf<FamilyActionsTable>, 'detail'> & { detail: ActionDetail };
export type NewFamilyAction = Pick<
  FamilyActionRecord,
  'familyId' | 'otherId' | 'kind' | 'detail' | 'accountId' | 'username'
>;

/** Where an APK was, and what was said of it, before an action. */
export interface FamilyMove {
  apkId: number;
  fromId: number | null;
  ties: FamilyTie[];
}

const toRecord = ({ detail, ...row }: Row): FamilyActionRecord => ({
  ...recordOf(row),
  detail: JSON.parse(detail) as ActionDetail,
});
type Row = { [Column in keyof FamilyActionsTable]: RowValue<FamilyActionsTable[Column]> };
type RowValue<T> = T extends { __select__: infer S } ? S : T;

export class FamilyActionRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Notes what somebody does, now. */
  async insert(
    this: FamilyActionRepository<WriteHandle>,
    { familyId, otherId, kind, detail, accountId, username }: NewFamilyAction,
  ): Promise<FamilyActionRecord> {
    const row = await this.database
      .insertInto('family_actions')
      .values({
        ...{ family_id: familyId, other_id: otherId, kind, detail: JSON.stringify(detail) },
        ...{ account_id: accountId, username, created_at: this.clock() },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return toRecord(row);
  }

  /** Notes where APKs are and what is said of them, before they are moved. */
  async noteMoves(
    this: FamilyActionRepository<WriteHandle>,
    actionId: number,
    moves: readonly FamilyMove[],
  ): Promise<void> {
    const rows = moves.map(({ apkId, fromId, ties }) => [apkId, fromId, JSON.stringify(ties)]);
    await sql`insert or ignore into family_moves (action_id, apk_id, from_id, ties)
      select ${actionId}, value ->> 0, value ->> 1, value ->> 2 from json_each(${JSON.stringify(rows)})`.execute(
      this.database,
    );
  }

  /** Notes that an action is undone, which `takeMoves` does. @returns whether it held */
  async undo(this: FamilyActionRepository<WriteHandle>, id: number, username: string): Promise<boolean> {
    const { numUpdatedRows } = await this.database
      .updateTable('family_actions')
      .set({ undone_by: username, undone_at: this.clock(), is_restoring: 1 })
      .where('id', '=', id)
      .where('undone_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  /**
   * Forgets where some APKs were before an action that is undone; those that somebody has moved since are passed over.
   * @returns where the others were; null: all are back
   */
  async takeMoves(
    this: FamilyActionRepository<WriteHandle>,
    actionId: number,
    limit: number,
  ): Promise<FamilyMove[] | null> {
    const { rows } = await sql<{ apk_id: number; from_id: number | null; ties: string; is_newest: number }>`
      delete from family_moves where action_id = ${actionId} and apk_id in (
        select apk_id from family_moves where action_id = ${actionId} order by apk_id limit ${limit})
      returning apk_id, from_id, ties, not exists (
        select 1 from family_moves later join family_actions a on a.id = later.action_id
        where later.apk_id = family_moves.apk_id and later.action_id > ${actionId} and a.undone_at is null) as is_newest
    `.execute(this.database);
    if (rows.length === 0) {
      await this.database.updateTable('family_actions').set({ is_restoring: 0 }).where('id', '=', actionId).execute();
      return null;
    }
    return rows
      .filter((row) => row.is_newest === 1)
      .map((row) => ({ apkId: row.apk_id, fromId: row.from_id, ties: JSON.parse(row.ties) as FamilyTie[] }));
  }

  /** Actions that are undone, and of which some APKs are not back yet. */
  async restoring(): Promise<number[]> {
    const rows = await this.database.selectFrom('family_actions').select('id').where('is_restoring', '=', 1).execute();
    return rows.map(({ id }) => id);
  }

  /** The action, null where there is none. */
  async findById(id: number): Promise<FamilyActionRecord | null> {
    const row = await this.database.selectFrom('family_actions').selectAll().where('id', '=', id).executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** The merge by which a family went into another, and that holds; null: there is none. */
  async mergeOf(familyId: number): Promise<FamilyActionRecord | null> {
    const row = await this.database
      .selectFrom('family_actions')
      .selectAll()
      .where('other_id', '=', familyId)
      .where('kind', '=', 'merge')
      .where('undone_at', 'is', null)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return row === undefined ? null : toRecord(row);
  }

  /** Actions on a family, newest first. */
  page(familyId: number, request: KeysetRequest): Promise<KeysetPage<FamilyActionRecord>> {
    return pageOf(this.#of(familyId).selectAll(), request, 'id', toRecord);
  }

  /** How many actions on a family there were. */
  count(familyId: number): Promise<number> {
    return countOf(this.#of(familyId));
  }

  #of(familyId: number): SelectQueryBuilder<Database, 'family_actions', object> {
    return this.database
      .selectFrom('family_actions')
      .where(({ eb, or }) => or([eb('family_id', '=', familyId), eb('other_id', '=', familyId)]));
  }
}
