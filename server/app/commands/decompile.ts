// `decompile`: Java source of an APK by a worker, into a folder. No server, no database.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import type { DecompiledPage } from '../../contract/engine/decompilation.ts';
import { jsonLine } from '../../contract/json-line.ts';
import type { EngineReply } from '../../contract/process-line/messages.ts';
import { createWorkerPool, type WorkerPool } from '../../jobs/worker-pool.ts';
import { callersFolder } from '../data-folder.ts';
import { measuredWall } from '../measured-wall.ts';
import { ProgressLine } from '../progress-line.ts';
import { terminalText } from '../terminal-text.ts';

export interface DecompileOptions {
  /** `com.example.Name` or `Lcom/example/Name;`: that one's file alone. */
  class?: string;
  /** By default a folder beside the file, named as it is without its ending. */
  out?: string;
  /** End with one line of JSON. */
  json?: boolean;
  /** Decompiles nothing unless the wall of the system was measured and holds. */
  requireIsolation?: boolean;
}

/** @returns the process's exit status: 1 where the file could not be read or written to its end */
export async function decompileFile(file: string, options: DecompileOptions): Promise<number> {
  const path = resolve(callersFolder(), file);
  const { dir, name } = parse(path);
  const folder = options.out === undefined ? join(dir, `${name}-java`) : resolve(callersFolder(), options.out);
  const progress = new ProgressLine(1);
  const started = performance.now();
  let pool: WorkerPool | null = null;
  try {
    const wall = await measuredWall(options.requireIsolation === true);
    pool = createWorkerPool({ readableFolders: [path], concurrency: 1, isBackground: false, wall });
    const only = options.class === undefined ? {} : { only: descriptorOf(options.class) };
    const sum = { classes: 0, methods: 0, lost: 0, unresolved: 0, dispatched: 0 };
    for (let from: number | null = 0; from !== null; ) {
      const reply: EngineReply<'decompile'> = await pool.run({
        kind: 'decompile',
        file: { kind: 'plain', path },
        ...only,
        from,
      });
      if (reply.status === 'failed') throw new Error(reply.message);
      const { files, next, total, counts, manifest }: DecompiledPage = reply.result;
      for (const { path: place, source } of files) await write(join(folder, 'sources', place), source);
      if (manifest !== null) await write(join(folder, 'resources', 'AndroidManifest.xml'), manifest);
      sum.classes += files.length;
      for (const key of ['methods', 'lost', 'unresolved', 'dispatched'] as const) sum[key] += counts[key];
      progress.show(total === 0 ? 1 : sum.classes / total, `${sum.classes}/${total} classes`);
      from = next;
    }
    progress.clear();
    if (only.only !== undefined && sum.classes === 0) throw new Error(`there is no class ${options.class}`);
    const seconds = Math.round((performance.now() - started) / 10) / 100;
    process.stdout.write(
      options.json === true
        ? jsonLine({ ...sum, seconds })
        : `${sum.classes} classes with ${sum.methods} methods in ${seconds} s, ${sum.lost} of them without source: ${terminalText(folder)}\n`,
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

const descriptorOf = (name: string): string => (/^L.*;$/.test(name) ? name : `L${name.replaceAll('.', '/')};`);

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
