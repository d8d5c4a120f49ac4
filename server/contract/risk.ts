// How much an APK's evidence speaks for harm: the score, its level in words, its parts. Knows no weight. Imports zod only.
import { z } from 'zod';

/** Each level begins at its score and ends before the next one's. */
export const riskLevels = { low: 0, elevated: 30, high: 60, critical: 80 } as const;
export type RiskLevel = keyof typeof riskLevels;

const levelNames = Object.keys(riskLevels) as [RiskLevel, ...RiskLevel[]];

/** The level of a score from 0 to 100. */
export const riskLevelOf = (score: number): RiskLevel => levelNames.findLast((level) => score >= riskLevels[level])!;

export const riskSchema = z.object({
  /** 0 to 100, by what is in the APK and what it does alone. */
  score: z.number().int(),
  level: z.enum(levelNames),
});
export type Risk = z.infer<typeof riskSchema>;
