// The requests that published Python clients of the original make: method, address, headers, body, and what they read.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  legacyAnalysisSchema,
  legacyApkSchema,
  legacyCommentSchema,
  legacyRulesetSchema,
} from '../../server/contract/legacy.ts';
import { form, rules, sha256, unknownSha256, variant, workstationWithSamples } from '../fixtures/client-samples.ts';
import type { RequestSettings, TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;

before(async () => {
  workstation = await workstationWithSamples();
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, settings?: RequestSettings) => workstation.ask(path, settings);

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
    const apk = await store.transaction(({ apks }) =>
      apks.insert({ sha256: hash(64), sha1: hash(40), md5: hash(32), size: 1 }),
    );
    await store.transaction(({ matches }) => matches.save(apk.id, id, []));
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

test('public rulesets are read without a token, private ones, changes and what concerns their author alone are not', async () => {
  await ask('/account/', { method: 'PATCH', json: { email: 'owner@example.org' } });
  const make = async (name: string, privacy: string) =>
    (await ask('/legacy/public_rulesets', { method: 'POST', json: { name, rules, privacy } })).body.id;
  const open = await make('Open to all', 'public');
  const hidden = await make('Open to none', 'private');
  const anonymous = (path: string, settings: RequestSettings = {}) =>
    ask(`/legacy${path}`, { token: null, ...settings });
  const listed = await anonymous('/public_rulesets?search=open to');
  assert.deepEqual([listed.status, listed.body.results.map(({ id }: { id: number }) => id)], [200, [open]]);
  const shown = await anonymous(`/public_rulesets/${open}`);
  assert.equal(shown.body.name, 'Open to all');
  assert.equal(shown.body.analyst.username, 'owner');
  for (const { text } of [listed, shown]) assert.doesNotMatch(text, /owner@example|settings|notify_/);
  assert.equal((await anonymous(`/public_rulesets/${hidden}`)).status, 404);
  assert.equal((await anonymous(`/public_rulesets/${open}`, { method: 'DELETE' })).status, 401);
  assert.equal((await anonymous('/user_rulesets')).status, 401);
  for (const id of [open, hidden]) await ask(`/legacy/public_rulesets/${id}`, { method: 'DELETE' });
});

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
  for (const path of [
    `/legacy/apks/${unknownSha256}`,
    `/legacy/apks/${unknownSha256}/download`,
    `/apks/${unknownSha256}`,
  ]) {
    assert.equal((await ask(path)).status, 404);
    assert.equal((await ask(path, { token: '0'.repeat(40) })).status, 401);
  }
});
