// Checks the database of a backup before it is used, and resets what would open or connect the workstation.
// Knows no file beside it.
import { randomBytes } from 'node:crypto';
import SqliteDatabase from 'better-sqlite3';
import { settingSchemas } from '../../contract/workstation/settings.ts';
import { keyDigest } from '../../vault/master-key.ts';
import { allHeld } from '../held-files.ts';
import { migrations } from '../sqlite/migrations/index.ts';
import { migrate, pendingMigrations } from '../sqlite/migrator.ts';
import { BackupError } from './backup-file.ts';

/**
 * Settings that only say how APKs are taken in and judged. Every other one opens the workstation, connects it, starts a
 * program, or deletes: of a stranger's backup it is put back to its default, those that are yet to come too.
 */
const harmlessSettings: readonly string[] = [
  'upload_max_bytes',
  'analyze_static_on_upload',
  'analyze_yara_on_upload',
  'analyze_dynamic_on_upload',
  'detection_rating',
  'ruleset_delay_minutes',
];

interface SchemaEntry {
  type: string;
  name: string;
  table: string;
  sql: string | null;
}

export class RestoredDatabase {
  readonly #connection: SqliteDatabase.Database;

  /** @throws the database's error where it cannot be opened */
  constructor(path: string) {
    this.#connection = new SqliteDatabase(path, { fileMustExist: true });
    // The schema is untrusted until it was compared: no functions and no virtual tables with side effects.
    this.#connection.pragma('trusted_schema = off');
    this.#connection.pragma('cell_size_check = on');
    this.#connection.pragma('recursive_triggers = off');
  }

  /**
   * @param isListed whether the backup has the file of an APK
   * @param withoutFile APKs whose file was missing when the backup was made
   * @throws BackupError; DataFolderError `newer`
   */
  check(masterKey: Uint8Array, isListed: (sha256: string) => boolean, withoutFile: readonly string[]): void {
    try {
      this.#checkSchema();
      const state = this.#connection.pragma('integrity_check(1)', { simple: true });
      if (state !== 'ok') throw new BackupError(`The backup's database is damaged: ${state}.`);
    } catch (error) {
      const { code = '', message } = error as Error & { code?: string };
      if (!code.startsWith('SQLITE_')) throw error;
      throw new BackupError(`The backup's database is damaged: ${message}.`);
    }
    const broken = this.#connection.pragma('foreign_key_check') as unknown[];
    if (broken.length > 0) throw new BackupError("The backup's database is damaged: records refer to missing ones.");
    this.#checkKey(masterKey);
    const known = new Set(withoutFile);
    for (const [sha256] of allHeld(this.#connection)) {
      if (!isListed(sha256) && !known.has(sha256)) throw new BackupError(`The APK ${sha256} is missing in the backup.`);
    }
  }

  /** The schema is word for word what this program's migrations make, as far as they were applied: nothing is added. */
  #checkSchema(): void {
    const found = schemaOf(this.#connection).map((entry) => JSON.stringify(entry));
    const expected = new SqliteDatabase(':memory:');
    try {
      migrate(expected, migrations.slice(0, 1), 0);
      const list = schemaOf(expected).find(({ name }) => name === 'migrations');
      if (!found.includes(JSON.stringify(list)))
        throw new BackupError("The backup's database is none of this program.");
      const pending = pendingMigrations(this.#connection, migrations);
      const applied = migrations.filter((migration) => !pending.includes(migration));
      migrate(expected, applied, 0);
      const known = new Set(schemaOf(expected).map((entry) => JSON.stringify(entry)));
      const foreign = found.find((entry) => !known.delete(entry));
      if (foreign !== undefined) {
        throw new BackupError(`The backup's database holds ${foreign.slice(0, 200)}, which is not of this program.`);
      }
      const [missing] = known;
      if (missing !== undefined) throw new BackupError(`The backup's database lacks ${missing.slice(0, 200)}.`);
    } finally {
      expected.close();
    }
  }

  /** @throws BackupError where its files are sealed with another key than the backup's */
  #checkKey(masterKey: Uint8Array): void {
    const columns = this.#connection.pragma('table_info(installation)') as { name: string }[];
    // Earlier versions do not record it.
    if (!columns.some(({ name }) => name === 'key_sha256')) return;
    const noted = this.#connection.prepare('select key_sha256 from installation').pluck().get() as string | null;
    if (noted !== null && noted !== keyDigest(masterKey)) {
      throw new BackupError("The backup's database and its master key are of two installations.");
    }
  }

  /**
   * Resets settings that open or connect something to their defaults, and deletes mail that is waiting to be sent and
   * what is said of folders to watch.
   * @returns names of the settings that were reset
   */
  putBack(): string[] {
    const set = this.#connection.prepare('select key, value from settings order by key').all() as {
      key: string;
      value: string;
    }[];
    const others = set.filter(({ key, value }) => !harmlessSettings.includes(key) || !isSound(key, value));
    const remove = this.#connection.prepare('delete from settings where key = ?');
    for (const { key } of others) remove.run(key);
    if (this.#has('emails')) this.#connection.prepare('delete from emails').run();
    if (this.#has('watched_folders')) this.#connection.prepare('delete from watched_folders').run();
    if (this.#has('imports')) this.#connection.prepare('delete from imports').run();
    return others.map(({ key }) => key.slice(0, 100));
  }

  /**
   * Ends all sessions, invitations and signed links: those that ended since the backup was made would be valid again, and
   * whoever has the backup could sign links. The audit log records it.
   * @param endsTokens also ends the access tokens of programs, which cannot get new ones by themselves
   */
  endSessions(file: string, now: Date, endsTokens: boolean): void {
    this.#connection.prepare(`delete from tokens ${endsTokens ? '' : "where kind = 'session'"}`).run();
    this.#connection.prepare('update installation set signing_secret = ?').run(randomBytes(32));
    if (this.#has('invitations')) this.#connection.prepare('delete from invitations where used_at is null').run();
    // A backup of the first releases has no log yet.
    if (!this.#has('audit')) return;
    this.#connection
      .prepare(
        "insert into audit (at, username, address, action, subject, status) values (?, '', '', 'restore', ?, 200)",
      )
      .run(now.getTime() * 1000, file.slice(0, 500));
  }

  /** How many accounts and tokens there are; sessions are tokens too. */
  counts(): { accounts: number; tokens: number } {
    const count = (table: string) => this.#connection.prepare(`select count(*) from ${table}`).pluck().get() as number;
    return { accounts: count('accounts'), tokens: count('tokens') };
  }

  /** Closes the database. */
  close(): void {
    this.#connection.close();
  }

  #has = (table: string): boolean =>
    this.#connection.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(table) !== undefined;
}

/** All tables but SQLite's own. */
const schemaOf = (connection: SqliteDatabase.Database): SchemaEntry[] =>
  connection
    .prepare(
      `select type, name, tbl_name as "table", sql from sqlite_schema
       where not (type = 'table' and name in ('sqlite_stat1', 'sqlite_stat4', 'sqlite_sequence'))
       order by type, name`,
    )
    .all() as SchemaEntry[];

function isSound(key: string, value: string): boolean {
  try {
    return settingSchemas[key as keyof typeof settingSchemas].safeParse(JSON.parse(value)).success;
  } catch {
    return false;
  }
}
