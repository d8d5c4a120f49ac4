// What reports, matches and antivirus say of members of a family, counted. Knows no family.
import { sql } from 'kysely';
import { type ReadHandle, Repository } from './repository-context.ts';

/** How many of some APKs have something. */
export interface CountedName {
  name: string;
  apks: number;
}

export interface CountedPart {
  part: string;
  isShared: boolean;
  name: string;
  apks: number;
  /** Of all of its part that are shared, or that are not. */
  total: number;
}

export class FamilyEvidenceRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /**
   * Terms of reports that some APKs have: those of all and those of some, the rarest first, of each part.
   * @param partOfField by the field of a term; others are left out
   * @param most listed of each
   */
  async terms(
    apkIds: readonly number[],
    partOfField: Readonly<Record<string, string>>,
    most: number,
  ): Promise<CountedPart[]> {
    const wanted = JSON.stringify(apkIds);
    const marks = JSON.stringify(await this.#marks(apkIds));
    const { rows } = await sql<Omit<CountedPart, 'isShared'> & { isShared: number }>`
      with counted as (
        select t.term_id as id, count(*) as n from json_each(${wanted}) a cross join apk_terms t on t.apk_id = a.value
        group by 1
        union all select value ->> 0, value ->> 1 from json_each(${marks})
      ), told as (
        select p.value as part, n = ${apkIds.length} as isShared, s.text as name, max(n) as apks
        from counted cross join search_terms s on s.id = counted.id
        join json_each(${JSON.stringify(partOfField)}) p on p.key = s.field group by p.value, s.text
      ), placed as (
        select *, count(*) over (partition by part, isShared) as total,
          row_number() over (partition by part, isShared order by apks, name) as place from told
      ) select part, isShared, name, apks, total from placed where place <= ${most} order by part, isShared, place
    `.execute(this.rowReader);
    return rows.map((row) => ({ ...row, isShared: row.isShared === 1 }));
  }

  /** How many of these APKs have each mark, by the number of its term. */
  async #marks(apkIds: readonly number[]): Promise<[term: number, apks: number][]> {
    const { rows } = await sql<{ terms: Uint8Array }>`
      select terms from json_each(${JSON.stringify(apkIds)}) a cross join apk_marks m on m.apk_id = a.value`.execute(
      this.rowReader,
    );
    const counts = new Map<number, number>();
    // The bytes may be unaligned within their buffer.
    for (const { terms } of rows)
      for (const term of new Uint32Array(Uint8Array.from(terms).buffer)) counts.set(term, (counts.get(term) ?? 0) + 1);
    return [...counts];
  }

  /** Sketches of those of these APKs whose code was read. */
  async sketches(apkIds: readonly number[]): Promise<{ methods: number; hashes: Buffer }[]> {
    const { rows } = await sql<{ methods: number; hashes: Uint8Array }>`
      select methods, hashes from json_each(${JSON.stringify(apkIds)}) a cross join code_sketches s on s.apk_id = a.value
    `.execute(this.rowReader);
    // Bytes that come from another thread are no Buffer.
    return rows.map(({ methods, hashes }) => ({ methods, hashes: Buffer.from(hashes) }));
  }

  /** What antivirus calls these APKs, each name with its APK. */
  async signatures(apkIds: readonly number[]): Promise<{ apkId: number; name: string }[]> {
    const { rows } = await sql<{ apkId: number; name: string }>`
      select apk_id as "apkId", information ->> 'signature' as name
      from json_each(${JSON.stringify(apkIds)}) a cross join detections d on d.apk_id = a.value
      where d.kind = 'antivirus' and json_type(information, '$.signature') = 'text'`.execute(this.rowReader);
    return rows;
  }

  /** How many of these APKs each rule of a public ruleset matches. */
  async rules(apkIds: readonly number[], most: number): Promise<CountedName[]> {
    const { rows } = await sql<CountedName>`
      select n.name, count(distinct m.apk_id) as apks from json_each(${JSON.stringify(apkIds)}) a
      cross join matches m on m.apk_id = a.value cross join rulesets r on r.id = m.ruleset_id
      cross join match_rules n on n.match_id = m.id
      where r.is_public = 1 group by n.name order by apks desc, n.name limit ${most}`.execute(this.rowReader);
    return rows;
  }
}
