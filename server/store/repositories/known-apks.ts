// A cache of APK records that are read repeatedly, each kept until something is written about it. Knows no query but
// that for changes.
import { sql } from 'kysely';
import type { TableRevisions } from '../sqlite/sqlite-dialect.ts';
import type { ApkRecord } from './apk-repository.ts';
import type { ReadHandle } from './repository-context.ts';

/** Capacity in records, of some kilobytes each. */
const maxKept = 10_000;
/** Bound on ids of records that were read once; half of them are dropped at a time. */
const maxSeen = 20_000;
/** After more changes than this the cache is emptied. */
const maxFollowed = 2000;

export class KnownApks {
  readonly #database: ReadHandle;
  readonly #revisions: TableRevisions;
  /** The oldest entries are evicted first: keeping the order of use would cost more than reading some again. */
  readonly #byId = new Map<number, ApkRecord>();
  readonly #bySha256 = new Map<string, ApkRecord>();
  /** Ids that were read once. A record is cached at its second read, so that one-time reads evict nothing. */
  #seen = new Set<number>();
  #seenBefore = new Set<number>();
  #revision = -1;
  /** Sequence number of the last change that the cache has taken into account. */
  #seq = -1;

  constructor(database: ReadHandle, revisions: TableRevisions) {
    this.#database = database;
    this.#revisions = revisions;
  }

  /**
   * Drops the records that changed since the last call.
   * @returns the sequence number of what is read from now on, for `keep`
   */
  async catchUp(): Promise<number> {
    const revision = this.#revisions.ofAll();
    if (revision === this.#revision) return this.#seq;
    const from = this.#seq;
    const { rows } = await sql<{ seq: number; id: number }>`
      select seq, apk_id as id from apk_changes where seq > ${from} order by seq limit ${maxFollowed}
    `.execute(this.#database);
    // Old changes are deleted after a while: a gap may have held some.
    const isWhole = from >= 0 && rows.length < maxFollowed && (rows[0]?.seq ?? from + 1) === from + 1;
    const newest = isWhole ? (rows.at(-1)?.seq ?? from) : await this.#newestChange();
    // No `keep` may run between dropping records and setting the new number.
    if (isWhole) for (const { id } of rows) this.#forget(id);
    else {
      this.#byId.clear();
      this.#bySha256.clear();
    }
    this.#seq = Math.max(this.#seq, newest);
    this.#revision = revision;
    return this.#seq;
  }

  /** The cached record, undefined where there is none. */
  byId(id: number): ApkRecord | undefined {
    return this.#byId.get(id);
  }

  /** @param sha256 lower-case hex */
  bySha256(sha256: string): ApkRecord | undefined {
    return this.#bySha256.get(sha256);
  }

  /**
   * Caches those of these records that were read before.
   * @param moment the sequence number when reading began: after later changes nothing is cached
   */
  keep(records: Iterable<ApkRecord>, moment: number): void {
    if (moment !== this.#seq) return;
    for (const record of records) {
      if (!this.#wasSeen(record.id)) continue;
      this.#byId.set(record.id, record);
      this.#bySha256.set(record.sha256, record);
    }
    for (const id of this.#byId.keys()) {
      if (this.#byId.size <= maxKept) break;
      this.#forget(id);
    }
  }

  /** Remembers that a record was read. @returns whether it was read before */
  #wasSeen(id: number): boolean {
    if (this.#seen.has(id) || this.#seenBefore.has(id)) return true;
    if (this.#seen.size >= maxSeen / 2) {
      this.#seenBefore = this.#seen;
      this.#seen = new Set();
    }
    this.#seen.add(id);
    return false;
  }

  #forget(id: number): void {
    const record = this.#byId.get(id);
    if (record === undefined) return;
    this.#byId.delete(id);
    this.#bySha256.delete(record.sha256);
  }

  async #newestChange(): Promise<number> {
    const { rows } = await sql<{ seq: number }>`select coalesce(max(seq), 0) as seq from apk_changes`.execute(
      this.#database,
    );
    return rows[0]!.seq;
  }
}
