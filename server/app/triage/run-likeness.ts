// Families and neighbours among the APKs of one run, by the code that they share: as the catalogue finds them, without one.
import type { CodeSketch } from '../../contract/engine/code-sketch.ts';
import { hashesIn } from '../../services/catalogue/likeness/hash-list.ts';
import { PackageCounts } from '../../services/catalogue/method-weights.ts';
import { CodeCache } from '../../services/families/code-cache.ts';
import { FamilyPlacing, type PlacingReads } from '../../services/families/family-placing.ts';
import { proposedNames } from '../../services/families/proposed-names.ts';
import { WeighedCodes } from '../../services/families/weighed-codes.ts';
import { recordOfSketch } from '../../store/repositories/code-sketch-repository.ts';
import type { PlacedApk } from '../../store/repositories/family-place-repository.ts';
import type { Neighbour, TriagedApk } from './triaged-apk.ts';

/** Of APKs that share a group of code, those that are looked at: thousands of copies would say the same. */
const maxOfBand = 50;
const maxNear = 50;
const maxNeighbours = 3;
/** Less in common says nothing. */
const leastScore = 0.3;

/** Numbers of the APKs by which they are called here. */
interface Member {
  apk: TriagedApk;
  sketch: CodeSketch;
  place: PlacedApk;
}

/** Sets family and neighbours of each APK. */
export async function findLikeness(apks: readonly TriagedApk[]): Promise<void> {
  const run = new RunLikeness(apks);
  await run.findFamilies();
  await run.findNeighbours();
}

class RunLikeness {
  readonly #members = new Map<number, Member>();
  readonly #byBand = new Map<number, number[]>();
  readonly #byApp: Map<string, Member[]>;
  readonly #codes: WeighedCodes;

  constructor(apks: readonly TriagedApk[]) {
    const signers = new Map<string, number>();
    const counts = new PackageCounts();
    for (const [id, apk] of apks.entries()) {
      const { sketch, signer, packageName } = apk.evidence;
      if (sketch === null) continue;
      if (signer !== null && !signers.has(signer)) signers.set(signer, signers.size);
      const signerId = signer === null ? null : signers.get(signer)!;
      this.#members.set(id, { apk, sketch, place: { id, familyId: null, packageName, signerId, isPlaced: false } });
      counts.add(packageName, hashesIn(sketch.hashes));
      for (const band of new Set(sketch.bands)) {
        const others = this.#byBand.get(band);
        if (others === undefined) this.#byBand.set(band, [id]);
        else others.push(id);
      }
    }
    this.#byApp = Map.groupBy(this.#members.values(), ({ place }) => `${place.signerId} ${place.packageName}`);
    const findAll = async (ids: readonly number[]) =>
      ids.flatMap((apkId) => {
        const member = this.#members.get(apkId);
        return member === undefined ? [] : [{ apkId, ...recordOfSketch(member.sketch) }];
      });
    this.#codes = new WeighedCodes({ codeSketches: { findAll } }, counts.weights(), new CodeCache());
  }

  async findFamilies(): Promise<void> {
    const placing = new FamilyPlacing(this.#reads(), this.#codes);
    for (const id of this.#members.keys()) await placing.place(id, this.#near(id));
    const { moved, merged } = placing.placements;
    const into = new Map(merged.map(({ from, into: to }) => [from, to]));
    const homes = new Map<number, number>();
    for (const { apkId, to } of moved) {
      if (to === null) homes.delete(apkId);
      else homes.set(apkId, to);
    }
    const end = (key: number): number => (into.has(key) ? end(into.get(key)!) : key);
    for (const [, ids] of Map.groupBy(homes.keys(), (id) => end(homes.get(id)!))) {
      if (ids.length < 2) continue;
      const members = ids.map((id) => this.#members.get(id)!.apk);
      const family = { name: nameOf(members), members: members.length };
      for (const member of members) member.family = family;
    }
  }

  async findNeighbours(): Promise<void> {
    for (const { apk, place } of this.#members.values()) {
      const near = this.#near(place.id).slice(0, maxNear);
      const codes = await this.#codes.of([place.id, ...near]);
      const own = codes.get(place.id)!;
      const found = near.flatMap((id): Neighbour[] => {
        const other = this.#members.get(id)!;
        const { score, shared } = own.likeness(codes.get(id)!);
        if (score < leastScore) return [];
        const signer = place.signerId !== null && place.signerId === other.place.signerId ? 'same' : 'another';
        const reason = `${shared} of ${own.methods} own methods, ${signer} signer`;
        const [file = ''] = other.apk.files;
        return [{ sha256: other.apk.sha256, file, score: Math.round(score * 1000) / 1000, reason }];
      });
      apk.neighbours = found.sort((one, other) => other.score - one.score).slice(0, maxNeighbours);
    }
  }

  /** APKs that share groups of code with one, those that share most first. */
  #near(id: number): number[] {
    const groups = new Map<number, number>();
    for (const band of new Set(this.#members.get(id)!.sketch.bands)) {
      for (const other of this.#byBand.get(band)!.slice(-maxOfBand)) {
        if (other !== id) groups.set(other, (groups.get(other) ?? 0) + 1);
      }
    }
    return [...groups].sort((one, other) => other[1] - one[1] || other[0] - one[0]).map(([other]) => other);
  }

  /** Nobody said anything of families here, and none was there before the run. */
  #reads(): PlacingReads {
    const places = (ids: readonly number[]) => ids.flatMap((id) => this.#members.get(id)?.place ?? []);
    return {
      families: {
        tiesOf: async () => [],
        current: async () => new Map(),
        findById: async () => null,
        ends: async () => [],
      },
      familyPlaces: {
        find: async (ids) => new Map(places(ids).map((place) => [place.id, place])),
        sameApp: async ({ id, packageName, signerId }, limit) => {
          if (packageName === '' || signerId === null) return [];
          const same = this.#byApp.get(`${signerId} ${packageName}`) ?? [];
          return places(same.flatMap(({ place }) => (place.id === id ? [] : [place.id])).slice(-limit));
        },
        areApart: async () => false,
      },
    };
  }
}

/** As the catalogue would call the family at first: by what its members say of themselves. */
function nameOf(members: readonly TriagedApk[]): string {
  const known = members.map(({ evidence: { appName: app, packageName } }, id) => ({
    ...{ id, app, packageName },
    ...{ family: '', known: [] },
  }));
  const [first] = proposedNames({ apks: known, signatures: [], rules: [], strings: [] });
  return first?.name ?? members[0]!.evidence.packageName;
}
