// How alike two APKs are by everything that is known of both, and why. Knows no store.

import type { SimilarityKind } from '../../../contract/catalogue/similar-apk.ts';
import { hashBytes, tellingMethods } from '../../../contract/engine/code-sketch.ts';
import type { Fingerprint, FuzzyDigest, HashSet } from '../../../contract/engine/fingerprint.ts';
import type { CodeSketchRecord } from '../../../store/repositories/code-sketch-repository.ts';
import { compareSsdeep } from './ssdeep-comparison.ts';
import { tlshDistance } from './tlsh-distance.ts';
import { WeightedCode } from './weighted-code.ts';

/** What is compared of an APK; null and empty where it is not known. */
export interface Profile {
  signerId: number | null;
  packageName: string;
  code: Omit<CodeSketchRecord, 'apkId'> | null;
  fingerprint: Pick<Fingerprint, 'icon' | 'digests' | 'files' | 'native'> | null;
  /** Findings, calls of the platform and hosts, by numbers of terms. */
  traits: readonly number[];
}

export interface Weights {
  ofMethod: (hash: number) => number;
  ofFile: (hash: number) => number;
  /** Share of the first APK's behaviour. */
  ofTrait: (term: number) => number;
  /** 0 to 1: less where a signer has many packages, or anybody has its key. */
  ofSigner: number;
}

/** How much one kind of likeness says, 0 to 1, and in which words. */
interface Sign {
  kind: SimilarityKind;
  strength: number;
  /** Methods, files or symbols that both have. */
  shared?: number;
  words: string;
}

export interface Likeness {
  /** 0 to 1 */
  score: number;
  kinds: SimilarityKind[];
  reason: string;
}

/** The highest score that each kind reaches alone: unrelated apps share icons, frameworks' files and signers too. */
const most: Record<Exclude<SimilarityKind, 'code'>, number> = {
  files: 0.6,
  native: 0.5,
  ssdeep: 0.5,
  icon: 0.3,
  tlsh: 0.3,
  package: 0.25,
  signer: 0.2,
  behaviour: 0.15,
};
/** How much the other kinds add to the score of the code, and the score that they reach at most where the code differs. */
const besideCode = 0.3;
const againstCode = 0.7;
/** What is left of it where there is too little code to be compared, and next to nothing else that both have. */
const ofLittle = 0.35;
/** Differing bits of an icon's hash: up to the first number by compression and scaling, from the second on by chance. */
const sameIcon = 4;
const otherIcon = 12;
/** TLSH distances from which two files count as unrelated. */
const farTlsh = 100;
const shownTlsh = 50;
/** Scores of ssdeep, of 100; less is shared by strangers' archives. */
const minSsdeep = 30;
const minShared = 0.1;
const fewTraits = 4;
const minBehaviour = 0.5;

/** The parts of an APK that are compared as sets; null where it has none. */
interface Sets {
  code: WeightedCode | null;
  files: WeightedCode | null;
  native: WeightedCode | null;
}

/** Hashes of each set at a first look: shares are off by some six percent. */
const firstLook = 256;

/** Compares one APK with others. */
export class ComparedApk {
  readonly #profile: Profile;
  readonly #weights: Weights;
  readonly #sets: Sets;
  readonly #firstSets: Sets;
  readonly #tlsh: (Uint8Array | null)[];

  constructor(profile: Profile, weights: Weights) {
    this.#profile = profile;
    this.#weights = weights;
    this.#sets = this.#setsOf(profile);
    this.#firstSets = this.#setsOf(profile, firstLook);
    this.#tlsh = tlshOf(profile.fingerprint?.digests ?? []);
  }

  /** How much this APK and another have in common, over all kinds. */
  with(other: Profile): Likeness {
    return this.#compared(other, this.#sets, this.#setsOf(other));
  }

  /** The same by a quicker, less exact comparison. */
  atFirstLook(other: Profile): Likeness {
    return this.#compared(other, this.#firstSets, this.#setsOf(other, firstLook));
  }

  #compared(other: Profile, sets: Sets, theirs: Sets): Likeness {
    const code = this.#codeSign(sets.code, theirs.code);
    const others = [
      this.#setSign('files', sets, theirs, 'files'),
      this.#setSign('native', sets, theirs, 'native symbols and functions'),
      this.#iconSign(other),
      ...this.#fuzzySigns(other),
      this.#behaviourSign(other),
      ...this.#nameSigns(other),
    ].filter((sign) => sign !== null);
    const signs = [...(code === null ? [] : [code]), ...others];
    const beside = together(others);
    // Where methods are compared, fuzzy hashes of the same bytes are no further evidence: unrelated apps share a library's dex file.
    const apart = together(others.filter(({ kind }) => kind !== 'tlsh' && kind !== 'ssdeep'));
    const isTold = isTelling(this.#profile) && isTelling(other);
    const own = code?.strength ?? 0;
    const score = isTold
      ? Math.max(own + (1 - own) * besideCode * beside * Math.min(1, own * 2), againstCode * apart)
      : Math.max(own, beside * (ofLittle + (1 - ofLittle) * evidenceOf(signs)));
    const words = signs.map((sign) => sign.words);
    if (this.#profile.signerId !== other.signerId) words.push('another signer');
    return {
      score: Math.round(score * 1000) / 1000,
      kinds: signs.map(({ kind }) => kind),
      reason: words.join(', '),
    };
  }

  #setsOf({ code, fingerprint }: Profile, most?: number): Sets {
    const { ofMethod, ofFile } = this.#weights;
    const compared = (set: HashSet | undefined) =>
      set === undefined || set.count === 0 ? null : new WeightedCode(sketchOf(set), ofFile, most);
    return {
      code: code === null || code.methods === 0 ? null : new WeightedCode(code, ofMethod, most),
      files: compared(fingerprint?.files),
      native: compared(fingerprint?.native),
    };
  }

  #codeSign(own: WeightedCode | null, theirs: WeightedCode | null): Sign | null {
    if (own === null || theirs === null) return null;
    const { score, shared } = own.likeness(theirs);
    if (shared === 0) return null;
    return { kind: 'code', strength: score, shared, words: `${shared} of ${own.methods} own methods` };
  }

  #setSign(kind: 'files' | 'native', sets: Sets, theirs: Sets, called: string): Sign | null {
    const [own, other] = [sets[kind], theirs[kind]];
    if (own === null || other === null) return null;
    const { score, shared } = own.likeness(other);
    return score < minShared ? null : { kind, strength: score, shared, words: `${shared} of ${own.methods} ${called}` };
  }

  #iconSign({ fingerprint }: Profile): Sign | null {
    const [own, others] = [this.#profile.fingerprint?.icon ?? null, fingerprint?.icon ?? null];
    if (own === null || others === null) return null;
    const apart = bitsApart(own, others);
    if (apart >= otherIcon) return null;
    const strength = Math.min(1, (otherIcon - apart) / (otherIcon - sameIcon));
    return { kind: 'icon', strength, words: apart <= sameIcon ? 'same icon' : 'icon alike' };
  }

  #fuzzySigns({ fingerprint }: Profile): (Sign | null)[] {
    const digests = this.#profile.fingerprint?.digests;
    if (digests === undefined || fingerprint === null) return [];
    const theirs = tlshOf(fingerprint.digests);
    const distances = pairs(this.#tlsh, theirs).map(([one, two]) => tlshDistance(one, two));
    const distance = Math.min(farTlsh, ...distances);
    const texts = (list: readonly FuzzyDigest[]) => list.map(({ ssdeep }) => (ssdeep === '' ? null : ssdeep));
    const scores = pairs(texts(digests), texts(fingerprint.digests)).map(([one, two]) => compareSsdeep(one, two) ?? 0);
    const ssdeep = Math.max(0, ...scores);
    return [
      distance > shownTlsh
        ? null
        : { kind: 'tlsh', strength: 1 - distance / farTlsh, words: `TLSH distance ${distance}` },
      ssdeep < minSsdeep ? null : { kind: 'ssdeep', strength: ssdeep / 100, words: `ssdeep ${ssdeep}` },
    ];
  }

  #behaviourSign({ traits }: Profile): Sign | null {
    const own = this.#profile.traits;
    if (own.length < fewTraits || traits.length < fewTraits) return null;
    const { ofTrait } = this.#weights;
    const theirs = new Set(traits);
    const shared = own.filter((term) => theirs.has(term));
    const sum = (terms: readonly number[]) => terms.reduce((whole, term) => whole + ofTrait(term), 0);
    const ratio = Math.min(own.length, traits.length) / Math.max(own.length, traits.length);
    const strength = (sum(shared) / Math.max(sum(own), Number.EPSILON)) * ratio;
    if (strength < minBehaviour) return null;
    return { kind: 'behaviour', strength, words: `${shared.length} of ${own.length} findings, calls and hosts` };
  }

  #nameSigns({ signerId, packageName }: Profile): (Sign | null)[] {
    const own = this.#profile;
    return [
      own.packageName !== '' && own.packageName === packageName
        ? { kind: 'package', strength: 1, words: 'same package' }
        : null,
      own.signerId !== null && own.signerId === signerId
        ? { kind: 'signer', strength: this.#weights.ofSigner, words: 'same signer' }
        : null,
    ];
  }
}

const limitOf = (kind: SimilarityKind): number => (kind === 'code' ? 1 : most[kind]);
/** The score that several kinds reach together. */
const together = (signs: readonly Sign[]): number =>
  1 - signs.reduce((left, { kind, strength }) => left * (1 - limitOf(kind) * strength), 1);
/** How much there is that both have, 0 to 1: a template's few files are the same in apps of strangers, their package is not. */
const evidenceOf = (signs: readonly Sign[]): number =>
  signs.some(({ kind }) => kind === 'package')
    ? 1
    : Math.min(1, signs.reduce((all, { shared = 0 }) => all + shared, 0) / tellingMethods);
/** An app with fewer methods of its own is compared by its other parts. */
const isTelling = ({ code }: Profile): boolean => code !== null && code.methods >= tellingMethods;
const sketchOf = ({ count, hashes }: HashSet) => ({
  methods: count,
  hashes: Buffer.from(hashes.buffer, hashes.byteOffset, hashes.length - (hashes.length % hashBytes)),
  coreMethods: null,
  coreHashes: Buffer.alloc(0),
});
const tlshOf = (digests: readonly FuzzyDigest[]): (Uint8Array | null)[] =>
  digests.map(({ tlsh }) => (tlsh === null ? null : Buffer.from(tlsh, 'hex')));

/** The file against the other file, and each dex file against each of the other's. */
function pairs<T>(own: readonly (T | null)[], others: readonly (T | null)[]): [T, T][] {
  const found: [T, T][] = [];
  own.forEach((one, at) => {
    others.forEach((other, place) => {
      if (one !== null && other !== null && (at === 0) === (place === 0)) found.push([one, other]);
    });
  });
  return found;
}

function bitsApart(one: Uint8Array, other: Uint8Array): number {
  let apart = 0;
  for (let at = 0; at < one.length; at++) for (let left = one[at]! ^ other[at]!; left !== 0; left &= left - 1) apart++;
  return apart;
}
