// What every repository works with. Knows no table.
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../schema.ts';
import type { SearchThread } from '../search/search-thread.ts';
import type { TableRevisions } from '../sqlite/sqlite-dialect.ts';

export interface RepositoryContext {
  /** The open database, or a transaction on it. */
  database: Kysely<Database>;
  clock: Clock;
  /** Threads that only read, for what takes long; absent within a transaction, which sees its own writes. */
  readers?: Readers;
  /** A number that changes with what is written to tables; absent within a transaction. */
  revisions?: TableRevisions;
  /** The thread that searches; absent within a transaction. */
  searches?: SearchThread;
}

export interface Readers {
  rows: Kysely<Database>;
  /** A thread of its own, so that a long count holds up nobody's rows. */
  counts: Kysely<Database>;
}

/** Runs the work in a transaction: the one that is already open, else one of its own. */
export function atomically<T>(database: Kysely<Database>, work: (inside: Kysely<Database>) => Promise<T>): Promise<T> {
  return database.isTransaction ? work(database) : database.transaction().execute(work);
}

/** Whether a write failed because a record with the same key exists. */
export function isDuplicate(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** A condition on a list of ids whose statement is the same for every length, so that it is prepared once. */
export function isOneOf(column: string, ids: readonly number[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;
}
