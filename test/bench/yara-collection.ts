// The large collection in the YARA part of `npm run bench`: 35,000 rules in 2,500 files, through the pool of workers as the
// service side runs them, beside Debian's yara with the same rules and files. Knows how to make tables only.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Findings } from '../../server/engine/findings.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { createWorkerPool } from '../../server/jobs/worker-pool.ts';
import { CompiledRulesFolder } from '../../server/services/rules/compiled-rules-folder.ts';
import { memoryFor } from '../../server/services/rules/ruleset-isolation.ts';
import { memorySource } from '../../server/vault/byte-source.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { type Cost, measure, selfMeasured } from './measured-process.ts';
import { ruleCollection } from './rule-collection.ts';
import type { Table } from './yara.ts';

const ruleCount = 35_000;
const fileCount = 2500;
/** Bytes of a program for Windows, in which the rules of that kind are run. */
const windowsProgram = Buffer.concat([Buffer.from('MZ'), Buffer.alloc(4094)]);

const figure = (value: number, digits = 2) => value.toFixed(digits);

interface Held extends Cost {
  load: number;
  first: number;
  again: number;
  small: number;
  windows: number;
  resident: number;
}

/** @param worker the words that start `yara-once.ts` */
export async function collectionTable(folder: string, worker: (...words: string[]) => string[]): Promise<Table> {
  const rows: string[][] = [];
  const ratio = (own: number, other: number | null) => (other === null ? '–' : figure(own / other));
  const texts = ruleCollection(ruleCount, fileCount).map(({ name, rules }) => ({ id: name, rules }));
  const kept = join(folder, 'collection');
  const { compile, sent, wall } = await throughThePool(kept, texts);
  const rulesets = join(folder, 'collection.json');
  writeFileSync(rulesets, JSON.stringify(sent));
  const apk = realApks.uiautomator2Server;
  const idle = selfMeasured<Held>(process.execPath, ...worker('idle', '', '', 'native')).memory;
  writeFileSync(join(folder, 'small'), readFileSync(realApks.unlock));
  writeFileSync(join(folder, 'windows'), windowsProgram);
  const own = selfMeasured<Held>(process.execPath, ...worker('collection', rulesets, kept, 'native', apk));
  const yara = yaraCosts(folder, texts, apk);
  rows.push([
    'compile, CPU s',
    figure(compile, 0),
    figure(yara?.compile ?? 0, 0),
    ratio(compile, yara?.compile ?? null),
  ]);
  rows.push(['load, CPU s', figure(own.load), figure(yara?.load ?? 0), ratio(own.load, yara?.load ?? null)]);
  rows.push(['and for the first program for Windows, CPU s', figure(own.windows), '–', '–']);
  const more = own.resident - idle;
  rows.push([
    'memory above an idle worker, MiB',
    figure(more, 0),
    figure(yara?.memory ?? 0, 0),
    ratio(more, yara?.memory ?? null),
  ]);
  const most = own.memory - idle;
  rows.push([
    'at most, with the rules for programs of every kind, MiB',
    figure(most, 0),
    figure(yara?.memory ?? 0, 0),
    ratio(most, yara?.memory ?? null),
  ]);
  for (const [name, cpu] of [
    ['first', own.first],
    ['next', own.again],
  ] as const)
    rows.push([
      `APK of 18 MB with 3,841 files, ${name}, CPU s`,
      figure(cpu),
      figure(yara?.scan ?? 0),
      ratio(cpu, yara?.scan ?? null),
    ]);
  rows.push(['APK of 35 kB, CPU s', figure(own.small), '–', '–']);
  rows.push(['by the clock through the pool, in seconds: first', figure(wall[0]!), '–', '–']);
  rows.push(['next, the slowest of five', figure(Math.max(...wall.slice(1))), '–', '–']);
  return {
    title: `${ruleCount} rules in ${fileCount} files, as public collections have them`,
    head: ['what', 'workstation', 'yara', 'ratio'],
    rows,
  };
}

/** Compiles for later, and scans the small APK some times as the service side does. */
async function throughThePool(path: string, texts: readonly { id: string; rules: string }[]) {
  const readableFolders = [path, dirname(realApks.unlock)];
  const failures: unknown[] = [];
  const log = { warn: (details: object) => failures.push(details), error: (details: object) => failures.push(details) };
  const pool = createWorkerPool({ readableFolders, isBackground: false, concurrency: 1, log });
  const compiled = new CompiledRulesFolder(path, pool, log);
  let compile = 0;
  const noted = pool.run.bind(pool);
  pool.run = async (task, options) => {
    const reply = await noted(task, options);
    if (task.kind === 'prepare' && reply.status !== 'failed')
      compile += (reply.result as { timings: Record<string, number> }).timings.compile! / 1000;
    return reply;
  };
  await compiled.prepare(texts);
  let sent: object[] = [];
  const wall: number[] = [];
  const reports = { androguard: null, cuckoo: null, droidbox: null };
  const file = { kind: 'plain', path: realApks.unlock } as const;
  for (let time = 0; time < 6; time++) {
    const started = performance.now();
    const reply = await compiled.run(texts, (part) => {
      sent = part.rulesets.map(({ id, key }) => ({ id, key }));
      return pool.run({ kind: 'yara', file, ...part, reports }, memoryFor(texts));
    });
    if (reply.status === 'failed') throw new Error(reply.message);
    wall.push((performance.now() - started) / 1000);
  }
  await pool.close();
  if (failures.length > 0) throw new Error(`a worker did not last: ${JSON.stringify(failures)}`);
  return { compile, sent, wall };
}

/** Null where there is no yara. The time of its start with the rules is measured on an empty file, and taken from its scan. */
function yaraCosts(folder: string, texts: readonly { id: string; rules: string }[], apk: string) {
  const yara = systemTool('yara').path;
  if (yara === null) return null;
  const sources = join(folder, 'sources');
  const files = join(folder, 'files');
  for (const path of [sources, files]) mkdirSync(path);
  for (const { id, rules } of texts) writeFileSync(join(sources, id), rules);
  const bytes = readFileSync(apk);
  writeFileSync(join(files, 'apk'), bytes);
  const archive = openZip(memorySource(bytes), new Findings());
  for (const [index, entry] of archive.entries.entries()) writeFileSync(join(files, `${index}`), archive.read(entry));
  const empty = join(folder, 'nothing');
  writeFileSync(empty, '');
  const compiled = join(folder, 'collection.yarc');
  const compile = measure('yarac', '-w', ...texts.map(({ id }) => join(sources, id)), compiled).cpu;
  const load = measure(yara, '-C', compiled, empty).cpu;
  const scan = measure(yara, '-p', '1', '-r', '-C', compiled, files);
  return { compile, load, scan: scan.cpu - load, memory: scan.memory };
}
