// Models of statements of SQLite that are compiled once and run with many arguments, and of DatabaseUtils. Knows no SQL.
import type { HeapObject, JavaArray, Value } from '../../machine/heap.ts';
import type { Machine, Models, NativeMethod } from '../../machine/model.ts';
import { each, nothing, plain, type Reference } from '../model-parts.ts';
import { type Cell, cellOf, fillCursor } from './cursor.ts';
import type { Answer as SqlAnswer } from './sql/evaluation.ts';
import { nullCell } from './sql/tables.ts';
import { ask, bindings, databaseType, run } from './sqlite.ts';

const S = 'Ljava/lang/String;';
const A = '[Ljava/lang/String;';
const cursorType = 'Landroid/database/Cursor;';
const sqlite = 'Landroid/database/sqlite/';
const factoryType = `${sqlite}SQLiteDatabase$CursorFactory;`;
const programType = `${sqlite}SQLiteProgram;`;
const queryType = `${sqlite}SQLiteQuery;`;
const statementType = `${sqlite}SQLiteStatement;`;
const driverType = `${sqlite}SQLiteCursorDriver;`;

interface Program {
  readonly database: HeapObject;
  readonly sql: Reference;
  args: Cell[];
}

const programOf = (program: HeapObject): Program => program.native as Program;

function newProgram(machine: Machine, type: string, database: HeapObject, sql: Reference, args: Cell[]): HeapObject {
  const program = machine.allocate(type);
  program.native = { database, sql, args } satisfies Program;
  return program;
}

/** SQLite's own limit of variables in one statement. */
const maxBindings = 999;

const bind: NativeMethod = (machine, me, index: number, value: Value = null) => {
  if (index < 1 || index > maxBindings) {
    throw machine.exception(
      'Ljava/lang/IllegalArgumentException;',
      `Cannot bind argument at index ${index} because the index is out of range.`,
    );
  }
  const cell = cellOf(machine, value);
  programOf(me).args[index - 1] = { value: cell.value, taint: machine.union(cell.taint, machine.argumentTaint(2)) };
};

const allArgs = ({ args }: Program): Cell[] => Array.from(args, (arg) => arg ?? nullCell);

function runProgram(machine: Machine, me: HeapObject): number {
  const program = programOf(me);
  return run(machine, program.database, plain(machine, program.sql), allArgs(program), program.sql?.taint ?? 0);
}

function askProgram(machine: Machine, me: HeapObject): SqlAnswer {
  const program = programOf(me);
  return ask(machine, program.database, plain(machine, program.sql), allArgs(program), program.sql?.taint ?? 0);
}

/** The first value of an answer's first row, read as a cursor reads it. @throws JavaThrow SQLiteDoneException */
function single(machine: Machine, { columns, rows }: SqlAnswer, read: string): Value {
  if (rows.length === 0) throw machine.exception(`${sqlite}SQLiteDoneException;`);
  const cursor = machine.allocate('Landroid/database/MatrixCursor;');
  fillCursor(machine, cursor, columns, rows);
  machine.call(cursor, 'moveToFirst()Z');
  return machine.call(cursor, read, 0);
}

const readLong = 'getLong(I)J';
const readText = `getString(I)${S}`;

/** `rawQueryWithFactory`: the app's factory binds the arguments and makes the cursor. */
const rawQuery: NativeMethod = (
  machine,
  me,
  factory: Reference,
  sql: Reference,
  args: JavaArray | null,
  table: Reference,
) => {
  const query = newProgram(machine, queryType, me, sql, bindings(machine, args));
  if (factory !== null) {
    const make = `newCursor(${databaseType}${driverType}${S}${queryType})${cursorType}`;
    return machine.call(factory, make, me, machine.allocate(`${sqlite}SQLiteDirectCursorDriver;`), table, query);
  }
  return newSqliteCursor(machine, query);
};

function newSqliteCursor(machine: Machine, query: HeapObject): HeapObject {
  const cursor = machine.allocate(`${sqlite}SQLiteCursor;`);
  fill(machine, cursor, query);
  return cursor;
}

function fill(machine: Machine, cursor: HeapObject, query: HeapObject): void {
  const { columns, rows } = askProgram(machine, query);
  fillCursor(machine, cursor, columns, rows);
}

const counted: NativeMethod = (
  machine,
  database: HeapObject,
  table: Reference,
  where: Reference = null,
  args: JavaArray | null = null,
) => {
  const condition = where === null ? '' : ` WHERE ${plain(machine, where)}`;
  const sql = `SELECT count(*) FROM ${plain(machine, table)}${condition}`;
  return single(machine, ask(machine, database, sql, bindings(machine, args), 0), readLong);
};

const singleForQuery =
  (read: string): NativeMethod =>
  (machine, database: HeapObject, sql: Reference, args: JavaArray | null) =>
    single(machine, ask(machine, database, plain(machine, sql), bindings(machine, args), sql?.taint ?? 0), read);

export const sqliteProgramModels: Models = {
  [databaseType]: {
    methods: {
      [`compileStatement(${S})${statementType}`]: (machine, me, sql: Reference) =>
        newProgram(machine, statementType, me, sql, []),
      ...each(
        rawQuery,
        `rawQueryWithFactory(${factoryType}${S}${A}${S})${cursorType}`,
        `rawQueryWithFactory(${factoryType}${S}${A}${S}Landroid/os/CancellationSignal;)${cursorType}`,
      ),
    },
  },
  [factoryType]: { isInterface: true },
  [driverType]: { isInterface: true },
  [`${sqlite}SQLiteDirectCursorDriver;`]: { implements: [driverType] },
  [programType]: {
    extends: `${sqlite}SQLiteClosable;`,
    methods: {
      ...each(bind, `bindString(I${S})V`, 'bindLong(IJ)V', 'bindDouble(ID)V', 'bindBlob(I[B)V', 'bindNull(I)V'),
      'clearBindings()V': (_machine, me) => {
        programOf(me).args = [];
      },
      [`bindAllArgsAsStrings(${A})V`]: (machine, me, args: JavaArray | null) => {
        programOf(me).args = bindings(machine, args);
      },
      'close()V': nothing,
    },
  },
  [queryType]: { extends: programType },
  [`${sqlite}SQLiteCursor;`]: {
    extends: 'Landroid/database/AbstractCursor;',
    methods: {
      [`<init>(${driverType}${S}!${queryType})V`]: (machine, me, _driver, _table, query: HeapObject) =>
        fill(machine, me, query),
    },
  },
  [statementType]: {
    extends: programType,
    methods: {
      'execute()V': (machine, me) => runProgram(machine, me),
      'executeInsert()J': (machine, me) => BigInt(runProgram(machine, me)),
      'executeUpdateDelete()I': runProgram,
      'simpleQueryForLong()J': (machine, me) => single(machine, askProgram(machine, me), readLong),
      [`simpleQueryForString()${S}`]: (machine, me) => single(machine, askProgram(machine, me), readText),
    },
  },
  [`${sqlite}SQLiteConstraintException;`]: { extends: `${sqlite}SQLiteException;` },
  [`${sqlite}SQLiteDoneException;`]: { extends: `${sqlite}SQLiteException;` },
  'Landroid/database/DatabaseUtils;': {
    staticMethods: {
      ...each(
        counted,
        `queryNumEntries(!${databaseType}${S})J`,
        `queryNumEntries(!${databaseType}${S}${S})J`,
        `queryNumEntries(!${databaseType}${S}${S}${A})J`,
      ),
      [`longForQuery(!${databaseType}${S}${A})J`]: singleForQuery(readLong),
      [`stringForQuery(!${databaseType}${S}${A})${S}`]: singleForQuery(readText),
      [`sqlEscapeString(${S})${S}`]: (machine, text: Reference) =>
        machine.string(`'${plain(machine, text).replaceAll("'", "''")}'`, text?.taint ?? 0),
    },
  },
};
