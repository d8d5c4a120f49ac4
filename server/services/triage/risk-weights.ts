// The weights of evidence for an APK's risk, with reasons. Knows no APK.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Severity, severities } from '../../contract/findings/finding.ts';
import { riskGroups } from '../../contract/findings/risk.ts';

const groupSchema = z.enum([...riskGroups, 'none']);
const pointsSchema = z.number().nonnegative();
const reasonSchema = z.string().min(10);

const weightsSchema = z.strictObject({
  sources: z.record(z.string(), z.string()),
  groups: z.record(groupSchema, z.strictObject({ cap: pointsSchema.max(100), reason: reasonSchema })),
  /** Factor by which each further item of a kind counts less than the one before. */
  repeats: z.strictObject({ findings: pointsSchema.lt(1), rules: pointsSchema.lt(1), antivirus: pointsSchema.lt(1) }),
  findings: z.array(
    z.strictObject({
      group: groupSchema,
      /** Codes; a prefix ends in `*`. */
      codes: z.array(z.string()),
      /** Points by severity where that matters; severities that are not listed count nothing. */
      points: z.union([pointsSchema, z.partialRecord(z.enum(severities), pointsSchema)]),
      reason: reasonSchema,
      source: z.string(),
    }),
  ),
  permissions: z.array(
    z.strictObject({
      permissions: z.array(z.string()),
      points: pointsSchema,
      reason: reasonSchema,
      source: z.string(),
    }),
  ),
  /** Combinations that count more than their parts: one of each of `all`, codes of findings or permissions in use. */
  combinations: z.array(
    z.strictObject({
      title: z.string().min(10),
      all: z.array(z.array(z.string()).min(1)).min(2),
      points: pointsSchema,
      reason: reasonSchema,
      source: z.string(),
    }),
  ),
  rules: z.array(
    z.strictObject({
      kind: z.enum(['social', 'malware', 'suspicious', 'describing']),
      points: pointsSchema,
      reason: reasonSchema,
      source: z.string(),
    }),
  ),
  ruleWords: z.strictObject({ malware: z.array(z.string()), suspicious: z.array(z.string()) }),
  antivirus: z.array(
    z.strictObject({
      kind: z.enum(['malware', 'unwanted']),
      points: pointsSchema,
      reason: reasonSchema,
      source: z.string(),
    }),
  ),
  unwantedWords: z.array(z.string()),
});
export type RiskWeights = z.infer<typeof weightsSchema>;
export type FindingWeight = RiskWeights['findings'][number];

let table: RiskWeights | undefined;

/** `resources/risk-weights.json`, read when it is first asked for. */
export function riskWeights(): RiskWeights {
  table ??= weightsSchema.parse(
    JSON.parse(readFileSync(new URL('../../../resources/risk-weights.json', import.meta.url), 'utf8')),
  );
  return table;
}

const rowsByCode = new Map<string, FindingWeight | null>();

/** The row of a finding's code: an exact one, else one with a prefix; null: the code has no weight. */
export function findingWeight(code: string): FindingWeight | null {
  let row = rowsByCode.get(code);
  if (row === undefined) {
    const { findings } = riskWeights();
    const begins = (pattern: string) => pattern.endsWith('*') && code.startsWith(pattern.slice(0, -1));
    row =
      findings.find(({ codes }) => codes.includes(code)) ?? findings.find(({ codes }) => codes.some(begins)) ?? null;
    // Reports that a worker made may name any code.
    if (rowsByCode.size < 2000) rowsByCode.set(code, row);
  }
  return row;
}

export const pointsOf = ({ points }: FindingWeight, severity: Severity): number =>
  typeof points === 'number' ? points : (points[severity] ?? 0);
