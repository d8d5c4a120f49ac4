// Lists row ids by queries of the index: the newest, a range, all. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import type { IdQuery } from './id-query.ts';
import type { PostingSource } from './search-postings.ts';

type Statement = BetterSqlite3.Statement<unknown[], unknown>;
export type Listing = Pick<PostingSource, 'newest' | 'between' | 'all'>;

/** Up to so many unordered ids are read and sorted here. */
const maxUnordered = 10_000;

/** A text as the full-text indexes are asked for it. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

export class SearchListings {
  readonly #connection: BetterSqlite3.Database;
  readonly #statements = new Map<string, Statement>();

  constructor(connection: BetterSqlite3.Database) {
    this.#connection = connection;
  }

  /** The ids of a query with a short answer. */
  ids(sql: string, ...parameters: unknown[]): number[] {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#connection.prepare<unknown[], unknown>(sql).pluck();
      this.#statements.set(sql, statement);
    }
    return statement.all(...parameters) as number[];
  }

  /**
   * A query of ids in any order, which are taken as they come where they are few.
   * @param id the column of row ids
   */
  unordered(query: IdQuery, id: string): Listing {
    const { sql, parameters } = query;
    return {
      newest: () => {
        const ids = this.ids(`${sql} limit ${maxUnordered + 1}`, ...parameters);
        return ids.length > maxUnordered ? null : { ids, from: 0 };
      },
      between: this.#between(query, id),
      all: { kind: 'read', loads: () => [query], overhead: 0 },
    };
  }

  /**
   * A query of an index whose ids come downwards where that is asked for.
   * @param id the column of row ids
   */
  ordered(query: IdQuery, id: string): Listing {
    const { sql, parameters } = query;
    return {
      newest: (wanted) => {
        const ids = this.ids(`${sql} order by ${id} desc limit ?`, ...parameters, wanted);
        return { ids, from: ids.length < wanted ? 0 : ids.at(-1)! };
      },
      between: this.#between(query, id),
      all: { kind: 'read', loads: () => [query], overhead: 0 },
    };
  }

  /** Numbers are bound as reals, by which a full-text index finds no row: it would read all. */
  #between({ sql, parameters }: IdQuery, id: string): (from: number, to: number) => number[] {
    const between = `${id} between cast(? as integer) and cast(? as integer)`;
    return (from, to) => this.ids(`${sql} and ${between}`, ...parameters, from, to);
  }
}

/** The listing that is empty. */
export const nowhere: PostingSource = {
  watches: 'row',
  among: () => [],
  newest: () => ({ ids: [], from: 0 }),
  between: () => [],
  all: { kind: 'read', loads: () => [], overhead: 0 },
};

/** A listing whose query changes with the catalogue. */
export const listedBy = (listing: () => Listing): Listing => ({
  newest: (wanted) => listing().newest(wanted),
  between: (from, to) => listing().between?.(from, to) ?? [],
  all: {
    kind: 'read',
    loads: () => {
      const { all } = listing();
      return all.kind === 'read' ? all.loads() : [];
    },
    overhead: 0,
  },
});
