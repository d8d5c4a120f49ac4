// Values of the catalogue that begin with or contain what was typed, read by their indexes. Knows no syntax of searches.
import { sql } from 'kysely';
import { type ReadHandle, Repository } from './repository-context.ts';

/** @property count of APKs, among those that were examined; null: not counted */
export interface KnownValue {
  text: string;
  count: number | null;
}

/** Rows examined for one list: enough to find what is common, few enough to be read while somebody types. */
const maxRead = 4000;
const maxTerms = 150;
const maxCounted = 1000;
const end = '\u{10ffff}';

export class CompletionRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /** Tags that begin with the text, the most common first. */
  async tags(text: string, limit: number): Promise<KnownValue[]> {
    const { rows } = await sql<KnownValue>`
      select name as text, count(*) as count from apk_tags where name collate nocase >= ${text} and name collate nocase < ${text + end}
      group by name collate nocase order by count desc, name limit ${limit}`.execute(this.rowReader);
    return rows;
  }

  /** Families that begin with the text, of verdicts and by code, the most common first. */
  async families(text: string, limit: number): Promise<KnownValue[]> {
    const { rows } = await sql<KnownValue>`
      select text, case when count(*) = 1 then max(count) end as count from (
        select family as text, count(*) as count from apks
        where family <> '' and family collate nocase >= ${text} and family collate nocase < ${text + end}
        group by family collate nocase
        union all select f.title, s.members from families f join family_sums s on s.family_id = f.id
        where f.title collate nocase >= ${text} and f.title collate nocase < ${text + end} and s.members > 0
      ) group by text collate nocase order by max(count) desc, text limit ${limit}`.execute(this.rowReader);
    return rows;
  }

  /** Names of cases that begin with the text. */
  async cases(text: string, limit: number): Promise<KnownValue[]> {
    const { rows } = await sql<KnownValue>`
      select name as text, (select count(*) from case_apks where case_id = cases.id and apk_id is not null) as count
      from cases where name >= ${text} and name < ${text + end} order by name limit ${limit}`.execute(this.rowReader);
    return rows;
  }

  /** Versions of the newest APKs that begin with the text, the most common first. */
  async versions(text: string, limit: number): Promise<KnownValue[]> {
    const { rows } = await sql<KnownValue>`
      select version as text, null as count from (select version from apks order by id desc limit ${maxRead})
      where version >= ${text} and version < ${text + end} and version <> ''
      group by version order by count(*) desc, version limit ${limit}`.execute(this.rowReader);
    return rows;
  }

  /** Names, packages or companies that begin with the text. */
  async texts(column: 'app' | 'package_name' | 'company', text: string, limit: number): Promise<KnownValue[]> {
    const name = sql.ref(column);
    const collated = column === 'package_name' ? name : sql`${name} collate nocase`;
    const { rows } = await sql<KnownValue>`
      select ${name} as text, null as count from (
        select ${name} from apks where ${collated} >= ${text} and ${collated} < ${text + end} and ${name} <> ''
        order by ${collated} limit ${maxRead}
      ) group by ${name} order by count(*) desc, ${name} limit ${limit}`.execute(this.rowReader);
    return rows;
  }

  /** Terms of reports in a field: those that begin with the text, and from three letters on those that contain it. */
  async terms(field: string, text: string, limit: number): Promise<KnownValue[]> {
    const found =
      [...text].length >= 3
        ? sql`select s.id, s.text from search_term_text x cross join search_terms s on s.id = x.rowid
            where search_term_text match ${`"${text.replaceAll('"', '""')}"`} and s.field = ${field} limit ${maxTerms}`
        : sql`select id, text from search_terms
            where field = ${field} and text >= ${text} and text < ${text + end} limit ${maxTerms}`;
    const { rows } = await sql<KnownValue>`
      select text, (
        select count(*) from (select 1 from apk_terms where term_id = found.id limit ${maxCounted})
      ) as count
      from (${found}) as found order by count desc, text limit ${limit}`.execute(this.rowReader);
    return rows.map((row) => ({ text: row.text, count: row.count === maxCounted ? null : row.count }));
  }

  /** Names of rulesets that an account may see and that contain the text. */
  async rulesets(text: string, viewerId: number, limit: number): Promise<KnownValue[]> {
    const { rows } = await sql<KnownValue>`
      select name as text, null as count from rulesets
      where (is_public = 1 or author_id = ${viewerId}) and instr(folded_name, ${text.toLowerCase()}) > 0
      order by name limit ${limit}`.execute(this.rowReader);
    return rows;
  }

  /** Names of rules that begin with the text and match an APK, of rulesets that an account may see. */
  async rules(text: string, viewerId: number, limit: number): Promise<KnownValue[]> {
    const { rows } = await sql<KnownValue>`
      select name as text, count(*) as count from (
        select n.name from match_rules n
        join matches m on m.id = n.match_id
        join rulesets r on r.id = m.ruleset_id and (r.is_public = 1 or r.author_id = ${viewerId})
        where n.name >= ${text} and n.name < ${text + end} limit ${maxRead}
      ) group by name collate nocase order by count desc, name limit ${limit}`.execute(this.rowReader);
    return rows;
  }

  /** Signers whose company begins with the text. @returns SHA-256 in lower-case hex */
  async signers(text: string, limit: number): Promise<{ sha256: string; company: string }[]> {
    const { rows } = await sql<{ sha256: string; company: string }>`
      select lower(hex(s.sha256)) as sha256, min(a.company) as company from (
        select signer_id, company from apks
        where company collate nocase >= ${text} and company collate nocase < ${text + end} and signer_id is not null
        order by company collate nocase limit ${maxRead}
      ) a join signers s on s.id = a.signer_id group by s.id order by count(*) desc limit ${limit}
    `.execute(this.rowReader);
    return rows;
  }
}
