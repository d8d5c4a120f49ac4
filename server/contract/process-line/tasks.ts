// What workers are asked to do. Imports zod only.
import { z } from 'zod';
import {
  fileReferenceSchema,
  leftFilesSchema,
  packedReportSchema,
  partFileSchema,
} from '../engine/analysis-results.ts';
import { childKindSchema } from '../engine/child.ts';
import { codeNamesSchema } from '../engine/code-names.ts';
import { onlyFilesSchema } from '../engine/content-index.ts';
import { contentTermSchema, maxContentTerms } from '../engine/content-search.ts';
import { explorationSchema } from '../engine/exploration.ts';
import { maxParts } from '../engine/split.ts';
import { type RulesetText, rulesetTextSchema, type SentRuleset } from '../engine/yara.ts';
import { eachOf, sha256Schema } from '../list.ts';

/** A stored report without what the store knows of it. */
const reportSchema = z.object(packedReportSchema.shape).nullable();

/** What a server of the simulated internet answers; the first that fits counts. */
const cannedResponseSchema = z.strictObject({
  /** The host, or what it ends in where it begins with a dot; any where absent. */
  host: z.string().optional(),
  /** What the path begins with. */
  path: z.string().optional(),
  status: z.number().optional(),
  headers: z.record(z.string(), z.string()).optional(),
  body: z.union([z.string(), z.strictObject({ base64: z.string() })]).optional(),
});

/** One side of a comparison, with what its static analysis found. */
const comparedFileSchema = z.strictObject({
  sha256: sha256Schema,
  file: fileReferenceSchema,
  reports: eachOf(['androguard', 'cuckoo', 'manifest', 'files'], z.object(packedReportSchema.shape)),
});
export type ComparedFile = z.infer<typeof comparedFileSchema>;

const alignedTextSchema = z.strictObject({
  /** `Lcom/a/B;` or `Lcom/a/B;->m(I)V`; null: the text is no class. */
  name: z.string().nullable(),
  /** The manifest, or the smali of the class. */
  text: z.string(),
});
export type AlignedText = z.infer<typeof alignedTextSchema>;

export const engineTaskSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('identify'), file: fileReferenceSchema }),
  z.strictObject({
    kind: z.literal('static'),
    file: fileReferenceSchema,
    fileName: z.string(),
    /** Whether fingerprints of its files are wanted too; nothing that runs of it left is among them. */
    prints: z.boolean().optional(),
  }),
  z.strictObject({
    kind: z.literal('dynamic'),
    file: fileReferenceSchema,
    /** Answers of the simulated internet before its plausible defaults. */
    responses: z.array(cannedResponseSchema).optional(),
    /** Installed with it. */
    parts: z.array(partFileSchema).max(maxParts).optional(),
    /** Milliseconds of the processor that the app may run. */
    cpuMilliseconds: z.number().optional(),
  }),
  z.strictObject({
    kind: z.literal('explore'),
    file: fileReferenceSchema,
    left: leftFilesSchema.optional(),
    question: explorationSchema,
    /** What analysts call its code, and say of it. */
    names: codeNamesSchema.optional(),
  }),
  /** Java source from the file on that so many stand before; `only` that of one class, by its descriptor. */
  z.strictObject({
    kind: z.literal('decompile'),
    file: fileReferenceSchema,
    only: z.string().optional(),
    names: codeNamesSchema.optional(),
    from: z.int().nonnegative(),
  }),
  /** Looks for what came out of the APK; `left` by runs of it. */
  z.strictObject({
    kind: z.literal('children'),
    file: fileReferenceSchema,
    sha256: sha256Schema,
    left: leftFilesSchema,
  }),
  /** Analyses one file that came out of it, by the name that it has there. */
  z.strictObject({
    kind: z.literal('child'),
    file: fileReferenceSchema,
    left: leftFilesSchema,
    name: z.string(),
    type: childKindSchema,
  }),
  /** `first` is the left side. */
  z.strictObject({ kind: z.literal('compare'), first: comparedFileSchema, second: comparedFileSchema }),
  /** Puts two texts side by side, a class or method each where they are named, else manifests. */
  z.strictObject({
    kind: z.literal('align'),
    first: alignedTextSchema.nullable(),
    second: alignedTextSchema.nullable(),
    /** The comparison that they are from, for the names that changed; null for texts without such. */
    comparison: reportSchema,
    whole: z.boolean(),
  }),
  /** Reads what libraries consist of: a JAR, an AAR, or an APK that carries some. */
  z.strictObject({ kind: z.literal('library'), file: fileReferenceSchema }),
  /** Reads what of an APK a rule could look for. */
  z.strictObject({
    kind: z.literal('features'),
    file: fileReferenceSchema,
    reports: z.strictObject({ androguard: reportSchema, cuckoo: reportSchema }),
  }),
  z.strictObject({ kind: z.literal('compile'), rules: z.string() }),
  z.strictObject({
    kind: z.literal('yara'),
    file: fileReferenceSchema,
    rulesets: z.array(rulesetTextSchema),
    /** What rules' module functions see; null where an analysis has not been made. `droidbox` is the dynamic report. */
    reports: z.strictObject({
      androguard: reportSchema,
      cuckoo: reportSchema,
      droidbox: reportSchema,
    }),
    /** Also scans what came out of the APK and is no entry of it; `left` by runs of it. */
    left: leftFilesSchema.optional(),
    /** Scans these files alone: in the others no rule matches. */
    only: onlyFilesSchema.optional(),
    /** Where compiled rules lie, as `prepare` made them; what is not there is compiled for this task. */
    cacheFolder: z.string().optional(),
    /** A person waits: however busy the machine is, rulesets may take but some times as long on the clock. */
    isAwaited: z.boolean().optional(),
    /** Also tells how long each rule takes by itself; costs a scan for every rule. */
    measuresRules: z.boolean().optional(),
  }),
  /** Reads the fingerprints of all files that a scan looks at, for the content index. */
  z.strictObject({
    kind: z.literal('prints'),
    file: fileReferenceSchema,
    left: leftFilesSchema,
    /** For what rules ask of it; null: there is none yet. */
    androguard: reportSchema,
  }),
  /** Says what files have to have for the rules to match in them. */
  z.strictObject({ kind: z.literal('content_plan'), rulesets: z.array(rulesetTextSchema) }),
  /** Looks for contents in the files of an APK. */
  z.strictObject({
    kind: z.literal('find_content'),
    file: fileReferenceSchema,
    left: leftFilesSchema.optional(),
    /** In these files alone: the others hold none of them. */
    only: onlyFilesSchema.optional(),
    terms: z.array(contentTermSchema).min(1).max(maxContentTerms),
  }),
  /** Says what files have to have for contents to be in them. */
  z.strictObject({ kind: z.literal('content_needs'), terms: z.array(contentTermSchema).min(1).max(maxContentTerms) }),
  /** Compiles what of these rulesets has no compiled form in the folder yet, for the service side to write there. */
  z.strictObject({ kind: z.literal('prepare'), rulesets: z.array(rulesetTextSchema), cacheFolder: z.string() }),
  /** Reads the rules of an archive or a folder and checks them, but for texts that are `known`. */
  z.strictObject({
    kind: z.literal('rule_archive'),
    file: fileReferenceSchema,
    fileName: z.string(),
    known: z.array(sha256Schema),
  }),
  /**
   * Puts network and behaviour of `parts` into the cuckoo report, those of `added` beside what is there, and tells what the
   * reports can be found by.
   */
  z.strictObject({
    kind: z.literal('join'),
    androguard: reportSchema,
    cuckoo: reportSchema,
    parts: reportSchema,
    added: reportSchema,
  }),
  /** Reads out of stored reports what their APK's risk is weighed by. */
  z.strictObject({
    kind: z.literal('evidence'),
    androguard: reportSchema,
    dynamic: reportSchema,
    device: reportSchema,
  }),
]);
export type EngineTask = z.infer<typeof engineTaskSchema>;
export type EngineTaskKind = EngineTask['kind'];
export type TaskOf<K extends EngineTaskKind> = Extract<EngineTask, { kind: K }>;

/** A task as a worker gets it: without texts of rulesets that it can read from its folder. */
export type SentTask =
  | Exclude<EngineTask, { rulesets: unknown }>
  | WithSentRulesets<TaskOf<'yara'>>
  | WithSentRulesets<TaskOf<'content_plan'>>
  | WithSentRulesets<TaskOf<'prepare'>>;
type WithSentRulesets<Task> = Omit<Task, 'rulesets'> & { rulesets: SentRuleset[] };
export type SentTaskOf<K extends EngineTaskKind> = Extract<SentTask, { kind: K }>;

const withoutKept = ({ rules, ...ruleset }: RulesetText): SentRuleset =>
  ruleset.key === undefined ? { ...ruleset, rules } : ruleset;

export const sentTask = (task: EngineTask): SentTask =>
  'rulesets' in task ? { ...task, rulesets: task.rulesets.map(withoutKept) } : task;

/** What the service side sends; one task at a time per worker. */
export interface LineRequest {
  id: number;
  task: SentTask;
}
