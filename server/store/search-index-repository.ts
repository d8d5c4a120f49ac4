// The search index beside the catalogue: terms of reports, words, and how many APKs a term finds. Knows no syntax.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Clock } from './clock.ts';
import { atomically, type RepositoryContext } from './repository-context.ts';
import type { Database } from './schema.ts';

/** The APKs that a search wants. Conditions are on the table `apks`. */
export interface ApkSelection {
  /** All ids that can pass, where these are few. */
  ids: readonly number[] | null;
  /** Else rows of a full-text index, which come in the order of ids. */
  stream: TextStream | null;
  /** What must hold besides; null: nothing. */
  condition: RawBuilder<SqlBool> | null;
  /** Where the search is the opposite of another one: that one, since it is counted faster. */
  oppositeOf?: ApkSelection;
}

export interface TextStream {
  index: 'apk_text' | 'apk_words';
  /** In the syntax of SQLite's FTS5. */
  match: string;
}

export interface SearchTerm {
  field: string;
  text: string;
}

/** Up to so many APKs are found one by one; more are dense enough to be met by walking the catalogue. */
const maxListedIds = 5000;
const maxListedTerms = 1000;
/** Longer terms are cut: nobody searches for what stands behind. */
const maxTermLength = 500;
/** An app that declares more than this wants to fill the index. */
const maxTermsOfApk = 5000;

export class SearchIndexRepository {
  readonly #database: Kysely<Database>;
  readonly #reader: Kysely<Database>;
  readonly #clock: Clock;

  constructor({ database, readers, clock }: RepositoryContext) {
    this.#database = database;
    this.#reader = readers?.rows ?? database;
    this.#clock = clock;
  }

  /** @param source a query of one column `id` @returns all its ids, null where there are many */
  async fewIds(source: RawBuilder<unknown>): Promise<number[] | null> {
    const { rows } = await sql<{ id: number }>`select id from (${source}) limit ${maxListedIds + 1}`.execute(
      this.#reader,
    );
    return rows.length > maxListedIds ? null : rows.map(({ id }) => id);
  }

  /** Terms of a field that contain the text. @returns null where these are many */
  async termIds(field: string, text: string): Promise<number[] | null> {
    const isIndexed = [...text].length >= 3;
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const found = isIndexed
      ? sql<{ id: number }>`select t.rowid as id from search_term_text t cross join search_terms s on s.id = t.rowid
          where search_term_text match ${`"${text.replaceAll('"', '""')}"`} and s.field = ${field}
          limit ${maxListedTerms + 1}`
      : sql<{ id: number }>`select id from search_terms where field = ${field} and text like ${pattern} escape '\\'
          limit ${maxListedTerms + 1}`;
    const { rows } = await found.execute(this.#reader);
    return rows.length > maxListedTerms ? null : rows.map(({ id }) => id);
  }

  /** Which of the words stand in any app's name, package, company or version. */
  async knownWords(words: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ term: string }>`
      select term from apk_vocabulary where term in (select value from json_each(${JSON.stringify(words)}))
    `.execute(this.#reader);
    return rows.map(({ term }) => term);
  }

  /** Words of the vocabulary in `[from, to)`. */
  async wordsBetween(from: string, to: string): Promise<string[]> {
    const { rows } = await sql<{ term: string }>`
      select term from apk_vocabulary where term >= ${from} and term < ${to}
    `.execute(this.#reader);
    return rows.map(({ term }) => term);
  }

  /** Replaces what is known of an APK in these fields. */
  async replaceTerms(apkId: number, fields: readonly string[], terms: readonly SearchTerm[]): Promise<void> {
    const kept = terms
      .slice(0, maxTermsOfApk)
      .map(({ field, text }) => ({ field, text: text.slice(0, maxTermLength) }));
    const list = JSON.stringify(kept.map(({ field, text }) => [field, text]));
    await atomically(this.#database, async (inside) => {
      await sql`delete from apk_terms where apk_id = ${apkId} and term_id in (
        select t.term_id from apk_terms t join search_terms s on s.id = t.term_id
        where t.apk_id = ${apkId} and s.field in (select value from json_each(${JSON.stringify(fields)})))`.execute(
        inside,
      );
      await sql`insert or ignore into search_terms (field, text)
        select value ->> 0, value ->> 1 from json_each(${list})`.execute(inside);
      await sql`insert or ignore into apk_terms (term_id, apk_id)
        select s.id, ${apkId} from json_each(${list}) j
        join search_terms s on s.field = j.value ->> 0 and s.text = j.value ->> 1`.execute(inside);
      await sql`insert into indexed_reports (apk_id, created_at) values (${apkId}, ${this.#clock()})
        on conflict (apk_id) do update set created_at = excluded.created_at`.execute(inside);
    });
  }

  /** APKs with a static report whose terms are not in the index, upwards from `afterId`. */
  async unindexed(afterId: number, limit: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select apk_id as id from reports where kind = 'androguard' and apk_id > ${afterId}
        and not exists (select 1 from indexed_reports i where i.apk_id = reports.apk_id)
      order by apk_id limit ${limit}
    `.execute(this.#database);
    return rows.map(({ id }) => id);
  }
}
