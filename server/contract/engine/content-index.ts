// What the content index keeps of an APK's files, and what rules ask of it. Imports zod only.
import { z } from 'zod';
import { bytesSchema } from './analysis-results.ts';

/**
 * Bits of a fingerprint. Of a file with 100,000 fingerprints a text of one that it does not hold is thought to stand in it once
 * in 670; each further bit would take one more of each fingerprint's twenty on the disk.
 */
export const printBits = 26;

/** Fingerprints of an APK's files, as `packPrints` puts them together. */
export const contentPrintsSchema = z.strictObject({ prints: bytesSchema });

/**
 * One step of a condition on the files of an APK, in an order in which the parts of each stand right before it:
 * `any`: nothing is known, every file may meet it; `prints`: a file that meets it has all of these fingerprints; `reports`: those of
 * the APK's values in reports have them, or are not known yet, and all of its files meet it;
 * `least`: so many of the last `parts` conditions are met.
 */
export const contentStepSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('any') }),
  z.strictObject({
    kind: z.enum(['prints', 'reports']),
    prints: z
      .array(
        z
          .int()
          .min(0)
          .max(2 ** printBits - 1),
      )
      .min(1)
      .max(400),
  }),
  z.strictObject({ kind: z.literal('least'), least: z.int().nonnegative(), parts: z.int().nonnegative().max(100_000) }),
]);
export type ContentStep = z.infer<typeof contentStepSchema>;

/** Why a rule has to look into every file. */
export const slowReasons = ['condition', 'strings'] as const;

const slowRuleSchema = z.strictObject({
  rule: z.string(),
  /** `condition`: it may hold without any of the strings; `strings`: some of them have no ten printable letters in a row. */
  reason: z.enum(slowReasons),
  /** Those strings. */
  strings: z.array(z.string()).max(20),
});
export type SlowRule = z.infer<typeof slowRuleSchema>;

/** What a file has to meet for any rule of a ruleset to match in it that looks at files. */
export const contentPlanSchema = z.strictObject({
  id: z.string(),
  steps: z.array(contentStepSchema).min(1),
  /** What the APK's reports have to meet for a rule to match that asks them alone: in all of its files, or in none. */
  of_reports: z.array(contentStepSchema).min(1),
  slow: z.array(slowRuleSchema).max(100),
});
export type ContentPlan = z.infer<typeof contentPlanSchema>;

export const contentPlansSchema = z.strictObject({ plans: z.array(contentPlanSchema) });

/** Files of an APK by their numbers in the order of a scan, where others cannot match. */
export const onlyFilesSchema = z.strictObject({
  /** Of all of its files. */
  files_count: z.int().nonnegative(),
  /** From the first number up to before the second. */
  ranges: z.array(z.tuple([z.int().nonnegative(), z.int().nonnegative()])),
  /** Rules that ask reports alone may match: without a range no file is read for that. */
  of_reports: z.boolean().optional(),
});
export type OnlyFiles = z.infer<typeof onlyFilesSchema>;

/** Whether rules that ask reports alone are all that may match. */
export const readsNoFile = ({ ranges, of_reports: ofReports }: OnlyFiles): boolean =>
  ofReports === true && ranges.length === 0;
