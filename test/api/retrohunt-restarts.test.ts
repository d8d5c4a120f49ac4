// A retrohunt on a workstation that is killed again and again.
import assert from 'node:assert/strict';
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { retrohuntSchema } from '../../server/contract/rules/retrohunt.ts';
import { commandLine } from '../fixtures/program.ts';
import { realApks } from '../fixtures/real-apks.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-hunt-'));
const served = join(import.meta.dirname, '../fixtures/served-workstation.ts');
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

async function start() {
  const child = fork(served, [dataDir], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  running.add(child);
  const [url] = (await once(child, 'message')) as [string];
  const kill = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { url, kill };
}

async function createToken(): Promise<string> {
  const words = [commandLine, 'token', 'create', '--user', 'owner', '--data-dir', dataDir];
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore'] });
  return String((await once(child.stdout, 'data'))[0]).trim();
}

test('a hunt goes on where it was after every kill, scans each APK once, and is done in the end', async () => {
  const count = 60;
  const unlock = readFileSync(realApks.unlock);
  const token = await createToken();
  const headers = { authorization: `Token ${token}`, 'content-type': 'application/json' };
  let { url, kill } = await start();
  const ask = async (path: string, method = 'GET', body?: unknown) => {
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}${path}`, init);
    assert.ok(response.ok, `${method} ${path}: ${response.status}`);
    // biome-ignore lint/suspicious/noExplicitAny: what the server answers
    return (await response.json()) as any;
  };
  await ask('/settings/', 'PATCH', { analyze_static_on_upload: false, analyze_dynamic_on_upload: false });
  for (let index = 0; index < count; index++) {
    const body = Buffer.concat([unlock, Buffer.from(`variant ${index}`)]);
    const { authorization } = headers;
    const uploaded = await fetch(`${url}/uploads/`, { method: 'POST', headers: { authorization }, body });
    assert.equal(uploaded.status, 201);
  }
  const rules = 'rule dex { strings: $a = "dex\\n035" condition: $a at 0 }';
  const { id } = await ask('/rulesets/', 'POST', { name: 'Dex', rules, status: 'disabled' });
  const hunt = retrohuntSchema.parse(await ask(`/rulesets/${id}/retrohunt/`, 'POST', {}));
  assert.equal(hunt.apks_count, count);

  const reached: number[] = [];
  for (const part of [0.2, 0.4, 0.6]) {
    for (;;) {
      const { scanned_count: scanned } = await ask(`/retrohunts/${hunt.id}/`);
      if (scanned >= count * part) break;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await kill();
    ({ url, kill } = await start());
    reached.push((await ask(`/retrohunts/${hunt.id}/`)).scanned_count);
  }
  assert.ok(reached[0]! >= 12 && reached[2]! >= 36, `${reached}`);
  for (;;) {
    const now = retrohuntSchema.parse(await ask(`/retrohunts/${hunt.id}/`));
    if (now.finished_at !== null) {
      const counts = [now.status, now.scanned_count, now.matches_count, now.new_matches_count, now.failed_count];
      assert.deepEqual(counts, ['done', count, count, count, 0]);
      break;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal((await ask(`/rulesets/${id}/matches/`)).count, count);
  assert.equal((await ask('/notifications/?type=ruleset_matched')).count, 1);
  await kill();
});
