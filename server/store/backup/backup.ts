// Copies a data folder into a backup while a server may be writing to it. Knows no account and no API.
import {
  type Dirent,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { createPassphraseWriter } from '../../vault/passphrase-seal.ts';
import { holdLock, refuseFarHolder } from '../files/folder-lock.ts';
import { allHeld, heldBy } from '../held-files.ts';
import { databaseName, refuseLostCatalogue } from '../lost-catalogue.ts';
import { DataFolderError, storageFaultOf } from '../store-errors.ts';
import {
  BackupError,
  type BackupManifest,
  BackupWriter,
  type ByteProgress,
  isMemberName,
  partialName,
} from './backup-file.ts';

/** Files of the running server alone, or that can be made again. `apks` and the database are added separately. */
const leftOut =
  /^(?:lock\.(?:db|json)(?:-journal)?|server\.json|catalogue\.db(?:-wal|-shm|-journal)?|apks|cache|logs|backups|moved\.json|damaged-.*|catalogue\.db\.repairing)$/;

export interface BackupProgress {
  /** Total bytes to process, as far as known at the start; writing and verifying both count. */
  total(bytes: number): void;
  advance: ByteProgress;
}

/** The file of an APK within a data folder. */
export const apkName = (sha256: string) => `apks/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;

export interface BackupOptions {
  progress: BackupProgress;
  now: Date;
  /** Encrypts the backup; null: anybody who has the file can read it. */
  passphrase?: string | null;
  /** Includes the certificate authority of sharing, whose key proves this machine's identity to teammates. */
  withAuthority?: boolean;
}

/**
 * Writes one verified file of the whole data folder: the database as of one moment, every APK of it, keys and settings.
 * A server may go on working; what it takes in after the start is not in the backup.
 * @param target an older file of this name is replaced once the new one is whole
 * @throws DataFolderError where there is no data folder; BackupError where the written file fails its verification
 */
export async function writeBackup(dataDir: string, target: string, options: BackupOptions): Promise<BackupManifest> {
  const folder = resolve(dataDir);
  refuseLostCatalogue(folder);
  await refuseFarHolder(folder);
  const live = join(folder, databaseName);
  if (!existsSync(live))
    throw new DataFolderError('damaged', `${folder} is not a data folder: it has no ${databaseName}.`);
  if (!statSync(dirname(target), { throwIfNoEntry: false })?.isDirectory()) {
    throw new BackupError(`${dirname(target)} is no folder that a backup could be written to.`);
  }
  if (statSync(target, { throwIfNoEntry: false })?.isDirectory()) throw new BackupError(`${target} is a folder.`);
  removePartial(target, folder);
  try {
    return await writeWhole(folder, target, options);
  } catch (error) {
    const fault = storageFaultOf(error);
    throw fault === null ? error : new BackupError(`${target} cannot be written: ${fault}.`);
  } finally {
    removePartial(target, folder);
  }
}

async function writeWhole(
  folder: string,
  target: string,
  { progress, now, passphrase = null, withAuthority = false }: BackupOptions,
): Promise<BackupManifest> {
  const live = join(folder, databaseName);
  const sealed =
    passphrase === null ? null : { passphrase, writer: await createPassphraseWriter(partialName(target), passphrase) };
  const writer = new BackupWriter(target, progress.advance, sealed);
  let copy: Snapshot | undefined;
  try {
    copy = takeSnapshot(live, sealed === null ? `${partialName(target)}-${databaseName}` : null);
    const snapshot = copy.database;
    snapshot.pragma('foreign_keys = on');
    const apks: string[] = [];
    let bytes = statSync(live).size;
    for (const [sha256, size] of allHeld(snapshot)) {
      apks.push(sha256);
      bytes += size;
    }
    const others = otherFiles(realpathSync(folder), join(realpathSync(dirname(target)), basename(target))).filter(
      ({ name }) => withAuthority || !isOfSharing(name),
    );
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
    // An APK that was deleted and uploaded again meanwhile has its file again.
    const withoutFile = await addAll(listed);
    await writer.add(databaseName, copy.content(), true);
    return await writer.finish({
      created_at: now.toISOString(),
      apks: apks.length - absent.length + listed.length,
      apks_without_file: withoutFile,
    });
  } catch (error) {
    await writer.abandon();
    throw error;
  } finally {
    copy?.database.close();
  }
}

/** Of `keys/`, all but the master key is the authority's and the shared server's, which are made anew when missing. */
export const isOfSharing = (name: string): boolean => /^keys\/(?!master\.key)/.test(name);

/** Removes temporary files of an interrupted backup, beside its target and in the data folder. */
export function removePartial(target: string, folder: string): void {
  rmSync(join(folder, unsealedSnapshot), { force: true });
  const name = partialName(basename(target));
  for (const one of readdirSync(dirname(target))) {
    if (one.startsWith(name)) rmSync(join(dirname(target), one), { force: true });
  }
}

/** The database as of one moment. */
interface Snapshot {
  database: SqliteDatabase.Database;
  /** The finished snapshot: a path, or its bytes. */
  content(): string | Buffer;
}

/** Free memory that a snapshot needs, in sizes of the database: two copies at the end, and what SQLite itself takes. */
const memoryShare = 3;
/** Path of a snapshot too large for memory: in the data folder, where the database is unencrypted anyway. */
const unsealedSnapshot = 'cache/backup-snapshot.db';

/**
 * Takes a snapshot without stopping the writers.
 * @param path of the snapshot; null: it will be encrypted, and is kept in memory if it fits
 */
function takeSnapshot(live: string, path: string | null): Snapshot {
  const connection = openToRead(live);
  try {
    if (path === null && memoryShare * statSync(live).size < process.availableMemory()) return inMemory(connection);
    const file = path ?? join(dirname(live), unsealedSnapshot);
    if (path === null) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // SQLite would create it readable by everybody.
    writeFileSync(file, '', { mode: 0o600 });
    connection.prepare('vacuum into ?').run(file);
    const database = new SqliteDatabase(file);
    const content = () => {
      database.close();
      return file;
    };
    return { database, content };
  } finally {
    connection.close();
  }
}

/** Path of a snapshot whose pages lie where they do in the database; `vacuum into` would move them. */
const pagesName = 'cache/backup-pages.db';

/** Removes what an interrupted run has left of such a snapshot. */
export const removePages = (folder: string): void => rmSync(join(folder, pagesName), { force: true });

/**
 * Takes a snapshot page by page, into the data folder, without stopping the writers.
 * @throws BackupError where another one is under way
 */
export async function pagesSnapshot(
  live: string,
): Promise<{ database: SqliteDatabase.Database; path: string; remove: () => void }> {
  const path = join(dirname(live), pagesName);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = holdLock(`${path}.lock`);
  if (lock === null) throw new BackupError('Another backup of this workstation is under way.');
  const remove = () => {
    rmSync(path, { force: true });
    lock.close();
  };
  const connection = openToRead(live);
  try {
    // SQLite would create it readable by everybody.
    writeFileSync(path, '', { mode: 0o600 });
    // One moment is read to the end: without it, what others write meanwhile begins the copy anew.
    connection.exec('begin; select 1 from sqlite_schema');
    await connection.backup(path);
    const database = new SqliteDatabase(path);
    database.pragma('journal_mode = delete');
    database.pragma('foreign_keys = on');
    return { database, path, remove };
  } catch (error) {
    remove();
    throw error;
  } finally {
    connection.close();
  }
}

function inMemory(connection: SqliteDatabase.Database): Snapshot {
  const bytes = connection.serialize();
  // Memory has no write-ahead log: the file format's two version numbers say so (https://www.sqlite.org/fileformat.html).
  bytes.fill(1, 18, 20);
  const database = new SqliteDatabase(bytes);
  const state = database.pragma('quick_check(1)', { simple: true });
  if (state === 'ok') return { database, content: () => database.serialize() };
  database.close();
  throw new BackupError(`The database is damaged: ${state}.`);
}

/** @throws DataFolderError where it cannot be read: SQLite needs to create files beside it */
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
export function forgetDeleted(snapshot: SqliteDatabase.Database, live: string, absent: readonly string[]): string[] {
  if (absent.length === 0) return [];
  const connection = new SqliteDatabase(live, { readonly: true, timeout: 10_000 });
  try {
    const isListed = heldBy(connection);
    const removals = ['apks', 'trash'].map((table) => snapshot.prepare(`delete from ${table} where sha256 = unhex(?)`));
    return absent.filter((sha256) => {
      if (isListed(sha256)) return true;
      for (const remove of removals) remove.run(sha256);
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

/**
 * Files of a data folder that are neither APKs nor the database.
 * @param target the backup itself may be written into the folder that it is made of
 */
export function otherFiles(folder: string, target: string | null = null): OtherFile[] {
  const files: OtherFile[] = [];
  const visit = (directory: string) => {
    for (const entry of entriesOf(directory)) {
      if (directory === folder && leftOut.test(entry.name)) continue;
      const path = join(directory, entry.name);
      const name = relative(folder, path).split(sep).join('/');
      if (entry.isDirectory()) visit(path);
      // Files of file managers, or that a person put there, do not belong to the installation.
      else if (
        entry.isFile() &&
        isMemberName(name) &&
        !entry.name.endsWith('.tmp') &&
        (target === null || !path.startsWith(target))
      ) {
        // Packages of the feed come and go while the backup runs.
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
