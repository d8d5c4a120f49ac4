// The installed command `apk-workstation`, which builds what it runs.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { treeRoot } from '../../architecture/import-boundaries.ts';

const run = (...words: string[]): Promise<{ status: unknown; stdout: string; stderr: string }> =>
  new Promise((resolve) => {
    execFile(process.execPath, [join(treeRoot, 'server/app/apk-workstation.mjs'), ...words], (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : error.code, stdout, stderr }),
    );
  });

test('commands that begin at once build the program once, whatever an interrupted build has left', async () => {
  rmSync(join(treeRoot, 'dist/.desktop-stamp'), { force: true });
  // No process has this number: https://man7.org/linux/man-pages/man5/proc_sys_kernel.5.html (pid_max).
  writeFileSync(join(treeRoot, 'dist/.desktop-lock'), String(2 ** 22 + 1));
  const ended = await Promise.all([run('--version'), run('--version'), run('--version')]);
  assert.deepEqual(
    ended.map(({ status, stdout }) => [status, /^\d+\.\d+\.\d+\n$/.test(stdout)]),
    [0, 0, 0].map((status) => [status, true]),
  );
  const building = ended.filter(({ stderr }) => stderr.includes('building the program'));
  assert.ok(building.length <= 1, ended.map(({ stderr }) => stderr).join());
});

test('the exit status and the words of the command line are passed on, and no command but serve builds the interface', async () => {
  const { status, stderr } = await run('scan', '--rules', 'missing.yar', 'absent.apk');
  assert.equal(status, 1);
  assert.match(stderr, /missing\.yar/);
  assert.doesNotMatch(stderr, /user interface/);
});
