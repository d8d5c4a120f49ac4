// Tables in memory as SQLite has them; every cell keeps its taint. Knows no statement.
import type { Cell } from '../cursor.ts';
import type { ColumnDefinition, ConflictRule } from './syntax.ts';
import { keyOf } from './values.ts';

export interface Row {
  /** Its number in the table, from 1. */
  readonly id: number;
  readonly cells: Map<string, Cell>;
}

/** SQL's NULL. */
export const nullCell: Cell = { value: null, taint: 0 };
const maxRows = 20_000;
export const maxColumns = 2_000;
/** Sets of columns of which no two rows have the same, and columns of one: each row is looked up by all of them. */
const maxKeys = 30;
const maxKeyColumns = 30;

/** Columns are found whatever the case of their letters. */
export const columnKey = (name: string): string => name.toLowerCase();

const rowNames: ReadonlySet<string> = new Set(['rowid', 'oid', '_rowid_']);

/** Two rows would have the same in columns where no two may. */
export class SqlConflict extends Error {}

export class Table {
  name: string;
  readonly columns: ColumnDefinition[];
  readonly sql: string;
  rows: Row[] = [];
  /** Sets of columns of which no two rows have the same. */
  readonly #keys: string[][] = [];
  readonly #names: Set<string>;
  /** A column that is the row's number under another name. */
  readonly rowColumn: string | null;
  #lastId = 0;
  /** Rows by their places; null where it has to be made anew. */
  #index: Map<string, Row> | null = null;

  constructor(
    name: string,
    columns: readonly ColumnDefinition[],
    keys: readonly (readonly string[])[],
    primaryKey: readonly string[],
    sql: string,
  ) {
    this.name = name;
    this.columns = columns.slice(0, maxColumns);
    this.sql = sql;
    this.#names = new Set(this.columns.map((column) => columnKey(column.name)));
    for (const key of keys) this.addKey(key);
    const [only] = primaryKey.length === 1 ? primaryKey.map(columnKey) : [];
    const definition = columns.find((column) => columnKey(column.name) === only);
    this.rowColumn = /^integer$/i.test(definition?.type ?? '') ? only! : null;
  }

  has(column: string): boolean {
    const key = columnKey(column);
    return rowNames.has(key) || this.#names.has(key);
  }

  addColumn(column: ColumnDefinition): void {
    if (this.has(column.name) || this.columns.length >= maxColumns) return;
    this.columns.push(column);
    this.#names.add(columnKey(column.name));
  }

  addKey(columns: readonly string[]): void {
    if (this.#keys.length < maxKeys && columns.length <= maxKeyColumns) this.#keys.push(columns.map(columnKey));
    this.#index = null;
  }

  cell(row: Row, column: string): Cell {
    const key = columnKey(column);
    return row.cells.get(key) ?? (rowNames.has(key) ? { value: row.id, taint: 0 } : nullCell);
  }

  /** To be called where rows were changed or taken away. */
  changed(rows: Row[] = this.rows): void {
    this.rows = rows;
    this.#index = null;
  }

  /** The places of rows in columns where no two may have the same; none with a null among them. */
  #places(cells: ReadonlyMap<string, Cell>): string[] {
    return this.#keys.flatMap((key, at) => {
      const values = key.map((column) => (cells.get(column) ?? nullCell).value);
      return values.includes(null) ? [] : [`${at}:${values.map(keyOf).join('\0')}`];
    });
  }

  /** Rows that have the same as the new one in columns where no two may. */
  clashes(cells: ReadonlyMap<string, Cell>): Row[] {
    if (this.#index === null) {
      this.#index = new Map();
      for (const row of this.rows) for (const place of this.#places(row.cells)) this.#index.set(place, row);
    }
    return [...new Set(this.#places(cells).flatMap((place) => this.#index!.get(place) ?? []))];
  }

  #remove(rows: readonly Row[]): void {
    this.rows = this.rows.filter((row) => !rows.includes(row));
    for (const row of rows) for (const place of this.#places(row.cells)) this.#index?.delete(place);
  }

  /**
   * Adds a row.
   * @returns its number; -1 where one like it is there and stays
   * @throws SqlConflict where one like it is there and the rule is to give up
   */
  insert(entries: Iterable<readonly [column: string, cell: Cell]>, rule: ConflictRule): number {
    const cells = new Map<string, Cell>();
    for (const [column, cell] of entries) {
      // What no statement has made is made, so that nothing is lost.
      this.addColumn({ name: column, type: '', fallback: null, isNotNull: false });
      cells.set(columnKey(column), cell);
    }
    const clashing = this.clashes(cells);
    if (clashing.length > 0 && rule === 'ignore') return -1;
    if (clashing.length > 0 && rule === 'abort') throw new SqlConflict(`UNIQUE constraint failed: ${this.name}`);
    if (clashing.length > 0) this.#remove(clashing);
    const own = this.rowColumn === null ? nullCell : (cells.get(this.rowColumn) ?? nullCell);
    const asked = own.value === null ? Number.NaN : Number(own.value);
    const id = Number.isSafeInteger(asked) ? asked : this.#lastId + 1;
    if (this.rowColumn !== null && own.value === null) cells.set(this.rowColumn, { value: id, taint: 0 });
    this.#lastId = Math.max(this.#lastId, id);
    if (this.rows.length >= maxRows) return id;
    const row = { id, cells };
    // They stand in the order of their numbers.
    const after = id < this.#lastId ? this.rows.findIndex((each) => each.id > id) : -1;
    if (after < 0) this.rows.push(row);
    else this.rows.splice(after, 0, row);
    for (const place of this.#index === null ? [] : this.#places(cells)) this.#index!.set(place, row);
    return id;
  }
}
