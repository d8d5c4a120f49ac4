// Walks the trees of a damaged database and finds the pages that no tree leads to any more. Writes nothing.
import { readTreePage, type StoredRow } from './b-tree.ts';
import type { DatabasePages } from './database-pages.ts';

/** Rowids `(low, high]` that were below a page that cannot be read. */
interface Gap {
  low: number;
  high: number;
}

/** Deeper than any tree of pages can be. */
const maxDepth = 40;

/** What is known of one tree after it was walked. */
export class TreeWalk {
  /** Where rows may have stood that are to be found elsewhere. */
  readonly gaps: Gap[] = [];
  /** Rows that stood on pages that can be read, and cannot be read themselves. */
  damagedRows = 0;
  damagedPages = 0;
  readonly #pages: DatabasePages;
  readonly #taken: Set<number>;
  readonly #isTable: boolean;
  readonly #fits: (row: StoredRow) => boolean;

  /**
   * @param taken pages that rows were read from; a page is given to one tree alone
   * @param fits whether a row can be of this tree: what a damaged page leads to may be anything
   */
  constructor(pages: DatabasePages, taken: Set<number>, isTable: boolean, fits: (row: StoredRow) => boolean) {
    this.#pages = pages;
    this.#taken = taken;
    this.#isTable = isTable;
    this.#fits = fits;
  }

  get isWhole(): boolean {
    return this.damagedPages === 0 && this.damagedRows === 0;
  }

  /** @param root null where it is not known */
  *rows(root: number | null): Generator<StoredRow> {
    const all = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
    if (root === null) this.#lose(all);
    else yield* this.#below(root, all, new Set());
  }

  /** Whether rows of a page that nothing leads to can be of this tree. */
  mayHold(rows: readonly StoredRow[], isTable: boolean): boolean {
    if (isTable !== this.#isTable || this.gaps.length === 0) return false;
    const isInGap = ({ rowid }: StoredRow) =>
      rowid === null || this.gaps.some(({ low, high }) => rowid > low && rowid <= high);
    return rows.every((row) => isInGap(row) && this.#fits(row));
  }

  #lose(gap: Gap): void {
    this.damagedPages += 1;
    this.gaps.push(gap);
  }

  *#below(number: number, range: Gap, trail: ReadonlySet<number>): Generator<StoredRow> {
    const page = trail.has(number) || trail.size > maxDepth ? null : readTreePage(this.#pages, number);
    if (page === null || page.isTable !== this.#isTable || this.#taken.has(number)) return this.#lose(range);
    const rows = page.cells.flatMap(({ row }) => row ?? []);
    const own = rows.filter((row) => this.#fits(row) && isWithin(row, range));
    // One that a damaged page leads to by mistake is another tree's.
    if (rows.length > 0 && own.length * 2 < rows.length) return this.#lose(range);
    if (page.isLeaf && page.cells.length === 0) {
      // Only the first page of a tree may hold nothing, and even there it may be another's that was written to its place.
      if (trail.size > 0) return this.#lose(range);
      this.gaps.push(range);
    }
    if (page.isLeaf) {
      this.#taken.add(number);
      this.damagedRows += page.damaged + rows.length - own.length;
    } else if (page.damaged > 0 || own.length < rows.length) this.#lose(range);
    for (const row of own) {
      for (const one of row.pages) if (one !== number) this.#taken.add(one);
      yield row;
    }
    if (page.isLeaf) return;
    const below = new Set(trail).add(number);
    let { low } = range;
    for (const { child, key } of page.cells) {
      if (child === null) continue;
      const high = key ?? range.high;
      yield* this.#below(child, { low, high: Math.min(high, range.high) }, below);
      if (key !== null) low = Math.max(low, Math.min(key, range.high));
    }
    if (page.last !== null) yield* this.#below(page.last, { low, high: range.high }, below);
  }
}

const isWithin = ({ rowid }: StoredRow, { low, high }: Gap): boolean =>
  rowid === null || (rowid > low && rowid <= high);

export interface LooseRows {
  isTable: boolean;
  rows: StoredRow[];
}

/**
 * Rows on pages that no tree leads to, page by page.
 * @param taken pages that belong somewhere, and those that hold what was deleted
 */
export function* loosePages(pages: DatabasePages, taken: ReadonlySet<number>): Generator<LooseRows> {
  for (let number = 2; number <= pages.count; number += 1) {
    if (taken.has(number)) continue;
    const page = readTreePage(pages, number);
    const rows = page?.cells.flatMap(({ row }) => row ?? []) ?? [];
    if (page !== null && rows.length > 0) yield { isTable: page.isTable, rows };
  }
}
