// `analyze`: files through the workers, reports to standard output. No server, no database.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { EngineReply } from '../../contract/engine.ts';
import type { Finding } from '../../contract/finding.ts';
import type { AndroguardReport, CuckooReport } from '../../contract/reports.ts';
import { createWorkerPool } from '../../jobs/worker-pool.ts';
import { callersFolder } from '../data-folder.ts';
import { terminalText } from '../terminal-text.ts';

export interface AnalyzeOptions {
  /** Static by default. */
  kinds?: ('static' | 'dynamic' | 'yara')[];
  rules?: string[];
  json?: boolean;
}

/** One line of output. `file` is the path as it was given. */
export interface AnalysisLine {
  sha256: string | null;
  file: string;
  status: 'done' | 'partial' | 'failed';
  cuckoo: CuckooReport | null;
  androguard: AndroguardReport | null;
  dynamic: null;
  yara: null;
  findings: Finding[];
  /** Milliseconds of wall clock by stage. */
  timings: Record<string, number>;
  error?: { code: string; message: string };
}

/**
 * Analyses files and prints a line for each, in the order given.
 * @returns the process's exit status: 1 where a file could not be read at all
 */
export async function analyze(files: string[], options: AnalyzeOptions): Promise<number> {
  const kinds = options.kinds ?? ['static'];
  const missing = kinds.filter((kind) => kind !== 'static');
  if (missing.length > 0 || options.rules !== undefined) {
    process.stderr.write(
      `apk-workstation: ${[...missing, ...(options.rules ? ['--rules'] : [])].join(', ')}: this version has the static analysis only\n`,
    );
  }
  const paths = files.map((file) => resolve(callersFolder(), file));
  const isReadable = process.stdout.isTTY && options.json !== true;
  const print = isReadable ? summaryOf : (line: AnalysisLine) => JSON.stringify(line);
  const concurrency = Math.min(files.length, availableParallelism());
  const pool = createWorkerPool({ readableFolders: [...new Set(paths)], concurrency });
  let exitStatus = 0;
  try {
    const work = new Map<number, Promise<AnalysisLine>>();
    const startNext = (index: number) => {
      const path = paths[index];
      if (path !== undefined) work.set(index, analyzeOne(pool, path, files[index]!, kinds.includes('static')));
    };
    for (let index = 0; index < concurrency; index++) startNext(index);
    for (let index = 0; index < files.length; index++) {
      const line = await work.get(index)!;
      work.delete(index);
      startNext(index + concurrency);
      if (line.error?.code === 'unreadable-file') exitStatus = 1;
      await write(`${print(line)}\n`);
    }
  } finally {
    await pool.close();
  }
  return exitStatus;
}

async function analyzeOne(
  pool: ReturnType<typeof createWorkerPool>,
  path: string,
  file: string,
  isStatic: boolean,
): Promise<AnalysisLine> {
  const started = performance.now();
  const empty = {
    sha256: null,
    file,
    status: 'failed' as const,
    cuckoo: null,
    androguard: null,
    dynamic: null,
    yara: null,
    findings: [],
  };
  const reply: EngineReply<'static'> | null = isStatic
    ? await pool.run({ kind: 'static', file: { kind: 'plain', path }, fileName: basename(path) })
    : null;
  const total = Math.round(performance.now() - started);
  if (reply !== null && reply.status !== 'failed') {
    const { cuckoo, androguard, timings } = reply.result;
    const { sha256 } = cuckoo.target.file;
    return {
      ...empty,
      sha256,
      status: reply.status,
      cuckoo,
      androguard,
      findings: androguard.findings,
      timings: { ...timings, total },
    };
  }
  try {
    const sha256 = await sha256Of(path);
    if (reply === null) return { ...empty, sha256, status: 'done', timings: { total } };
    const { code, message } = reply;
    return { ...empty, sha256, status: 'failed', timings: { total }, error: { code, message } };
  } catch (error) {
    const { message } = error as Error;
    return {
      ...empty,
      sha256: null,
      status: 'failed',
      timings: { total },
      error: { code: 'unreadable-file', message },
    };
  }
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

/** A few lines for a person at a terminal. */
function summaryOf({ file, sha256, status, androguard, error }: AnalysisLine): string {
  if (androguard === null) return terminalText(`${file}: ${status}${error ? `: ${error.message}` : ''}`);
  const { app_name, package_name, displayed_version, signature, permissions, findings } = androguard;
  const signed = signature.verified ? 'signature verifies' : 'signature does not verify';
  const notable = findings.filter(({ severity }) => severity !== 'info');
  return [
    `${file}: ${status}`,
    `  ${app_name} (${package_name} ${displayed_version}), ${permissions.length} permissions, ${signed}`,
    `  sha256 ${sha256}`,
    ...notable.map(({ severity, code, where, evidence }) => `  ${severity.padEnd(8)} ${code}: ${where} ${evidence}`),
  ]
    .map(terminalText)
    .join('\n');
}
