// Builds a new catalogue from the readable rows of a damaged one. Knows tables by their schema alone, and no APK files.
import SqliteDatabase from 'better-sqlite3';
import { migrations } from '../sqlite/migrations/index.ts';
import { migrate } from '../sqlite/migrator.ts';
import { DataFolderError } from '../store-errors.ts';
import type { StoredRow, Value } from './b-tree.ts';
import type { DatabasePages } from './database-pages.ts';
import { isWholeRow, type NamedRow } from './row-content.ts';
import { type Finding, Salvage } from './salvage.ts';
import type { TableShape } from './table-shapes.ts';

/** What became of the rows of one table. */
export interface TableSummary {
  table: string;
  /** Rows that were read undamaged. */
  kept: number;
  /** Of `kept`: found on pages that no tree referred to. */
  found: number;
  /** Recreated from indexes, reports and stored files. */
  restored: number;
  /** Rows that are gone; null where their number is not known. */
  lost: number | null;
}

/** Derived tables, which triggers fill, or the workstation in the background. */
const derived: ReadonlySet<string> = new Set([
  'migrations',
  'sqlite_sequence',
  'sqlite_stat1',
  'sqlite_stat4',
  'apk_changes',
  'search_terms',
  'apk_terms',
  'indexed_reports',
  'family_sums',
]);
/** Tables whose deleted rows must not come back from freed pages: what was revoked stays revoked. */
const secret: ReadonlySet<string> = new Set(['accounts', 'tokens', 'invitations']);
/** Tables that migrations fill with rows. */
const prefilled: ReadonlySet<string> = new Set(['installation', 'group_limits']);
const migrationName = /^\d{4}-\d\d-\d\d(?:-[a-z0-9]+)+$/;

export interface Rebuilt {
  database: SqliteDatabase.Database;
  salvage: Salvage;
  tables: Map<string, TableSummary>;
}

/**
 * @param path of the new database, which is returned open, with foreign keys that may not hold yet
 * @throws DataFolderError where a newer version has written the damaged one
 */
export function rebuild(pages: DatabasePages, path: string, now: number): Rebuilt {
  const salvage = new Salvage(pages);
  const database = new SqliteDatabase(path);
  try {
    // Nobody uses it before it is complete: it is synced to disk once, at the end.
    database.pragma('journal_mode = memory');
    database.pragma('synchronous = off');
    database.pragma('foreign_keys = off');
    migrate(database, migrations.slice(0, schemaLevel(salvage)), now);
    database.exec('begin');
    const tables = fill(database, salvage);
    copySequences(database, salvage);
    return { database, salvage, tables };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** How many migrations the damaged database had. */
function schemaLevel(salvage: Salvage): number {
  const names = new Set(salvage.names('migrations'));
  const known = migrations.findLastIndex(({ name }) => names.has(name)) + 1;
  // A damaged name stands for a migration of ours that is missing.
  const isNewer = migrations.every(({ name }) => names.has(name)) && [...names].some((name) => !isOurs(name));
  if (isNewer) {
    throw new DataFolderError(
      'newer',
      'The catalogue was last used by a newer version of this program. Repair it with that version or a later one.',
    );
  }
  return known === 0 ? migrations.length : known;
}

const isOurs = (name: string): boolean => !migrationName.test(name) || migrations.some((one) => one.name === name);

function fill(database: SqliteDatabase.Database, salvage: Salvage): Map<string, TableSummary> {
  const summaries = new Map<string, TableSummary>();
  const statements = new Map<string, SqliteDatabase.Statement>();
  const refused = new Map<string, number>();
  const summaryOf = (table: string): TableSummary => {
    const summary = summaries.get(table) ?? { table, kept: 0, found: 0, restored: 0, lost: 0 };
    summaries.set(table, summary);
    return summary;
  };
  const take = (shape: TableShape, row: StoredRow, finding: Finding) => {
    const { name } = shape;
    const values = shape.columns.slice(0, row.values.length).map(({ isRowid }, index) => {
      return isRowid ? row.rowid : row.values[index]!;
    });
    const columns = shape.columns.slice(0, values.length).map((column) => column.name);
    const named: NamedRow = Object.fromEntries(columns.map((column, index) => [column, values[index]!]));
    if (isWholeRow(name, named) && insert(database, statements, name, columns, values)) {
      summaryOf(name).kept += 1;
      if (finding === 'found') summaryOf(name).found += 1;
    } else refused.set(name, (refused.get(name) ?? 0) + 1);
  };
  const isWanted = (table: string) => !derived.has(table);
  const states = salvage.rows(database, isWanted, secret, take);
  for (const [table, { damaged, rows }] of states) {
    const summary = summaryOf(table);
    const missing = refused.get(table) ?? 0;
    if (rows !== null) summary.lost = Math.max(0, rows - summary.kept);
    else summary.lost = damaged === 0 ? missing : null;
  }
  return summaries;
}

/** @returns whether the row was inserted: damaged values may violate constraints */
function insert(
  database: SqliteDatabase.Database,
  statements: Map<string, SqliteDatabase.Statement>,
  table: string,
  columns: readonly string[],
  values: readonly Value[],
): boolean {
  const key = `${table} ${columns.length}`;
  const statement =
    statements.get(key) ??
    database.prepare(
      `insert or ${prefilled.has(table) ? 'replace' : 'ignore'} into "${table}" (${columns.map((name) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    );
  statements.set(key, statement);
  try {
    return statement.run(...values).changes > 0;
  } catch (error) {
    if (/^SQLITE_(?:CONSTRAINT|MISMATCH|RANGE|TOOBIG)/.test((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

/** Ids that are skipped where the last one in use is not known. */
const sequenceLead = 1000;

/** Ids of deleted and lost rows are never used again, since links outside of the workstation contain them. */
function copySequences(database: SqliteDatabase.Database, salvage: Salvage): void {
  const { given, isWhole } = salvage.sequences();
  const raise = database.prepare('update sqlite_sequence set seq = max(seq, ?) where name = ?');
  const add = database.prepare(
    'insert into sqlite_sequence (name, seq) select ?, ? where not exists (select 1 from sqlite_sequence where name = ?)',
  );
  for (const [name, last] of given) if (raise.run(last, name).changes === 0) add.run(name, last, name);
  if (!isWhole) database.prepare('update sqlite_sequence set seq = seq + ?').run(sequenceLead);
}

/** Deletes rows whose parent is gone, or sets the reference to null where it may be. @returns how many by table */
export function dropDangling(database: SqliteDatabase.Database): Map<string, number> {
  const dropped = new Map<string, number>();
  const tables = database
    .prepare("select name from sqlite_schema where type = 'table' and sql not like 'create virtual%'")
    .pluck()
    .all() as string[];
  interface ForeignKey {
    table: string;
    from: string;
    to: string | null;
    on_delete: string;
  }
  for (let isDone = false; !isDone; ) {
    isDone = true;
    for (const table of tables) {
      for (const key of database.pragma(`foreign_key_list("${table}")`) as ForeignKey[]) {
        const dangling = `"${key.from}" is not null and not exists (select 1 from "${key.table}" where "${key.table}"."${key.to ?? 'id'}" = "${table}"."${key.from}")`;
        const isOptional = key.on_delete === 'SET NULL' || isNullableParent(table, key.from);
        const { changes } = database
          .prepare(
            isOptional
              ? `update "${table}" set "${key.from}" = null where ${dangling}`
              : `delete from "${table}" where ${dangling}`,
          )
          .run();
        if (changes === 0) continue;
        isDone = false;
        if (!isOptional) dropped.set(table, (dropped.get(table) ?? 0) + changes);
      }
    }
  }
  return dropped;
}

/** The reference without `on delete` that may be emptied: its rows make sense without the parent. */
const isNullableParent = (table: string, column: string): boolean => table === 'apks' && column === 'signer_id';
