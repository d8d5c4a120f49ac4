// Chooses what rules look for: what many of the chosen APKs have and few others do. Knows neither APKs nor YARA's language.
import type { ReportMember, RuleFeatures } from '../../../contract/engine/rule-features.ts';
import { type LiteralGroup, literalGroups } from '../../../contract/rules/rule-proposal.ts';
import { callSource, stringSource } from './yara-source.ts';

/** What a rule may look for. */
export interface Literal {
  /** Within a proposal. */
  id: string;
  group: LiteralGroup;
  /** As a rule has it. */
  source: string;
  value: string;
  where: string;
  /** How telling it is before it is tried on any APK. */
  score: number;
  member: ReportMember | null;
  /** Hash of the method that a piece of code is from. */
  hash: number | null;
}

/** A literal with how many of the APKs whose features were read name it among their most telling ones. */
export interface Candidate extends Literal {
  named: number;
}

/** Literals that are tried on other APKs, and that rules are made of in the end. */
const tried: Record<LiteralGroup, number> = { report: 120, text: 250, file: 80, code: 120 };
const kept: Record<LiteralGroup, number> = { report: 10, text: 12, file: 6, code: 10 };
/** At least this many literals of each APK are tried, even where no other chosen APK has them. */
const triedOfEach = 12;
/** The most literals from one class, file or member: one change of the app must not remove them all. */
const ofPlace: Record<LiteralGroup, number> = { report: 4, text: 2, file: 3, code: 2 };
/** The share of the chosen APKs that must have a literal; the smaller one where the larger leaves almost none. */
const shares = [0.5, 0.25] as const;
const fewLiterals = 3;

/** How telling each kind of condition on reports is: more where the author of an app chooses the value than where a build tool does. */
const memberScores: Record<ReportMember, number> = {
  'certificate.sha1': 120,
  package_name: 80,
  domain: 80,
  dns_lookup: 70,
  receiver: 60,
  service: 60,
  activity: 55,
  provider: 50,
  permission: 50,
  filter: 45,
  app_name: 25,
};

function literalsOf(features: RuleFeatures): Omit<Literal, 'id'>[] {
  const none = { member: null, hash: null };
  const reports = features.report.flatMap(({ member, value }) => {
    const source = callSource(member, value);
    if (source === null) return [];
    const score = memberScores[member];
    return [{ group: 'report' as const, source, value, where: '', score, member, hash: null }];
  });
  const texts = (['text', 'file'] as const).flatMap((group) =>
    features[group].map(({ hex, score, where }) => {
      const bytes = Buffer.from(hex, 'hex');
      return { group, source: stringSource(bytes), value: bytes.toString('utf8'), where, score, ...none };
    }),
  );
  const code = features.code.map(({ pattern, score, where, hash }) => {
    return { group: 'code' as const, source: `{ ${pattern} }`, value: pattern, where, score, member: null, hash };
  });
  return [...reports, ...texts, ...code];
}

/**
 * What is tried on other APKs: what most of the chosen ones name, and something of each.
 * @param read features of chosen APKs
 * @param isWorthless whether a method is of a library that people imported, or common in the catalogue
 */
export function candidatesOf(read: readonly RuleFeatures[], isWorthless: (hash: number) => boolean): Candidate[] {
  const all = new Map<string, Candidate & { readers: number[] }>();
  for (const [reader, features] of read.entries())
    for (const literal of literalsOf(features)) {
      if (literal.hash !== null && isWorthless(literal.hash)) continue;
      const key = `${literal.group} ${literal.source}`;
      const known = all.get(key);
      if (known === undefined) all.set(key, { id: '', ...literal, named: 1, readers: [reader] });
      else if (known.readers.at(-1) !== reader) {
        known.named++;
        known.readers.push(reader);
      }
    }
  const byWorth = [...all.values()].sort(
    (one, other) => other.named * other.score - one.named * one.score || (one.source < other.source ? -1 : 1),
  );
  return literalGroups.flatMap((group) => {
    const ofGroup = byWorth.filter((literal) => literal.group === group);
    const taken = new Set(ofGroup.slice(0, tried[group]));
    const counts = new Map<number, number>();
    const isWanted = ({ readers }: { readers: number[] }) =>
      readers.some((one) => (counts.get(one) ?? 0) < triedOfEach);
    for (const literal of ofGroup) {
      if (taken.size >= 2 * tried[group]) break;
      if (!taken.has(literal) && !isWanted(literal)) continue;
      taken.add(literal);
      for (const reader of literal.readers) counts.set(reader, (counts.get(reader) ?? 0) + 1);
    }
    return [...taken].map(({ readers: _, ...literal }, index) => ({ ...literal, id: `${group[0]}${index + 1}` }));
  });
}

/** Which APKs have a literal, and in how many there are. */
export interface LiteralCounts {
  /** Places of the chosen APKs that have it. */
  chosen: readonly number[];
  knownGood: number;
  /** How many of the other APKs that it was tried on have it. */
  others: number;
  othersTried: number;
  /** How many other APKs of the catalogue have it, by the search index; null where the index does not cover it. */
  catalogue: number | null;
  catalogueSize: number;
}

/** This share of the other APKs may have a literal that still counts as rare: some belong to the family and are not yet known to. */
const maxOthers = 0.02;
const maxInCatalogue = 0.01;
const fewInCatalogue = 20;

/** 1 where no other APK has the literal, 0 where a known good one or more than a few others have it. */
function rarityOf({ knownGood, others, othersTried, catalogue, catalogueSize }: LiteralCounts): number {
  if (knownGood > 0 || others > othersTried * maxOthers) return 0;
  if (catalogue !== null && catalogue > Math.max(fewInCatalogue, catalogueSize * maxInCatalogue)) return 0;
  return 1 / (1 + others + Math.log2(1 + (catalogue ?? 0)));
}

const placeOf = ({ group, where, member }: Literal): string =>
  group === 'report' ? (member ?? '') : group === 'code' ? where.slice(0, where.indexOf('->')) : where;

/**
 * Chooses, one after the other, what adds most: rare ones, and those of APKs that have few so far.
 * @param countsOf of a literal, by its id
 * @param chosen how many APKs were chosen
 */
export function chooseLiterals(
  candidates: readonly Literal[],
  countsOf: (id: string) => LiteralCounts,
  chosen: number,
): Literal[] {
  return literalGroups.flatMap((group) => {
    const worthy = candidates.flatMap((literal) => {
      if (literal.group !== group) return [];
      const counts = countsOf(literal.id);
      return rarityOf(counts) === 0 ? [] : [{ literal, counts }];
    });
    const usual = shares.map((share) => worthy.filter(({ counts }) => counts.chosen.length >= enough(share, chosen)));
    const wide = usual.find(({ length }) => length >= fewLiterals) ?? usual.at(-1)!;
    return cover(wide, kept[group], ofPlace[group], chosen);
  });
}

const enough = (share: number, chosen: number): number => Math.max(Math.min(2, chosen), Math.ceil(share * chosen));

/** Greedy, with harmonic gains: what the first literals do not meet, the next ones do. */
function cover(
  worthy: readonly { literal: Literal; counts: LiteralCounts }[],
  most: number,
  mostOfPlace: number,
  chosen: number,
): Literal[] {
  const have = new Array<number>(chosen).fill(0);
  const places = new Map<string, number>();
  const left = new Set(worthy);
  const taken: Literal[] = [];
  const gainOf = ({ literal, counts }: (typeof worthy)[number]) =>
    rarityOf(counts) * Math.sqrt(literal.score) * counts.chosen.reduce((sum, place) => sum + 1 / (1 + have[place]!), 0);
  while (taken.length < most && left.size > 0) {
    let best: (typeof worthy)[number] | null = null;
    let bestGain = 0;
    for (const one of left) {
      const gain = gainOf(one);
      if (gain > bestGain) [best, bestGain] = [one, gain];
    }
    if (best === null) break;
    left.delete(best);
    const place = placeOf(best.literal);
    if ((places.get(place) ?? 0) >= mostOfPlace || isWithinOther(best.literal, taken)) continue;
    places.set(place, (places.get(place) ?? 0) + 1);
    for (const member of best.counts.chosen) have[member]!++;
    taken.push(best.literal);
  }
  return taken;
}

/** Where one text contains another, both are in the same APKs. */
const isWithinOther = ({ group, value }: Literal, taken: readonly Literal[]): boolean =>
  group !== 'report' && taken.some((other) => other.value.includes(value) || value.includes(other.value));
