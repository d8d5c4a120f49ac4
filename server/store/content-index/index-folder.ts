// The segments of the content index in their folder: which APK is in which of them, and when they are merged. What is damaged is
// removed: its APKs are read again. Knows no condition.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DamagedSegment, Segment } from './segment.ts';
import { buildSegment, mergeSegments, type PrintedApk } from './segment-building.ts';

/** Segments of about one size that are merged into one. */
const fanOut = 8;
/** Bytes of the smallest size that is told from others. */
const leastSize = 1024 * 1024;
/** Bytes from which a segment is left as it is: merging it again would take longer than it saves. */
const greatestSize = 2 * 1024 ** 3;
/** Share of a segment's groups that may be of APKs that are gone before it is written anew. */
const maxGone = 0.25;
const segmentName = /^(\d{10})\.segment$/;

export class IndexFolder {
  readonly path: string;
  /** By number, older ones first. */
  #segments = new Map<number, Segment>();
  /** By row of an APK, the number of the segment that holds its newest record, and its place there. */
  readonly #owners = new Map<number, { number: number; apk: number }>();

  constructor(path: string) {
    this.path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
  }

  get segments(): readonly Segment[] {
    return [...this.#segments.values()];
  }

  /** Brings what is known to what lies in the folder. @param isOwn nobody else writes there: what is unfinished is removed */
  refresh(isOwn: boolean): void {
    const names = readdirSync(this.path);
    if (isOwn) for (const name of names) if (name.endsWith('.tmp')) rmSync(join(this.path, name), { force: true });
    const numbers = names.flatMap((name) => segmentName.exec(name)?.[1] ?? []).map(Number);
    const there = new Set(numbers);
    const isSame = there.size === this.#segments.size && numbers.every((number) => this.#segments.has(number));
    if (isSame) return;
    for (const [number, segment] of this.#segments) {
      if (there.has(number)) continue;
      // An older record of an APK counts no more: it is read again.
      for (const id of segment.apks.ids) if (this.#owners.get(id)?.number === number) this.#owners.delete(id);
      segment.close();
      this.#segments.delete(number);
    }
    for (const number of numbers) if (!this.#segments.has(number)) this.#open(number);
    this.#segments = new Map([...this.#segments].sort(([one], [other]) => one - other));
  }

  /** Whether a segment has the newest record of one of its APKs. */
  isNewest(segment: Segment, apk: number): boolean {
    const owner = this.#owners.get(segment.apks.ids[apk]!);
    return owner !== undefined && this.#segments.get(owner.number) === segment;
  }

  /** The tag of an APK; null where it is not indexed. */
  tagOf(id: number): number | null {
    const owner = this.#owners.get(id);
    return owner === undefined ? null : this.#segments.get(owner.number)!.apks.tags[owner.apk]!;
  }

  /** Adds APKs, each in place of what was known of it. */
  add(apks: readonly PrintedApk[]): void {
    if (apks.length === 0) return;
    this.refresh(true);
    buildSegment(this.#pathOf(this.#nextNumber()), [...new Map(apks.map((apk) => [apk.id, apk])).values()]);
    this.refresh(true);
  }

  /** Writes segments anew of which much is gone, and merges segments. */
  tidy(isLiving: (id: number) => boolean): void {
    this.refresh(true);
    const isKept = (segment: Segment, apk: number) => this.isNewest(segment, apk) && isLiving(segment.apks.ids[apk]!);
    for (const segment of this.segments) if (goneShare(segment, isKept) > maxGone) this.#merge([segment], isKept);
    this.merge(isLiving);
  }

  /** Merges segments of one size where there are many. */
  merge(isLiving: (id: number) => boolean = () => true): void {
    this.refresh(true);
    const isKept = (segment: Segment, apk: number) => this.isNewest(segment, apk) && isLiving(segment.apks.ids[apk]!);
    for (;;) {
      const small = this.segments.filter(({ size }) => size < greatestSize);
      const tiers = Map.groupBy(small, ({ size }) =>
        Math.floor(Math.log(Math.max(1, size / leastSize)) / Math.log(fanOut)),
      );
      const many = [...tiers.values()].find(({ length }) => length >= fanOut);
      if (many === undefined) return;
      this.#merge(many, isKept);
    }
  }

  /** Throws away a segment that cannot be read; it is forgotten with the next `refresh`. */
  remove(path: string): void {
    rmSync(path, { force: true });
  }

  #merge(segments: readonly Segment[], isKept: (segment: Segment, apk: number) => boolean): void {
    const hasAny = segments.some((segment) => segment.apks.ids.some((_, apk) => isKept(segment, apk)));
    try {
      if (hasAny) mergeSegments(this.#pathOf(this.#nextNumber()), segments, isKept);
      for (const { path } of segments) this.remove(path);
    } catch (error) {
      if (!(error instanceof DamagedSegment)) throw error;
      this.remove(error.path);
    }
    this.refresh(true);
  }

  #open(number: number): void {
    const path = this.#pathOf(number);
    try {
      const segment = new Segment(path);
      this.#segments.set(number, segment);
      for (const [apk, id] of segment.apks.ids.entries()) {
        if ((this.#owners.get(id)?.number ?? 0) < number) this.#owners.set(id, { number, apk });
      }
    } catch (error) {
      // It may have been merged into another one a moment ago.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      if (!(error instanceof DamagedSegment)) throw error;
      this.remove(path);
    }
  }

  #nextNumber(): number {
    return Math.max(0, ...this.#segments.keys()) + 1;
  }

  #pathOf(number: number): string {
    return join(this.path, `${String(number).padStart(10, '0')}.segment`);
  }
}

function goneShare(segment: Segment, isKept: (segment: Segment, apk: number) => boolean): number {
  const { ids, firstGroups, groupsCount } = segment.apks;
  let gone = 0;
  for (const apk of ids.keys()) if (!isKept(segment, apk)) gone += firstGroups[apk + 1]! - firstGroups[apk]!;
  return groupsCount === 0 ? 1 : gone / groupsCount;
}
