// The field of each term of reports, a byte each, in memory. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import type { CatalogueColumns } from './catalogue-columns.ts';
import { idsOf } from './id-query.ts';

/** Room for terms to come. */
const growth = 65_536;

export class TermFields {
  readonly #connection: BetterSqlite3.Database;
  readonly #columns: CatalogueColumns;
  readonly #newestTerm: BetterSqlite3.Statement<unknown[], unknown>;
  readonly #newTerms: BetterSqlite3.Statement<unknown[], unknown>;
  /** Counted from 1: 0 stands for no term. */
  readonly #numbers = new Map<string, number>();
  readonly #counts = new Map<string, number>();
  /** By term: the number of its field. To be read alone. */
  fields = new Uint8Array(0);
  /** The largest id that was read. */
  newest = 0;
  #seq = -1;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns) {
    this.#connection = connection;
    this.#columns = columns;
    this.#newestTerm = connection.prepare('select coalesce(max(id), 0) from search_terms').pluck();
    this.#newTerms = connection.prepare('select id, field from search_terms where id > ? order by id').raw();
  }

  /** Reads new terms, which are never deleted. The caller has begun a transaction. */
  catchUp(): void {
    if (this.#seq === this.#columns.seq) return;
    const newest = this.#newestTerm.get() as number;
    this.#grow(newest);
    if (this.#seq < 0) this.#readAll();
    else {
      for (const [id, field] of this.#newTerms.all(this.newest) as [number, string][]) {
        this.fields[id] = this.#numberFor(field);
        this.#counts.set(field, this.countOf(field) + 1);
      }
    }
    this.newest = newest;
    this.#seq = this.#columns.seq;
  }

  /** How many terms a field has. */
  countOf(field: string): number {
    return this.#counts.get(field) ?? 0;
  }

  /** Whether a term is one of this field. */
  isInField(field: string, id: number): boolean {
    return this.fields[id] === this.numberOf(field);
  }

  /** By which a field stands in `fields`; -1: it has no term. */
  numberOf(field: string): number {
    return this.#numbers.get(field) ?? -1;
  }

  #readAll(): void {
    const next = this.#connection.prepare('select min(field) from search_terms where field > ?').pluck();
    for (let field = next.get('') as string | null; field !== null; field = next.get(field) as string | null) {
      const number = this.#numberFor(field);
      let count = 0;
      const query = { sql: 'select id from search_terms where field = ?', parameters: [field] };
      for (const ids of idsOf(this.#connection, query)) {
        for (const id of ids) this.fields[id] = number;
        count += ids.length;
      }
      this.#counts.set(field, count);
    }
  }

  #numberFor(field: string): number {
    const number = this.#numbers.get(field) ?? this.#numbers.size + 1;
    this.#numbers.set(field, number);
    return number;
  }

  #grow(newest: number): void {
    if (newest < this.fields.length) return;
    const numbers = new Uint8Array(newest + growth);
    numbers.set(this.fields);
    this.fields = numbers;
  }
}
