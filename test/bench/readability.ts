// How readable the Java is that we make of the real APKs, beside what procyon and androguard's DAD make. Prints a Markdown table.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dexEntries } from '../../server/engine/app/app-package.ts';
import { decompileDexes } from '../../server/engine/decompiler/decompiler.ts';
import { Findings } from '../../server/engine/findings.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { fileSource } from '../../server/vault/byte-source.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { nothingRead, type Readability, readInto } from './java-readability.ts';
import { measure, selfMeasured } from './measured-process.ts';

interface Reading {
  readonly tool: string;
  readonly read: Readability;
  /** CPU seconds. */
  readonly seconds: number;
  /** Methods that the tool says it could not do. */
  readonly lost: number;
  /** Methods with a variable that says where to go on; null where the tool has none. */
  readonly dispatched: number | null;
}

export function readabilityTables(print: (line: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-bench-readability-'));
  const apks = { settings: realApks.settings, ApiDemos: realApks.apiDemos, uiautomator2: realApks.uiautomator2Server };
  const missing = [systemTool('androguard'), systemTool('procyon'), systemTool('enjarify')].flatMap(
    ({ skip }) => skip || [],
  );
  for (const line of missing) print(`\n${line}`);
  for (const [name, apk] of Object.entries(apks)) {
    print(`\n### Readability of ${name}: for each 1,000 methods that are written\n`);
    const head = [
      '',
      'methods',
      'lost',
      'dispatch variables',
      'labels',
      'casts',
      'variables by number',
      'by type',
      'of',
      'mean depth',
      'deeper than 4',
      'lines',
      'over 120 wide',
      'CPU s',
    ];
    print(`| ${head.join(' | ')} |`);
    print(`|${' --- |'.repeat(head.length)}`);
    for (const reading of [own(apk), ...procyon(apk, folder), ...dad(apk, folder)]) print(row(reading));
  }
  rmSync(folder, { recursive: true });
}

function row({ tool, read, seconds, lost, dispatched }: Reading): string {
  const of = (count: number) => Math.round((count * 1000) / read.methods);
  const cells = [
    tool,
    read.methods,
    lost,
    dispatched ?? '–',
    of(read.labels),
    of(read.casts),
    of(read.unnamed),
    of(read.calledByType),
    of(read.variables),
    (read.depth / read.methods).toFixed(2),
    of(read.deep),
    of(read.lines),
    of(read.longLines),
    seconds.toFixed(1),
  ];
  return `| ${cells.join(' | ')} |`;
}

function own(apk: string): Reading {
  const archive = openZip(fileSource(apk), new Findings());
  const dexes = dexEntries(archive).map((entry) => archive.read(entry));
  const started = process.cpuUsage();
  const sources: string[] = [];
  let [lost, dispatched] = [0, 0];
  for (const file of decompileDexes(dexes)) {
    sources.push(file.source);
    lost += file.lost;
    dispatched += file.dispatched;
  }
  const { user, system } = process.cpuUsage(started);
  return { tool: 'ours', read: readAll(sources), seconds: (user + system) / 1e6, lost, dispatched };
}

/** Procyon reads class files, which enjarify makes. */
function procyon(apk: string, folder: string): Reading[] {
  const program = systemTool('procyon').path;
  if (program === null || systemTool('enjarify').path === null) return [];
  const [jar, out] = [join(folder, 'classes.jar'), join(folder, 'procyon')];
  measure('/usr/bin/python3', '-O', '-m', 'enjarify.main', '--force', '-o', jar, apk);
  const { cpu } = measure(program, '-jar', jar, '-o', out);
  const sources = [...sourcesIn(out)];
  const lost = sources.reduce((sum, source) => sum + source.split('This method could not be decompiled').length - 1, 0);
  rmSync(out, { recursive: true });
  return [{ tool: 'procyon', read: readAll(sources), seconds: cpu, lost, dispatched: null }];
}

function dad(apk: string, folder: string): Reading[] {
  if (systemTool('androguard').path === null) return [];
  const out = join(folder, 'dad.java');
  const script = join(import.meta.dirname, 'dad-once.py');
  const { lost, cpu } = selfMeasured<{ lost: number; cpu: number }>('/usr/bin/python3', script, apk, out);
  return [{ tool: 'DAD', read: readAll(readFileSync(out, 'utf8').split('\0')), seconds: cpu, lost, dispatched: null }];
}

function* sourcesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* sourcesIn(path);
    else yield readFileSync(path, 'utf8');
  }
}

function readAll(sources: Iterable<string>): Readability {
  const sum = nothingRead();
  for (const source of sources) readInto(sum, source);
  return sum;
}
