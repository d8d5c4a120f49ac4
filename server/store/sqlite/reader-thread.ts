// A read-only connection to the catalogue in a thread of its own, as kysely's driver. Knows no table.
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Database } from '../schema/database.ts';
import { AnsweringThread } from './answering-thread.ts';

const program = new URL(`./reader-worker.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url);

export interface ReaderQuestion {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}

class ReaderConnection implements DatabaseConnection {
  readonly #thread: AnsweringThread;

  constructor(thread: AnsweringThread) {
    this.#thread = thread;
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return { rows: await this.#thread.ask<R[]>({ sql, parameters }) };
  }

  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Readers answer whole.');
  }
}

/** A database that only reads, off the main thread. `destroy` ends the thread. */
export function openReader(path: string, onError: (error: unknown) => void): Kysely<Database> {
  const thread = new AnsweringThread(program, path, { onError });
  const connection = new ReaderConnection(thread);
  const noTransaction = async () => {
    throw new Error('A reader has no transactions.');
  };
  const dialect: Dialect = {
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => connection,
      releaseConnection: async () => undefined,
      beginTransaction: noTransaction,
      commitTransaction: noTransaction,
      rollbackTransaction: noTransaction,
      destroy: () => thread.close(),
    }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database: Kysely<unknown>) => new SqliteIntrospector(database),
  };
  return new Kysely<Database>({ dialect });
}
