// Finds the APKs of many terms of reports: the longest lists are read first, and then whatever is less work. Reads only.
import type BetterSqlite3 from 'better-sqlite3';
import { addIdsOf, type IdQuery, idsOf } from './id-query.ts';
import { addRange, bothOf, type IdSet, idsIn, noneOf, sizeOf } from './id-set.ts';

/** APKs with any of some terms. */
export interface TermLists {
  /** The terms, among others of other fields. */
  terms: IdQuery;
  /** By term: the number of its field. */
  fields: Uint8Array;
  /** The number of the wanted terms' field. */
  field: number;
  /** Those that most APKs have. */
  longest: readonly number[];
  /** Of the other terms, about. */
  restRows: number;
  /** APKs up to this id are wanted. */
  newestApk: number;
}

/** What takes as long as reading so many rows of a list. */
const rowsOfTest = 20;
const rowsOfSeek = 4;
const rowsOfWantedTerm = 2;
/** Terms that stand in fewer APKs of the sample may be of any length. */
const leastSampled = 3;
/** Runs of terms to a query, whose ids are then few enough to be read at once. */
const runsAtOnce = 20_000;
/** Of a run, so that it fits into one number with its first term. */
const longestRun = 1024;

/**
 * Which lists are worth reading before APKs are looked at one by one: those that name many that longer ones do not.
 * @param samples the wanted terms of some APKs each
 * @param apks how many APKs there are in all
 */
export function longestLists(
  samples: readonly (readonly number[])[],
  apks: number,
): Pick<TermLists, 'longest' | 'restRows'> {
  const apksOf = new Map<number, number[]>();
  for (const [apk, terms] of samples.entries()) {
    for (const term of terms) {
      const own = apksOf.get(term);
      if (own === undefined) apksOf.set(term, [apk]);
      else own.push(apk);
    }
  }
  const ranked = [...apksOf].filter(([, own]) => own.length >= leastSampled).sort((a, b) => b[1].length - a[1].length);
  const found = new Set<number>();
  const longest: number[] = [];
  let left = samples.reduce((sum, terms) => sum + terms.length, 0);
  for (const [term, own] of ranked) {
    const added = own.filter((apk) => !found.has(apk));
    if (added.length * rowsOfTest <= own.length) continue;
    longest.push(term);
    left -= own.length;
    for (const apk of added) found.add(apk);
  }
  return { longest, restRows: (left * apks) / Math.max(1, samples.length) };
}

function missingOf(set: IdSet, newest: number): IdSet {
  const all = new Uint32Array(set.length);
  addRange(all, 1, newest + 1);
  return bothOf(all, noneOf(set));
}

/** The terms but for the longest, upwards. */
function restOf(connection: BetterSqlite3.Database, { terms, fields, field, longest }: TermLists): Uint32Array {
  const isRead = new Set(longest);
  const rest: number[] = [];
  for (const ids of idsOf(connection, terms))
    for (const id of ids) if (fields[id] === field && !isRead.has(id)) rest.push(id);
  return Uint32Array.from(rest).sort();
}

/** Terms that follow each other, as those of an app do: its first one and how many follow, in one number. */
function runsOf(terms: Uint32Array): number[] {
  const runs: number[] = [];
  for (let at = 0; at < terms.length; ) {
    const first = terms[at]!;
    let length = 1;
    while (length < longestRun && terms[at + length] === first + length) length += 1;
    runs.push(first * longestRun + length - 1);
    at += length;
  }
  return runs;
}

/** Adds the APKs to a set, but for those beyond it. The caller has begun a transaction. */
export function addApksOf(connection: BetterSqlite3.Database, lists: TermLists, set: IdSet): void {
  for (const term of lists.longest)
    addIdsOf(connection, { sql: 'select apk_id from apk_terms where term_id = ?', parameters: [term] }, set);
  const missing = missingOf(set, lists.newestApk);
  const missingCount = sizeOf(missing);
  if (missingCount === 0) return;
  const rest = restOf(connection, lists);
  const runs = runsOf(rest);
  if (missingCount * rowsOfTest + rest.length * rowsOfWantedTerm < lists.restRows + runs.length * rowsOfSeek) {
    const sql = `select value from json_each(?) missing where exists (
      select 1 from apk_terms where apk_id = missing.value and +term_id in (select value from json_each(?)))`;
    addIdsOf(connection, { sql, parameters: [JSON.stringify(idsIn(missing)), JSON.stringify([...rest])] }, set);
    return;
  }
  const sql = `select apk_id from json_each(?) cross join apk_terms
    on term_id between value / ${longestRun} and value / ${longestRun} + value % ${longestRun}`;
  for (let at = 0; at < runs.length; at += runsAtOnce)
    addIdsOf(connection, { sql, parameters: [JSON.stringify(runs.slice(at, at + runsAtOnce))] }, set);
}
