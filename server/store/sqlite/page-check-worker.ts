// A thread that looks through the pages of the catalogue once, table by table. Cannot write, and knows no table by name.
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import SqliteDatabase from 'better-sqlite3';

/** How many times as long as a table took it waits before the next one, so that other readers are not slowed down. */
const pauses = 10;

const database = new SqliteDatabase(workerData as string, { readonly: true, timeout: 10_000 });
const tables = database.prepare("select name from sqlite_schema where type = 'table' and rootpage > 0").pluck().all();
let damage: string | null = null;
for (const table of ['sqlite_schema', ...(tables as string[])]) {
  const started = performance.now();
  const found = database.pragma(`quick_check("${table}")`, { simple: true }) as string;
  if (found !== 'ok') damage ??= `${table}: ${found}`;
  await sleep(pauses * (performance.now() - started));
}
database.close();
parentPort?.postMessage(damage);
