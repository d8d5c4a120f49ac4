// The requests that published clients of the original service make: method, address, headers, body, and what they read.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import yauzl from 'yauzl';
import {
  legacyActivitySchema,
  legacyAnalysisSchema,
  legacyApkSchema,
  legacyCommentSchema,
  legacyNotificationSchema,
  legacyRulesetSchema,
} from '../../server/contract/legacy.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { type RequestSettings, startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
const bytes = readFileSync(realApks.unlock);
const sha256 = createHash('sha256').update(bytes).digest('hex');
const unknown = 'ab'.repeat(32);

before(async () => {
  workstation = await startWorkstation();
  assert.equal((await workstation.upload(bytes)).status, 201);
  assert.equal((await workstation.upload(realApks.unicodeIme)).status, 201);
  await workstation.server.idle();
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, settings?: RequestSettings) => workstation.ask(path, settings);

/** A form with one file part, as `requests` and browsers send it. */
function form(
  field: string,
  name: string,
  content: Uint8Array<ArrayBuffer>,
  fields: Record<string, string> = {},
): FormData {
  const data = new FormData();
  data.append(field, new Blob([content]), name);
  for (const [key, value] of Object.entries(fields)) data.append(key, value);
  return data;
}

/** A variant of an APK: other bytes, the same app. A comment at the end of the archive makes the difference. */
function variant(mark: string): { content: Uint8Array<ArrayBuffer>; hash: string } {
  const comment = Buffer.from(mark);
  const content = Uint8Array.from(Buffer.concat([bytes, comment]));
  new DataView(content.buffer).setUint16(bytes.length - 2, comment.length, true);
  return { content, hash: createHash('sha256').update(content).digest('hex') };
}

// The first Python client: its base ends with a slash, its paths begin with one.

test('the first Python client finds, reads and downloads over doubled slashes and without slashes at the end', async () => {
  const found = await ask('/legacy//apks?page_size=100&search=unlock');
  assert.equal(found.status, 200);
  assert.equal(found.body.next, null);
  const [apk] = found.body.results;
  assert.deepEqual(legacyApkSchema.strict().parse(apk), apk);
  assert.equal(apk.sha256, sha256);
  const link = await ask(`/legacy//apks/${sha256}/download`);
  const file = await fetch(link.body.download_url);
  assert.equal(
    createHash('sha256')
      .update(Buffer.from(await file.arrayBuffer()))
      .digest('hex'),
    sha256,
  );
  assert.equal((await ask(`/legacy//apks/a${sha256}/download`)).status, 404);
});

test('the first Python client searches by open ends of sizes and ratings', async () => {
  const count = async (search: string) => {
    const { status, body } = await ask(`/legacy//apks?page_size=100&search=${encodeURIComponent(search)}`);
    assert.equal(status, 200, search);
    return body.count;
  };
  assert.ok((await count('unlock and package_name:"io.appium.unlock" and size:2KB+ and rating:0+')) > 0);
  assert.equal(await count('unlock and package_name:"io.appium.unlock" and size:1B- and rating:-5-'), 0);
  assert.equal(await count('unlock and size:2MB+'), 0);
  assert.ok((await count('package: io.appium.unlock')) > 0);
});

test('the first Python client follows next until it is null', async () => {
  const seen: string[] = [];
  for (let next: string | null = '/legacy//apks?page_size=1&search='; next !== null; ) {
    const { body } = await ask(next);
    seen.push(...body.results.map((apk: { sha256: string }) => apk.sha256));
    next = body.next;
  }
  assert.equal(seen.length, (await ask('/legacy/apks')).body.count);
  assert.equal(new Set(seen).size, seen.length);
});

test('the first Python client knows by 200 that there is a report or that one was asked for', async () => {
  const report = await ask(`/legacy//apks/${sha256}/analysis`);
  assert.equal(report.status, 200);
  assert.deepEqual(Object.keys(report.body), ['sha256', 'status', 'androguard', 'cuckoo', 'droidbox']);
  legacyAnalysisSchema.parse(report.body);
  assert.equal(report.body.status, 'analyzed');
  assert.equal((await ask('/legacy//apks/abc/analysis')).status, 404);
  const asked = await ask(`/legacy//apks/${sha256}/analyze`);
  assert.equal(asked.status, 200);
  assert.equal(asked.body.sha256, sha256);
  assert.equal((await ask('/legacy//apks/abc/analyze')).status, 404);
});

test('an older request for an analysis asks for the static and the dynamic one, at the price of one', async () => {
  const token = await workstation.analyst('asker');
  // What was asked for before would be joined, for nothing.
  await workstation.server.idle();
  assert.equal((await ask(`/legacy/apks/${sha256}/analyze`, { token })).status, 200);
  const jobs = (await ask('/jobs/', { token })).body.results;
  assert.deepEqual(jobs.map(({ kind }: { kind: string }) => kind).toSorted(), ['dynamic', 'static']);
  const { rate_limits: limits } = (await ask('/account/statistics/', { token })).body;
  assert.equal(limits['apk-analyze'].used, 1);
  for (const { id } of jobs) await workstation.jobEnd(id);
});

test('the first Python client uploads what is not held and is told 409 of what is', async () => {
  const { content, hash } = variant('first');
  const link = await ask(`/legacy//apks/${hash}/get_upload_url`);
  assert.equal(link.status, 200);
  // One client sends the file to every value of the record, so that there must be no other.
  assert.deepEqual(Object.keys(link.body), ['upload_url']);
  const sent = await fetch(link.body.upload_url, { method: 'POST', body: form('file', 'sample.apk', content) });
  assert.equal(sent.status, 201);
  assert.equal((await ask(`/legacy//apks/${hash}/get_upload_url`)).status, 409);
});

test('the first Python client asks who it is', async () => {
  for (const path of ['/legacy//analysts/current', '//analysts/current', '/analysts/current/']) {
    const { status, body } = await ask(path);
    assert.equal(status, 200);
    assert.equal(body.username, 'owner');
    assert.ok(Number.isInteger(body.date_joined));
  }
  assert.equal((await ask('/legacy//analysts/current', { token: null })).status, 401);
});

test('the first Python client votes by form and is answered 201, once', async () => {
  const vote = (kind: string) =>
    ask(`/legacy//apks/${sha256}/votes`, { method: 'POST', body: new URLSearchParams({ kind }) });
  const cast = await vote('positive');
  assert.equal(cast.status, 201);
  assert.deepEqual(cast.body, { kind: 'positive' });
  assert.equal((await vote('negative')).status, 409);
  assert.equal((await vote('neither')).status, 400);
  const { body } = await ask(`/legacy//apks/${sha256}/votes`);
  assert.deepEqual(body.results, [{ kind: 'positive', analyst: 'owner' }]);
  assert.equal((await ask(`/legacy/apks/${sha256}`)).body.rating, 1);
});

test('an older client follows analysts, and reads their rulesets and profiles by page number', async () => {
  const token = await workstation.analyst('follower');
  assert.equal((await ask('/legacy/analysts/owner/follow', { token })).status, 200);
  const { body } = await ask('/legacy/analysts/owner/followers?page=1&page_size=50');
  assert.deepEqual(
    body.results.map(({ username }: { username: string }) => username),
    ['follower'],
  );
  assert.equal((await ask('/legacy/analysts/follower/following')).body.count, 1);
  assert.equal((await ask('/legacy/analysts/owner/unfollow', { token })).body.total_followers, 0);
  await ask('/legacy/public_rulesets', { method: 'POST', token, json: { name: 'Followed', rules: '' } });
  const listed = await ask('/legacy/analysts/follower/rulesets?page=1&page_size=10');
  assert.equal(listed.body.results[0].privacy, 'public');
  assert.ok(Number.isInteger(listed.body.results[0].id));
  const edited = await ask('/legacy/analysts/follower', { method: 'PATCH', token, json: { first_name: 'Andrew' } });
  assert.equal(edited.status, 200);
  assert.equal(edited.body.first_name, 'Andrew');
});

test('an older client tags an APK', async () => {
  const tagged = await ask(`/legacy/apks/${sha256}/tags`, { method: 'POST', json: { name: 'banker' } });
  assert.equal(tagged.status, 201);
  assert.deepEqual((await ask(`/legacy/apks/${sha256}`)).body.tags, ['banker']);
});

test('the first Python client comments, finds its comment by author and text, and deletes it by its number', async () => {
  const posted = await ask(`/legacy//apks/${sha256}/comments`, {
    method: 'POST',
    body: new URLSearchParams({ text: 'test' }),
  });
  assert.equal(posted.status, 201);
  assert.equal(posted.body.text, 'test');
  const { body } = await ask(`/legacy//apks/${sha256}/comments`);
  assert.equal(body.next, null);
  const [comment] = body.results;
  legacyCommentSchema.strict().parse(comment);
  assert.deepEqual(comment, posted.body);
  assert.equal(comment.author.username, 'owner');
  assert.equal(comment.apk, sha256);
  assert.deepEqual((await ask(`/legacy/comments/${comment.id}`)).body, comment);
  const changed = await ask(`/legacy/comments/${comment.id}`, { method: 'PATCH', json: { text: 'better' } });
  assert.equal(changed.body.text, 'better');
  assert.equal((await ask('/legacy/analysts/owner/comments')).body.results[0].id, comment.id);
  assert.equal((await ask(`/legacy//comments/${comment.id}`, { method: 'DELETE' })).status, 204);
  assert.equal((await ask(`/legacy/comments/${comment.id}`)).status, 404);
});

const rules = 'rule harmless { condition: false }';

test('the first Python client reads a public ruleset and the APKs that it matches, 25 on a page', async () => {
  const made = await ask('/legacy/public_rulesets', { method: 'POST', json: { name: 'Bank', rules, active: true } });
  assert.equal(made.status, 201, made.text);
  assert.ok(Number.isInteger(made.body.id));
  const { id } = made.body;
  const ruleset = await ask(`/legacy//public_rulesets/${id}`);
  assert.deepEqual(legacyRulesetSchema.strict().parse(ruleset.body), made.body);
  const { store } = workstation.server;
  for (let index = 0; index < 30; index++) {
    const hash = (length: number) => index.toString(16).padStart(length, '0');
    const apk = await store.apks.insert({ sha256: hash(64), sha1: hash(40), md5: hash(32), size: 1 });
    await store.matches.save(apk.id, id, []);
  }
  const seen: number[] = [];
  for (let next: string | null = `/legacy//ruleset_matches/${id}/apks`; next !== null; ) {
    const { status, body } = await ask(next);
    assert.equal(status, 200);
    seen.push(body.results.length);
    for (const apk of body.results) legacyApkSchema.strict().parse(apk);
    next = body.next;
  }
  assert.deepEqual(seen, [25, 5]);
  assert.equal((await ask(`/legacy/public_rulesets/${id}`)).body.detections, 30);
  for (const apk of (await ask(`/legacy/ruleset_matches/${id}/apks?page_size=100`)).body.results) {
    await ask(`/apks/${apk.sha256}/`, { method: 'DELETE' });
  }
});

test('public rulesets are read without a token, private ones and changes are not', async () => {
  const make = async (name: string, privacy: string) =>
    (await ask('/legacy/public_rulesets', { method: 'POST', json: { name, rules, privacy } })).body.id;
  const open = await make('Open to all', 'public');
  const hidden = await make('Open to none', 'private');
  const anonymous = (path: string, settings: RequestSettings = {}) =>
    ask(`/legacy${path}`, { token: null, ...settings });
  const listed = await anonymous('/public_rulesets?search=open to');
  assert.deepEqual([listed.status, listed.body.results.map(({ id }: { id: number }) => id)], [200, [open]]);
  assert.equal((await anonymous(`/public_rulesets/${open}`)).body.name, 'Open to all');
  assert.equal((await anonymous(`/public_rulesets/${hidden}`)).status, 404);
  assert.equal((await anonymous(`/public_rulesets/${open}`, { method: 'DELETE' })).status, 401);
  assert.equal((await anonymous('/user_rulesets')).status, 401);
  for (const id of [open, hidden]) await ask(`/legacy/public_rulesets/${id}`, { method: 'DELETE' });
});

// The second Python client: cursors parsed out of next, an empty one first; upload links behind its own base address.

test('the second Python client begins with an empty cursor and takes the following ones out of next', async () => {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = new URLSearchParams({ cursor, search: '', page_size: '1' });
    const { status, body } = await ask(`/legacy/apks?${query}`);
    assert.equal(status, 200);
    seen.push(...body.results.map((apk: { created_on: number }) => apk.created_on));
    cursor = body.next === null ? null : new URL(body.next).searchParams.get('cursor');
  }
  assert.equal(seen.length, (await ask('/legacy/apks')).body.count);
  assert.ok(seen.every(Number.isInteger));
});

test('the second Python client puts its base address before upload links', async () => {
  for (const [mark, base] of [
    ['second', '/legacy'],
    ['third', '/legacy/'],
    ['fourth', '/'],
  ] as const) {
    const { content, hash } = variant(mark);
    const link = await ask(`${base}/apks/${hash}/get_upload_url`);
    const address = `${workstation.url}${base}${link.body.upload_url}`;
    const sent = await ask(address, { method: 'POST', body: form('file', 'file', content) });
    assert.equal(sent.status, 201, sent.text);
    assert.equal((await ask(`${base}/apks/${hash}`)).status, 200);
  }
});

test('both Python clients take a 404 for an APK that is not there, and a 401 for a wrong token', async () => {
  for (const path of [`/legacy/apks/${unknown}`, `/legacy/apks/${unknown}/download`, `/apks/${unknown}`]) {
    assert.equal((await ask(path)).status, 404);
    assert.equal((await ask(path, { token: '0'.repeat(40) })).status, 401);
  }
});

// Scripts written to the first documentation: filters beside the search, pages by number, orders.

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

test('an older Go client that sends the bare token is known by it', async () => {
  const bare = (token: string) => ask(`/legacy/apks/${sha256}`, { headers: { authorization: token } });
  assert.equal((await bare(workstation.ownerToken)).status, 200);
  assert.equal((await bare('0'.repeat(40))).status, 401);
  assert.deepEqual((await bare('word')).body, { detail: 'Authentication credentials were not provided.' });
});

test('a Go client that looks for the word "detail" in a record finds none', async () => {
  assert.doesNotMatch((await ask(`/apks/${sha256}/`)).text, /detail|Not found/);
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

// A connector of a SOAR platform.

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

test('an APK without a report is a 405 for older clients and a 404 for present ones', async () => {
  const hash = 'd'.repeat(64);
  await workstation.server.store.apks.insert({ sha256: hash, sha1: 'd'.repeat(40), md5: 'd'.repeat(32), size: 1 });
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

// The older web client, which sends filters it does not use, empty, and whole records back.

test('the older web client makes, lists, changes, promotes and deletes rulesets', async () => {
  const token = await workstation.analyst('author');
  const send = (method: string, path: string, json?: object) =>
    ask(`/legacy/user_rulesets${path}`, { method, token, ...(json === undefined ? {} : { json }) });
  const made = await send('POST', '', { name: 'New Ruleset', rules, active: false });
  assert.equal(made.status, 201);
  assert.equal(made.body.active, false);
  assert.equal(made.body.privacy, 'private');
  assert.equal(made.body.analyst.username, 'author');
  const { id } = made.body;
  assert.equal((await ask(`/legacy/user_rulesets/${id}`)).status, 404);
  assert.equal((await ask(`/legacy/public_rulesets/${id}`)).status, 404);
  const listed = await send('GET', '?page=1&page_size=10&active=&privacy=&ordering=-modified_on&social=');
  assert.equal(listed.body.count, 1);
  assert.deepEqual(listed.body.results, [made.body]);
  assert.equal((await send('GET', '?active=True')).body.count, 0);
  assert.equal((await send('GET', '?privacy=private&search=new')).body.count, 1);
  assert.equal((await send('GET', '?active=perhaps')).status, 400);
  assert.equal((await send('GET', '?page=2')).status, 404);
  const changed = await send('PATCH', `/${id}`, { ...made.body, active: true, privacy: 'public' });
  assert.equal(changed.status, 200);
  assert.equal(changed.body.active, true);
  assert.equal(changed.body.privacy, 'public');
  const promoted = await send('POST', `/${id}/promote_social`);
  assert.equal(promoted.body.pending_social, true);
  assert.equal(
    (
      await ask(`/legacy/public_rulesets/${id}`, {
        method: 'PATCH',
        token: await workstation.analyst('x'),
        json: { name: 'Mine' },
      })
    ).status,
    403,
  );
  assert.equal((await send('DELETE', `/${id}`)).status, 204);
  assert.equal((await send('GET', `/${id}`)).status, 404);
});

test('the older web client knows by 406 that rules do not compile, and nothing is saved', async () => {
  const refused = await ask('/legacy/user_rulesets', { method: 'POST', json: { name: 'Bad', rules: 'rule {' } });
  assert.equal(refused.status, 406);
  assert.deepEqual(Object.keys(refused.body), ['error', 'active', 'id']);
  assert.match(refused.body.error, /line 1/);
  assert.equal(refused.body.id, null);
  const { body } = await ask('/legacy/user_rulesets', { method: 'POST', json: { name: 'Good', rules } });
  const again = await ask(`/legacy/user_rulesets/${body.id}`, { method: 'PATCH', json: { ...body, rules: 'rule {' } });
  assert.equal(again.status, 406);
  assert.equal(again.body.id, body.id);
  assert.equal(again.body.active, true);
  assert.equal((await ask(`/legacy/user_rulesets/${body.id}`)).body.rules, rules);
});

test('older clients vote and comment on public rulesets', async () => {
  const { body: ruleset } = await ask('/legacy/public_rulesets', { method: 'POST', json: { name: 'Judged', rules } });
  const votes = `/legacy/public_rulesets/${ruleset.id}/votes`;
  const token = await workstation.analyst('judge');
  const cast = await ask(votes, { method: 'POST', token, json: { kind: 'negative' } });
  assert.equal(cast.status, 201);
  assert.deepEqual(cast.body, { kind: 'negative' });
  assert.equal((await ask(votes, { method: 'POST', token, json: { kind: 'positive' } })).status, 409);
  assert.deepEqual((await ask(votes)).body.results, [{ kind: 'negative', analyst: 'judge' }]);
  assert.equal((await ask(`/legacy/public_rulesets/${ruleset.id}`)).body.rating, -1);
  const comments = `/legacy/public_rulesets/${ruleset.id}/comments`;
  const posted = await ask(comments, { method: 'POST', token, json: { text: 'test2' } });
  assert.equal(posted.status, 201);
  assert.equal(posted.body.ruleset, ruleset.id);
  assert.equal((await ask(`${comments}?cursor=`)).body.count, 1);
  assert.equal((await ask(`${comments}/${posted.body.id}`, { method: 'DELETE', token })).status, 204);
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
    await store.notifications.insert({ accountId: watcher!.id, type: 'ruleset_matched', ...about });
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

test('the older web client counts the detections of an APK in a bare array', async () => {
  const { content, hash } = variant('detected');
  assert.equal((await workstation.upload(content)).status, 201);
  assert.deepEqual((await ask(`/legacy/apks/${hash}/detections`)).body, []);
  const { body: ruleset } = await ask('/legacy/public_rulesets', { method: 'POST', json: { name: 'Social', rules } });
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(hash);
  const source = { kind: 'ruleset', rulesetId: ruleset.id } as const;
  await store.detections.save(apk!.id, source, { rules_matched: ['harmless'] });
  const { status, body } = await ask(`/legacy/apks/${hash}/detections`);
  assert.equal(status, 200);
  assert.equal(body.length, 1);
  assert.equal(body[0].detected, true);
  assert.equal(body[0].username, 'owner');
  assert.deepEqual(body[0].rulesets, [{ id: ruleset.id, name: 'Social' }]);
  assert.match(body[0].source, /^ruleset-/);
});

test('the older web client reads what one analyst and what everybody did', async () => {
  const token = await workstation.analyst('doer');
  const { content, hash } = variant('deed');
  assert.equal((await workstation.upload(content, { token })).status, 201);
  await workstation.server.idle();
  await ask(`/legacy/apks/${hash}/votes`, { method: 'POST', token, json: { kind: 'negative' } });
  await ask(`/legacy/apks/${hash}/comments`, { method: 'POST', token, json: { text: 'seen' } });
  const { body: mine } = await ask('/legacy/analysts/doer/activity?cursor=');
  assert.deepEqual(
    mine.results.map(({ type }: { type: string }) => type),
    ['apkcomment', 'votedown', 'upload'],
  );
  for (const deed of mine.results) {
    legacyActivitySchema.strict().parse(deed);
    assert.equal(deed.analyst.username, 'doer');
    assert.equal(deed.apk.sha256, hash);
  }
  assert.equal(mine.results[0].comment.text, 'seen');
  const { body: all } = await ask('/legacy/activity?page=1&page_size=3');
  assert.deepEqual(all.results, mine.results);
  assert.ok(all.count > 3);
  assert.equal((await ask(all.next)).body.results.length, 3);
});

// Readers of the older feed.

/** The texts inside a zip, by name. */
async function unzip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await yauzl.fromBufferPromise(bytes, { lazyEntries: true });
  const files: Record<string, string> = {};
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = [];
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer);
    files[entry.fileName] = Buffer.concat(pieces).toString();
  }
  return files;
}

test('readers of the older feed get zips by the name of their package, or the latest', async () => {
  const minute = 60_000_000;
  const start = Math.ceil((Date.now() * 1000) / (60 * minute)) * 60 * minute;
  let now = start;
  await using older = await startWorkstation({ clock: () => now++ });
  const read = async (path: string, token = older.ownerToken) => {
    const response = await fetch(`${older.url}/legacy${path}`, { headers: { authorization: `Token ${token}` } });
    return { response, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  assert.equal((await read('/feed/apks')).response.status, 404);
  assert.equal((await read('/feed/apks', await older.analyst('poor'))).response.status, 401);
  const apk = { sha256, sha1: 'a'.repeat(40), md5: 'b'.repeat(32), size: 1 };
  const { id } = await older.server.store.apks.insert(apk);
  await older.server.store.detections.save(id, { kind: 'community' }, { community_rating: -3 });
  await older.server.store.apks.recount([id]);
  now = start + 6 * minute;
  await older.server.makeFeeds();
  const name = new Date(start / 1000).toISOString().replaceAll(/[-:]/g, '').slice(0, 13);
  // The second Python client leaves a placeholder in the address and sends the parameter again.
  for (const query of ['', '?package=', `?package=${name}`, '?package=%7Bpackage%7D&package=']) {
    const { response, bytes } = await read(`/feed/apks${query}`);
    assert.equal(response.status, 200, query);
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="apks_${name}.zip"`);
    const files = await unzip(bytes);
    assert.deepEqual(Object.keys(files), ['samples']);
    const [hash, link] = files.samples!.trim().split(';');
    assert.equal(hash, sha256);
    assert.match(link!, new RegExp(`^${older.url}/downloads/${sha256}`));
  }
  for (const type of ['analyses', 'detected']) {
    const { response, bytes } = await read(`/feed/${type}?package=${name}`);
    assert.equal(response.headers.get('content-disposition'), `attachment; filename="${type}_${name}.zip"`);
    const [detection] = JSON.parse((await unzip(bytes))[`${sha256}.json`]!);
    assert.equal(detection.source, 'community');
  }
  for (const query of ['?package=20010101T0000', '?package=nonsense', `?package=${name.slice(0, 11)}`]) {
    assert.equal((await read(`/feed/apks${query}`)).response.status, 404, query);
  }
  now = start + 11 * minute;
  await older.server.makeFeeds();
  assert.deepEqual(await unzip((await read('/feed/apks')).bytes), { samples: '' });
  assert.deepEqual(await unzip((await read('/feed/detected')).bytes), {});
});

// Clients in Go, one per generation.

test('the older Go client pages public rulesets by number, the last changed first', async () => {
  for (const name of ['Former', 'Latter']) {
    await ask('/legacy/public_rulesets', { method: 'POST', json: { name, rules } });
  }
  const { status, body } = await ask(
    '/legacy/public_rulesets?page=1&page_size=1&active=True&privacy=public&ordering=-modified_on',
  );
  assert.equal(status, 200);
  assert.equal(body.results[0].name, 'Latter');
  assert.equal((await ask(body.next)).body.results[0].name, 'Former');
  assert.match(body.next, /[?&]page=2&/);
});

test('the older Go client sends the file in a part of another name, beside another field', async () => {
  const { content, hash } = variant('gopher');
  const link = await ask(`/legacy/apks/${hash}/get_upload_url`);
  const body = form('image', hash, content, { key: 'KEY' });
  assert.equal((await fetch(link.body.upload_url, { method: 'POST', body })).status, 201);
});

test('Go clients know a missing APK by its words, and take the second quoted word of other refusals', async () => {
  const { text } = await ask(`/apks/${unknown}`);
  assert.ok(text.includes('Not found'));
  const refused = await ask(`/apks/${unknown}`, { token: null });
  assert.equal(refused.text.split('"')[3], 'Authentication credentials were not provided.');
  const { body } = await ask(`/apks/${sha256}`);
  assert.ok(!Object.keys(body).includes('detail'));
  assert.ok(!Number.isNaN(Date.parse(body.created_at)));
});

test('a present Go client takes the link of a download from the record or the very file', async () => {
  const { status, body } = await ask(`/apks/${sha256.toUpperCase()}/download/`, {
    headers: { accept: 'application/json' },
  });
  assert.equal(status, 200);
  assert.match(body.download_url, /^http/);
});

// Search tools.

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
