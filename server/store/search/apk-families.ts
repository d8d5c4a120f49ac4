// The families that verdicts say of APKs, in memory: few APKs have one; and how families by code are called. For the search
// thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import type { CatalogueColumns } from './catalogue-columns.ts';
import { asciiLower } from './folded-text.ts';
import { hasId, type IdSet } from './id-set.ts';

type Row = [id: number, family: string];

export class ApkFamilies {
  readonly #columns: CatalogueColumns;
  readonly #all: BetterSqlite3.Statement<unknown[], Row>;
  readonly #some: BetterSqlite3.Statement<unknown[], Row>;
  readonly #titles: BetterSqlite3.Statement<unknown[], Row>;
  #families = new Map<number, string>();
  #seq = -1;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns) {
    this.#columns = columns;
    const rows = "select id, family from apks where family <> ''";
    this.#all = connection.prepare<unknown[], Row>(rows).raw();
    const titles = 'select id, title from families where id in (select value from json_each(?))';
    this.#titles = connection.prepare<unknown[], Row>(titles).raw();
    this.#some = connection.prepare<unknown[], Row>(`${rows} and id in (select value from json_each(?))`).raw();
  }

  /** Reads what changed since the last call. The caller has begun a transaction. */
  #catchUp(): void {
    const { seq } = this.#columns;
    if (this.#seq === seq) return;
    const changed = this.#seq < 0 ? null : this.#columns.changedSince(this.#seq, 'row');
    this.#seq = seq;
    if (changed === null) {
      this.#families = new Map(this.#all.all());
      return;
    }
    // A deleted APK keeps its rank: somebody may still turn a page from it.
    for (const id of changed) if (hasId(this.#columns.alive, id)) this.#families.delete(id);
    for (const [id, family] of this.#some.all(JSON.stringify([...changed]))) this.#families.set(id, family);
  }

  /**
   * How many APKs of a set each family has, by what verdicts say or by its code; names are case-insensitive.
   * @param byCode APKs of the set in families by code
   */
  countsIn(
    set: IdSet,
    byCode: readonly { key: number; count: number }[],
  ): Iterable<readonly [family: string, count: number]> {
    this.#catchUp();
    const counts = new Map<string, [family: string, count: number]>();
    const add = (name: string, count: number) => {
      const folded = asciiLower(name);
      const known = counts.get(folded);
      if (known === undefined) counts.set(folded, [name, count]);
      else known[1] += count;
    };
    const titles = new Map(this.#titles.all(JSON.stringify(byCode.map(({ key }) => key))));
    for (const { key, count } of byCode) add(titles.get(key) ?? '', count);
    const { code_family_id: codeFamilies } = this.#columns.numbers;
    for (const [id, family] of this.#families) {
      if (!hasId(set, id)) continue;
      const title = titles.get(codeFamilies[id]!);
      // One that is called the same by both counts once.
      if (title === undefined || asciiLower(title) !== asciiLower(family)) add(family, 1);
    }
    counts.delete('');
    return counts.values();
  }

  /** Ranks by row id, in the order of family names; NaN where there is none. */
  ranks(): Float64Array {
    this.#catchUp();
    const names = [...new Set(Array.from(this.#families.values(), asciiLower))].sort();
    const places = new Map(names.map((name, place) => [name, place]));
    const ranks = new Float64Array(this.#columns.capacity).fill(Number.NaN);
    for (const [id, family] of this.#families) ranks[id] = places.get(asciiLower(family))!;
    return ranks;
  }
}
