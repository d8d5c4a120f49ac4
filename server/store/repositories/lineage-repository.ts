// Versions of a package in their order, and the terms in which two of them differ. Knows no report.
import { sql } from 'kysely';
import { type ReadHandle, Repository } from './repository-context.ts';

export interface VersionPlace {
  id: number;
  /** The version before it by the same signer, and the one before it by any; null: none. */
  sameSignerId: number | null;
  beforeId: number | null;
}

export interface Versions {
  /** Of all. */
  count: number;
  /** Place of the one that was asked for among all, from 1. */
  position: number;
  /** Different signers, unsigned counted as one. */
  signers: number;
  places: VersionPlace[];
}

/** Terms by which an APK differs from another. */
export interface TermChange {
  field: string;
  text: string;
  isAdded: boolean;
}

/** Any number that is no version code counts as 0; those of one number stand in the order in which they were seen. */
const versionOrder = sql`cast(version_code as integer), id`;

export class LineageRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** The versions of a package, the highest version code first. @param apkId one of them */
  async versions(packageName: string, apkId: number, { offset, limit }: { offset: number; limit: number }) {
    const ordered = sql`select id, row_number() over (order by cast(version_code as integer) desc, id desc) as place,
      lag(id) over (partition by signer_id order by ${versionOrder}) as same, lag(id) over (order by ${versionOrder}) as prior
      from apks where package_name = ${packageName}`;
    const { rows: all } = await sql<Omit<Versions, 'places'>>`
      select (select count(*) from apks where package_name = ${packageName}) as count,
        (select count(*) from (select distinct signer_id from apks where package_name = ${packageName})) as signers,
        (select place from (${ordered}) where id = ${apkId}) as position`.execute(this.rowReader);
    const { rows: places } = await sql<VersionPlace>`
      select id, same as "sameSignerId", prior as "beforeId" from (${ordered})
      where place > ${offset} and place <= ${offset + limit} order by place`.execute(this.rowReader);
    return { ...all[0]!, places };
  }

  /** Numbers of all terms of each of these APKs. */
  async terms(apkIds: readonly number[]): Promise<Map<number, Set<number>>> {
    const wanted = JSON.stringify(apkIds);
    const { rows } = await sql<{ id: number; terms: string | null; marks: Uint8Array | null }>`
      select value as id, (select group_concat(term_id) from apk_terms where apk_id = value) as terms,
        (select terms from apk_marks where apk_id = value) as marks
      from json_each(${wanted})`.execute(this.rowReader);
    return new Map(
      rows.map(({ id, terms, marks }) => [
        id,
        // The bytes may be unaligned within their buffer.
        new Set([...numbersIn(terms), ...new Uint32Array(Uint8Array.from(marks ?? []).buffer)]),
      ]),
    );
  }

  /** The terms of these fields that only one of two APKs has, in the order of their texts. */
  async changes(
    before: ReadonlySet<number>,
    after: ReadonlySet<number>,
    fields: readonly string[],
  ): Promise<TermChange[]> {
    const added = [...after].filter((term) => !before.has(term)).map((term) => [term, 1]);
    const removed = [...before].filter((term) => !after.has(term)).map((term) => [term, 0]);
    if (added.length + removed.length === 0) return [];
    const { rows } = await sql<Omit<TermChange, 'isAdded'> & { isAdded: number }>`
      select s.field, s.text, j.value ->> 1 as "isAdded" from json_each(${JSON.stringify([...added, ...removed])}) j
      cross join search_terms s on s.id = j.value ->> 0
      where s.field in (select value from json_each(${JSON.stringify(fields)})) order by s.text`.execute(
      this.rowReader,
    );
    return rows.map((row) => ({ ...row, isAdded: row.isAdded === 1 }));
  }
}

const numbersIn = (list: string | null) => (list === null ? [] : list.split(',').map(Number));
