// The requests of scripts, search tools, connectors and platforms written to the documentation of the original.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { legacyNotificationSchema } from '../../server/contract/legacy.ts';
import { form, rules, sha256, variant, workstationWithSamples } from '../fixtures/client-samples.ts';
import type { RequestSettings, TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;

before(async () => {
  workstation = await workstationWithSamples(variant('third').content);
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, settings?: RequestSettings) => workstation.ask(path, settings);

test('older scripts filter the catalogue by hash and by being analysed, beside a search', async () => {
  const list = async (query: string) => (await ask(`/legacy/apks?${query}`)).body;
  const shas = async (query: string) => (await list(query)).results.map((apk: { sha256: string }) => apk.sha256);
  const { body: apk } = await ask(`/legacy/apks/${sha256}`);
  for (const name of ['md5', 'sha1', 'sha256']) {
    assert.deepEqual(await shas(`${name}=${apk[name]}`), [sha256]);
    assert.deepEqual(await shas(`${name}=${apk[name].toUpperCase()}&search=unlock`), [sha256]);
    assert.deepEqual(await shas(`${name}=${apk[name]}&search=nothing+or+like+this`), []);
    assert.deepEqual(await list(`${name}=nonsense`), { count: 0, next: null, previous: null, results: [] });
    assert.deepEqual(await shas(`${name}=nonsense&page=1`), []);
  }
  assert.deepEqual(
    await shas('md5=&sha1=&sha256=&search=unlock+and+size:200KB-'),
    await shas('search=unlock+and+size:200KB-'),
  );
  const all = (await list('')).count;
  assert.equal((await list('analyzed=True')).count + (await list('analyzed=False')).count, all);
  assert.ok((await shas('analyzed=True')).includes(sha256));
  const wrong = await ask(`/legacy/apks?md5=${apk.md5}&search=a+(b`);
  const alone = await ask('/legacy/apks?search=a+(b');
  assert.equal(wrong.status, 400);
  assert.deepEqual(wrong.body, alone.body);
});

test('older scripts read the catalogue by page number, and from its beginning', async () => {
  const names = (body: { results: { sha256: string }[] }) => body.results.map((apk) => apk.sha256);
  const newestFirst = names((await ask('/legacy/apks?page_size=100')).body);
  assert.ok(newestFirst.length >= 3);
  const byNumber: string[] = [];
  for (let next: string | null = '/legacy/apks?page=1&page_size=2'; next !== null; ) {
    const { status, body } = await ask(next);
    assert.equal(status, 200);
    assert.equal(body.count, newestFirst.length);
    byNumber.push(...names(body));
    next = body.next;
  }
  assert.deepEqual(byNumber, newestFirst);
  assert.equal((await ask('/legacy/apks?page=2&page_size=2')).body.previous.match(/page=(\d+)/)[1], '1');
  for (const page of ['0', '-1', 'x', '99', '9999999']) {
    assert.equal((await ask(`/legacy/apks?page=${page}`)).status, 404, page);
  }
  for (const start of ['page_size=2', 'page=1&page_size=2']) {
    const oldestFirst: string[] = [];
    for (let next: string | null = `/legacy/apks?ordering=created_on&${start}`; next !== null; ) {
      const { body }: { body: { next: string | null; results: { sha256: string }[] } } = await ask(next);
      oldestFirst.push(...names(body));
      next = body.next;
    }
    assert.deepEqual(oldestFirst, newestFirst.toReversed(), start);
  }
  const second = (await ask((await ask('/legacy/apks?ordering=created_on&page_size=2')).body.next)).body;
  assert.deepEqual(names((await ask(second.previous)).body), newestFirst.toReversed().slice(0, 2));
  assert.deepEqual(names((await ask('/legacy/apks?ordering=-created_on&page_size=100')).body), newestFirst);
});

test('search tools put stars around a package name, and blanks behind the names of fields', async () => {
  const found = await ask(`/legacy/apks?${new URLSearchParams({ cursor: '', search: 'package_name:*io.appium.*' })}`);
  assert.equal(found.status, 200, found.text);
  assert.ok(found.body.count > 0);
  const search = 'detected:true AND analyzed:true AND is_apk: true AND rating: <-3';
  assert.equal((await ask(`/legacy/apks?${new URLSearchParams({ search })}`)).status, 200);
  const ordered = await ask('/apks?search=detected:true&ordering=-analyzed&page_size=100');
  assert.equal(ordered.status, 200);
});

test('the SOAR connector proves its key with a search', async () => {
  assert.equal((await ask('/legacy/apks?search=Whatsapp')).status, 200);
  assert.equal((await ask('/legacy/apks?search=Whatsapp', { token: 'wrong' })).status, 401);
});

test('the SOAR connector detonates: not there, upload with its token, analyse, poll 405 until there is a report', async () => {
  const { content, hash } = variant('detonated');
  const before = await ask(`/legacy/apks/${hash}`);
  assert.equal(before.status, 404);
  assert.match(before.headers.get('content-type') ?? '', /json/);
  const link = await ask(`/legacy/apks/${hash}/get_upload_url`);
  const sent = await ask(link.body.upload_url, { method: 'POST', body: form('file', 'x', content) });
  assert.equal(sent.status, 201);
  assert.match(sent.headers.get('content-type') ?? '', /json/);
  assert.equal((await ask(`/legacy/apks/${hash}/analyze`)).status, 200);
  assert.equal((await ask(`/legacy/apks/${hash}`)).body.is_apk, true);
  await workstation.server.idle();
  const report = await ask(`/legacy/apks/${hash}/analysis`);
  assert.equal(report.status, 200);
  assert.equal(report.body.sha256, hash);
  assert.equal((await ask(`/legacy/apks/${hash}`)).body.analyzed, true);
});

test('the present SOAR connector uploads, posts all three analyses at once, polls the record, and forces a scan', async () => {
  const { content, hash } = variant('presently detonated');
  assert.equal((await ask(`/apks/${hash}/`)).status, 404);
  const link = await ask(`/apks/${hash}/get_upload_url`);
  assert.equal((await ask(link.body.upload_url, { method: 'POST', body: form('file', 'x', content) })).status, 201);
  const record = async () => {
    const { status, body } = await ask(`/apks/${hash}/`);
    assert.equal(status, 200);
    return body;
  };
  await record();
  for (const kind of ['dynamic', 'static', 'yara']) {
    assert.equal((await ask(`/apks/${hash}/analyze_${kind}/`, { method: 'POST' })).status, 200);
  }
  await workstation.server.idle();
  const analysed = await record();
  assert.deepEqual([analysed.is_static_analyzed, analysed.is_dynamic_analyzed], [true, true]);
  assert.equal((await ask(`/apks/${hash}/analysis`)).status, 200);
  assert.equal((await ask(`/apks/${hash}/analyze_yara/`, { method: 'POST' })).status, 200);
  await workstation.server.idle();
  assert.ok((await record()).last_yara_analysis_at > analysed.last_yara_analysis_at);
});

test('an APK without a report is a 405 for older clients and a 404 for present ones', async () => {
  const hash = 'd'.repeat(64);
  await workstation.server.store.transaction(({ apks }) =>
    apks.insert({ sha256: hash, sha1: 'd'.repeat(40), md5: 'd'.repeat(32), size: 1 }),
  );
  const older = await ask(`/legacy/apks/${hash}/analysis`);
  assert.equal(older.status, 405);
  assert.ok('detail' in older.body);
  assert.ok(older.headers.has('allow'));
  assert.equal((await ask(`/apks/${hash}/analysis`)).status, 404);
  assert.equal((await ask(`/legacy/apks/${hash}`)).body.analyzed, false);
  await ask(`/apks/${hash}/`, { method: 'DELETE' });
});

test('the SOAR connector knows by 415 what is no Android app', async () => {
  const content = Uint8Array.from(Buffer.from('not an APK'));
  const hash = createHash('sha256').update(content).digest('hex');
  const link = await ask(`/legacy/apks/${hash}/get_upload_url`);
  const sent = await ask(link.body.upload_url, { method: 'POST', body: form('file', 'x', content) });
  assert.equal(sent.status, 415);
});

test('a script polls unread notifications of a ruleset, and marks each as read by form', async () => {
  const token = await workstation.analyst('watcher');
  const mine = (path: string, settings: RequestSettings = {}) => ask(`/legacy${path}`, { token, ...settings });
  const { body: ruleset } = await mine('/user_rulesets', { method: 'POST', json: { name: 'SMSFraud', rules } });
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(sha256);
  const watcher = await store.accounts.findByUsername('watcher');
  for (let index = 0; index < 2; index++) {
    const about = { apkId: apk!.id, rulesetId: ruleset.id };
    await store.transaction(({ notifications }) =>
      notifications.insert({ accountId: watcher!.id, type: 'ruleset_matched', ...about }),
    );
  }
  const unread = await mine('/notifications?read=False');
  assert.equal(unread.body.count, 2);
  assert.equal(unread.body.next, null);
  const [notification] = unread.body.results;
  legacyNotificationSchema.strict().parse(notification);
  assert.equal(notification.type, 'ruleset');
  assert.equal(notification.ruleset.name, 'SMSFraud');
  assert.equal(notification.apk.sha256, sha256);
  assert.equal(notification.analyst_ref, null);
  const path = `/notifications/${notification.id}`;
  const marked = await mine(path, { method: 'PATCH', body: new URLSearchParams({ read: 'True' }) });
  assert.equal(marked.status, 200);
  assert.equal(marked.body.read, true);
  assert.equal((await mine('/notifications?cursor=&read=False')).body.count, 1);
  assert.equal((await ask(`/legacy${path}`)).status, 404);
  const all = await mine('/notifications/mark_all_as_read', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  assert.equal(all.status, 200);
  assert.equal((await mine('/notifications?read=False')).body.count, 0);
  for (const query of ['', '?read=', '?type=', '?type=ruleset']) {
    assert.equal((await mine(`/notifications${query}`)).body.count, 2, query);
  }
  assert.equal((await mine('/notifications?type=follow')).body.count, 0);
  assert.equal((await mine('/notifications?type=other')).status, 400);
});

test('a reconnaissance tool cuts the cursor out of next and escapes it again', async () => {
  const seen: string[] = [];
  let cursor = '';
  for (let page = 0; page < 100; page++) {
    const query = new URLSearchParams({ cursor, search: 'io.appium.*', page_size: '1' });
    const { status, body } = await ask(`/apks/?${query}`);
    assert.equal(status, 200);
    seen.push(...body.results.map((apk: { sha256: string }) => apk.sha256));
    const [, cut] = /cursor=(.+?)&/.exec(body.next ?? '') ?? [];
    if (cut === undefined) break;
    cursor = decodeURIComponent(cut);
  }
  assert.equal(new Set(seen).size, seen.length);
});

test('an enrichment platform reads record and report by the bare address and its own last part', async () => {
  assert.equal((await ask(`/apks/${sha256}`, { headers: { 'content-type': 'application/json' } })).status, 200);
  assert.equal((await ask(`/apks/${sha256}/analysis`)).status, 200);
});
