// Which rules match each APK, in memory, and who may see them. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import { ApkNumbers, maxNumbers } from './apk-numbers.ts';
import type { CatalogueColumns } from './catalogue-columns.ts';
import { asciiLower } from './folded-text.ts';
import type { IdSet } from './id-set.ts';

type Row = [apkId: number, rulesetId: number, name: string];

export class ApkRules {
  readonly #columns: CatalogueColumns;
  readonly #all: BetterSqlite3.Statement<unknown[], Row>;
  readonly #some: BetterSqlite3.Statement<unknown[], Row>;
  readonly #visible: BetterSqlite3.Statement<unknown[], unknown>;
  /** By ruleset and name. */
  readonly #numbers = new Map<string, number>();
  /** By number. */
  readonly #rules: { rulesetId: number; name: string }[] = [];
  #ofApks = new ApkNumbers(0);
  #seq = -1;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns) {
    this.#columns = columns;
    const rows = `select m.apk_id, m.ruleset_id, n.name from`;
    const ofMatch = 'cross join match_rules n on n.match_id = m.id';
    this.#all = connection.prepare<unknown[], Row>(`${rows} matches m ${ofMatch} order by m.apk_id`).raw();
    this.#some = connection
      .prepare<unknown[], Row>(
        `${rows} json_each(?) cross join matches m on m.apk_id = value ${ofMatch} order by m.apk_id`,
      )
      .raw();
    this.#visible = connection.prepare('select id from rulesets where is_public = 1 or author_id is ?').pluck();
  }

  /** How many APKs of a set each rule matches that an account may see; names are case-insensitive. */
  countsIn(set: IdSet, viewerId: number | null): (readonly [name: string, count: number])[] {
    this.#catchUp();
    const visible = new Set(this.#visible.all(viewerId) as number[]);
    const groups = new Map<string, { group: number; name: string }>();
    const groupOf = Int32Array.from(this.#rules, ({ rulesetId, name }) => {
      if (!visible.has(rulesetId)) return -1;
      const key = asciiLower(name);
      const known = groups.get(key) ?? { group: groups.size, name };
      groups.set(key, known);
      return known.group;
    });
    const counts = this.#ofApks.countsIn(set, groupOf, groups.size);
    return [...groups.values()].flatMap(({ group, name }) => (counts[group]! > 0 ? [[name, counts[group]!]] : []));
  }

  #catchUp(): void {
    const { seq, capacity } = this.#columns;
    if (this.#seq === seq) return;
    const changed = this.#seq < 0 || this.#ofApks.isWasteful ? null : this.#columns.changedSince(this.#seq, 'row');
    this.#seq = seq;
    if (changed === null) {
      this.#ofApks = new ApkNumbers(capacity);
      this.#keep(this.#all.iterate());
      return;
    }
    this.#ofApks.grow(capacity);
    for (const id of changed) this.#ofApks.set(id, []);
    this.#keep(this.#some.all(JSON.stringify([...changed])));
  }

  /** @param rows grouped by APK */
  #keep(rows: Iterable<Row>): void {
    let last = 0;
    let numbers: number[] = [];
    for (const [id, rulesetId, name] of rows) {
      if (id !== last) {
        if (last > 0) this.#ofApks.set(last, numbers);
        [last, numbers] = [id, []];
      }
      const number = this.#numberOf(rulesetId, name);
      if (number !== null) numbers.push(number);
    }
    if (last > 0) this.#ofApks.set(last, numbers);
  }

  #numberOf(rulesetId: number, name: string): number | null {
    const key = `${rulesetId} ${name}`;
    const known = this.#numbers.get(key);
    if (known !== undefined || this.#rules.length >= maxNumbers) return known ?? null;
    const number = this.#rules.push({ rulesetId, name }) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}
