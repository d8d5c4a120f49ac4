// Opens the catalogue's database; read-only where its disk is full or read-only. Knows no table.
import { closeSync, existsSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import BetterSqlite3 from 'better-sqlite3';
import { DataFolderError, isDatabaseDamage, storageFaultOf } from '../store-errors.ts';

/** Pages of the write-ahead log at which a writer empties it itself, 64 MiB: before that `Checkpoints` does. */
const maxWalPages = 16_384;
/** How long a write waits for another process's (a `token create` takes some milliseconds), in milliseconds. */
const busyTimeout = 10_000;
/** Page cache, in KiB: the hot part of a catalogue of some hundred thousand APKs. */
const cacheKibibytes = 65_536;

export interface OpenDatabaseOptions {
  /** The folder takes no writes. */
  isReadOnly: boolean;
  /** Nobody else has the database open: the folder is locked. */
  isAlone: boolean;
}

/** @throws DataFolderError `damaged`; the system's and SQLite's errors */
export function openDatabase(path: string, options: OpenDatabaseOptions): BetterSqlite3.Database {
  // SQLite would make it for everybody to read, and the folder may be one that others enter. One that is there is left
  // alone: closing it would let go of the locks that another connection of this process holds on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  try {
    return connect(path, options);
  } catch (error) {
    if (isDatabaseDamage(error)) {
      throw new DataFolderError(
        'damaged',
        `${path} is damaged (${(error as Error).message}). Save what can be read of it (apk-workstation repair), or restore a backup.`,
      );
    }
    // A write-ahead log needs a file beside it even to be read, for which a full disk has no room.
    if (storageFaultOf(error) === null || options.isReadOnly || !options.isAlone || !leaveWal(path)) throw error;
    return connect(path, options);
  }
}

function connect(path: string, { isReadOnly }: OpenDatabaseOptions): BetterSqlite3.Database {
  const connection = new BetterSqlite3(path, { timeout: busyTimeout, readonly: isReadOnly });
  try {
    connection.pragma('schema_version');
    // An acknowledged upload survives a power failure: every commit is on the disk before it returns.
    connection.pragma('synchronous = full');
    connection.pragma('foreign_keys = on');
    connection.pragma(`cache_size = -${cacheKibibytes}`);
    connection.pragma('temp_store = memory');
    connection.pragma(`wal_autocheckpoint = ${maxWalPages}`);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** @returns whether it writes through a write-ahead log from now on, which a disk without room refuses */
export function enterWal(connection: BetterSqlite3.Database): boolean {
  if (connection.readonly || connection.inTransaction) return false;
  try {
    return connection.pragma('journal_mode = wal', { simple: true }) === 'wal';
  } catch (error) {
    const { code } = error as { code?: string };
    if (storageFaultOf(error) === null && code !== 'SQLITE_BUSY') throw error;
    return false;
  }
}

/** Makes one file of a database that is about to be closed: it can be read where nothing can be made beside it. */
export function settleDatabase(connection: BetterSqlite3.Database): void {
  if (connection.readonly) return;
  try {
    connection.pragma('busy_timeout = 0');
    connection.pragma('journal_mode = delete');
  } catch {
    // Another process is reading, or the disk is full: the log stays, and is applied at the next start.
  }
}

/** Bytes of the header that say how a database is written and read, 1: in itself, 2: with a write-ahead log. */
const versionsAt = 18;

/**
 * Marks a database whose write-ahead log is empty as one without. It is done in place, since SQLite itself would want
 * room for it (https://sqlite.org/fileformat2.html, section 1.3.3).
 * @returns whether there was anything to mark
 */
function leaveWal(path: string): boolean {
  if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return false;
  const descriptor = openSync(path, 'r+');
  try {
    const versions = Buffer.alloc(2);
    readSync(descriptor, versions, 0, 2, versionsAt);
    if (versions[0] !== 2 || versions[1] !== 2) return false;
    writeSync(descriptor, Buffer.from([1, 1]), 0, 2, versionsAt);
    return true;
  } finally {
    closeSync(descriptor);
  }
}
