// What each file of Java costs that is made of the real APKs. Prints a Markdown table.
import { dexEntries } from '../../server/engine/app/app-package.ts';
import { DecompiledProgram } from '../../server/engine/decompiler/decompiler.ts';
import type { Extent } from '../../server/engine/decompiler/limits.ts';
import { Findings } from '../../server/engine/findings.ts';
import { openDexContainer } from '../../server/engine/formats/dex/dex.ts';
import { openZip } from '../../server/engine/formats/zip/archive.ts';
import { fileSource } from '../../server/vault/byte-source.ts';
import { realApks } from '../fixtures/real-apks.ts';

/** Rounds over an app before the one that is told: the code is warm then. */
const rounds = 2;

const cpuMilliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

export function decompilingTable(print: (line: string) => void): void {
  print('\n### Java source file by file, warm, in one process: CPU milliseconds\n');
  print('| APK | asked for | files | methods | cut | median / p95 / p99 / most | methods per CPU second |');
  print(`|${' --- |'.repeat(7)}`);
  for (const name of ['settings', 'apiDemos', 'uiautomator2Server'] as const) {
    const program = programOf(realApks[name]);
    for (let round = 0; round < rounds; round++) for (const type of program.types) program.file(type);
    for (const extent of ['first', 'whole'] as const) print(row(name, program, extent));
  }
}

function programOf(apk: string): DecompiledProgram {
  const findings = new Findings();
  const archive = openZip(fileSource(apk), findings);
  const dexes = dexEntries(archive).flatMap((entry) => openDexContainer(archive.read(entry), findings, entry.name));
  return new DecompiledProgram(dexes);
}

function row(name: string, program: DecompiledProgram, extent: Extent): string {
  const times: number[] = [];
  let [methods, lost] = [0, 0];
  const started = cpuMilliseconds();
  for (const type of program.types) {
    const start = cpuMilliseconds();
    const file = program.file(type, extent);
    times.push(cpuMilliseconds() - start);
    methods += file.methods;
    lost += file.lost;
  }
  const seconds = (cpuMilliseconds() - started) / 1000;
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]!.toFixed(1);
  const spread = `${at(0.5)} / ${at(0.95)} / ${at(0.99)} / ${at(1)}`;
  const cells = [name, extent, times.length, methods, lost, spread, Math.round(methods / seconds)];
  return `| ${cells.join(' | ')} |`;
}
