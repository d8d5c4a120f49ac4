// Finds the families of APKs by their code and says which APKs would move; moves nothing itself. Knows no thread.

import { tellingMethods } from '../../contract/engine/code-sketch.ts';
import type { FamilyPlaceRepository, PlacedApk } from '../../store/repositories/family-place-repository.ts';
import type { FamilyRecord, FamilyRepository } from '../../store/repositories/family-repository.ts';
import type { WeightedCode } from '../catalogue/likeness/weighted-code.ts';
import type { WeighedCodes } from './weighed-codes.ts';

/** An id of a family, or a number below 0 for one that is to be made. */
export type FamilyKey = number;

export interface Placements {
  /** Whose family was looked for: where it belongs, null: nowhere. Others that go with it follow. */
  moved: { apkId: number; to: FamilyKey | null }[];
  merged: { from: FamilyKey; into: FamilyKey }[];
}

/** Score from which two APKs are of one family: versions of an app and changed copies reach it. */
const joinScore = 0.5;
/** Average score with a family's members that a member needs: being like one of them alone would let families grow together. */
const cohesion = 0.3;
/** Score below which a member leaves its family; lower than for joining, since the weights of methods change. */
const stayScore = 0.3;
/** Average score of their members from which two families are merged. */
const mergeScore = 0.45;
/** Lower scores that are enough for APKs of the same package and signer, where small apps have too little code to compare. */
const sameAppScore = 0.15;

const maxNear = 200;
const maxEach = 4;
const maxFamilies = 10;
const maxSingles = 40;
const maxSameApp = 4;
/** Members of a family that an APK is compared with. */
const sampled = 8;
/** Families that the placing of one APK may merge. */
const maxMerged = 3;

/** What is asked of a catalogue, or of whatever else holds APKs. */
export interface PlacingReads {
  families: Pick<FamilyRepository, 'tiesOf' | 'current' | 'findById' | 'ends'>;
  familyPlaces: Pick<FamilyPlaceRepository, 'find' | 'sameApp' | 'areApart'>;
}

interface Subject {
  apk: PlacedApk;
  code: WeightedCode;
}

interface Near {
  apk: PlacedApk;
  score: number;
}

const isSmall = ({ methods }: WeightedCode) => methods < tellingMethods;
const mean = (numbers: readonly number[]) =>
  numbers.length === 0 ? 0 : numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** How strongly the evidence says that two APKs are of one family, 0 to 1. */
function score(one: Subject, other: Subject): number {
  const isSameApp =
    one.apk.packageName !== '' &&
    one.apk.packageName === other.apk.packageName &&
    one.apk.signerId !== null &&
    one.apk.signerId === other.apk.signerId;
  if (isSmall(one.code) || isSmall(other.code)) return isSameApp ? 1 : 0;
  const { share: score } = one.code.likeness(other.code);
  return isSameApp && score >= sameAppScore ? Math.max(score, joinScore) : score;
}

export class FamilyPlacing {
  readonly #reads: PlacingReads;
  readonly #codes: WeighedCodes;
  readonly #placements: Placements = { moved: [], merged: [] };
  /** The families of APKs after the decisions so far. */
  readonly #homes = new Map<number, FamilyKey | null>();
  readonly #samples = new Map<FamilyKey, number[]>();
  readonly #places = new Map<number, PlacedApk>();
  readonly #families = new Map<FamilyKey, Pick<FamilyRecord, 'isConfirmed' | 'members'>>();
  readonly #made: FamilyKey[] = [];

  constructor(reads: PlacingReads, codes: WeighedCodes) {
    this.#reads = reads;
    this.#codes = codes;
  }

  get placements(): Placements {
    return this.#placements;
  }

  /** Decides where an APK belongs. @param sharing others that share groups of code with it, those that share most first */
  async place(apkId: number, sharing: readonly number[]): Promise<void> {
    const apk = (await this.#reads.familyPlaces.find([apkId])).get(apkId);
    if (apk === undefined) return;
    const code = (await this.#codes.of([apkId])).get(apkId);
    const { fixed, apart } = await this.#saidOf(apkId);
    if (fixed !== null || code === undefined) {
      this.#move(apkId, fixed ?? this.#homeOf(apk));
      return;
    }
    const subject: Subject = { apk, code };
    const near = await this.#near(subject, sharing);
    const homes = await this.#homesNear(subject, near, apart);
    const [home] = homes;
    if (home !== undefined) {
      this.#move(apkId, home);
      for (const other of homes.slice(1, maxMerged)) await this.#merge(home, other);
    }
    await this.#takeSingles(subject, near, this.#homes.get(apkId) ?? null);
  }

  /** Members of a family that are no longer like the others, of some that are given. */
  async strangers(familyId: number, apkIds: readonly number[]): Promise<number[]> {
    const found: number[] = [];
    const sample = await this.#sampleOf(familyId);
    const places = await this.#reads.familyPlaces.find(apkIds);
    for (const [id, code] of await this.#codes.of(apkIds)) {
      const others = sample.filter((other) => other !== id);
      const scores = await this.#scores({ apk: places.get(id)!, code }, others);
      if (scores.length > 0 && Math.max(...scores) < stayScore) found.push(id);
    }
    return found;
  }

  /** What people said of an APK. */
  async #saidOf(apkId: number): Promise<{ fixed: number | null; apart: ReadonlySet<number> }> {
    const ties = await this.#reads.families.tiesOf([apkId]);
    if (ties.length === 0) return { fixed: null, apart: new Set() };
    const current = await this.#reads.families.current(ties.map(({ familyId }) => familyId));
    const of = (isMember: boolean) =>
      ties.filter((tie) => tie.isMember === isMember).flatMap(({ familyId }) => current.get(familyId) ?? []);
    return { fixed: of(true).at(-1) ?? null, apart: new Set(of(false)) };
  }

  /** APKs that are like one, best first, of each family some. */
  async #near(subject: Subject, sharing: readonly number[]): Promise<Near[]> {
    const { apk, code } = subject;
    const all = await this.#reads.familyPlaces.sameApp(apk, maxSameApp);
    if (!isSmall(code)) all.push(...(await this.#placesOf(sharing.slice(0, maxNear))));
    const counts = new Map<FamilyKey, number>();
    let singles = 0;
    const chosen = new Map<number, PlacedApk>();
    for (const other of all) {
      const home = this.#homeOf(other);
      if (chosen.has(other.id) || (!other.isPlaced && !this.#homes.has(other.id))) continue;
      if (home === null) {
        if (singles++ < maxSingles) chosen.set(other.id, other);
        continue;
      }
      const seen = counts.get(home) ?? 0;
      if (seen >= maxEach || (seen === 0 && counts.size >= maxFamilies)) continue;
      counts.set(home, seen + 1);
      chosen.set(other.id, other);
    }
    const codes = await this.#codes.of([...chosen.keys()]);
    return [...codes]
      .map(([id, other]) => ({ apk: chosen.get(id)!, score: score(subject, { apk: chosen.get(id)!, code: other }) }))
      .toSorted((one, other) => other.score - one.score || other.apk.id - one.apk.id);
  }

  /** Where APKs were when they were first asked for, in their order: carriers of one library are asked for again and again. */
  async #placesOf(ids: readonly number[]): Promise<PlacedApk[]> {
    const missing = ids.filter((id) => !this.#places.has(id));
    if (missing.length > 0)
      for (const [id, place] of await this.#reads.familyPlaces.find(missing)) this.#places.set(id, place);
    return ids.flatMap((id) => this.#places.get(id) ?? []);
  }

  /** Families in which an APK is at home, the best first. */
  async #homesNear(subject: Subject, near: readonly Near[], apart: ReadonlySet<number>): Promise<FamilyKey[]> {
    const own = this.#homeOf(subject.apk);
    const groups = Map.groupBy(near, ({ apk }) => this.#homeOf(apk));
    const keys = new Set([...(own === null ? [] : [own]), ...groups.keys()]);
    const fits: { key: FamilyKey; fit: number }[] = [];
    for (const key of keys) {
      if (key === null || apart.has(key)) continue;
      const some = (groups.get(key) ?? []).map(({ score }) => score);
      const best = Math.max(0, ...some);
      if (key !== own && best < joinScore) continue;
      const known = new Set((groups.get(key) ?? []).map(({ apk }) => apk.id));
      const sample = (await this.#sampleOf(key)).filter((id) => id !== subject.apk.id && !known.has(id));
      const scores = [...some, ...(await this.#scores(subject, sample))];
      const fit = mean(scores);
      const isStaying = key === own && Math.max(0, ...scores) >= stayScore;
      if (isStaying || (best >= joinScore && fit >= cohesion)) fits.push({ key, fit: isStaying ? 1 + fit : fit });
    }
    return fits.toSorted((one, other) => other.fit - one.fit || one.key - other.key).map(({ key }) => key);
  }

  /** Adds similar APKs without a family to this one, or makes a new family of them. */
  async #takeSingles(subject: Subject, near: readonly Near[], home: FamilyKey | null): Promise<void> {
    const singles = near.filter(({ apk, score }) => score >= joinScore && this.#homeOf(apk) === null);
    const taken: number[] = [];
    for (const { apk } of singles) {
      const { apart } = await this.#saidOf(apk.id);
      if (home !== null && apart.has(home)) continue;
      const others = home === null ? [subject.apk.id, ...taken.slice(0, sampled)] : await this.#sampleOf(home);
      if (await this.#fits(apk, others)) taken.push(apk.id);
    }
    if (home === null && taken.length === 0) {
      this.#move(subject.apk.id, null);
      return;
    }
    const target = home ?? this.#make();
    for (const id of home === null ? [subject.apk.id, ...taken] : taken) this.#move(id, target);
  }

  async #fits(apk: PlacedApk, others: readonly number[]): Promise<boolean> {
    const code = (await this.#codes.of([apk.id])).get(apk.id);
    return code !== undefined && mean(await this.#scores({ apk, code }, others)) >= cohesion;
  }

  async #scores(subject: Subject, ids: readonly number[]): Promise<number[]> {
    return (await this.#subjects(ids)).map((other) => score(subject, other));
  }

  async #subjects(ids: readonly number[]): Promise<Subject[]> {
    const places = await this.#placesOf(ids);
    const codes = await this.#codes.of(ids);
    return places.flatMap((apk) => {
      const code = codes.get(apk.id);
      return code === undefined ? [] : [{ apk, code }];
    });
  }

  /** Makes one of two families whose members are alike, unless people confirmed both or took members of one out of the other. */
  async #merge(one: FamilyKey, other: FamilyKey): Promise<void> {
    const [first, second] = [await this.#familyOf(one), await this.#familyOf(other)];
    if (first.isConfirmed && second.isConfirmed) return;
    if (one > 0 && other > 0 && (await this.#reads.familyPlaces.areApart(one, other))) return;
    const others = await this.#subjects(await this.#sampleOf(other));
    const scores = (await this.#subjects(await this.#sampleOf(one))).flatMap((member) =>
      others.map((stranger) => score(member, stranger)),
    );
    if (mean(scores) < mergeScore) return;
    const isOneKept = first.isConfirmed || (!second.isConfirmed && first.members >= second.members);
    const [into, from] = isOneKept ? [one, other] : [other, one];
    this.#placements.merged.push({ from, into });
    this.#families.set(into, {
      isConfirmed: first.isConfirmed || second.isConfirmed,
      members: first.members + second.members,
    });
    for (const [id, home] of this.#homes) if (home === from) this.#homes.set(id, into);
    this.#replaced.set(from, into);
  }

  readonly #replaced = new Map<FamilyKey, FamilyKey>();

  #homeOf({ id, familyId }: PlacedApk): FamilyKey | null {
    let home = this.#homes.has(id) ? this.#homes.get(id)! : familyId;
    while (home !== null && this.#replaced.has(home)) home = this.#replaced.get(home)!;
    return home;
  }

  async #familyOf(key: FamilyKey): Promise<Pick<FamilyRecord, 'isConfirmed' | 'members'>> {
    let family = this.#families.get(key);
    if (family === undefined) {
      family = (await this.#reads.families.findById(key)) ?? { isConfirmed: false, members: 0 };
      this.#families.set(key, family);
    }
    return family;
  }

  async #sampleOf(key: FamilyKey): Promise<number[]> {
    let sample = this.#samples.get(key);
    if (sample === undefined) {
      sample = key > 0 ? await this.#reads.families.ends(key, sampled) : [];
      this.#samples.set(key, sample);
    }
    return sample;
  }

  #make(): FamilyKey {
    const key = -(this.#made.length + 1);
    this.#made.push(key);
    this.#families.set(key, { isConfirmed: false, members: 0 });
    this.#samples.set(key, []);
    return key;
  }

  #move(apkId: number, to: FamilyKey | null): void {
    this.#placements.moved.push({ apkId, to });
    this.#homes.set(apkId, to);
    if (to === null) return;
    const sample = this.#samples.get(to);
    if (sample !== undefined && sample.length < sampled && !sample.includes(apkId)) sample.push(apkId);
    const family = this.#families.get(to);
    if (family !== undefined) this.#families.set(to, { ...family, members: family.members + 1 });
  }
}
