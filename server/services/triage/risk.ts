// Computes the risk of an APK: a score, and the points and reason of each item. Pure; knows neither store nor report.
import type { CodeUse, ReportEvidence } from '../../contract/engine/evidence.ts';
import { type Finding, type Severity, severities } from '../../contract/findings/finding.ts';
import { findingCatalogue, findingText } from '../../contract/findings/finding-catalogue.ts';
import { type Risk, type RiskEvidence, type RiskPart, riskLevelOf } from '../../contract/findings/risk.ts';
import { findingWeight, pointsOf, riskWeights } from './risk-weights.ts';

export interface MatchEvidence {
  ruleset: string;
  /** Whether the owner or an expert accepted the ruleset for everybody. */
  isSocial: boolean;
  rule: string;
  tags: readonly string[];
  metadata: Readonly<Record<string, unknown>>;
  /** The file inside the APK; empty for the APK itself. */
  file: string;
}

export interface AntivirusEvidence {
  antivirus: string;
  signature: string;
}

/** The evidence on an APK, without dismissed items. */
export interface Evidence extends ReportEvidence {
  matches: readonly MatchEvidence[];
  antivirus: readonly AntivirusEvidence[];
}

export interface WeighedRisk extends Risk {
  /** Most points first, without items that count nothing. */
  parts: RiskPart[];
}

type Counted = Omit<RiskPart, 'points'> & { points: number };

/** Shown of each part. */
const maxEvidence = 10;

/**
 * The risk of an APK. Repeated items of a kind count less each time; the points of a group are capped, and their sum at
 * 100: items are then scaled down in proportion.
 */
export function weighRisk(evidence: Evidence): WeighedRisk {
  const counted = [
    ...ofFindings(evidence.findings),
    ...ofPermissions(evidence.uses),
    ...ofCombinations(evidence),
    ...ofMatches(evidence.matches),
    ...ofAntivirus(evidence.antivirus),
  ].filter(({ points }) => points > 0);
  const { groups } = riskWeights();
  const capped = [...Map.groupBy(counted, ({ group }) => group)].flatMap(([group, parts]) =>
    scaled(parts, groups[group].cap),
  );
  const parts = scaled(capped, 100);
  const score = Math.round(sumOf(parts));
  return {
    score,
    level: riskLevelOf(score),
    parts: parts
      .map((part) => ({ ...part, points: Math.round(part.points * 10) / 10 }))
      .sort((a, b) => b.points - a.points),
  };
}

/** The gravest severity of findings; null where there is none. */
export function gravestSeverity(findings: readonly Finding[]): Severity | null {
  const gravest = Math.max(-1, ...findings.map(({ severity }) => severities.indexOf(severity)));
  return severities[gravest] ?? null;
}

const sumOf = (parts: readonly Counted[]): number => parts.reduce((sum, { points }) => sum + points, 0);

function scaled(parts: readonly Counted[], cap: number): Counted[] {
  const sum = sumOf(parts);
  return sum <= cap ? [...parts] : parts.map((part) => ({ ...part, points: (part.points * cap) / sum }));
}

/** Points of so many items of a kind, the first of which counts `points`. */
const repeated = (points: number, count: number, repeat: number): number =>
  points * ((1 - repeat ** count) / (1 - repeat));

const evidenceOf = ({ code, where, evidence }: Finding): RiskEvidence => ({
  kind: 'finding',
  name: code,
  where,
  text: evidence,
});

/** A finding that was lowered to info in this APK counts nothing; a code that is always info may have a weight. */
const isOrdinary = ({ code, severity }: Finding): boolean =>
  severity === 'info' && findingCatalogue[code as keyof typeof findingCatalogue]?.severity !== 'info';

function ofFindings(findings: readonly Finding[]): Counted[] {
  const { repeats } = riskWeights();
  const kinds = Map.groupBy(
    findings.filter((finding) => !isOrdinary(finding)),
    ({ code, severity }) => `${code} ${severity}`,
  );
  return [...kinds.values()].flatMap((same): Counted[] => {
    const { code, severity } = same[0]!;
    const row = findingWeight(code);
    if (row === null || row.group === 'none') return [];
    return [
      {
        group: row.group,
        title: findingText(code).title,
        reason: row.reason,
        points: repeated(pointsOf(row, severity), same.length, repeats.findings),
        count: same.length,
        evidence: same.slice(0, maxEvidence).map(evidenceOf),
      },
    ];
  });
}

const androidPrefix = 'android.permission.';

const placeOfUse = ({ kind, name, where, code }: CodeUse): RiskEvidence => ({ kind, name, where, text: code });

function ofPermissions(uses: readonly CodeUse[]): Counted[] {
  return riskWeights().permissions.flatMap(({ permissions, points, reason }) =>
    uses
      .filter(({ kind, name }) => kind === 'permission' && permissions.some((one) => name === `${androidPrefix}${one}`))
      .map((use) => ({
        group: 'permissions' as const,
        title: `Asks for ${use.name.slice(androidPrefix.length)} and uses it`,
        reason,
        points,
        count: use.count,
        evidence: [placeOfUse(use)],
      })),
  );
}

function ofCombinations({ findings, uses }: Evidence): Counted[] {
  const known = new Map<string, RiskEvidence>();
  for (const finding of findings) {
    if (!isOrdinary(finding) && !known.has(finding.code)) known.set(finding.code, evidenceOf(finding));
  }
  for (const use of uses) {
    if (use.kind === 'permission') known.set(use.name.replace(androidPrefix, ''), placeOfUse(use));
  }
  return riskWeights().combinations.flatMap(({ title, all, points, reason }): Counted[] => {
    const evidence = all.flatMap((names) => known.get(names.find((name) => known.has(name)) ?? '') ?? []);
    if (evidence.length < all.length) return [];
    const group = all.flat().some((name) => name.startsWith('behaviour-')) ? 'behaviour' : 'combinations';
    return [{ group, title, reason, points, count: evidence.length, evidence }];
  });
}

const wordsOf = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => text.toLowerCase().split(/[^a-z0-9_]+/));

/** What a rule claims to detect, by its tags, metadata and category. */
function ruleKind({ isSocial, tags, metadata }: MatchEvidence): 'social' | 'malware' | 'suspicious' | 'describing' {
  if (isSocial) return 'social';
  const { malware, suspicious } = riskWeights().ruleWords;
  const categories = ['category', 'classification', 'type', 'malware_type', 'threat'].map((name) => metadata[name]);
  const words = wordsOf([
    ...tags,
    ...Object.keys(metadata),
    ...categories.filter((value): value is string => typeof value === 'string'),
  ]);
  if (words.some((word) => malware.includes(word) || word.startsWith('malware_'))) return 'malware';
  return words.some((word) => suspicious.includes(word)) ? 'suspicious' : 'describing';
}

function ofMatches(matches: readonly MatchEvidence[]): Counted[] {
  const { rules, repeats } = riskWeights();
  // A rule counts once, in however many files of an APK it matches.
  const once = [...new Map(matches.map((match) => [`${match.ruleset}\0${match.rule}`, match])).values()];
  return rules.flatMap(({ kind, points, reason }): Counted[] => {
    const same = once.filter((match) => ruleKind(match) === kind);
    if (same.length === 0) return [];
    const evidence = same
      .slice(0, maxEvidence)
      .map(({ ruleset, rule, file }) => ({ kind: 'rule' as const, name: rule, where: file, text: ruleset }));
    return [
      {
        group: 'rules',
        title: kind === 'social' ? 'Rules of social rulesets match' : `Rules for ${kind} apps match`,
        reason,
        points: repeated(points, same.length, repeats.rules),
        count: same.length,
        evidence,
      },
    ];
  });
}

function ofAntivirus(said: readonly AntivirusEvidence[]): Counted[] {
  const { antivirus, unwantedWords, repeats } = riskWeights();
  const kindOf = ({ signature }: AntivirusEvidence) =>
    wordsOf([signature]).some((word) => unwantedWords.some((unwanted) => word.startsWith(unwanted)))
      ? 'unwanted'
      : 'malware';
  return antivirus.flatMap(({ kind, points, reason }): Counted[] => {
    const same = said.filter((one) => kindOf(one) === kind);
    if (same.length === 0) return [];
    return [
      {
        group: 'antivirus',
        title: kind === 'malware' ? 'Named by antivirus' : 'Unwanted, says an antivirus',
        reason,
        points: repeated(points, same.length, repeats.antivirus),
        count: same.length,
        evidence: same
          .slice(0, maxEvidence)
          .map(({ antivirus: engine, signature }) => ({ kind: 'antivirus', name: engine, where: '', text: signature })),
      },
    ];
  });
}
