// `decompile`: Java source of an APK by a worker, into a folder. No server, no database.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, parse, resolve } from 'node:path';
import { type CodeNames, maxNames, type NameVerdicts } from '../../contract/engine/code-names.ts';
import type { DecompiledPage } from '../../contract/engine/decompilation.ts';
import { jsonLine } from '../../contract/json-line.ts';
import type { EngineReply } from '../../contract/process-line/messages.ts';
import { createWorkerPool, type WorkerPool } from '../../jobs/worker-pool.ts';
import { mappingOf } from '../../services/names/mapping.ts';
import type { MappingEntry } from '../../services/names/mapping-entries.ts';
import { callersFolder } from '../data-folder.ts';
import { measuredWall } from '../measured-wall.ts';
import { ProgressLine } from '../progress-line.ts';
import { terminalText } from '../terminal-text.ts';

export interface DecompileOptions {
  /** `com.example.Name` or `Lcom/example/Name;`: that one's file alone. */
  class?: string;
  /** By default a folder beside the file, named as it is without its ending. */
  out?: string;
  /** A mapping file of ProGuard or jadx, whose names the source has. */
  mapping?: string;
  /** Readable names for what is called by no word. */
  deobfuscate?: boolean;
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
    const names = options.mapping === undefined ? noNames : await mappedNames(pool, path, options.mapping);
    const words = { names: { ...names, deobfuscate: options.deobfuscate === true } };
    const only = options.class === undefined ? {} : { only: descriptorOf(options.class) };
    const sum = { classes: 0, methods: 0, lost: 0, unresolved: 0, dispatched: 0 };
    for (let from: number | null = 0; from !== null; ) {
      const reply: EngineReply<'decompile'> = await pool.run({
        kind: 'decompile',
        file: { kind: 'plain', path },
        ...only,
        ...words,
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

const noNames: CodeNames = { version: '', names: [], notes: [], deobfuscate: false };

/** Refused lines that are told one by one. */
const maxTold = 20;

/** What a mapping file calls the code, as far as the code takes it; of what it does not take standard error tells. */
async function mappedNames(pool: WorkerPool, path: string, mapping: string): Promise<CodeNames> {
  const text = await readFile(resolve(callersFolder(), mapping), 'utf8');
  const { entries, faults } = mappingOf(text, null);
  const told = faults.map(({ line, text: said }) => `${line}: not understood: ${said.trim()}`);
  if (entries.length > maxNames) throw new Error(`${mapping} has more than ${maxNames} names and notes`);
  const names: CodeNames['names'] = [];
  const notes: CodeNames['notes'] = [];
  for (let waiting: readonly MappingEntry[] = entries; waiting.length > 0; ) {
    const again: MappingEntry[] = [];
    const verdicts = await verdictsOn(pool, path, { ...noNames, names, notes }, waiting);
    for (const [index, entry] of waiting.entries()) {
      const { fault, by } = verdicts[index]!;
      const [next, ...others] = entry.others ?? [];
      if (fault === 'unknown' && next !== undefined) again.push({ ...entry, symbol: next, others });
      else if (fault !== null) told.push(`${entry.line}: ${fault}: ${entry.symbol} = ${entry.text} ${by}`);
      else if (entry.kind === 'note') notes.push([entry.symbol, entry.address, entry.text]);
      else names.push([entry.symbol, entry.text]);
    }
    waiting = again;
  }
  for (const line of told.slice(0, maxTold)) process.stderr.write(`${terminalText(`${mapping}:${line}`)}\n`);
  if (told.length > maxTold)
    process.stderr.write(`… and ${told.length - maxTold} more lines that were not taken over\n`);
  return { ...noNames, version: mapping, names, notes };
}

async function verdictsOn(
  pool: WorkerPool,
  path: string,
  names: CodeNames,
  entries: readonly MappingEntry[],
): Promise<NameVerdicts['results']> {
  const changes = entries.map(({ kind, symbol, address, text }) => ({
    symbol,
    address,
    name: kind === 'name' ? text : null,
  }));
  const question = { ask: 'name-check', changes } as const;
  const reply = await pool.run({ kind: 'explore', file: { kind: 'plain', path }, question, names });
  if (reply.status === 'failed') throw new Error(reply.message);
  if (reply.result.status !== 'answered' || reply.result.ask !== 'name-check') throw new Error('the file is no APK');
  return reply.result.answer.results;
}

const descriptorOf = (name: string): string => (/^L.*;$/.test(name) ? name : `L${name.replaceAll('.', '/')};`);

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
