// Terms of an APK with how many APKs have each, read by their indexes. Knows no syntax of searches.
import { sql } from 'kysely';
import { type ReadHandle, Repository } from './repository-context.ts';

/** Terms of one APK that are looked at, and APKs that are counted of each: some milliseconds together. */
const [maxTerms, maxCounted] = [500, 200];

export interface UsedTerm {
  field: string;
  text: string;
  /** APKs that have it, up to `maxCounted`. */
  uses: number;
}

export class PivotRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** An APK's terms in these fields. */
  async terms(apkId: number, fields: readonly string[]): Promise<UsedTerm[]> {
    const { rows } = await sql<UsedTerm>`
      select field, text, (
        select count(*) from (select 1 from apk_terms where term_id = found.id limit ${maxCounted})
      ) as uses
      from (
        select s.id, s.field, s.text from apk_terms t cross join search_terms s on s.id = t.term_id
        where t.apk_id = ${apkId} and s.field in (select value from json_each(${JSON.stringify(fields)}))
        limit ${maxTerms}
      ) as found`.execute(this.rowReader);
    return rows;
  }
}
