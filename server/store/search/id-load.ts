// Reads all ids of a condition, of whichever kind they are looked up by. Knows no condition.
import type BetterSqlite3 from 'better-sqlite3';
import { addIdsOf, type IdQuery } from './id-query.ts';
import { emptySet, type IdSet } from './id-set.ts';
import { addApksOf, type TermLists } from './term-lists.ts';

/** Where ids come from, as plain data that crosses into the loader. */
export type IdLoad = IdQuery | TermLists;

/** Ids beyond the capacity are left out: they came after the question, and are among the changes. */
export function loadedSet(connection: BetterSqlite3.Database, loads: readonly IdLoad[], capacity: number): IdSet {
  const set = emptySet(capacity);
  for (const load of loads) {
    if (load.terms !== undefined) addApksOf(connection, load, set);
    else addIdsOf(connection, load, set);
  }
  return set;
}
