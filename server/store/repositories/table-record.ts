// Converts rows of tables to records and back: names in camelCase, flags as booleans. Knows no table.
import type { Selectable, SelectType } from 'kysely';

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** Columns that hold 0 or 1. */
type Flag = `${'is' | 'has' | 'was' | 'uses'}_${string}`;
const flag = /^(?:is|has|was|uses)_/;

/** The record of a row, or of some of its columns. */
export type RecordOf<Table> = {
  [Column in keyof Table & string as Camel<Column>]: Column extends Flag ? boolean : SelectType<Table[Column]>;
};

/** Names in records, by column. */
const fields = new Map<string, { name: string; isFlag: boolean }>();

function fieldOf(column: string): { name: string; isFlag: boolean } {
  const known = fields.get(column);
  if (known !== undefined) return known;
  const name = column.replace(/_([a-z])/g, (_mark, letter: string) => letter.toUpperCase());
  const field = { name, isFlag: flag.test(column) };
  fields.set(column, field);
  return field;
}

/** Converts a row to a record. */
export function recordOf<Row extends object>(row: Row): RecordOf<Row> {
  const record: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    const { name, isFlag } = fieldOf(column);
    record[name] = isFlag ? value === 1 : value;
  }
  return record as RecordOf<Row>;
}

/** Converts a record, or a change of one, to columns; absent fields are left out. */
export function columnsOf<Table>(record: Partial<RecordOf<Table>>): Partial<Selectable<Table>> {
  const columns: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) {
    if (value === undefined) continue;
    const column = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    columns[column] = typeof value === 'boolean' ? Number(value) : value;
  }
  return columns as Partial<Selectable<Table>>;
}
