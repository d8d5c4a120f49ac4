// Reads a damaged catalogue as far as possible: root pages, rows of tables, entries of indexes. Writes nothing.
import type BetterSqlite3 from 'better-sqlite3';
import type { StoredRow, Value } from './b-tree.ts';
import type { DatabasePages } from './database-pages.ts';
import { type IndexShape, indexShapes, isRowOf, type TableShape, tableShapes } from './table-shapes.ts';
import { loosePages, TreeWalk } from './tree-walk.ts';

/** How a row was found: in its table's tree, or on a page that no tree refers to. */
export type Finding = 'kept' | 'found';

const schemaKinds: readonly Value[] = ['table', 'index', 'view', 'trigger'];
const isSchemaRow = ({ values: [kind, name, table, root, text] }: StoredRow): boolean =>
  schemaKinds.includes(kind ?? null) &&
  typeof name === 'string' &&
  typeof table === 'string' &&
  (typeof root === 'number' || root === null) &&
  (typeof text === 'string' || text === null);

/** Root pages of tables and indexes by name, as far as the schema can be read. */
function readRoots(pages: DatabasePages): Map<string, number> {
  const roots = new Map<string, number>();
  const note = ({ values: [, name, , root] }: StoredRow) => {
    if (typeof root === 'number' && root > 0 && !roots.has(name as string)) roots.set(name as string, root);
  };
  const taken = new Set<number>();
  const walk = new TreeWalk(pages, taken, true, isSchemaRow);
  for (const row of walk.rows(1)) note(row);
  if (walk.gaps.length === 0) return roots;
  const free = pages.freePages() ?? new Set();
  for (const { rows, isTable } of loosePages(pages, new Set([...taken, ...free]))) {
    if (walk.mayHold(rows, isTable)) for (const row of rows) note(row);
  }
  return roots;
}

/** Result of walking a table's tree. */
export interface TableState {
  /** Unreadable pages and rows of its tree. */
  damaged: number;
  /** How many rows it had, by the largest intact index; null where there is none. */
  rows: number | null;
}

export class Salvage {
  readonly #pages: DatabasePages;
  readonly #roots: Map<string, number>;
  /** Pages of the freelist; null: it is damaged. */
  readonly #free: Set<number> | null;

  constructor(pages: DatabasePages) {
    this.#pages = pages;
    this.#roots = readRoots(pages);
    this.#free = pages.freePages();
  }

  /** Values of the first column of a table that every schema has. */
  *names(table: string): Generator<string> {
    const walk = new TreeWalk(this.#pages, new Set(), true, ({ values }) => typeof values[0] === 'string');
    for (const { values } of walk.rows(this.#roots.get(table) ?? null)) yield values[0] as string;
  }

  /** The last id of each table, from `sqlite_sequence`. */
  sequences(): { given: Map<string, number>; isWhole: boolean } {
    const isPair = ({ values }: StoredRow) =>
      values.length === 2 && typeof values[0] === 'string' && typeof values[1] === 'number';
    const walk = new TreeWalk(this.#pages, new Set(), true, isPair);
    const given = new Map<string, number>();
    for (const { values } of walk.rows(this.#roots.get('sqlite_sequence') ?? null)) {
      given.set(values[0] as string, values[1] as number);
    }
    return { given, isWhole: walk.isWhole };
  }

  /**
   * Reads every readable row, table by table.
   * @param reference a new database with the schema that this one had
   * @param wanted tables
   * @param secret tables whose deleted rows must not come back
   */
  rows(
    reference: BetterSqlite3.Database,
    wanted: (table: string) => boolean,
    secret: ReadonlySet<string>,
    take: (shape: TableShape, row: StoredRow, finding: Finding) => void,
  ): Map<string, TableState> {
    const taken = new Set(this.#free);
    const walks: { shape: TableShape; walk: TreeWalk }[] = [];
    for (const shape of tableShapes(reference)) {
      if (!wanted(shape.name)) continue;
      const walk = new TreeWalk(this.#pages, taken, shape.isRowidTable, (row) => isRowOf(shape, row));
      for (const row of walk.rows(this.#roots.get(shape.name) ?? null)) take(shape, row, 'kept');
      walks.push({ shape, walk });
    }
    const broken = walks.filter(
      ({ shape, walk }) => walk.gaps.length > 0 && (this.#free !== null || !secret.has(shape.name)),
    );
    if (broken.length > 0) {
      this.#takeOthers(taken, new Set(walks.map(({ shape }) => shape.name)));
      for (const { rows, isTable } of loosePages(this.#pages, taken)) {
        const possible = broken.filter(({ walk }) => walk.mayHold(rows, isTable));
        const certain = possible.filter(({ walk }) => !walk.isWhole);
        const owners = certain.length > 0 ? certain : possible;
        // A row that fits several tables is skipped.
        if (owners.length === 1) for (const row of rows) take(owners[0]!.shape, row, 'found');
      }
    }
    const counts = this.#countByIndexes(reference);
    return new Map(
      walks.map(({ shape: { name }, walk }) => [
        name,
        { damaged: walk.damagedPages + walk.damagedRows, rows: walk.isWhole ? null : (counts.get(name) ?? null) },
      ]),
    );
  }

  /** Marks the pages of indexes and derived tables as taken, so that no rows are sought on them. */
  #takeOthers(taken: Set<number>, walked: ReadonlySet<string>): void {
    for (const [name, root] of this.#roots) {
      if (walked.has(name)) continue;
      for (const isTable of [true, false]) {
        for (const _ of new TreeWalk(this.#pages, taken, isTable, () => true).rows(root));
      }
    }
  }

  #countByIndexes(reference: BetterSqlite3.Database): Map<string, number> {
    const counts = new Map<string, number>();
    for (const index of indexShapes(reference)) {
      const root = this.#roots.get(index.name);
      if (index.isPartial || root === undefined) continue;
      const walk = new TreeWalk(this.#pages, new Set(), false, isIndexRow(index));
      let count = 0;
      for (const _ of walk.rows(root)) count += 1;
      if (walk.isWhole) counts.set(index.table, Math.max(count, counts.get(index.table) ?? 0));
    }
    return counts;
  }

  /** Values of a table's rows that its indexes hold, by rowid and column. */
  knownByIndexes(reference: BetterSqlite3.Database, table: string): Map<number, Record<string, Value>> {
    const known = new Map<number, Record<string, Value>>();
    for (const index of indexShapes(reference)) {
      if (index.table !== table) continue;
      const walk = new TreeWalk(this.#pages, new Set(), false, isIndexRow(index));
      for (const { values } of walk.rows(this.#roots.get(index.name) ?? null)) {
        const rowid = values.at(-1) as number;
        const row = known.get(rowid) ?? {};
        for (const [place, column] of index.columns.entries()) if (column !== null) row[column] = values[place]!;
        known.set(rowid, row);
      }
    }
    return known;
  }
}

/** The last value of an index entry is the rowid (section 2.4 of the file format). */
const isIndexRow =
  ({ columns }: IndexShape) =>
  ({ rowid, values }: StoredRow): boolean =>
    rowid === null && values.length === columns.length + 1 && typeof values.at(-1) === 'number';
