// A database in memory that understands the statements apps write, as SQLite does. Workers may not use node:sqlite, as SQL
// reaches files. Knows no Android.
import type { Taint } from '../../../machine/heap.ts';
import type { Cell } from '../cursor.ts';
import {
  type Answer,
  type Bound,
  boundsOf,
  Evaluation,
  type Host,
  type Scope,
  type Surroundings,
} from './evaluation.ts';
import { SqlParser } from './parser.ts';
import type { Assignment, ColumnDefinition, ConflictRule, Expression, Select, Statement } from './syntax.ts';
import { columnKey, nullCell, type Row, Table } from './tables.ts';
import { SqlFault } from './tokens.ts';

type Entry = readonly [column: string, cell: Cell];

/** Statements that are kept as they were read. */
const maxRead = 500;
const maxTables = 1_000;
/** What a character of a statement takes, as it is read. */
const bytesPerRead = 64;
/** What each row of a table counts for where one was changed, as its places are made anew. */
const bytesPerChanged = 16;

const nothing: Answer = { columns: ['result'], rows: [] };
const textCell = (value: string | number | null): Cell => ({ value, taint: 0 });

export class SqlDatabase {
  version = 0;
  readonly #host: Host;
  readonly #tables = new Map<string, Table>();
  readonly #views = new Map<string, Select>();
  readonly #read = new Map<string, readonly Statement[]>();
  #lastId = 0;
  #changes = 0;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Gives each table that has none a row, of a value for each of its columns. */
  fillEmpty(valueFor: (column: ColumnDefinition) => Cell['value']): void {
    for (const table of this.#tables.values()) {
      if (table.rows.length > 0) continue;
      const columns = table.columns.filter(({ name }) => columnKey(name) !== table.rowColumn);
      if (columns.length === 0) continue;
      table.insert(
        columns.map((column): Entry => [column.name, { value: valueFor(column), taint: 0 }]),
        'ignore',
      );
    }
  }

  /** Makes the table where no statement did, so that nothing is lost. */
  #table(name: string): Table {
    const key = columnKey(name);
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = new Table(name, [], [], [], '');
      if (this.#tables.size < maxTables) this.#tables.set(key, table);
    }
    return table;
  }

  #evaluation(args: readonly Cell[], taint: Taint): Evaluation {
    const surroundings: Surroundings = {
      ...this.#host,
      args,
      taint,
      rowsOf: (name, alias) => this.#rowsOf(name, alias, evaluation),
      called: (name) => (name === 'last_insert_rowid' ? this.#lastId : name === 'changes' ? this.#changes : undefined),
    };
    const evaluation = new Evaluation(surroundings);
    return evaluation;
  }

  #rowsOf(name: string, alias: string, evaluation: Evaluation): ReturnType<Surroundings['rowsOf']> {
    const view = this.#views.get(columnKey(name));
    if (view !== undefined || /^sqlite_(?:temp_)?(?:master|schema)$/i.test(name)) {
      const { columns, rows } = view === undefined ? this.#catalogue() : evaluation.select(view);
      return { columns, rows: boundsOf(alias, columns, rows) };
    }
    const table = this.#table(name);
    const columns = table.columns.map((column) => column.name);
    return { columns, rows: table.rows.map((row) => boundRow(table, row, alias)) };
  }

  #catalogue(): Answer {
    const made = [...this.#tables.values()].filter(({ sql }) => sql !== '');
    return {
      columns: ['type', 'name', 'tbl_name', 'rootpage', 'sql'],
      rows: made.map(({ name, sql }, at) => ['table', name, name, at + 2, sql].map(textCell)),
    };
  }

  #parser(sql: string): SqlParser {
    this.#host.charge(sql.length * bytesPerRead);
    return new SqlParser(sql);
  }

  #statements(sql: string): readonly Statement[] {
    const known = this.#read.get(sql);
    if (known !== undefined) return known;
    const statements = this.#parser(sql).statements();
    if (this.#read.size >= maxRead) this.#read.clear();
    this.#read.set(sql, statements);
    return statements;
  }

  /** The rows that a statement asks for. @throws SqlFault @throws SqlConflict */
  query(sql: string, args: readonly Cell[], taint: Taint): Answer {
    const [statement] = this.#statements(sql);
    if (statement?.kind === 'select') return this.#evaluation(args, taint).select(statement.select);
    if (statement?.kind === 'pragma') return this.#pragma(statement.name, statement.argument);
    if (statement !== undefined) this.#run(statement, args, taint);
    return nothing;
  }

  /**
   * Runs statements that answer nothing.
   * @param taint of their text, which what they write carries
   * @returns of the last one: the number of the row it added, else how many it changed
   * @throws SqlFault @throws SqlConflict
   */
  run(sql: string, args: readonly Cell[], taint: Taint): number {
    let result = 0;
    for (const statement of this.#statements(sql)) result = this.#run(statement, args, taint);
    return result;
  }

  #run(statement: Statement, args: readonly Cell[], taint: Taint): number {
    const evaluation = this.#evaluation(args, taint);
    switch (statement.kind) {
      case 'insert':
        return this.#insert(statement, evaluation);
      case 'update':
        return this.#update(statement, evaluation);
      case 'delete':
        return this.#delete(this.#table(statement.table), statement.where, evaluation);
      case 'create-table':
        this.#create(statement, evaluation);
        return 0;
      case 'create-view':
        if (this.#views.size < maxTables) this.#views.set(columnKey(statement.view), statement.select);
        return 0;
      case 'create-key':
        this.#table(statement.table).addKey(statement.columns);
        return 0;
      case 'drop':
        this.#tables.delete(columnKey(statement.name));
        this.#views.delete(columnKey(statement.name));
        return 0;
      case 'rename':
        this.#rename(statement.table, statement.to);
        return 0;
      case 'add-column':
        this.#addColumn(this.#table(statement.table), statement.column, evaluation);
        return 0;
      case 'pragma':
        this.#pragma(statement.name, statement.argument);
        return 0;
      case 'select':
        evaluation.select(statement.select);
        return 0;
      case 'nothing':
        return 0;
    }
  }

  #create(statement: Extract<Statement, { kind: 'create-table' }>, evaluation: Evaluation): void {
    const key = columnKey(statement.table);
    const known = this.#tables.get(key);
    // Temporary tables are gone once the app was started anew, of which the database hears nothing.
    if (known !== undefined && known.columns.length > 0 && !statement.isTemporary) {
      if (statement.isIfMissing) return;
      throw new SqlFault(`table ${statement.table} already exists`);
    }
    const answer = statement.select === null ? null : evaluation.select(statement.select);
    const columns =
      answer?.columns.map((name): ColumnDefinition => ({ name, type: '', fallback: null, isNotNull: false })) ??
      statement.columns;
    const table = new Table(statement.table, columns, statement.keys, statement.primaryKey, statement.sql);
    for (const row of answer?.rows ?? []) {
      table.insert(
        columns.map(({ name }, at): Entry => [name, row[at] ?? nullCell]),
        'abort',
      );
    }
    if (this.#tables.size < maxTables) this.#tables.set(key, table);
  }

  #rename(from: string, to: string): void {
    const table = this.#table(from);
    this.#tables.delete(columnKey(from));
    table.name = to;
    this.#tables.set(columnKey(to), table);
  }

  #addColumn(table: Table, column: ColumnDefinition, evaluation: Evaluation): void {
    table.addColumn(column);
    if (column.fallback === null) return;
    const cell = evaluation.cell(column.fallback);
    for (const row of table.rows) row.cells.set(columnKey(column.name), cell);
  }

  #insert(statement: Extract<Statement, { kind: 'insert' }>, evaluation: Evaluation): number {
    const table = this.#table(statement.table);
    const rows = statement.rows === null ? [[]] : evaluation.select(statement.rows).rows;
    const names = statement.columns.length > 0 ? statement.columns : table.columns.map(({ name }) => name);
    let result = -1;
    for (const row of rows) {
      const given =
        statement.rows === null ? [] : row.slice(0, names.length).map((cell, at): Entry => [names[at]!, cell]);
      const entries = this.#withFallbacks(table, given, evaluation);
      if (statement.update === null) result = this.#add(table, entries, statement.rule);
      else result = this.#upsert(table, entries, statement, evaluation);
    }
    return result;
  }

  #withFallbacks(table: Table, given: readonly Entry[], evaluation: Evaluation): Entry[] {
    const names = new Set(given.map(([name]) => columnKey(name)));
    const missing = table.columns.filter(({ name, fallback }) => fallback !== null && !names.has(columnKey(name)));
    return [...given, ...missing.map(({ name, fallback }): Entry => [name, evaluation.cell(fallback!)])];
  }

  #add(table: Table, entries: readonly Entry[], rule: ConflictRule): number {
    this.#host.charge(table.rows.length);
    const id = table.insert(entries, rule);
    if (id >= 0) this.#lastId = id;
    this.#changes = id < 0 ? 0 : 1;
    return id;
  }

  #upsert(
    table: Table,
    entries: readonly Entry[],
    { rule, update, updateWhere }: Extract<Statement, { kind: 'insert' }>,
    evaluation: Evaluation,
  ): number {
    const clashing = table.clashes(new Map(entries.map(([name, cell]) => [columnKey(name), cell])));
    if (clashing.length === 0) return this.#add(table, entries, rule);
    const names = entries.map(([name]) => name);
    const excluded = boundsOf('excluded', names, [entries.map(([, cell]) => cell)]);
    this.#change(table, clashing, update!, updateWhere, evaluation, excluded);
    return clashing[0]!.id;
  }

  #update(statement: Extract<Statement, { kind: 'update' }>, evaluation: Evaluation): number {
    const table = this.#table(statement.table);
    return this.#change(table, table.rows, statement.assignments, statement.where, evaluation, []);
  }

  /** @param beside rows that expressions may name beside the table's own */
  #change(
    table: Table,
    rows: readonly Row[],
    assignments: readonly Assignment[],
    where: Expression | null,
    evaluation: Evaluation,
    beside: readonly Bound[],
  ): number {
    const scopeOf = (row: Row): Scope => ({ bounds: [boundRow(table, row), ...beside], outer: null, group: null });
    const hit = rows.filter((row) => where === null || evaluation.isTrue(where, scopeOf(row)));
    const changed = hit.map((row) =>
      assignments.map(([column, value]): Entry => [column, evaluation.cell(value, scopeOf(row))]),
    );
    return this.#set(table, hit, (at) => changed[at]!);
  }

  #set(table: Table, rows: readonly Row[], entriesOf: (at: number) => readonly Entry[]): number {
    for (const [at, row] of rows.entries()) {
      for (const [column, cell] of entriesOf(at)) {
        table.addColumn({ name: column, type: '', fallback: null, isNotNull: false });
        row.cells.set(columnKey(column), cell);
      }
    }
    this.#host.charge(table.rows.length * bytesPerChanged);
    table.changed();
    this.#changes = rows.length;
    return rows.length;
  }

  #rowsWhere(table: Table, where: Expression | null, evaluation: Evaluation): Row[] {
    return table.rows.filter((row) => {
      const scope: Scope = { bounds: [boundRow(table, row)], outer: null, group: null };
      return where === null || evaluation.isTrue(where, scope);
    });
  }

  #delete(table: Table, where: Expression | null, evaluation: Evaluation): number {
    const hit = new Set(this.#rowsWhere(table, where, evaluation));
    table.changed(table.rows.filter((row) => !hit.has(row)));
    this.#changes = hit.size;
    return hit.size;
  }

  #pragma(name: string, argument: string | null): Answer {
    if (name === 'user_version') {
      if (argument !== null) this.version = Number(argument) || 0;
      return { columns: ['user_version'], rows: [[textCell(this.version)]] };
    }
    if (name !== 'table_info' || argument === null) return nothing;
    const { columns, rowColumn } = this.#table(argument);
    return {
      columns: ['cid', 'name', 'type', 'notnull', 'dflt_value', 'pk'],
      rows: columns.map((column, at) =>
        [
          at,
          column.name,
          column.type,
          Number(column.isNotNull),
          null,
          Number(columnKey(column.name) === rowColumn),
        ].map(textCell),
      ),
    };
  }

  /** Adds a row. @returns its number, from 1; -1 where one like it stays @throws SqlConflict where the rule is to give up */
  insert(name: string, entries: readonly Entry[], rule: ConflictRule): number {
    const table = this.#table(name);
    return this.#add(table, this.#withFallbacks(table, entries, this.#evaluation([], 0)), rule);
  }

  /** @param where a condition; empty: all rows. @returns how many rows it were @throws SqlFault */
  update(name: string, entries: readonly Entry[], where: string, args: readonly Cell[]): number {
    const table = this.#table(name);
    const hit = this.#rowsWhere(table, this.#parser(where).condition(), this.#evaluation(args, 0));
    return this.#set(table, hit, () => entries);
  }

  /** @param where a condition; empty: all rows. @returns how many rows it were @throws SqlFault */
  delete(name: string, where: string, args: readonly Cell[]): number {
    return this.#delete(this.#table(name), this.#parser(where).condition(), this.#evaluation(args, 0));
  }
}

/** A row of a table; one that no statement has made has every column that is asked for. */
function boundRow(table: Table, row: Row, alias = table.name): Bound {
  return {
    alias,
    cell: (column) =>
      row.cells.get(column) ?? (table.sql === '' || table.has(column) ? table.cell(row, column) : undefined),
  };
}
