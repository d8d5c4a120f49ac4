import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startClamd, writeSignature } from '../fixtures/antivirus.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { systemTool } from '../fixtures/system-tools.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const clamscan = systemTool('clamscan');
const clamd = systemTool('clamd');
const bytes = readFileSync(realApks.unlock);
let workstation: TestWorkstation;
let folder: string;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'apk-workstation-antivirus-'));
  workstation = await startWorkstation();
});
after(async () => {
  await workstation[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const set = async (json: object) => {
  const { status, text } = await workstation.ask('/settings/', { method: 'PATCH', json });
  assert.equal(status, 200, text);
};
const health = async () => (await workstation.ask('/health/', { token: null })).body;
const jobs = async () =>
  (await workstation.ask('/jobs/?page_size=100')).body.results.filter(
    ({ kind }: { kind: string }) => kind === 'antivirus',
  );
async function until<Found>(look: () => Promise<Found | undefined | false>): Promise<Found> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await sleep(50);
  }
}

test('without an antivirus in the settings nothing is scanned, and asking for it says why not', async () => {
  const { body } = await workstation.upload(realApks.unicodeIme);
  await workstation.server.idle();
  assert.deepEqual(await jobs(), []);
  assert.deepEqual((await health()).antivirus, { status: 'off', message: null });
  assert.equal((await health()).analyses.includes('antivirus'), false);
  const asked = await workstation.ask(`/apks/${body.sha256}/analyze_antivirus/`);
  assert.equal(asked.status, 503);
  assert.match(asked.body.detail, /settings/);
  assert.equal((await workstation.ask(`/apks/${'0'.repeat(64)}/analyze_antivirus/`)).status, 404);
});

test('settings of the antivirus that cannot be are refused', async () => {
  const cases: [string, unknown][] = [
    ['antivirus', 'norton'],
    ['antivirus_address', 'clamd'],
    ['antivirus_address', 'host:port'],
    ['antivirus_program', '/bin/sh'],
    ['antivirus_program', 'clamscan; rm'],
    ['antivirus_timeout_seconds', 0],
  ];
  for (const [name, value] of cases) {
    const wrong = await workstation.ask('/settings/', { method: 'PATCH', json: { [name]: value } });
    assert.equal(wrong.status, 400, `${name}=${value}`);
    assert.deepEqual(Object.keys(wrong.body), [name]);
  }
});

test('every incoming APK is scanned by clamscan, and what it finds makes the APK detected', {
  skip: clamscan.skip,
}, async () => {
  const signatures = join(folder, 'signatures');
  mkdirSync(signatures);
  writeSignature(signatures, 'Andr.Trojan.Unlocker', bytes);
  await set({ antivirus: 'clamscan', antivirus_database: signatures });
  assert.deepEqual((await health()).antivirus, { status: 'ok', message: null });
  assert.ok((await health()).analyses.includes('antivirus'));
  const { body: apk } = await workstation.upload(bytes);
  await workstation.server.idle();
  const [job] = await jobs();
  assert.equal(job.status, 'done', JSON.stringify(job));
  assert.equal(job.apk.sha256, apk.sha256);
  const { body } = await workstation.ask(apk.url);
  assert.equal(body.is_detected, true);
  const [{ source, information }] = body.detections;
  assert.equal(source, 'ClamAV');
  assert.equal(information.signature, 'Andr.Trojan.Unlocker.UNOFFICIAL');
  assert.equal(information.score, null);
  assert.deepEqual(information.tags, ['andr', 'trojan', 'unofficial']);
  assert.match(information.first_detection_at, /^\d{4}-.*\+00:00$/);
  assert.match(information.additional_information.engine, /^ClamAV /);
  assert.equal((await workstation.ask('/apks/?search=detected:true')).body.count, 1);
});

test('on demand it is scanned again, and what the signatures no longer say is withdrawn', {
  skip: clamscan.skip,
}, async () => {
  const { body: page } = await workstation.ask('/apks/?search=detected:true');
  const { url } = page.results[0];
  const signatures = join(folder, 'others');
  mkdirSync(signatures);
  writeSignature(signatures, 'Andr.Trojan.Other', Buffer.from('other'));
  await set({ antivirus_database: signatures });
  const token = await workstation.analyst('asker');
  const asked = await workstation.ask(`${url}analyze_antivirus/`, { method: 'POST', token });
  assert.equal(asked.status, 200);
  assert.equal(asked.body.kind, 'antivirus');
  assert.equal((await workstation.jobEnd(asked.body.id)).status, 'done');
  const { body } = await workstation.ask(url);
  assert.deepEqual([body.is_detected, body.detections], [false, []]);
  const { rate_limits: limits } = (await workstation.ask('/account/statistics/', { token })).body;
  assert.equal(limits['apk-analyze'].used, 1);
  const told = await workstation.ask('/notifications/?type=analysis_completed', { token });
  assert.equal(told.body.results[0].job.kind, 'antivirus');
});

test('the whole catalogue is scanned again at once', { skip: clamscan.skip }, async () => {
  await set({ antivirus_database: join(folder, 'signatures') });
  const ask = () =>
    workstation.ask('/apks/bulk/', { method: 'POST', json: { action: 'analyze_antivirus', search: '' } });
  const { status, body } = await ask();
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((await workstation.jobEnd(body.job.id)).status, 'done');
  await workstation.server.idle();
  assert.equal((await workstation.ask('/apks/?search=detected:true')).body.count, 1);
  await set({ antivirus: 'off' });
  assert.equal((await ask()).status, 503);
});

test('while clamd is down scans wait for it and say so; once it runs they go on', { skip: clamd.skip }, async () => {
  const own = join(folder, 'daemon');
  mkdirSync(own);
  await set({ antivirus: 'clamd', antivirus_address: join(own, 'clamd.socket') });
  const { body: page } = await workstation.ask('/apks/?search=unlock');
  const { url } = page.results[0];
  const { body: asked } = await workstation.ask(`${url}analyze_antivirus/`);
  const waiting = await until(async () => {
    const { body } = await workstation.ask(asked.url);
    return /waiting for clamd/.test(body.stage) && body;
  });
  assert.equal(waiting.status, 'running');
  const { antivirus, status } = await health();
  assert.deepEqual([status, antivirus.status], ['ok', 'failed']);
  assert.match(antivirus.message, /^clamd cannot be reached$/);
  // Everything else goes on beside it.
  assert.equal((await workstation.jobEnd((await workstation.ask(`${url}analyze_static/`)).body.id)).status, 'done');
  writeSignature(own, 'Andr.Trojan.Unlocker', bytes);
  const daemon = await startClamd(clamd.path!, own);
  try {
    await set({ antivirus_timeout_seconds: 60 });
    assert.equal((await workstation.jobEnd(asked.id)).status, 'done');
    await workstation.server.idle();
    assert.equal((await workstation.ask(url)).body.is_detected, true);
    assert.deepEqual((await health()).antivirus, { status: 'ok', message: null });
  } finally {
    await daemon.stop();
  }
});

test('switched off, what still waits ends, and says why', async () => {
  await set({ antivirus: 'clamd', antivirus_address: '127.0.0.1:1' });
  const { body: page } = await workstation.ask('/apks/?search=unlock');
  const { body: asked } = await workstation.ask(`${page.results[0].url}analyze_antivirus/`);
  await until(async () => /waiting/.test((await workstation.ask(asked.url)).body.stage));
  await set({ antivirus: 'off' });
  const ended = await workstation.jobEnd(asked.id);
  assert.deepEqual([ended.status, ended.error_code], ['failed', 'antivirus-off']);
});
