// A read-only connection to the catalogue in a thread of its own, as kysely's driver. Knows no table.
import { Worker } from 'node:worker_threads';
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
import type { Database } from './schema.ts';

export interface ReaderQuestion {
  id: number;
  sql: string;
  parameters: readonly unknown[];
}
export type ReaderAnswer = { id: number; rows: unknown[] } | { id: number; error: string };

interface Waiting {
  resolve(rows: unknown[]): void;
  reject(error: Error): void;
}

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Starts its thread with the first question and again should it ever end. */
class ReaderThread implements DatabaseConnection {
  readonly #path: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | null = null;
  #nextId = 0;

  constructor(path: string) {
    this.#path = path;
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = this.#nextId;
    this.#nextId += 1;
    return new Promise<QueryResult<R>>((resolve, reject) => {
      this.#waiting.set(id, { resolve: (rows) => resolve({ rows: rows as R[] }), reject });
      // The process stays up for as long as an answer is due, and no longer.
      worker.ref();
      worker.postMessage({ id, sql, parameters } satisfies ReaderQuestion);
    });
  }

  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Readers answer whole.');
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL(`./reader-worker.${extension}`, import.meta.url), { workerData: this.#path });
    worker.on('message', (answer: ReaderAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (this.#waiting.size === 0) worker.unref();
      if ('error' in answer) waiting?.reject(new Error(answer.error));
      else waiting?.resolve(answer.rows);
    });
    const end = (error: Error) => {
      if (this.#worker === worker) this.#worker = null;
      for (const { reject } of this.#waiting.values()) reject(error);
      this.#waiting.clear();
    };
    worker.once('error', end);
    worker.once('exit', () => end(new Error('The reader of the catalogue has ended.')));
    return worker;
  }
}

/** A database that only reads, off the main thread. `destroy` ends the thread. */
export function openReader(path: string): Kysely<Database> {
  const thread = new ReaderThread(path);
  const noTransaction = async () => {
    throw new Error('A reader has no transactions.');
  };
  const dialect: Dialect = {
    createDriver: () => ({
      init: async () => undefined,
      acquireConnection: async () => thread,
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
