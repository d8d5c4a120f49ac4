// `analyze`: files through the workers, reports to standard output. No server, no database.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { LeftFiles, PackedStatic } from '../../contract/engine/analysis-results.ts';
import type { CuckooParts, CuckooReport } from '../../contract/engine/reports.ts';
import type { RulesetText } from '../../contract/engine/yara.ts';
import type { Finding } from '../../contract/findings/finding.ts';
import type { EngineReply } from '../../contract/process-line/messages.ts';
import type { Wall } from '../../jobs/wall/wall.ts';
import { createWorkerPool, type WorkerPool } from '../../jobs/worker-pool.ts';
import { mayAskReports } from '../../services/rules/apk-scanner.ts';
import type { CompiledRulesFolder } from '../../services/rules/compiled-rules-folder.ts';
import {
  type ApkScan,
  isAtEnd,
  memoryFor,
  RulesetIsolation,
  type ScanOutcome,
} from '../../services/rules/ruleset-isolation.ts';
import { type MatchEvidence, type WeighedRisk, weighRisk } from '../../services/triage/risk.ts';
import { packJson, unpackJson } from '../../vault/packed-json.ts';
import { type AnalysisFormat, type AnalysisLine, analysisOutput } from '../analysis-output.ts';
import { analyzeChildren, sumUp } from '../analyzed-children.ts';
import { callersFolder } from '../data-folder.ts';
import { keepRules, keptRulesPath } from '../kept-rules.ts';
import { measuredWall } from '../measured-wall.ts';
import { ProgressLine } from '../progress-line.ts';
import { readRulesets } from '../rule-files.ts';
import { holdStandardInput, standardInput } from '../standard-input.ts';
import { terminalText } from '../terminal-text.ts';

export interface AnalyzeOptions {
  /** Static by default, and yara where rules are given. */
  kinds?: ('static' | 'dynamic' | 'yara')[];
  /** Files or folders of YARA rules; each file is a ruleset of its own. */
  rules?: string[];
  /** On a terminal a summary by default, elsewhere JSON lines. */
  format?: AnalysisFormat;
  /** JSON lines, as `format` jsonl. */
  json?: boolean;
  /** Analyses nothing unless the wall of the system was measured and holds. */
  requireIsolation?: boolean;
}

type FinishedScan = Exclude<ApkScan, { status: 'failed' }>;

/** Of one ruleset; the first ones tell what is wrong. */
const maxErrorsShown = 5;

/**
 * Analyses files (`-`: standard input) and prints a line for each, in the order given.
 * @returns the process's exit status: 1 where a file could not be read or analysed to its end, with every ruleset that
 * compiles, or where none does
 */
export async function analyze(files: string[], options: AnalyzeOptions): Promise<number> {
  const kinds = options.kinds ?? (options.rules === undefined ? ['static'] : ['static', 'yara']);
  const rules = options.rules ?? [];
  if (kinds.includes('yara') && rules.length === 0) return refuse('yara: no rules were given, name them with --rules');
  if ([...files, ...rules].filter((path) => path === standardInput).length > 1) {
    return refuse('standard input (-) can be named once only');
  }
  const request: AnalysisRequest = {
    kinds,
    rulesets: [],
    compiledRules: null,
    asksReports: false,
    isolation: new RulesetIsolation(),
  };
  try {
    request.rulesets = await readRulesets(rules, callersFolder());
  } catch (error) {
    return refuse(`the rules cannot be read: ${(error as Error).message}`);
  }
  request.asksReports = request.rulesets.some((ruleset) => mayAskReports(ruleset.rules));
  let wall: Wall | null;
  try {
    wall = await measuredWall(options.requireIsolation === true);
  } catch (error) {
    return refuse((error as Error).message);
  }
  const input = files.includes(standardInput) ? await holdStandardInput() : null;
  const paths = files.map((file) => (file === standardInput ? input!.path : resolve(callersFolder(), file)));
  const { isTTY: isTerminal = false, columns = 80 } = process.stdout;
  const format = options.json === true ? 'jsonl' : (options.format ?? (isTerminal ? 'summary' : 'jsonl'));
  const output = analysisOutput(format, !kinds.includes('static'), isTerminal ? columns : null);
  const progress = new ProgressLine(files.length);
  const concurrency = Math.min(files.length, availableParallelism());
  const keptRules = kinds.includes('yara') ? keptRulesPath(request.rulesets) : null;
  const readableFolders = [...new Set([...paths, ...(keptRules === null ? [] : [keptRules])])];
  const pool = createWorkerPool({ readableFolders, concurrency, isBackground: false, wall });
  let exitStatus = 0;
  let isToldOfBroken = false;
  try {
    if (keptRules !== null) {
      progress.show(0, 'rules');
      request.compiledRules = await keepRules(keptRules, request.rulesets, pool);
    }
    const work = new Map<number, Promise<AnalysisLine>>();
    const startNext = (index: number) => {
      const path = paths[index];
      if (path !== undefined) work.set(index, analyzeOne(pool, path, files[index]!, request));
    };
    for (let index = 0; index < concurrency; index++) startNext(index);
    progress.show(0, terminalText(files[0] ?? ''));
    for (let index = 0; index < files.length; index++) {
      const line = await work.get(index)!;
      work.delete(index);
      startNext(index + concurrency);
      // "Not an APK" is a result; a file that could not be read to its end is a failure.
      if ((line.error !== undefined && line.error.code !== 'not-an-apk') || line.yara?.every(isAtEnd) === false)
        exitStatus = 1;
      progress.clear();
      // The rules fail in the same way for every file.
      if (line.yara !== null && !isToldOfBroken) {
        isToldOfBroken = true;
        if (!reportBroken(line.yara)) exitStatus = 1;
      }
      await write(output.show(line));
      progress.show(index + 1, terminalText(`${index + 1}/${files.length} ${files[index + 1] ?? ''}`));
    }
    await write(output.end());
  } finally {
    progress.clear();
    await pool.close();
    await input?.remove();
  }
  return exitStatus;
}

function refuse(reason: string): 1 {
  process.stderr.write(`apk-workstation: ${reason}\n`);
  return 1;
}

/** Says which rules do not compile, and where. @returns whether any can be used */
function reportBroken(outcomes: readonly ScanOutcome[]): boolean {
  const broken = outcomes.filter(({ status }) => status === 'broken');
  for (const { id, errors } of broken) {
    for (const { line, column, title, help } of errors.slice(0, maxErrorsShown)) {
      const told = `${id}:${line}:${column}: ${title}${help === null ? '' : ` (${help})`}`;
      process.stderr.write(`apk-workstation: ${terminalText(told)}\n`);
    }
  }
  return broken.length < outcomes.length;
}

interface AnalysisRequest {
  kinds: readonly ('static' | 'dynamic' | 'yara')[];
  rulesets: RulesetText[];
  /** Null where they are compiled for this run. */
  compiledRules: CompiledRulesFolder | null;
  /** Whether any of them may ask for what the static report says. */
  asksReports: boolean;
  isolation: RulesetIsolation;
}

async function analyzeOne(
  pool: WorkerPool,
  path: string,
  file: string,
  request: AnalysisRequest,
): Promise<AnalysisLine> {
  const started = performance.now();
  const line = await analyzed(pool, path, file, request).catch((error: Error) => unread(file, error));
  line.timings.total = Math.round(performance.now() - started);
  return line;
}

const unread = (file: string, { message }: Error): AnalysisLine => ({
  sha256: null,
  file,
  status: 'failed',
  cuckoo: null,
  androguard: null,
  dynamic: null,
  yara: null,
  children: null,
  findings: [],
  risk: null,
  timings: {},
  error: { code: 'unreadable-file', message },
});

/** @throws Error where the file cannot be read */
async function analyzed(
  pool: WorkerPool,
  path: string,
  file: string,
  { kinds, rulesets, compiledRules, asksReports, isolation }: AnalysisRequest,
): Promise<AnalysisLine> {
  const size = await sizeOf(path);
  const reference = { kind: 'plain', path } as const;
  const isStatic = kinds.includes('static');
  const isYara = kinds.includes('yara');
  const isDynamic = kinds.includes('dynamic');
  const report: EngineReply<'static'> | null =
    isStatic || (isYara && asksReports)
      ? await pool.run({ kind: 'static', file: reference, fileName: basename(path) })
      : null;
  const result = report === null || report.status === 'failed' ? null : report.result;
  const run: EngineReply<'dynamic'> | null = isDynamic ? await pool.run({ kind: 'dynamic', file: reference }) : null;
  const seen = run === null || run.status === 'failed' ? null : run.result;
  const left: LeftFiles = seen?.artefacts == null ? [] : [{ origin: 'run', files: seen.artefacts }];
  // Measured here, not taken from the worker, which the file may have taken over.
  const sha256 = await sha256Of(path);
  const isLookedInto = result?.carriesCode === true || left.length > 0;
  const carriesNothing = result?.carriesCode === false && left.length === 0;
  const payloads = isLookedInto ? await analyzeChildren(pool, reference, sha256, left) : null;
  const alone = result === null ? null : unpackJson<CuckooReport>(result.reports.cuckoo);
  const cuckoo = alone === null || seen === null ? alone : { ...alone, ...unpackJson<CuckooParts>(seen.cuckoo) };
  const reports = {
    androguard: result?.reports.androguard ?? null,
    cuckoo: cuckoo === alone ? (result?.reports.cuckoo ?? null) : packJson(cuckoo),
    droidbox: seen?.dynamic ?? null,
  };
  const scan: ApkScan | null = isYara
    ? await isolation.scan(rulesets, size, (part, cpuMilliseconds) => {
        const options = { ...memoryFor(part), ...(cpuMilliseconds === undefined ? {} : { cpuMilliseconds }) };
        const task = { kind: 'yara', file: reference, reports, ...(carriesNothing ? {} : { left }) } as const;
        if (compiledRules === null) return pool.run({ ...task, rulesets: [...part] }, options);
        return compiledRules.run(part, (kept) => pool.run({ ...task, ...kept }, options));
      })
    : null;
  const scanned = scan === null || scan.status === 'failed' ? null : scan;
  const matches = matchesOf(scanned);
  const { children, findings: carried } = sumUp(payloads ?? [], matches);
  const replies = [...(isStatic ? [report] : []), run, scan].filter((reply) => reply !== null);
  const failure = replies.find((reply) => reply.status === 'failed');
  const findings = [
    ...(isStatic ? (result?.findings ?? []) : []),
    ...(seen?.findings ?? []),
    ...carried,
    ...(scanned?.findings ?? []),
  ];
  const line: AnalysisLine = {
    sha256,
    file,
    status: failure !== undefined ? 'failed' : replies.some(({ status }) => status === 'partial') ? 'partial' : 'done',
    cuckoo: isStatic ? cuckoo : null,
    androguard: isStatic && result !== null ? unpackJson(result.reports.androguard) : null,
    dynamic: seen === null ? null : unpackJson(seen.dynamic),
    yara: scanned?.outcomes ?? null,
    children: result === null && seen === null ? null : children,
    findings,
    risk: (isStatic && result !== null) || seen !== null ? riskOf(findings, isStatic ? result : null, matches) : null,
    timings: { ...(isStatic ? result?.timings : {}), ...seen?.timings, ...scanned?.timings },
  };
  if (failure !== undefined) line.error = { code: failure.code, message: failure.message };
  return line;
}

/** By the same weights as a workstation's, which knows further who accepted a ruleset and what an antivirus said. */
const riskOf = (findings: Finding[], result: PackedStatic | null, matches: readonly MatchEvidence[]): WeighedRisk =>
  weighRisk({ findings, uses: result?.uses ?? [], matches, antivirus: [] });

const matchesOf = (scan: FinishedScan | null): MatchEvidence[] =>
  (scan?.outcomes ?? []).flatMap(({ id: ruleset, rules_matched: matched }) =>
    matched.map(({ name: rule, tags, metadata, file }) => ({ ruleset, isSocial: false, rule, tags, metadata, file })),
  );

/** @throws Error that says why this is no file that can be read to its end */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path);
  if (found.isDirectory()) await readdir(path);
  if (!found.isFile()) throw new Error(found.isDirectory() ? 'it is a folder' : 'it is no ordinary file');
  return found.size;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

const write = (text: string): Promise<void> =>
  new Promise((done, fail) => {
    process.stdout.write(text, (error) => (error ? fail(error) : done()));
  });
