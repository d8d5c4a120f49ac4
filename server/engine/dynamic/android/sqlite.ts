// Models of SQLiteDatabase over a real SQLite in memory; taint is kept by table and column. Knows no provider.
import { createRequire } from 'node:module';
import type { DatabaseSync } from 'node:sqlite';
import type { HeapObject, JavaArray, Taint, Value } from '../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../machine/model.ts';
import { recorderOf } from '../report/recorder.ts';
import { appOf } from './app.ts';
import { boxed, bundleOf } from './bundle.ts';
import { type Cell, cellOf, newCursor } from './cursor.ts';
import { each, flag, no, nothing, plain, type Reference, stateOf, yes } from './model-parts.ts';

interface DatabaseState {
  readonly path: string;
  readonly database: DatabaseSync;
  /** By lower-case `table.column`; `table.*` for what a statement wrote that was not taken apart. */
  readonly taints: Map<string, Taint>;
  isOpen: boolean;
}

/** Rows of one answer; databases of apps under observation are small. */
const maxRows = 5_000;

let sqlite: typeof import('node:sqlite') | null = null;
function openMemory(): DatabaseSync {
  // Loaded by the first app that has a database: the module costs start-up time.
  sqlite ??= createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite');
  return new sqlite.DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
}

const databaseOf = (database: HeapObject): DatabaseState => database.native as DatabaseState;

function openDatabase(machine: Machine, name: string): HeapObject {
  const all = machine.state('android.databases', () => new Map<string, HeapObject>());
  const path = name.startsWith('/') || name === ':memory:' ? name : `${appOf(machine).dataFolder}/databases/${name}`;
  const known = all.get(path);
  if (known !== undefined && path !== ':memory:') {
    databaseOf(known).isOpen = true;
    return known;
  }
  const database = machine.allocate('Landroid/database/sqlite/SQLiteDatabase;');
  database.native = { path, database: openMemory(), taints: new Map(), isOpen: true } satisfies DatabaseState;
  all.set(path, database);
  recorderOf(machine).fileOpen(path);
  return database;
}

const failed = (machine: Machine, error: unknown) =>
  machine.exception('Landroid/database/sqlite/SQLiteException;', (error as Error).message);

const tablesIn = (sql: string): string[] =>
  [...sql.matchAll(/(?:\bfrom|\bjoin|\binto|\bupdate|\btable(?:\s+if\s+not\s+exists)?)\s+["'`[]?([\w$]+)/gi)].map(
    (match) => match[1]!.toLowerCase(),
  );

function addTaint(machine: Machine, { taints }: DatabaseState, table: string, column: string, taint: Taint): void {
  if (taint === 0) return;
  const key = `${table.toLowerCase()}.${column.toLowerCase()}`;
  taints.set(key, machine.union(taints.get(key) ?? 0, taint));
}

function columnTaint(machine: Machine, { taints }: DatabaseState, tables: readonly string[], column: string): Taint {
  let taint: Taint = 0;
  for (const table of tables) {
    taint = machine.union(
      taint,
      machine.union(taints.get(`${table}.*`) ?? 0, taints.get(`${table}.${column.toLowerCase()}`) ?? 0),
    );
  }
  return taint;
}

type Bound = string | number | bigint | Uint8Array | null;

const bindings = (machine: Machine, args: JavaArray | null): Cell[] =>
  args === null ? [] : Array.from(args.elements as Reference[], (arg) => cellOf(machine, arg));

function query(machine: Machine, me: HeapObject, sql: string, args: readonly Cell[]): HeapObject {
  const state = databaseOf(me);
  try {
    const statement = state.database.prepare(sql);
    statement.setReadBigInts(true);
    const names = statement.columns().map(({ name }) => name);
    const tables = tablesIn(sql);
    const rows: Cell[][] = [];
    for (const row of statement.iterate(...args.map(({ value }) => value as Bound))) {
      if (rows.length >= maxRows) break;
      rows.push(
        names.map((name) => ({ value: row[name] as Cell['value'], taint: columnTaint(machine, state, tables, name) })),
      );
    }
    return newCursor(machine, names, rows);
  } catch (error) {
    throw failed(machine, error);
  }
}

function run(machine: Machine, me: HeapObject, sql: string, args: readonly Cell[], taint: Taint): number {
  const state = databaseOf(me);
  try {
    const all = args.reduce<Taint>((union, cell) => machine.union(union, cell.taint), taint);
    for (const table of tablesIn(sql)) addTaint(machine, state, table, '*', all);
    machine.charge(sql.length);
    if (args.length === 0 && /;\s*\S/.test(sql)) {
      state.database.exec(sql);
      return 0;
    }
    const { changes, lastInsertRowid } = state.database.prepare(sql).run(...args.map(({ value }) => value as Bound));
    return Number(/^\s*(?:insert|replace)/i.test(sql) ? lastInsertRowid : changes);
  } catch (error) {
    throw failed(machine, error);
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

function insert(machine: Machine, me: HeapObject, verb: string, table: Reference, values: HeapObject): bigint {
  const state = databaseOf(me);
  const name = plain(machine, table);
  const entries = [...bundleOf(values)].map(
    ([column, kept]) => [column, cellOf(machine, boxed(machine, kept))] as const,
  );
  for (const [column, { taint }] of entries) addTaint(machine, state, name, column, taint);
  const sql =
    entries.length === 0
      ? `${verb} INTO ${quoted(name)} DEFAULT VALUES`
      : `${verb} INTO ${quoted(name)} (${entries.map(([column]) => quoted(column)).join(', ')}) VALUES (${entries.map(() => '?').join(', ')})`;
  try {
    const result = state.database.prepare(sql).run(...entries.map(([, { value }]) => value as Bound));
    return BigInt(result.lastInsertRowid);
  } catch (error) {
    throw failed(machine, error);
  }
}

const inserting =
  (verb: string, isStrict: boolean): NativeMethod =>
  (machine, me: HeapObject, table: Reference, _hack: Reference, values: HeapObject) => {
    try {
      return insert(machine, me, verb, table, values);
    } catch (error) {
      if (isStrict) throw error;
      return -1n;
    }
  };

const selecting =
  (offset: number): NativeMethod =>
  (machine, me: HeapObject, ...all: Value[]) => {
    const [table, columns, where, args, group, having, order, limit = null] = all.slice(offset) as [
      Reference,
      JavaArray | null,
      Reference,
      JavaArray | null,
      Reference,
      Reference,
      Reference,
      Reference,
    ];
    const names =
      columns === null || columns.elements.length === 0
        ? '*'
        : (columns.elements as Reference[]).map((name) => plain(machine, name)).join(', ');
    const clause = (word: string, value: Reference) =>
      value === null || plain(machine, value) === '' ? '' : ` ${word} ${plain(machine, value)}`;
    const sql = `SELECT ${offset === 1 && all[0] !== 0 ? 'DISTINCT ' : ''}${names} FROM ${plain(machine, table)}${clause('WHERE', where)}${clause('GROUP BY', group)}${clause('HAVING', having)}${clause('ORDER BY', order)}${clause('LIMIT', limit)}`;
    return query(machine, me, sql, bindings(machine, args));
  };

const S = 'Ljava/lang/String;';
const A = '[Ljava/lang/String;';
const cursorType = 'Landroid/database/Cursor;';
const databaseType = 'Landroid/database/sqlite/SQLiteDatabase;';

const databaseMethods: NativeMethods = {
  [`execSQL(${S})V`]: (machine, me: HeapObject, sql: Reference) => {
    run(machine, me, plain(machine, sql), [], sql?.taint ?? 0);
  },
  [`execSQL(${S}[Ljava/lang/Object;)V`]: (machine, me: HeapObject, sql: Reference, args: JavaArray | null) => {
    run(machine, me, plain(machine, sql), bindings(machine, args), sql?.taint ?? 0);
  },
  [`rawQuery(${S}${A})${cursorType}`]: (machine, me: HeapObject, sql: Reference, args: JavaArray | null) =>
    query(machine, me, plain(machine, sql), bindings(machine, args)),
  [`query(${S}${A}${S}${A}${S}${S}${S})${cursorType}`]: selecting(0),
  [`query(${S}${A}${S}${A}${S}${S}${S}${S})${cursorType}`]: selecting(0),
  [`query(Z${S}${A}${S}${A}${S}${S}${S}${S})${cursorType}`]: selecting(1),
  [`insert(${S}${S}Landroid/content/ContentValues;)J`]: inserting('INSERT', false),
  [`insertOrThrow(${S}${S}Landroid/content/ContentValues;)J`]: inserting('INSERT', true),
  [`insertWithOnConflict(${S}${S}Landroid/content/ContentValues;I)J`]: inserting('INSERT OR REPLACE', true),
  [`replace(${S}${S}Landroid/content/ContentValues;)J`]: inserting('INSERT OR REPLACE', false),
  [`replaceOrThrow(${S}${S}Landroid/content/ContentValues;)J`]: inserting('INSERT OR REPLACE', true),
  [`update(${S}Landroid/content/ContentValues;${S}${A})I`]: (
    machine,
    me: HeapObject,
    table: Reference,
    values: HeapObject,
    where: Reference,
    args: JavaArray | null,
  ) => {
    const state = databaseOf(me);
    const name = plain(machine, table);
    const entries = [...bundleOf(values)].map(
      ([column, kept]) => [column, cellOf(machine, boxed(machine, kept))] as const,
    );
    for (const [column, { taint }] of entries) addTaint(machine, state, name, column, taint);
    const sql = `UPDATE ${quoted(name)} SET ${entries.map(([column]) => `${quoted(column)} = ?`).join(', ')}${where === null ? '' : ` WHERE ${plain(machine, where)}`}`;
    try {
      return Number(
        state.database
          .prepare(sql)
          .run(
            ...entries.map(([, { value }]) => value as Bound),
            ...bindings(machine, args).map(({ value }) => value as Bound),
          ).changes,
      );
    } catch (error) {
      throw failed(machine, error);
    }
  },
  [`delete(${S}${S}${A})I`]: (machine, me: HeapObject, table: Reference, where: Reference, args: JavaArray | null) =>
    run(
      machine,
      me,
      `DELETE FROM ${quoted(plain(machine, table))}${where === null ? '' : ` WHERE ${plain(machine, where)}`}`,
      bindings(machine, args),
      0,
    ),
  [`compileStatement(${S})Landroid/database/sqlite/SQLiteStatement;`]: (machine, me: HeapObject, sql: Reference) => {
    const statement = machine.allocate('Landroid/database/sqlite/SQLiteStatement;');
    statement.native = { database: me, sql: plain(machine, sql), args: [] } satisfies StatementState;
    return statement;
  },
  'isOpen()Z': (_machine, me: HeapObject) => flag(databaseOf(me).isOpen),
  'isReadOnly()Z': no,
  'inTransaction()Z': no,
  'isDbLockedByCurrentThread()Z': no,
  'getPath()Ljava/lang/String;': (machine, me: HeapObject) => machine.string(databaseOf(me).path),
  'getVersion()I': (_machine, me: HeapObject) =>
    Number((databaseOf(me).database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version),
  'setVersion(I)V': (_machine, me: HeapObject, version: number) => {
    databaseOf(me).database.exec(`PRAGMA user_version = ${version}`);
  },
  'close()V': (_machine, me: HeapObject) => {
    databaseOf(me).isOpen = false;
  },
  'enableWriteAheadLogging()Z': yes,
  'yieldIfContendedSafely()Z': no,
  ...each(
    nothing,
    'beginTransaction()V',
    'beginTransactionNonExclusive()V',
    'setTransactionSuccessful()V',
    'endTransaction()V',
    'setLocale(Ljava/util/Locale;)V',
    'setForeignKeyConstraintsEnabled(Z)V',
    'setLockingEnabled(Z)V',
    'acquireReference()V',
    'releaseReference()V',
    'disableWriteAheadLogging()V',
  ),
};

interface StatementState {
  readonly database: HeapObject;
  readonly sql: string;
  args: Cell[];
}

const statementOf = (statement: HeapObject): StatementState => statement.native as StatementState;
const bindAt =
  (_kind: string): NativeMethod =>
  (machine, me: HeapObject, index: number, value: Value) => {
    const cell = cellOf(machine, value);
    statementOf(me).args[index - 1] = { value: cell.value, taint: machine.union(cell.taint, machine.argumentTaint(2)) };
  };
const runStatement = (machine: Machine, me: HeapObject): number => {
  const { database, sql, args } = statementOf(me);
  return run(
    machine,
    database,
    sql,
    Array.from(args, (arg) => arg ?? { value: null, taint: 0 }),
    0,
  );
};
const firstCell = (machine: Machine, me: HeapObject): HeapObject => {
  const { database, sql, args } = statementOf(me);
  const cursor = query(machine, database, sql, args);
  machine.call(cursor, 'moveToFirst()Z');
  return cursor;
};

// Helpers that create and upgrade.

interface HelperState {
  name: string | null;
  version: number;
  database: Reference;
}

const helperOf = (helper: HeapObject): HelperState =>
  stateOf<HelperState>(helper, () => ({ name: null, version: 1, database: null }));

const buildHelper: NativeMethod = (
  machine,
  me: HeapObject,
  _context: Reference,
  name: Reference,
  _factory: Reference,
  version: number,
) => {
  me.native = { name: name === null ? null : plain(machine, name), version, database: null } satisfies HelperState;
};

const openHelper: NativeMethod = (machine, me: HeapObject) => {
  const state = helperOf(me);
  if (state.database !== null && databaseOf(state.database).isOpen) return state.database;
  const database = openDatabase(machine, state.name ?? ':memory:');
  state.database = database;
  machine.call(me, `onConfigure(${databaseType})V`, database);
  const version = machine.call(database, 'getVersion()I') as number;
  if (version !== state.version) {
    if (version === 0) machine.call(me, `onCreate(${databaseType})V`, database);
    else if (version < state.version)
      machine.call(me, `onUpgrade(${databaseType}II)V`, database, version, state.version);
    else machine.call(me, `onDowngrade(${databaseType}II)V`, database, version, state.version);
    machine.call(database, 'setVersion(I)V', state.version);
  }
  machine.call(me, `onOpen(${databaseType})V`, database);
  return database;
};

const open: NativeMethod = (machine, path: Reference) => openDatabase(machine, plain(machine, path));

export const sqliteModels: Models = {
  'Landroid/database/sqlite/SQLiteClosable;': {},
  [databaseType]: {
    extends: 'Landroid/database/sqlite/SQLiteClosable;',
    implements: ['Ljava/io/Closeable;'],
    methods: databaseMethods,
    staticMethods: {
      [`openDatabase(${S}Landroid/database/sqlite/SQLiteDatabase$CursorFactory;I)${databaseType}`]: open,
      [`openDatabase(${S}Landroid/database/sqlite/SQLiteDatabase$CursorFactory;ILandroid/database/DatabaseErrorHandler;)${databaseType}`]:
        open,
      [`openOrCreateDatabase(${S}Landroid/database/sqlite/SQLiteDatabase$CursorFactory;)${databaseType}`]: open,
      [`openOrCreateDatabase(Ljava/io/File;Landroid/database/sqlite/SQLiteDatabase$CursorFactory;)${databaseType}`]: (
        machine,
        file: HeapObject,
      ) => openDatabase(machine, plain(machine, machine.call(file, 'getPath()Ljava/lang/String;') as Reference)),
      [`create(Landroid/database/sqlite/SQLiteDatabase$CursorFactory;)${databaseType}`]: (machine) =>
        openDatabase(machine, ':memory:'),
      'deleteDatabase(Ljava/io/File;)Z': yes,
    },
  },
  'Landroid/database/sqlite/SQLiteStatement;': {
    methods: {
      ...Object.fromEntries(
        ['String:Ljava/lang/String;', 'Long:J', 'Double:D', 'Blob:[B'].map((each): [string, NativeMethod] => {
          const [name, type] = each.split(':') as [string, string];
          return [`bind${name}(I${type})V`, bindAt(type)];
        }),
      ),
      'bindNull(I)V': bindAt('L'),
      'clearBindings()V': (_machine, me: HeapObject) => {
        statementOf(me).args = [];
      },
      'execute()V': (machine, me: HeapObject) => {
        runStatement(machine, me);
      },
      'executeInsert()J': (machine, me: HeapObject) => BigInt(runStatement(machine, me)),
      'executeUpdateDelete()I': runStatement,
      'simpleQueryForLong()J': (machine, me: HeapObject) => machine.call(firstCell(machine, me), 'getLong(I)J', 0),
      'simpleQueryForString()Ljava/lang/String;': (machine, me: HeapObject) =>
        machine.call(firstCell(machine, me), 'getString(I)Ljava/lang/String;', 0),
      'close()V': nothing,
    },
  },
  'Landroid/database/sqlite/SQLiteOpenHelper;': {
    methods: {
      ...each(
        buildHelper,
        '<init>(Landroid/content/Context;Ljava/lang/String;Landroid/database/sqlite/SQLiteDatabase$CursorFactory;I)V',
        '<init>(Landroid/content/Context;Ljava/lang/String;Landroid/database/sqlite/SQLiteDatabase$CursorFactory;ILandroid/database/DatabaseErrorHandler;)V',
      ),
      [`getWritableDatabase()${databaseType}`]: openHelper,
      [`getReadableDatabase()${databaseType}`]: openHelper,
      ...each(
        nothing,
        `onConfigure(${databaseType})V`,
        `onCreate(${databaseType})V`,
        `onUpgrade(${databaseType}II)V`,
        `onDowngrade(${databaseType}II)V`,
        `onOpen(${databaseType})V`,
        'close()V',
        'setWriteAheadLoggingEnabled(Z)V',
      ),
      'getDatabaseName()Ljava/lang/String;': (machine, me: HeapObject) => machine.string(helperOf(me).name ?? ''),
    },
  },
};
