// Rules tried on chosen APKs before they are saved, over HTTP. Imports zod only.
import { z } from 'zod';
import { apkReferenceSchema } from '../catalogue/apk.ts';
import { compiledRulesetSchema, ruleDiagnosticSchema, ruleMatchSchema } from '../engine/yara.ts';
import { jobSchema } from '../jobs/job.ts';
import { formBooleanSchema, publicIdSchema, sha256Schema, timestampSchema, urlSchema } from '../list.ts';
import { maxRulesLength } from './ruleset.ts';

/** APKs that are named, or the newest that a search finds. */
export const maxDryRunApks = 200;
/** The newest APKs that are marked as trusted. */
export const maxKnownGoodApks = 200;
/** APKs whose matches are shown in full; all are counted. */
export const maxShownMatches = 100;
/** Of one APK, files by themselves. */
export const maxShownRules = 20;
/** Of one APK, however many files they match. */
export const maxNamedRules = 200;
/** Of one rule on one file. */
export const maxShownStrings = 10;

export const rulesTextSchema = z.object({ rules: z.string().max(maxRulesLength) });

/** What the editor shows while its author types. */
export const rulesVerdictSchema = z.object({
  /** Whether they can be saved. */
  is_valid: z.boolean(),
  rules_count: z.number().int(),
  ...compiledRulesetSchema.shape,
});
export type RulesVerdict = z.infer<typeof rulesVerdictSchema>;

export const newDryRunSchema = rulesTextSchema.extend({
  apks: z.array(sha256Schema).max(maxDryRunApks).optional().describe('APKs to try the rules on'),
  search: z.string().max(10_000).optional().describe(`The newest ${maxDryRunApks} APKs that it finds`),
  known_good: formBooleanSchema
    .optional()
    .describe(`The newest ${maxKnownGoodApks} APKs that are marked as trusted, where rules should match nothing`),
});

const dryRunRuleSchema = z.object({
  name: z.string(),
  /** APKs that it matches, among the chosen ones and among the known good. */
  matches_count: z.number().int(),
  known_good_matches_count: z.number().int(),
  /** Files inside them, and the APKs' own bytes, that it matches; a condition on the APK alone counts once for each. */
  files_count: z.number().int(),
  /** Milliseconds of scanning the measured APKs; null where the engine tells no times by rule. */
  milliseconds: z.number().nullable(),
  /** The strings that hit, most hits first, at most 20; hits are counted up to a bound per file. */
  strings: z.array(z.object({ identifier: z.string(), hits: z.number().int() })),
});

const dryRunMatchSchema = z.object({
  apk: apkReferenceSchema,
  is_known_good: z.boolean(),
  /** How many there were, each file by itself; `rules_matched` holds each rule, and of some further files. */
  rules_count: z.number().int(),
  rules_matched: z.array(ruleMatchSchema),
});

export const dryRunSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  job: jobSchema.pick({ id: true, url: true }),
  /** As of its job. `partial`: on some APKs the rules were not run to their end. */
  ...jobSchema.pick({ status: true, progress: true, error: true, error_code: true }).shape,
  ...jobSchema.pick({ created_at: true, started_at: true, finished_at: true }).shape,
  apks_count: z.number().int(),
  known_good_count: z.number().int(),
  scanned_count: z.number().int(),
  failed_count: z.number().int(),
  /** Of slow rules and translated dialect, by place. */
  warnings: z.array(ruleDiagnosticSchema),
  /** Rules that the run showed to be slow, in words; `rule` is empty where all together are. */
  slow: z.array(z.object({ rule: z.string(), milliseconds: z.number(), message: z.string() })),
  timing: z.object({
    /** What `milliseconds` of the rules are measured by; `ruleset`: only the sum is known. */
    unit: z.enum(['rule', 'ruleset']),
    /** APKs that the times of rules are measured on: measuring costs a scan for every rule. */
    measured_count: z.number().int(),
    compile_ms: z.number(),
    /** Over all APKs. */
    scan_ms: z.number(),
    /** Of the slowest APK. */
    slowest_ms: z.number(),
  }),
  /** In the order in which they are written; private ones are left out. */
  rules: z.array(dryRunRuleSchema),
  /** APKs that match, among the chosen ones and among the known good. */
  matches_count: z.number().int(),
  known_good_matches_count: z.number().int(),
  /** The first ones, known good first. */
  matches: z.array(dryRunMatchSchema),
  /** Rules match in so many files of an APK that the strings of not all of them were counted. */
  is_capped: z.boolean(),
  failures: z.array(z.object({ apk: apkReferenceSchema, code: z.string(), message: z.string() })),
  /** When it is forgotten. */
  expires_at: timestampSchema,
});
export type DryRun = z.infer<typeof dryRunSchema>;
