// Numeric columns and flags of the catalogue in memory, by row id, kept up to date. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import { damages } from '../../contract/catalogue/damage.ts';
import { verdicts } from '../../contract/catalogue/verdict.ts';
import { addId, emptySet, type IdSet, removeId, resized } from './id-set.ts';
import type { FlagColumn, NumberColumn } from './search-expression.ts';

type CountColumn =
  | ('updated_at' | 'matches_count' | 'comments_count' | 'votes_count')
  | ('findings_count' | 'techniques_count' | 'trackers_count')
  | ('libraries_count' | 'apis_count' | 'hosts_count' | 'code_family_id');
/** NaN stands for no value. */
const numberColumns = [
  'size',
  'rating',
  'min_sdk',
  'target_sdk',
  'created_at',
  'updated_at',
  'matches_count',
  'comments_count',
  'votes_count',
  'signer_id',
  'verdict',
  'risk',
  'severity',
  'findings_count',
  'techniques_count',
  'trackers_count',
  'libraries_count',
  'apis_count',
  'hosts_count',
  'damage',
  'code_family_id',
] as const satisfies (NumberColumn | CountColumn)[];
export type MemoryColumn = (typeof numberColumns)[number];
type Values = Float64Array | Float32Array;
/** Columns of bytes and microseconds; all others fit 24 bits. */
const isWide = (column: MemoryColumn) => column === 'size' || column.endsWith('_at');
const valuesOf = (column: MemoryColumn, length: number): Values =>
  isWide(column) ? new Float64Array(length) : new Float32Array(length);
/** Flags in the order of their bits. */
export const flagColumns = [
  'is_trusted',
  'is_installed',
  'is_detected',
  'is_corrupted',
  'is_static_analyzed',
  'is_dynamic_analyzed',
  'is_yara_analyzed',
] as const satisfies FlagColumn[];

/** Index of a word among the values of its column. */
const placeIn = (column: string, words: readonly string[]) =>
  `case ${column} ${words.map((word, at) => `when '${word}' then ${at}`).join(' ')} end`;
/** SQL of columns that are not stored as numbers. */
const expressions: Partial<Record<MemoryColumn, string>> = {
  verdict: placeIn('verdict', verdicts),
  damage: placeIn('damage', damages),
};
const numberExpressions = numberColumns.map((column) => expressions[column] ?? column);
const flagExpressions = flagColumns.map((column) =>
  column === 'is_yara_analyzed' ? 'last_yara_analysis_at is not null' : column,
);
const selection = `select id, ${[...numberExpressions, ...flagExpressions].join(', ')} from apks`;
/** After more changes than this everything is read anew. */
const maxChanges = 100_000;
/** Ids only grow: room for new ones. */
const growth = 65_536;

export type ChangedPart = 'row' | 'tags' | 'terms';
interface Change {
  seq: number;
  id: number;
  part: ChangedPart;
}

export class CatalogueColumns {
  readonly #connection: BetterSqlite3.Database;
  readonly #changesSince: BetterSqlite3.Statement<unknown[], unknown>;
  readonly #newestChange: BetterSqlite3.Statement<unknown[], unknown>;
  readonly #row: BetterSqlite3.Statement<unknown[], unknown>;
  #changes: Change[] = [];
  #isLoaded = false;
  /** Ids are below it. */
  capacity = 0;
  maxId = 0;
  alive: IdSet = emptySet(0);
  /** Ids that were read, deleted ones included. */
  seen: IdSet = emptySet(0);
  flags = new Uint8Array(0);
  readonly numbers: Record<MemoryColumn, Values>;
  /** Sequence number of the last change that was applied. */
  seq = 0;
  /** Changes before this number are not known any more. */
  forgottenSeq = 0;

  constructor(connection: BetterSqlite3.Database) {
    this.#connection = connection;
    this.#changesSince = connection
      .prepare('select seq, apk_id, part from apk_changes where seq > ? order by seq')
      .raw();
    this.#newestChange = connection.prepare('select coalesce(max(seq), 0) from apk_changes').pluck();
    this.#row = connection.prepare(`${selection} where id = ?`).raw();
    this.numbers = Object.fromEntries(numberColumns.map((column) => [column, valuesOf(column, 0)])) as never;
  }

  /** Applies the changes since. The caller has begun a transaction, so that all reads see one snapshot. */
  catchUp(): void {
    if (!this.#isLoaded) {
      this.#load();
      return;
    }
    const newest = this.#newestChange.get() as number;
    if (newest === this.seq) return;
    const rows = this.#changesSince.all(this.seq) as [number, number, ChangedPart][];
    if (newest < this.seq || rows[0]?.[0] !== this.seq + 1 || rows.length > maxChanges) {
      this.#load();
      return;
    }
    const changed = new Set<number>();
    for (const [seq, id, part] of rows) {
      this.#changes.push({ seq, id, part });
      if (part === 'row') changed.add(id);
    }
    for (const id of changed) this.#read(id, this.#row.get(id) as (number | null)[] | undefined);
    this.seq = newest;
    if (this.#changes.length > maxChanges) {
      this.#changes = this.#changes.slice(-maxChanges / 2);
      this.forgottenSeq = this.#changes[0]!.seq - 1;
    }
  }

  /** Ids with a change of this part after `seq`, null where these are no longer known. */
  changedSince(seq: number, part: ChangedPart): Set<number> | null {
    if (seq < this.forgottenSeq) return null;
    const ids = new Set<number>();
    for (let at = this.#changes.length - 1; at >= 0 && this.#changes[at]!.seq > seq; at--)
      if (this.#changes[at]!.part === part) ids.add(this.#changes[at]!.id);
    return ids;
  }

  #load(): void {
    this.maxId = this.#connection.prepare('select coalesce(max(id), 0) from apks').pluck().get() as number;
    this.capacity = 0;
    this.alive = emptySet(0);
    this.seen = emptySet(0);
    this.#grow(this.maxId);
    for (const row of this.#connection.prepare(selection).raw().iterate() as Iterable<(number | null)[]>)
      this.#read(row[0]!, row);
    this.#changes = [];
    this.seq = this.#newestChange.get() as number;
    this.forgottenSeq = this.seq;
    this.#isLoaded = true;
  }

  #grow(id: number): void {
    if (id < this.capacity) return;
    this.capacity = Math.ceil((id + growth) / 32) * 32;
    this.alive = resized(this.alive, this.capacity);
    this.seen = resized(this.seen, this.capacity);
    const flags = new Uint8Array(this.capacity);
    flags.set(this.flags.subarray(0, this.capacity));
    this.flags = flags;
    for (const column of numberColumns) {
      const values = valuesOf(column, this.capacity);
      values.set(this.numbers[column].subarray(0, this.capacity));
      this.numbers[column] = values;
    }
  }

  #read(id: number, row: readonly (number | null)[] | undefined): void {
    if (row === undefined) {
      if (id < this.capacity) removeId(this.alive, id);
      return;
    }
    if (id > this.maxId) this.maxId = id;
    this.#grow(id);
    addId(this.alive, id);
    addId(this.seen, id);
    let at = 1;
    for (const column of numberColumns) {
      const value = row[at]!;
      this.numbers[column][id] = value === null ? Number.NaN : value;
      at += 1;
    }
    let flags = 0;
    for (let bit = 0; bit < flagColumns.length; bit++) flags |= row[at + bit]! << bit;
    this.flags[id] = flags;
  }
}
