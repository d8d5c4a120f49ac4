// Rulesets on their way to a worker, and what compiling and scanning says of them. Imports zod only.
import { z } from 'zod';
import { sha256Schema } from '../list.ts';
import { bytesSchema, timingsSchema } from './analysis-results.ts';
import { findingsSchema } from './evidence.ts';

export const rulesetTextSchema = z.object({
  /** Whatever names the ruleset to the one who asks; unique within a task. */
  id: z.string(),
  rules: z.string(),
  /** The account on whose share of the time it runs; without one no share bounds it. */
  sharer: z.int().optional(),
  /** The SHA-256 of the text, where it lies under that name in the task's folder: the text itself is then not sent. */
  key: sha256Schema.optional(),
});
export type RulesetText = z.infer<typeof rulesetTextSchema>;
/** As a worker gets it; of text and key one is there. */
export type SentRuleset = Omit<RulesetText, 'rules'> & { rules?: string };

/** Where texts lie in a folder of compiled rules. */
export const rulesetTextsFolder = 'texts';

/** Lines and columns count from 1, columns in characters, in the author's own text; the end is exclusive. */
export const ruleDiagnosticSchema = z.object({
  code: z.string(),
  title: z.string(),
  line: z.number(),
  column: z.number(),
  end_line: z.number(),
  end_column: z.number(),
  help: z.string().nullable(),
});
export type RuleDiagnostic = z.infer<typeof ruleDiagnosticSchema>;

export const compiledRulesetSchema = z.object({
  rules: z.array(
    z.object({
      name: z.string(),
      is_private: z.boolean(),
      is_global: z.boolean(),
      tags: z.array(z.string()),
      meta_count: z.number(),
    }),
  ),
  /** Empty where the ruleset can be used. */
  errors: z.array(ruleDiagnosticSchema),
  warnings: z.array(ruleDiagnosticSchema),
});
export type CompiledRuleset = z.infer<typeof compiledRulesetSchema>;

export const ruleMatchSchema = z.object({
  name: z.string(),
  tags: z.array(z.string()),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  /** The entry inside the APK, empty for the APK itself. */
  file: z.string(),
  /** In how many files of the APK the rule matched; the first ones are told. */
  files_count: z.number(),
  strings: z.array(
    z.object({
      identifier: z.string(),
      offset: z.number(),
      length: z.number(),
      /** Printable ASCII, other bytes as `\x00`; cut where it is long. */
      data: z.string(),
    }),
  ),
  /** How many there were, up to 2,000 of each string, however far the rule counts; `strings` holds the first ones. */
  strings_count: z.number(),
  /** It matched in every file without a string of any: its condition is on the manifest, or on the reports. */
  is_of_apk: z.boolean().optional(),
});
export type RuleMatch = z.infer<typeof ruleMatchSchema>;

/** Matches by rule, those of the APK alone once instead of for each of its files. */
export function matchesByRule<Match extends RuleMatch>(matches: readonly Match[]): Match[][] {
  const rules = [...Map.groupBy(matches, ({ name }) => name).values()];
  return rules.map((found) => (found[0]!.is_of_apk === true ? [{ ...found[0]!, file: '', files_count: 1 }] : found));
}

/** Of matches of the APK alone the first of each rule: the others say the same of further files. */
export function onceOfApk<Match extends Pick<RuleMatch, 'name' | 'is_of_apk'>>(matches: readonly Match[]): Match[] {
  const told = new Set<string>();
  return matches.filter(({ name, is_of_apk: isOfApk }) => isOfApk !== true || (!told.has(name) && told.add(name)));
}

/** Of one ruleset; the first ones tell what is wrong. */
export const maxDiagnostics = 100;
/** More than scans keep. */
const maxRulesMatched = 6000;

export const rulesetOutcomeSchema = z.strictObject({
  id: z.string(),
  /**
   * `broken`: it does not compile; `timeout`: not every file was scanned to its end; `over-share`: nor here, since the
   * rulesets of its account together took too long; `failed`: the engine gave up on it.
   */
  status: z.enum(['done', 'broken', 'timeout', 'over-share', 'failed']),
  errors: z.array(ruleDiagnosticSchema).max(maxDiagnostics),
  /** Files that were scanned, the APK itself among them. */
  files_scanned: z.int().nonnegative(),
  /** How many there were; `rules_matched` holds the first ones, and each further rule once. */
  matches_count: z.int().nonnegative(),
  rules_matched: z.array(ruleMatchSchema).max(maxRulesMatched),
  /** How long each rule took over all files, with what it refers to; empty where the task does not ask for it. */
  rules_measured: z.array(z.strictObject({ name: z.string(), milliseconds: z.number().nonnegative() })).max(1000),
});
export type RulesetOutcome = z.infer<typeof rulesetOutcomeSchema>;

export const yaraResultSchema = z.strictObject({
  rulesets: z.array(rulesetOutcomeSchema),
  findings: findingsSchema,
  timings: timingsSchema,
});
export type YaraResult = z.infer<typeof yaraResultSchema>;

/** Names stand for what is in them, and hold no path. */
const compiledNameSchema = z.string().regex(/^[0-9a-f]{32}\.compiled-rules$/);

/** Files for the folder of compiled rules: to be written there whole before they bear their names, and to be removed. */
export const preparedRulesSchema = z.strictObject({
  files: z.array(z.strictObject({ name: compiledNameSchema, bytes: bytesSchema })).max(1),
  obsolete: z.array(compiledNameSchema).max(10_000),
  /** Rulesets that do not compile, with what is wrong. */
  broken: z.array(z.strictObject({ id: z.string(), errors: z.array(ruleDiagnosticSchema).max(maxDiagnostics) })),
  timings: timingsSchema,
});
export type PreparedRules = z.infer<typeof preparedRulesSchema>;
