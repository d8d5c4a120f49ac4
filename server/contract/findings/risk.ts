// How much an APK's evidence speaks for harm: the score, its level in words, its parts. Knows no weight. Imports zod only.
import { z } from 'zod';
import { sha256Schema } from '../list.ts';
import { findingSchema } from './finding.ts';

/** Each level begins at its score and ends before the next one's. */
export const riskLevels = { low: 0, elevated: 30, high: 50, critical: 75 } as const;
export type RiskLevel = keyof typeof riskLevels;

const levelNames = Object.keys(riskLevels) as [RiskLevel, ...RiskLevel[]];

/** The level of a score from 0 to 100. */
export const riskLevelOf = (score: number): RiskLevel => levelNames.findLast((level) => score >= riskLevels[level])!;

export const riskSchema = z.object({
  /** 0 to 100, by what is in the APK and what it does, and by whether its code is that of another signer's APK. */
  score: z.number().int(),
  level: z.enum(levelNames),
});
export type Risk = z.infer<typeof riskSchema>;

export const riskGroups = [
  'behaviour',
  'combinations',
  'abilities',
  'hiding',
  'permissions',
  'weaknesses',
  'rules',
  'antivirus',
] as const;

/** One thing that was seen, and where it is shown. */
export const riskEvidenceSchema = z.object({
  kind: z.enum(['finding', 'permission', 'functionality', 'rule', 'antivirus']),
  /** Code of the finding, name of the permission, functionality or rule, of the antivirus. */
  name: z.string(),
  /** The finding's place, the method that uses the permission, the file that a rule matched in. */
  where: z.string(),
  /** What stands there: the finding's evidence, the instruction, the ruleset, the signature. */
  text: z.string(),
});
export type RiskEvidence = z.infer<typeof riskEvidenceSchema>;

export const riskPartSchema = z.object({
  group: z.enum(riskGroups),
  /** What was found. */
  title: z.string(),
  /** Why it counts as much as it does. */
  reason: z.string(),
  /** What it adds to the score, to one decimal. */
  points: z.number(),
  /** How much of it there is; the first of them are listed. */
  count: z.number().int(),
  evidence: z.array(riskEvidenceSchema),
});
export type RiskPart = z.infer<typeof riskPartSchema>;

/** A technique of MITRE ATT&CK for Mobile that the evidence shows. */
export const shownTechniqueSchema = z.object({
  /** `T1417.001` */
  id: z.string(),
  name: z.string(),
  tactics: z.array(z.string()),
  evidence: z.array(riskEvidenceSchema),
});
export type ShownTechnique = z.infer<typeof shownTechniqueSchema>;

/** What this workstation knows beside the APK itself; it never changes the score. */
const riskContextSchema = z.object({
  signer: z
    .object({
      sha256: sha256Schema,
      is_trusted: z.boolean(),
      /** APKs here by the same signer, this one among them; the newest 5000 where there are more. */
      apks: z.number().int(),
      is_more: z.boolean(),
      detected: z.number().int(),
      malicious: z.number().int(),
      suspicious: z.number().int(),
      clean: z.number().int(),
      /** As analysts call them. */
      families: z.array(z.string()),
    })
    .nullable(),
  /** As analysts call this one, and how many APKs here they call so, up to 1000. */
  family: z.object({ name: z.string(), apks: z.number().int() }).nullable(),
});

/** A risk with all that it is made of. */
export const explainedRiskSchema = riskSchema.extend({
  /** The weightiest first. */
  parts: z.array(riskPartSchema),
  techniques: z.array(shownTechniqueSchema),
  /**
   * Findings that stand in no report of the static analysis, dismissed ones too: what was seen when it ran, what came out of
   * it (`payload-…`), and APKs here by other signers with the same code (`repackaging-…`, `where` is `apk:` and the other's
   * SHA-256).
   */
  behaviour: z.array(findingSchema),
  /** Findings and rules' matches that were dismissed: they count nothing. */
  dismissed: z.number().int(),
  context: riskContextSchema,
});
export type ExplainedRisk = z.infer<typeof explainedRiskSchema>;
