// Reads all ids of a condition, by any kind of source. Knows no condition.
import type BetterSqlite3 from 'better-sqlite3';
import { addIdsOf, type IdQuery } from './id-query.ts';
import { emptySet, type IdSet } from './id-set.ts';
import { addApksOf, type TermLists } from './term-lists.ts';

/** A source of ids, as plain data that can be sent to the loader thread. */
export type IdLoad = IdQuery | TermLists;

/** Leaves out ids beyond the capacity: they were created after the question, and are among the changes. */
export function loadedSet(connection: BetterSqlite3.Database, loads: readonly IdLoad[], capacity: number): IdSet {
  const set = emptySet(capacity);
  for (const load of loads) {
    if (load.terms !== undefined) addApksOf(connection, load, set);
    else addIdsOf(connection, load, set);
  }
  return set;
}
