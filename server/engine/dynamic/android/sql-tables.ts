// Tables in memory that understand the statements apps write mostly; every cell keeps its taint. Workers may not use
// node:sqlite, as SQL reaches files. Knows no Android.
import type { Taint } from '../machine/heap.ts';
import type { Cell } from './cursor.ts';

type Row = Map<string, Cell>;
interface Table {
  columns: string[];
  rows: Row[];
}

const none: Cell = { value: null, taint: 0 };
const maxRows = 20_000;
const word = '["\'`\\[]?([\\w$.]+)["\'`\\]]?';
const clean = (name: string): string =>
  name
    .replace(/["'`[\]]/g, '')
    .replace(/^.*\./, '')
    .trim();

/** Splits at commas outside of brackets and quotes. */
function splitList(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let from = 0;
  for (let at = 0; at < list.length; at++) {
    const character = list[at]!;
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === "'" || character === '"') quote = character;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(list.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, list.slice(from)].map((part) => part.trim());
}

export class SqlTables {
  version = 0;
  readonly #tables = new Map<string, Table>();

  /** Makes the table where a statement did not, so that nothing is lost. */
  #table(name: string): Table {
    const key = clean(name).toLowerCase();
    let table = this.#tables.get(key);
    if (table === undefined) {
      table = { columns: [], rows: [] };
      this.#tables.set(key, table);
    }
    return table;
  }

  /** @returns the new row's number, from 1 */
  insert(name: string, entries: readonly (readonly [column: string, cell: Cell])[]): number {
    const table = this.#table(name);
    const row: Row = new Map(entries.map(([column, cell]) => [clean(column).toLowerCase(), cell]));
    for (const [column] of entries) {
      if (!table.columns.some((each) => each.toLowerCase() === clean(column).toLowerCase()))
        table.columns.push(clean(column));
    }
    const id = table.rows.length + 1;
    if (!row.has('_id') && table.columns.includes('_id')) row.set('_id', { value: id, taint: 0 });
    if (table.rows.length < maxRows) table.rows.push(row);
    return id;
  }

  update(name: string, entries: readonly (readonly [string, Cell])[], where: string, args: readonly Cell[]): number {
    const hit = this.#where(this.#table(name), where, args);
    for (const row of hit) for (const [column, cell] of entries) row.set(clean(column).toLowerCase(), cell);
    return hit.length;
  }

  delete(name: string, where: string, args: readonly Cell[]): number {
    const table = this.#table(name);
    const hit = new Set(this.#where(table, where, args));
    table.rows = table.rows.filter((row) => !hit.has(row));
    return hit.size;
  }

  /** Rows that conditions `column = value` joined by AND pick; what is not understood picks all. */
  #where(table: Table, where: string, args: readonly Cell[]): Row[] {
    let next = 0;
    let rows = table.rows;
    const condition = new RegExp(`${word}\\s*(==?|like|<>|!=)\\s*(\\?|'[^']*'|"[^"]*"|-?[\\d.]+)`, 'gi');
    if (/\bor\b/i.test(where)) return rows;
    for (const [, column, operator, literal] of where.matchAll(condition)) {
      const wanted = literal === '?' ? (args[next++] ?? none).value : literal!.replace(/^['"]|['"]$/g, '');
      const key = clean(column!).toLowerCase();
      const isEqual = operator!.startsWith('=');
      rows = rows.filter((row) => {
        const own = String(row.get(key)?.value ?? '');
        if (/like/i.test(operator!))
          return own.toLowerCase().includes(String(wanted).replaceAll('%', '').toLowerCase());
        return (own === String(wanted)) === isEqual;
      });
    }
    return rows;
  }

  /** A statement that answers nothing. @param taint of its text, which what it writes takes */
  run(sql: string, args: readonly Cell[], taint: Taint): number {
    let result = 0;
    for (const statement of args.length > 0 ? [sql] : sql.split(/;\s*(?=\S)/))
      result = this.#run(statement.trim(), args, taint);
    return result;
  }

  #run(sql: string, args: readonly Cell[], taint: Taint): number {
    const create = new RegExp(
      `^create\\s+(?:temp\\w*\\s+)?(?:virtual\\s+)?table\\s+(?:if\\s+not\\s+exists\\s+)?${word}\\s*\\(([\\s\\S]*)\\)`,
      'i',
    ).exec(sql);
    if (create !== null) {
      const columns = splitList(create[2]!).filter(
        (each) => !/^(?:primary|unique|foreign|check|constraint)\b/i.test(each),
      );
      const table = this.#table(create[1]!);
      if (table.columns.length === 0) table.columns = columns.map((each) => clean(each.split(/\s+/)[0]!));
      return 0;
    }
    const drop = new RegExp(`^drop\\s+table\\s+(?:if\\s+exists\\s+)?${word}`, 'i').exec(sql);
    if (drop !== null) this.#tables.delete(clean(drop[1]!).toLowerCase());
    const insert = new RegExp(
      `^(?:insert|replace)(?:\\s+or\\s+\\w+)?\\s+into\\s+${word}\\s*(?:\\(([^)]*)\\))?\\s*values\\s*\\(([\\s\\S]*)\\)`,
      'i',
    ).exec(sql);
    if (insert !== null) {
      const names = insert[2] === undefined ? this.#table(insert[1]!).columns : splitList(insert[2]);
      const cells = this.#cells(splitList(insert[3]!), args, taint);
      return this.insert(
        insert[1]!,
        names.map((name, index) => [name, cells[index] ?? none] as const),
      );
    }
    const remove = new RegExp(`^delete\\s+from\\s+${word}(?:\\s+where\\s+([\\s\\S]*))?`, 'i').exec(sql);
    if (remove !== null) return this.delete(remove[1]!, remove[2] ?? '', args);
    const update = new RegExp(`^update\\s+${word}\\s+set\\s+([\\s\\S]*?)(?:\\s+where\\s+([\\s\\S]*))?$`, 'i').exec(sql);
    if (update !== null) {
      const parts = splitList(update[2]!).map((part) => part.split('='));
      const cells = this.#cells(
        parts.map((part) => part.slice(1).join('=').trim()),
        args,
        taint,
      );
      const used = parts.filter((part) => part[1]?.trim() === '?').length;
      return this.update(
        update[1]!,
        parts.map((part, index) => [part[0]!, cells[index] ?? none] as const),
        update[3] ?? '',
        args.slice(used),
      );
    }
    return 0;
  }

  #cells(literals: readonly string[], args: readonly Cell[], taint: Taint): Cell[] {
    let next = 0;
    return literals.map((literal) => {
      if (literal === '?') return args[next++] ?? none;
      const text = /^(['"])([\s\S]*)\1$/.exec(literal)?.[2];
      if (text !== undefined) return { value: text.replaceAll("''", "'"), taint };
      return { value: /^-?\d+$/.test(literal) ? Number(literal) : /^null$/i.test(literal) ? null : literal, taint };
    });
  }

  query(sql: string, args: readonly Cell[]): { columns: string[]; rows: Cell[][] } {
    const select = new RegExp(`^\\s*select\\s+(?:distinct\\s+)?([\\s\\S]*?)\\s+from\\s+${word}([\\s\\S]*)$`, 'i').exec(
      sql,
    );
    if (select === null) return { columns: ['result'], rows: [] };
    const table = this.#table(select[2]!);
    const rest = select[3]!;
    const where = /\bwhere\b([\s\S]*?)(?:\b(?:group|order)\s+by\b|\blimit\b|$)/i.exec(rest)?.[1] ?? '';
    const limit = Number(/\blimit\s+(\d+)/i.exec(rest)?.[1] ?? maxRows);
    const hit = this.#where(table, where, args);
    const picked = splitList(select[1]!);
    if (picked.length === 1 && /^count\s*\(/i.test(picked[0]!))
      return { columns: [picked[0]!], rows: [[{ value: hit.length, taint: 0 }]] };
    const columns = picked.flatMap((each) => (each === '*' || each.endsWith('.*') ? table.columns : [each]));
    const source = columns.map((each) =>
      clean(each.replace(/\s+as\s+[\s\S]*$/i, '').replace(/^\w+\((.*)\)$/, '$1')).toLowerCase(),
    );
    const names = columns.map((each) => clean(/\s+as\s+(\S+)$/i.exec(each)?.[1] ?? each));
    const ordered = /\border\s+by\b[\s\S]*\bdesc\b/i.test(rest) ? [...hit].reverse() : hit;
    return { columns: names, rows: ordered.slice(0, limit).map((row) => source.map((name) => row.get(name) ?? none)) };
  }
}
