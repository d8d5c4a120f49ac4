// The search index beside the catalogue: what reports say as terms, and questions to the search thread. Knows no syntax.
import { setImmediate } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { maxTermLength, maxTermsOfApk } from '../contract/report-terms.ts';
import type { Clock } from './clock.ts';
import { atomically, type RepositoryContext } from './repository-context.ts';
import type { Database } from './schema.ts';
import type { QuestionName, SearchQuestions } from './search-questions.ts';
import type { SearchThread } from './search-thread.ts';

export interface SearchTerm {
  field: string;
  text: string;
}

/** SDK levels as a manifest names them. */
export interface SdkLevels {
  minSdk: number | null;
  targetSdk: number | null;
}

/** Letters that are indexed in some 5 milliseconds. */
const lettersAtOnce = 5000;
const keptTerms = (terms: readonly SearchTerm[]) =>
  terms.slice(0, maxTermsOfApk).map(({ field, text }) => [field, text.slice(0, maxTermLength)]);
/** So many are looked through in some 20 milliseconds. */
const fewApks = 10_000;
/** Levels beyond are a number that means something else. */
const maxSdk = 10_000;
const sdkLevel = (level: number | null) => (level !== null && level >= 0 && level <= maxSdk ? level : null);

export class SearchIndexRepository {
  readonly #database: Kysely<Database>;
  readonly #reader: Kysely<Database>;
  readonly #thread: SearchThread | undefined;
  readonly #clock: Clock;

  constructor({ database, readers, searches, clock }: RepositoryContext) {
    this.#database = database;
    this.#reader = readers?.rows ?? database;
    this.#thread = searches;
    this.#clock = clock;
  }

  /**
   * Asks the search thread, which sees what is committed.
   * @param signal aborted where nobody waits any more
   * @throws UnknownPlaceError
   */
  ask<Name extends QuestionName>(
    name: Name,
    question: SearchQuestions[Name]['question'],
    signal?: AbortSignal,
  ): Promise<SearchQuestions[Name]['answer']> {
    if (this.#thread === undefined) throw new Error('There are no searches within a transaction.');
    return this.#thread.ask(name, question, signal);
  }

  /** Puts new terms into the index a few at a time, so that nothing else waits long for an app that brings thousands. */
  async prepareTerms(terms: readonly SearchTerm[]): Promise<void> {
    const most = Math.min(terms.length, maxTermsOfApk);
    for (let from = 0; from < most; ) {
      let letters = 0;
      let to = from;
      while (to < most && letters < lettersAtOnce) {
        letters += Math.min(maxTermLength, terms[to]!.text.length);
        to += 1;
      }
      const list = JSON.stringify(keptTerms(terms.slice(from, to)));
      await sql`insert or ignore into search_terms (field, text)
        select value ->> 0, value ->> 1 from json_each(${list})`.execute(this.#database);
      from = to;
      await setImmediate();
    }
  }

  /** Replaces what is known of an APK in these fields, and of its SDK levels where they are given. */
  async replaceTerms(
    apkId: number,
    fields: readonly string[],
    terms: readonly SearchTerm[],
    sdk?: SdkLevels,
  ): Promise<void> {
    const list = JSON.stringify(keptTerms(terms));
    await atomically(this.#database, async (inside) => {
      if (sdk !== undefined) {
        const levels = { min_sdk: sdkLevel(sdk.minSdk), target_sdk: sdkLevel(sdk.targetSdk) };
        await inside.updateTable('apks').set(levels).where('id', '=', apkId).execute();
      }
      const known = await sql`select 1 from indexed_reports where apk_id = ${apkId}`.execute(inside);
      if (known.rows.length > 0) {
        await sql`delete from apk_terms where apk_id = ${apkId} and term_id in (
          select t.term_id from apk_terms t join search_terms s on s.id = t.term_id
          where t.apk_id = ${apkId} and s.field in (select value from json_each(${JSON.stringify(fields)})))`.execute(
          inside,
        );
      }
      await sql`insert or ignore into search_terms (field, text)
        select value ->> 0, value ->> 1 from json_each(${list})`.execute(inside);
      await sql`insert or ignore into apk_terms (term_id, apk_id)
        select s.id, ${apkId} from json_each(${list}) j
        join search_terms s on s.field = j.value ->> 0 and s.text = j.value ->> 1`.execute(inside);
      await sql`insert into indexed_reports (apk_id, created_at) values (${apkId}, ${this.#clock()})
        on conflict (apk_id) do update set created_at = excluded.created_at`.execute(inside);
    });
  }

  /** Few are read sooner than a thread starts. */
  async #readerOfMany(): Promise<Kysely<Database>> {
    const { rows } = await sql<{ id: number | null }>`select max(id) as id from apks`.execute(this.#database);
    return (rows[0]!.id ?? 0) > fewApks ? this.#reader : this.#database;
  }

  /** APKs with a static report whose terms are not in the index, upwards from `afterId`. */
  async unindexed(afterId: number, limit: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select apk_id as id from reports where kind = 'androguard' and apk_id > ${afterId}
        and not exists (select 1 from indexed_reports i where i.apk_id = reports.apk_id)
      order by apk_id limit ${limit}
    `.execute(await this.#readerOfMany());
    return rows.map(({ id }) => id);
  }
}
