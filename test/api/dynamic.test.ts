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
  assert.ok(kept!.size > size + 36);
  assert.deepEqual(Buffer.from(kept!.compressed.subarray(1, 4)).toString(), 'AWS');
});

test("what it loaded is analysed by itself, with who wrote and who loaded it, and its code is read as the app's own", async () => {
  const at = `/apks/${sha256.packed}/children/`;
  const { body: list } = await workstation.ask(at);
  const run = list.results.find(({ ways }: { ways: { origin: string }[] }) => ways[0]!.origin === 'run');
  const path = '/data/data/com.example.app/files/payload.dex';
  assert.deepEqual(
    run.ways.map((way: Record<string, string>) => [way.origin, way.path, way.action]),
    [
      ['run', path, 'written'],
      ['run', path, 'loaded'],
    ],
  );
  assert.match(run.ways[0].by, /^L.+;->\w+$/);
  assert.deepEqual([run.kind, run.status], ['dex', 'done']);
  const { body: code } = await workstation.ask(`/apks/${sha256.packed}/code/`);
  assert.ok(code.dexes.some(({ name }: { name: string }) => name === `run:${path}`));
  const file = await fetch(`${workstation.url}${at}${run.sha256}/file/`, {
    headers: { Authorization: `Token ${workstation.ownerToken}` },
  });
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), dexOf('payload'));
  assert.equal((await workstation.ask(`${at}${run.sha256}/report/`)).body.code.dexes, 1);
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

type Part = { group: string; title: string; points: number; evidence: { kind: string; name: string }[] };
const riskOf = async (name: 'direct' | 'packed') => (await workstation.ask(`/apks/${sha256[name]}/risk/`)).body;
const named = ({ parts }: { parts: Part[] }) => parts.flatMap(({ evidence }) => evidence.map(({ name }) => name));

test('an analysed APK has a risk in its record, and its parts lead to what was found, run and asked for', async () => {
  const { workstation: shown } = (await workstation.ask(`/apks/${sha256.direct}/`)).body;
  const risk = await riskOf('direct');
  assert.deepEqual(shown.risk, { score: risk.score, level: risk.level });
  assert.equal(risk.level, 'elevated');
  assert.equal(shown.severity, 'high');
  const sum = risk.parts.reduce((all: number, { points }: Part) => all + points, 0);
  assert.ok(Math.abs(sum - risk.score) < 1);
  for (const name of ['behaviour-sends-identity', 'code-send-sms', 'android.permission.SEND_SMS'])
    assert.ok(named(risk).includes(name), name);
  assert.deepEqual(risk.behaviour.map(({ evidence }: { evidence: string }) => evidence).sort(), [
    'sends 4 text messages to +491729968535: "352090087612342", "000001720345568"',
    'sends the IMEI by text message to +491729968535, 4 times',
  ]);
  const ids = risk.techniques.map(({ id }: { id: string }) => id);
  assert.ok(ids.includes('T1582') && ids.includes('T1422'), ids.join());
  assert.deepEqual(risk.context, { signer: null, family: null });
  assert.equal((await workstation.ask(`/apks/${'0'.repeat(64)}/risk/`)).status, 404);
});

test('what is dismissed counts nothing, for one APK at once, for all in the background, and counts again when undone', async () => {
  const before = await riskOf('direct');
  const dismiss = async (json: object) =>
    (await workstation.ask('/dismissals/', { method: 'POST', json: { reason: 'a test', ...json } })).body.id as string;
  const undo = (id: string) => workstation.ask(`/dismissals/${id}/`, { method: 'DELETE' });
  const scoreOf = async (name: 'direct' | 'packed') =>
    (await workstation.ask(`/apks/${sha256[name]}/`)).body.workstation.risk.score as number;
  const settled = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) await new Promise(setImmediate);
  };

  const own = await dismiss({ finding: 'behaviour-sends-identity', scope: 'apk', apk: sha256.direct });
  const without = await riskOf('direct');
  assert.ok(without.score < before.score && !named(without).includes('behaviour-sends-identity'));
  assert.deepEqual([before.dismissed, without.dismissed], [0, 1], 'counted apart');
  assert.equal(await scoreOf('direct'), without.score);
  await undo(own);
  assert.equal(await scoreOf('direct'), before.score);

  const other = await scoreOf('packed');
  const wide = await dismiss({ finding: 'behaviour-sends-sms', scope: 'everywhere' });
  await settled(async () => (await scoreOf('direct')) < before.score && (await scoreOf('packed')) < other);
  await undo(wide);
  await settled(async () => (await scoreOf('direct')) === before.score && (await scoreOf('packed')) === other);
});

test('an antivirus and a rule that names malware raise the risk, and say so by their names', async () => {
  const { detections, catalogue } = workstation.server.services;
  const before = await riskOf('direct');
  const apk = await catalogue.get(sha256.direct!);
  const finding = { signature: 'Andr.Trojan.SMSSend', score: null, tags: [], additionalInformation: {} };
  await detections.recordAntivirus(apk, 'ClamAV', finding);
  const named = await riskOf('direct');
  assert.deepEqual(named.parts[0].evidence, [
    { kind: 'antivirus', name: 'ClamAV', where: '', text: 'Andr.Trojan.SMSSend' },
  ]);
  const { body: record } = await workstation.ask(`/apks/${sha256.direct}/`);
  assert.equal(record.workstation.risk.score, named.score);
  await detections.recordAntivirus(apk, 'ClamAV', null);
  assert.deepEqual(await riskOf('direct'), before);

  const rules = 'rule sms_thief { meta: malware_family = "Thief" condition: uint16(0) == 0x4b50 }';
  const json = { name: 'families', rules, is_enabled: true, is_public: true, status: 'enabled' };
  assert.equal((await workstation.ask('/rulesets/', { method: 'POST', json })).status, 201);
  await workstation.jobEnd((await workstation.ask(`/apks/${sha256.direct}/analyze_yara/`)).body.id);
  const matched = await riskOf('direct');
  const rule = matched.parts.find(({ group }: Part) => group === 'rules');
  assert.equal(rule?.evidence[0].name, 'sms_thief');
  assert.ok(matched.score > before.score);
});

test('APKs that were analysed before there was a risk get theirs in the background', async () => {
  const { store, services } = workstation.server;
  const { id } = await services.catalogue.get(sha256.packed!);
  const score = (await services.catalogue.get(sha256.packed!)).risk;
  await store.transaction(async ({ apks, reports }) => {
    for (const kind of ['evidence', 'behaviour'] as const) await reports.remove(id, kind);
    await apks.setRisk(id, null, null);
  });
  assert.equal((await services.catalogue.get(sha256.packed!)).risk, null);
  assert.equal((await workstation.ask(`/apks/${sha256.packed}/risk/`)).status, 404);
  services.risks.start();
  while ((await services.catalogue.get(sha256.packed!)).risk === null) await new Promise(setImmediate);
  assert.equal((await services.catalogue.get(sha256.packed!)).risk, score);
});

test('what a run saw an app do, hosts and flows of data among it, is compared with what others do', async () => {
  const switched = (isOn: boolean) =>
    workstation.ask('/settings/', { method: 'PATCH', json: { analyze_dynamic_on_upload: isOn } });
  await switched(false);
  const copy = Buffer.concat([testApk('direct'), Buffer.from('x')]);
  // The last byte is a comment of the archive.
  copy.writeUInt16LE(1, copy.length - 3);
  const other = (await workstation.upload(copy)).body.sha256;
  await workstation.server.idle();
  await switched(true);
  const shared = async (): Promise<number[]> => {
    const { body } = await workstation.ask(`/apks/${sha256.direct}/similar/`);
    const found = body.results.find(({ apk }: { apk: { sha256: string } }) => apk.sha256 === other);
    const [, own, all] = /(\d+) of (\d+) findings, calls and hosts/.exec(found.reason) ?? ['', '0', '0'];
    return [Number(own), Number(all)];
  };
  const [before] = await shared();
  const { body: job } = await workstation.ask(`/apks/${other}/analyze_dynamic/`);
  assert.equal((await workstation.jobEnd(job.id)).status, 'done');
  await workstation.server.idle();
  const [after, all] = await shared();
  assert.ok(after! > before! && after === all, `${before}, then ${after} of ${all}`);
});
