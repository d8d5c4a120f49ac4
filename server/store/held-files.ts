// Which stored files belong to a record, be it in the catalogue, in its trash or a part of an app, or to a job. Reads databases of every version.
import type SqliteDatabase from 'better-sqlite3';

type Connection = SqliteDatabase.Database;

/** SQL behind `from` that gives sha256 and size of every file with a record. */
function heldFiles(connection: Connection): string {
  const has = (table: string) =>
    connection.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined;
  const held = ['select sha256, size from apks'];
  if (has('trash')) held.push("select sha256, size from trash where kind = 'apk'");
  // `union`: a part may be an APK of its own as well.
  if (has('apk_parts')) held.push('select sha256, size from apk_parts');
  return `(${held.join(' union ')})`;
}

/** Whether a file has a record. @returns a question, by sha256 in hex */
export function heldBy(connection: Connection): (sha256: string) => boolean {
  const query = connection.prepare(`select 1 from ${heldFiles(connection)} where sha256 = unhex(?)`).pluck();
  return (sha256) => query.get(sha256) !== undefined;
}

/** Whether a job has yet to read a file that was received. @returns a question, by the file's name */
export function awaitedBy(connection: Connection): (name: string) => boolean {
  const query = connection
    .prepare("select 1 from jobs where status in ('queued', 'running') and payload ->> '$.file' = ?")
    .pluck();
  return (name) => query.get(name) !== undefined;
}

/** Every file that has a record: sha256 in lower-case hex, bytes. */
export const allHeld = (connection: Connection): IterableIterator<[sha256: string, size: number]> =>
  connection
    .prepare(`select lower(hex(sha256)), size from ${heldFiles(connection)}`)
    .raw()
    .iterate() as never;
