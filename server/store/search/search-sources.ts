// How each kind of condition of a search is looked up in the index and the columns. For the search thread.
import type BetterSqlite3 from 'better-sqlite3';
import type { ApkMarks } from './apk-marks.ts';
import { ApkTexts, textColumns } from './apk-texts.ts';
import { type CatalogueColumns, flagColumns } from './catalogue-columns.ts';
import { foldedText, isIndexable, shortText, WordProbe } from './folded-text.ts';
import { addId, emptySet, type IdSet, setOfIds } from './id-set.ts';
import type { HashColumn, SearchCondition, TextColumn } from './search-expression.ts';
import { type Listing, listedBy, nowhere, quoted, SearchListings } from './search-listings.ts';
import type { PostingSource } from './search-postings.ts';
import { TermSources } from './search-term-sources.ts';
import { fitting } from './term-fit.ts';
import { Vocabulary } from './vocabulary.ts';

type SourceOf<Kind extends SearchCondition['kind']> = (
  condition: Extract<SearchCondition, { kind: Kind }>,
) => PostingSource;

/** Names of rulesets and rules, in the tables m of matches and r of rulesets. */
interface MatchTables {
  byName: string;
  byApk: string;
  condition: string;
}

/** Up to so many words are looked up one by one. */
const maxListed = 2000;
/** With more words than this, reading the catalogue from its end is sooner. */
const maxCountByWords = 5000;

/** Reading the catalogue from its end stops after so many that a condition holds for: more than a page. */
const maxRead = 110;
/** And after so many APKs, in some five milliseconds. */
const maxPassed = 20_000;
/** APKs that are read in a millisecond. */
const readPerMillisecond = 4000;

const inColumns = (columns: readonly TextColumn[], match: string) => `{${columns.join(' ')}} : (${match})`;
/** SQLite's texts end at a NUL where they are matched. */
const isSearchable = (text: string) => !text.includes('\0');

export class SearchSources {
  readonly #columns: CatalogueColumns;
  readonly #listings: SearchListings;
  readonly #texts: ApkTexts;
  readonly #marks: ApkMarks;
  readonly #wordProbe = new WordProbe(textColumns);
  readonly vocabulary: Vocabulary;
  readonly terms: TermSources;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns, marks: ApkMarks) {
    this.#marks = marks;
    this.#listings = new SearchListings(connection);
    this.#columns = columns;
    this.#texts = new ApkTexts(connection, columns);
    this.terms = new TermSources(connection, columns, this.#listings);
    this.vocabulary = new Vocabulary(connection, columns, this.#texts, this.#wordProbe);
  }

  /** Where the ids of a condition come from. */
  sourceOf(condition: SearchCondition): PostingSource {
    const make = this.#makers[condition.kind] as SourceOf<SearchCondition['kind']>;
    return make(condition as never);
  }

  /** @param set all ids that `test` holds for: loops of its own take a tenth of the time of asking for each */
  #inMemory(test: (id: number) => boolean, set: () => IdSet): PostingSource {
    const among = (ids: readonly number[]) => ids.filter(test);
    return { watches: 'row', among, newest: () => null, between: () => null, all: { kind: 'held', set } };
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

    ids: ({ ids }) => {
      const known = new Set(ids);
      const { capacity } = this.#columns;
      return this.#inMemory(
        (id) => known.has(id),
        () =>
          setOfIds(
            ids.filter((id) => id < capacity),
            capacity,
          ),
      );
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
      const columns = (['sha1', 'sha256'] as const).filter((column) => hash.length <= digestLengths[column]);
      const signers = columns.map((column) => `select id from signers where ${column} between ? and ?`).join(' union ');
      const parameters = columns.flatMap((column) => digestsFrom(hash, column));
      const among = (ids: readonly number[]) => {
        const known = new Set(this.#listings.ids(signers, ...parameters));
        return ids.filter((id) => known.has(this.#columns.numbers.signer_id[id]!));
      };
      const sql = `select a.id from (${signers}) s cross join apks a on a.signer_id = s.id where true`;
      return { watches: 'row', among, ...this.#listings.unordered({ sql, parameters }, 'a.id') };
    },

    hash: ({ columns, hash }) => {
      const ofApks = columns
        .map((column) =>
          column === 'sha256'
            ? 'select id from apks where sha256 between ? and ?'
            : `select a.id from apk_hashes h cross join apks a on a.id = h.rowid
                where apk_hashes match ? and a.${column} between ? and ?`,
        )
        .join(' union ');
      const start = `"${hash.slice(0, indexedDigits)}"${hash.length < indexedDigits ? ' *' : ''}`;
      const ofFiles = columns.flatMap((column) => [
        ...(column === 'sha256' ? [] : [start]),
        ...digestsFrom(hash, column),
      ]);
      const inParts = partsBy(columns, hash);
      const sql = [ofApks, ...inParts.map((part) => part.sql)].join(' union ');
      const parameters = [...ofFiles, ...inParts.flatMap((part) => part.parameters)];
      const among = (ids: readonly number[]) => {
        const found = new Set(this.#listings.ids(sql, ...parameters));
        return ids.filter((id) => found.has(id));
      };
      const query = { sql: `select id from (${sql}) where true`, parameters };
      return { watches: 'row', among, ...this.#listings.unordered(query, 'id') };
    },

    filled: ({ column }) => {
      const place = textColumns.indexOf(column);
      const among = (ids: readonly number[]) => this.#texts.passing(ids, (texts) => texts[place] !== '');
      return { watches: 'row', among, ...this.#readThrough(`${column} <> ''`, []) };
    },

    text: (condition) => {
      const { columns, text } = condition;
      if (!isSearchable(text)) return nowhere;
      if (!isIndexable(text)) return this.#shortText(condition);
      const wanted = foldedText(text);
      const places = columns.map((column) => textColumns.indexOf(column));
      const isWanted = (texts: readonly string[]) => places.some((place) => texts[place]!.includes(wanted));
      const among = (ids: readonly number[]) => this.#texts.passing(ids, isWanted);
      const sql = 'select rowid from apk_text where apk_text match ?';
      const query = { sql, parameters: [inColumns(columns, quoted(text))] };
      return { watches: 'row', among, ...this.#listings.ordered(query, 'rowid') };
    },

    prefix: ({ columns, text }) => this.#words(columns, () => `${quoted(text)} *`),

    similar: ({ columns, text, distance }) =>
      this.#words(columns, () => this.vocabulary.similar(foldedText(text), distance).map(quoted).join(' OR ')),

    tag: ({ name, isPrefix }) => {
      // The index of tags folds ASCII.
      const { condition, parameters } = named('name collate nocase', name, isPrefix);
      const sql = `select apk_id from apk_tags where ${condition}`;
      const ofApks = `select apk_id from json_each(?) cross join apk_tags on apk_id = value where ${condition}`;
      const among = (ids: readonly number[]) => this.#listings.ids(ofApks, JSON.stringify(ids), ...parameters);
      const listing = isPrefix
        ? this.#listings.unordered({ sql, parameters }, 'apk_id')
        : this.#listings.ordered({ sql, parameters }, 'apk_id');
      return { watches: 'tags', among, ...listing };
    },

    case: ({ name, isPrefix }) => {
      const { condition, parameters } = named('name', name, isPrefix);
      const ofCases = `select apk_id from case_apks where case_id in (select id from cases where ${condition})`;
      const ofApks = `select value from json_each(?) where value in (${ofCases} and apk_id is not null)`;
      const among = (ids: readonly number[]) => this.#listings.ids(ofApks, JSON.stringify(ids), ...parameters);
      const sql = `${ofCases} and apk_id is not null`;
      return { watches: 'tags', among, ...this.#listings.unordered({ sql, parameters }, 'apk_id') };
    },

    // The name that verdicts say, and that of the APKs whose code is much the same; any at all: one that people gave.
    family: ({ name, isPrefix }) => {
      const said = named('family collate nocase', name, isPrefix);
      const called =
        name === '' ? { condition: "name <> ''", parameters: [] } : named('title collate nocase', name, isPrefix);
      const isSaid = `family <> '' and ${said.condition}`;
      const families = `select id from families where ${called.condition}`;
      const parameters = [...said.parameters, ...called.parameters];
      const sql = `select id from (select id from apks where ${isSaid}
        union select a.id from (${families}) f cross join apks a on a.code_family_id = f.id) where true`;
      const ofApks = `select a.id from json_each(?) cross join apks a on a.id = value
        where (${isSaid}) or code_family_id in (${families})`;
      const among = (ids: readonly number[]) => this.#listings.ids(ofApks, JSON.stringify(ids), ...parameters);
      return { watches: 'row', among, ...this.#listings.unordered({ sql, parameters }, 'id') };
    },

    judged: () => {
      const ofApks = 'select distinct apk_id from json_each(?) cross join verdicts on apk_id = value';
      const among = (ids: readonly number[]) => this.#listings.ids(ofApks, JSON.stringify(ids));
      const query = { sql: 'select apk_id from verdicts where true', parameters: [] };
      return { watches: 'row', among, ...this.#listings.unordered(query, 'apk_id') };
    },

    mark: ({ field, ...wanted }) => {
      const fits = fitting(wanted);
      let known = new Uint8Array(0);
      const numbers = () => {
        this.#marks.catchUp();
        const { marks } = this.#marks;
        if (known.length !== marks.length)
          known = Uint8Array.from(marks, (mark) => Number(mark.field === field && fits(mark.text)));
        return known;
      };
      const among = (ids: readonly number[]) => {
        const ofField = numbers();
        return ids.filter((id) => this.#marks.hasAny(id, ofField));
      };
      return {
        ...this.#inMemory(
          () => false,
          () => this.#marks.having(numbers()),
        ),
        watches: 'terms',
        among,
      };
    },

    name: ({ names, isPrefix }) => {
      const match = names.map((name) => `${quoted(name)}${isPrefix ? ' *' : ''}`).join(' OR ');
      const sql = 'select rowid from apk_names where apk_names match ?';
      const listing = this.#listings.ordered({ sql, parameters: [match] }, 'rowid');
      const between = (from: number, to: number) => listing.between(from, to) ?? [];
      // All names with the prefix are read, for one APK as for many.
      const amongAll = (ids: readonly number[]) => {
        const found = new Set(between(Math.min(...ids), Math.max(...ids)));
        return ids.filter((id) => found.has(id));
      };
      const among = (ids: readonly number[]) =>
        isPrefix ? amongAll(ids) : ids.filter((id) => between(id, id).length > 0);
      return { watches: 'terms', among, ...listing };
    },

    ruleset: ({ name, isPrefix, viewerId }) => {
      const { condition, parameters } = named('r.folded_name', name.toLowerCase(), isPrefix);
      const byName = 'rulesets r cross join matches m on m.ruleset_id = r.id';
      const byApk = 'matches m cross join rulesets r on r.id = m.ruleset_id';
      return this.#matches({ byName, byApk, condition }, [viewerId, ...parameters]);
    },

    rule: ({ name, isPrefix, viewerId }) => {
      const { condition, parameters } = named('n.name', name, isPrefix);
      const ruleset = 'cross join rulesets r on r.id = m.ruleset_id';
      const byName = `match_rules n cross join matches m on m.id = n.match_id ${ruleset}`;
      const byApk = `matches m cross join match_rules n on n.match_id = m.id ${ruleset}`;
      return this.#matches({ byName, byApk, condition }, [viewerId, ...parameters]);
    },

    term: (condition) => (isSearchable(condition.text) ? this.terms.sourceOf(condition) : nowhere),
  };

  /** One or two letters: found by the words that contain them, else by reading the catalogue. */
  #shortText({ columns, text }: Extract<SearchCondition, { kind: 'text' }>): PostingSource {
    const { fold, condition, parameters } = shortText(text, columns);
    const wanted = fold(text);
    const places = columns.map((column) => textColumns.indexOf(column));
    const among = (ids: readonly number[]) =>
      this.#texts
        .rowsOf(ids)
        .flatMap(({ id, row }) => (places.some((place) => fold(row[place]!).includes(wanted)) ? [id] : []));
    const read = this.#readThrough(condition, parameters);
    const words = this.#wordProbe.wordsOf([{ id: 1, row: [text, '', '', ''] }]);
    const isOneWord = words.length === 1 && words[0]![0] === foldedText(text);
    const newest = (count: number) => {
      const containing = isOneWord ? this.vocabulary.containing(foldedText(text), maxListed) : null;
      if (containing === null || containing.count > maxCountByWords) return read.newest(count);
      if (containing.words.length === 0) return { ids: [], from: 0 };
      const match = inColumns(columns, containing.words.map(quoted).join(' OR '));
      return { ids: this.#listings.ids('select rowid from apk_words where apk_words match ?', match), from: 0 };
    };
    return { ...read, watches: 'row', among, newest };
  }

  /** A condition without an index: rows of the catalogue are read from its end. */
  #readThrough(condition: string, parameters: readonly unknown[]): Listing {
    const query = { sql: `select id from apks not indexed where (${condition})`, parameters };
    const { between } = this.#listings.ordered(query, 'id');
    const newest = () => {
      const first = Math.max(1, this.#columns.maxId - maxPassed);
      const newestRead = `${query.sql} and id >= cast(? as integer) order by id desc limit ${maxRead}`;
      const ids = this.#listings.ids(newestRead, ...parameters, first);
      if (ids.length === maxRead) return { ids, from: ids.at(-1)! };
      return { ids, from: first === 1 ? 0 : first };
    };
    const all = { kind: 'read' as const, loads: () => [query], overhead: this.#columns.maxId / readPerMillisecond };
    return { newest, between, all };
  }

  /** @param match the full-text query; empty: matches nothing */
  #words(columns: readonly TextColumn[], match: () => string): PostingSource {
    const sql = 'select rowid from apk_words where apk_words match ?';
    let known = { seq: -1, match: '' };
    const asked = () => {
      if (known.seq !== this.#columns.seq) known = { seq: this.#columns.seq, match: match() };
      return known.match;
    };
    const among = (ids: readonly number[]) =>
      asked() === '' ? [] : this.#wordProbe.matching(this.#texts.rowsOf(ids), inColumns(columns, asked()));
    const listing = () =>
      asked() === '' ? nowhere : this.#listings.ordered({ sql, parameters: [inColumns(columns, asked())] }, 'rowid');
    return { watches: 'row', among, ...listedBy(listing) };
  }

  /**
   * Matches of rulesets that an account may see.
   * @param tables as they are read to find the condition's matches, and to look at those of single APKs
   */
  #matches({ byName, byApk, condition }: MatchTables, parameters: readonly unknown[]): PostingSource {
    const select = (tables: string) =>
      `select m.apk_id from ${tables} where (r.is_public = 1 or r.author_id is ?) and ${condition}`;
    const ofApks = `${select(`json_each(?) wanted cross join ${byApk}`)} and m.apk_id = wanted.value`;
    const { newest, all } = this.#listings.unordered({ sql: select(byName), parameters }, 'm.apk_id');
    const { between } = this.#listings.unordered({ sql: select(byApk), parameters }, 'm.apk_id');
    const among = (ids: readonly number[]) => this.#listings.ids(ofApks, JSON.stringify(ids), ...parameters);
    return { watches: 'all', among, newest, between, all };
  }
}

/** Hex digits of digests. */
const digestLengths = { md5: 32, sha1: 40, sha256: 64 } as const;
/** Of MD5 and SHA-1 hashes, by which the index finds them. */
const indexedDigits = 16;

/** The first and the last digest with this prefix. */
const digestsFrom = (start: string, column: HashColumn): [Buffer, Buffer] => [
  Buffer.from(start.padEnd(digestLengths[column], '0'), 'hex'),
  Buffer.from(start.padEnd(digestLengths[column], 'f'), 'hex'),
];

/** A column has this name, or one that begins so: as a range, which an index serves. */
const named = (column: string, name: string, isPrefix: boolean): { condition: string; parameters: string[] } =>
  isPrefix
    ? { condition: `${column} >= ? and ${column} < ?`, parameters: [name, `${name}\u{10ffff}`] }
    : { condition: `${column} = ?`, parameters: [name] };

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

/** APKs by hashes of their parts, and of the files that they came in. */
function partsBy(columns: readonly (keyof typeof digestLengths)[], hash: string) {
  const found = columns.map((column) => ({
    sql: `select a.id from apk_parts p cross join apks a on a.sha256 = p.whole_sha256 where p.${column} between ? and ?`,
    parameters: digestsFrom(hash, column),
  }));
  if (!columns.includes('sha256')) return found;
  const ofContainers =
    'select a.id from apk_containers c cross join apks a on a.sha256 = c.whole_sha256 where c.sha256 between ? and ?';
  return [...found, { sql: ofContainers, parameters: digestsFrom(hash, 'sha256') }];
}
