// The APKs that one condition of a search holds for, partly or wholly known, kept up to date. For the search thread.
import type { CatalogueColumns, ChangedPart } from './catalogue-columns.ts';
import type { IdLoad } from './id-load.ts';
import { addId, addRange, emptySet, hasId, type IdSet, removeAllBelow, removeId, resized, setOfIds } from './id-set.ts';

/** How one kind of condition is looked up. */
export interface PostingSource {
  /** Which changes concern it; `all`: also ones that are not recorded by APK. */
  watches: ChangedPart | 'all';
  /** Those of some APKs that it holds for, in any order; many together are far faster than one after the other. */
  among(ids: readonly number[]): readonly number[];
  /**
   * The newest ids, about as many as wanted; null: they can't be had without a load.
   * @returns every id from `from` on, in any order
   */
  newest(wanted: number): { ids: readonly number[]; from: number } | null;
  /** The ids that lie in `[from, to]`, found without passing what lies elsewhere; null: that would take long. */
  between(from: number, to: number): readonly number[] | null;
  /** All ids: from memory at once, or read. @property overhead milliseconds of CPU that reading takes for few, too */
  all: { kind: 'held'; set(): IdSet } | { kind: 'read'; loads(): IdLoad[]; overhead: number };
}

/** So many of the newest are examined first: more than a page, and enough to estimate the total. */
const probed = 600;
/** Beyond so many changes reading everything anew is less work. */
const maxRetests = 10_000;
/** Factor by which a window is wider than needed on average. */
const windowRoom = 1.4;
/** The share of all APKs that a condition has at the least, and may have, whose newest cannot be had: it has many. */
const [leastShare, likelyShare] = [0.01, 0.2];
/** Fewest ids of a list that is loaded. */
const idsPerMillisecond = 5000;

export class Postings {
  readonly source: PostingSource;
  readonly #columns: CatalogueColumns;
  #bits: IdSet = emptySet(0);
  /** From this id on the bits are right; 0: all of them. */
  knownFrom = Number.POSITIVE_INFINITY;
  /** The bits are right in `[from, to]` too. */
  #window: { from: number; to: number } | null = null;
  /** How many ids were found from `knownFrom` on. */
  #found = 0;
  /** The newest cannot be listed: it is not tried again. */
  #isUnlisted = false;
  #seq = 0;
  #dataVersion = 0;
  /** A load by the other thread that is under way. */
  loading: Promise<void> | null = null;

  constructor(source: PostingSource, columns: CatalogueColumns) {
    this.source = source;
    this.#columns = columns;
  }

  get isComplete(): boolean {
    return this.knownFrom === 0;
  }

  /** All the bits; those that are not known are 0. */
  get bits(): IdSet {
    return this.#bits;
  }

  get bytes(): number {
    return this.#bits.byteLength;
  }

  /** Estimate of the number of ids, by the density of the known ones. */
  get estimate(): number {
    const { maxId } = this.#columns;
    if (this.#isUnlisted) return Math.ceil(likelyShare * maxId);
    if (this.knownFrom >= maxId) return maxId;
    return Math.ceil((this.#found / (maxId - this.knownFrom + 1)) * maxId);
  }

  /** CPU milliseconds until all ids are known. */
  get loadTime(): number {
    const { all } = this.source;
    return this.estimate / idsPerMillisecond + (all.kind === 'read' ? all.overhead : 0);
  }

  /**
   * Applies changes up to the columns' state, and examines the newest where nothing is known.
   * @param dataVersion changes with every commit of another connection
   * @param isUnderWay the same question has updated it before, which is enough
   */
  prepare(dataVersion: number, isUnderWay = false): void {
    this.#bits = resized(this.#bits, this.#columns.capacity);
    if (isUnderWay && this.source.watches === 'all') this.#dataVersion = dataVersion;
    this.#followChanges(dataVersion);
    if (this.knownFrom !== Number.POSITIVE_INFINITY || this.#isUnlisted) return;
    this.#note(dataVersion);
    const { source } = this;
    if (source.all.kind === 'held') this.#bits = source.all.set();
    else {
      const newest = source.newest(probed);
      this.#isUnlisted = newest === null;
      if (newest === null) return;
      this.#bits = setOfIds(newest.ids, this.#columns.capacity);
      this.#found = newest.ids.length;
      this.knownFrom = newest.from;
      return;
    }
    this.knownFrom = 0;
  }

  /** Takes over all ids, as of the change `seq` or later. */
  fill(bits: IdSet, seq: number, dataVersion: number): void {
    this.#bits = resized(bits, this.#columns.capacity);
    this.#window = null;
    this.knownFrom = 0;
    this.#seq = seq;
    this.#dataVersion = dataVersion;
    this.#followChanges(dataVersion);
  }

  /**
   * Looks at the APKs from one on in one direction: as many as have, on average, so many that the condition holds for.
   * Where these are too many nothing is done.
   */
  lookFrom(start: number, isDownwards: boolean, wanted: number): void {
    const { maxId } = this.#columns;
    if (start < 1 || start > maxId || this.#isKnown(start)) return;
    const share = this.#isUnlisted ? leastShare : this.estimate / maxId;
    const width = Math.ceil((wanted / share) * windowRoom);
    if (width > maxId / 2) return;
    const from = isDownwards ? Math.max(1, start - width) : start;
    const to = Math.min(isDownwards ? start : start + width, maxId, this.knownFrom - 1);
    const ids = this.source.between(from, to);
    if (ids === null) return;
    removeAllBelow(this.#bits, Math.min(this.knownFrom, this.#columns.capacity));
    for (const id of ids) addId(this.#bits, id);
    this.#window = { from, to };
  }

  /** Those of some APKs that it holds for, in their order. */
  among(ids: readonly number[]): number[] {
    const unknown = ids.filter((id) => !this.#isKnown(id));
    const held = new Set(unknown.length === 0 ? [] : this.source.among(unknown));
    return ids.filter((id) => (this.#isKnown(id) ? hasId(this.#bits, id) : held.has(id)));
  }

  /** The ids that it may hold for, as far as is known. */
  possible(): IdSet {
    if (this.isComplete) return this.#bits;
    const set = this.#bits.slice();
    const end = Math.min(this.knownFrom, this.#columns.capacity);
    addRange(set, 0, this.#window?.from ?? end);
    if (this.#window !== null) addRange(set, this.#window.to + 1, end);
    return set;
  }

  #isKnown(id: number): boolean {
    return id >= this.knownFrom || (this.#window !== null && id >= this.#window.from && id <= this.#window.to);
  }

  #note(dataVersion: number): void {
    this.#seq = this.#columns.seq;
    this.#dataVersion = dataVersion;
  }

  #forget(): void {
    this.knownFrom = Number.POSITIVE_INFINITY;
    this.#window = null;
    this.#isUnlisted = false;
    this.#bits = emptySet(this.#columns.capacity);
  }

  #followChanges(dataVersion: number): void {
    if (this.knownFrom === Number.POSITIVE_INFINITY && !this.#isUnlisted) return;
    const { source } = this;
    if (source.watches === 'all') {
      if (this.#dataVersion !== dataVersion) this.#forget();
      return;
    }
    if (this.#seq === this.#columns.seq) return;
    const changed = this.#columns.changedSince(this.#seq, source.watches);
    if (changed === null || changed.size > maxRetests) {
      this.#forget();
      return;
    }
    const present: number[] = [];
    for (const id of changed) {
      if (!this.#isKnown(id)) continue;
      removeId(this.#bits, id);
      if (hasId(this.#columns.alive, id)) present.push(id);
    }
    if (present.length > 0) for (const id of source.among(present)) addId(this.#bits, id);
    this.#note(dataVersion);
  }
}
