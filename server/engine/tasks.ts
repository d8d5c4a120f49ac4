// What a worker does for each kind of task. Knows neither how tasks come to it nor how formats are read.
import type { EngineReply, EngineResults, EngineTask } from '../contract/engine.ts';
import { SealedFileError } from '../vault/sealed-file.ts';
import { FormatError } from './formats/byte-reader.ts';
import { openFile } from './open-file.ts';

/** A report every tenth of a second moves a progress bar; more would only cost time. */
const progressInterval = 100;
/** Errors of the format readers that say that the file is no Android app, rather than a damaged one. */
const notAnApkCodes: ReadonlySet<string> = new Set(['not-a-zip', 'zip-limit', 'no-manifest']);
const maxMessageLength = 300;

type Progress = (stage: string, done: number) => void;

/** One function per kind of task; the modules behind them are loaded when the first such task arrives. */
const handlers: {
  [K in keyof EngineResults]: (task: Extract<EngineTask, { kind: K }>, progress: Progress) => Promise<EngineResults[K]>;
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
    const [{ analyzeStatic }, { packStatic }] = await Promise.all([
      import('./static/static-report.ts'),
      import('./report-packing.ts'),
    ]);
    const source = openFile(task.file);
    try {
      return packStatic(analyzeStatic(source, { fileName: task.fileName, progress }));
    } finally {
      source.close();
    }
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
      return packDynamic(analyzeDynamic(source, { ...answered, budget, progress }));
    } finally {
      source.close();
    }
  },
  async explore(task) {
    const { explore } = await import('./exploration/answer.ts');
    return explore(task.file, task.question);
  },
  async compile(task) {
    const { checkRules } = await import('./yara/yara-tasks.ts');
    return checkRules(task.rules);
  },
  async yara(task, progress) {
    const { scanWithRulesets } = await import('./yara/yara-tasks.ts');
    const source = openFile(task.file);
    try {
      return scanWithRulesets(source, task, progress);
    } finally {
      source.close();
    }
  },
  async prepare(task) {
    const { prepareRulesets } = await import('./yara/yara-tasks.ts');
    return prepareRulesets(task.rulesets, task.cacheFolder);
  },
  async join(task) {
    const { joinReports } = await import('./report-packing.ts');
    return joinReports(task);
  },
};

/** What the service side is told of an error; it must not learn the host's paths from a hostile file's analysis. */
export function failureOf(error: unknown): Extract<EngineReply, { status: 'failed' }> {
  if (error instanceof FormatError && notAnApkCodes.has(error.code)) {
    return { status: 'failed', code: 'not-an-apk', message: error.message };
  }
  if (error instanceof SealedFileError) {
    return { status: 'failed', code: 'unreadable-file', message: `the stored file is ${error.code}` };
  }
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
export async function runTask(task: EngineTask, tell: Progress): Promise<EngineReply> {
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
    const handler = handlers[task.kind] as (
      task: EngineTask,
      progress: Progress,
    ) => Promise<EngineResults[EngineTask['kind']]>;
    const result = await handler(task, progress);
    return { status: isPartial(result) ? 'partial' : 'done', result };
  } catch (error) {
    // The pool keeps what workers write to standard error; the reply alone would not say where it happened.
    const reply = failureOf(error);
    if (reply.code === 'internal') console.error(error);
    return reply;
  }
}

/** Stages that fail leave a finding of this code behind, and the rest of the report. */
const incompleteCode = 'analysis-incomplete';

function isPartial(result: EngineResults[EngineTask['kind']]): boolean {
  if ('answer' in result || 'fault' in result) return false;
  if ('errors' in result || 'obsolete' in result || !('findings' in result)) return false;
  const findings = 'identity' in result ? [...result.identity.findings, ...result.findings] : result.findings;
  return findings.some(({ code }) => code === incompleteCode);
}
