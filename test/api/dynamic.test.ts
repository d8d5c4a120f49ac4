import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dynamicReportSchema } from '../../server/contract/engine/reports.ts';
import { dexOf, testApk } from '../fixtures/dynamic/test-apps.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
const sha256: Record<string, string> = {};

before(async () => {
  workstation = await startWorkstation();
  for (const name of ['direct', 'packed'] as const) {
    sha256[name] = (await workstation.upload(testApk(name))).body.sha256;
  }
  await workstation.server.idle();
});
after(() => workstation[Symbol.asyncDispose]());

test('an uploaded APK is run by itself, and its record and report say so', async () => {
  const { body: record } = await workstation.ask(`/apks/${sha256.direct}/`);
  assert.equal(record.is_dynamic_analyzed, true);
  const { body: analysis } = await workstation.ask(`/apks/${sha256.direct}/analysis/`);
  const report = dynamicReportSchema.parse(analysis.dynamic);
  assert.deepEqual(report.dataleaks[0]?.tags, ['TAINT_IMEI']);
  const { body: single } = await workstation.ask(`/apks/${sha256.direct}/analysis/dynamic/`);
  assert.deepEqual(single, analysis.dynamic);
});

test('what the app loaded while it ran can be fetched by its hash, and lies sealed', async () => {
  const { body: report } = await workstation.ask(`/apks/${sha256.packed}/analysis/dynamic/`);
  const [{ sha256: hash, size }] = report.artefacts;
  const headers = { Authorization: `Token ${workstation.ownerToken}` };
  const address = (apk: string, artefact: string) => `${workstation.url}/apks/${apk}/artefacts/${artefact}/`;
  const response = await fetch(address(sha256.packed!, hash), { headers });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/octet-stream');
  assert.equal(response.headers.get('content-disposition'), `attachment; filename="${hash}.bin"`);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.deepEqual(bytes, dexOf('payload'));
  assert.equal(bytes.length, size);
  for (const [apk, artefact] of [
    [sha256.packed!, '0'.repeat(64)],
    [sha256.packed!, '..%2F..%2Fmaster.key'],
    [sha256.direct!, hash],
    ['0'.repeat(64), hash],
  ] as const) {
    assert.equal((await fetch(address(apk, artefact), { headers })).status, 404);
  }
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(sha256.packed!);
  const kept = await store.reports.readCompressed(apk!.id, 'artefacts');
  assert.equal(kept!.size, size + 36);
  assert.deepEqual(Buffer.from(kept!.compressed.subarray(1, 4)).toString(), 'AWS');
});

test('analyze_dynamic answers a job that ends with a new report, and static analysis keeps what it found', async () => {
  const { status, body: job } = await workstation.ask(`/apks/${sha256.packed}/analyze_dynamic/`);
  assert.equal(status, 200);
  assert.equal(job.kind, 'dynamic');
  assert.equal((await workstation.jobEnd(job.id)).status, 'done');
  const cuckoo = async () => (await workstation.ask(`/apks/${sha256.packed}/analysis/`)).body.cuckoo;
  const before = await cuckoo();
  const path = '/data/data/com.example.app/files/payload.dex';
  assert.ok(before.behavior.summary.files.includes(path));
  assert.ok(before.target.file.sha512.length === 128);
  const again = await workstation.ask(`/apks/${sha256.packed}/analyze_static/`);
  assert.equal((await workstation.jobEnd(again.body.id)).status, 'done');
  assert.deepEqual((await cuckoo()).behavior, before.behavior);
});
