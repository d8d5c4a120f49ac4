// Records of APKs that are read again and again, each kept until something is written about it. Knows no query but that
// for changes.
import { sql } from 'kysely';
import type { TableRevisions } from '../sqlite/sqlite-dialect.ts';
import type { ApkRecord } from './apk-repository.ts';
import type { ReadHandle } from './repository-context.ts';

/** Some kilobytes each. */
const maxKept = 10_000;
/** Ids of records that were read once, of which half are forgotten at a time. */
const maxSeen = 20_000;
/** Past so many changes all is read anew. */
const maxFollowed = 2000;

export class KnownApks {
  readonly #database: ReadHandle;
  readonly #revisions: TableRevisions;
  /** The oldest give way to new ones: keeping the order of use would cost more than reading some again. */
  readonly #byId = new Map<number, ApkRecord>();
  readonly #bySha256 = new Map<string, ApkRecord>();
  /** Read once lately. What is never read again is not kept: it would drive out what is, and outlive its use. */
  #seen = new Set<number>();
  #seenBefore = new Set<number>();
  #revision = -1;
  /** The last change that these records are not older than; it rises. */
  #seq = -1;

  constructor(database: ReadHandle, revisions: TableRevisions) {
    this.#database = database;
    this.#revisions = revisions;
  }

  /**
   * Forgets what was written about since the last time.
   * @returns the moment of what is read from now on, for `keep`
   */
  async catchUp(): Promise<number> {
    const revision = this.#revisions.ofAll();
    if (revision === this.#revision) return this.#seq;
    const from = this.#seq;
    const { rows } = await sql<{ seq: number; id: number }>`
      select seq, apk_id as id from apk_changes where seq > ${from} order by seq limit ${maxFollowed}
    `.execute(this.#database);
    // Old changes are deleted some day: a gap hides some.
    const isWhole = from >= 0 && rows.length < maxFollowed && (rows[0]?.seq ?? from + 1) === from + 1;
    const newest = isWhole ? (rows.at(-1)?.seq ?? from) : await this.#newestChange();
    // Nothing may be kept between what is forgotten and the new moment.
    if (isWhole) for (const { id } of rows) this.#forget(id);
    else {
      this.#byId.clear();
      this.#bySha256.clear();
    }
    this.#seq = Math.max(this.#seq, newest);
    this.#revision = revision;
    return this.#seq;
  }

  /** The record that is kept, undefined where none is. */
  byId(id: number): ApkRecord | undefined {
    return this.#byId.get(id);
  }

  /** @param sha256 lower-case hex */
  bySha256(sha256: string): ApkRecord | undefined {
    return this.#bySha256.get(sha256);
  }

  /**
   * Keeps those of these records that were read before.
   * @param moment when reading them began: where something was written meanwhile they are not kept
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

  /** Notes that it was now. */
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
