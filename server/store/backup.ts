// Copies a data folder into a backup while a server may be writing to it, and puts one back. Knows no account and no API.
import {
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
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
  isMemberName,
  partialName,
  readBackup,
  unpackInto,
} from './backup-file.ts';
import { lockFolder } from './folder-lock.ts';
import { databaseName, refuseLostCatalogue } from './lost-catalogue.ts';
import { migrations } from './migrations/index.ts';
import { pendingMigrations } from './migrator.ts';
import { DataFolderError, storageFaultOf } from './store-errors.ts';

/** What a data folder holds for the running server alone, or could make again. `apks` and the database are taken apart. */
const leftOut =
  /^(?:lock\.(?:db|json)(?:-journal)?|server\.json|catalogue\.db(?:-wal|-shm|-journal)?|apks|cache|logs|backups|moved\.json|damaged-.*|catalogue\.db\.repairing)$/;
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
  refuseLostCatalogue(folder);
  const live = join(folder, databaseName);
  if (!existsSync(live))
    throw new DataFolderError('damaged', `${folder} is not a data folder: it has no ${databaseName}.`);
  if (!statSync(dirname(target), { throwIfNoEntry: false })?.isDirectory()) {
    throw new BackupError(`${dirname(target)} is no folder that a backup could be written to.`);
  }
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) throw new BackupError(`${target} is a folder.`);
  removePartial(target);
  try {
    return await writeWhole(folder, target, progress, now);
  } catch (error) {
    const fault = storageFaultOf(error);
    throw fault === null ? error : new BackupError(`${target} cannot be written: ${fault}.`);
  } finally {
    removePartial(target);
  }
}

async function writeWhole(
  folder: string,
  target: string,
  progress: BackupProgress,
  now: Date,
): Promise<BackupManifest> {
  const live = join(folder, databaseName);
  const snapshotPath = `${partialName(target)}-${databaseName}`;
  takeSnapshot(live, snapshotPath);
  const writer = new BackupWriter(target, progress.advance);
  const snapshot = new SqliteDatabase(snapshotPath);
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
    const others = otherFiles(realpathSync(folder), join(realpathSync(dirname(target)), basename(target)));
    bytes += others.reduce((sum, { size }) => sum + size, 0);
    progress.total(2 * bytes);

    for (const { name, path } of others) await writer.add(name, path, true);
    const addAll = async (hashes: readonly string[]) => {
      const absent: string[] = [];
      for (const sha256 of hashes) {
        const name = apkName(sha256);
        if (!(await writer.add(name, join(folder, name), false))) absent.push(sha256);
      }
      return absent;
    };
    const absent = await addAll(apks);
    const listed = forgetDeleted(snapshot, live, absent);
    // What was deleted and uploaded again meanwhile has its file by now.
    const withoutFile = await addAll(listed);
    snapshot.close();
    await writer.add(databaseName, snapshotPath, true);
    return await writer.finish({
      created_at: now.toISOString(),
      apks: apks.length - absent.length + listed.length,
      apks_without_file: withoutFile,
    });
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    snapshot.close();
  }
}

/** Removes what a backup that was cut off has left beside its target. */
export function removePartial(target: string): void {
  const name = partialName(basename(target));
  for (const one of readdirSync(dirname(target))) {
    if (one.startsWith(name)) rmSync(join(dirname(target), one), { force: true });
  }
}

/** The database as of one moment, in one file, without stopping its writers. */
function takeSnapshot(live: string, path: string): void {
  const connection = openToRead(live);
  try {
    // SQLite would make it for everybody to read, wherever the backup goes.
    writeFileSync(path, '', { mode: 0o600 });
    connection.prepare('vacuum into ?').run(path);
  } finally {
    connection.close();
  }
}

/** @throws DataFolderError where it cannot be read: SQLite notes beside it who reads */
function openToRead(live: string): SqliteDatabase.Database {
  const connection = new SqliteDatabase(live, { readonly: true, timeout: 10_000 });
  try {
    connection.pragma('schema_version');
    return connection;
  } catch (error) {
    connection.close();
    const { message, code = '' } = error as Error & { code?: string };
    if (!/^SQLITE_(?:IOERR|CANTOPEN|READONLY)/.test(code)) throw error;
    const advice = 'It takes a little room beside it: make some, or copy the folder to another disk first.';
    throw new DataFolderError('not-writable', `${live} cannot be read (${message}). ${advice}`);
  }
}

/**
 * Removes from the snapshot the APKs that were deleted while their files were being copied.
 * @returns those of `absent` that the workstation lists
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

/** @param target the backup itself may be written into the folder that it is made of */
function otherFiles(folder: string, target: string): OtherFile[] {
  const files: OtherFile[] = [];
  const visit = (directory: string) => {
    for (const entry of entriesOf(directory)) {
      if (directory === folder && leftOut.test(entry.name)) continue;
      const path = join(directory, entry.name);
      const name = relative(folder, path).split(sep).join('/');
      if (entry.isDirectory()) visit(path);
      // What a file manager or a person has put there under a name of theirs is none of the installation's.
      else if (entry.isFile() && isMemberName(name) && !entry.name.endsWith('.tmp') && !path.startsWith(target)) {
        // Feeds come and go while a backup walks.
        const status = statSync(path, { throwIfNoEntry: false });
        if (status !== undefined) files.push({ name, path, size: status.size });
      }
    }
  };
  visit(folder);
  return files;
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
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
  const lock = isOccupied ? await lockFolder(folder) : null;
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const staging = join(dirname(folder), `.${basename(folder)}.restoring-${stamp}`);
  try {
    await mkdir(staging, { mode: 0o700 });
    progress.total(bytes);
    const manifest = await readBackup(file, { onFile: unpackInto(staging), progress: progress.advance });
    checkRestored(staging, manifest);
    endSessions(staging, file, now);
    // The lock goes along with the folder; only Windows renames none in which a file is open.
    if (process.platform === 'win32') lock?.release();
    const former = isOccupied ? `${folder}.before-${stamp}` : null;
    if (former !== null) renameSync(folder, former);
    else removeEmpty(folder);
    renameSync(staging, folder);
    await syncFolder(dirname(folder));
    return { manifest, former };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    throw error;
  } finally {
    lock?.release();
  }
}

/**
 * Nobody stays logged in across a restoration: a session that was ended since the backup was made would be open again.
 * Tokens of programs stay, since nobody could tell them new ones. The audit log says that it happened.
 */
function endSessions(folder: string, file: string, now: Date): void {
  const database = new SqliteDatabase(join(folder, databaseName), { fileMustExist: true });
  try {
    database.prepare("delete from tokens where kind = 'session'").run();
    noteInAudit(database, 'restore', file, now);
  } finally {
    database.close();
  }
}

/** For commands that work on the database without the workstation around it. */
function noteInAudit(database: SqliteDatabase.Database, action: string, subject: string, now: Date): void {
  // A backup of the first releases has no log yet.
  if (database.prepare("select 1 from sqlite_master where name = 'audit'").get() === undefined) return;
  database
    .prepare("insert into audit (at, username, address, action, subject, status) values (?, '', '', ?, ?, 200)")
    .run(now.getTime() * 1000, action, subject.slice(0, 500));
}

/** @throws DataFolderError where somebody has begun to use the folder since it was found empty */
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    if (code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
    throw new DataFolderError('in-use', `${folder} was empty and no longer is; nothing in it was changed.`);
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
