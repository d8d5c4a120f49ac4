// `compare`: the difference of two files by the workers, to standard output. No server, no database.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Comparison } from '../../contract/engine/comparison.ts';
import type { AndroguardReport } from '../../contract/engine/reports.ts';
import { inVersionOrder } from '../../contract/engine/version-order.ts';
import { jsonLine } from '../../contract/json-line.ts';
import type { ComparedFile } from '../../contract/process-line/tasks.ts';
import type { Wall } from '../../jobs/wall/wall.ts';
import { createWorkerPool, type WorkerPool } from '../../jobs/worker-pool.ts';
import { unpackJson } from '../../vault/packed-json.ts';
import { callersFolder } from '../data-folder.ts';
import { measuredWall } from '../measured-wall.ts';
import { ProgressLine } from '../progress-line.ts';
import { terminalText } from '../terminal-text.ts';
import { comparisonSummary, type SummarySide } from './comparison-summary.ts';

export interface CompareOptions {
  /** One JSON object; also where standard output is no terminal. */
  json?: boolean;
  /** Analyses nothing unless the wall of the system was measured and holds. */
  requireIsolation?: boolean;
}

/** @returns the process's exit status: 1 where a file could not be read or analysed */
export async function compareFiles(files: [string, string], options: CompareOptions): Promise<number> {
  const paths = files.map((file) => resolve(callersFolder(), file));
  const progress = new ProgressLine(files.length);
  let pool: WorkerPool | null = null;
  try {
    const wall: Wall | null = await measuredWall(options.requireIsolation === true);
    pool = createWorkerPool({ readableFolders: [...new Set(paths)], concurrency: 2, isBackground: false, wall });
    const [one, other] = await Promise.all(paths.map((path, place) => sideOf(pool!, path, files[place]!)));
    const [first, second] = inVersionOrder(one!, other!);
    const task = { kind: 'compare', first: first.side, second: second.side } as const;
    const onProgress = (stage: string, done: number) => progress.show(1 + done, stage);
    const reply = await pool.run(task, { onProgress });
    progress.clear();
    if (reply.status === 'failed') throw new Error(reply.message);
    const comparison = unpackJson<Comparison>(reply.result);
    const isJson = options.json === true || process.stdout.isTTY !== true;
    process.stdout.write(
      isJson ? jsonLine(comparison) : `${comparisonSummary(comparison, first, second).map(terminalText).join('\n')}\n`,
    );
    return 0;
  } catch (error) {
    progress.clear();
    process.stderr.write(`apk-workstation: ${terminalText((error as Error).message)}\n`);
    return 1;
  } finally {
    await pool?.close();
  }
}

interface Side extends SummarySide {
  versionCode: string;
  side: ComparedFile;
}

/** @throws Error where the file cannot be read or is no APK */
async function sideOf(pool: WorkerPool, path: string, file: string): Promise<Side> {
  const reference = { kind: 'plain', path } as const;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  const reply = await pool.run({ kind: 'static', file: reference, fileName: basename(path) });
  if (reply.status === 'failed') throw new Error(`${file}: ${reply.message}`);
  const { reports } = reply.result;
  const report = unpackJson<AndroguardReport>(reports.androguard);
  const { version_code: versionCode, package_name: packageName } = report;
  return { file, packageName, versionCode, side: { sha256: hash.digest('hex'), file: reference, reports } };
}
