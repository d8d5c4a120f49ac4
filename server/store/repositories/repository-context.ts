// What every repository works with. Knows no table.
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../schema.ts';
import type { SearchThread } from '../search/search-thread.ts';
import type { TableRevisions } from '../sqlite/sqlite-dialect.ts';

/** What a repository has outside of transactions: it reads. */
export type ReadHandle = Pick<Kysely<Database>, 'selectFrom' | 'getExecutor'>;
/**
 * What it has within one. Methods that write say so in their signature, `this: ApkRepository<WriteHandle>`, and can be
 * called of no other.
 */
export type WriteHandle = Transaction<Database>;

export interface RepositoryContext<Handle extends ReadHandle> {
  /** The open database, or a transaction on it. */
  database: Handle;
  clock: Clock;
  /** Threads that only read, for what takes long; absent within a transaction, which sees its own writes. */
  readers?: Readers;
  /** For writes that a power failure may take back; absent within a transaction. */
  unsynced?: Kysely<Database>;
  /** A number that changes with what is written to tables; absent within a transaction. */
  revisions?: TableRevisions;
  /** The thread that searches; absent within a transaction. */
  searches?: SearchThread;
}

export interface Readers {
  rows: ReadHandle;
  /** A thread of its own, so that a long count holds up nobody's rows. */
  counts: ReadHandle;
}

/** What every repository begins with: where its queries go. */
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

  /** For rows that take long to find. */
  protected get rowReader(): ReadHandle {
    return this.context.readers?.rows ?? this.context.database;
  }

  /** For counts. */
  protected get countReader(): ReadHandle {
    return this.context.readers?.counts ?? this.context.database;
  }
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
