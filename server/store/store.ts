// Opens a data folder: lock, database, migrations, repositories, files. The only way into the catalogue.
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type BetterSqlite3 from 'better-sqlite3';
import SqliteDatabase from 'better-sqlite3';
import { Kysely } from 'kysely';
import { ensureMasterKey, readMasterKey } from '../vault/master-key.ts';
import { AccountRepository } from './account-repository.ts';
import { ActivityRepository } from './activity-repository.ts';
import { ApkRepository, type FileState } from './apk-repository.ts';
import { AuditRepository } from './audit-repository.ts';
import { Checkpoints } from './checkpoints.ts';
import { type Clock, systemClock } from './clock.ts';
import { CommentRepository } from './comment-repository.ts';
import { CompletionRepository } from './completion-repository.ts';
import { DetectionRepository } from './detection-repository.ts';
import { DryRunRepository } from './dry-run-repository.ts';
import { EmailRepository } from './email-repository.ts';
import { FeedRepository } from './feed-repository.ts';
import { FileStore } from './file-store.ts';
import { type FolderLock, lockFolder } from './folder-lock.ts';
import { FollowRepository } from './follow-repository.ts';
import { InvitationRepository } from './invitation-repository.ts';
import { JobRepository } from './job-repository.ts';
import { LimitRepository } from './limit-repository.ts';
import { MatchRepository } from './match-repository.ts';
import { migrations } from './migrations/index.ts';
import { migrate, pendingMigrations } from './migrator.ts';
import { NotificationRepository } from './notification-repository.ts';
import { openReader } from './reader-thread.ts';
import { ReportRepository } from './report-repository.ts';
import type { Readers, RepositoryContext } from './repository-context.ts';
import { RetrohuntRepository } from './retrohunt-repository.ts';
import { RulesetRepository } from './ruleset-repository.ts';
import { RulesetVersionRepository } from './ruleset-version-repository.ts';
import { RulesetVoteRepository } from './ruleset-vote-repository.ts';
import { SavedSearchRepository } from './saved-search-repository.ts';
import type { Database } from './schema.ts';
import { SearchIndexRepository } from './search-index-repository.ts';
import { SearchThread } from './search-thread.ts';
import { SettingsRepository } from './settings-repository.ts';
import { SignerRepository } from './signer-repository.ts';
import { sqliteDialect, TableRevisions } from './sqlite-dialect.ts';
import { StatisticsRepository } from './statistics-repository.ts';
import { StorageRepository } from './storage-repository.ts';
import { DataFolderError } from './store-errors.ts';
import { TokenRepository } from './token-repository.ts';
import { VoteRepository } from './vote-repository.ts';

/** One repository per aggregate, all on the same connection or within the same transaction. */
export interface Repositories {
  readonly accounts: AccountRepository;
  readonly activity: ActivityRepository;
  readonly apks: ApkRepository;
  readonly audit: AuditRepository;
  readonly comments: CommentRepository;
  readonly completions: CompletionRepository;
  readonly detections: DetectionRepository;
  readonly dryRuns: DryRunRepository;
  readonly emails: EmailRepository;
  readonly feeds: FeedRepository;
  readonly follows: FollowRepository;
  readonly invitations: InvitationRepository;
  readonly jobs: JobRepository;
  readonly limits: LimitRepository;
  readonly matches: MatchRepository;
  readonly notifications: NotificationRepository;
  readonly reports: ReportRepository;
  readonly retrohunts: RetrohuntRepository;
  readonly rulesets: RulesetRepository;
  readonly rulesetVersions: RulesetVersionRepository;
  readonly rulesetVotes: RulesetVoteRepository;
  readonly savedSearches: SavedSearchRepository;
  readonly search: SearchIndexRepository;
  readonly settings: SettingsRepository;
  readonly signers: SignerRepository;
  readonly statistics: StatisticsRepository;
  readonly storage: StorageRepository;
  readonly tokens: TokenRepository;
  readonly votes: VoteRepository;
  /** Calls back once what was written is on disk: at once outside a transaction, after the commit within one. */
  afterCommit(callback: () => void): void;
}

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
  let lock = exclusive ? lockFolder(folder) : null;
  let connection: BetterSqlite3.Database | null = null;
  try {
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
    return new OpenStore({ folder, connection, lock, masterKey, clock, log });
  } catch (error) {
    connection?.close();
    lock?.release();
    throw error;
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new DataFolderError('not-writable', `The data folder ${folder} cannot be used: ${(error as Error).message}`);
  }
}

function openDatabase(path: string): BetterSqlite3.Database {
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
    const code = (error as { code?: string }).code;
    if (code === 'SQLITE_NOTADB' || code === 'SQLITE_CORRUPT') {
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

function repositories(context: RepositoryContext, afterCommit: Repositories['afterCommit']): Repositories {
  return {
    accounts: new AccountRepository(context),
    activity: new ActivityRepository(context),
    apks: new ApkRepository(context),
    audit: new AuditRepository(context),
    comments: new CommentRepository(context),
    completions: new CompletionRepository(context),
    detections: new DetectionRepository(context),
    dryRuns: new DryRunRepository(context),
    emails: new EmailRepository(context),
    feeds: new FeedRepository(context),
    follows: new FollowRepository(context),
    invitations: new InvitationRepository(context),
    jobs: new JobRepository(context),
    limits: new LimitRepository(context),
    matches: new MatchRepository(context),
    notifications: new NotificationRepository(context),
    reports: new ReportRepository(context),
    retrohunts: new RetrohuntRepository(context),
    rulesets: new RulesetRepository(context),
    rulesetVersions: new RulesetVersionRepository(context),
    rulesetVotes: new RulesetVoteRepository(context),
    savedSearches: new SavedSearchRepository(context),
    search: new SearchIndexRepository(context),
    settings: new SettingsRepository(context),
    signers: new SignerRepository(context),
    statistics: new StatisticsRepository(context),
    storage: new StorageRepository(context),
    tokens: new TokenRepository(context),
    votes: new VoteRepository(context),
    afterCommit,
  };
}

class OpenStore implements Store {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly revisions: TableRevisions;
  readonly accounts: AccountRepository;
  readonly activity: ActivityRepository;
  readonly apks: ApkRepository;
  readonly audit: AuditRepository;
  readonly comments: CommentRepository;
  readonly completions: CompletionRepository;
  readonly detections: DetectionRepository;
  readonly dryRuns: DryRunRepository;
  readonly emails: EmailRepository;
  readonly feeds: FeedRepository;
  readonly follows: FollowRepository;
  readonly invitations: InvitationRepository;
  readonly jobs: JobRepository;
  readonly limits: LimitRepository;
  readonly matches: MatchRepository;
  readonly notifications: NotificationRepository;
  readonly reports: ReportRepository;
  readonly retrohunts: RetrohuntRepository;
  readonly rulesets: RulesetRepository;
  readonly rulesetVersions: RulesetVersionRepository;
  readonly rulesetVotes: RulesetVoteRepository;
  readonly savedSearches: SavedSearchRepository;
  readonly search: SearchIndexRepository;
  readonly settings: SettingsRepository;
  readonly signers: SignerRepository;
  readonly statistics: StatisticsRepository;
  readonly storage: StorageRepository;
  readonly tokens: TokenRepository;
  readonly votes: VoteRepository;
  readonly #database: Kysely<Database>;
  readonly #readers: Readers;
  readonly #searches: SearchThread;
  readonly #checkpoints: Checkpoints;
  readonly #log: StoreLog;
  readonly #connection: BetterSqlite3.Database;
  readonly #lock: FolderLock | null;
  /** Notes on files that are still being written to the catalogue. */
  readonly #notes = new Set<Promise<void>>();

  constructor({ folder, connection, lock, masterKey, clock, log }: OpenStoreParts) {
    this.dataDir = folder;
    this.#connection = connection;
    this.#lock = lock;
    this.clock = clock;
    this.revisions = new TableRevisions(connection);
    this.#database = new Kysely<Database>({ dialect: sqliteDialect(connection, this.revisions) });
    this.#log = log;
    const path = join(folder, 'catalogue.db');
    this.#readers = { rows: openReader(path), counts: openReader(path) };
    this.#searches = new SearchThread(path);
    this.#checkpoints = new Checkpoints(path);
    const { revisions } = this;
    const context = { database: this.#database, clock, readers: this.#readers, searches: this.#searches, revisions };
    const all = repositories(context, (callback) => this.afterCommit(callback));
    this.accounts = all.accounts;
    this.activity = all.activity;
    this.apks = all.apks;
    this.audit = all.audit;
    this.comments = all.comments;
    this.completions = all.completions;
    this.detections = all.detections;
    this.dryRuns = all.dryRuns;
    this.emails = all.emails;
    this.feeds = all.feeds;
    this.follows = all.follows;
    this.invitations = all.invitations;
    this.jobs = all.jobs;
    this.limits = all.limits;
    this.matches = all.matches;
    this.notifications = all.notifications;
    this.reports = all.reports;
    this.retrohunts = all.retrohunts;
    this.rulesets = all.rulesets;
    this.rulesetVersions = all.rulesetVersions;
    this.rulesetVotes = all.rulesetVotes;
    this.savedSearches = all.savedSearches;
    this.search = all.search;
    this.settings = all.settings;
    this.signers = all.signers;
    this.statistics = all.statistics;
    this.storage = all.storage;
    this.tokens = all.tokens;
    this.votes = all.votes;
    this.files = new FileStore({
      folder: join(folder, 'apks'),
      masterKey,
      onState: (sha256, state) => this.#noteFileState(sha256, state),
    });
    if (lock !== null) this.files.sweep();
  }

  afterCommit(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      // What was written stays written: whoever wrote it must not hear of a failure.
      this.#log.warn({ error }, 'a listener to a change of the catalogue failed');
    }
  }

  async transaction<T>(work: (inside: Repositories) => Promise<T>): Promise<T> {
    const callbacks: (() => void)[] = [];
    const result = await this.#database.transaction().execute((database) => {
      return work(repositories({ database, clock: this.clock }, (callback) => callbacks.push(callback)));
    });
    for (const callback of callbacks) this.afterCommit(callback);
    return result;
  }

  async close(): Promise<void> {
    await Promise.all(this.#notes);
    await this.#searches.close();
    await this.#checkpoints.close();
    await this.#readers.rows.destroy();
    await this.#readers.counts.destroy();
    await this.#database.destroy();
    this.#connection.close();
    this.#lock?.release();
  }

  #noteFileState(sha256: string, state: FileState): void {
    if (state !== 'ok') this.#log.warn({ sha256, state }, 'a stored file is not as it was');
    const note = this.apks
      .noteFileState(sha256, state)
      .catch((error: unknown) =>
        this.#log.warn({ sha256, state, error }, 'the state of a stored file could not be noted'),
      )
      .finally(() => this.#notes.delete(note));
    this.#notes.add(note);
  }
}
