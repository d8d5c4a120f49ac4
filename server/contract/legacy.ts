// Records of the older generation of the API: integer ids, Unix seconds, older names. Imports zod only.
import { z } from 'zod';
import { detectionSchema } from './catalogue/apk.ts';
import { androguardReportSchema, cuckooReportSchema } from './engine/reports.ts';
import { filterSchema, formBooleanSchema, sha256Schema, urlSchema } from './list.ts';
import { analystSchema } from './people/analyst.ts';
import { rulesetChangesSchema } from './rules/ruleset.ts';

/** Unix seconds. */
const seconds = z.number().int();

export const legacyApkSchema = z.object({
  created_on: seconds,
  /** Positive minus negative votes. */
  rating: z.number().int(),
  image: urlSchema.nullable(),
  tags: z.array(z.string()),
  md5: z.string(),
  sha1: z.string(),
  sha256: sha256Schema,
  app: z.string(),
  package_name: z.string(),
  company: z.string(),
  displayed_version: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** Everything in the catalogue has a file and is an Android app. */
  stored: z.literal(true),
  is_apk: z.literal(true),
  /** Statically. */
  analyzed: z.boolean(),
  trusted: z.boolean(),
  detected: z.boolean(),
  corrupted: z.boolean(),
  repo: z.literal(''),
  on_devices: z.boolean(),
});
export type LegacyApk = z.infer<typeof legacyApkSchema>;

/** Older clients send the filters that they do not use, empty; what is no such hash finds nothing. */
export const legacyApkFiltersSchema = z.object({
  search: z.string().optional(),
  md5: z.string().optional(),
  sha1: z.string().optional(),
  sha256: z.string().optional(),
  analyzed: z.string().optional().describe('True or False'),
  ordering: z
    .string()
    .optional()
    .describe('created_on: oldest first; -created_on, as without it: newest first; or a column of the present API'),
  page: z.string().optional().describe('A number, instead of a cursor'),
});

/** The reports that there are, null for those that there are not. */
export const legacyAnalysisSchema = z.object({
  sha256: sha256Schema,
  status: z.literal('analyzed'),
  androguard: androguardReportSchema.nullable(),
  cuckoo: cuckooReportSchema.nullable(),
  droidbox: z.record(z.string(), z.unknown()).nullable(),
});

/** What an analysis that was asked for is doing. */
export const legacyAnalysisRequestSchema = z.object({ sha256: sha256Schema, status: z.enum(['queued', 'running']) });

export const legacyVoteSchema = z.object({
  kind: z.enum(['positive', 'negative']),
  /** Username. */
  analyst: z.string(),
});
export type LegacyVote = z.infer<typeof legacyVoteSchema>;

/** The body of a vote, and what is answered to it. */
export const legacyVoteKindSchema = legacyVoteSchema.pick({ kind: true });

export const legacyCommentSchema = z.object({
  id: z.number().int(),
  author: analystSchema,
  /** SHA-256. */
  apk: sha256Schema.nullable(),
  ruleset: z.number().int().nullable(),
  created_on: seconds,
  modified_on: seconds,
  text: z.string(),
});
export type LegacyComment = z.infer<typeof legacyCommentSchema>;

export const legacyRulesetSchema = z.object({
  id: z.number().int(),
  created_on: seconds,
  modified_on: seconds,
  analyst: analystSchema,
  name: z.string(),
  rules: z.string(),
  active: z.boolean(),
  privacy: z.enum(['public', 'private']),
  social: z.boolean(),
  pending_social: z.boolean(),
  /** Deleted rulesets are gone. */
  deleted: z.literal(false),
  send_notifications: z.boolean(),
  /** Matches. */
  detections: z.number().int(),
  /** Positive minus negative votes. */
  rating: z.number().int(),
  parent: z.null(),
});
export type LegacyRuleset = z.infer<typeof legacyRulesetSchema>;

export const legacyRulesetChangesSchema = rulesetChangesSchema.pick({ name: true, rules: true }).extend({
  active: formBooleanSchema.optional(),
  privacy: z.enum(['public', 'private']).optional(),
  send_notifications: formBooleanSchema.optional(),
});

export const newLegacyRulesetSchema = legacyRulesetChangesSchema.required({ name: true });

export const legacyRulesetFiltersSchema = z.object({
  search: filterSchema(z.string()).describe('Part of the name'),
  active: filterSchema(formBooleanSchema),
  privacy: filterSchema(z.enum(['public', 'private'])),
  social: filterSchema(formBooleanSchema),
  ordering: filterSchema(z.string()).describe('id, created_on, modified_on, name or detections; - before it: falling'),
});

/** Rules that do not compile: nothing is saved. */
export const legacyRulesErrorSchema = z.object({
  error: z.string(),
  active: z.boolean(),
  /** Null where it was to be created. */
  id: z.number().int().nullable(),
});

export const legacyNotificationTypes = [
  'ruleset',
  'rulesetcomment',
  'profilecomment',
  'analysis',
  'follow',
  'socialaccepted',
  'socialrejected',
  'apkmention',
  'rulesetmention',
] as const;

export const legacyNotificationSchema = z.object({
  id: z.number().int(),
  type: z.enum(legacyNotificationTypes),
  created_on: seconds,
  read: z.boolean(),
  apk: legacyApkSchema.nullable(),
  ruleset: legacyRulesetSchema.nullable(),
  analyst_ref: analystSchema.nullable(),
});
export type LegacyNotification = z.infer<typeof legacyNotificationSchema>;

export const legacyNotificationFiltersSchema = z.object({
  type: filterSchema(z.enum(legacyNotificationTypes)).describe('Only this type'),
  read: filterSchema(formBooleanSchema),
});

export const legacyNotificationChangesSchema = z.object({ read: formBooleanSchema.optional() });

/** Why an APK counts as detected; `rulesets` where rules say so. */
export const legacyDetectionSchema = detectionSchema.extend({
  /** Author of the ruleset, else the source. */
  username: z.string(),
  detected: z.literal(true),
  rulesets: z.array(z.object({ id: z.number().int(), name: z.string() })),
});
export type LegacyDetection = z.infer<typeof legacyDetectionSchema>;

export const legacyActivitySchema = z.object({
  type: z.enum(['apkcomment', 'rulesetcomment', 'profilecomment', 'voteup', 'votedown', 'ruleset', 'follow', 'upload']),
  created_on: seconds,
  analyst: analystSchema,
  apk: legacyApkSchema.nullable(),
  ruleset: legacyRulesetSchema.nullable(),
  comment: legacyCommentSchema.nullable(),
});
export type LegacyActivity = z.infer<typeof legacyActivitySchema>;
