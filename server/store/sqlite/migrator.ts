// Brings a database to the schema of this program. Knows no table but its own list.
import type BetterSqlite3 from 'better-sqlite3';
import { DataFolderError } from '../store-errors.ts';

/** One step of the schema's history. Applied once, never edited afterwards. */
export interface Migration {
  /** A number and a sentence: `002-accounts-sign-in-with-tokens`. */
  name: string;
  /** @param now microseconds since 1970 UTC */
  apply(database: BetterSqlite3.Database, now: number): void;
}

/** What tells migrations apart: the first databases have a date in the number's place. */
const sentenceOf = (name: string): string => name.replace(/^[\d-]+-/, '');

function appliedNames(database: BetterSqlite3.Database): string[] {
  const hasTable = database.prepare("select 1 from sqlite_schema where type = 'table' and name = 'migrations'").get();
  if (hasTable === undefined) return [];
  return database.prepare('select name from migrations order by rowid').pluck().all() as string[];
}

/**
 * The migrations that this database still lacks.
 * @throws DataFolderError `newer` where it has one that this program does not know
 */
export function pendingMigrations(
  database: BetterSqlite3.Database,
  migrations: readonly Migration[],
): readonly Migration[] {
  const applied = appliedNames(database);
  const known = new Set(migrations.map(({ name }) => sentenceOf(name)));
  const unknown = applied.filter((name) => !known.has(sentenceOf(name)));
  if (unknown.length > 0) {
    throw new DataFolderError(
      'newer',
      `${database.name} was last used by a newer version of this program (it has "${unknown[0]}"). Install that version or a later one, or choose another data folder.`,
    );
  }
  const done = new Set(applied.map(sentenceOf));
  return migrations.filter(({ name }) => !done.has(sentenceOf(name)));
}

/**
 * Applies what is pending, each migration in a transaction of its own.
 * @param now time to note, in microseconds
 * @throws DataFolderError `newer`
 */
export function migrate(database: BetterSqlite3.Database, migrations: readonly Migration[], now: number): void {
  const pending = pendingMigrations(database, migrations);
  if (pending.length === 0) return;
  database.exec('create table if not exists migrations (name text primary key, applied_at integer not null) strict');
  for (const migration of pending) {
    database
      .transaction(() => {
        migration.apply(database, now);
        database.prepare('insert into migrations (name, applied_at) values (?, ?)').run(migration.name, now);
      })
      .immediate();
  }
}
