// The catalogue's APKs in the order of any of its columns, as lists of row ids. For the search thread.
import type BetterSqlite3 from 'better-sqlite3';
import type { ApkFamilies } from './apk-families.ts';
import { type CatalogueColumns, flagColumns, type MemoryColumn } from './catalogue-columns.ts';
import { asciiLower } from './folded-text.ts';
import { hasId } from './id-set.ts';
import type { FlagColumn, OrderColumn, Ordering } from './search-expression.ts';

/** Gap between the ranks of neighbouring texts, for texts that are added later. */
const rankGap = 65_536;
/** Orders that are kept, of 4 bytes for each APK. */
const maxKept = 8;
/** Columns with the collation of their index, without which ordering a million texts takes seconds. */
const collations = { app: 'nocase', package_name: 'binary', company: 'nocase' } as const;
type TextColumn = keyof typeof collations;

interface Ranks {
  /** Ranks by row id, in the order of the texts, case-insensitively. */
  values: Float64Array;
  seq: number;
}

interface KeptOrder {
  ids: Uint32Array;
  seq: number;
}

const isText = (column: OrderColumn): column is TextColumn => Object.hasOwn(collations, column);
const isFlag = (column: OrderColumn): column is OrderColumn & FlagColumn =>
  (flagColumns as readonly string[]).includes(column);

/** Sorts stably by integers below 2^48, 16 bits at a time from the lowest. */
function sortedBy(ids: Uint32Array, keys: Float64Array, most: number): Uint32Array {
  let from: Uint32Array = ids;
  let to: Uint32Array = new Uint32Array(ids.length);
  const starts = new Uint32Array(65_537);
  for (let unit = 1; unit <= most; unit *= 65_536) {
    starts.fill(0);
    for (let at = 0; at < from.length; at++) starts[(Math.floor(keys[from[at]!]! / unit) & 0xffff) + 1]! += 1;
    for (let digit = 1; digit < starts.length; digit++) starts[digit]! += starts[digit - 1]!;
    for (let at = 0; at < from.length; at++) {
      const id = from[at]!;
      const digit = Math.floor(keys[id]! / unit) & 0xffff;
      to[starts[digit]!] = id;
      starts[digit]! += 1;
    }
    [from, to] = [to, from === ids ? new Uint32Array(ids.length) : from];
  }
  return from;
}

export class CatalogueOrders {
  readonly #connection: BetterSqlite3.Database;
  readonly #columns: CatalogueColumns;
  readonly #families: ApkFamilies;
  readonly #ranks = new Map<TextColumn, Ranks>();
  readonly #kept = new Map<string, KeptOrder>();

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns, families: ApkFamilies) {
    this.#connection = connection;
    this.#columns = columns;
    this.#families = families;
  }

  /** Every row id up to the newest, deleted ones included; newest first among equals. */
  idsBy(ordering: Ordering): Uint32Array {
    const key = JSON.stringify(ordering);
    let kept = this.#kept.get(key);
    if (kept === undefined || kept.seq !== this.#columns.seq)
      kept = { ids: this.#sort(ordering), seq: this.#columns.seq };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
    }
    return kept.ids;
  }

  /** Position of an APK in an order, also of a deleted one; -1 where it is not known any more. */
  placeOf(id: number, ordering: Ordering): number {
    const ids = this.idsBy(ordering);
    const isKnown =
      hasId(this.#columns.seen, id) &&
      ordering.every(({ column }) => !isText(column) || !Number.isNaN(this.#ranksOf(column)[id]));
    return isKnown ? ids.indexOf(id) : -1;
  }

  #sort(ordering: Ordering): Uint32Array {
    const { maxId } = this.#columns;
    let ids: Uint32Array = new Uint32Array(maxId);
    for (let at = 0; at < maxId; at++) ids[at] = maxId - at;
    // From the last column to the first: each sort keeps the order of the one before among its equals.
    for (const { column, isDescending } of ordering.toReversed()) {
      const { keys, most } = this.#keysOf(column, isDescending);
      ids = sortedBy(ids, keys, most);
    }
    return ids;
  }

  /** Integers from 0, ascending in the wanted direction; missing values come last. */
  #keysOf(column: OrderColumn, isDescending: boolean): { keys: Float64Array; most: number } {
    const { maxId } = this.#columns;
    const keys = new Float64Array(maxId + 1);
    const values = this.#valuesOf(column);
    let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let id = 1; id <= maxId; id++) {
      const value = values[id]!;
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (most < least) [least, most] = [0, 0];
    const span = most - least + 1;
    // Microseconds of ten years fill 48 bits; a longer span is told apart to some microseconds, and by id beyond.
    const shrink = Math.max(1, Math.ceil(span / (2 ** 48 - 1)));
    for (let id = 1; id <= maxId; id++) {
      const value = values[id]!;
      if (Number.isNaN(value)) keys[id] = Math.floor(span / shrink);
      else keys[id] = Math.floor((isDescending ? most - value : value - least) / shrink);
    }
    return { keys, most: Math.floor(span / shrink) };
  }

  #valuesOf(column: OrderColumn): Float64Array | Float32Array {
    if (isText(column)) return this.#ranksOf(column);
    if (column === 'family') return this.#families.ranks();
    if (!isFlag(column)) return this.#columns.numbers[column as MemoryColumn];
    const mask = 1 << flagColumns.indexOf(column);
    return Float64Array.from(this.#columns.flags, (flags) => Number((flags & mask) !== 0));
  }

  #ranksOf(column: TextColumn): Float64Array {
    let ranks = this.#ranks.get(column);
    if (ranks?.seq === this.#columns.seq) return ranks.values;
    const changed = ranks === undefined ? null : this.#columns.changedSince(ranks.seq, 'row');
    if (ranks === undefined || changed === null || changed.size > 2000 || !this.#place(column, ranks, changed))
      ranks = { values: this.#readRanks(column), seq: this.#columns.seq };
    ranks.seq = this.#columns.seq;
    this.#ranks.set(column, ranks);
    return ranks.values;
  }

  #readRanks(column: TextColumn): Float64Array {
    const values = new Float64Array(this.#columns.capacity).fill(Number.NaN);
    const rows = this.#connection
      .prepare(`select id, ${column} from apks order by ${column} collate ${collations[column]}`)
      .raw()
      .iterate() as Iterable<[number, string]>;
    const fold = collations[column] === 'nocase' ? asciiLower : (text: string) => text;
    let rank = 0;
    let last = '';
    for (const [id, text] of rows) {
      if (text !== last && fold(text) !== fold(last)) rank += rankGap;
      last = text;
      values[id] = rank;
    }
    return values;
  }

  /** Gives changed APKs ranks between those of their neighbours. @returns false where a gap is full */
  #place(column: TextColumn, ranks: Ranks, changed: ReadonlySet<number>): boolean {
    if (ranks.values.length < this.#columns.capacity) {
      const values = new Float64Array(this.#columns.capacity).fill(Number.NaN);
      values.set(ranks.values);
      ranks.values = values;
    }
    const text = this.#connection.prepare(`select ${column} from apks where id = ?`).pluck();
    const collation = collations[column];
    const near = (comparison: '=' | '<' | '>', direction: 'asc' | 'desc') =>
      this.#connection
        .prepare(
          `select id from apks where ${column} ${comparison} ? collate ${collation}
            order by ${column} collate ${collation} ${direction} limit 50`,
        )
        .pluck();
    const [equal, before, after] = [near('=', 'asc'), near('<', 'desc'), near('>', 'asc')];
    // A deleted APK keeps its rank: somebody may still turn a page from it.
    const present = [...changed].filter((id) => hasId(this.#columns.alive, id));
    for (const id of present) ranks.values[id] = Number.NaN;
    for (const id of present) {
      const own = text.get(id);
      const rankOf = (statement: BetterSqlite3.Statement<unknown[], unknown>) =>
        (statement.all(own) as number[]).map((other) => ranks.values[other]!).find((rank) => !Number.isNaN(rank));
      const same = rankOf(equal);
      if (same !== undefined) {
        ranks.values[id] = same;
        continue;
      }
      const above = rankOf(before) ?? Number.NaN;
      const below = rankOf(after) ?? Number.NaN;
      if (Number.isNaN(above) && Number.isNaN(below)) return false;
      const rank = Number.isNaN(above)
        ? below - rankGap
        : Number.isNaN(below)
          ? above + rankGap
          : Math.floor((above + below) / 2);
      if (rank === above || rank === below) return false;
      ranks.values[id] = rank;
    }
    return true;
  }
}
