import assert from 'node:assert/strict';
import { after, before, mock, test } from 'node:test';
import { commentListSchema, commentSchema } from '../../server/contract/people/comment.ts';
import type { Happening } from '../../server/services/event-bus.ts';
import { tagsIn } from '../../server/services/triage/comments.ts';
import type { Writes } from '../../server/store/store.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';
import { newApk } from '../unit/store/new-apk.ts';

let workstation: TestWorkstation;
let ada: string;
let ben: string;
let apkPath: string;
let rulesetPath: string;
const happenings: Happening[] = [];
before(async () => {
  workstation = await startWorkstation();
  ada = await workstation.analyst('ada');
  ben = await workstation.analyst('ben');
  const { sha256 } = await workstation.server.store.transaction(({ apks }) => apks.insert(newApk(1)));
  apkPath = `/apks/${sha256}/`;
  const json = { name: 'Open', is_public: true };
  const { body } = await workstation.ask('/rulesets/', { method: 'POST', token: ada, json });
  rulesetPath = `/rulesets/${body.id}/`;
  const { events } = workstation.server.services;
  const happened = events.happened.bind(events);
  mock.method(events, 'happened', (happening: Happening, inside: Writes) => {
    happenings.push(happening);
    return happened(happening, inside);
  });
});
after(() => workstation[Symbol.asyncDispose]());

const write = (path: string, text: unknown, token = ada) =>
  workstation.ask(path, { method: 'POST', token, json: { text } });

test('comments on an APK, a ruleset and a profile are written, read, changed and deleted alike', async () => {
  for (const [path, subject] of [
    [`${apkPath}comments/`, 'apk'],
    [`${rulesetPath}comments/`, 'ruleset'],
    ['/analysts/ben/profile_comments/', 'profile'],
  ] as const) {
    const written = await write(path, '  well done  ');
    assert.equal(written.status, 201, written.text);
    const comment = commentSchema.parse(written.body);
    assert.equal(comment.text, 'well done');
    assert.equal(comment.author.username, 'ada');
    assert.deepEqual(
      (['apk', 'ruleset', 'profile'] as const).filter((name) => comment[name] !== null),
      [subject],
    );
    assert.equal(comment.url, `${workstation.url}${path}${comment.id}/`);
    assert.deepEqual((await workstation.ask(comment.url, { token: ben })).body, comment);
    const list = commentListSchema.parse((await workstation.ask(path, { token: ben })).body);
    assert.deepEqual([list.count, list.results], [1, [comment]]);

    const asBen = { token: ben, json: { text: 'mine' } };
    assert.equal((await workstation.ask(comment.url, { method: 'PATCH', ...asBen })).status, 403);
    assert.equal((await workstation.ask(comment.url, { method: 'DELETE', token: ben })).status, 403);
    const put = await workstation.ask(comment.url, { method: 'PUT', token: ada, json: { text: 'better' } });
    assert.deepEqual([put.status, put.body.text], [200, 'better']);
    assert.ok(put.body.updated_at > comment.updated_at);
    const patched = await workstation.ask(comment.url, { method: 'PATCH', json: {} });
    assert.deepEqual([patched.status, patched.body.text], [200, 'better']);
    assert.equal((await workstation.ask(comment.url, { method: 'DELETE' })).status, 204);
    assert.equal((await workstation.ask(comment.url)).status, 404);
    assert.equal((await workstation.ask(path)).body.count, 0);
  }
});

test('a comment is a 404 under anything but what it is about', async () => {
  const { body } = await write(`${apkPath}comments/`, 'here');
  const { sha256 } = await workstation.server.store.transaction(({ apks }) => apks.insert(newApk(2)));
  for (const path of [`/apks/${sha256}/`, rulesetPath, '/analysts/ben/profile_']) {
    assert.equal((await workstation.ask(`${path}comments/${body.id}/`)).status, 404);
  }
  assert.equal((await workstation.ask(`/apks/${'f'.repeat(64)}/comments/`)).status, 404);
  assert.equal((await workstation.ask('/analysts/nobody/profile_comments/')).status, 404);
  await workstation.ask(body.url, { method: 'DELETE' });
});

test('comments are counted on what they are about, and a word with a # tags the APK', async () => {
  await write(`${apkPath}comments/`, 'A #banker, see https://example.org/#top and #42; #банк');
  const { body } = await write(`${apkPath}comments/`, 'second');
  await write(`${rulesetPath}comments/`, 'third #nothing');
  const apk = (await workstation.ask(apkPath)).body;
  assert.deepEqual([apk.comments_count, apk.tags], [2, ['banker', 'банк']]);
  assert.equal((await workstation.ask(rulesetPath)).body.comments_count, 1);
  await workstation.ask(body.url, { method: 'DELETE' });
  assert.equal((await workstation.ask(apkPath)).body.comments_count, 1);
});

test('a comment is told of when it is new and when it changes, with its texts, for mentions', async () => {
  happenings.length = 0;
  const { body } = await write(`${rulesetPath}comments/`, 'look, @ben');
  await workstation.ask(body.url, { method: 'PATCH', token: ada, json: { text: 'look again, @ben' } });
  assert.deepEqual(
    happenings.map((one) => one.name === 'commented' && [one.textBefore, one.text, one.apkId, one.profileId]),
    [
      [null, 'look, @ben', null, null],
      ['look, @ben', 'look again, @ben', null, null],
    ],
  );
});

test('comments need a token and a text, and page by number on a profile', async () => {
  assert.equal((await workstation.ask(`${apkPath}comments/`, { token: null })).status, 401);
  for (const wrong of ['', ' ', 7, undefined, 'x'.repeat(10_001), 'a\0b']) {
    assert.equal((await write(`${apkPath}comments/`, wrong)).status, 400);
  }
  for (const text of ['1', '2', '3']) await write('/analysts/ada/profile_comments/', text);
  const { body } = await workstation.ask('/analysts/ada/profile_comments/?page=2&page_size=2');
  assert.deepEqual([body.count, body.next, body.results.map(({ text }: { text: string }) => text)], [3, null, ['1']]);
});

test('tags in a text are words, each once', () => {
  assert.deepEqual(tagsIn('#a #a (#b-c) x#d ##e #1 #2fa &#39; #f.'), ['a', 'b-c', '2fa', 'f']);
  assert.equal(tagsIn(Array.from({ length: 50 }, (_, index) => `#t${index}`).join(' ')).length, 20);
});
