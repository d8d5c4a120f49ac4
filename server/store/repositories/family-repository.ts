// Families of APKs: what they are called, who is in them, what people said of that. Knows nothing of code.
import { type Selectable, sql } from 'kysely';
import type { FamilyOrder } from '../../contract/catalogue/family.ts';
import type { FamiliesTable } from '../schema/families.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { type RecordOf, recordOf } from './table-record.ts';

export type FamilyRecord = RecordOf<FamiliesTable> & {
  members: number;
  /** Mean of the members' risks; null: none has one. */
  risk: number | null;
  newestId: number | null;
  /** When the first and the last member came; null: there is none. */
  firstAt: number | null;
  lastAt: number | null;
};

export interface FamilyFilter {
  /** Part of the title or the note; empty: all. */
  text: string;
  isConfirmed?: boolean | undefined;
}

/** What people said of an APK and a family. */
export interface FamilyTie {
  apkId: number;
  familyId: number;
  /** It belongs there; else it does not. */
  isMember: boolean;
}

/** Beyond so many members searches forget what they know of a family. */
const maxNoted = 10_001;
/** Merges of merged families that are followed. */
const maxMerges = 1000;

type Row = Selectable<FamiliesTable> & {
  members: number | null;
  risk: number | null;
  newest_id: number | null;
  first_at: number | null;
  last_at: number | null;
};

const toRecord = (row: Row): FamilyRecord => ({ ...recordOf(row), members: row.members ?? 0 });

const columns = sql`f.*, s.members, s.newest_id, case when s.rated > 0 then cast(round(s.risk * 1.0 / s.rated) as integer) end as risk,
  (select min(created_at) from apks where code_family_id = f.id) as first_at,
  (select max(created_at) from apks where code_family_id = f.id) as last_at`;
const orders = {
  '-last_seen_at': sql`s.newest_id desc`,
  '-apks_count': sql`s.members desc, s.newest_id desc`,
  '-risk': sql`s.risk * 1.0 / nullif(s.rated, 0) desc nulls last, s.newest_id desc`,
} as const;
/** One that lost all but one of its members is none, unless people said that it is. */
const isShown = sql`(s.members > 1 or (f.is_confirmed = 1 and s.members > 0))`;
const nameOf = sql`coalesce(nullif(name, ''), nullif(proposed_name, ''), 'Family ' || id)`;

export class FamilyRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Makes a family, without members. */
  async insert(
    this: FamilyRepository<WriteHandle>,
    family: { name?: string; isConfirmed: boolean },
  ): Promise<FamilyRecord> {
    const now = this.clock();
    const { name = '', isConfirmed } = family;
    const { id } = await this.database
      .insertInto('families')
      .values({ name, is_confirmed: Number(isConfirmed), created_at: now, updated_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    await sql`update families set title = ${nameOf} where id = ${id}`.execute(this.database);
    await sql`insert into family_sums (family_id) values (${id})`.execute(this.database);
    return (await this.findById(id))!;
  }

  /** Changes a family; its members are found by its new name from then on. */
  async update(
    this: FamilyRepository<WriteHandle>,
    id: number,
    changes: Partial<Pick<FamilyRecord, 'name' | 'proposedName' | 'note' | 'isConfirmed' | 'isStale' | 'mergedInto'>>,
  ): Promise<void> {
    const { name, proposedName, note, isConfirmed, isStale, mergedInto } = changes;
    const isToldOfPeople = [name, note, isConfirmed, mergedInto].some((value) => value !== undefined);
    await this.database
      .updateTable('families')
      .set({
        ...(name !== undefined && { name }),
        ...(proposedName !== undefined && { proposed_name: proposedName }),
        ...(note !== undefined && { note }),
        ...(isConfirmed !== undefined && { is_confirmed: Number(isConfirmed) }),
        ...(isStale !== undefined && { is_stale: Number(isStale) }),
        ...(mergedInto !== undefined && { merged_into: mergedInto }),
        ...(isToldOfPeople && { updated_at: this.clock() }),
      })
      .where('id', '=', id)
      .execute();
    if (name === undefined && proposedName === undefined) return;
    const { rows } = await sql`update families set title = ${nameOf}
      where id = ${id} and title is not ${nameOf} returning id`.execute(this.database);
    if (rows.length === 0) return;
    await sql`insert into apk_changes (apk_id, part)
      select id, 'row' from apks where code_family_id = ${id} limit ${maxNoted}`.execute(this.database);
  }

  /** The family, also one that was merged into another; null where there is none. */
  async findById(id: number): Promise<FamilyRecord | null> {
    return (await this.findByIds([id])).get(id) ?? null;
  }

  /** Those of these ids that there are. */
  async findByIds(ids: readonly number[]): Promise<Map<number, FamilyRecord>> {
    if (ids.length === 0) return new Map();
    const { rows } = await sql<Row>`
      select ${columns} from families f left join family_sums s on s.family_id = f.id where ${isOneOf('f.id', ids)}
    `.execute(this.database);
    return new Map(rows.map((row) => [row.id, toRecord(row)]));
  }

  /** Families with members, in an order. */
  async list(
    filter: FamilyFilter,
    order: FamilyOrder,
    { offset, limit }: { offset: number; limit: number },
  ): Promise<FamilyRecord[]> {
    const { rows } = await sql<Row>`
      select ${columns} from family_sums s join families f on f.id = s.family_id
      where ${isShown} and ${filtered(filter)} order by ${orders[order]} limit ${limit} offset ${offset}`.execute(
      this.rowReader,
    );
    return rows.map(toRecord);
  }

  /** How many families with members a filter lets through. */
  async count(filter: FamilyFilter): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from family_sums s join families f on f.id = s.family_id
      where ${isShown} and ${filtered(filter)}`.execute(this.countReader);
    return rows[0]!.count;
  }

  /** Members of a family, newest first. */
  async members(id: number, { offset, limit }: { offset: number; limit: number }): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select id from apks where code_family_id = ${id} order by created_at desc limit ${limit} offset ${offset}
    `.execute(this.rowReader);
    return rows.map((row) => row.id);
  }

  /** Some members of a family, in no order. */
  async someMembers(id: number, limit: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`select id from apks where code_family_id = ${id} limit ${limit}`.execute(
      this.database,
    );
    return rows.map((row) => row.id);
  }

  /** Some members of a family: its newest and its oldest, half of each where there are more. */
  async ends(id: number, count: number): Promise<number[]> {
    const half = (order: 'desc' | 'asc', limit: number) =>
      sql`select id from (select id from apks where code_family_id = ${id} order by created_at ${sql.raw(order)} limit ${limit})`;
    const { rows } = await sql<{ id: number }>`
      ${half('desc', Math.ceil(count / 2))} union ${half('asc', Math.floor(count / 2))}`.execute(this.rowReader);
    return rows.map((row) => row.id);
  }

  /** How many members came on each day, or in each month; the first one first. */
  async overTime(id: number, by: 'day' | 'month'): Promise<{ from: string; count: number }[]> {
    const form = by === 'day' ? '%Y-%m-%d' : '%Y-%m-01';
    const { rows } = await sql<{ from: string; count: number }>`
      select strftime(${form}, created_at / 1000000, 'unixepoch') as "from", count(*) as count
      from apks where code_family_id = ${id} group by 1 order by 1`.execute(this.rowReader);
    return rows;
  }

  /** Puts APKs into a family, or into none, whatever they were in. */
  async move(this: FamilyRepository<WriteHandle>, apkIds: readonly number[], familyId: number | null): Promise<void> {
    await sql`update apks set code_family_id = ${familyId}
      where ${isOneOf('id', apkIds)} and code_family_id is not ${familyId}`.execute(this.database);
  }

  /** A family and all that were merged into it lead to one: that one. @returns the ids by those that were given */
  async current(ids: readonly number[]): Promise<Map<number, number>> {
    const { rows } = await sql<{ given: number; id: number }>`
      with recursive led (given, id, steps) as (
        select id, id, 0 from families where ${isOneOf('id', ids)} union all
        select given, merged_into, steps + 1 from led join families on families.id = led.id
        where merged_into is not null and steps < ${maxMerges}
      ) select given, id, max(steps) from led group by given`.execute(this.database);
    return new Map(rows.map(({ given, id }) => [given, id]));
  }

  /** Families that were merged into others and still have members. */
  async unsettled(limit: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select f.id from families f join family_sums s on s.family_id = f.id
      where f.merged_into is not null and s.members > 0 limit ${limit}`.execute(this.database);
    return rows.map(({ id }) => id);
  }

  /** What people said of these APKs and families. */
  async tiesOf(apkIds: readonly number[]): Promise<FamilyTie[]> {
    const rows = await this.database
      .selectFrom('family_ties')
      .selectAll()
      .where(isOneOf('apk_id', apkIds))
      .orderBy('family_id')
      .execute();
    return rows.map(recordOf);
  }

  /** Replaces what people said of APKs. */
  async setTies(
    this: FamilyRepository<WriteHandle>,
    apkIds: readonly number[],
    ties: readonly FamilyTie[],
  ): Promise<void> {
    await this.database.deleteFrom('family_ties').where(isOneOf('apk_id', apkIds)).execute();
    const rows = JSON.stringify(ties.map(({ apkId, familyId, isMember }) => [apkId, familyId, Number(isMember)]));
    await sql`insert into family_ties (apk_id, family_id, is_member)
      select value ->> 0, value ->> 1, value ->> 2 from json_each(${rows})`.execute(this.database);
  }

  /** Families whose name is to be proposed anew. */
  async stale(limit: number): Promise<number[]> {
    const { rows } = await sql<{
      id: number;
    }>`select id from families where is_stale = 1 order by id limit ${limit}`.execute(this.database);
    return rows.map(({ id }) => id);
  }

  /** Notes that what is known of these APKs changed. */
  async noteEvidence(this: FamilyRepository<WriteHandle>, apkIds: readonly number[]): Promise<void> {
    await sql`update families set is_stale = 1 where is_stale = 0 and id in (
      select code_family_id from apks where ${isOneOf('id', apkIds)} and code_family_id is not null)`.execute(
      this.database,
    );
  }

  /** APKs whose family is to be looked for, the newest first. */
  async waiting(limit: number): Promise<number[]> {
    const rows = await this.database
      .selectFrom('family_waiting')
      .select('apk_id')
      .orderBy('apk_id', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => row.apk_id);
  }

  /** How many APKs wait, up to `most`. */
  async countWaiting(most: number): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (select 1 from family_waiting limit ${most})`.execute(this.database);
    return rows[0]!.count;
  }

  /** Notes whether the family of APKs is to be looked for. */
  async setWaiting(this: FamilyRepository<WriteHandle>, apkIds: readonly number[], isWaiting: boolean): Promise<void> {
    await (isWaiting
      ? sql`insert or ignore into family_waiting (apk_id) select apk_id from code_sketches where ${isOneOf('apk_id', apkIds)}`
      : sql`delete from family_waiting where ${isOneOf('apk_id', apkIds)}`
    ).execute(this.database);
  }

  /** The next family behind an id that people did not confirm, null where there is none. */
  async nextUnconfirmed(afterId: number): Promise<number | null> {
    const { rows } = await sql<{ id: number }>`
      select f.id from families f join family_sums s on s.family_id = f.id
      where f.id > ${afterId} and f.is_confirmed = 0 and s.members > 1 order by f.id limit 1`.execute(this.database);
    return rows[0]?.id ?? null;
  }
}

function filtered({ text, isConfirmed }: FamilyFilter) {
  const named =
    text === ''
      ? sql`1 = 1`
      : sql`(instr(lower(f.title), lower(${text})) > 0 or instr(lower(f.note), lower(${text})) > 0)`;
  return isConfirmed === undefined ? named : sql`${named} and f.is_confirmed = ${Number(isConfirmed)}`;
}
