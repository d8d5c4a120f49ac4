// What workers may answer to each kind of task, checked against the task: the worker is what a hostile file may own.
// Imports zod only.
import { z } from 'zod';
import {
  bytesSchema,
  identitySchema,
  joinedReportsSchema,
  type PackedReport,
  packedChildSchema,
  packedDynamicSchema,
  packedReportSchema,
  packedStaticSchema,
} from '../engine/analysis-results.ts';
import { bundleListSchema, bundleStringsSchema } from '../engine/bundles.ts';
import { callGraphSchema } from '../engine/call-graph.ts';
import { childListSchema } from '../engine/child.ts';
import { codeAtSchema } from '../engine/code-at.ts';
import { codeBytesSchema } from '../engine/code-bytes.ts';
import { codePlacesSchema, derivedNamesSchema, equalClassesSchema, nameVerdictsSchema } from '../engine/code-names.ts';
import { comparedLinesSchema } from '../engine/comparison.ts';
import { contentPlansSchema, contentPrintsSchema } from '../engine/content-index.ts';
import { contentNeedsSchema, contentPlacesSchema } from '../engine/content-search.ts';
import { decompiledPageSchema } from '../engine/decompilation.ts';
import { reportsEvidenceSchema } from '../engine/evidence.ts';
import {
  byteSearchSchema,
  codeClassSchema,
  codeOutlineSchema,
  codePackageSchema,
  codeSearchPageSchema,
  type Exploration,
  entropySchema,
  maxSmaliLength,
  permissionUsesSchema,
  referencePageSchema,
  resourceOutlineSchema,
  resourcePageSchema,
  xmlTextSchema,
} from '../engine/exploration.ts';
import {
  javaSearchSchema,
  javaSourceSchema,
  maxJavaLength,
  maxLinesEach,
  maxLinesPage,
  maxSpans,
} from '../engine/java-source.ts';
import { libraryMethodsSchema } from '../engine/library-methods.ts';
import { nativeCodeSchema, nativeFunctionsSchema, nativeMethodsSchema } from '../engine/native-code.ts';
import { ruleArchiveSchema } from '../engine/rule-archive.ts';
import { ruleFeaturesSchema } from '../engine/rule-features.ts';
import { compiledRulesetSchema, maxDiagnostics, preparedRulesSchema, yaraResultSchema } from '../engine/yara.ts';
import { maxFailureText } from './limits.ts';
import type { EngineTask, EngineTaskKind, TaskOf } from './tasks.ts';

const answered = <Ask extends Exploration['ask'], Answer extends z.ZodType>(ask: Ask, answer: Answer) =>
  z.strictObject({ status: z.literal('answered'), ask: z.literal(ask), answer });

/** Shapes of the API have no bounds of their own, and lose what they do not name; the frame bounds them. */
const explorationReplySchema = z.union([
  z.discriminatedUnion('ask', [
    answered('content', z.strictObject({ bytes: bytesSchema, size: z.int().nonnegative() })),
    answered(
      'image',
      z.strictObject({ bytes: bytesSchema, mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp', 'image/gif']) }),
    ),
    answered('byte-search', byteSearchSchema),
    answered('entropy', entropySchema),
    answered('xml', xmlTextSchema),
    answered('resource-outline', resourceOutlineSchema),
    answered('resources', resourcePageSchema),
    answered('code-outline', codeOutlineSchema),
    answered('package', codePackageSchema),
    answered('class', codeClassSchema),
    answered('java', javaSourceSchema),
    answered('java-search', javaSearchSchema),
    answered('references', referencePageSchema),
    answered('call-graph', callGraphSchema),
    answered('code-at', codeAtSchema),
    answered('code-bytes', codeBytesSchema),
    answered('code-search', codeSearchPageSchema),
    answered('permission-uses', permissionUsesSchema),
    answered('name-check', nameVerdictsSchema),
    answered('code-places', codePlacesSchema),
    answered('derived-names', derivedNamesSchema),
    answered('equal-classes', equalClassesSchema),
    answered('native-functions', nativeFunctionsSchema),
    answered('native-code', nativeCodeSchema),
    answered('native-methods', nativeMethodsSchema),
    answered('bundles', bundleListSchema),
    answered('bundle-strings', bundleStringsSchema),
  ]),
  z.strictObject({
    status: z.literal('refused'),
    fault: z.enum(['not-found', 'unreadable', 'bad-question']),
    reason: z.string().max(maxFailureText),
    /** Which part of the question is at fault, where one is. */
    field: z.string().max(100),
  }),
]);
export type ExplorationReply = z.infer<typeof explorationReplySchema>;

const resultSchemas = {
  identify: identitySchema,
  static: packedStaticSchema,
  dynamic: packedDynamicSchema,
  explore: explorationReplySchema,
  decompile: decompiledPageSchema,
  children: childListSchema,
  child: packedChildSchema,
  compare: packedReportSchema,
  align: comparedLinesSchema,
  library: libraryMethodsSchema,
  rule_archive: ruleArchiveSchema,
  features: ruleFeaturesSchema,
  compile: compiledRulesetSchema.extend({
    errors: compiledRulesetSchema.shape.errors.max(maxDiagnostics),
    warnings: compiledRulesetSchema.shape.warnings.max(maxDiagnostics),
  }),
  yara: yaraResultSchema,
  prints: contentPrintsSchema,
  content_plan: contentPlansSchema,
  find_content: contentPlacesSchema,
  content_needs: contentNeedsSchema,
  prepare: preparedRulesSchema,
  join: joinedReportsSchema,
  evidence: reportsEvidenceSchema,
} satisfies Record<EngineTaskKind, z.ZodType>;

export type EngineResults = { [K in EngineTaskKind]: z.infer<(typeof resultSchemas)[K]> };

/** Why a result does not fit the task that it answers; null where it does. */
type ResultCheck<K extends EngineTaskKind> = (result: EngineResults[K], task: TaskOf<K>) => string | null;

const checks: { [K in EngineTaskKind]?: ResultCheck<K> } = {
  explore: (result, { question }) => {
    if (result.status === 'refused') {
      return result.field === '' || Object.hasOwn(question, result.field)
        ? null
        : 'a fault of a field that was not asked';
    }
    return result.ask === question.ask ? answerFault(result, question) : 'an answer to another question';
  },
  yara: ({ rulesets }, task) => {
    if (rulesets.length !== task.rulesets.length || rulesets.some(({ id }, index) => id !== task.rulesets[index]!.id))
      return 'outcomes of other rulesets';
    if (task.measuresRules !== true && rulesets.some(({ rules_measured }) => rules_measured.length > 0))
      return 'times that were not asked for';
    const isForeign = rulesets.some(
      ({ rules_matched, rules_measured }, index) =>
        !areNamedIn(task.rulesets[index]!.rules, [...rules_matched, ...rules_measured]),
    );
    return isForeign ? 'rules of which the ruleset says nothing' : null;
  },
  content_plan: ({ plans }, { rulesets }) =>
    plans.length === rulesets.length && plans.every(({ id }, index) => id === rulesets[index]!.id)
      ? null
      : 'plans of other rulesets',
  find_content: ({ found }, { terms }) => (found.length === terms.length ? null : 'places of other contents'),
  content_needs: ({ needs }, { terms }) => (needs.length === terms.length ? null : 'needs of other contents'),
  prepare: ({ broken }, { rulesets }) => {
    const asked = new Set(rulesets.map(({ id }) => id));
    return broken.every(({ id }) => asked.delete(id)) ? null : 'faults of other rulesets';
  },
  join: ({ cuckoo }, { parts, added }) =>
    (cuckoo === null) === (parts === null && added === null) ? null : 'a report that was not asked for',
  evidence: (result, task) =>
    (['androguard', 'dynamic', 'device'] as const).every((kind) => (result[kind] === null) === (task[kind] === null))
      ? null
      : 'evidence of other reports',
};

type Answered = Extract<ExplorationReply, { status: 'answered' }>;

function answerFault({ ask, answer }: Answered, question: Exploration): string | null {
  if (ask === 'content' && question.ask === ask) {
    const most = Math.max(0, Math.min(question.length, answer.size - question.offset));
    return answer.bytes.length <= most ? null : 'more bytes than were asked for';
  }
  if (ask === 'class' && question.ask === 'class') {
    if (answer.name !== question.name) return 'another class';
    return answer.smali.length <= maxSmaliLength ? null : 'more code than may be';
  }
  if (ask === 'java') {
    return answer.source.length <= maxJavaLength && answer.spans.length <= maxSpans ? null : 'more code than may be';
  }
  if (ask === 'name-check' && question.ask === ask) {
    return answer.results.length === question.changes.length ? null : 'verdicts on other names';
  }
  if (ask === 'java-search') {
    return answer.results.length <= maxLinesPage + maxLinesEach ? null : 'more lines than may be';
  }
  if (ask === 'package') return tooMany(answer.classes, question);
  if (ask === 'native-code') return tooMany(answer.instructions, question);
  if (ask === 'native-functions' || ask === 'bundle-strings') return tooMany(answer.results, question);
  if (ask === 'resources' || ask === 'references' || ask === 'code-search') return tooMany(answer.results, question);
  return null;
}

const tooMany = (list: readonly unknown[], question: Exploration): string | null =>
  'limit' in question && list.length > question.limit ? 'more results than were asked for' : null;

/** Past so many the words of a text are looked up in a set of them. */
const fewNames = 50;

/** Whether a text names these rules, wherever it does. */
function areNamedIn(rules: string, named: readonly { name: string }[]): boolean {
  const names = new Set(named.map(({ name }) => name));
  if (names.size <= fewNames) return [...names].every((name) => rules.includes(name));
  const words = new Set(rules.match(/\w+/g));
  return [...names].every((name) => words.has(name));
}

/** A result that says what it may. @returns why it does not, in words that hold none of the worker's */
export function parseResult<K extends EngineTaskKind>(
  task: TaskOf<K> & EngineTask,
  result: unknown,
): { result: EngineResults[K] } | { fault: string } {
  const { kind } = task;
  const parsed = resultSchemas[kind].safeParse(result);
  if (!parsed.success) return { fault: `a malformed result of the kind ${kind}: ${issueOf(parsed.error)}` };
  const checked = parsed.data as EngineResults[K];
  const check = checks[kind] as ResultCheck<K> | undefined;
  const fault = check?.(checked, task) ?? null;
  return fault === null ? { result: checked } : { fault };
}

/** The first thing that is wrong: its place, as far as it is made of names of ours, and what was expected there. */
export function issueOf({ issues: [issue] }: z.ZodError): string {
  const place = (issue?.path ?? []).filter((key) => typeof key === 'number' || /^[a-z_]{1,30}$/i.test(String(key)));
  return `${place.join('.')} ${issue?.code}`.trim();
}

/** A report on its way into the store, which has yet to be looked into. */
export interface SentReport {
  report: PackedReport;
  /** `files`: bytes of several files, as `packArtefacts` puts them together. */
  holds: 'json' | 'files';
}

const reportsIn: { [K in EngineTaskKind]?: (result: EngineResults[K]) => (SentReport | null)[] } = {
  static: ({ reports }) => Object.values(reports).map(json),
  dynamic: ({ dynamic, cuckoo, artefacts }) => [json(dynamic), json(cuckoo), sent(artefacts, 'files')],
  child: ({ reports }) => Object.values(reports).map(json),
  compare: (comparison) => [json(comparison)],
  join: ({ cuckoo }) => [json(cuckoo)],
};

const sent = (report: PackedReport | null, holds: SentReport['holds']): SentReport | null =>
  report === null ? null : { report, holds };
const json = (report: PackedReport | null): SentReport | null => sent(report, 'json');

/** The reports in a result. */
export function sentReports<K extends EngineTaskKind>(kind: K, result: EngineResults[K]): SentReport[] {
  const list = reportsIn[kind] as ((result: EngineResults[K]) => (SentReport | null)[]) | undefined;
  return (list?.(result) ?? []).filter((report) => report !== null);
}
