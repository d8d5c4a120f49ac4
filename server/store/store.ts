// Opens a data folder: lock, database, migrations, repositories, files. The only way into the catalogue.
import { accessSync, closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import SqliteDatabase from 'better-sqlite3';
import { Kysely } from 'kysely';
import { ensureMasterKey, readMasterKey } from '../vault/master-key.ts';
import type { FileState } from './apk-repository.ts';
import { Checkpoints } from './checkpoints.ts';
import { type Clock, systemClock } from './clock.ts';
import { FileStore } from './file-store.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { migrations } from './migrations/index.ts';
import { migrate, pendingMigrations } from './migrator.ts';
import { openReader } from './reader-thread.ts';
import { type Repositories, repositories } from './repositories.ts';
import type { Database } from './schema.ts';
import { SearchThread } from './search-thread.ts';
import { sqliteDialect, TableRevisions } from './sqlite-dialect.ts';
import { DataFolderError, isDatabaseDamage, storageFaultOf } from './store-errors.ts';

export type { Repositories };

export interface Store extends Repositories {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly files: FileStore;
  /** Tells whether a table was written to since something of it was read. */
  readonly revisions: TableRevisions;
  /**
   * Runs the work in one write transaction; it is rolled back where the work throws. Within the work use only the
   * repositories that it is given: any other query waits for the transaction's end, for ever.
   */
  transaction<T>(work: (inside: Repositories) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface StoreLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface OpenStoreOptions {
  log: StoreLog;
  /** false: a short visit of another process while a server may run (`token create`). True by default. */
  exclusive?: boolean;
  /** The system's time by default. */
  clock?: Clock;
}

/** Pages of the write-ahead log at which a writer empties it itself, 64 MiB: before that `Checkpoints` does. */
const maxWalPages = 16_384;
/** How long a write waits for another process's (a `token create` takes some milliseconds), in milliseconds. */
const busyTimeout = 10_000;
/** Page cache, in KiB: the hot part of a catalogue of some hundred thousand APKs. */
const cacheKibibytes = 65_536;

/**
 * Opens a data folder, making it where there is none.
 * @throws DataFolderError where another workstation runs on it, or it cannot be used
 */
export async function openStore(dataDir: string, options: OpenStoreOptions): Promise<Store> {
  const folder = resolve(dataDir);
  const { log, exclusive = true, clock = systemClock } = options;
  makeFolder(folder);
  let lock: FolderLock | null = null;
  let connection: BetterSqlite3.Database | null = null;
  try {
    if (exclusive) lock = lockFolder(folder);
    connection = openDatabase(join(folder, 'catalogue.db'));
    const keyPath = join(folder, 'keys', 'master.key');
    const pending = pendingMigrations(connection, migrations);
    if (pending.length === migrations.length && !existsSync(keyPath)) {
      lock ??= lockFolder(folder);
      ensureMasterKey(keyPath);
    }
    if (pending.length > 0) {
      lock ??= lockFolder(folder);
      migrate(connection, migrations, clock());
      log.info({ migrations: pending.map(({ name }) => name) }, 'the catalogue was brought to the current schema');
    }
    const masterKey = readKey(keyPath);
    if (!exclusive) {
      lock?.release();
      lock = null;
    }
    return connectedStore({ folder, connection, lock, masterKey, clock, log });
  } catch (error) {
    connection?.close();
    lock?.release();
    const { code, message } = error as NodeJS.ErrnoException;
    const fault = code === 'EACCES' ? message : storageFaultOf(error);
    if (fault === null) throw error;
    const advice = `${code === 'EACCES' ? 'Give it to this user' : 'Make room there'}, or choose another data folder.`;
    throw new DataFolderError('not-writable', `The data folder ${folder} cannot be used: ${fault}. ${advice}`);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const database = join(folder, 'catalogue.db');
    if (existsSync(database)) accessSync(database, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new DataFolderError('not-writable', `The data folder ${folder} cannot be used: ${(error as Error).message}`);
  }
}

function openDatabase(path: string): BetterSqlite3.Database {
  // SQLite would make it for everybody to read, and the folder may be one that others enter. One that is there is left
  // alone: closing it would let go of the locks that another connection of this process holds on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
  const connection = new SqliteDatabase(path, { timeout: busyTimeout });
  try {
    connection.pragma('journal_mode = wal');
    // An acknowledged upload survives a power failure: every commit is on the disk before it returns.
    connection.pragma('synchronous = full');
    connection.pragma('foreign_keys = on');
    connection.pragma(`cache_size = -${cacheKibibytes}`);
    connection.pragma('temp_store = memory');
    connection.pragma(`wal_autocheckpoint = ${maxWalPages}`);
    return connection;
  } catch (error) {
    connection.close();
    if (isDatabaseDamage(error)) {
      throw new DataFolderError(
        'damaged',
        `${path} is damaged (${(error as Error).message}). Restore it from a backup.`,
      );
    }
    throw error;
  }
}

function readKey(path: string): Uint8Array {
  try {
    return readMasterKey(path);
  } catch (error) {
    throw new DataFolderError(
      'damaged',
      `The master key cannot be read, and without it no stored APK: ${(error as Error).message}. Restore it from a backup.`,
    );
  }
}

interface OpenStoreParts {
  folder: string;
  connection: BetterSqlite3.Database;
  lock: FolderLock | null;
  masterKey: Uint8Array;
  clock: Clock;
  log: StoreLog;
}

function connectedStore({ folder, connection, lock, masterKey, clock, log }: OpenStoreParts): Store {
  const path = join(folder, 'catalogue.db');
  const revisions = new TableRevisions(connection);
  const database = new Kysely<Database>({ dialect: sqliteDialect(connection, revisions) });
  const readers = { rows: openReader(path), counts: openReader(path) };
  const searches = new SearchThread(path);
  const checkpoints = new Checkpoints(path);

  const afterCommit = (callback: () => void) => {
    try {
      callback();
    } catch (error) {
      // What was written stays written: whoever wrote it must not hear of a failure.
      log.warn({ error }, 'a listener to a change of the catalogue failed');
    }
  };
  const outside = repositories({ database, clock, readers, searches, revisions }, afterCommit);

  /** Notes on files that are still being written to the catalogue. */
  const notes = new Set<Promise<void>>();
  const noteFileState = (sha256: string, state: FileState) => {
    if (state !== 'ok') log.warn({ sha256, state }, 'a stored file is not as it was');
    const note = outside.apks
      .noteFileState(sha256, state)
      .catch((error: unknown) => log.warn({ sha256, state, error }, 'the state of a stored file could not be noted'))
      .finally(() => notes.delete(note));
    notes.add(note);
  };
  const files = new FileStore({ folder: join(folder, 'apks'), masterKey, onState: noteFileState });
  if (lock !== null) {
    const isHeld = connection.prepare('select 1 from apks where sha256 = unhex(?)').pluck();
    files.sweep((sha256) => isHeld.get(sha256) !== undefined);
  }

  return {
    ...outside,
    dataDir: folder,
    clock,
    files,
    revisions,
    async transaction(work) {
      const callbacks: (() => void)[] = [];
      const result = await database
        .transaction()
        .execute((inside) =>
          work(repositories({ database: inside, clock }, (callback) => void callbacks.push(callback))),
        );
      for (const callback of callbacks) afterCommit(callback);
      return result;
    },
    async close() {
      await Promise.all(notes);
      await searches.close();
      await checkpoints.close();
      await readers.rows.destroy();
      await readers.counts.destroy();
      await database.destroy();
      connection.close();
      lock?.release();
    },
  };
}
