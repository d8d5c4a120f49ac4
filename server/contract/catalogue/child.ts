// A file of code that came out of an APK, over HTTP: what it is, the way it came, what its analysis says. Imports zod only.
import { z } from 'zod';
import { childKindSchema, childListSchema, childSchema } from '../engine/child.ts';
import { severities } from '../findings/finding.ts';
import { publicIdSchema } from '../list.ts';

/** Of the matches of rules, the first ones are named. */
export const maxChildMatches = 20;

const shownChildSchema = childSchema.extend({
  /** How far its own analysis is. */
  status: z.enum(['waiting', 'running', 'done', 'failed']),
  /** Why it failed, in words. */
  error: z.string().nullable(),
  /** How many its report has; 0 until there is one. */
  findings: z.int().nonnegative(),
  /** Of the gravest of them. */
  severity: z.enum(severities).nullable(),
  /** 0 to 100, by its report alone; null where it is no app, or has no report yet. */
  risk: z.int().min(0).max(100).nullable(),
  /** Rules of the APK's scan that match this file, under one of its names. */
  matches: z
    .array(z.object({ ruleset: publicIdSchema, ruleset_name: z.string(), rule: z.string() }))
    .max(maxChildMatches),
  matches_count: z.int().nonnegative(),
  /** Whether it is an APK of the catalogue too, uploaded or promoted: `/apks/<its sha256>/`. */
  is_in_catalogue: z.boolean(),
});
export type ShownChild = z.infer<typeof shownChildSchema>;

export const shownChildListSchema = childListSchema.extend({
  results: z.array(shownChildSchema),
  /** `waiting`, `running`: what came out of the APK is being looked into, and there may be more. */
  status: z.enum(['waiting', 'running', 'done', 'failed']),
});
export type ShownChildList = z.infer<typeof shownChildListSchema>;

/** In the record of the APK. */
export const childrenSummarySchema = z.object({
  count: z.int().positive(),
  kinds: z.record(childKindSchema, z.int().nonnegative()),
  /** Of the gravest finding in any of them. */
  severity: z.enum(severities).nullable(),
});
export type ChildrenSummary = z.infer<typeof childrenSummarySchema>;
