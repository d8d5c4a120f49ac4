// A thread that reads long lists of row ids for the search thread, so that no page waits for them. Cannot write.
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';
import { failedReply, type ThreadReply } from '../sqlite/answering-thread.ts';
import { type IdLoad, loadedSet } from './id-load.ts';

export interface LoadQuestion {
  id: number;
  loads: readonly IdLoad[];
  capacity: number;
}

const cacheKibibytes = 65_536;

const database = new SqliteDatabase(workerData as string, { readonly: true, timeout: 10_000 });
database.pragma(`cache_size = -${cacheKibibytes}`);
database.pragma('temp_store = memory');

const load = database.transaction((loads: readonly IdLoad[], capacity: number) => loadedSet(database, loads, capacity));

parentPort?.on('message', ({ id, loads, capacity }: LoadQuestion) => {
  try {
    const bits = load(loads, capacity);
    parentPort?.postMessage({ kind: 'answer', id, answer: bits } satisfies ThreadReply, [bits.buffer as ArrayBuffer]);
  } catch (error) {
    parentPort?.postMessage(failedReply(id, error));
  }
});
