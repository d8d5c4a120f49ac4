// `npm run bench -- import`: the server imports a folder of tiny APKs, and the command line does once more what it skips: files in a
// second and memory by tenths, as Markdown.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { noteServerAddress } from '../../server/app/server-address.ts';
import { startKillable } from '../fixtures/killable-workstation.ts';
import { commandLine } from '../fixtures/program.ts';
import { splitApp } from '../fixtures/split-app.ts';

/** `FILES=10000` for fewer. */
const count = Number(process.env.FILES ?? 100_000);
const filesPerFolder = 5_000;
const tenths = 10;

/** Files of one app that differ in their archives' comments alone. */
function makeFiles(folder: string): number {
  const base = splitApp('an import')['base.apk']!;
  const end = base.length - 22;
  let bytes = 0;
  for (let index = 0; index < count; index++) {
    const inner = join(folder, String(Math.floor(index / filesPerFolder)));
    if (index % filesPerFolder === 0) mkdirSync(inner);
    const mark = Buffer.from(String(index).padStart(8, '0'));
    const file = Buffer.concat([base.subarray(0, end + 20), Buffer.from([mark.length, 0]), mark]);
    writeFileSync(join(inner, `${index}.apk`), file);
    bytes += file.length;
  }
  return bytes;
}

/** MiB. */
const memoryOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024;

async function peakOf(child: ChildProcess): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    if (child.exitCode === null) peak = Math.max(peak, memoryOf(child.pid!, 'VmHWM'));
  }, 100);
  await once(child, 'exit');
  clearInterval(timer);
  return peak;
}

export async function importFigures(print: (line: string) => void): Promise<void> {
  const [dataDir, folder] = ['data', 'files'].map((name) =>
    mkdtempSync(join(tmpdir(), `apk-workstation-bench-${name}-`)),
  );
  await using workstation = await startKillable(dataDir!);
  try {
    const bytes = makeFiles(folder!);
    print(`\n### Import of ${count} files of ${Math.round(bytes / count)} bytes, analyses off\n`);
    print('| files | seconds | files/s since the row above | memory of the server, MiB |');
    print('| --- | --- | --- | --- |');
    const begun = performance.now();
    const { id } = await workstation.ask('/imports/', 'POST', { path: folder });
    let [before, told] = [begun, 0];
    for (let tenth = 1; tenth <= tenths; ) {
      const { state, done_files: done, problem } = await workstation.ask(`/imports/${id}/`);
      if (state === 'stopped') throw new Error(problem);
      if (done >= (count * tenth) / tenths) {
        const now = performance.now();
        const rate = ((done - told) * 1000) / (now - before);
        const memory = memoryOf(workstation.pid, 'VmRSS').toFixed(0);
        print(`| ${done} | ${((now - begun) / 1000).toFixed(0)} | ${rate.toFixed(0)} | ${memory} |`);
        [before, told] = [now, done];
        tenth = Math.floor((done * tenths) / count) + 1;
      } else await pause(200);
    }
    print(`\nAt most the server had ${memoryOf(workstation.pid, 'VmHWM').toFixed(0)} MiB.`);
    noteServerAddress(dataDir!, workstation.url);
    const words = [commandLine, 'import', folder!, '--recursive', '--data-dir', dataDir!];
    const again = performance.now();
    const importing = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    importing.stdout.on('data', (text: Buffer) => (said += text.toString()));
    const peak = await peakOf(importing);
    const seconds = ((performance.now() - again) / 1000).toFixed(0);
    print(
      `The command line's \`import\` of the same folder (${said.trim()}) took ${seconds} s and ${peak.toFixed(0)} MiB.`,
    );
  } finally {
    await workstation.kill();
    for (const one of [dataDir!, folder!]) rmSync(one, { recursive: true, force: true });
  }
}
