// What an APK carries, over HTTP: analysed by itself, no APK of the catalogue until it is promoted.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { databaseName } from '../../server/store/lost-catalogue.ts';
import { buildAxml, element } from '../fixtures/axml-builder.ts';
import { buildDex } from '../fixtures/dex-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { buildZip } from '../fixtures/zip-builder.ts';

const inner = readFileSync(realApks.apiDemos);
const script = '#!/system/bin/sh\nid\n';
const carrying = (...entries: { name: string; content: Uint8Array | string }[]) =>
  buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: 'the.carrier' })) },
      ...entries,
    ],
  });
const rules = `rule Deep { strings: $a = "/system/bin/sh" condition: $a at 2 }
  rule Unpacked : malware { strings: $a = "Lio/appium/android/apis/" condition: uint32(0) == 0x0a786564 and $a }`;

let workstation: TestWorkstation;
let rulesetId: number;
/** The APK that carries the others, and one like it that carries nothing. */
let parent: string;
let plain: string;
/** Its children: an app with a script in it, a real app, dex by itself, and the script. */
let first: string;
let real: string;
let bare: string;
let deep: string;
before(async () => {
  workstation = await startWorkstation({ onUpload: ['static', 'yara'] });
  const json = { name: 'Scripts', rules, is_active: true, is_public: true };
  rulesetId = (await workstation.ask('/rulesets/', { method: 'POST', json })).body.id;
  const carrier = carrying(
    { name: 'assets/a.bin', content: carrying({ name: 'assets/deep.sh', content: script }) },
    { name: 'assets/b.bin', content: inner },
    { name: 'assets/c.dat', content: buildDex({ classes: [{ descriptor: 'Lhidden/Code;' }] }) },
  );
  parent = (await workstation.upload(carrier)).body.sha256;
  plain = (await workstation.upload(carrying())).body.sha256;
  await workstation.server.idle();
  const { results } = await listed();
  [first, real, bare, deep] = results.map((child: { sha256: string }) => child.sha256);
});
after(() => workstation[Symbol.asyncDispose]());

const listed = async () => (await workstation.ask(`/apks/${parent}/children/`)).body;
const askOf = (child: string, part: string, options = {}) =>
  workstation.ask(`/apks/${parent}/children/${child}/${part}`, options);
const fetched = (path: string) =>
  fetch(`${workstation.url}/apks/${parent}/${path}`, {
    headers: { authorization: `Token ${workstation.ownerToken}` },
  });

test('what an APK carries is listed with its kind, its way there, its findings and its matches', async () => {
  const { status, count, results } = await listed();
  assert.equal(status, 'done');
  assert.deepEqual(
    results.map((child: Record<string, unknown>) => [
      child.kind,
      child.package_name,
      child.depth,
      child.status,
      child.error,
      child.is_in_catalogue,
    ]),
    [
      ['apk', 'the.carrier', 1, 'done', null, false],
      ['apk', 'io.appium.android.apis', 1, 'done', null, false],
      ['dex', null, 1, 'done', null, false],
      ['script', null, 2, 'done', null, false],
      ['apk', 'com.example.android.helloactivity', 2, 'done', null, false],
    ],
  );
  const [, app, dex, innermost] = results;
  assert.equal(innermost.parent, first);
  assert.deepEqual(app.ways, [{ origin: 'entry', path: 'assets/b.bin', action: 'carried', by: null }]);
  assert.ok(app.findings > 0 && app.risk > 0);
  assert.equal(dex.risk, null);
  assert.deepEqual(
    innermost.matches.map(({ ruleset_name, rule }: Record<string, string>) => [ruleset_name, rule]),
    [['Scripts', 'Deep']],
  );
  // In its own code, which is no child of it.
  assert.deepEqual(
    app.matches.map(({ rule }: Record<string, string>) => rule),
    ['Unpacked'],
  );
  const { body: matches } = await workstation.ask(`/apks/${parent}/matches/`);
  assert.deepEqual(
    matches.results[0].rules_matched.map(({ file }: { file: string }) => file),
    ['assets/a.bin!/assets/deep.sh', 'assets/b.bin!/classes.dex'],
  );
  const { kinds, ...summary } = (await workstation.ask(`/apks/${parent}/`)).body.workstation.children;
  assert.deepEqual(summary.count, count);
  assert.deepEqual([kinds.apk, kinds.dex, kinds.script], [3, 1, kinds.script]);
});

test('an APK that carries nothing gets no job for it', async () => {
  assert.equal((await workstation.ask(`/apks/${plain}/`)).body.workstation.children, null);
  const { body: jobs } = await workstation.ask(`/jobs/?apk=${plain}`);
  assert.ok(jobs.results.every(({ kind }: { kind: string }) => kind !== 'children'));
});

test('what public rules say of a child counts in its risk, and the APK that carries it says so', async () => {
  const risk = async () => (await workstation.ask(`/apks/${parent}/risk/`)).body.behaviour;
  const ofReal = ({ where }: { where: string }) => where === 'assets/b.bin';
  const riskOfReal = async () => (await listed()).results[1].risk;
  const isPublic = (is_public: boolean) =>
    workstation.ask(`/rulesets/${rulesetId}/`, { method: 'PATCH', json: { is_public } });
  const atFirst = await riskOfReal();
  assert.match((await risk()).find(ofReal).evidence, new RegExp(`: risk ${atFirst},`));
  assert.ok(
    (await risk()).some((item: { code: string; where: string }) => item.code === 'payload-app' && ofReal(item)),
  );
  await isPublic(false);
  assert.match((await risk()).find(ofReal).evidence, new RegExp(`: risk ${atFirst - 18},`));
  assert.equal(await riskOfReal(), atFirst - 18);
  await isPublic(true);
});

test('a child has a report, files and bytes of its own, and its code is searched with that of the APK', async () => {
  const report = await askOf(real, 'report/');
  assert.deepEqual([report.status, report.body.package_name], [200, 'io.appium.android.apis']);
  assert.equal(report.body.findings.length, (await listed()).results[1].findings);
  const bareReport = (await askOf(bare, 'report/')).body;
  assert.deepEqual([bareReport.code.classes, bareReport.package_name], [1, '']);
  assert.ok(bareReport.findings.every(({ code }: { code: string }) => !/^(?:signature|manifest)-/.test(code)));
  const { files } = (await askOf(first, 'files/')).body;
  assert.deepEqual(
    files.map(({ name }: { name: string }) => name),
    ['AndroidManifest.xml', 'assets/deep.sh'],
  );
  assert.equal((await askOf(deep, 'files/')).status, 404);

  const found = (await workstation.ask(`/apks/${parent}/code/search/?q=hidden`)).body.results;
  assert.deepEqual([found[0].text, found[0].dex], ['Lhidden/Code;', 'assets/c.dat']);
  const named = encodeURIComponent('assets/a.bin!/assets/deep.sh');
  assert.equal(await (await fetched(`files/content/?path=${named}`)).text(), script);
  const file = await fetched(`children/${real}/file/`);
  assert.match(file.headers.get('content-disposition')!, /^attachment/);
  assert.deepEqual(Buffer.from(await file.arrayBuffer()), inner);
});

test('children need a token, and those that are not there are a 404', async () => {
  assert.equal((await workstation.ask(`/apks/${parent}/children/`, { token: null })).status, 401);
  for (const part of ['report/', 'files/', 'file/']) {
    assert.equal((await askOf(deep, part, { token: null })).status, 401, part);
    assert.equal((await askOf('0'.repeat(64), part)).status, 404, part);
    assert.equal((await askOf('nonsense', part)).status, 404, part);
  }
});

test('an app among the children is promoted to the catalogue once, and nothing else is', async () => {
  const promote = (child: string) => askOf(child, 'promote/', { method: 'POST' });
  const { count } = (await workstation.ask('/apks/')).body;
  assert.equal((await workstation.ask(`/apks/${first}/`)).status, 404);
  assert.equal((await promote(deep)).status, 415);
  const promoted = await promote(first);
  assert.deepEqual([promoted.status, promoted.body.sha256], [201, first]);
  assert.equal((await promote(first)).status, 200);
  assert.equal((await workstation.ask('/apks/')).body.count, count + 1);
  assert.equal((await listed()).results[0].is_in_catalogue, true);
  await workstation.server.idle();
});

test('children go to the trash with their APK, come back with it, and go for good; what was promoted stays', async () => {
  const before = await listed();
  const toTrash = () => workstation.ask(`/apks/${parent}/`, { method: 'DELETE' });
  await toTrash();
  assert.equal((await workstation.ask(`/apks/${parent}/children/`)).status, 404);
  assert.equal((await workstation.ask(`/apks/${first}/`)).status, 200);
  const [item] = (await workstation.ask('/trash/')).body.results;
  assert.equal((await workstation.ask(`/trash/${item.id}/restore/`, { method: 'POST', json: {} })).status, 200);
  assert.deepEqual(await listed(), before);

  await toTrash();
  assert.equal((await workstation.ask('/trash/', { method: 'DELETE' })).status, 204);
  const database = new SqliteDatabase(join(workstation.dataDir, databaseName), { readonly: true });
  const left = (from: string) => database.prepare(`SELECT count(*) FROM ${from}`).pluck().get();
  assert.deepEqual([left('trash'), left('trash_pieces')], [0, 0]);
  // The promoted one carries the script as well.
  assert.deepEqual(
    database
      .prepare('SELECT children.sha256 FROM children JOIN apks ON apks.id = apk_id AND apks.sha256 = ?')
      .pluck()
      .all(Buffer.from(first, 'hex')),
    [deep],
  );
  assert.equal(left('children WHERE apk_id NOT IN (SELECT id FROM apks)'), 0);
  assert.equal(left(`children WHERE sha256 = '${real}'`), 0);
  database.close();
  const names = readdirSync(workstation.dataDir, { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    names.filter((name) => [parent, real, bare, deep].some((sha256) => name.includes(sha256))),
    [],
  );
});
