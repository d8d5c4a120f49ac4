// Findings, techniques and trackers of APKs, in memory. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import { ApkNumbers, maxNumbers } from './apk-numbers.ts';
import type { CatalogueColumns } from './catalogue-columns.ts';
import type { IdSet } from './id-set.ts';

export interface Mark {
  field: string;
  text: string;
}

const bytesOfTerm = 4;
type Row = [apkId: number, terms: Buffer];

export class ApkMarks {
  readonly #columns: CatalogueColumns;
  readonly #all: BetterSqlite3.Statement<unknown[], Row>;
  readonly #some: BetterSqlite3.Statement<unknown[], Row>;
  readonly #term: BetterSqlite3.Statement<unknown[], [field: string, text: string]>;
  /** By term. */
  readonly #numbers = new Map<number, number>();
  /** By number. */
  readonly marks: Mark[] = [];
  #ofApks = new ApkNumbers(0);
  #seq = -1;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns) {
    this.#columns = columns;
    const rows = 'select apk_id, terms from apk_marks';
    this.#all = connection.prepare<unknown[], Row>(rows).raw();
    this.#some = connection.prepare<unknown[], Row>(`${rows} where apk_id in (select value from json_each(?))`).raw();
    this.#term = connection
      .prepare<unknown[], [field: string, text: string]>('select field, text from search_terms where id = ?')
      .raw();
  }

  /** Reads what changed since the last call. The caller has begun a transaction. */
  catchUp(): void {
    const { seq, capacity } = this.#columns;
    if (this.#seq === seq) return;
    const changed = this.#seq < 0 || this.#ofApks.isWasteful ? null : this.#columns.changedSince(this.#seq, 'terms');
    this.#seq = seq;
    if (changed === null) {
      this.#ofApks = new ApkNumbers(capacity);
      for (const row of this.#all.iterate()) this.#keep(row);
      return;
    }
    this.#ofApks.grow(capacity);
    for (const id of changed) this.#ofApks.set(id, []);
    if (changed.size > 0) for (const row of this.#some.all(JSON.stringify([...changed]))) this.#keep(row);
  }

  /** Whether an APK has one of some marks. @param wanted by number: 1 */
  hasAny = (id: number, wanted: Uint8Array): boolean => this.#ofApks.hasAny(id, wanted);

  /** The APKs that have one of some marks. */
  having = (wanted: Uint8Array): IdSet => this.#ofApks.having(wanted);

  /** How many APKs of a set have each mark, by number. */
  countsIn = (set: IdSet): Uint32Array =>
    this.#ofApks.countsIn(set, Int32Array.from(this.marks.keys()), this.marks.length);

  #keep([id, terms]: Row): void {
    const numbers: number[] = [];
    for (let at = 0; at < terms.length; at += bytesOfTerm) {
      const number = this.#numberOf(terms.readUInt32LE(at));
      if (number !== null) numbers.push(number);
    }
    this.#ofApks.set(id, numbers);
  }

  /** null beyond the largest number, which hostile apps with invented values could exceed. */
  #numberOf(term: number): number | null {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const named = this.marks.length < maxNumbers ? this.#term.get(term) : undefined;
    if (named === undefined) return null;
    const number = this.marks.push({ field: named[0], text: named[1] }) - 1;
    this.#numbers.set(term, number);
    return number;
  }
}
