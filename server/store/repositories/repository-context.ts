// What every repository works with. Knows no table.
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../schema/database.ts';
import type { SearchThread } from '../search/search-thread.ts';
import type { TableRevisions } from '../sqlite/sqlite-dialect.ts';

/** The handle of a repository outside of transactions: for reading alone. */
export type ReadHandle = Pick<Kysely<Database>, 'selectFrom' | 'getExecutor'>;
/**
 * The handle within a transaction. Methods that write declare `this: ApkRepository<WriteHandle>`, so that outside of one
 * calls do not compile.
 */
export type WriteHandle = Transaction<Database>;

export interface RepositoryContext<Handle extends ReadHandle> {
  /** The open database, or a transaction on it. */
  database: Handle;
  clock: Clock;
  /** Threads for long reads; absent within a transaction, which must see its own writes. */
  readers?: Readers;
  /** For writes without fsync, which a power failure may lose; absent within a transaction. */
  unsynced?: Kysely<Database>;
  /** Version numbers of tables, which change with every write; absent within a transaction. */
  revisions?: TableRevisions;
  /** The thread that searches; absent within a transaction. */
  searches?: SearchThread;
}

export interface Readers {
  rows: ReadHandle;
  /** A thread of its own, so that long counts do not delay rows. */
  counts: ReadHandle;
}

/** Base class of the repositories: where their queries go. */
export class Repository<Handle extends ReadHandle> {
  protected readonly context: RepositoryContext<Handle>;

  constructor(context: RepositoryContext<Handle>) {
    this.context = context;
  }

  protected get database(): Handle {
    return this.context.database;
  }

  /** Microseconds since 1970 UTC. */
  protected get clock(): Clock {
    return this.context.clock;
  }

  /** For queries that take long. */
  protected get rowReader(): ReadHandle {
    return this.context.readers?.rows ?? this.context.database;
  }

  /** For counts. */
  protected get countReader(): ReadHandle {
    return this.context.readers?.counts ?? this.context.database;
  }
}

/** Whether a write failed by a unique constraint. */
export function isDuplicate(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
}

/** A condition on a list of ids whose SQL does not depend on its length, so that it is prepared once. */
export function isOneOf(column: string, ids: readonly number[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;
}
