// A ruleset over HTTP. Imports zod only.
import { z } from 'zod';
import { ruleDiagnosticSchema } from '../engine/yara.ts';
import { fieldErrorsSchema } from '../error.ts';
import { filterSchema, formBooleanSchema, pageSchema, publicIdSchema, timestampSchema, urlSchema } from '../list.ts';

const rulesetStates = ['enabled', 'disabled'] as const;
const socialStates = ['none', 'pending', 'accepted', 'rejected'] as const;

const rulesetScanStates = ['ok', 'slow', 'timed_out', 'failed', 'suspended'] as const;

export const rulesetSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  name: z.string(),
  status: z.enum(rulesetStates),
  is_public: z.boolean(),
  /** Whether matches notify its author. */
  is_notifier: z.boolean(),
  /** Whether matches count as detections. */
  is_social: z.boolean(),
  social_status: z.enum(socialStates),
  /** Username. */
  author: z.string(),
  rules_count: z.number().int(),
  matches_count: z.number().int(),
  comments_count: z.number().int(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
  /** From when on analyses use the rules as they are; null while it is disabled. Until then they use the version before. */
  active_since: timestampSchema.nullable(),
  /** Of its text, counted from 1. */
  version: z.number().int(),
  /** How it did in analyses since its text was saved or it was enabled. `suspended`: it failed so often that it was disabled. */
  scan_state: z.enum(rulesetScanStates),
  /** Why the state is not `ok`, or was not when it last was otherwise; null: it never was. */
  last_scan_error: z
    .object({
      /** `slow`, `timeout`, `memory`, `crashed`, `broken`, `over-share`. */
      code: z.string(),
      message: z.string(),
      at: timestampSchema,
    })
    .nullable(),
});
export type Ruleset = z.infer<typeof rulesetSchema>;

export const rulesetDetailSchema = rulesetSchema.extend({ rules: z.string() });
export type RulesetDetail = z.infer<typeof rulesetDetailSchema>;

/** What was saved, and what is slow or was translated in the rules that were sent: nothing where none were. */
export const savedRulesetSchema = rulesetDetailSchema.extend({ warnings: z.array(ruleDiagnosticSchema) });

export const rulesetListSchema = pageSchema(rulesetSchema);

export const rulesetListQuerySchema = z.object({
  status: filterSchema(z.enum(rulesetStates)),
  author: filterSchema(z.string()).describe("Username: only this analyst's public rulesets"),
  is_own: filterSchema(formBooleanSchema).describe("Only one's own"),
  name__iexact: filterSchema(z.string()).describe('The name, without regard to case'),
  name__icontains: filterSchema(z.string()).describe('A part of the name, without regard to case'),
  search: filterSchema(z.string().max(200)).describe('A part of the name or of the rules, without regard to case'),
  is_public: filterSchema(formBooleanSchema),
  package: filterSchema(z.string()).describe('Name of the package that it came in'),
});

/** Bytes of YARA text that one ruleset may have: some thousand rules. */
export const maxRulesLength = 1_000_000;

const nameSchema = z.string().trim().min(1, 'This field may not be blank.').max(200);

export const rulesetChangesSchema = z.object({
  name: nameSchema.optional(),
  status: z.enum(rulesetStates).optional(),
  is_public: formBooleanSchema.optional(),
  is_notifier: formBooleanSchema.optional(),
  rules: z.string().max(maxRulesLength).optional(),
});
export type RulesetChangesBody = z.infer<typeof rulesetChangesSchema>;

/** Without `status` it is enabled, without `is_public` private, without `is_notifier` it notifies. */
export const newRulesetSchema = rulesetChangesSchema.extend({ name: nameSchema });

/** The answer to rules that do not compile: `rules` in words, `errors` by place. */
export const ruleFaultsSchema = fieldErrorsSchema.or(
  z.object({ rules: z.array(z.string()), errors: z.array(ruleDiagnosticSchema) }),
);

export const socialDecisionSchema = z.object({ accepted: formBooleanSchema });
