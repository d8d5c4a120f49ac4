// What a worker does for each kind of task. Knows neither how tasks come to it nor how formats are read.
import { readsNoFile } from '../contract/engine/content-index.ts';
import type { Finding } from '../contract/findings/finding.ts';
import type { EngineReply } from '../contract/process-line/messages.ts';
import type { EngineResults } from '../contract/process-line/results.ts';
import type { EngineTaskKind, SentTask, SentTaskOf } from '../contract/process-line/tasks.ts';
import { memorySource } from '../vault/byte-source.ts';
import { SealedFileError } from '../vault/sealed-format.ts';
import { FormatError } from './formats/byte-reader.ts';
import { openFile } from './open-file.ts';
import { RulesMissing } from './yara/sent-rulesets.ts';

/** Milliseconds between progress reports. */
const progressInterval = 100;
/** Errors of the format readers that say that the file is no Android app, rather than a damaged one. */
const notAnApkCodes: ReadonlySet<string> = new Set(['not-a-zip', 'zip-limit', 'no-manifest']);
const maxMessageLength = 300;

type Progress = (stage: string, done: number) => void;

/** One function per kind of task; the modules behind them are loaded when the first such task arrives. */
const handlers: {
  [K in EngineTaskKind]: (task: SentTaskOf<K>, progress: Progress) => Promise<EngineResults[K]>;
} = {
  async identify(task) {
    const { identify } = await import('./static/identity.ts');
    const source = openFile(task.file);
    try {
      return identify(source);
    } finally {
      source.close();
    }
  },
  async static(task, progress) {
    const { packedStatic } = await import('./static-task.ts');
    return packedStatic(task, progress);
  },
  async dynamic(task, progress) {
    const [{ analyzeDynamic }, { packDynamic }] = await Promise.all([
      import('./dynamic/driver/run.ts'),
      import('./report-packing.ts'),
    ]);
    const source = openFile(task.file);
    try {
      const { responses, cpuMilliseconds } = task;
      const budget = cpuMilliseconds === undefined ? {} : { cpuMilliseconds };
      const answered = responses === undefined ? {} : { responses };
      const parts = task.parts?.map(({ name, file }) => ({ name, source: openFile(file) })) ?? [];
      try {
        return packDynamic(analyzeDynamic(source, { ...answered, parts, budget, progress }));
      } finally {
        for (const part of parts) part.source.close();
      }
    } finally {
      source.close();
    }
  },
  async explore(task) {
    const { explore, makeReady } = await import('./exploration/answer.ts');
    await makeReady(task.question);
    return explore(task.file, task.question, task.left, task.names);
  },
  async decompile(task) {
    const { decompilePage } = await import('./decompile-task.ts');
    return decompilePage(task);
  },
  async children(task) {
    const { childrenOf } = await import('./child-analysis.ts');
    return childrenOf(task);
  },
  async child(task) {
    const { analyzeChild } = await import('./child-analysis.ts');
    return analyzeChild(task);
  },
  async compare(task, progress) {
    const { compare } = await import('./comparison/compare.ts');
    return compare(task, progress);
  },
  async align(task) {
    const { align } = await import('./comparison/align.ts');
    return align(task);
  },
  async library(task) {
    const { libraryMethods } = await import('./library-methods.ts');
    return libraryMethods(task.file);
  },
  async features(task) {
    const { storedFeatures } = await import('./features-task.ts');
    return storedFeatures(task);
  },
  async compile(task) {
    const { checkRules } = await import('./yara/yara-tasks.ts');
    return checkRules(task.rules);
  },
  async yara(task, progress) {
    const { scanWithRulesets } = await import('./yara/yara-tasks.ts');
    const isUnread = task.only !== undefined && readsNoFile(task.only);
    const source = isUnread ? memorySource(new Uint8Array()) : openFile(task.file);
    try {
      return scanWithRulesets(source, task, progress);
    } finally {
      source.close();
    }
  },
  async prints(task, progress) {
    const [{ filePrints }, { packPrints }, { packedReportPrints }] = await Promise.all([
      import('./content-index/file-prints.ts'),
      import('../vault/packed-prints.ts'),
      import('./yara/report-prints.ts'),
    ]);
    const ofReports = packedReportPrints(task.androguard);
    const source = openFile(task.file);
    try {
      return { prints: packPrints(filePrints(source, task.left, ofReports, (done) => progress('prints', done))) };
    } finally {
      source.close();
    }
  },
  async content_plan(task) {
    const { contentPlans } = await import('./yara/content-plan.ts');
    return { plans: contentPlans(task.rulesets) };
  },
  async find_content(task, progress) {
    const { findContents } = await import('./content-search/content-search.ts');
    const source = openFile(task.file);
    try {
      const { terms, left, only } = task;
      return { found: findContents(source, terms, { left, only, progress: (done) => progress('content', done) }) };
    } finally {
      source.close();
    }
  },
  async content_needs(task) {
    const { contentNeed } = await import('./content-search/content-search.ts');
    return { needs: task.terms.map(contentNeed) };
  },
  async prepare(task) {
    const { prepareRulesets } = await import('./yara/yara-tasks.ts');
    return prepareRulesets(task.rulesets, task.cacheFolder);
  },
  async rule_archive(task, progress) {
    const { readArchivedRules } = await import('./yara/yara-tasks.ts');
    return readArchivedRules(task, progress);
  },
  async join(task) {
    const { joinReports } = await import('./report-packing.ts');
    return joinReports(task);
  },
  async evidence(task) {
    const { storedEvidence } = await import('./report-evidence.ts');
    return storedEvidence(task);
  },
};

/** The reply for an error; without the host's paths, which must not get into reports. */
export function failureOf(error: unknown): Extract<EngineReply, { status: 'failed' }> {
  if (error instanceof FormatError && notAnApkCodes.has(error.code)) {
    return { status: 'failed', code: 'not-an-apk', message: error.message.slice(0, maxMessageLength) };
  }
  if (error instanceof SealedFileError) {
    return { status: 'failed', code: 'unreadable-file', message: `the stored file is ${error.code}` };
  }
  if (error instanceof RulesMissing) return { status: 'failed', code: 'unreadable-file', message: error.message };
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (syscall !== undefined || code === 'ERR_ACCESS_DENIED') {
    return { status: 'failed', code: 'unreadable-file', message: `the file cannot be read: ${code}` };
  }
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { status: 'failed', code: 'internal', message: withoutPaths(text).slice(0, maxMessageLength) };
}

const withoutPaths = (text: string): string =>
  text
    .slice(0, 4 * maxMessageLength)
    .replace(/(?:file:\/\/|[A-Za-z]:[\\/]|\/)[\w.@~+-]+(?:[\\/][\w.@~+ -]+)+/g, '<path>');

/**
 * Runs one task.
 * @param tell takes its progress, at most ten times a second and at each new stage
 */
export async function runTask(task: SentTask, tell: Progress): Promise<EngineReply> {
  let lastStage = '';
  let lastTime = 0;
  const progress: Progress = (stage, done) => {
    const now = performance.now();
    if (stage === lastStage && now - lastTime < progressInterval) return;
    lastStage = stage;
    lastTime = now;
    tell(stage, done);
  };
  try {
    return await finished(task, progress);
  } catch (error) {
    // The pool keeps what workers write to standard error; the reply alone would not say where it happened.
    const reply = failureOf(error);
    if (reply.code === 'internal') console.error(error);
    return reply;
  }
}

async function finished<K extends EngineTaskKind>(task: SentTaskOf<K>, progress: Progress): Promise<EngineReply<K>> {
  const result = await handlers[task.kind as K](task, progress);
  const isPartial = findingsOf[task.kind as K]?.(result).some(({ code }) => code === incompleteCode) === true;
  return { status: isPartial ? 'partial' : 'done', result };
}

/** Stages that fail leave a finding of this code behind, and the rest of the report. */
const incompleteCode = 'analysis-incomplete';

/** The findings of a result, by the kinds of tasks that have some. */
const findingsOf: { [K in EngineTaskKind]?: (result: EngineResults[K]) => Finding[] } = {
  identify: ({ findings }) => findings,
  static: ({ identity, findings }) => [...identity.findings, ...findings],
  child: ({ findings }) => findings,
  dynamic: ({ findings }) => findings,
  yara: ({ findings }) => findings,
};
