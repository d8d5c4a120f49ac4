// The workstation as whoever works on it starts it: `npm run dev`.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { treeRoot } from '../../architecture/import-boundaries.ts';
import { isRunning } from '../../fixtures/running.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { until } from '../../fixtures/until.ts';

const skip = process.platform === 'linux' ? false : 'it looks for processes where Linux lists them';

/** A process and all that it has started, by their numbers. */
function descendants(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return [pid, ...children.flatMap(descendants)];
}

test('one command serves the interface and the API from their sources, and ends with all that it has started', {
  skip,
}, async () => {
  const child = spawn(process.execPath, [join(treeRoot, 'test/dev.ts')], {
    cwd: treeRoot,
    env: { ...process.env, APK_WORKSTATION_DATA: temporaryFolder('development') },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  let login: URL | null = null;
  for await (const line of createInterface(child.stdout)) {
    const found = /Open (http:\S+)/.exec(line);
    if (found === null) continue;
    login = new URL(found[1]!);
    break;
  }
  assert.ok(login !== null, 'an address to log in at is told');
  assert.match(login.hash, /^#\/login\?code=/);
  assert.match(await (await fetch(new URL('/app/', login))).text(), /@vite\/client/);
  const health = (await (await fetch(new URL('/health/', login))).json()) as { database: string };
  assert.equal(health.database, 'ok');
  const pids = descendants(child.pid!);
  assert.ok(pids.length > 1);
  child.kill('SIGINT');
  await ended;
  await until(() => !pids.some(isRunning), 'all that it has started has ended', 5);
});
