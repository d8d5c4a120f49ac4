// `npm run bench`: the figures of test/bench/README.md, as Markdown tables. `npm run bench -- static` runs one part.
import { spawnSync } from 'node:child_process';
import { createHash, type Hash } from 'node:crypto';
import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { FileStore } from '../../server/store/files/file-store.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { apkLadder } from './apk-ladder.ts';
import { contentFigures } from './contents.ts';
import { decompilingTable } from './decompiling.ts';
import { explorationTable } from './exploration.ts';
import { familyFigures } from './families.ts';
import { huntFigures } from './hunts.ts';
import { importFigures } from './imports.ts';
import { indexingFigures, indexSize } from './indexing.ts';
import { interfaceFigures } from './interface.ts';
import { interpreterTable } from './interpreter.ts';
import { load } from './load.ts';
import { type Cost, inTurn, measure, median, selfMeasured } from './measured-process.ts';
import { readabilityTables } from './readability.ts';
import { searches } from './search.ts';
import { similarFigures, similarHead } from './similar.ts';
import { yaraTables } from './yara.ts';

const here = import.meta.dirname;
const once = (program: string, script: string, path: string) => selfMeasured<Cost>(program, join(here, script), path);
const print = (line = '') => process.stdout.write(`${line}\n`);
const figure = (value: number, digits = 2) => value.toFixed(digits);
const row = (...cells: (string | number)[]) => print(`| ${cells.join(' | ')} |`);
const head = (...cells: string[]) => {
  row(...cells);
  row(...cells.map(() => '---'));
};

function staticReports(): void {
  print('\n### Static report: CPU seconds in a fresh process on one core, process start not counted\n');
  head(
    'APK, MB',
    'report, s',
    'androguard, s',
    'times faster',
    'unzip -t + dexdump -d, s',
    'report ÷ these',
    'report, MiB',
    'androguard, MiB',
    'CPU s per MB',
  );
  const unzip = systemTool('unzip').path;
  const dexdump = systemTool('dexdump').path;
  const hasAndroguard = systemTool('androguard').path !== null;
  for (const { path, size } of apkLadder()) {
    const memory = { report: 0, androguard: 0 };
    const report = () => {
      const cost = once(process.execPath, 'static-report-once.ts', path);
      memory.report = Math.max(memory.report, cost.memory);
      return cost.cpu;
    };
    const tools = () => measure(unzip!, '-t', '-qq', path).cpu + measure(dexdump!, '-d', path).cpu;
    const seconds = inTurn(5, { report, ...(unzip && dexdump ? { tools } : {}) } as Record<
      'report' | 'tools',
      () => number
    >);
    // Minutes and gigabytes at the largest: once is enough, and at 60 MB too much.
    const androguardRuns = !hasAndroguard || size > 50 ? 0 : size > 10 ? 1 : 3;
    const androguard = Array.from({ length: androguardRuns }, () => {
      const cost = once('/usr/bin/python3', 'androguard-once.py', path);
      memory.androguard = Math.max(memory.androguard, cost.memory);
      return cost.cpu;
    });
    const reference = androguard.length > 0 ? median(androguard) : null;
    row(
      figure(size),
      figure(seconds.report),
      reference === null ? '–' : figure(reference),
      reference === null ? '–' : figure(reference / seconds.report, 1),
      seconds.tools === undefined ? '–' : figure(seconds.tools),
      // GNU time counts hundredths of a second.
      seconds.tools === undefined || seconds.tools < 0.1 ? '–' : figure(seconds.report / seconds.tools),
      figure(memory.report, 0),
      reference === null ? '–' : figure(memory.androguard, 0),
      figure(seconds.report / size, 3),
    );
  }
}

function warmWorker(): void {
  print('\n### Identity and signatures in a warm worker: CPU milliseconds\n');
  head(
    'APK, MB',
    'identity',
    'aapt dump badging',
    'identity ÷ aapt',
    'signatures',
    'apksigner verify',
    'apksigner ÷ signatures',
  );
  const aapt = systemTool('aapt').path;
  const apksigner = systemTool('apksigner').path;
  for (const { path, size } of apkLadder().filter((rung) => rung.size < 20)) {
    const runs = Array.from({ length: 3 }, () =>
      selfMeasured<{ identity: number; signatures: number }>(process.execPath, join(here, 'warm-worker.ts'), path),
    );
    const identity = median(runs.map((run) => run.identity));
    const signatures = median(runs.map((run) => run.signatures));
    const badging = aapt === null ? null : median(Array.from({ length: 5 }, () => aaptCost(aapt, path)));
    const verify = apksigner === null ? null : median(Array.from({ length: 3 }, () => signerCost(apksigner, path)));
    row(
      figure(size),
      figure(identity, 1),
      badging === null ? '–' : figure(badging, 1),
      badging === null ? '–' : figure(identity / badging),
      figure(signatures, 1),
      verify === null ? '–' : figure(verify, 0),
      verify === null ? '–' : figure(verify / signatures, 0),
    );
  }
}

/** GNU time counts hundredths of a second, which aapt hardly needs: twenty runs at once. */
const aaptCost = (aapt: string, path: string): number =>
  (measure(
    '/bin/sh',
    '-c',
    'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do "$0" dump badging "$1" >/dev/null; done',
    aapt,
    path,
  ).cpu *
    1000) /
  20;

/** apksigner answers 1 where the signature does not hold. */
const signerCost = (apksigner: string, path: string): number =>
  measure('/bin/sh', '-c', '"$0" verify "$1" >/dev/null 2>&1 || true', apksigner, path).cpu * 1000;

async function upload(): Promise<void> {
  print('\n### Taking bytes into the file store, without fsync, against hashing alone: wall-clock milliseconds\n');
  head('APK, MB', 'hashing alone (MD5, SHA-1, SHA-256)', 'hashing, sealing and writing', 'ratio');
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-store-'));
  const store = new FileStore({ folder, masterKey: Buffer.alloc(32, 7), isDurable: false, onState: () => undefined });
  const bytes = (path: string) => createReadStream(path, { highWaterMark: 1 << 20 });
  for (const { path, size } of apkLadder().filter((rung) => rung.size > 10)) {
    const hashing: number[] = [];
    const storing: number[] = [];
    for (let run = 0; run < 9; run++) {
      let start = performance.now();
      const hashes: Hash[] = ['md5', 'sha1', 'sha256'].map((name) => createHash(name));
      for await (const chunk of bytes(path)) for (const hash of hashes) hash.update(chunk);
      for (const hash of hashes) hash.digest();
      hashing.push(performance.now() - start);
      start = performance.now();
      const received = await store.receive(bytes(path));
      await received.commit();
      storing.push(performance.now() - start);
      await store.remove(received.sha256);
    }
    row(
      figure(size),
      figure(median(hashing), 0),
      figure(median(storing), 0),
      figure(median(storing) / median(hashing)),
    );
  }
  rmSync(folder, { recursive: true });
}

async function yara(): Promise<void> {
  for (const { title, head: names, rows } of await yaraTables()) {
    print(`\n### ${title}\n`);
    head(...names);
    for (const cells of rows) row(...cells);
  }
}

function interpreter(): void {
  print('\n### The Dalvik interpreter, warm, on one core\n');
  const table = interpreterTable();
  head(...table.head);
  for (const cells of table.rows) row(...cells);
}

function machine(): void {
  const version = (program: string, ...words: string[]) =>
    spawnSync(program, words, { encoding: 'utf8' }).stdout?.split('\n')[0]?.trim() ?? 'not installed';
  print(
    `- ${cpus().length} × ${cpus()[0]?.model}, ${figure(totalmem() / 2 ** 30, 0)} GiB, ${process.platform} ${process.arch}`,
  );
  print(
    `- Node ${process.version}; androguard ${version('/usr/bin/python3', '-c', 'import androguard; print(androguard.__version__)')}; apksigner ${version('apksigner', '--version')}; ${version('aapt', 'version')}`,
  );
  print(`- ${new Date().toISOString().slice(0, 10)}`);
}

async function windowFigures(): Promise<void> {
  const { interactive, script, frames, slowestFrame } = await interfaceFigures();
  print('\n### The window with 100,000 APKs: Chromium without a graphics card, median of five starts\n');
  head(
    'first rows, s',
    'JavaScript of the first screen, kB as it travels',
    'frames/s scrolling 10,000 rows',
    'slowest frame, ms',
  );
  row(figure(interactive / 1000), Math.round(script / 1000), figure(frames, 0), figure(slowestFrame, 0));
}

const parts: Record<string, () => void | Promise<void>> = {
  static: staticReports,
  warm: warmWorker,
  upload,
  search: () => searches(),
  load,
  yara,
  dynamic: interpreter,
  explore: () => explorationTable(print),
  decompile: () => decompilingTable(print),
  hunts: () => huntFigures(print, { count: 150, dexFiles: 2, otherFiles: 40 }),
  'hunts-large': () => huntFigures(print, { count: 10_000, dexFiles: 1, otherFiles: 8 }),
  import: () => importFigures(print),
  contents: () => contentFigures(print),
  indexing: () => {
    indexingFigures(print);
    indexSize(print);
  },
  families: async () => {
    for (const size of [8000, 40_000, 100_000]) await familyFigures(print, size);
  },
  similar: async () => {
    similarHead(print);
    for (const size of [100_000, 1_000_000]) await similarFigures(print, size);
  },
  interface: windowFigures,
  readability: () => readabilityTables(print),
};
/** It takes an hour, and 20 GB of the disk. */
const onlyByName = 'hunts-large';
const wanted = process.argv.slice(2);
machine();
for (const [name, part] of Object.entries(parts))
  if (wanted.length === 0 ? name !== onlyByName : wanted.includes(name)) await part();
