// How conditions on what reports say are looked up. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import type { CatalogueColumns } from './catalogue-columns.ts';
import { foldedText, isIndexable, shortText } from './folded-text.ts';
import { type IdQuery, idsOf } from './id-query.ts';
import type { SearchCondition } from './search-expression.ts';
import { listedBy, quoted, type SearchListings } from './search-listings.ts';
import type { PostingSource } from './search-postings.ts';
import { TermFields } from './search-term-fields.ts';

type Source = Omit<PostingSource, 'key'>;

/** Up to so many terms are looked up one by one. */
const maxListed = 8000;
/** The texts of a field with so few terms are read sooner than the index of parts of texts. */
const maxRead = 2000;
/** So many terms with a text are found in some milliseconds; they tell what share the field has of them. */
const maxSampled = 40_000;
/** With more of them the field has too many to be listed, else all are looked at. */
const maxOfSample = 1000;
/** Past so many terms that contain a text, and hardly any of the field, searching takes a tenth of a second. */
const maxSearched = 500_000;
/** APKs whose terms are read in some 20 milliseconds. */
const maxScanned = 6000;
/** A page and more. */
const scanWanted = 110;
/** APKs that are read first; then twice as many each time. */
const firstScanned = 128;
/** Two ids in one number, each below it. */
const idLimit = 2 ** 32;

export class TermSources {
  readonly #connection: BetterSqlite3.Database;
  readonly #columns: CatalogueColumns;
  readonly #listings: SearchListings;
  readonly #fields: TermFields;
  readonly #textOf: BetterSqlite3.Statement<unknown[], string>;
  readonly #textsOfField: BetterSqlite3.Statement<unknown[], [number, string]>;
  readonly #newTexts: BetterSqlite3.Statement<unknown[], [number, string]>;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns, listings: SearchListings) {
    this.#connection = connection;
    this.#columns = columns;
    this.#listings = listings;
    this.#fields = new TermFields(connection, columns);
    const texts = 'select id, text from search_terms';
    this.#textOf = connection.prepare<unknown[], string>('select text from search_terms where id = ?').pluck();
    this.#textsOfField = connection.prepare<unknown[], [number, string]>(`${texts} where field = ?`).raw();
    this.#newTexts = connection.prepare<unknown[], [number, string]>(`${texts} where id > ? and +field = ?`).raw();
  }

  /** Reads what the first question would. */
  warm(): void {
    this.#fields.catchUp();
  }

  sourceOf({ field, text }: Extract<SearchCondition, { kind: 'term' }>): Source {
    this.#fields.catchUp();
    const fold = isIndexable(text) ? foldedText : shortText(text, ['text']).fold;
    const wanted = fold(text);
    const contains = (other: string) => fold(other).includes(wanted);
    const ids = this.#listed(field, text, contains);
    return ids === null ? this.#many(field, text, contains) : this.#few(ids, field, contains);
  }

  /** The terms of a field that contain a text, null where they are too many to be listed. */
  #listed(field: string, text: string, contains: (text: string) => boolean): number[] | null {
    if (this.#fields.countOf(field) <= maxRead)
      return this.#textsOfField.all(field).flatMap(([id, other]) => (contains(other) ? [id] : []));
    if (!isIndexable(text)) return null;
    const sql = 'select rowid from search_term_text where search_term_text match ? limit ?';
    const sample = this.#listings.ids(sql, quoted(text), maxSampled);
    const ids = this.#fields.inField(field, sample);
    if (sample.length < maxSampled) return ids.length <= maxListed ? ids : null;
    if (ids.length > maxOfSample) return null;
    const found: number[] = [];
    let searched = 0;
    for (const some of idsOf(this.#connection, { sql, parameters: [quoted(text), maxSearched] })) {
      for (const id of some) if (this.#fields.isInField(field, id)) found.push(id);
      searched += some.length;
    }
    return searched < maxSearched && found.length <= maxListed ? found : null;
  }

  #few(ids: readonly number[], field: string, contains: (text: string) => boolean): Source {
    const wanted = new Set(ids);
    let list = JSON.stringify(ids);
    let { newest } = this.#fields;
    const follow = () => {
      this.#fields.catchUp();
      if (newest === this.#fields.newest) return;
      for (const [id, text] of this.#newTexts.all(newest, field)) if (contains(text)) wanted.add(id);
      newest = this.#fields.newest;
      list = JSON.stringify([...wanted]);
    };
    const test = (id: number) => {
      follow();
      return this.#termsOf(id).some((one) => wanted.has(one));
    };
    const listing = () => {
      follow();
      if (wanted.size === 1)
        return this.#listings.ordered('select apk_id from apk_terms where term_id = ?', [...wanted], 'apk_id');
      const sql = 'select apk_id from apk_terms where term_id in (select value from json_each(?))';
      return this.#listings.unordered(sql, [list], 'apk_id');
    };
    return { watches: 'terms', test, ...listedBy(listing) };
  }

  /** Too many terms to be listed: the APKs' own ones are looked at. */
  #many(field: string, text: string, contains: (text: string) => boolean): Source {
    const holds = (term: number) => this.#fields.isInField(field, term) && contains(this.#textOf.get(term)!);
    const test = (id: number) => {
      this.#fields.catchUp();
      return this.#termsOf(id).some(holds);
    };
    const newest = () => {
      this.#fields.catchUp();
      const ids: number[] = [];
      const { maxId } = this.#columns;
      let from = maxId + 1;
      for (let most = firstScanned; from > 1 && ids.length < scanWanted && maxId - from < maxScanned; most *= 2) {
        const to = from - 1;
        from = Math.max(1, from - most);
        ids.push(...this.#scan(from, to, holds));
      }
      return { ids, from: from === 1 ? 0 : from };
    };
    const between = (from: number, to: number) => {
      this.#fields.catchUp();
      return to - from < maxScanned ? this.#scan(from, to, holds) : null;
    };
    const queries = () => [allWith(field, text)];
    return { watches: 'terms', test, newest, between, all: { queries, areSlow: true } };
  }

  #termsOf(id: number): number[] {
    return this.#listings.ids('select term_id from apk_terms where apk_id = ?', id);
  }

  /** APKs in `[from, to]` with a term that holds: reading their terms in a row takes a fifth of asking for each. */
  #scan(from: number, to: number, holds: (term: number) => boolean): number[] {
    const pairs = this.#listings.ids(
      `select (apk_id - cast(? as integer)) * ${idLimit} + term_id from apk_terms
        where apk_id between cast(? as integer) and cast(? as integer)`,
      ...[from, from, to],
    );
    const found: number[] = [];
    for (const pair of pairs) {
      const apk = Math.floor(pair / idLimit);
      if (found.at(-1) !== from + apk && holds(pair - apk * idLimit)) found.push(from + apk);
    }
    return found;
  }
}

/** All APKs with a term of a field that contains a text. */
function allWith(field: string, text: string): IdQuery {
  const apks = (terms: string) => `select apk_id from apk_terms where term_id in (${terms})`;
  if (isIndexable(text)) {
    const terms = `select s.id from search_term_text x cross join search_terms s on s.id = x.rowid
      where search_term_text match ? and s.field = ?`;
    return { sql: apks(terms), parameters: [quoted(text), field] };
  }
  const { condition, parameters } = shortText(text, ['text']);
  return {
    sql: apks(`select id from search_terms where field = ? and (${condition})`),
    parameters: [field, ...parameters],
  };
}
