// What many APKs' reports have in common, in memory: a few numbers of terms for each APK. For the search thread; reads only.
import type BetterSqlite3 from 'better-sqlite3';
import type { CatalogueColumns } from './catalogue-columns.ts';
import { addId, emptySet, forEachId, hasId, type IdSet } from './id-set.ts';

export interface Mark {
  field: string;
  text: string;
}

/** Of one APK; a report with more wants to fill the memory. */
const maxOfApk = 255;
/** Different ones in all: what hostile apps make up beyond them is not counted. */
const maxMarks = 65_535;
/** Of marks that no APK has any more; beyond it all are read anew. */
const maxWastedShare = 0.5;
const bytesOfTerm = 4;
type Row = [apkId: number, terms: Buffer];

export class ApkMarks {
  readonly #columns: CatalogueColumns;
  readonly #all: BetterSqlite3.Statement<unknown[], Row>;
  readonly #some: BetterSqlite3.Statement<unknown[], Row>;
  readonly #term: BetterSqlite3.Statement<unknown[], [field: string, text: string]>;
  /** By term. */
  readonly #numbers = new Map<number, number>();
  /** By number. */
  readonly marks: Mark[] = [];
  /** The numbers of all APKs' marks, those of one behind each other. */
  #stored = new Uint16Array(0);
  #used = 0;
  #wasted = 0;
  /** By row id: where an APK's marks begin, and how many they are. */
  #starts = new Uint32Array(0);
  #lengths = new Uint8Array(0);
  #seq = -1;

  constructor(connection: BetterSqlite3.Database, columns: CatalogueColumns) {
    this.#columns = columns;
    const rows = 'select apk_id, terms from apk_marks';
    this.#all = connection.prepare<unknown[], Row>(rows).raw();
    this.#some = connection.prepare<unknown[], Row>(`${rows} where apk_id in (select value from json_each(?))`).raw();
    this.#term = connection
      .prepare<unknown[], [field: string, text: string]>('select field, text from search_terms where id = ?')
      .raw();
  }

  /** Takes in what came since. The caller has begun a transaction. */
  catchUp(): void {
    const { seq } = this.#columns;
    if (this.#seq === seq) return;
    const changed = this.#seq < 0 ? null : this.#columns.changedSince(this.#seq, 'terms');
    this.#seq = seq;
    if (changed === null || this.#wasted > this.#used * maxWastedShare) {
      this.#readAll();
      return;
    }
    this.#grow();
    const ids = [...changed].filter((id) => id < this.#lengths.length);
    for (const id of ids) {
      this.#wasted += this.#lengths[id]!;
      this.#lengths[id] = 0;
    }
    if (ids.length > 0) for (const [id, terms] of this.#some.all(JSON.stringify(ids))) this.#keep(id, terms);
  }

  /** Whether an APK has one of some marks. @param wanted by number: not 0 */
  hasAny(id: number, wanted: Uint8Array): boolean {
    const start = this.#starts[id] ?? 0;
    const end = start + (this.#lengths[id] ?? 0);
    for (let at = start; at < end; at++) if (wanted[this.#stored[at]!] === 1) return true;
    return false;
  }

  /** The APKs that have one of some marks. */
  having(wanted: Uint8Array): IdSet {
    const { capacity, maxId } = this.#columns;
    const ids = emptySet(capacity);
    for (let id = 1; id <= maxId; id++) if (this.hasAny(id, wanted)) addId(ids, id);
    return ids;
  }

  /** How many APKs of a set have each mark, by number. */
  countsIn(set: IdSet): Uint32Array {
    const counts = new Uint32Array(this.marks.length);
    forEachId(set, (id) => {
      const start = this.#starts[id] ?? 0;
      const end = start + (this.#lengths[id] ?? 0);
      for (let at = start; at < end; at++) counts[this.#stored[at]!]! += 1;
    });
    return counts;
  }

  #readAll(): void {
    this.#used = 0;
    this.#wasted = 0;
    this.#starts = new Uint32Array(0);
    this.#lengths = new Uint8Array(0);
    this.#grow();
    for (const [id, terms] of this.#all.iterate()) if (hasId(this.#columns.alive, id)) this.#keep(id, terms);
  }

  #grow(): void {
    const { capacity } = this.#columns;
    if (this.#starts.length >= capacity) return;
    const starts = new Uint32Array(capacity);
    starts.set(this.#starts);
    this.#starts = starts;
    const lengths = new Uint8Array(capacity);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
  }

  #keep(id: number, terms: Buffer): void {
    const most = Math.min(maxOfApk, terms.length / bytesOfTerm);
    if (this.#used + most > this.#stored.length) {
      const stored = new Uint16Array(Math.max(65_536, this.#stored.length * 2));
      stored.set(this.#stored);
      this.#stored = stored;
    }
    this.#starts[id] = this.#used;
    for (let at = 0; at < most; at++) {
      const number = this.#numberOf(terms.readUInt32LE(at * bytesOfTerm));
      if (number === null) continue;
      this.#stored[this.#used] = number;
      this.#used += 1;
    }
    this.#lengths[id] = this.#used - this.#starts[id]!;
  }

  #numberOf(term: number): number | null {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const named = this.marks.length < maxMarks ? this.#term.get(term) : undefined;
    if (named === undefined) return null;
    const number = this.marks.push({ field: named[0], text: named[1] }) - 1;
    this.#numbers.set(term, number);
    return number;
  }
}
