// Marks of APKs for searches: findings, techniques, trackers, libraries, calls; few for each APK. Knows no report.
import { sql } from 'kysely';
import { type MarkField, markFields, maxTermLength } from '../../contract/engine/report-terms.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';
import { ensureTerms } from './search-index-repository.ts';

/** Absent fields are left unchanged. */
export type Marks = Partial<Record<MarkField, readonly string[]>>;

/** Bound for each APK and field: a hostile one could fill the memory of searches. */
const maxOfField = 200;
const countColumns: Partial<Record<MarkField, string>> = {
  finding: 'findings_count',
  technique: 'techniques_count',
  tracker: 'trackers_count',
  library: 'libraries_count',
  api: 'apis_count',
};

export class MarkRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Replaces the marks of an APK, and updates their counts. */
  async replace(this: MarkRepository<WriteHandle>, apkId: number, marks: Marks): Promise<void> {
    const fields = markFields.filter((field) => marks[field] !== undefined);
    const known = await this.#termsOf(apkId);
    const added: [string, string][] = [];
    for (const field of fields) {
      const texts = new Set(marks[field]!.slice(0, maxOfField).map((text) => text.slice(0, maxTermLength)));
      for (const text of texts) added.push([field, text]);
      const column = countColumns[field];
      if (column !== undefined)
        await sql`update apks set ${sql.ref(column)} = ${texts.size}
          where id = ${apkId} and ${sql.ref(column)} is not ${texts.size}`.execute(this.database);
    }
    const kept = known.filter(({ field }) => !fields.some((one) => one === field)).map(({ id }) => id);
    const ids = [...kept, ...(await ensureTerms(this.database, added))].filter((id) => id !== null);
    ids.sort((a, b) => a - b);
    if (ids.join() === known.map(({ id }) => id).join()) return;
    const terms = Buffer.from(Uint32Array.from(ids).buffer);
    await sql`insert into apk_marks (apk_id, terms) values (${apkId}, ${terms})
      on conflict (apk_id) do update set terms = excluded.terms`.execute(this.database);
    await sql`insert into apk_changes (apk_id, part) values (${apkId}, 'terms')`.execute(this.database);
  }

  /** Numbers of the marks in ascending order. */
  async #termsOf(apkId: number): Promise<{ id: number; field: string }[]> {
    const { rows } = await sql<{ terms: Uint8Array }>`select terms from apk_marks where apk_id = ${apkId}`.execute(
      this.database,
    );
    if (rows[0] === undefined) return [];
    // The bytes may be unaligned within their buffer.
    const ids = [...new Uint32Array(Uint8Array.from(rows[0].terms).buffer)];
    const { rows: terms } = await sql<{ id: number; field: string }>`
      select id, field from search_terms where ${isOneOf('id', ids)} order by id`.execute(this.database);
    return terms;
  }
}
