// The record format of each table, by which rows on loose pages are recognised. Reads no row.
import type BetterSqlite3 from 'better-sqlite3';
import type { StoredRow, Value } from './b-tree.ts';

interface Column {
  name: string;
  type: string;
  isNullable: boolean;
  /** The column that is an alias of the rowid, stored as null. */
  isRowid: boolean;
}

export interface TableShape {
  name: string;
  isRowidTable: boolean;
  /** Columns in the order of the stored record. */
  columns: readonly Column[];
  /** Fewest values of a record: rows older than the latest columns lack those. */
  leastValues: number;
}

export interface IndexShape {
  name: string;
  table: string;
  /** Names of the indexed columns; null for an expression. */
  columns: readonly (string | null)[];
  isPartial: boolean;
}

/** Shapes of the tables of a new database with the schema of the damaged one. */
export function tableShapes(reference: BetterSqlite3.Database): TableShape[] {
  const tables = reference.pragma('table_list') as { schema: string; name: string; type: string; wr: number }[];
  return tables
    .filter(({ schema, name, type }) => schema === 'main' && type === 'table' && name !== 'sqlite_schema')
    .map(({ name, wr }) => tableShape(reference, name, wr === 0));
}

interface ColumnInfo {
  name: string;
  type: string;
  notnull: number;
  dflt_value: string | null;
  pk: number;
}

function tableShape(reference: BetterSqlite3.Database, name: string, isRowidTable: boolean): TableShape {
  const infos = reference.pragma(`table_xinfo(${name})`) as ColumnInfo[];
  // Tables without rowid store the key's columns first (section 2.4 of the file format).
  const stored = isRowidTable
    ? infos
    : [...infos.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk), ...infos.filter(({ pk }) => pk === 0)];
  const columns = stored.map(({ name: column, type, notnull, pk }) => ({
    name: column,
    type: type.toLowerCase(),
    isNullable: notnull === 0 && pk === 0,
    isRowid: isRowidTable && pk > 0 && type.toLowerCase() === 'integer',
  }));
  const canBeAbsent = ({ notnull, dflt_value }: ColumnInfo) => notnull === 0 || dflt_value !== null;
  return { name, isRowidTable, columns, leastValues: stored.findLastIndex((info) => !canBeAbsent(info)) + 1 };
}

/** The indexes of a database with an intact schema. */
export function indexShapes(reference: BetterSqlite3.Database): IndexShape[] {
  return tableShapes(reference)
    .filter(({ isRowidTable }) => isRowidTable)
    .flatMap(({ name: table }) => {
      const indexes = reference.pragma(`index_list(${table})`) as { name: string; partial: number }[];
      return indexes.map(({ name, partial }) => ({
        name,
        table,
        columns: (reference.pragma(`index_info(${name})`) as { name: string | null }[]).map((column) => column.name),
        isPartial: partial === 1,
      }));
    });
}

/** Smallest plausible timestamp, of 1973, in microseconds: all other numbers are smaller. */
const someMoment = 1e14;

function isOfType({ type, name, isNullable, isRowid }: Column, value: Value): boolean {
  if (value === null) return isNullable || isRowid;
  if (isRowid) return false;
  switch (type) {
    case 'integer':
      if (name.endsWith('_at')) return typeof value === 'number' && (value === 0 || value > someMoment);
      return typeof value === 'number' || typeof value === 'bigint';
    case 'real':
      return typeof value === 'number';
    case 'text':
      return typeof value === 'string';
    case 'blob':
      return Buffer.isBuffer(value);
    default:
      return true;
  }
}

/** Whether a row may belong to this table. */
export function isRowOf(shape: TableShape, { rowid, values }: StoredRow): boolean {
  const { columns, leastValues, isRowidTable } = shape;
  if ((rowid !== null) !== isRowidTable) return false;
  if (values.length < leastValues || values.length > columns.length) return false;
  return values.every((value, index) => isOfType(columns[index]!, value));
}
