// Rules proposed from chosen APKs, over HTTP. Imports zod only.
import { z } from 'zod';
import { apkReferenceSchema } from '../catalogue/apk.ts';
import { jobSchema } from '../jobs/job.ts';
import { publicIdSchema, sha256Schema, timestampSchema, urlSchema } from '../list.ts';

/** APKs that rules are proposed from: those that are named, or the newest that a search finds. */
export const maxProposalApks = 200;
/** APKs that are no chosen ones and that rules match, as far as they are shown; all are counted. */
export const maxShownHits = 100;
const maxLiterals = 100;

/** What a rule asks: the APK's reports, texts of its code, texts of its other files, pieces of its code. */
export const literalGroups = ['report', 'text', 'file', 'code'] as const;
export type LiteralGroup = (typeof literalGroups)[number];

export const newRuleProposalSchema = z.object({
  apks: z.array(sha256Schema).max(maxProposalApks).optional().describe('APKs that rules are to meet'),
  search: z.string().max(10_000).optional().describe(`The newest ${maxProposalApks} APKs that it finds`),
  family: publicIdSchema.optional().describe(`A family: its newest and oldest members, ${maxProposalApks} at most`),
  name: z.string().max(100).optional().describe('What the rules are named after'),
});

export const ruleProposalChangesSchema = z.object({
  left_out: z.array(z.string().max(10)).max(maxLiterals).describe('Ids of the literals that the rules do without'),
});

const proposedLiteralSchema = z.object({
  /** Within the proposal: `t3`. */
  id: z.string(),
  group: z.enum(literalGroups),
  /** As the rule has it: a call of a module, or a string. */
  source: z.string(),
  /** The same for people, as the APK says it. */
  value: z.string(),
  /** A class, method or file that has it; empty for reports. */
  where: z.string(),
  is_left_out: z.boolean(),
  /** APKs that have it: of the chosen ones, of the known good and the others that it was tried on. */
  chosen_count: z.int(),
  known_good_count: z.int(),
  others_count: z.int(),
  /** APKs in the whole catalogue besides the chosen ones, where an index tells; null where none does. */
  catalogue_count: z.int().nullable(),
  /** Why it was chosen, in words. */
  reason: z.string(),
});

const proposedRuleSchema = z.object({
  name: z.string(),
  group: z.enum(literalGroups),
  /** So many of its literals have to be there. */
  least: z.int(),
  literals_count: z.int(),
  chosen_count: z.int(),
  known_good_count: z.int(),
  others_count: z.int(),
});

const metApkSchema = z.object({
  apk: apkReferenceSchema,
  /** Names of the rules that match it. */
  rules: z.array(z.string()),
});

export const ruleProposalSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  job: jobSchema.pick({ id: true, url: true }),
  ...jobSchema.pick({ status: true, progress: true, stage: true, error: true, error_code: true }).shape,
  ...jobSchema.pick({ created_at: true, started_at: true, finished_at: true }).shape,
  name: z.string(),
  /** The chosen APKs, the known good ones and the others that the literals were tried on, and all of the catalogue. */
  apks_count: z.int(),
  known_good_count: z.int(),
  others_count: z.int(),
  catalogue_count: z.int(),
  /** A ruleset, empty until the job is done, and where nothing tells the chosen APKs from others. */
  rules: z.string(),
  proposed: z.array(proposedRuleSchema),
  literals: z.array(proposedLiteralSchema),
  /** The chosen APKs that any rule matches, of those that could be scanned. */
  met_count: z.int(),
  chosen: z.array(metApkSchema),
  /** Others that any rule matches, known good ones first. */
  false_hits_count: z.int(),
  known_good_hits_count: z.int(),
  false_hits: z.array(metApkSchema.extend({ is_known_good: z.boolean() })),
  failures: z.array(z.object({ apk: apkReferenceSchema, code: z.string(), message: z.string() })),
  /** When it is forgotten. */
  expires_at: timestampSchema,
});
export type RuleProposal = z.infer<typeof ruleProposalSchema>;
