// `triage`: which of many files to look at first, as one sorted table. No server, no database.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { RiskLevel } from '../../contract/findings/risk.ts';
import { createWorkerPool, type WorkerPool } from '../../jobs/worker-pool.ts';
import { callersFolder } from '../data-folder.ts';
import { measuredWall } from '../measured-wall.ts';
import { filesBelow } from '../named-paths.ts';
import { ProgressLine } from '../progress-line.ts';
import { terminalText } from '../terminal-text.ts';
import { forgetOldEvidence, keepEvidence, keptEvidence } from '../triage/kept-evidence.ts';
import { findLikeness } from '../triage/run-likeness.ts';
import { type TriageResult, triageCsv, triageHtml, triageJson, triageTable } from '../triage/triage-output.ts';
import { evidenceOf, riskOf, type TriagedApk } from '../triage/triaged-apk.ts';

export interface TriageOptions {
  /** One JSON object per line; also where standard output is no terminal. */
  json?: boolean;
  csv?: boolean;
  /** A page to write in the place of the table. */
  html?: string;
  /** Files at a time; by default as many as the processor has cores. */
  jobs?: number;
  /** Analyses nothing unless the wall of the system was measured and holds. */
  requireIsolation?: boolean;
}

/** The process's exit status by the worst risk. */
const exitStatuses: Readonly<Record<RiskLevel, number>> = { low: 0, elevated: 10, high: 20, critical: 30 };
/** Files could not be read or analysed, and none that could is risky. */
const failed = 1;

/**
 * Analyses the files of the paths, what they carry included, and writes which are riskiest and which are alike. What an earlier
 * run found of the same content is taken from there.
 * @returns the process's exit status
 */
export async function triage(paths: string[], options: TriageOptions): Promise<number> {
  const files = await candidates(paths);
  if (files.size === 0) {
    process.stderr.write('apk-workstation: there are no APK files to look at\n');
    return failed;
  }
  const jobs = Math.min(files.size, options.jobs ?? availableParallelism());
  const wall = await measuredWall(options.requireIsolation === true);
  const readableFolders = paths.map((path) => resolve(callersFolder(), path));
  const pool = createWorkerPool({ readableFolders, concurrency: jobs, isBackground: false, wall });
  const run = new TriageRun(pool, files);
  try {
    await Promise.all(Array.from({ length: jobs }, () => run.work()));
  } finally {
    await pool.close();
  }
  const result = await run.end();
  await forgetOldEvidence();
  if (run.notApks > 0) process.stderr.write(`apk-workstation: ${run.notApks} files of folders are no APKs\n`);
  const isTerminal = process.stdout.isTTY === true;
  if (options.html !== undefined) {
    const made = `Made on ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    await writeFile(resolve(callersFolder(), options.html), triageHtml(result, made));
  } else if (options.csv === true) process.stdout.write(triageCsv(result));
  else if (options.json === true || !isTerminal) process.stdout.write(triageJson(result));
  else process.stdout.write(triageTable(result, process.stdout.columns));
  const worst = result.apks[0] === undefined ? 0 : exitStatuses[result.apks[0].risk.level];
  return worst === 0 && result.unread.length > 0 ? failed : worst;
}

/** Files that are named, and those of named folders that begin as archives do. */
async function candidates(paths: readonly string[]): Promise<Map<string, { isNamed: boolean }>> {
  const found = new Map<string, { isNamed: boolean }>();
  for (const path of paths) {
    for (const file of await filesBelow(path, callersFolder())) {
      const isNamed = file === path;
      if (isNamed || (await beginsAsArchive(resolve(callersFolder(), file)))) found.set(file, { isNamed });
    }
  }
  return found;
}

async function beginsAsArchive(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close());
    return buffer.toString('latin1') === 'PK';
  } catch {
    // It is told of when it cannot be read as a whole either.
    return true;
  }
}

class TriageRun {
  readonly #pool: WorkerPool;
  readonly #files: ReadonlyMap<string, { isNamed: boolean }>;
  readonly #progress: ProgressLine;
  readonly #waiting: Iterator<string>;
  readonly #apks = new Map<string, TriagedApk>();
  readonly #unread: TriageResult['unread'][number][] = [];
  #done = 0;
  #kept = 0;
  /** Archives in folders that hold no app. */
  notApks = 0;

  constructor(pool: WorkerPool, files: ReadonlyMap<string, { isNamed: boolean }>) {
    this.#pool = pool;
    this.#files = files;
    this.#progress = new ProgressLine(files.size);
    this.#waiting = files.keys();
  }

  /** Takes files until none is left. Several may run at a time. */
  async work(): Promise<void> {
    for (let next = this.#waiting.next(); next.done !== true; next = this.#waiting.next()) {
      const file = next.value;
      await this.#look(file).catch(({ message }: Error) => {
        this.#unread.push({ file, error: { code: 'unreadable-file', message } });
      });
      this.#done += 1;
      const reused = this.#kept === 0 ? '' : `, ${this.#kept} known`;
      this.#progress.show(this.#done, `${this.#done} of ${this.#files.size} files${reused}  ${terminalText(file)}`);
    }
  }

  async end(): Promise<TriageResult> {
    this.#progress.clear();
    // In the order of the files, whichever was read first.
    const places = new Map([...this.#files.keys()].map((file, place) => [file, place]));
    const apks = [...this.#apks.values()];
    for (const { files } of apks) files.sort((one, other) => places.get(one)! - places.get(other)!);
    apks.sort(
      (one, other) => other.risk.score - one.risk.score || places.get(one.files[0]!)! - places.get(other.files[0]!)!,
    );
    await findLikeness(apks);
    return { apks, unread: this.#unread.sort((one, other) => places.get(one.file)! - places.get(other.file)!) };
  }

  /** @throws Error where the file cannot be read */
  async #look(file: string): Promise<void> {
    const path = resolve(callersFolder(), file);
    const hash = createHash('sha256');
    await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
    const sha256 = hash.digest('hex');
    const known = this.#apks.get(sha256);
    if (known !== undefined) {
      known.files.push(file);
      return;
    }
    const kept = await keptEvidence(sha256);
    if (kept !== null) this.#kept += 1;
    const evidence = kept ?? (await evidenceOf(this.#pool, path, sha256));
    if ('message' in evidence) {
      if (evidence.code === 'not-an-apk' && !this.#files.get(file)!.isNamed) this.notApks += 1;
      else this.#unread.push({ file, error: evidence });
      return;
    }
    if (kept === null) await keepEvidence(sha256, evidence);
    // Another file of the same content may have been analysed meanwhile.
    const twin = this.#apks.get(sha256);
    if (twin !== undefined) twin.files.push(file);
    else {
      const apk = { sha256, files: [file], evidence, risk: riskOf(evidence), family: null, neighbours: [] };
      this.#apks.set(sha256, apk);
    }
  }
}
