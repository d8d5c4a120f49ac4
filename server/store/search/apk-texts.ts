// Names, packages, companies and versions of single APKs, read many at a time. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import type { CatalogueColumns } from './catalogue-columns.ts';
import { foldedText } from './folded-text.ts';
import type { TextColumn } from './search-expression.ts';

export const textColumns = ['app', 'package_name', 'company', 'version'] as const satisfies TextColumn[];
export type TextRow = readonly [app: string, packageName: string, company: string, version: string];

/** Cached rows: several conditions examine the same ones, some hundred at a time. */
const maxKept = 4096;

export class ApkTexts {
  readonly #columns: CatalogueColumns;
  readonly #read: BetterSqlite3.Statement<unknown[], [number, ...TextRow]>;
  readonly #kept = new Map<number, { row: TextRow; folded: string[] | undefined }>();
  #seq = -1;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns) {
    this.#columns = columns;
    this.#read = connection
      .prepare<unknown[], [number, ...TextRow]>(
        `select id, ${textColumns.join(', ')} from apks where id in (select value from json_each(?))`,
      )
      .raw();
  }

  /** The texts of those APKs that exist. */
  rowsOf(ids: readonly number[]): { id: number; row: TextRow }[] {
    this.#keep(ids);
    return ids.flatMap((id) => {
      const kept = this.#kept.get(id);
      return kept === undefined ? [] : [{ id, row: kept.row }];
    });
  }

  /** Those APKs whose texts, folded as the trigram index folds them, pass a test. */
  passing(ids: readonly number[], test: (folded: readonly string[]) => boolean): number[] {
    this.#keep(ids);
    return ids.filter((id) => {
      const kept = this.#kept.get(id);
      if (kept === undefined) return false;
      kept.folded ??= kept.row.map(foldedText);
      return test(kept.folded);
    });
  }

  #keep(ids: readonly number[]): void {
    const { seq } = this.#columns;
    if (this.#seq !== seq || this.#kept.size > maxKept) this.#kept.clear();
    this.#seq = seq;
    const unknown = ids.filter((id) => !this.#kept.has(id));
    if (unknown.length === 0) return;
    for (const [id, ...row] of this.#read.all(JSON.stringify(unknown))) this.#kept.set(id, { row, folded: undefined });
  }
}
