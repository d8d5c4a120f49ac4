// The installed command `apk-workstation`, which builds what it runs.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { treeRoot } from '../../architecture/import-boundaries.ts';
import { isRunning } from '../../fixtures/running.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/until.ts';

const runIn = (root: string, ...words: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'server/app/apk-workstation.mjs'), ...words], (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });

/** A checkout of its own, where nothing is built yet: other tests run what is built in this one. */
const checkout = temporaryFolder('checkout');
const copied = ['main', 'server', 'resources', ...['package.json', 'package-lock.json']];
for (const name of [...copied, 'tsconfig.json', 'rolldown.config.ts']) {
  cpSync(join(treeRoot, name), join(checkout, name), { recursive: true });
}
symlinkSync(join(treeRoot, 'node_modules'), join(checkout, 'node_modules'), 'junction');
mkdirSync(join(checkout, 'dist'));

test('commands that begin at once build the program once, whatever an interrupted build has left', async () => {
  // No process has this number: https://man7.org/linux/man-pages/man5/proc_sys_kernel.5.html (pid_max).
  writeFileSync(join(checkout, 'dist/.desktop-lock'), String(2 ** 22 + 1));
  const ofAnotherVersion = join(checkout, 'dist/server/store/sqlite/migrations/999-of-another-version.js');
  mkdirSync(dirname(ofAnotherVersion), { recursive: true });
  writeFileSync(ofAnotherVersion, '');
  const ended = await Promise.all([1, 2, 3].map(() => runIn(checkout, '--version')));
  assert.deepEqual(
    ended.map(({ status, stdout }) => [status, /^\d+\.\d+\.\d+\n$/.test(stdout)]),
    [0, 0, 0].map((status) => [status, true]),
  );
  const building = ended.filter(({ stderr }) => stderr.includes('building the program'));
  assert.equal(building.length, 1, ended.map(({ stderr }) => stderr).join());
  assert.equal(existsSync(ofAnotherVersion), false);
});

test('a lock of long ago keeps no build waiting, though another process has the number of its holder now', async () => {
  const lock = join(checkout, 'dist/.desktop-lock');
  rmSync(join(checkout, 'dist/.desktop-stamp'), { force: true });
  writeFileSync(lock, String(process.pid));
  const longAgo = Date.now() / 1000 - 3_600;
  utimesSync(lock, longAgo, longAgo);
  assert.equal((await runIn(checkout, '--version')).status, 0);
  assert.equal(existsSync(lock), false);
});

test('the exit status and the words of the command line are passed on, and no command but serve builds the interface', async () => {
  const { status, stderr } = await runIn(treeRoot, 'scan', '--rules', 'missing.yar', 'absent.apk');
  assert.equal(status, 1);
  assert.match(stderr, /missing\.yar/);
  assert.doesNotMatch(stderr, /user interface/);
});

const skip = process.platform === 'win32' && 'signals and parents are otherwise there';
test('a server that npm started ends cleanly when npm is ended, though the shell between them passes no signal on', {
  skip,
}, async (t) => {
  const dataDir = temporaryFolder('command');
  const command = join(treeRoot, 'server/app/apk-workstation.mjs');
  const shell = spawn(
    'sh',
    ['-c', '"$0" "$1" serve --port 0 --data-dir "$2"; true', process.execPath, command, dataDir],
    {
      env: { ...process.env, npm_lifecycle_event: 'workstation' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [ready] = (await once(shell.stdout, 'data')) as [Buffer];
  const { pid } = JSON.parse(ready.toString()) as { pid: number };
  t.after(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  });
  let log = '';
  shell.stderr.on('data', (piece: Buffer) => {
    log += piece.toString();
  });
  // Whoever still holds the shell's output is one that it left behind: it closes when all have ended.
  const closed = once(shell, 'close');
  shell.kill('SIGTERM');
  await closed;
  // Its output is closed a moment before it has ended.
  await until(() => !isRunning(pid), 'the server has ended');
  assert.match(log, /"cause":"SIGTERM","msg":"ending"/);
});
