// Other machines analyse: a real Redis, real workers in processes of their own.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Redis } from 'ioredis';
import { engineVersion } from '../../server/contract/engine/engine-version.ts';
import { encodeFrame } from '../../server/contract/process-line/frames.ts';
import { requestLimits } from '../../server/contract/process-line/limits.ts';
import { machineNamed, redisServer, TestMachine, TestRedis } from '../fixtures/lab.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { until } from '../fixtures/until.ts';
import { type RequestSettings, startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

/** Nothing is analysed here, so that all of it has to travel. */
const travelling = { lab_analyses_here: false, analyze_yara_on_upload: false };

test('an APK is analysed by a machine that joined, and by none that was removed', {
  skip: redisServer.skip,
}, async () => {
  await using workstation = await startWorkstation();
  await using redis = await TestRedis.start();
  await using machine = new TestMachine('bench');
  const { ask } = workstation;
  assert.equal((await ask('/lab/invitations/', { method: 'POST' })).status, 503, 'a lab that is off takes no machine');
  assert.equal((await ask('/settings/', { method: 'PATCH', json: { ...redis.settings, ...travelling } })).status, 200);
  await until(async () => (await ask('/lab/machines/')).body.is_redis_up, 'Redis is up');
  await machine.join(workstation);

  const { body: apk } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const { body: analysed } = await ask(`/apks/${apk.sha256}/`);
  assert.equal(analysed.is_static_analyzed, true, machine.said);
  assert.equal(analysed.is_dynamic_analyzed, true, machine.said);
  const shown = await machineNamed(workstation, 'bench');
  assert.ok(shown.done >= 2, `both were done there, and the machine shows ${JSON.stringify(shown)}`);
  assert.equal(shown.failed, 0, machine.said);
  const kept = readdirSync(join(machine.folder, 'lab/lab-files'));
  assert.equal(kept.length, 1, 'the file travelled once');
  const sealed = readFileSync(join(machine.folder, 'lab/lab-files', kept[0]!));
  assert.ok(!sealed.includes('AndroidManifest.xml'), 'and lies there sealed');

  assert.equal((await ask(`/lab/machines/${shown.id}/`, { method: 'DELETE' })).status, 204);
  await until(() => machine.child!.exitCode !== null, 'the machine ends');
  assert.match(machine.said, /Invalid token/);
});

/** A machine that says whatever a test wants, joined by the API alone. */
async function scriptedMachine(workstation: TestWorkstation) {
  const { body: invitation } = await workstation.ask('/lab/invitations/', { method: 'POST' });
  const { secret } = JSON.parse(Buffer.from(invitation.code, 'base64url').toString());
  const { version } = workstation.server.services;
  const versions = { version, engine_version: engineVersion };
  const join = (said: object) =>
    workstation.ask('/lab/join/', {
      method: 'POST',
      token: null,
      json: { secret, name: 'scripted', ...versions, ...said },
    });
  const older = await join({ engine_version: engineVersion - 1 });
  assert.equal(older.status, 409, 'an older engine takes nothing');
  assert.match(older.body.detail, /install the same on both/);
  const joined = await join({});
  assert.equal((await join({})).status, 401, 'a code works once');
  const headers = { authorization: `Machine ${joined.body.token}` };
  const asMachine = (path: string, settings: RequestSettings = {}) =>
    workstation.ask(path, { ...settings, headers: { ...headers, ...settings.headers } });
  const beat = (running: string[] = [], said: object = {}) =>
    asMachine('/lab/heartbeat/', {
      method: 'POST',
      json: { ...versions, cores: 4, load: 0, is_taking: true, running, ...said },
    });
  return { asMachine, beat };
}

test('answers of machines are foreign bytes', { skip: redisServer.skip }, async () => {
  await using workstation = await startWorkstation();
  await using redis = await TestRedis.start();
  const { ask } = workstation;
  await ask('/settings/', {
    method: 'PATCH',
    json: { ...redis.settings, ...travelling, analyze_dynamic_on_upload: false },
  });
  await until(async () => (await ask('/lab/machines/')).body.is_redis_up, 'Redis is up');
  const { asMachine, beat } = await scriptedMachine(workstation);
  const other = await scriptedMachine(workstation);
  assert.equal((await beat([], { version: '0.0.9' })).status, 409);
  assert.deepEqual((await beat()).body, { state: 'on', unwanted: [] });
  const { body: access } = await asMachine('/lab/queue/');

  const queue = new Redis(access.url, { username: access.username, password: access.password });
  await assert.rejects(queue.get('of somebody else'), /NOPERM/);
  await assert.rejects(queue.flushall(), /NOPERM/);
  await assert.rejects(queue.keys('*'), /NOPERM/);
  const { body: apk } = await workstation.upload(realApks.unlock);
  const keyOfWaiting = `${access.prefix}:${access.name}:prioritized`;
  await until(async () => (await queue.zcard(keyOfWaiting)) === 1, 'a task waits');
  const [ticket] = await queue.zrange(keyOfWaiting, '0', '-1');
  const told = await queue.hgetall(`${access.prefix}:${access.name}:${ticket}`);
  assert.equal(told.data, '{}', 'Redis carries tasks alone');
  queue.disconnect();

  const task = `/lab/tasks/${ticket}/`;
  const answer = (message: object, machine = asMachine) =>
    machine(`${task}answer/`, { method: 'POST', body: new Blob(encodeFrame(message, requestLimits) as BlobPart[]) });
  const failed = { id: 0, type: 'verdict', code: 'crashed', message: 'It died.' };
  assert.equal((await answer(failed)).status, 410, 'nobody answers what he was not given');
  const sent = await fetch(`${workstation.url}${task}`, { headers: { authorization: 'nobody' } });
  assert.equal(sent.status, 401);
  assert.equal((await asMachine(task)).status, 200);
  assert.equal((await asMachine(`${task}file/`, { headers: { range: 'bytes=0-9' } })).status, 206);
  assert.equal((await answer(failed, other.asMachine)).status, 410);
  assert.deepEqual((await beat([ticket!, randomUUID()])).body.unwanted.length, 1, 'what nobody waits for is told');
  const refused = await answer({ id: 0, type: 'reply', reply: { status: 'done', result: { reports: 'none' } } });
  assert.equal(refused.status, 422, 'what no worker may say');
  await workstation.server.idle();
  assert.equal((await ask(`/apks/${apk.sha256}/`)).body.is_static_analyzed, true, 'it is analysed here then');
  assert.equal((await answer(failed)).status, 410, 'and a late answer is nothing');
  assert.equal((await ask('/lab/machines/')).body.late, 3);
  assert.equal((await machineNamed(workstation, 'scripted')).done, 0);
});

test('a machine or a Redis that dies loses no analysis', { skip: redisServer.skip }, async () => {
  await using workstation = await startWorkstation();
  await using redis = await TestRedis.start();
  await using first = new TestMachine('first');
  await using second = new TestMachine('second');
  const { ask } = workstation;
  await ask('/settings/', { method: 'PATCH', json: { ...redis.settings, ...travelling } });
  await until(async () => (await ask('/lab/machines/')).body.is_redis_up, 'Redis is up');
  await Promise.all([first.join(workstation), second.join(workstation)]);
  const hashes: string[] = [];
  // The run of the largest takes longer than from one word of its machine to the next.
  for (const path of [realApks.apiDemos, realApks.unlock, realApks.unicodeIme, realApks.uiautomator2Test])
    hashes.push((await workstation.upload(path)).body.sha256);
  const busy: TestMachine[] = [];
  await until(async () => {
    for (const machine of [first, second])
      if ((await machineNamed(workstation, machine.name)).running > 0) busy.push(machine);
    return busy.length > 0;
  }, 'a machine has a task');
  const [victim] = busy as [TestMachine];
  const other = victim === first ? second : first;
  await victim.kill();
  await redis.kill();
  await redis.begin();
  await workstation.server.idle();
  for (const sha256 of hashes) {
    const { body } = await ask(`/apks/${sha256}/`);
    assert.ok(body.is_static_analyzed && body.is_dynamic_analyzed, `${sha256} is analysed\n${other.said}`);
  }
  const { body: jobs } = await ask('/jobs/');
  const asked = jobs.results.filter(({ kind }: { kind: string }) => kind === 'static' || kind === 'dynamic');
  assert.equal(asked.length, 2 * hashes.length, 'each once');
  assert.ok(asked.every(({ status }: { status: string }) => status === 'done'));
  const draining = other.child!;
  other.begin('--drain');
  await until(() => draining.exitCode !== null, 'the other one ends');
  assert.equal(draining.exitCode, 0, other.said);
  other.begin();
  await other.isTaking(workstation);
  await other.kill('SIGTERM');
  assert.equal(other.child!.exitCode, 0, other.said);
});
