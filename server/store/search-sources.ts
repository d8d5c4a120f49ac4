// How each kind of condition of a search is looked up in the index and the columns. For the search thread.
import type BetterSqlite3 from 'better-sqlite3';
import { type CatalogueColumns, flagColumns } from './catalogue-columns.ts';
import { asciiLower, foldedText, isAscii, WordProbe } from './folded-text.ts';
import { addId, eitherOf, emptySet, type IdSet } from './id-set.ts';
import type { SearchCondition, TextColumn } from './search-expression.ts';
import type { PostingSource } from './search-postings.ts';
import { Vocabulary } from './vocabulary.ts';

type Statement = BetterSqlite3.Statement<unknown[], unknown>;
type TermRow = [id: number, text: string];
type TextRow = readonly [string, string, string, string];
type Listing = Pick<PostingSource, 'newest' | 'between' | 'all'>;
type SourceOf<Kind extends SearchCondition['kind']> = (
  condition: Extract<SearchCondition, { kind: Kind }>,
) => Omit<PostingSource, 'key'>;

const textColumns = ['app', 'package_name', 'company', 'version'] as const satisfies TextColumn[];
/** Up to so many ids in no order are taken as they come. */
const maxUnordered = 5000;
/** Up to so many terms of reports, or words, are looked up one by one. */
const maxListed = 2000;
/** An APK that has it in so many words is found sooner by reading the catalogue from its end. */
const maxCountByWords = 5000;

/** Reading the catalogue from its end for a rare condition stops after so many: more than a page. */
const maxRead = 110;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const likePattern = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
const inColumns = (columns: readonly TextColumn[], match: string) => `{${columns.join(' ')}} : (${match})`;
/** SQLite's texts end at a NUL where they are matched. */
const isSearchable = (text: string) => !text.includes('\0');

const nowhere: Omit<PostingSource, 'key'> = {
  watches: 'row',
  test: () => false,
  newest: () => ({ ids: [], areAll: true }),
  between: () => [],
  all: { queries: () => [] },
};

export class SearchSources {
  readonly #connection: BetterSqlite3.Database;
  readonly #columns: CatalogueColumns;
  readonly #statements = new Map<string, Statement>();
  readonly #textRow: Statement;
  readonly #fieldTerms: BetterSqlite3.Statement<unknown[], TermRow>;
  readonly #newTerms: BetterSqlite3.Statement<unknown[], TermRow>;
  readonly #wordProbe = new WordProbe(textColumns);
  readonly vocabulary: Vocabulary;
  /** The row that was read last: several conditions look at the same one. */
  #lastText: { id: number; seq: number; row: TextRow | undefined; folded: string[] | undefined } = {
    id: -1,
    seq: -1,
    row: undefined,
    folded: undefined,
  };

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns) {
    this.#connection = connection;
    this.#columns = columns;
    this.#textRow = connection.prepare(`select ${textColumns.join(', ')} from apks where id = ?`).raw();
    const terms = 'select id, text from search_terms';
    this.#fieldTerms = connection.prepare<unknown[], TermRow>(`${terms} where field = ? limit ?`).raw();
    this.#newTerms = connection.prepare<unknown[], TermRow>(`${terms} where id > ? and +field = ?`).raw();
    this.vocabulary = new Vocabulary(connection, columns, (id) => this.#textsOf(id).row, this.#wordProbe);
  }

  sourceOf(condition: SearchCondition): PostingSource {
    const make = this.#makers[condition.kind] as SourceOf<SearchCondition['kind']>;
    return { key: JSON.stringify(condition), ...make(condition as never) };
  }

  #prepare(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare<unknown[], unknown>(sql).pluck();
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #ids(sql: string, ...parameters: unknown[]): number[] {
    return this.#prepare(sql).all(...parameters) as number[];
  }

  #textsOf(id: number) {
    const { seq } = this.#columns;
    if (this.#lastText.id !== id || this.#lastText.seq !== seq) {
      const row = this.#textRow.get(id) as TextRow | undefined;
      this.#lastText = { id, seq, row, folded: undefined };
    }
    return this.#lastText;
  }

  #foldedTextsOf(id: number): string[] {
    const text = this.#textsOf(id);
    text.folded ??= (text.row ?? []).map(foldedText);
    return text.folded;
  }

  /** A query of ids in any order, which are taken as they come where they are few. */
  #unordered(sql: string, parameters: readonly unknown[], id: string): Listing {
    return {
      newest: () => {
        const ids = this.#ids(`${sql} limit ${maxUnordered + 1}`, ...parameters);
        return ids.length > maxUnordered ? null : { ids, areAll: true };
      },
      between: this.#between(sql, parameters, id),
      all: { queries: () => [{ sql, parameters }] },
    };
  }

  /** A query of an index whose ids come downwards where that is asked for. */
  #ordered(sql: string, parameters: readonly unknown[], id: string): Listing {
    return {
      newest: (limit) => {
        const ids = this.#ids(`${sql} order by ${id} desc limit ?`, ...parameters, limit);
        return { ids, areAll: ids.length < limit };
      },
      between: this.#between(sql, parameters, id),
      all: { queries: () => [{ sql, parameters }] },
    };
  }

  /**
   * Numbers are bound as reals, by which a full-text index finds no row: it would read all.
   * @param id the column of row ids
   */
  #between(sql: string, parameters: readonly unknown[], id: string): (from: number, to: number) => number[] {
    const between = `${id} between cast(? as integer) and cast(? as integer)`;
    return (from, to) => this.#ids(`${sql} and ${between}`, ...parameters, from, to);
  }

  /** @param set all ids that `test` holds for: loops of its own take a tenth of the time of asking for each */
  #inMemory(test: (id: number) => boolean, set: () => IdSet): Omit<PostingSource, 'key'> {
    return { watches: 'row', test, newest: () => null, between: null, all: { set } };
  }

  readonly #makers: { [Kind in SearchCondition['kind']]: SourceOf<Kind> } = {
    flag: ({ column, value }) => {
      const mask = 1 << flagColumns.indexOf(column);
      const wanted = value ? mask : 0;
      const set = () => {
        const { capacity, flags, maxId } = this.#columns;
        const ids = emptySet(capacity);
        for (let id = 1; id <= maxId; id++) if ((flags[id]! & mask) === wanted) addId(ids, id);
        return ids;
      };
      return this.#inMemory((id) => (this.#columns.flags[id]! & mask) === wanted, set);
    },

    range: ({ column, from, to }) => {
      const least = from ?? Number.NEGATIVE_INFINITY;
      const most = to ?? Number.POSITIVE_INFINITY;
      const test = (id: number) => {
        const value = this.#columns.numbers[column][id]!;
        return value >= least && value <= most;
      };
      const set = () => {
        const { capacity, maxId, numbers } = this.#columns;
        return idsBetween(numbers[column], least, most, maxId, capacity);
      };
      return this.#inMemory(test, set);
    },

    certificate: ({ hash }) => {
      const column = hash.length === 40 ? 'sha1' : 'sha256';
      const signers = () => this.#ids(`select id from signers where ${column} = ?`, Buffer.from(hash, 'hex'));
      const test = (id: number) => signers().includes(this.#columns.numbers.signer_id[id]!);
      const set = () => {
        const { capacity, maxId, numbers } = this.#columns;
        const sets = signers().map((signer) => idsBetween(numbers.signer_id, signer, signer, maxId, capacity));
        return sets.reduce(eitherOf, emptySet(capacity));
      };
      return this.#inMemory(test, set);
    },

    hash: ({ columns, hash }) => {
      const bytes = Buffer.from(hash, 'hex');
      const sql = columns
        .map((column) =>
          column === 'sha256'
            ? 'select id from apks where sha256 = ?'
            : `select a.id from apk_hashes h cross join apks a on a.id = h.rowid
                where apk_hashes match ? and a.${column} = ?`,
        )
        .join(' union ');
      const start = `"${hash.slice(0, 16)}"`;
      const parameters = columns.flatMap((column) => (column === 'sha256' ? [bytes] : [start, bytes]));
      const test = (id: number) => this.#ids(sql, ...parameters).includes(id);
      return { watches: 'row', test, ...this.#unordered(`select id from (${sql}) where true`, parameters, 'id') };
    },

    text: (condition) => {
      const { columns, text } = condition;
      if (!isSearchable(text)) return nowhere;
      if ([...text].length < 3) return this.#shortText(condition);
      const wanted = foldedText(text);
      const places = columns.map((column) => textColumns.indexOf(column));
      const test = (id: number) => {
        const texts = this.#foldedTextsOf(id);
        return texts.length > 0 && places.some((place) => texts[place]!.includes(wanted));
      };
      const sql = 'select rowid from apk_text where apk_text match ?';
      return { watches: 'row', test, ...this.#ordered(sql, [inColumns(columns, quoted(text))], 'rowid') };
    },

    prefix: ({ columns, text }) => this.#words(columns, () => `${quoted(text)} *`),

    similar: ({ columns, text, distance }) =>
      this.#words(columns, () => this.vocabulary.similar(foldedText(text), distance).map(quoted).join(' OR ')),

    tag: ({ name, isPrefix }) => {
      // The index of tags folds ASCII.
      const { condition, parameters } = named('name collate nocase', name, isPrefix);
      const sql = `select apk_id from apk_tags where ${condition}`;
      const test = (id: number) => this.#ids(`${sql} and apk_id = ? limit 1`, ...parameters, id).length > 0;
      const listing = isPrefix ? this.#unordered(sql, parameters, 'apk_id') : this.#ordered(sql, parameters, 'apk_id');
      return { watches: 'tags', test, ...listing };
    },

    ruleset: ({ name, isPrefix, viewerId }) => {
      const { condition, parameters } = named('r.folded_name', name.toLowerCase(), isPrefix);
      return this.#matches(condition, parameters, viewerId);
    },

    rule: ({ name, isPrefix, viewerId }) => {
      const { condition, parameters } = named('name', name, isPrefix);
      return this.#matches(`m.id in (select match_id from match_rules where ${condition})`, parameters, viewerId);
    },

    term: ({ field, text }) => {
      if (!isSearchable(text)) return nowhere;
      const isIndexed = [...text].length >= 3;
      const found = isIndexed
        ? `select s.id from search_term_text x cross join search_terms s on s.id = x.rowid
            where search_term_text match ? and s.field = ?`
        : `select s.id from search_terms s where s.text like ? escape '\\' and s.field = ?`;
      const parameters = [isIndexed ? quoted(text) : likePattern(text), field];
      if (isIndexed) {
        const ids = this.#termsOfSmallField(field, text) ?? this.#ids(`${found} limit ${maxListed + 1}`, ...parameters);
        if (ids.length <= maxListed)
          return this.#listedTerms(ids, (afterId) => this.#termsContaining(text, this.#newTerms.all(afterId, field)));
      }
      // Too many terms to be listed: an APK's own ones are looked at.
      const wanted = isIndexed ? foldedText(text) : text.toLowerCase();
      const fold = isIndexed ? foldedText : asciiLower;
      const texts = this.#connection
        .prepare<unknown[], string>(
          `select s.text from apk_terms t cross join search_terms s on s.id = t.term_id
            where t.apk_id = ? and s.field = ?`,
        )
        .pluck();
      return {
        watches: 'terms',
        test: (id) => texts.all(id, field).some((one) => fold(one).includes(wanted)),
        newest: () => null,
        between: null,
        all: { queries: () => [{ sql: `select apk_id from apk_terms where term_id in (${found})`, parameters }] },
      };
    },
  };

  /** One or two letters: the words that contain them tell, else the catalogue is read. */
  #shortText({ columns, text }: Extract<SearchCondition, { kind: 'text' }>): Omit<PostingSource, 'key'> {
    const isPlain = isAscii(text);
    const fold = isPlain ? asciiLower : foldedText;
    const wanted = fold(text);
    const places = columns.map((column) => textColumns.indexOf(column));
    const test = (id: number) => {
      const { row } = this.#textsOf(id);
      return row !== undefined && places.some((place) => fold(row[place]!).includes(wanted));
    };
    const spellings = isPlain ? [wanted] : spellingsOf(text);
    const condition = isPlain ? `like ? escape '\\'` : '';
    const where = columns
      .flatMap((column) => spellings.map(() => (isPlain ? `${column} ${condition}` : `instr(${column}, ?) > 0`)))
      .join(' or ');
    const parameters = columns.flatMap(() => (isPlain ? [likePattern(text)] : spellings));
    const sql = `select id from apks not indexed where (${where})`;
    const reading = this.#ordered(sql, parameters, 'id');
    const isOneWord = this.#wordProbe.wordsOf([text, '', '', '']).join(' ') === foldedText(text);
    if (!isOneWord) {
      const newest = (limit: number) => reading.newest(Math.min(limit, maxRead));
      return { watches: 'row', test, ...reading, newest };
    }
    return {
      watches: 'row',
      test,
      ...reading,
      newest: (limit) => {
        const containing = this.vocabulary.containing(foldedText(text), maxListed);
        if (containing === null || containing.count > maxCountByWords) return reading.newest(Math.min(limit, maxRead));
        if (containing.words.length === 0) return { ids: [], areAll: true };
        const match = inColumns(columns, containing.words.map(quoted).join(' OR '));
        return { ids: this.#ids('select rowid from apk_words where apk_words match ?', match), areAll: true };
      },
    };
  }

  /** @param match what the index of words is asked; empty: nothing */
  #words(columns: readonly TextColumn[], match: () => string): Omit<PostingSource, 'key'> {
    const sql = 'select rowid from apk_words where apk_words match ?';
    let known = { seq: -1, match: '' };
    const asked = () => {
      if (known.seq !== this.#columns.seq) known = { seq: this.#columns.seq, match: match() };
      return known.match;
    };
    const test = (id: number) => {
      const { row } = this.#textsOf(id);
      return row !== undefined && asked() !== '' && this.#wordProbe.matches(row, inColumns(columns, asked()));
    };
    const listing = () => (asked() === '' ? nowhere : this.#ordered(sql, [inColumns(columns, asked())], 'rowid'));
    return { watches: 'row', test, ...listedBy(listing) };
  }

  /** Of thousands of names that contain a text hardly any may be of a field with few. @returns null where it has many */
  #termsOfSmallField(field: string, text: string): number[] | null {
    const terms = this.#fieldTerms.all(field, maxListed + 1);
    return terms.length > maxListed ? null : this.#termsContaining(text, terms);
  }

  #termsContaining(text: string, terms: readonly TermRow[]): number[] {
    const wanted = foldedText(text);
    return terms.filter(([, other]) => foldedText(other).includes(wanted)).map(([id]) => id);
  }

  /** @param resolve the wanted terms with ids above one: terms come with reports, and stay */
  #listedTerms(ids: readonly number[], resolve: (afterId: number) => number[]): Omit<PostingSource, 'key'> {
    const wanted = new Set(ids);
    const newestTerm = () => this.#ids('select coalesce(max(id), 0) from search_terms')[0]!;
    let knownTerms = newestTerm();
    let { seq } = this.#columns;
    const follow = () => {
      if (seq === this.#columns.seq) return;
      seq = this.#columns.seq;
      const newest = newestTerm();
      if (newest === knownTerms) return;
      for (const id of resolve(knownTerms)) wanted.add(id);
      knownTerms = newest;
    };
    const test = (id: number) => {
      follow();
      return this.#ids('select term_id from apk_terms where apk_id = ?', id).some((one) => wanted.has(one));
    };
    const listing = () => {
      follow();
      if (wanted.size === 1)
        return this.#ordered('select apk_id from apk_terms where term_id = ?', [...wanted], 'apk_id');
      const sql = 'select apk_id from apk_terms where term_id in (select value from json_each(?))';
      return this.#unordered(sql, [JSON.stringify([...wanted])], 'apk_id');
    };
    return { watches: 'terms', test, ...listedBy(listing) };
  }

  #matches(condition: string, names: readonly string[], viewerId: number | null): Omit<PostingSource, 'key'> {
    const sql = `select m.apk_id from rulesets r cross join matches m on m.ruleset_id = r.id
      where (r.is_public = 1 or r.author_id is ?) and ${condition}`;
    const parameters = [viewerId, ...names];
    const test = (id: number) => this.#ids(`${sql} and m.apk_id = ? limit 1`, ...parameters, id).length > 0;
    return { watches: 'all', test, ...this.#unordered(sql, parameters, 'm.apk_id') };
  }
}

/** A column has this name, or one that begins so: as a range, which an index serves. */
const named = (column: string, name: string, isPrefix: boolean): { condition: string; parameters: string[] } =>
  isPrefix
    ? { condition: `${column} >= ? and ${column} < ?`, parameters: [name, `${name}\u{10ffff}`] }
    : { condition: `${column} = ?`, parameters: [name] };

/** A listing whose query is another one as the catalogue changes. */
const listedBy = (listing: () => Listing): Listing => ({
  newest: (limit) => listing().newest(limit),
  between: (from, to) => listing().between?.(from, to) ?? [],
  all: {
    queries: () => {
      const { all } = listing();
      return 'queries' in all ? all.queries() : [];
    },
  },
});

function idsBetween(
  values: Float64Array | Float32Array,
  least: number,
  most: number,
  maxId: number,
  capacity: number,
): IdSet {
  const ids = emptySet(capacity);
  for (let id = 1; id <= maxId; id++) if (values[id]! >= least && values[id]! <= most) addId(ids, id);
  return ids;
}

/** The ways to write one or two letters that fold alike. */
function spellingsOf(text: string): string[] {
  let spellings = [''];
  for (const letter of text) {
    const others = new Set([letter, letter.toLowerCase(), letter.toUpperCase(), foldedText(letter)]);
    spellings = spellings.flatMap((start) => [...others].map((other) => start + other));
  }
  return spellings;
}
