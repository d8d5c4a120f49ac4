// The YARA part of `npm run bench`: our engines beside Debian's yara, on the same bytes and rules. Knows how to print tables only.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Findings } from '../../server/engine/findings.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { openNativeEngine } from '../../server/engine/yara/engines/native-engine.ts';
import { leanHeap } from '../../server/jobs/worker-launch.ts';
import { memorySource } from '../../server/vault/byte-source.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { type Cost, inTurn, measure, selfMeasured } from './measured-process.ts';
import { collectionTable } from './yara-collection.ts';
import { typicalRules, typicalRulesets } from './yara-rules.ts';

const root = join(import.meta.dirname, '../..');
const script = 'yara-once.js';
type Engine = 'native' | 'wasm';

export interface Table {
  title: string;
  head: string[];
  rows: string[][];
}

const figure = (value: number, digits = 2) => value.toFixed(digits);

/** Yara's own cost of starting and loading its rules is measured on an empty file and taken away. */
export async function yaraTables(): Promise<Table[]> {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-yara-'));
  const available: Engine[] = openNativeEngine() === null ? ['wasm'] : ['native', 'wasm'];
  build(folder);
  const tables = [rawTable(folder, available.slice(0, 1)), apkTable(folder, available)];
  if (available.includes('native')) tables.push(await collectionTable(folder, (...words) => worker(folder, ...words)));
  rmSync(folder, { recursive: true });
  return tables;
}

/** As in the packaged program: types are stripped beforehand, for which Node would keep 20 MiB in every process. */
function build(folder: string): void {
  const words = [
    '-c',
    join(root, 'rolldown.config.ts'),
    '--input',
    join(root, 'test/bench/yara-once.ts'),
    '--dir',
    folder,
  ];
  execFileSync(process.execPath, [join(root, 'node_modules/rolldown/bin/cli.mjs'), ...words], { stdio: 'ignore' });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}

const worker = (folder: string, ...words: string[]) => [...leanHeap, join(folder, script), ...words];

function rawTable(folder: string, available: readonly Engine[]): Table {
  const yara = systemTool('yara').path;
  const head = ['bytes', 'MB', 'rules', 'yara, s', 'yara, MiB'];
  for (const engine of available)
    head.push(`${engine}, s`, `yara ÷ ${engine}`, `${engine}, MiB`, '÷ yara', 'more than idle, MiB', '÷ yara');
  const files = { 'an APK as it is': realApks.uiautomator2Server, 'its dex files': join(folder, 'dex') };
  writeFileSync(files['its dex files'], dexOf(realApks.uiautomator2Server));
  const empty = join(folder, 'empty');
  writeFileSync(empty, '');
  const idle = Object.fromEntries(
    available.map((engine) => [
      engine,
      selfMeasured<Cost>(process.execPath, ...worker(folder, 'idle', '', '', engine)).memory,
    ]),
  );
  const rows: string[][] = [];
  for (const count of [50, 500, 6_000]) {
    const rules = join(folder, `${count}.yar`);
    const texts = typicalRules(count);
    writeFileSync(rules, texts.join('\n'));
    const rulesets = join(folder, `${count}.json`);
    writeFileSync(rulesets, JSON.stringify(texts.map((text, index) => ({ id: String(index), rules: text }))));
    const kept = (engine: Engine) => join(folder, `${count}-${engine}`);
    for (const engine of available) {
      mkdirSync(kept(engine));
      measure(process.execPath, ...worker(folder, 'keep', rulesets, kept(engine), engine));
    }
    const compiled = join(folder, `${count}.yarc`);
    if (yara !== null) measure('yarac', '-w', rules, compiled);
    for (const [name, path] of Object.entries(files)) {
      const peak: Record<string, number> = {};
      const keep = (label: string, { cpu, memory }: Cost) => {
        peak[label] = Math.max(peak[label] ?? 0, memory);
        return cpu;
      };
      const own = (engine: Engine) => () =>
        keep(
          engine,
          selfMeasured<Cost>(process.execPath, ...worker(folder, 'raw', rulesets, kept(engine), engine, path)),
        );
      const cost = inTurn(3, {
        ...Object.fromEntries(available.map((engine) => [engine, own(engine)])),
        ...(yara === null
          ? {}
          : {
              yara: () => keep('yara', measure(yara, '-C', compiled, path)),
              start: () => measure(yara, '-C', compiled, empty).cpu,
            }),
      } as Record<string, () => number>);
      const reference = yara === null ? null : cost.yara! - cost.start!;
      const row = [name, figure(readFileSync(path).length / 1e6, 1), String(count)];
      row.push(reference === null ? '–' : figure(reference), reference === null ? '–' : figure(peak.yara!, 0));
      for (const engine of available) {
        row.push(figure(cost[engine]!), reference === null ? '–' : figure(reference / cost[engine]!, 1));
        for (const mebibytes of [peak[engine]!, peak[engine]! - idle[engine]!])
          row.push(figure(mebibytes, 0), reference === null ? '–' : figure(mebibytes / peak.yara!, 2));
      }
      rows.push(row);
    }
  }
  return { title: 'Raw scanning beside yara: CPU seconds, and peak memory of the whole process', head, rows };
}

function apkTable(folder: string, available: readonly Engine[]): Table {
  const rulesets = join(folder, 'rulesets.json');
  writeFileSync(rulesets, JSON.stringify(typicalRulesets(500)));
  const rows = available.map((engine) => {
    const kept = join(folder, `rulesets-${engine}`);
    mkdirSync(kept);
    const words = worker(folder, 'apk', rulesets, kept, engine, realApks.uiautomator2Server);
    const cost = selfMeasured<Record<string, number>>(process.execPath, ...words);
    return [
      engine,
      ...['compile', 'load', 'first', 'again'].map((name) => figure(cost[name]!)),
      figure(cost.memory!, 0),
    ];
  });
  return {
    title: '500 rulesets and the APK of 18 MB with 3,841 files in it: CPU seconds',
    head: ['engine', 'compile cold, s', 'load kept form, s', 'first scan, s', 'next scan, s', 'memory, MiB'],
    rows,
  };
}

function dexOf(path: string): Uint8Array {
  const archive = openZip(memorySource(readFileSync(path)), new Findings());
  const entries = archive.entries.filter(({ name }) => /^classes\d*\.dex$/.test(name));
  return Buffer.concat(entries.map((entry) => archive.read(entry)));
}
