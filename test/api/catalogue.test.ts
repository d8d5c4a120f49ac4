import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import {
  analysisSchema,
  apkDetailSchema,
  apkListSchema,
  filesSchema,
  manifestSchema,
} from '../../server/contract/catalogue/apk.ts';
import { jobSchema } from '../../server/contract/jobs/job.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
const sha256: Record<string, string> = {};
before(async () => {
  workstation = await startWorkstation();
  for (const name of ['unlock', 'unicodeIme', 'apiDemos'] as const) {
    const { status, body, text } = await workstation.upload(realApks[name]);
    assert.equal(status, 201, text);
    sha256[name] = body.sha256;
  }
  await workstation.server.idle();
});
after(() => workstation[Symbol.asyncDispose]());

test('an uploaded APK is analysed by itself, and its record and report have the shapes of the contract', async () => {
  for (const name of Object.keys(sha256)) {
    const detail = await workstation.ask(`/apks/${sha256[name]}/`);
    const record = apkDetailSchema.parse(detail.body);
    assert.equal(record.is_static_analyzed, true);
    assert.equal(record.is_corrupted, false);
    const analysis = await workstation.ask(`/apks/${sha256[name]}/analysis/`);
    assert.equal(analysis.status, 200);
    assert.deepEqual(Object.keys(analysis.body), ['cuckoo', 'androguard', 'dynamic']);
    const report = analysisSchema.parse(analysis.body);
    assert.equal(report.androguard?.package_name, record.package_name);
    assert.equal(report.cuckoo?.target.file.sha256, sha256[name]);
    assert.equal(typeof report.dynamic?.coverage, 'object');
    assert.ok(!analysis.text.includes('\n'));
    const { body: manifest } = await workstation.ask(`/apks/${sha256[name]}/manifest/`);
    assert.match(manifestSchema.parse(manifest).manifest ?? '', /<manifest/);
    const { body: files } = await workstation.ask(`/apks/${sha256[name]}/files/`);
    assert.ok(filesSchema.parse(files).files.some((entry) => entry.name === 'classes.dex'));
  }
});

test('a report is a 404 until there is one', async () => {
  const { store } = workstation.server;
  const hash = 'd'.repeat(64);
  await store.transaction(({ apks }) =>
    apks.insert({ sha256: hash, sha1: 'd'.repeat(40), md5: 'd'.repeat(32), size: 1 }),
  );
  for (const part of ['analysis', 'manifest', 'files']) {
    const answer = await workstation.ask(`/apks/${hash}/${part}/`);
    assert.equal(answer.status, 404);
    assert.ok('detail' in answer.body);
  }
  await workstation.ask(`/apks/${hash}/`, { method: 'DELETE' });
});

test('an icon is read by the link in the record, without a token, and a drawing can run nothing', async () => {
  const { body } = await workstation.ask(`/apks/${sha256.apiDemos}/`);
  assert.ok(body.image, 'ApiDemos has an icon');
  const icon = await workstation.ask(body.image, { token: null });
  assert.equal(icon.status, 200);
  assert.match(icon.headers.get('content-type') ?? '', /^image\//);
  assert.match(icon.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox/);
  assert.equal(
    (await workstation.ask(body.image.replace(/signature=.*/, 'signature=AAAA'), { token: null })).status,
    403,
  );
  assert.equal((await workstation.ask(body.image.replace(/\?.*/, ''), { token: null })).status, 403);
});

test('words of a search match app, package and company in part, hashes in full', async () => {
  const found = async (search: string) => {
    const { body } = await workstation.ask(`/apks/?search=${encodeURIComponent(search)}`);
    assert.equal(body.count, body.results.length);
    return body.results.map((apk: { sha256: string }) => apk.sha256);
  };
  assert.deepEqual(await found('UNLOCK'), [sha256.unlock]);
  assert.deepEqual(await found('appium unlo'), [sha256.unlock]);
  assert.deepEqual(await found(sha256.unicodeIme!.toUpperCase()), [sha256.unicodeIme]);
  assert.deepEqual(await found(createHash('md5').update(readFileSync(realApks.unlock)).digest('hex')), [sha256.unlock]);
  assert.deepEqual(await found(sha256.unicodeIme!.slice(0, 63)), []);
  assert.deepEqual(await found('%'), []);
  assert.equal((await found('')).length, 3);
});

test('an analysis is asked for by GET and by POST, and the same request meanwhile is the same job', async () => {
  const [first, second] = await Promise.all([
    workstation.ask(`/apks/${sha256.apiDemos}/analyze_static/`),
    workstation.ask(`/apks/${sha256.apiDemos}/analyze_static/`, { method: 'POST' }),
  ]);
  assert.equal(first.status, 200);
  assert.equal(second.status, 200);
  const job = jobSchema.parse(first.body);
  assert.equal(second.body.id, job.id);
  assert.equal(job.kind, 'static');
  assert.equal(job.apk?.sha256, sha256.apiDemos);
  const ended = await workstation.jobEnd(job.id);
  assert.equal(ended.status, 'done');
  assert.equal(ended.progress, 1);
});

test('only an owner or an expert marks an APK as trusted, and only the owner deletes one', async () => {
  const analyst = await workstation.analyst('reader');
  const path = `/apks/${sha256.unicodeIme}/`;
  const asAnalyst = { method: 'PATCH', token: analyst, json: { is_trusted: true } };
  assert.equal((await workstation.ask(path, asAnalyst)).status, 403);
  assert.equal((await workstation.ask(path, { method: 'DELETE', token: analyst })).status, 403);
  await workstation.ask('/analysts/reader', { method: 'PATCH', json: { is_expert: true } });
  const changed = await workstation.ask(path, asAnalyst);
  assert.equal(changed.status, 200);
  assert.equal(changed.body.is_trusted, true);
  const form = new URLSearchParams({ is_trusted: 'False' });
  assert.equal((await workstation.ask(path, { method: 'PATCH', body: form })).body.is_trusted, false);
  const wrong = await workstation.ask(path, { method: 'PATCH', json: { is_trusted: 'perhaps' } });
  assert.equal(wrong.status, 400);
  assert.deepEqual(Object.keys(wrong.body), ['is_trusted']);
});

test('a deleted APK is gone with its report and file, and can be uploaded again', async () => {
  const path = `/apks/${sha256.unicodeIme}/`;
  const deleted = await workstation.ask(path, { method: 'DELETE' });
  assert.equal(deleted.status, 204);
  assert.equal(deleted.text, '');
  for (const rest of ['', 'analysis/', 'download/', 'manifest/']) {
    assert.equal((await workstation.ask(path + rest)).status, 404);
  }
  assert.equal((await workstation.ask('/trash/', { method: 'DELETE' })).status, 204);
  assert.equal(workstation.server.store.files.inspect(sha256.unicodeIme!), 'missing');
  assert.equal((await workstation.upload(realApks.unicodeIme)).status, 201);
  await workstation.server.idle();
});

test('the owner has every outdated report made anew', async () => {
  const analyst = await workstation.analyst('other');
  assert.equal((await workstation.ask('/analyses/outdated/', { method: 'POST', token: analyst })).status, 403);
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(sha256.unlock!);
  const report = await store.reports.read(apk!.id, 'androguard');
  await store.transaction(({ reports }) =>
    reports.save([{ apkId: apk!.id, kind: 'androguard', status: 'done', engineVersion: 0, content: report!.content }]),
  );
  assert.deepEqual((await workstation.ask('/analyses/outdated/', { token: analyst })).body, { outdated: 1 });
  const answer = await workstation.ask('/analyses/outdated/', { method: 'POST' });
  assert.equal(answer.status, 201);
  assert.deepEqual(answer.body, { queued: 1 });
  await workstation.server.idle();
  assert.notEqual((await store.reports.read(apk!.id, 'androguard'))?.engineVersion, 0);
  assert.deepEqual((await workstation.ask('/analyses/outdated/')).body, { outdated: 0 });
});

test('a file that was altered on the disk is told, not handed out', async () => {
  const { store } = workstation.server;
  const { download_url: link } = (await workstation.ask(`/apks/${sha256.unlock}/download/`)).body;
  const reference = store.files.fileReference(sha256.unlock!);
  const descriptor = openSync(reference.path, 'r+');
  writeSync(descriptor, Buffer.from('altered'), 0, 7, Math.floor(statSync(reference.path).size / 2));
  closeSync(descriptor);
  // The answer is broken off at the first altered byte, or refused before it begins.
  const whole = await workstation.ask(link, { token: null }).then(
    ({ status }) => status === 200,
    () => false,
  );
  assert.equal(whole, false);
  await workstation.ask(`/apks/${sha256.unlock}/analyze_static/`);
  await workstation.server.idle();
  assert.equal((await workstation.ask(`/apks/${sha256.unlock}/`)).body.file_state, 'altered');
});

test('a report in which a bit has changed is told of, not handed out, until a new analysis takes its place', async () => {
  const path = `/apks/${sha256.unicodeIme}/`;
  const database = new SqliteDatabase(join(workstation.dataDir, 'catalogue.db'));
  const ofApk =
    "apk_id = (select id from apks where sha256 = unhex(?)) and kind in ('androguard', 'cuckoo', 'dynamic')";
  const reports = database.prepare(`select id, content from reports where ${ofApk}`).raw().all(sha256.unicodeIme);
  for (const [id, content] of reports as [number, Buffer][]) {
    const middle = content.length >> 1;
    const changed = content.with(middle, content[middle]! ^ 0x10);
    database.prepare('update reports set content = ? where id = ?').run(changed, id);
  }
  database.close();
  for (const part of ['', 'androguard/', 'cuckoo/', 'dynamic/']) {
    const { status, body } = await workstation.ask(`${path}analysis/${part}`);
    assert.equal(status, 500, part);
    assert.deepEqual(body, { detail: 'A stored report of this APK is damaged. Have it analysed again.' });
  }
  for (const kind of ['static', 'dynamic']) {
    const { body: job } = await workstation.ask(`${path}analyze_${kind}/`);
    assert.match((await workstation.jobEnd(job.id)).status, /^(?:done|partial)$/);
  }
  const { androguard, cuckoo, dynamic } = analysisSchema.parse((await workstation.ask(`${path}analysis/`)).body);
  assert.equal(androguard?.package_name, 'io.appium.android.ime');
  assert.equal(cuckoo?.target.file.sha256, sha256.unicodeIme);
  assert.equal(typeof dynamic?.coverage, 'object');
});

test('three hundred APKs are paged to the end and back, each once, while others arrive', async () => {
  const { store } = workstation.server;
  const insert = (mark: string) => {
    const hash = (name: string) => createHash(name).update(mark).digest('hex');
    return store.transaction(({ apks }) =>
      apks.insert({
        sha256: hash('sha256'),
        sha1: hash('sha1'),
        md5: hash('md5'),
        size: 1,
        app: `Number ${mark}`,
        packageName: 'paged.app',
      }),
    );
  };
  await store.transaction(async (inside) => {
    for (let index = 0; index < 300; index++) {
      const hash = (name: string) => createHash(name).update(`page ${index}`).digest('hex');
      const hashes = { sha256: hash('sha256'), sha1: hash('sha1'), md5: hash('md5') };
      await inside.apks.insert({ ...hashes, size: 1, app: `Number ${index}`, packageName: 'paged.app' });
    }
  });
  const seen: string[] = [];
  let { body } = await workstation.ask('/apks/?search=paged.app&page_size=40&unknown=x%26y');
  assert.equal(body.previous, null);
  for (;;) {
    const page = apkListSchema.parse(body);
    assert.equal(page.count, 300);
    seen.push(...page.results.map(({ app }) => app));
    if (page.next === null) break;
    const next = new URL(page.next);
    assert.match(page.next, /\/apks\/\?cursor=[0-9A-Za-z]+&/);
    assert.deepEqual([...next.searchParams.keys()], ['cursor', 'search', 'page_size', 'unknown']);
    assert.equal(next.searchParams.get('unknown'), 'x&y');
    // The first page has been seen: what arrives now is on none of the following.
    await insert(`late ${seen.length}`);
    ({ body } = await workstation.ask(page.next));
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 300 }, (_, index) => `Number ${299 - index}`),
  );
  const back: string[] = [];
  while (body.previous !== null) {
    ({ body } = await workstation.ask(body.previous));
    back.unshift(...body.results.map(({ app }: { app: string }) => app));
  }
  assert.equal(new Set(back).size, back.length);
  assert.ok(back.includes('Number 299') && back.some((app) => app.startsWith('Number late')));
  const fresh = await workstation.ask('/apks/?search=paged.app&page_size=1');
  assert.equal(fresh.body.count, 307);
  assert.equal(new URL(fresh.body.next).searchParams.get('page_size'), '1');
  assert.equal(new URL((await workstation.ask('/apks')).body.next).searchParams.get('page_size'), '50');
});
