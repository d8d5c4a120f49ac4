// `npm run bench -- similar`: what an APK is like, asked over HTTP of a large catalogue, as Markdown tables.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { openStore } from '../../server/store/store.ts';
import { dice, largeCatalogue } from './large-catalogue.ts';
import type { DelayMessage, LoadServerMessage } from './load-server.ts';
import { fillSimilar } from './similar-catalogue.ts';

const questions = 400;

interface Figures {
  /** Milliseconds. */
  first: number;
  times: number[];
  /** Processor's milliseconds of all threads for each question. */
  cpu: number;
  heldUp: number;
  found: number;
  /** MiB. */
  idle: number;
  memory: number;
}

/** MiB that no file backs. */
function memoryOf(pid: number): number {
  const [, kibibytes] = /^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kibibytes) / 1024;
}

/** SHA-256 of APKs from anywhere in the catalogue. */
function chosen(path: string, count: number): string[] {
  const database = new SqliteDatabase(path, { readonly: true });
  const { below } = dice(23);
  const find = database.prepare(
    'select lower(hex(a.sha256)) from code_sketches s join apks a on a.id = s.apk_id where s.apk_id >= ? limit 1',
  );
  const found = Array.from({ length: questions }, () => find.pluck().get(1 + below(count - 100)) as string);
  database.close();
  return found;
}

async function asked(dataDir: string, sha256s: readonly string[]): Promise<Figures> {
  const server = fork(join(import.meta.dirname, 'load-server.ts'), [dataDir], { stdio: 'inherit' });
  const [{ url, token }] = (await once(server, 'message')) as [LoadServerMessage];
  const ask = async (sha256: string) => {
    const from = performance.now();
    const answer = await fetch(`${url}/apks/${sha256}/similar/`, { headers: { authorization: `Token ${token}` } });
    const { count } = (await answer.json()) as { count: number };
    return { time: performance.now() - from, count };
  };
  const told = async () => {
    server.send('tell');
    return (await once(server, 'message'))[0] as DelayMessage;
  };
  const idle = memoryOf(server.pid!);
  const first = (await ask(sha256s[0]!)).time;
  const before = await told();
  const times: number[] = [];
  let found = 0;
  for (const sha256 of sha256s) {
    const { time, count } = await ask(sha256);
    times.push(time);
    found += count;
  }
  const after = await told();
  const memory = memoryOf(server.pid!);
  server.send('end');
  await once(server, 'exit');
  const cpu = ((after.cpu - before.cpu) * 1000) / times.length;
  return { first, times, cpu, heldUp: after.longest, found: found / times.length, idle, memory };
}

/** @param print what tells a line of Markdown @param catalogueSize APKs, for whose tables a gigabyte of the disk is there for each 100,000 */
export async function similarFigures(print: (line?: string) => void, catalogueSize: number): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-similar-'));
  try {
    cpSync(await largeCatalogue(catalogueSize), dataDir, { recursive: true });
    await (await openStore(dataDir, { log: { info: () => undefined, warn: () => undefined } })).close();
    const path = join(dataDir, 'catalogue.db');
    fillSimilar(path);
    const { first, times, cpu, heldUp, found, idle, memory } = await asked(dataDir, chosen(path, catalogueSize));
    times.sort((a, b) => a - b);
    const at = (part: number) => times[Math.ceil(times.length * part) - 1]!.toFixed(0);
    const cells = [
      catalogueSize.toLocaleString('en'),
      `${at(0.5)} / ${at(0.95)} / ${at(0.99)} / ${at(1)}`,
      cpu.toFixed(0),
      first.toFixed(0),
      heldUp.toFixed(0),
      found.toFixed(0),
      `${idle.toFixed(0)} / ${memory.toFixed(0)}`,
      (statSync(path).size / 2 ** 30).toFixed(1),
    ];
    print(`| ${cells.join(' | ')} |`);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
}

/** The head of the table that each size adds a line to. */
export function similarHead(print: (line?: string) => void): void {
  const head = [
    ...['APKs', 'median / p95 / p99 / most, ms', 'CPU ms each', 'the first one, ms', 'event loop held up at most, ms'],
    ...['found each', 'memory before / after, MiB', 'database, GiB'],
  ];
  print('\n### What an APK is like, over HTTP\n');
  print(`| ${head.join(' | ')} |`);
  print(`| ${head.map(() => '---').join(' | ')} |`);
}
