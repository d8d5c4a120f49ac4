// A thread that reads the catalogue for searches, so that a long read holds up nobody else. Cannot write.
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase, { type Statement } from 'better-sqlite3';
import { failedReply, type ThreadReply } from './answering-thread.ts';
import type { ReaderQuestion } from './reader-thread.ts';

/** Page cache, in KiB: the index's hot part. */
const cacheKibibytes = 131_072;
/** Searches differ in shape without end; the common shapes stay prepared. */
const maxStatements = 200;

const database = new SqliteDatabase(workerData as string, { readonly: true, timeout: 10_000 });
database.pragma(`cache_size = -${cacheKibibytes}`);
database.pragma('temp_store = memory');
const statements = new Map<string, Statement<unknown[], unknown>>();

function prepare(sql: string): Statement<unknown[], unknown> {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  if (statements.size >= maxStatements) statements.clear();
  const statement = database.prepare<unknown[], unknown>(sql);
  statements.set(sql, statement);
  return statement;
}

parentPort?.on('message', ({ id, sql, parameters }: ReaderQuestion) => {
  let reply: ThreadReply;
  try {
    reply = { kind: 'answer', id, answer: prepare(sql).all(...parameters) };
  } catch (error) {
    reply = failedReply(id, error);
  }
  parentPort?.postMessage(reply);
});
