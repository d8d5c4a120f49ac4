// Opens a data folder: lock, database, migrations, repositories, files. The only way into the catalogue.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import { Kysely } from 'kysely';
import { ensureMasterKey, keyDigest } from '../vault/master-key.ts';
import { finishReplacement } from './backup/folder-replacement.ts';
import { type Clock, systemClock } from './clock.ts';
import { FileStore } from './files/file-store.ts';
import { type FolderLock, type LockOptions, lockFolder, refuseFarHolder } from './files/folder-lock.ts';
import { awaitedBy, heldBy } from './held-files.ts';
import { databaseName, keyPath, readFolderKey, refuseEmptied, refuseLostCatalogue } from './lost-catalogue.ts';
import type { FileState } from './repositories/apk-repository.ts';
import { type Reads, repositories, type Writes } from './repositories/repositories.ts';
import type { ReadHandle } from './repositories/repository-context.ts';
import type { Database } from './schema/database.ts';
import { SearchThread } from './search/search-thread.ts';
import { Checkpoints } from './sqlite/checkpoints.ts';
import { migrations } from './sqlite/migrations/index.ts';
import { type Migration, migrate, pendingMigrations } from './sqlite/migrator.ts';
import { enterWal, openDatabase, settleDatabase } from './sqlite/open-database.ts';
import { openReader } from './sqlite/reader-thread.ts';
import { sqliteDialect, TableRevisions, TransactionScope } from './sqlite/sqlite-dialect.ts';
import { StoreCondition } from './store-condition.ts';
import { DataFolderError, storageFaultOf } from './store-errors.ts';
import { TrustedTime } from './trusted-time.ts';

export type { Reads, Writes };

/** Reads; `transaction` alone writes. */
export interface Store extends Reads {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly files: FileStore;
  /** The time from which ages are counted. */
  readonly trustedTime: TrustedTime;
  readonly condition: StoreCondition;
  /** Tells whether a table was written to since something of it was read. */
  readonly revisions: TableRevisions;
  /**
   * Runs the work in one write transaction; it is rolled back where the work throws. Within the work all queries are
   * those of the repositories that it is given: any other would wait for the transaction's end, and throws.
   */
  transaction<T>(work: (inside: Writes) => Promise<T>): Promise<T>;
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
  lock?: LockOptions;
}

/** Milliseconds until a disk that was full is tried again. */
const roomInterval = 5_000;

/**
 * Opens a data folder, making it where there is none.
 * @throws DataFolderError where another workstation runs on it, or it cannot be used
 */
export async function openStore(dataDir: string, options: OpenStoreOptions): Promise<Store> {
  const folder = resolve(dataDir);
  const { log, exclusive = true, clock = systemClock } = options;
  await finishReplacement(folder);
  const isReadOnly = makeFolder(folder);
  refuseLostCatalogue(folder);
  let lock: FolderLock | null = null;
  let connection: BetterSqlite3.Database | null = null;
  try {
    // A read-only folder needs no lock.
    if (exclusive && !isReadOnly) lock = await lockFolder(folder, options.lock);
    else await refuseFarHolder(folder, options.lock);
    connection = openDatabase(join(folder, databaseName), { isReadOnly, isAlone: lock !== null });
    const pending = pendingMigrations(connection, migrations);
    if (!hasInstallation(connection, pending)) refuseEmptied(folder, 'holds nothing');
    const isFirst = pending.length === migrations.length;
    if (!isReadOnly && (isFirst || pending.length > 0)) lock ??= await lockFolder(folder, options.lock);
    if (isFirst) ensureMasterKey(keyPath(folder));
    enterWal(connection);
    if (pending.length > 0) {
      migrate(connection, migrations, clock());
      log.info({ migrations: pending.map(({ name }) => name) }, 'the catalogue was brought to the current schema');
    }
    const masterKey = readFolderKey(folder);
    bindToKey(connection, masterKey, folder);
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

/** @returns whether it can only be read */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.X_OK);
    const database = join(folder, databaseName);
    for (const path of existsSync(database) ? [folder, database] : [folder]) {
      accessSync(path, constants.R_OK);
      if (isOnReadOnlyDisk(path)) return true;
    }
    return false;
  } catch (error) {
    throw new DataFolderError('not-writable', `The data folder ${folder} cannot be used: ${(error as Error).message}`);
  }
}

/** @throws the system's error where this user may not write what others may */
function isOnReadOnlyDisk(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
    return true;
  }
}

/** Whether the row is there that the first migration writes, and nothing ever removes. */
function hasInstallation(connection: BetterSqlite3.Database, pending: readonly Migration[]): boolean {
  if (pending.includes(migrations[0]!)) return false;
  return connection.prepare('select 1 from installation').get() !== undefined;
}

/** Notes whose key seals the files of this catalogue, and compares. @throws DataFolderError `damaged` */
function bindToKey(connection: BetterSqlite3.Database, masterKey: Uint8Array, folder: string): void {
  const digest = keyDigest(masterKey);
  const noted = connection.prepare('select key_sha256 from installation').pluck().get() as string | null;
  if (noted === digest) return;
  if (noted !== null) {
    throw new DataFolderError(
      'damaged',
      `${join(folder, databaseName)} and ${keyPath(folder)} are of two installations: with this key none of its APKs could be read, and nothing was changed. Bring the two together that belong together, or restore a backup.`,
    );
  }
  try {
    connection.prepare('update installation set key_sha256 = ?').run(digest);
  } catch (error) {
    // A later start notes it.
    if (storageFaultOf(error) === null) throw error;
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

interface TransactionParts {
  database: Kysely<Database>;
  scope: TransactionScope;
  clock: Clock;
  log: StoreLog;
}

/** How the open database writes. */
function transactions({ database, scope, clock, log }: TransactionParts): Store['transaction'] {
  const callBack = (callback: () => void) => {
    try {
      callback();
    } catch (error) {
      // The transaction is committed: a failing callback must not look like a failed write.
      log.warn({ error }, 'a listener to a change of the catalogue failed');
    }
  };
  return async (work) => {
    const callbacks: (() => void)[] = [];
    const afterCommit = (callback: () => void) => void callbacks.push(callback);
    const result = await database
      .transaction()
      .execute((inside) => scope.run(() => work({ ...repositories({ database: inside, clock }), afterCommit })));
    for (const callback of callbacks) callBack(callback);
    return result;
  };
}

/** Records the state of stored files in the catalogue, outside of any transaction that is open. */
class FileStates {
  readonly #transaction: Store['transaction'];
  readonly #scope: TransactionScope;
  readonly #log: StoreLog;
  /** Those that are still being written. */
  readonly #notes = new Set<Promise<void>>();

  constructor(transaction: Store['transaction'], scope: TransactionScope, log: StoreLog) {
    this.#transaction = transaction;
    this.#scope = scope;
    this.#log = log;
  }

  readonly note = (sha256: string, state: FileState): void => {
    const log = this.#log;
    if (state !== 'ok') log.warn({ sha256, state }, 'a stored file is not as it was');
    const note = this.#scope
      .beside(() => this.#transaction(({ apks }) => apks.noteFileState(sha256, state)))
      .catch((error: unknown) => log.warn({ sha256, state, error }, 'the state of a stored file could not be noted'))
      .finally(() => this.#notes.delete(note));
    this.#notes.add(note);
  };

  /** Resolves when nothing is being written. */
  settled = (): Promise<unknown> => Promise.all(this.#notes);
}

function connectedStore({ folder, connection, lock, masterKey, clock, log }: OpenStoreParts): Store {
  const path = join(folder, databaseName);
  const revisions = new TableRevisions(connection);
  const trustedTime = new TrustedTime(connection, clock);
  const condition = new StoreCondition({
    databasePath: path,
    keyPath: keyPath(folder),
    masterKey,
    warn: (details, message) => log.warn(details, message),
  });
  const onError = (error: unknown) => condition.noteError(error);
  const scope = new TransactionScope();
  const guard = { beforeWrite: () => lock?.confirm(), onError, isWithinTransaction: () => scope.isWithin };
  const database = new Kysely<Database>({ dialect: sqliteDialect(connection, revisions, guard) });
  const readers = { rows: openReader(path, onError), counts: openReader(path, onError) };
  const searches = new SearchThread(path, onError);
  const checkpoints = new Checkpoints(path, lock?.holder ?? null);

  const outside = repositories<ReadHandle>({ database, clock, readers, unsynced: database, searches, revisions });

  const transaction = transactions({ database, scope, clock, log });
  const fileStates = new FileStates(transaction, scope, log);
  const files = new FileStore({
    folder: join(folder, 'apks'),
    masterKey,
    onState: fileStates.note,
    isReadOnly: connection.readonly,
  });
  if (lock !== null) {
    files.sweep(heldBy(connection), awaitedBy(connection));
  }

  const room = setInterval(() => {
    if (enterWal(connection)) clearInterval(room);
  }, roomInterval).unref();

  return {
    ...outside,
    dataDir: folder,
    clock,
    files,
    trustedTime,
    condition,
    revisions,
    transaction,
    async close() {
      clearInterval(room);
      await condition.close();
      await fileStates.settled();
      await searches.close();
      await checkpoints.close();
      await readers.rows.destroy();
      await readers.counts.destroy();
      await database.destroy();
      if (lock !== null) settleDatabase(connection);
      connection.close();
      lock?.release();
    },
  };
}
