// Repairs a data folder whose catalogue is damaged, emptied or missing. The old files are set aside, never overwritten.
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { syncFolder } from '../../vault/durable-file.ts';
import { keyDigest } from '../../vault/master-key.ts';
import { type FolderLock, lockFolder } from '../files/folder-lock.ts';
import { heldBy } from '../held-files.ts';
import { databaseName, keyPath, readFolderKey, storedFiles } from '../lost-catalogue.ts';
import { migrations } from '../sqlite/migrations/index.ts';
import { migrate } from '../sqlite/migrator.ts';
import { DataFolderError } from '../store-errors.ts';
import { DatabasePages } from './database-pages.ts';
import { queueLostReports, restoreAccounts, restoreApks, restoreSigners } from './lost-records.ts';
import { dropDangling, type Rebuilt, rebuild, type TableSummary } from './rebuild.ts';
import { checkedTables, isWholeRow, type NamedRow } from './row-content.ts';

export interface RepairSummary {
  folder: string;
  /** false: nothing was wrong, and nothing was changed. */
  isRepaired: boolean;
  /** Folder of the damaged files; null where there were none. */
  setAside: string | null;
  /** By table, without those that were always empty. */
  tables: TableSummary[];
  /** Stored APKs whose record was recreated. */
  foundFiles: number;
  /** Names of stored files whose content does not match their name; they are left in place. */
  alteredFiles: string[];
}

const logParts = [`${databaseName}-shm`, `${databaseName}-journal`, `${databaseName}-wal`];
/** The new database until it is complete. */
const temporaryName = `${databaseName}.repairing`;
/** Prefix of the folders that keep damaged files. */
const setAsidePrefix = 'damaged-';

/**
 * Checks the catalogue of a folder that no server runs on, and rebuilds it where it is damaged.
 * @throws DataFolderError where a server runs on it, it is none, its key is missing, or a newer version has written it
 */
export async function repairDataFolder(folder: string, now: Date): Promise<RepairSummary> {
  if (!existsSync(join(folder, databaseName)) && !existsSync(keyPath(folder)) && !existsSync(join(folder, 'apks'))) {
    throw new DataFolderError('damaged', `${folder} is not a data folder.`);
  }
  const lock = await lockFolder(folder);
  try {
    const masterKey = readFolderKey(folder);
    if (isSound(folder, masterKey)) {
      return { folder, isRepaired: false, setAside: null, tables: [], foundFiles: 0, alteredFiles: [] };
    }
    return await remake(folder, masterKey, now, lock);
  } finally {
    lock.release();
  }
}

/** Whether everything can be read, and every stored file has its record. @throws DataFolderError of another key */
function isSound(folder: string, masterKey: Uint8Array): boolean {
  const path = join(folder, databaseName);
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return false;
  const connection = new SqliteDatabase(path, { readonly: true });
  try {
    const noted = connection.prepare('select key_sha256 from installation').pluck().get() as string | null;
    // What is no digest was damaged.
    if (noted !== null && !/^[0-9a-f]{64}$/.test(noted)) return false;
    if (noted !== null && noted !== keyDigest(masterKey)) {
      throw new DataFolderError(
        'damaged',
        `${path} and ${keyPath(folder)} are of two installations, and nothing was changed. Bring the two together that belong together first.`,
      );
    }
    if (connection.pragma('integrity_check(1)', { simple: true }) !== 'ok') return false;
    if ((connection.pragma('foreign_key_check') as unknown[]).length > 0) return false;
    const hasRecord = heldBy(connection);
    for (const sha256 of storedFiles(join(folder, 'apks'))) if (!hasRecord(sha256)) return false;
    return checkedTables.every((table) => isWholeTable(connection, table));
  } catch (error) {
    if (error instanceof DataFolderError) throw error;
    return false;
  } finally {
    connection.close();
  }
}

/** Checks the values of rows: damage that leaves a page well-formed. */
function isWholeTable(connection: SqliteDatabase.Database, table: string): boolean {
  for (const row of connection.prepare(`select * from "${table}"`).iterate()) {
    if (!isWholeRow(table, row as NamedRow)) return false;
  }
  return true;
}

async function remake(folder: string, masterKey: Uint8Array, now: Date, lock: FolderLock): Promise<RepairSummary> {
  const temporary = join(folder, temporaryName);
  const microseconds = now.getTime() * 1000;
  rmSync(temporary, { force: true });
  writeFileSync(temporary, '', { mode: 0o600 });
  // Without a database file its write-ahead log may still have pages.
  const isMissing = !existsSync(join(folder, databaseName));
  if (isMissing) writeFileSync(join(folder, databaseName), '', { mode: 0o600 });
  const pages = new DatabasePages(join(folder, databaseName));
  try {
    const rebuilt = rebuild(pages, temporary, microseconds);
    let found: Pick<RepairSummary, 'foundFiles' | 'alteredFiles'>;
    try {
      found = complete(rebuilt, { folder: join(folder, 'apks'), masterKey, now: microseconds });
    } finally {
      rebuilt.database.close();
    }
    const descriptor = openSync(temporary, 'r+');
    fsyncSync(descriptor);
    closeSync(descriptor);
    lock.confirm();
    const setAside = await swap(folder, temporary, now);
    const tables = [...rebuilt.tables.values()].filter(({ kept, restored, lost }) => kept + restored > 0 || lost !== 0);
    return { folder, isRepaired: true, setAside, tables, ...found };
  } finally {
    pages.close();
    rmSync(temporary, { force: true });
  }
}

/** Recreates lost records, removes dangling references, and checks the integrity of the result. */
function complete(
  { database, salvage, tables }: Rebuilt,
  files: { folder: string; masterKey: Uint8Array; now: number },
): Pick<RepairSummary, 'foundFiles' | 'alteredFiles'> {
  database.exec('commit');
  // Records are recreated under the current schema.
  migrate(database, migrations, files.now);
  database.exec('begin');
  const note = (table: string, restored: number) => {
    const summary = tables.get(table)!;
    summary.restored = restored;
    if (summary.lost !== null) summary.lost = Math.max(0, summary.lost - restored);
  };
  note('signers', restoreSigners(database, salvage));
  note('accounts', restoreAccounts(database, salvage, files.now));
  const apks = restoreApks(database, salvage, files);
  note('apks', apks.restored);
  queueLostReports(database, files.now);
  database.prepare('update installation set key_sha256 = ?').run(keyDigest(files.masterKey));
  for (const [table, count] of dropDangling(database)) {
    const summary = tables.get(table);
    if (summary === undefined) continue;
    summary.kept -= count;
    if (summary.lost !== null) summary.lost += count;
  }
  database.exec('commit');
  const state = database.pragma('integrity_check(1)', { simple: true });
  if (state !== 'ok') throw new Error(`The new catalogue is not whole: ${state}. Nothing was changed.`);
  return { foundFiles: apks.foundFiles, alteredFiles: apks.alteredFiles };
}

/** Replaces the damaged database by the new one and keeps it in a folder of its own. @returns that folder */
async function swap(folder: string, temporary: string, now: Date): Promise<string> {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  let setAside = join(folder, `${setAsidePrefix}${stamp}`);
  for (let again = 2; existsSync(setAside); again += 1) setAside = join(folder, `${setAsidePrefix}${stamp}-${again}`);
  mkdirSync(setAside, { mode: 0o700 });
  // The damaged database stays until it is replaced; its write-ahead log must not be applied to the new one.
  keepAt(join(folder, databaseName), join(setAside, databaseName));
  await syncFolder(setAside);
  for (const part of logParts) {
    if (existsSync(join(folder, part))) renameSync(join(folder, part), join(setAside, part));
  }
  renameSync(temporary, join(folder, databaseName));
  await syncFolder(setAside);
  await syncFolder(folder);
  return setAside;
}

/** A hard link to a file, or a copy where the file system has no links. */
function keepAt(path: string, second: string): void {
  try {
    linkSync(path, second);
  } catch {
    copyFileSync(path, second);
  }
}
