// The requests of the older web client, which sends filters it does not use, empty, and whole records back.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { legacyActivitySchema } from '../../server/contract/legacy.ts';
import { rules, variant, workstationWithSamples } from '../fixtures/client-samples.ts';
import type { RequestSettings, TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;

before(async () => {
  workstation = await workstationWithSamples();
});
after(() => workstation[Symbol.asyncDispose]());

const ask = (path: string, settings?: RequestSettings) => workstation.ask(path, settings);

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

test('the older web client counts the detections of an APK in a bare array', async () => {
  const { content, hash } = variant('detected');
  assert.equal((await workstation.upload(content)).status, 201);
  assert.deepEqual((await ask(`/legacy/apks/${hash}/detections`)).body, []);
  const { body: ruleset } = await ask('/legacy/public_rulesets', { method: 'POST', json: { name: 'Social', rules } });
  const { store } = workstation.server;
  const apk = await store.apks.findBySha256(hash);
  const source = { kind: 'ruleset', rulesetId: ruleset.id } as const;
  await store.transaction(({ detections }) => detections.save(apk!.id, source, { rules_matched: ['harmless'] }));
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

test('the older web client reads what those did whom an analyst follows', async () => {
  const reader = await workstation.analyst('reader');
  const followed = await workstation.analyst('followed');
  await workstation.analyst('unfollowed');
  const activity = () => ask('/legacy/analysts/reader/following/activity?page=1&page_size=10', { token: reader });
  assert.deepEqual((await activity()).body, { count: 0, next: null, previous: null, results: [] });
  await ask('/legacy/analysts/followed/follow', { token: reader });
  await ask('/legacy/analysts/unfollowed/follow', { token: followed });
  const { content, hash } = variant('followed');
  await workstation.upload(content, { token: followed });
  const { body } = await activity();
  assert.deepEqual(
    body.results.map(({ type, analyst }: { type: string; analyst: { username: string } }) => [type, analyst.username]),
    [
      ['upload', 'followed'],
      ['follow', 'followed'],
    ],
  );
  assert.equal(body.results[0].apk.sha256, hash);
  assert.equal((await ask('/legacy/analysts/nobody/following/activity')).status, 404);
});

test('the older web client knows its own vote, and by 404 that there is none', async () => {
  const token = await workstation.analyst('voter');
  const { content, hash } = variant('voted');
  await workstation.upload(content);
  const { body: ruleset } = await ask('/legacy/public_rulesets', { method: 'POST', json: { name: 'Voted', rules } });
  for (const address of [`/legacy/apks/${hash}`, `/legacy/public_rulesets/${ruleset.id}`]) {
    assert.equal((await ask(`${address}/user_vote`, { token })).status, 404);
    await ask(`${address}/votes`, { method: 'POST', token, json: { kind: 'negative' } });
    assert.deepEqual((await ask(`${address}/user_vote`, { token })).body, { kind: 'negative', analyst: 'voter' });
    assert.equal((await ask(`${address}/user_vote`)).status, 404);
  }
});

test('the older web client reads the comments of everybody, except those on private rulesets of others', async () => {
  const token = await workstation.analyst('commenter');
  const { content, hash } = variant('commented');
  await workstation.upload(content);
  const { body: ruleset } = await ask('/legacy/user_rulesets', { method: 'POST', token, json: { name: 'Own', rules } });
  const comment = (address: string, text: string) =>
    ask(`${address}/comments`, { method: 'POST', token, json: { text } });
  await comment(`/legacy/apks/${hash}`, 'for all');
  await comment(`/legacy/public_rulesets/${ruleset.id}`, 'for myself');
  const texts = async (reader: string) => {
    const { body } = await ask('/legacy/comments?cursor=&page_size=2', { token: reader });
    return body.results.map(({ text }: { text: string }) => text);
  };
  assert.deepEqual(await texts(token), ['for myself', 'for all']);
  assert.equal((await texts(workstation.ownerToken))[0], 'for all');
});
