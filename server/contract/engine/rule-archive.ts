// Rules of a folder or an archive as a worker read and checked them. Imports zod only.
import { z } from 'zod';
import { sha256Schema } from '../list.ts';
import { timingsSchema } from './analysis-results.ts';

/** Files of rules in one archive; the largest public collections have some 2,500. */
export const maxRuleFiles = 20_000;
/** Characters of all of them together. */
export const maxArchivedRules = 64_000_000;
export const maxRulePath = 400;

export const ruleArchiveSchema = z.strictObject({
  /** The folder that holds everything, as archives of releases have one; empty where there is none. */
  top: z.string().max(maxRulePath),
  /** As its file of a licence begins or is known by; null where there is none. */
  licence: z.string().max(200).nullable(),
  files: z
    .array(
      z.strictObject({
        /** Without `top`, with `/`. */
        path: z.string().min(1).max(maxRulePath),
        /** Of the text. */
        sha256: sha256Schema,
        /** null where the text was known before, or cannot be used. */
        rules: z.string().nullable(),
        rules_count: z.int().nonnegative(),
        /** Why it cannot be used; null where it can. */
        fault: z.string().max(500).nullable(),
      }),
    )
    .max(maxRuleFiles),
  /** Files of rules that were not read: too many, too large, or damaged. */
  left_out: z.int().nonnegative(),
  timings: timingsSchema,
});
export type RuleArchive = z.infer<typeof ruleArchiveSchema>;
export type ArchivedRules = RuleArchive['files'][number];
