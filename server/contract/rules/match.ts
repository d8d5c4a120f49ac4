// A match of a ruleset on an APK over HTTP. Imports zod only.
import { z } from 'zod';
import { apkReferenceSchema } from '../catalogue/apk.ts';
import { ruleMatchSchema } from '../engine/yara.ts';
import { pageSchema, publicIdSchema, timestampSchema, urlSchema } from '../list.ts';
import { rulesetSchema } from './ruleset.ts';

/** A rule that matched, with the places where its strings stand. */
const matchedRuleSchema = ruleMatchSchema;

export const matchSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  apk: apkReferenceSchema,
  ruleset: rulesetSchema.pick({ id: true, url: true, name: true, author: true }),
  /** How many rules matched, each file by itself; `rules_matched` holds the first ones, and each further rule once. */
  rules_count: z.number().int(),
  rules_matched: z.array(matchedRuleSchema),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Match = z.infer<typeof matchSchema>;

export const matchListSchema = pageSchema(matchSchema);
