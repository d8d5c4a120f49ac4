// A retrohunt over HTTP: rulesets run over what the catalogue held when it began. Imports zod only.
import { z } from 'zod';
import { apkReferenceSchema } from '../catalogue/apk.ts';
import { slowReasons } from '../engine/content-index.ts';
import { jobSchema } from '../jobs/job.ts';
import { pageSchema, publicIdSchema, timestampSchema, urlSchema } from '../list.ts';
import { matchSchema } from './match.ts';
import { rulesetSchema } from './ruleset.ts';

/** Rulesets of one hunt: unpacked bytes are read once for all of them. */
const maxHuntRulesets = 500;

const search = z.string().max(10_000).optional().describe('Only APKs that this search finds; all without it');

export const rulesetHuntRequestSchema = z.object({ search });
export const huntRequestSchema = z.object({
  rulesets: z.array(publicIdSchema).min(1).max(maxHuntRulesets),
  search,
});

const huntedRulesetStates = ['hunting', 'done', 'stopped', 'broken', 'changed', 'suspended'] as const;

const huntedRulesetSchema = z.object({
  ...rulesetSchema.pick({ id: true, url: true, name: true }).shape,
  /** `stopped`: the hunt was cancelled or failed; `broken`: its rules do not compile; `changed`: other rules were saved meanwhile, the old ones hunt no further; `suspended`: it failed too often. */
  status: z.enum(huntedRulesetStates),
  /** APKs of this hunt that it matches, and how many of them it did not match before. */
  matches_count: z.number().int(),
  new_matches_count: z.number().int(),
  /** APKs on which it took too long or failed, so that nothing is known of it there. */
  unfinished_count: z.number().int(),
});

export const retrohuntSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  job: jobSchema.pick({ id: true, url: true }),
  /** As of its job, like the following five. `partial`: on some APKs not every ruleset was run to its end. */
  ...jobSchema.pick({ status: true, progress: true, error: true, error_code: true }).shape,
  ...jobSchema.pick({ created_at: true, started_at: true, finished_at: true }).shape,
  /** As it was asked; empty: all APKs. */
  search: z.string(),
  /** Those that the reader may see. */
  rulesets: z.array(huntedRulesetSchema),
  /** How many APKs there were to scan when it began. */
  apks_count: z.number().int(),
  /** Done with so far, failed ones too. */
  scanned_count: z.number().int(),
  /** Of those, APKs that were not read: the index of contents says that no rule matches in them. */
  passed_count: z.number().int(),
  failed_count: z.number().int(),
  matches_count: z.number().int(),
  new_matches_count: z.number().int(),
  /** APKs per second over the last minutes, null while it is not known. */
  rate: z.number().nullable(),
  /** Until it is done at this rate, null while that is not known. */
  seconds_left: z.number().nullable(),
});
export type Retrohunt = z.infer<typeof retrohuntSchema>;

/** What a hunt would take. */
export const huntEstimateSchema = z.object({
  apks_count: z.number().int(),
  /** About how many of them have to be read, with what is not indexed yet. */
  read_count: z.number().int(),
  /** About how long that takes. */
  seconds: z.number(),
  rulesets: z.array(
    z.object({
      ...rulesetSchema.pick({ id: true, url: true, name: true }).shape,
      /** Rules for which every APK has to be read. */
      slow: z.array(
        z.object({
          rule: z.string(),
          /** `condition`: it may hold without a string; `strings`: some of them have no ten printable characters in a row. */
          reason: z.enum(slowReasons),
          strings: z.array(z.string()),
        }),
      ),
    }),
  ),
});
export type HuntEstimate = z.infer<typeof huntEstimateSchema>;

export const retrohuntListQuerySchema = z.object({
  ruleset: z.string().optional().describe('Id of a ruleset: only its hunts'),
});
export const retrohuntListSchema = pageSchema(retrohuntSchema);

/** Matches as they are now; `is_new`: it was not there before the hunt. */
const huntedMatchSchema = matchSchema.extend({ is_new: z.boolean() });
export const huntedMatchListSchema = pageSchema(huntedMatchSchema);

/** An APK that could not be scanned, with the reason. */
const huntFailureSchema = z.object({
  apk: apkReferenceSchema,
  /** `file-missing`, `timeout`, `memory`, `crashed`, `unreadable-file` … */
  code: z.string(),
  message: z.string(),
  created_at: timestampSchema,
});
export const huntFailureListSchema = pageSchema(huntFailureSchema);
