// How conditions on terms of reports are looked up. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import type { CatalogueColumns } from './catalogue-columns.ts';
import { isIndexable } from './folded-text.ts';
import { type IdQuery, idsOf } from './id-query.ts';
import type { SearchCondition, TermFit } from './search-expression.ts';
import { listedBy, quoted, type SearchListings } from './search-listings.ts';
import type { PostingSource } from './search-postings.ts';
import { TermFields } from './search-term-fields.ts';
import { fitting, termsThatFit, termsWith } from './term-fit.ts';
import { longestLists, type TermLists } from './term-lists.ts';

/** Up to so many terms are looked up one by one. */
const maxListed = 8000;
/** Up to so many terms of a field are read sooner than the trigram index. */
const maxRead = 2000;
/** So many terms with a text are found in a millisecond; they tell how many more there are, and of which fields. */
const maxSampled = 8000;
/** So many times as many are found in some 40 milliseconds. */
const maxParts = 60;
/** What looking for terms takes, in milliseconds, and how many of them a further one is enough for. */
const leastOverhead = 15;
const searchedPerMillisecond = 8000;
/** APKs whose terms are read in some 20 milliseconds. */
const maxScanned = 6000;
/** The newest APKs, which tell how many others there may be: the second ones where the first do not fill a page. */
const newestScanned = [128, 896] as const;
const scanWanted = 60;
/** A term and the index of an APK in one number. */
const idLimit = 2 ** 32;

/** A sample of APKs that shows the most common terms: so many, from so many places. */
const sampledStretches = 20;
const sampledAtOnce = 50;

const idsFrom = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);

const apksWith = (terms: readonly number[]): IdQuery => ({
  sql: 'select apk_id from apk_terms where term_id in (select value from json_each(?))',
  parameters: [JSON.stringify(terms)],
});

export class TermSources {
  readonly #connection: BetterSqlite3.Database;
  readonly #columns: CatalogueColumns;
  readonly #listings: SearchListings;
  readonly #fields: TermFields;
  readonly #texts: BetterSqlite3.Statement<unknown[], [number, string]>;
  readonly #textsOfField: BetterSqlite3.Statement<unknown[], [number, string]>;
  readonly #newTexts: BetterSqlite3.Statement<unknown[], [number, string]>;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns, listings: SearchListings) {
    this.#connection = connection;
    this.#columns = columns;
    this.#listings = listings;
    this.#fields = new TermFields(connection, columns);
    const texts = 'select id, text from search_terms';
    this.#texts = connection
      .prepare<unknown[], [number, string]>(`${texts} where id in (select value from json_each(?))`)
      .raw();
    this.#textsOfField = connection.prepare<unknown[], [number, string]>(`${texts} where field = ?`).raw();
    this.#newTexts = connection.prepare<unknown[], [number, string]>(`${texts} where id > ? and +field = ?`).raw();
  }

  /** Reads ahead what the first question needs. */
  warm(): void {
    this.#fields.catchUp();
  }

  /** The terms of a field that some APKs have, by the place of the APK in the list. */
  textsOf(apks: readonly number[], field: string): string[][] {
    this.#fields.catchUp();
    const { places, terms } = this.#termsOfApks(apks, field);
    const texts = new Map(this.#texts.all(JSON.stringify([...new Set(terms)])));
    const found = apks.map((): string[] => []);
    for (const [at, term] of terms.entries()) found[places[at]!]!.push(texts.get(term)!);
    return found;
  }

  /** Where the ids of APKs with a term come from. */
  sourceOf(condition: Extract<SearchCondition, { kind: 'term' }>): PostingSource {
    this.#fields.catchUp();
    const { field } = condition;
    const fits = fitting(condition);
    const ids = this.#listed(field, condition, fits);
    return ids === null ? this.#many(field, condition, fits) : this.#few(field, ids, fits);
  }

  /** The terms of a field that fit, null where they are too many to be listed. */
  #listed(field: string, wanted: TermFit, fits: (text: string) => boolean): number[] | null {
    if (this.#fields.countOf(field) <= maxRead)
      return this.#textsOfField.all(field).flatMap(([id, other]) => (fits(other) ? [id] : []));
    if (wanted.fit !== 'part') {
      const { sql, parameters } = termsThatFit(field, wanted);
      const ids = this.#listings.ids(`${sql} limit ?`, ...parameters, maxListed + 1);
      return ids.length > maxListed ? null : ids;
    }
    const { text } = wanted;
    if (!isIndexable(text)) return null;
    const { ids, parts } = this.#sample(field, text);
    if (ids.length * parts > maxListed || parts > maxParts) return null;
    const all = parts === 1 ? ids : this.#termsOf(field, text);
    return all.length <= maxListed ? all : null;
  }

  /**
   * The oldest of the terms that contain a text.
   * @returns those of a field among them; `parts`: how many times as many terms there are in all, about
   */
  #sample(field: string, text: string): { ids: number[]; parts: number } {
    const terms = this.#listings.ids(`${termsWith} order by rowid limit ?`, quoted(text), maxSampled);
    const parts = terms.length < maxSampled ? 1 : this.#fields.newest / terms.at(-1)!;
    return { ids: terms.filter((term) => this.#fields.isInField(field, term)), parts };
  }

  #termsOf(field: string, text: string): number[] {
    const found: number[] = [];
    for (const terms of idsOf(this.#connection, { sql: termsWith, parameters: [quoted(text)] }))
      for (const term of terms) if (this.#fields.isInField(field, term)) found.push(term);
    return found;
  }

  /** All APKs with a term of a field that fits. @param terms those that fit, of this field at the least */
  #allWith(terms: IdQuery, field: string, fits: (text: string) => boolean): TermLists {
    this.#fields.catchUp();
    const newestApk = this.#columns.maxId;
    const longest = longestLists(this.#sampledApks(field, fits), newestApk);
    return { terms, fields: this.#fields.fields, field: this.#fields.numberOf(field), newestApk, ...longest };
  }

  /** The terms of some APKs, all over the catalogue, that fit. */
  #sampledApks(field: string, fits: (text: string) => boolean): number[][] {
    const { maxId } = this.#columns;
    const ids: number[] = [];
    for (let stretch = 0; stretch < sampledStretches; stretch++) {
      const from = 1 + Math.floor((stretch * maxId) / sampledStretches);
      const to = Math.min(from + sampledAtOnce - 1, Math.floor(((stretch + 1) * maxId) / sampledStretches));
      ids.push(...idsFrom(from, to));
    }
    const { places, terms } = this.#termsOfApks(ids, field);
    const wanted = this.#fitting(terms, fits);
    const samples = ids.map((): number[] => []);
    for (const [at, term] of terms.entries()) if (wanted.has(term)) samples[places[at]!]!.push(term);
    return samples;
  }

  /** @param ids the terms that fit */
  #few(field: string, ids: readonly number[], fits: (text: string) => boolean): PostingSource {
    const wanted = new Set(ids);
    let { newest } = this.#fields;
    let query = apksWith(ids);
    const follow = () => {
      this.#fields.catchUp();
      if (newest === this.#fields.newest) return;
      for (const [id, other] of this.#newTexts.all(newest, field)) if (fits(other)) wanted.add(id);
      newest = this.#fields.newest;
      query = apksWith([...wanted]);
    };
    const among = (apks: readonly number[]) => {
      follow();
      return this.#having(apks, field, () => wanted);
    };
    const listing = () => {
      follow();
      if (wanted.size !== 1) {
        const terms = { sql: 'select value from json_each(?)', parameters: [JSON.stringify([...wanted])] };
        const loads = () => [this.#allWith(terms, field, fits)];
        return { ...this.#listings.unordered(query, 'apk_id'), all: { kind: 'read' as const, loads, overhead: 0 } };
      }
      const sql = 'select apk_id from apk_terms where term_id = ?';
      return this.#listings.ordered({ sql, parameters: [...wanted] }, 'apk_id');
    };
    return { watches: 'terms', among, ...listedBy(listing) };
  }

  /** Too many terms to be listed: the APKs' own ones are looked at. */
  #many(field: string, wanted: TermFit, fits: (text: string) => boolean): PostingSource {
    const among = (apks: readonly number[]) => {
      this.#fields.catchUp();
      return this.#having(apks, field, (terms) => this.#fitting(terms, fits));
    };
    const newest = () => {
      const ids: number[] = [];
      let from = this.#columns.maxId + 1;
      for (const width of newestScanned) {
        const to = from - 1;
        from = Math.max(1, from - width);
        ids.push(...among(idsFrom(from, to)));
        if (from === 1 || ids.length >= scanWanted) break;
      }
      return { ids, from: from === 1 ? 0 : from };
    };
    const between = (from: number, to: number) => (to - from < maxScanned ? among(idsFrom(from, to)) : null);
    const loads = () => [this.#allWith(termsThatFit(field, wanted), field, fits)];
    const overhead = leastOverhead + this.#fields.countOf(field) / searchedPerMillisecond;
    return { watches: 'terms', among, newest, between, all: { kind: 'read', loads, overhead } };
  }

  /** Those of some APKs that have a wanted one of their terms of a field. @param wantedOf those that are wanted, at the least */
  #having(
    apks: readonly number[],
    field: string,
    wantedOf: (terms: readonly number[]) => ReadonlySet<number>,
  ): number[] {
    const { places, terms } = this.#termsOfApks(apks, field);
    const wanted = wantedOf(terms);
    const found: number[] = [];
    let last = -1;
    for (const [at, term] of terms.entries()) {
      if (places[at] === last || !wanted.has(term)) continue;
      last = places[at]!;
      found.push(apks[last]!);
    }
    return found;
  }

  /** The terms of a field of some APKs, and the place of the APK of each among them. */
  #termsOfApks(apks: readonly number[], field: string): { places: number[]; terms: number[] } {
    const pairs = this.#listings.ids(
      `select key * ${idLimit} + term_id from json_each(?) cross join apk_terms on apk_id = value`,
      JSON.stringify(apks),
    );
    const places: number[] = [];
    const terms: number[] = [];
    for (const pair of pairs) {
      const place = Math.floor(pair / idLimit);
      const term = pair - place * idLimit;
      if (!this.#fields.isInField(field, term)) continue;
      places.push(place);
      terms.push(term);
    }
    return { places, terms };
  }

  #fitting(terms: readonly number[], fits: (text: string) => boolean): Set<number> {
    const found = new Set<number>();
    for (const [id, text] of this.#texts.all(JSON.stringify([...new Set(terms)]))) if (fits(text)) found.add(id);
    return found;
  }
}
