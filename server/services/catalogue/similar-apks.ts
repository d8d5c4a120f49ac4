// Which APKs of the catalogue are like another, by all that is known of both. Knows nothing of bytes or HTTP.
import { setImmediate } from 'node:timers/promises';
import type { PackedStatic } from '../../contract/engine/analysis-results.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import { recordOfSketch } from '../../store/repositories/code-sketch-repository.ts';
import type { Store } from '../../store/store.ts';
import { Failure } from '../failure.ts';
import { FileWeights } from './likeness/file-weights.ts';
import { similarKeys } from './likeness/fingerprint-keys.ts';
import { ComparedApk, type Likeness, type Profile, type Weights } from './likeness/likeness.ts';
import type { MethodWeights } from './method-weights.ts';

export interface SimilarApk extends Likeness {
  apk: ApkRecord;
}

/** APKs that are compared, by what they share: groups of code, keys of fingerprints, signer or package. */
const maxByCode = 150;
const maxByKeys = 150;
const maxByName = 40;
/** Those of them that are compared exactly, and by what they do as well, which takes longer to read. */
const maxByTraits = 60;
const maxResults = 50;
/** Less is what strangers share. */
const minScore = 0.1;
/** From here on hardly any are strangers. */
const alikeScore = 0.5;
/** APKs that are compared before anything else gets its turn. */
const comparedAtOnce = 40;
/** A signer of more packages is a store, or a key that many have. */
const fewPackages = 10;
const manyPackages = 200;
/** What findings and calls weigh beside a host that no other APK names; a host weighs half where so many do. */
const weightOfUse = 0.2;
const usualHost = 4;
/** What an app does, of the terms of its reports. */
const traitFields: ReadonlySet<string> = new Set(['api', 'domain', 'ip']);
const maxTraits = 1000;

export class SimilarApks {
  readonly #store: Store;
  readonly #methodWeights: MethodWeights;
  readonly #fileWeights: FileWeights;

  constructor(store: Store, methodWeights: MethodWeights) {
    this.#store = store;
    this.#methodWeights = methodWeights;
    this.#fileWeights = new FileWeights(store);
  }

  /**
   * The APKs that are most like one, best first.
   * @throws Failure `not-found`; `no-report` where it was not looked into yet
   */
  async of(sha256: string): Promise<SimilarApk[]> {
    const apk = await this.#store.apks.findBySha256(sha256);
    if (apk === null) throw new Failure('not-found');
    const profile = (await this.#profiles([apk.id])).get(apk.id);
    if (profile === undefined) throw new Failure('no-report');
    const byCode = await this.#store.codeSketches.candidates(apk.id, maxByCode);
    return this.#ranked(profile, byCode, apk.id);
  }

  /**
   * For each of some APKs the SHA-256 of those that are rather like it than not: none where the catalogue does not know what
   * it is like.
   */
  async likeEach(sha256s: readonly string[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const sha256 of sha256s) {
      const similar = await this.of(sha256).catch((error: unknown) => {
        if (error instanceof Failure) return [];
        throw error;
      });
      found.set(
        sha256,
        similar.filter(({ score }) => score >= alikeScore).map(({ apk }) => apk.sha256),
      );
    }
    return found;
  }

  /** Those that are most like an APK that the catalogue need not have, by what its static analysis found. */
  async like({ identity, sketch, fingerprint, findings, index }: PackedStatic): Promise<SimilarApk[]> {
    const { signers, fingerprints, codeSketches } = this.#store;
    const signer = identity.signer === null ? null : await signers.findBySha256(identity.signer.sha256);
    const telling = index.terms.filter(({ field }) => traitFields.has(field)).slice(0, maxTraits);
    const found = [...new Set(findings.map(({ code }) => code))].map((text) => ({ field: 'finding', text }));
    const profile = {
      ...{ signerId: signer?.id ?? null, packageName: identity.packageName, fingerprint },
      code: sketch === null ? null : recordOfSketch(sketch),
      traits: await fingerprints.termNumbers([...found, ...telling]),
    };
    return this.#ranked(profile, await codeSketches.inBands(sketch?.bands ?? [], maxByCode), null);
  }

  /** @param own the APK itself, which is none of those that are like it */
  async #ranked(profile: Profile, byCode: readonly number[], own: number | null): Promise<SimilarApk[]> {
    const { fingerprints } = this.#store;
    const { fingerprint, signerId, packageName } = profile;
    const byKeys = fingerprint === null ? [] : await fingerprints.candidates(similarKeys(fingerprint), maxByKeys);
    const byName = await fingerprints.namesakes(signerId, packageName, maxByName);
    const ids = [...new Set([...byCode, ...byKeys, ...byName])].filter((id) => id !== own);
    const profiles = await this.#profiles(ids);
    const compared = new ComparedApk(profile, await this.#weights(profile));
    const first = await bestOf(profiles, (other) => compared.atFirstLook(other), maxByTraits);
    const traits = await fingerprints.traits(first.map(({ id }) => id));
    const whole = new Map(first.map(({ id }) => [id, { ...profiles.get(id)!, traits: traits.get(id) ?? [] }]));
    const best = await bestOf(whole, (other) => compared.with(other), maxResults);
    const apks = await this.#store.apks.findByIds(best.map(({ id }) => id));
    return best.flatMap(({ id, ...likeness }) => {
      const apk = apks.get(id);
      return apk === undefined ? [] : [{ apk, ...likeness }];
    });
  }

  /** What is known of APKs but what they do, which is known of a single one alone. */
  async #profiles(ids: readonly number[]): Promise<Map<number, Profile>> {
    const { apks, codeSketches, fingerprints } = this.#store;
    if (ids.length === 0) return new Map();
    const records = await apks.findByIds(ids);
    const sketches = new Map((await codeSketches.findAll(ids)).map((sketch) => [sketch.apkId, sketch]));
    const prints = new Map((await fingerprints.findAll(ids)).map((print) => [print.apkId, print]));
    const traits = ids.length === 1 ? await fingerprints.traits(ids) : new Map<number, number[]>();
    const profiles = new Map<number, Profile>();
    for (const id of ids) {
      const apk = records.get(id);
      const [code, fingerprint] = [sketches.get(id) ?? null, prints.get(id) ?? null];
      if (apk === undefined || (code === null && fingerprint === null)) continue;
      const { signerId, packageName } = apk;
      profiles.set(id, { signerId, packageName, code, fingerprint, traits: traits.get(id) ?? [] });
    }
    return profiles;
  }

  async #weights({ signerId, traits }: Profile): Promise<Weights> {
    const { fingerprints } = this.#store;
    const packages = signerId === null ? 0 : await fingerprints.packagesOf(signerId, manyPackages);
    const hosts = await fingerprints.countHosts(traits);
    return {
      ofMethod: await this.#methodWeights.current(),
      ofFile: await this.#fileWeights.current(),
      ofTrait: (term) => {
        const apks = hosts.get(term) ?? 0;
        return apks === 0 ? weightOfUse : Math.max(weightOfUse, 1 / (1 + (apks - 1) / usualHost));
      },
      ofSigner: Math.min(1, fewPackages / Math.max(1, packages)),
    };
  }
}

/** Those most like it, best first, of the same score the newest. */
async function bestOf(
  profiles: ReadonlyMap<number, Profile>,
  likenessOf: (other: Profile) => Likeness,
  most: number,
): Promise<(Likeness & { id: number })[]> {
  const found: (Likeness & { id: number })[] = [];
  let count = 0;
  for (const [id, profile] of profiles) {
    if (++count % comparedAtOnce === 0) await setImmediate();
    const likeness = likenessOf(profile);
    if (likeness.score >= minScore) found.push({ id, ...likeness });
  }
  return found.sort((one, other) => other.score - one.score || other.id - one.id).slice(0, most);
}
