// Copies a data folder into a backup while a server may be writing to it, and puts one back. Knows no account and no API.
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir, rm, statfs } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { syncFolder } from '../vault/durable-file.ts';
import {
  BackupError,
  type BackupManifest,
  BackupWriter,
  type ByteProgress,
  backupBytes,
  readBackup,
  unpackInto,
} from './backup-file.ts';
import { lockFolder } from './folder-lock.ts';
import { migrations } from './migrations/index.ts';
import { pendingMigrations } from './migrator.ts';
import { DataFolderError } from './store-errors.ts';

/** What a data folder holds for the running server alone, or could make again. `apks` and the database are taken apart. */
const leftOut =
  /^(?:lock\.(?:db|json)(?:-journal)?|server\.json|catalogue\.db(?:-wal|-shm|-journal)?|apks|cache|logs|backups|moved\.json)$/;
const databaseName = 'catalogue.db';
/** Room that the file system must keep free beside what is restored. */
const spareBytes = 64 * 1024 ** 2;

export interface BackupProgress {
  /** Bytes to go through in all, as far as known when it starts; writing and verifying both count. */
  total(bytes: number): void;
  advance: ByteProgress;
}

const apkName = (sha256: string) => `apks/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

/**
 * Writes one verified file of the whole data folder: the database as of one moment, every APK of it, keys and settings.
 * A server may go on working; what it takes in after the start is not in the backup.
 * @param target an older file of this name is replaced once the new one is whole
 * @throws DataFolderError where there is no data folder; BackupError where the written file fails its verification
 */
export async function writeBackup(
  dataDir: string,
  target: string,
  { progress, now }: { progress: BackupProgress; now: Date },
): Promise<BackupManifest> {
  const folder = resolve(dataDir);
  const live = join(folder, databaseName);
  if (!existsSync(live))
    throw new DataFolderError('damaged', `${folder} is not a data folder: it has no ${databaseName}.`);
  const snapshotPath = `${target}.partial-${databaseName}`;
  rmSync(snapshotPath, { force: true });
  takeSnapshot(live, snapshotPath);
  const snapshot = new SqliteDatabase(snapshotPath);
  const writer = new BackupWriter(target, progress.advance);
  try {
    snapshot.pragma('foreign_keys = on');
    const rows = snapshot.prepare('select lower(hex(sha256)), size from apks').raw().iterate() as IterableIterator<
      [string, number]
    >;
    const apks: string[] = [];
    let bytes = statSync(snapshotPath).size;
    for (const [sha256, size] of rows) {
      apks.push(sha256);
      bytes += size;
    }
    const others = otherFiles(folder);
    bytes += others.reduce((sum, { size }) => sum + size, 0);
    progress.total(2 * bytes);

    for (const { name, path } of others) await writer.add(name, path, true);
    const absent: string[] = [];
    for (const sha256 of apks) {
      const name = apkName(sha256);
      if (!(await writer.add(name, join(folder, name), false))) absent.push(sha256);
    }
    const withoutFile = forgetDeleted(snapshot, live, absent);
    snapshot.close();
    await writer.add(databaseName, snapshotPath, true);
    return await writer.finish({
      created_at: now.toISOString(),
      apks: apks.length - absent.length + withoutFile.length,
      apks_without_file: withoutFile,
    });
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    snapshot.close();
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(snapshotPath + suffix, { force: true });
  }
}

/** The database as of one moment, in one file, without stopping its writers. */
function takeSnapshot(live: string, path: string): void {
  const connection = new SqliteDatabase(live, { readonly: true, timeout: 10_000 });
  try {
    connection.prepare('vacuum into ?').run(path);
  } finally {
    connection.close();
  }
}

/**
 * Removes from the snapshot the APKs that were deleted while their files were being copied.
 * @returns those of `absent` that the workstation still lists: their file was lost before
 */
function forgetDeleted(snapshot: SqliteDatabase.Database, live: string, absent: readonly string[]): string[] {
  if (absent.length === 0) return [];
  const connection = new SqliteDatabase(live, { readonly: true, timeout: 10_000 });
  try {
    const isListed = connection.prepare('select 1 from apks where sha256 = unhex(?)').pluck();
    const remove = snapshot.prepare('delete from apks where sha256 = unhex(?)');
    return absent.filter((sha256) => {
      if (isListed.get(sha256) !== undefined) return true;
      remove.run(sha256);
      return false;
    });
  } finally {
    connection.close();
  }
}

interface OtherFile {
  /** Path below the data folder, with `/`. */
  name: string;
  path: string;
  size: number;
}

function otherFiles(folder: string): OtherFile[] {
  const files: OtherFile[] = [];
  const visit = (directory: string) => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (directory === folder && leftOut.test(entry.name)) continue;
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && !entry.name.endsWith('.tmp')) {
        files.push({ name: relative(folder, path).split(sep).join('/'), path, size: statSync(path).size });
      }
    }
  };
  visit(folder);
  return files;
}

/**
 * Verifies a backup and puts it in the place of a data folder. Nothing is touched before everything is verified; a
 * folder that is there already is kept beside it under another name.
 * @param mayReplace whether a folder with anything in it may be set aside
 * @returns where the former folder is now, null where there was none
 * @throws BackupError where the backup fails its verification; DataFolderError where the folder is in use or not empty
 */
export async function restoreBackup(
  file: string,
  dataDir: string,
  { mayReplace, progress, now }: { mayReplace: boolean; progress: BackupProgress; now: Date },
): Promise<{ manifest: BackupManifest; former: string | null }> {
  const folder = resolve(dataDir);
  const isOccupied = existsSync(folder) && readdirSync(folder).length > 0;
  if (isOccupied && !mayReplace) {
    throw new DataFolderError('in-use', `${folder} is not empty, and nothing in it was changed.`);
  }
  const bytes = await backupBytes(file);
  mkdirSync(dirname(folder), { recursive: true });
  const { bavail, bsize } = await statfs(dirname(folder));
  if (bavail * bsize < bytes + spareBytes) {
    throw new BackupError(`${dirname(folder)} has room for ${bavail * bsize} bytes, and the backup holds ${bytes}.`);
  }
  // Held to the end: no server may start on the folder meanwhile, and none may be running on it.
  const lock = isOccupied ? lockFolder(folder) : null;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const staging = join(dirname(folder), `.${basename(folder)}.restoring-${stamp}`);
  try {
    await mkdir(staging, { mode: 0o700 });
    progress.total(bytes);
    const manifest = await readBackup(file, { onFile: unpackInto(staging), progress: progress.advance });
    checkRestored(staging, manifest);
    let former: string | null = null;
    lock?.release();
    if (existsSync(folder)) {
      if (isOccupied) {
        former = `${folder}.before-${stamp}`;
        renameSync(folder, former);
      } else rmSync(folder, { recursive: true });
    }
    renameSync(staging, folder);
    await syncFolder(dirname(folder));
    return { manifest, former };
  } catch (error) {
    lock?.release();
    await rm(staging, { recursive: true, force: true });
    throw error;
  }
}

/** @throws BackupError, DataFolderError `newer` */
function checkRestored(folder: string, manifest: BackupManifest): void {
  if (!existsSync(join(folder, 'keys', 'master.key'))) {
    throw new BackupError('The backup has no master key: its APKs could never be read.');
  }
  const database = new SqliteDatabase(join(folder, databaseName), { fileMustExist: true });
  try {
    const state = database.pragma('integrity_check(1)', { simple: true });
    if (state !== 'ok') throw new BackupError(`The backup's database is damaged: ${state}.`);
    const broken = database.pragma('foreign_key_check') as unknown[];
    if (broken.length > 0) throw new BackupError("The backup's database is damaged: records refer to missing ones.");
    pendingMigrations(database, migrations);
    const withoutFile = new Set(manifest.apks_without_file);
    for (const sha256 of database
      .prepare('select lower(hex(sha256)) from apks')
      .pluck()
      .iterate() as IterableIterator<string>) {
      if (manifest.files[apkName(sha256)] === undefined && !withoutFile.has(sha256)) {
        throw new BackupError(`The APK ${sha256} is missing in the backup.`);
      }
    }
  } finally {
    database.close();
  }
}
