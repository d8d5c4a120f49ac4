// Models of SQLiteDatabase over tables in memory, and of what opens it. Knows no provider and no SQL.
import { illegalArgument } from '../../java/values.ts';
import type { HeapObject, JavaArray, Taint, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod, NativeMethods } from '../../machine/model.ts';
import { recorderOf } from '../../report/recorder.ts';
import { plausibleText } from '../../world/plausible-text.ts';
import { callApp } from '../components/activity-life.ts';
import { appOf } from '../components/app.ts';
import { boxed, bundleOf } from '../components/bundle.ts';
import { each, no, nothing, plain, type Reference, stateOf, yes } from '../model-parts.ts';
import { type Cell, cellOf, newCursor } from './cursor.ts';
import { SqlDatabase } from './sql/database.ts';
import type { Answer as SqlAnswer } from './sql/evaluation.ts';
import type { ConflictRule } from './sql/syntax.ts';
import { SqlConflict } from './sql/tables.ts';
import { SqlFault } from './sql/tokens.ts';

interface DatabaseState {
  readonly path: string;
  readonly tables: SqlDatabase;
  isOpen: boolean;
}

const databaseOf = (database: HeapObject): DatabaseState => database.native as DatabaseState;

const openDatabases = (machine: Machine): Map<string, HeapObject> =>
  machine.state('android.databases', () => new Map<string, HeapObject>());

function openDatabase(machine: Machine, name: string): HeapObject {
  const all = openDatabases(machine);
  const path = name.startsWith('/') || name === ':memory:' ? name : `${appOf(machine).dataFolder}/databases/${name}`;
  const known = all.get(path);
  if (known !== undefined && path !== ':memory:') {
    databaseOf(known).isOpen = true;
    return known;
  }
  const database = machine.allocate('Landroid/database/sqlite/SQLiteDatabase;');
  const tables = new SqlDatabase({
    union: (a, b) => machine.union(a, b),
    now: () => machine.clock.wall,
    charge: (bytes) => machine.charge(bytes),
  });
  database.native = { path, tables, isOpen: true } satisfies DatabaseState;
  all.set(path, database);
  recorderOf(machine).fileOpen(path);
  return database;
}

const columnTypes: readonly (readonly [type: RegExp, value: Cell['value']])[] = [
  [/int|num|bool|date|time/i, 1],
  [/real|floa|doub|dec/i, 1.5],
  [/blob/i, new Uint8Array([1])],
];

/** Somebody has used the app meanwhile: what had nothing in its tables has an entry there. */
export function fillEmptyTables(machine: Machine): void {
  for (const database of openDatabases(machine).values()) {
    databaseOf(database).tables.fillEmpty(
      ({ name, type }) => columnTypes.find(([types]) => types.test(type ?? ''))?.[1] ?? plausibleText(name) ?? 'ok',
    );
  }
}

export const bindings = (machine: Machine, args: JavaArray | null): Cell[] =>
  args === null ? [] : Array.from(args.elements as Reference[], (arg) => cellOf(machine, arg));

/**
 * Uses a database's tables. SQL that is not implemented is counted as not modelled and has no effect.
 * @throws JavaThrow SQLiteConstraintException
 */
function withTables<Result>(
  machine: Machine,
  me: HeapObject,
  act: (tables: SqlDatabase) => Result,
  otherwise: Result,
): Result {
  try {
    return act(databaseOf(me).tables);
  } catch (error) {
    if (error instanceof SqlConflict)
      throw machine.exception('Landroid/database/sqlite/SQLiteConstraintException;', error.message);
    if (!(error instanceof SqlFault)) throw error;
    machine.unmodelled(`SQL: ${error.message}`);
    return otherwise;
  }
}

const noAnswer: SqlAnswer = { columns: ['result'], rows: [] };

export function ask(machine: Machine, me: HeapObject, sql: string, args: readonly Cell[], taint: Taint): SqlAnswer {
  machine.charge(sql.length);
  return withTables(machine, me, (tables) => tables.query(sql, args, taint), noAnswer);
}

function query(machine: Machine, me: HeapObject, sql: Reference, args: readonly Cell[]): HeapObject {
  const { columns, rows } = ask(machine, me, plain(machine, sql), args, sql?.taint ?? 0);
  return newCursor(machine, columns, rows);
}

export function run(machine: Machine, me: HeapObject, sql: string, args: readonly Cell[], taint: Taint): number {
  machine.charge(sql.length);
  return withTables(machine, me, (tables) => tables.run(sql, args, taint), 0);
}

/** The columns of ContentValues; none where they are null. */
const cellsOf = (machine: Machine, values: Reference) =>
  [...(values === null ? [] : bundleOf(values))].map(
    ([column, kept]) => [column, cellOf(machine, boxed(machine, kept))] as const,
  );

function add(machine: Machine, me: HeapObject, table: Reference, values: Reference, rule: ConflictRule): bigint {
  machine.charge(64);
  const name = plain(machine, table);
  return BigInt(withTables(machine, me, (tables) => tables.insert(name, cellsOf(machine, values), rule), -1));
}

/** A row that is there already stays, and the app hears -1. */
const insert: NativeMethod = (machine, me, table: Reference, _hack: Reference, values: Reference) =>
  add(machine, me, table, values, 'ignore');

const replace: NativeMethod = (machine, me, table: Reference, _hack: Reference, values: Reference) =>
  add(machine, me, table, values, 'replace');

const insertOrThrow: NativeMethod = (machine, me, table: Reference, _hack: Reference, values: Reference) =>
  add(machine, me, table, values, 'abort');

/** By SQLiteDatabase's numbers; others give up. */
const conflictRules: Readonly<Record<number, ConflictRule>> = { 4: 'ignore', 5: 'replace' };

const update: NativeMethod = (
  machine,
  me,
  table: Reference,
  values: Reference,
  where: Reference,
  args: JavaArray | null,
) => {
  const cells = cellsOf(machine, values);
  if (cells.length === 0) throw illegalArgument(machine, 'Empty values');
  const [name, condition] = [plain(machine, table), plain(machine, where)];
  return withTables(machine, me, (tables) => tables.update(name, cells, condition, bindings(machine, args)), 0);
};

const selecting =
  (offset: number): NativeMethod =>
  (machine, me, ...all: Value[]) => {
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
    return query(machine, me, machine.string(sql), bindings(machine, args));
  };

const S = 'Ljava/lang/String;';
const A = '[Ljava/lang/String;';
const cursorType = 'Landroid/database/Cursor;';
export const databaseType = 'Landroid/database/sqlite/SQLiteDatabase;';
const signal = 'Landroid/os/CancellationSignal;';

const databaseMethods: NativeMethods = {
  [`execSQL(${S})V`]: (machine, me, sql: Reference) => run(machine, me, plain(machine, sql), [], sql?.taint ?? 0),
  [`execSQL(${S}[Ljava/lang/Object;)V`]: (machine, me, sql: Reference, args: JavaArray | null) =>
    run(machine, me, plain(machine, sql), bindings(machine, args), sql?.taint ?? 0),
  [`rawQuery(${S}${A})${cursorType}`]: (machine, me, sql: Reference, args: JavaArray | null) =>
    query(machine, me, sql, bindings(machine, args)),
  [`rawQuery(${S}${A}${signal})${cursorType}`]: (machine, me, sql: Reference, args: JavaArray | null) =>
    query(machine, me, sql, bindings(machine, args)),
  [`query(${S}${A}${S}${A}${S}${S}${S})${cursorType}`]: selecting(0),
  [`query(${S}${A}${S}${A}${S}${S}${S}${S})${cursorType}`]: selecting(0),
  [`query(Z${S}${A}${S}${A}${S}${S}${S}${S})${cursorType}`]: selecting(1),
  [`query(Z${S}${A}${S}${A}${S}${S}${S}${S}${signal})${cursorType}`]: selecting(1),
  [`insert(${S}${S}Landroid/content/ContentValues;)J`]: insert,
  [`insertOrThrow(${S}${S}Landroid/content/ContentValues;)J`]: insertOrThrow,
  [`insertWithOnConflict(${S}${S}Landroid/content/ContentValues;I)J`]: (
    machine,
    me,
    table: Reference,
    _hack: Reference,
    values: Reference,
    rule: number,
  ) => add(machine, me, table, values, conflictRules[rule] ?? 'abort'),
  [`replace(${S}${S}Landroid/content/ContentValues;)J`]: replace,
  [`replaceOrThrow(${S}${S}Landroid/content/ContentValues;)J`]: replace,
  [`update(${S}Landroid/content/ContentValues;${S}${A})I`]: update,
  [`updateWithOnConflict(${S}Landroid/content/ContentValues;${S}${A}I)I`]: update,
  [`delete(${S}${S}${A})I`]: (machine, me, table: Reference, where: Reference, args: JavaArray | null) => {
    const [name, condition] = [plain(machine, table), plain(machine, where)];
    return withTables(machine, me, (tables) => tables.delete(name, condition, bindings(machine, args)), 0);
  },
  'isOpen()Z': (_machine, me) => databaseOf(me).isOpen,
  'isReadOnly()Z': no,
  'inTransaction()Z': no,
  'isDbLockedByCurrentThread()Z': no,
  'getPath()Ljava/lang/String;': (machine, me) => machine.string(databaseOf(me).path),
  'getVersion()I': (_machine, me) => databaseOf(me).tables.version,
  'setVersion(I)V': (_machine, me, version: number) => {
    databaseOf(me).tables.version = version;
  },
  'close()V': (_machine, me) => {
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

// Queries put together of parts.

interface QueryState {
  tables: Reference;
  /** Conditions of the builder's own, before those of the query. */
  where: string;
  isDistinct: boolean;
}

const queryOf = (builder: HeapObject): QueryState =>
  stateOf<QueryState>(builder, () => ({ tables: null, where: '', isDistinct: false }));

/** `query` of the builder: the database, then what the database's own `query` takes but for the table. */
const buildQuery: NativeMethod = (machine, me, database: HeapObject, columns: Value, ...rest: Value[]) => {
  const { tables, where, isDistinct } = queryOf(me);
  const [selection, args, ...others] = rest as [Reference, ...Value[]];
  const conditions = [where, selection === null ? '' : plain(machine, selection)].filter((each) => each !== '');
  const joined = conditions.length === 0 ? null : machine.string(conditions.map((each) => `(${each})`).join(' AND '));
  return selecting(1)(machine, database, Number(isDistinct), tables, columns, joined, args, ...others);
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
  me,
  _context: Reference,
  name: Reference,
  _factory: Reference,
  version: number,
) => {
  me.native = { name: name === null ? null : plain(machine, name), version, database: null } satisfies HelperState;
};

/** Helpers that a database was opened with. */
const usedHelpers = (machine: Machine): Set<HeapObject> =>
  machine.state('android.helpers', () => new Set<HeapObject>());
const maxHelpers = 50;

/** What the app has stored turns out to be of its version before: each database is opened anew. */
export function openOlderDatabases(machine: Machine): void {
  for (const helper of usedHelpers(machine)) {
    const state = helperOf(helper);
    if (state.version < 2 || state.database === null) continue;
    callApp(machine, helper.cls.name, () => {
      machine.call(state.database!, 'setVersion(I)V', state.version - 1);
      state.database = null;
      machine.call(helper, `getWritableDatabase()${databaseType}`);
    });
  }
}

const openHelper: NativeMethod = (machine, me) => {
  const state = helperOf(me);
  if (usedHelpers(machine).size < maxHelpers) usedHelpers(machine).add(me);
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
      [`openOrCreateDatabase(!Ljava/io/File;Landroid/database/sqlite/SQLiteDatabase$CursorFactory;)${databaseType}`]: (
        machine,
        file: HeapObject,
      ) => openDatabase(machine, plain(machine, machine.call(file, 'getPath()Ljava/lang/String;') as Reference)),
      [`create(Landroid/database/sqlite/SQLiteDatabase$CursorFactory;)${databaseType}`]: (machine) =>
        openDatabase(machine, ':memory:'),
      'deleteDatabase(Ljava/io/File;)Z': yes,
    },
  },
  'Landroid/database/sqlite/SQLiteQueryBuilder;': {
    methods: {
      '<init>()V': nothing,
      [`setTables(${S})V`]: (_machine, me, tables: Reference) => {
        queryOf(me).tables = tables;
      },
      [`getTables()${S}`]: (_machine, me) => queryOf(me).tables,
      'setDistinct(Z)V': (_machine, me, isDistinct: number) => {
        queryOf(me).isDistinct = isDistinct !== 0;
      },
      'appendWhere(Ljava/lang/CharSequence;)V': (machine, me, text: Reference) => {
        queryOf(me).where += plain(machine, text);
      },
      [`appendWhereEscapeString(${S})V`]: (machine, me, text: Reference) => {
        queryOf(me).where += `'${plain(machine, text).replaceAll("'", "''")}'`;
      },
      ...each(nothing, 'setProjectionMap(Ljava/util/Map;)V', 'setStrict(Z)V'),
      ...each(
        buildQuery,
        `query(!${databaseType}${A}${S}${A}${S}${S}${S})${cursorType}`,
        `query(!${databaseType}${A}${S}${A}${S}${S}${S}${S})${cursorType}`,
      ),
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
      'getDatabaseName()Ljava/lang/String;': (machine, me) => machine.string(helperOf(me).name ?? ''),
    },
  },
};
