// Room on the disk, retention and backups over HTTP, with a clock of the test's own.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { commandLine } from '../fixtures/program.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const day = 86_400_000_000;
let now = Date.now() * 1000;
let workstation: TestWorkstation;
const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-storage-'));
before(async () => {
  workstation = await startWorkstation({ clock: () => now, onUpload: ['static'] });
});
after(async () => {
  await workstation[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

test('the storage report adds up the APKs and names the room that is left', async () => {
  await workstation.upload(realApks.settings);
  const { status, body } = await workstation.ask('/storage/');
  assert.equal(status, 200);
  assert.equal(body.apks, 1);
  assert.equal(body.apk_bytes, readFileSync(realApks.settings).length);
  assert.ok(body.database_bytes > body.report_bytes);
  assert.ok(body.free_bytes > 0 && body.free_bytes <= body.disk_bytes);
  assert.deepEqual(body.retention, { days: null, includes_engaged: false, due_apks: 0, due_bytes: 0 });
});

test('the state of the server tells of a full disk, which is no reason to stop asking it', async () => {
  const { storage } = workstation.server.services;
  assert.equal((await workstation.ask('/health/', { token: null })).body.storage, 'ok');
  const original = storage.state;
  storage.state = () => Promise.resolve('full');
  const { status, body } = await workstation.ask('/health/', { token: null });
  storage.state = original;
  assert.equal(status, 200);
  assert.deepEqual([body.status, body.database, body.storage], ['degraded', 'ok', 'full']);
  assert.match(body.faults[0].advice, /makes room/);
});

test('the state of the server tells guests of damaged pages and what to do, without naming a path', async () => {
  const hurt = await startWorkstation();
  try {
    const ask = () => hurt.ask('/health/', { token: null });
    const { body: fresh } = await ask();
    assert.deepEqual([fresh.status, fresh.pages, fresh.keys, fresh.faults], ['ok', 'unchecked', 'ok', []]);
    hurt.server.store.condition.noteError(Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT_INDEX' }));
    const { body, text, status } = await ask();
    assert.deepEqual([status, body.status, body.pages, body.faults[0].part], [200, 'degraded', 'damaged', 'pages']);
    assert.match(body.faults[0].advice, /apk-workstation repair/);
    assert.ok(!text.includes(hurt.dataDir));
  } finally {
    await hurt[Symbol.asyncDispose]();
  }
});

test('storage and backups are the owner’s alone', async () => {
  const token = await workstation.analyst('storage_analyst');
  for (const path of ['/storage/', '/backups/']) assert.equal((await workstation.ask(path, { token })).status, 403);
  assert.equal((await workstation.ask('/backups/', { token, method: 'POST' })).status, 403);
});

test('retention deletes old APKs and spares those that somebody has commented on, unless told', async () => {
  const { body: commented } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const comment = { method: 'POST', json: { text: 'keep this' } };
  assert.equal((await workstation.ask(`/apks/${commented.sha256}/comments/`, comment)).status, 201);
  await workstation.ask('/settings/', { method: 'PATCH', json: { retention_days: 30 } });
  // No longer at once than a workstation may have been off.
  for (let days = 0; days < 20; days += 10) {
    now += 10 * day;
    await workstation.server.services.storage.enforceRetention();
  }
  assert.equal(await workstation.server.services.storage.enforceRetention(), 0);
  now += 11 * day;
  assert.equal((await workstation.ask('/storage/')).body.retention.due_apks, 1);
  assert.equal(await workstation.server.services.storage.enforceRetention(), 1);
  assert.deepEqual(
    (await workstation.ask('/apks/')).body.results.map((apk: { sha256: string }) => apk.sha256),
    [commented.sha256],
  );
  await workstation.ask('/settings/', { method: 'PATCH', json: { retention_includes_engaged: true } });
  assert.equal(await workstation.server.services.storage.enforceRetention(), 1);
  assert.equal((await workstation.ask('/apks/')).body.count, 0);
  assert.equal((await workstation.ask('/audit/')).body.results[0].action, 'retention');
});

test('a backup from the interface runs beside the server, can be fetched by its link, and restores', async () => {
  const { body: apk } = await workstation.upload(realApks.unlock);
  await workstation.server.idle();
  const started = await workstation.ask('/backups/', { method: 'POST' });
  assert.equal(started.status, 202);
  assert.equal(started.body.status, 'running');
  assert.equal((await workstation.ask('/backups/', { method: 'POST' })).body.name, started.body.name, 'one at a time');
  let listed = await workstation.ask('/backups/');
  while (listed.body.run.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 100));
    listed = await workstation.ask('/backups/');
  }
  assert.deepEqual(listed.body.run, { name: started.body.name, status: 'done', progress: 1, error: null });
  const [backup] = listed.body.results;
  const answer = await fetch(backup.download_url);
  const file = join(scratch, 'fetched.zip');
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  assert.equal(readFileSync(file).length, backup.size);
  const words = [commandLine, 'restore', file, '--data-dir', join(scratch, 'restored')];
  const told = JSON.parse(execFileSync(process.execPath, words).toString());
  assert.equal(told.apks, 1);
  assert.equal((await fetch(backup.download_url.replace(/signature=.*/, 'signature=AAAA'))).status, 403);
  assert.equal((await workstation.ask(`/backups/${backup.name}/`, { method: 'DELETE' })).status, 204);
  assert.equal((await workstation.ask('/backups/')).body.count, 0);
  assert.equal((await workstation.ask(`/apks/${apk.sha256}/`)).status, 200);
});

test('a backup from the interface is sealed by its passphrase, and holds the authority only where it is asked for', async () => {
  const passphrase = 'kept in nobody’s head';
  for (const wrong of ['short', `${passphrase}\nx`, 'x'.repeat(501)]) {
    const { status, body } = await workstation.ask('/backups/', { method: 'POST', json: { passphrase: wrong } });
    assert.deepEqual([status, Object.keys(body)], [400, ['passphrase']], wrong);
  }
  await workstation.ask('/ca.crt', { token: null });
  now += 10_000_000;
  const started = await workstation.ask('/backups/', { method: 'POST', json: { passphrase, with_authority: true } });
  assert.equal(started.status, 202);
  assert.match(started.body.name, /\.sealed$/);
  let listed = await workstation.ask('/backups/');
  while (listed.body.run.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 100));
    listed = await workstation.ask('/backups/');
  }
  assert.equal(listed.body.run.status, 'done', listed.body.run.error);
  const [backup] = listed.body.results;
  assert.equal(backup.is_sealed, true);
  const answer = await fetch(backup.download_url);
  assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
  const file = join(scratch, 'fetched.sealed');
  writeFileSync(file, Buffer.from(await answer.arrayBuffer()));
  const words = [
    commandLine,
    'restore',
    file,
    '--data-dir',
    join(scratch, 'unsealed'),
    '--own',
    '--passphrase-file',
    '-',
  ];
  const told = JSON.parse(execFileSync(process.execPath, words, { input: passphrase }).toString());
  assert.deepEqual([told.is_own, told.has_authority], [true, true]);
  const { results } = (await workstation.ask('/audit/')).body;
  assert.doesNotMatch(JSON.stringify(results), /nobody’s head/);
});

test('the names of backups lead nowhere else', async () => {
  for (const name of ['..%2Fcatalogue.db', 'catalogue.db', 'apk-workstation-20200101T000000Z.zip']) {
    assert.equal((await workstation.ask(`/backups/${name}/`, { method: 'DELETE' })).status, 404, name);
  }
});

test('what is stored stops before the disk is full, while the database still takes what people write', async () => {
  const keep = (bytes: number | null) =>
    workstation.ask('/settings/', { method: 'PATCH', json: { disk_reserve_bytes: bytes } });
  const { body: held } = await workstation.upload(realApks.unicodeIme);
  const { count } = (await workstation.ask('/apks/')).body;
  // More than any disk has: none of it is free.
  assert.equal((await keep(2 ** 52)).status, 200);
  const refused = await workstation.upload(realApks.minicap);
  assert.equal(refused.status, 507);
  assert.match(refused.body.detail, /what is free on the disk is kept for the database/);
  assert.equal((await workstation.ask('/apks/')).body.count, count);

  const comment = await workstation.ask(`/apks/${held.sha256}/comments/`, { method: 'POST', json: { text: 'kept' } });
  assert.equal(comment.status, 201);

  await workstation.ask('/backups/', { method: 'POST' });
  let run = (await workstation.ask('/backups/')).body.run;
  while (run.status === 'running') run = (await workstation.ask('/backups/')).body.run;
  assert.equal(run.status, 'failed');
  assert.match(run.error, /would be left free on the disk/);

  const { body: job } = await workstation.ask(`/apks/${held.sha256}/analyze_static/`);
  const { feeds } = workstation.server.store;
  now += day;
  await assert.rejects(workstation.server.makeFeeds(), /would be left free on the disk/);
  // Those of the hours before the one that found no room.
  const made = await feeds.count({});
  assert.equal((await workstation.ask(`/jobs/${job.id}/`)).body.finished_at, null, 'it waits, and does not fail');

  await keep(null);
  await workstation.server.makeFeeds();
  assert.ok((await feeds.count({})) > made);
  assert.equal((await workstation.upload(realApks.minicap)).status, 201);
  await workstation.ask(`/jobs/${job.id}/cancel/`, { method: 'POST' });
});
