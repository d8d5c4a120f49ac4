// Rules that match APKs of the catalogue, with what tells noisy ones, over HTTP. Imports zod only.
import { z } from 'zod';
import { dismissalSchema } from '../catalogue/dismissal.ts';
import { filterSchema, formBooleanSchema } from '../list.ts';
import { rulesetSchema } from './ruleset.ts';

/** Rules that one answer holds at the most. */
export const maxRuleStatistics = 500;

const statisticsOfRuleSchema = z.object({
  name: z.string(),
  ruleset: rulesetSchema.pick({ id: true, url: true, name: true }),
  /** Name of the package that the ruleset came in; null: it is in none. */
  package: z.string().nullable(),
  /** How many APKs it matches. */
  apks_count: z.int(),
  /** Dismissals of its matches for an APK, a signer or a library: each says that a match was none of concern. */
  dismissals_count: z.int(),
  /** It is dismissed everywhere: its matches stand folded, add nothing to risks and notify nobody. */
  quarantine: dismissalSchema.pick({ id: true, reason: true, analyst: true, created_at: true }).nullable(),
});
export type RuleStatistics = z.infer<typeof statisticsOfRuleSchema>;

export const ruleStatisticsSchema = z.object({
  /** All that the filters let through. */
  count: z.int(),
  /** APKs of the catalogue. */
  apks_count: z.int(),
  results: z.array(statisticsOfRuleSchema).max(maxRuleStatistics),
});

export const ruleStatisticsQuerySchema = z.object({
  search: z.string().max(200).default('').describe('Part of the name of a rule, its ruleset or its package'),
  is_quarantined: filterSchema(formBooleanSchema).describe('Only rules that are dismissed everywhere, or only others'),
  ordering: z.enum(['-apks', '-dismissals', 'name']).default('-apks').describe('What stands first'),
});
