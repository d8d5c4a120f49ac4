// Saved versions of a ruleset's text over HTTP. Imports zod only.
import { z } from 'zod';
import { pageSchema, publicIdSchema, timestampSchema, urlSchema } from '../list.ts';

export const rulesetVersionSchema = z.object({
  /** Counts from 1. */
  version: z.number().int(),
  url: urlSchema,
  ruleset: publicIdSchema,
  /** Username of who saved it. */
  author: z.string(),
  rules_count: z.number().int(),
  /** Characters of the text. */
  length: z.number().int(),
  created_at: timestampSchema,
  /** Whether it is the ruleset's text now. */
  is_current: z.boolean(),
  /** From when on analyses use it, or used it, since the ruleset was last enabled; null: they do not. */
  active_since: timestampSchema.nullable(),
});
export type RulesetVersion = z.infer<typeof rulesetVersionSchema>;

export const rulesetVersionDetailSchema = rulesetVersionSchema.extend({ rules: z.string() });

export const rulesetVersionListSchema = pageSchema(rulesetVersionSchema);
