// The search index: terms of reports, and queries to the search thread. Knows no query syntax.
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { hostFields, maxTermLength, maxTermsOfApk } from '../../contract/engine/report-terms.ts';
import type { QuestionName, SearchQuestions } from '../search/search-questions.ts';
import { isOneOf, type ReadHandle, Repository, type WriteHandle } from './repository-context.ts';

export interface SearchTerm {
  field: string;
  text: string;
}

/** SDK levels of a manifest. With them all of its reports' terms are given. */
export interface SdkLevels {
  minSdk: number | null;
  targetSdk: number | null;
}

/** What is indexed of an APK's reports. */
export interface TermsOfApk {
  apkId: number;
  terms: readonly SearchTerm[];
  /** Absent: unchanged. */
  sdk?: SdkLevels;
  /** Names in its code, separated by blanks; absent or null: unchanged. */
  names?: string | null;
}

type StoredTerm = readonly [field: string, text: string];

/** Letters that are indexed in some 5 milliseconds. */
const lettersAtOnce = 5000;
/** Terms, or APKs that have them, that are looked up or written in some 20 milliseconds. */
const termsAtOnce = 2000;
const keptTerms = (terms: readonly SearchTerm[]): StoredTerm[] =>
  terms.slice(0, maxTermsOfApk).map(({ field, text }) => [field, text.slice(0, maxTermLength)]);
/** So many are examined in some 20 milliseconds. */
const fewApks = 10_000;
/** Larger numbers are no SDK levels. */
const maxSdk = 10_000;
const sdkLevel = (level: number | null) => (level !== null && level >= 0 && level <= maxSdk ? level : null);

/** Splits a list into parts, between which other work can run. */
async function* slicesOf<T>(list: readonly T[]): AsyncGenerator<T[]> {
  for (let from = 0; from < list.length; from += termsAtOnce) {
    if (from > 0) await setImmediate();
    yield list.slice(from, from + termsAtOnce);
  }
}

async function addTerms(database: WriteHandle, terms: readonly StoredTerm[]): Promise<void> {
  await sql`insert or ignore into search_terms (field, text)
    select value ->> 0, value ->> 1 from json_each(${JSON.stringify(terms)})`.execute(database);
}

/** @returns ids in the terms' order, null where a term is not in the index */
async function idsOf(database: ReadHandle, terms: readonly StoredTerm[]): Promise<(number | null)[]> {
  const { rows } = await sql<{ id: number | null }>`select s.id from json_each(${JSON.stringify(terms)}) j
    left join search_terms s on s.field = j.value ->> 0 and s.text = j.value ->> 1 order by j.key`.execute(database);
  return rows.map(({ id }) => id);
}

/** Inserts the terms that are not in the index. @returns ids in the terms' order */
export async function ensureTerms(database: WriteHandle, terms: readonly StoredTerm[]): Promise<(number | null)[]> {
  const ids = await idsOf(database, terms);
  const missing = terms.filter((_, at) => ids[at] === null);
  if (missing.length === 0) return ids;
  await addTerms(database, missing);
  const added = (await idsOf(database, missing)).values();
  return ids.map((id) => id ?? added.next().value ?? null);
}

/** An APK and the id of a term that it has. */
type TermUse = readonly [term: number, apk: number];

/** Resolves the terms of APKs to ids, inserting new ones; looks up each term once. @returns by APK, then by id */
async function termUses(
  database: WriteHandle,
  uses: readonly { apkId: number; term: StoredTerm }[],
): Promise<TermUse[]> {
  const terms: StoredTerm[] = [];
  const places = new Map<string, number>();
  const used = uses.map(({ apkId, term }) => {
    const key = term.join('\0');
    let place = places.get(key);
    if (place === undefined) {
      place = terms.push(term) - 1;
      places.set(key, place);
    }
    return { apkId, place };
  });
  const ids: (number | null)[] = [];
  for await (const some of slicesOf(terms)) ids.push(...(await ensureTerms(database, some)));
  return used.map(({ apkId, place }) => [ids[place]!, apkId] as const).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

/** Links APKs with their terms. @param uses in the order of the table, so that neighbouring rows are written together */
async function addTermsOfApks(database: WriteHandle, uses: readonly TermUse[]): Promise<void> {
  for await (const some of slicesOf(uses))
    await sql`insert or ignore into apk_terms (term_id, apk_id)
      select value ->> 0, value ->> 1 from json_each(${JSON.stringify(some)})`.execute(database);
}

/** Replaces the indexed names of APKs' code. */
async function setNames(database: WriteHandle, apks: readonly TermsOfApk[]): Promise<void> {
  for (const { apkId, names } of apks) {
    if (typeof names !== 'string') continue;
    await sql`insert or replace into apk_names (rowid, names) values (${apkId}, ${names})`.execute(database);
  }
}

async function forgetTerms(database: WriteHandle, apkIds: readonly number[], fields: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`select apk_id as id from indexed_reports
    where ${isOneOf('apk_id', apkIds)}`.execute(database);
  if (rows.length === 0) return;
  const known = JSON.stringify(rows.map(({ id }) => id));
  await sql`delete from apk_terms where (term_id, apk_id) in (
    select t.term_id, t.apk_id from json_each(${known}) a
    cross join apk_terms t on t.apk_id = a.value cross join search_terms s on s.id = t.term_id
    where s.field in (select value from json_each(${JSON.stringify(fields)})))`.execute(database);
}

/** What is counted or taken from the same reports as the terms. */
async function setNumbers(database: WriteHandle, apks: readonly TermsOfApk[]): Promise<void> {
  const isHost = ({ field }: SearchTerm) => (hostFields as readonly string[]).includes(field);
  const numbers = apks.flatMap(({ apkId, sdk, terms }) =>
    sdk === undefined ? [] : [[apkId, sdkLevel(sdk.minSdk), sdkLevel(sdk.targetSdk), terms.filter(isHost).length]],
  );
  if (numbers.length === 0) return;
  await sql`update apks set min_sdk = value ->> 1, target_sdk = value ->> 2, hosts_count = value ->> 3
    from json_each(${JSON.stringify(numbers)}) where apks.id = value ->> 0`.execute(database);
}

/** The terms of an app that may bring thousands, in parts that are written in some milliseconds each. */
export function* termParts(terms: readonly SearchTerm[]): Generator<SearchTerm[]> {
  const most = Math.min(terms.length, maxTermsOfApk);
  for (let from = 0; from < most; ) {
    let letters = 0;
    let to = from;
    while (to < most && letters < lettersAtOnce) {
      letters += Math.min(maxTermLength, terms[to]!.text.length);
      to += 1;
    }
    yield terms.slice(from, to);
    from = to;
  }
}

export class SearchIndexRepository<Handle extends ReadHandle = ReadHandle> extends Repository<Handle> {
  /**
   * Asks the search thread, which sees what is committed.
   * @param signal aborted when the answer is no longer needed
   * @throws UnknownPlaceError
   */
  ask<Name extends QuestionName>(
    name: Name,
    question: SearchQuestions[Name]['question'],
    signal?: AbortSignal,
  ): Promise<SearchQuestions[Name]['answer']> {
    if (this.context.searches === undefined) throw new Error('There are no searches within a transaction.');
    return this.context.searches.ask(name, question, signal);
  }

  /** Inserts new terms. @param terms few enough not to delay other work: see `termParts` */
  async addTerms(this: SearchIndexRepository<WriteHandle>, terms: readonly SearchTerm[]): Promise<void> {
    await addTerms(this.database, keptTerms(terms));
  }

  /** Adds a file name by which an APK is found. */
  async addFileName(this: SearchIndexRepository<WriteHandle>, apkId: number, name: string): Promise<void> {
    const [term] = keptTerms([{ field: 'filename', text: name }]);
    await addTermsOfApks(this.database, await termUses(this.database, [{ apkId, term: term! }]));
    await sql`insert into apk_changes (apk_id, part) values (${apkId}, 'terms')`.execute(this.database);
  }

  /**
   * Replaces the terms of APKs in these fields, and their SDK levels and names in code where given.
   * @param apks distinct; many at once are far faster than one after the other
   */
  async replaceTerms(
    this: SearchIndexRepository<WriteHandle>,
    fields: readonly string[],
    apks: readonly TermsOfApk[],
  ): Promise<void> {
    const apkIds = apks.map(({ apkId }) => apkId);
    const uses = apks.flatMap(({ apkId, terms }) => keptTerms(terms).map((term) => ({ apkId, term })));
    await setNumbers(this.database, apks);
    await forgetTerms(this.database, apkIds, fields);
    await addTermsOfApks(this.database, await termUses(this.database, uses));
    await setNames(this.database, apks);
    await sql`insert into indexed_reports (apk_id, created_at)
      select value, ${this.clock()} from json_each(${JSON.stringify(apkIds)}) where true
      on conflict (apk_id) do update set created_at = excluded.created_at`.execute(this.database);
  }

  /** Up to so many are read sooner than a thread starts. */
  async #readerOfMany(): Promise<ReadHandle> {
    const { rows } = await sql<{ id: number | null }>`select max(id) as id from apks`.execute(this.database);
    return (rows[0]!.id ?? 0) > fewApks ? this.rowReader : this.database;
  }

  /**
   * APKs with a static report whose terms are not in the index, with ids above `afterId`. Uses the index of APKs: that of
   * kinds would be read whole each time.
   */
  async unindexed(afterId: number, limit: number): Promise<number[]> {
    const { rows } = await sql<{ id: number }>`
      select apk_id as id from reports where +kind = 'androguard' and apk_id > ${afterId}
        and not exists (select 1 from indexed_reports i where i.apk_id = reports.apk_id)
      order by apk_id limit ${limit}
    `.execute(await this.#readerOfMany());
    return rows.map(({ id }) => id);
  }
}
