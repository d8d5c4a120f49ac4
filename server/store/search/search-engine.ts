// Answers searches over the columns in memory and the index on disk. For the search thread; reads only.
import { setImmediate } from 'node:timers/promises';
import type BetterSqlite3 from 'better-sqlite3';
import { ApkFamilies } from './apk-families.ts';
import { ApkMarks } from './apk-marks.ts';
import { ApkRules } from './apk-rules.ts';
import { CatalogueColumns } from './catalogue-columns.ts';
import { CatalogueFacets } from './catalogue-facets.ts';
import { CatalogueOrders } from './catalogue-orders.ts';
import { CodeNames } from './code-names.ts';
import { type IdLoad, loadedSet } from './id-load.ts';
import { addId, firstIdFrom, hasId, type IdSet, idByRankFromEnd, idsIn, lastIdTo, sizeOf } from './id-set.ts';
import { among, boundsOf, type Evaluated, evaluated, openOf, postingsIn } from './search-evaluation.ts';
import type { Ordering, SearchExpression } from './search-expression.ts';
import { Postings } from './search-postings.ts';
import {
  type SearchPageAnswer,
  type SearchPageQuestion,
  type SearchQuestions,
  unknownPlace,
} from './search-questions.ts';
import { SearchSources } from './search-sources.ts';

/** Reads all ids in another thread, as of the question or later. */
export type Load = (loads: readonly IdLoad[], capacity: number) => Promise<IdSet>;

/** Milliseconds of CPU for examining APKs one by one before a condition is loaded whole. */
const testTime = 6;
/** The same where a load would take long. */
const longTestTime = 25;
/** After this share of the load's time, and half a millisecond, the rest is estimated from what was found. */
const triedShare = 0.1;
const triedTime = 0.5;
/** CPU time of this thread: the load of the machine is no reason to load a condition. */
const spentTime = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
/** APKs that are examined together: few at first, which may be enough. */
const leastTested = 16;
const mostTested = 512;
/** Fewest APKs that are examined one by one. */
const testsPerMillisecond = 100;
/** Lists that take up to so many milliseconds are read here; longer ones by the other thread. */
const maxLoadAtOnce = 12;
/** Cached answers, valid while nothing changes, of some hundred ids at most. */
const maxAnswers = 500;
/** Bytes of cached sets, for the next page and the next search. */
const maxKeptBytes = 64 * 2 ** 20;
const maxKept = 400;

/** The APK from which a page was asked for is not known. */
export class UnknownPlace extends Error {
  readonly code = unknownPlace;
}
/** The question was withdrawn. */
class Abandoned extends Error {}

/** Goes through the ids of a set in one direction of an order, from a place on. */
type Walk = (possible: IdSet) => () => number;

/**
 * The next ids of a walk, until there are so many certain ones, or so many undecided ones.
 * @returns `open`: undecided ids; `isLast`: there are no others
 */
function stretchOf(next: () => number, certain: IdSet, mostCertain: number, mostOpen: number) {
  const ids: number[] = [];
  const open: number[] = [];
  while (ids.length - open.length < mostCertain && open.length < mostOpen) {
    const id = next();
    if (id < 0) return { ids, open, isLast: true };
    ids.push(id);
    if (!hasId(certain, id)) open.push(id);
  }
  return { ids, open, isLast: false };
}

export class SearchEngine {
  readonly #connection: BetterSqlite3.Database;
  readonly #begin: BetterSqlite3.Statement<unknown[], unknown>;
  readonly #commit: BetterSqlite3.Statement<unknown[], unknown>;
  readonly #readDataVersion: BetterSqlite3.Statement<unknown[], unknown>;
  readonly #load: Load;
  readonly #columns: CatalogueColumns;
  readonly #marks: ApkMarks;
  readonly #sources: SearchSources;
  readonly #orders: CatalogueOrders;
  readonly #facets: CatalogueFacets;
  readonly #names: CodeNames;
  /** Least recently used first. */
  readonly #postings = new Map<string, Postings>();
  /** Answers by question, as of change `#answersSeq`, least recently used first. */
  readonly #answers = new Map<string, object>();
  #answersSeq = -1;
  #dataVersion = 0;

  constructor(connection: BetterSqlite3.Database, load: Load) {
    this.#connection = connection;
    this.#begin = connection.prepare('begin');
    this.#commit = connection.prepare('commit');
    this.#readDataVersion = connection.prepare('pragma data_version').pluck();
    this.#load = load;
    this.#columns = new CatalogueColumns(connection);
    this.#marks = new ApkMarks(connection, this.#columns);
    const families = new ApkFamilies(connection, this.#columns);
    this.#sources = new SearchSources(connection, this.#columns, this.#marks);
    this.#names = new CodeNames(connection);
    this.#orders = new CatalogueOrders(connection, this.#columns, families);
    this.#facets = new CatalogueFacets(connection, {
      columns: this.#columns,
      marks: this.#marks,
      families,
      rules: new ApkRules(connection, this.#columns),
      terms: this.#sources.terms,
    });
  }

  /** Reads ahead what the first questions need; questions that arrive meanwhile are answered in between. */
  async warm(): Promise<null> {
    this.#atOnce(() => this.#sources.vocabulary.warm());
    await setImmediate();
    this.#atOnce(() => this.#sources.terms.warm());
    await setImmediate();
    this.#atOnce(() => this.#marks.catchUp());
    return null;
  }

  /** A page of the APKs that a search finds, in the order asked for. @throws UnknownPlaceError */
  async page(question: SearchPageQuestion): Promise<SearchPageAnswer> {
    const { direction, place, limit } = question;
    if (place === null && question.skip > 0) return this.#pageBySkip(question);
    const isOlder = direction === 'older';
    const key = `page ${JSON.stringify(question)}`;
    return this.#resolved(key, question.expression, (expression) => {
      const walk = this.#walk(question.ordering, isOlder, place, false);
      // One id more than wanted shows whether there is a further page.
      this.#lookAround(expression, question, limit + 1);
      const ids = this.#take(expression, walk, limit + 1);
      if (!Array.isArray(ids)) return ids;
      const hasFurther = ids.length > limit;
      if (hasFurther) ids.pop();
      let hasBehind = false;
      if (place !== null) {
        const behind = this.#take(expression, this.#walk(question.ordering, !isOlder, place, true), 1);
        if (!Array.isArray(behind)) return behind;
        hasBehind = behind.length > 0;
      }
      if (isOlder) return { ids, hasOlder: hasFurther, hasNewer: hasBehind };
      return { ids: ids.reverse(), hasOlder: hasBehind, hasNewer: hasFurther };
    });
  }

  /** How many APKs a search finds. @param isAbandoned called between steps: whether the question was withdrawn */
  async count(expression: SearchExpression, isAbandoned: () => boolean): Promise<number> {
    const key = `count ${JSON.stringify(expression)}`;
    return this.#exactly(key, expression, (set) => sizeOf(set), isAbandoned);
  }

  /** All APKs that a search finds, the newest first. */
  async ids(expression: SearchExpression, isAbandoned: () => boolean): Promise<Uint32Array> {
    const key = `ids ${JSON.stringify(expression)}`;
    const ids = await this.#exactly(key, expression, (set) => Uint32Array.from(idsIn(set)).reverse(), isAbandoned);
    // It may be megabytes, and is hardly asked for twice.
    this.#answers.delete(key);
    return ids;
  }

  /** Those of a few APKs that a search finds. */
  among({ expression, ids }: SearchQuestions['among']['question']): number[] {
    return this.#atOnce(() => {
      // Postings of their own: the next question names others.
      const asked = evaluated(
        expression,
        (condition) => new Postings(this.#sources.sourceOf(condition), this.#columns),
      );
      const alive = ids.filter((id) => id < this.#columns.capacity && hasId(this.#columns.alive, id));
      return [...among(asked, alive)];
    });
  }

  /** The facets of the APKs that a search finds. */
  facets(
    { expression, values, viewerId }: SearchQuestions['facets']['question'],
    isAbandoned: () => boolean,
  ): Promise<SearchQuestions['facets']['answer']> {
    const key = `facets ${values} ${viewerId} ${JSON.stringify(expression)}`;
    return this.#exactly(key, expression, (set) => this.#facets.of(set, values, viewerId), isAbandoned);
  }

  /** Words of names that begin with a text, with the number of APKs of each. */
  words({ text, limit }: SearchQuestions['words']['question']): { text: string; count: number }[] {
    return this.#atOnce(() => this.#sources.vocabulary.beginning(text, limit));
  }

  /** Names in code that go on from a beginning, part by part. */
  names({ beginning, limit }: SearchQuestions['names']['question']): string[] {
    return this.#atOnce(() => this.#names.after(beginning, limit));
  }

  /** Marks of a field that contain a text, with the number of APKs of each. */
  marks({ field, text, limit }: SearchQuestions['marks']['question']): { text: string; count: number }[] {
    return this.#atOnce(() => this.#facets.marksContaining(field, text, limit));
  }

  /** The facets of the whole catalogue. */
  totals(question: SearchQuestions['totals']['question']): SearchQuestions['totals']['answer'] {
    return this.#atOnce(() => this.#facets.totals(question));
  }

  /** Runs work on one snapshot of the catalogue. */
  #atOnce<T>(work: () => T): T {
    this.#begin.run();
    try {
      this.#dataVersion = this.#readDataVersion.get() as number;
      this.#columns.catchUp();
      return work();
    } finally {
      this.#commit.run();
    }
  }

  #postingsOf(condition: Parameters<SearchSources['sourceOf']>[0]): Postings {
    const key = JSON.stringify(condition);
    const postings = this.#postings.get(key) ?? new Postings(this.#sources.sourceOf(condition), this.#columns);
    this.#postings.delete(key);
    this.#postings.set(key, postings);
    return postings;
  }

  #forgetUnused(): void {
    let bytes = 0;
    for (const postings of this.#postings.values()) bytes += postings.bytes;
    for (const [key, postings] of this.#postings) {
      if (bytes <= maxKeptBytes && this.#postings.size <= maxKept) break;
      bytes -= postings.bytes;
      this.#postings.delete(key);
    }
  }

  /** A cached answer, if nothing has changed since. The caller has begun a transaction. */
  #answered(key: string): object | undefined {
    if (this.#answersSeq !== this.#columns.seq) {
      this.#answers.clear();
      this.#answersSeq = this.#columns.seq;
    }
    const answer = this.#answers.get(key);
    if (answer !== undefined) {
      this.#answers.delete(key);
      this.#answers.set(key, answer);
    }
    return answer;
  }

  #keepAnswer(key: string, answer: object): void {
    this.#answers.set(key, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= maxAnswers) break;
      this.#answers.delete(oldest);
    }
  }

  /**
   * Repeats a question until it is answered, loading postings in between.
   * @param key equal for equal questions
   * @param ask returns postings that have to be loaded first
   */
  async #resolved<T extends object>(
    key: string,
    expression: SearchExpression,
    ask: (expression: Evaluated) => T | Postings,
    isAbandoned: () => boolean = () => false,
  ): Promise<T> {
    let asked: Evaluated | undefined;
    for (let round = 0; ; round++) {
      if (isAbandoned()) throw new Abandoned();
      const answer = this.#atOnce(() => {
        const known = this.#answered(key) as T | undefined;
        if (known !== undefined) return known;
        asked ??= evaluated(expression, (condition) => this.#postingsOf(condition));
        const parts = postingsIn(asked);
        for (const postings of parts) postings.prepare(this.#dataVersion, round > 0);
        const found = ask(asked);
        const isLasting = parts.every(({ source }) => source.watches !== 'all');
        if (isLasting && !(found instanceof Postings)) this.#keepAnswer(key, found);
        return found;
      });
      this.#forgetUnused();
      if (!(answer instanceof Postings)) return answer;
      await this.#complete(answer);
    }
  }

  async #exactly<T>(
    key: string,
    expression: SearchExpression,
    use: (set: IdSet) => T,
    isAbandoned: () => boolean,
  ): Promise<T> {
    const { result } = await this.#resolved(
      key,
      expression,
      (asked) => {
        const set = this.#set(asked);
        return set instanceof Postings ? set : { result: use(set) };
      },
      isAbandoned,
    );
    return result;
  }

  /** All APKs that the expression holds for, or the postings to load first. */
  #set(asked: Evaluated): IdSet | Postings {
    const { certain, possible } = boundsOf(asked, this.#columns);
    if (certain === possible) return certain;
    const cheapest = this.#cheapest(asked);
    if (cheapest === null) return certain;
    const open = openOf({ certain, possible });
    if (sizeOf(open) > testsPerMillisecond * Math.min(cheapest.loadTime, longTestTime)) return cheapest;
    const set = certain.slice();
    for (const id of among(asked, idsIn(open))) addId(set, id);
    return set;
  }

  #cheapest(asked: Evaluated): Postings | null {
    const open = postingsIn(asked).filter(({ isComplete }) => !isComplete);
    open.sort((a, b) => a.loadTime - b.loadTime);
    return open[0] ?? null;
  }

  async #complete(postings: Postings): Promise<void> {
    if (postings.loading !== null) return postings.loading;
    const { all } = postings.source;
    if (all.kind === 'held') return;
    if (postings.loadTime <= maxLoadAtOnce) {
      this.#atOnce(() => {
        const bits = loadedSet(this.#connection, all.loads(), this.#columns.capacity);
        postings.fill(bits, this.#columns.seq, this.#dataVersion);
      });
      return;
    }
    // Changes from now on are applied afterwards: the sources may name words and terms as of now.
    const { loads, seq } = this.#atOnce(() => ({ loads: all.loads(), seq: this.#columns.seq }));
    postings.loading = this.#load(loads, this.#columns.capacity)
      .then((bits) => this.#atOnce(() => postings.fill(bits, seq, this.#dataVersion)))
      .finally(() => {
        postings.loading = null;
      });
    return postings.loading;
  }

  /** Makes partly known conditions examine the APKs where a page begins, all at once. */
  #lookAround(asked: Evaluated, { ordering, direction, place }: SearchPageQuestion, wanted: number): void {
    if (ordering.length > 0) return;
    const isOlder = direction === 'older';
    const start = isOlder ? (place ?? this.#columns.maxId + 1) - 1 : (place ?? 0) + 1;
    for (const postings of postingsIn(asked)) if (!postings.isComplete) postings.lookFrom(start, isOlder, wanted);
  }

  /**
   * The next ids of a walk that the expression holds for.
   * @returns postings to load, where that is less work than examining single APKs
   */
  #take(asked: Evaluated, walk: Walk, limit: number): number[] | Postings {
    const { certain, possible } = boundsOf(asked, this.#columns);
    const next = walk(possible);
    const ids: number[] = [];
    const cheapest = this.#cheapest(asked);
    const loadTime = cheapest?.loadTime ?? 0;
    const most = loadTime > longTestTime ? longTestTime : testTime;
    const tried = Math.max(triedTime, loadTime * triedShare);
    const open = cheapest === null ? 0 : sizeOf(openOf({ certain, possible }));
    const start = spentTime();
    let tests = 0;
    let hits = 0;
    const isLate = () => {
      const spent = spentTime() - start;
      if (spent > most || spent < tried) return spent > most;
      const left = Math.min((limit - ids.length) / Math.max(1, hits), (open - tests) / tests);
      return spent * left > 1 + loadTime;
    };
    for (;;) {
      const stretch = stretchOf(next, certain, limit - ids.length, Math.min(mostTested, leastTested + tests));
      const held = new Set(among(asked, stretch.open));
      for (const id of stretch.ids) if (hasId(certain, id) || held.has(id)) ids.push(id);
      if (ids.length >= limit) return ids.slice(0, limit);
      if (stretch.isLast) return ids;
      tests += stretch.open.length;
      hits += held.size;
      if (cheapest !== null && isLate()) return cheapest;
    }
  }

  /** @param isInclusive whether the walk includes its start */
  #walk(ordering: Ordering, isOlder: boolean, place: number | null, isInclusive: boolean): Walk {
    const { maxId } = this.#columns;
    if (ordering.length === 0) {
      const start = isOlder ? (place ?? maxId + 1) - Number(!isInclusive) : (place ?? 0) + Number(!isInclusive);
      return (possible) => {
        let id = start + (isOlder ? 1 : -1);
        return () => {
          if (id === -1) return -1;
          id = isOlder ? lastIdTo(possible, Math.min(id - 1, maxId)) : firstIdFrom(possible, Math.max(0, id + 1));
          return id;
        };
      };
    }
    const ids = this.#orders.idsBy(ordering);
    const step = isOlder ? 1 : -1;
    let start = isOlder ? 0 : ids.length - 1;
    if (place !== null) {
      const at = this.#orders.placeOf(place, ordering);
      if (at < 0) throw new UnknownPlace();
      start = isInclusive ? at : at + step;
    }
    return (possible) => {
      let at = start - step;
      return () => {
        for (at += step; at >= 0 && at < ids.length; at += step) if (hasId(possible, ids[at]!)) return ids[at]!;
        return -1;
      };
    };
  }

  /** Counting from the beginning needs all that the expression holds for. */
  async #pageBySkip(question: SearchPageQuestion): Promise<SearchPageAnswer> {
    const { expression, ordering, skip, limit } = question;
    return this.#resolved(`skip ${JSON.stringify(question)}`, expression, (asked) => {
      const set = this.#set(asked);
      if (set instanceof Postings) return set;
      const ids: number[] = [];
      if (ordering.length === 0) {
        let id = idByRankFromEnd(set, skip);
        for (; id >= 0 && ids.length <= limit; id = lastIdTo(set, id - 1)) ids.push(id);
      } else {
        let left = skip;
        for (const id of this.#orders.idsBy(ordering)) {
          if (!hasId(set, id)) continue;
          if (left > 0) left -= 1;
          else if (ids.push(id) > limit) break;
        }
      }
      const hasOlder = ids.length > limit;
      if (hasOlder) ids.pop();
      return { ids, hasOlder, hasNewer: firstIdFrom(set, 0) >= 0 };
    });
  }
}
