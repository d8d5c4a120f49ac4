// The rules that the workstation brings along, over HTTP. Imports zod only.
import { z } from 'zod';
import { publicIdSchema } from '../list.ts';

export const startingRulesSchema = z.array(
  z.object({
    /** Of the ruleset that is made of them. */
    name: z.string(),
    description: z.string(),
    rules_count: z.number().int(),
    rules: z.string(),
    /** One's own ruleset of that name, where there is one. */
    ruleset: publicIdSchema.nullable(),
  }),
);
export type StartingRules = z.infer<typeof startingRulesSchema>[number];
