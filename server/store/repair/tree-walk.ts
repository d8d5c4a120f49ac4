// Walks the b-trees of a damaged database and finds the pages that no tree refers to. Writes nothing.
import { readTreePage, type StoredRow } from './b-tree.ts';
import type { DatabasePages } from './database-pages.ts';

/** Range of rowids `(low, high]` under an unreadable page. */
interface Gap {
  low: number;
  high: number;
}

/** Bound on depth: no b-tree is as deep. */
const maxDepth = 40;

/** Result of walking one tree. */
export class TreeWalk {
  /** Ranges of rowids that are missing from the tree. */
  readonly gaps: Gap[] = [];
  /** Unreadable rows on readable pages. */
  damagedRows = 0;
  damagedPages = 0;
  readonly #pages: DatabasePages;
  readonly #taken: Set<number>;
  readonly #isTable: boolean;
  readonly #fits: (row: StoredRow) => boolean;

  /**
   * @param taken pages that rows were read from: each belongs to one tree
   * @param fits whether a row may belong to this tree: a damaged pointer may lead to any page
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

  /** Whether rows of a loose page may belong to this tree. */
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
    // A page of another tree, which a damaged pointer led to.
    if (rows.length > 0 && own.length * 2 < rows.length) return this.#lose(range);
    if (page.isLeaf && page.cells.length === 0) {
      // Only a root page may be empty, and even an empty root may be a misplaced page of another tree.
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
 * Rows on pages that no tree refers to, page by page.
 * @param taken pages that belong to a tree or to the freelist
 */
export function* loosePages(pages: DatabasePages, taken: ReadonlySet<number>): Generator<LooseRows> {
  for (let number = 2; number <= pages.count; number += 1) {
    if (taken.has(number)) continue;
    const page = readTreePage(pages, number);
    const rows = page?.cells.flatMap(({ row }) => row ?? []) ?? [];
    if (page !== null && rows.length > 0) yield { isTable: page.isTable, rows };
  }
}
