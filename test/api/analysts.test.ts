import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { activityListSchema } from '../../server/contract/people/activity.ts';
import { analystSchema } from '../../server/contract/people/analyst.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let ada: string;
let bob: string;
const sha256 = '2'.repeat(64);
before(async () => {
  workstation = await startWorkstation();
  ada = await workstation.analyst('ada');
  bob = await workstation.analyst('bob');
  await workstation.server.store.transaction(({ apks }) =>
    apks.insert({ sha256, sha1: '2'.repeat(40), md5: '2'.repeat(32), size: 1 }),
  );
});
after(() => workstation[Symbol.asyncDispose]());

const typesOf = async (token: string) =>
  (await workstation.ask('/notifications/', { token })).body.results.map(({ type }: { type: string }) => type);
const post = (path: string, token: string, json: object) => workstation.ask(path, { method: 'POST', token, json });

test('following is counted on both sides, listed, idempotent, and never of oneself', async () => {
  const followed = await workstation.ask('/analysts/ada/follow', { token: bob });
  assert.equal(followed.status, 200);
  assert.equal(analystSchema.parse(followed.body).total_followers, 1);
  assert.equal((await workstation.ask('/analysts/ada/follow', { token: bob })).body.total_followers, 1);
  assert.equal((await workstation.ask('/account/', { token: bob })).body.followed_count, 1);
  assert.equal((await workstation.ask('/account/', { token: ada })).body.followers_count, 1);
  const followers = await workstation.ask('/analysts/ada/followers?page=1&page_size=1', { token: bob });
  assert.deepEqual([followers.body.count, followers.body.results[0].username], [1, 'bob']);
  assert.equal((await workstation.ask('/analysts/bob/following', { token: bob })).body.results[0].username, 'ada');
  const among = async (query: string) => {
    const { count, results } = (await workstation.ask(`/analysts/ada/followers?${query}`, { token: bob })).body;
    assert.equal(count, results.length);
    return count;
  };
  assert.deepEqual(
    [await among('username=BOB'), await among('username=ada'), await among('username=nobody')],
    [1, 0, 0],
  );
  assert.equal(await among('username='), 1);
  assert.equal((await workstation.ask('/analysts/bob/follow', { token: bob })).status, 400);
  assert.equal((await workstation.ask('/analysts/nobody/follow', { token: bob })).status, 404);
  for (let time = 0; time < 2; time++) {
    const left = await workstation.ask('/analysts/ada/unfollow', { token: bob });
    assert.equal(left.status, 200);
    assert.equal(left.body.total_followers, 0);
  }
});

test('mentions, comments on rulesets and on profiles tell whom they concern, and nobody of his own deed', async () => {
  await post(`/apks/${sha256}/comments/`, bob, { text: '@ada @bob look, @ada' });
  assert.deepEqual(await typesOf(ada), ['mention_comment_sample', 'user_new_follower']);
  const ruleset = await post('/rulesets/', ada, { name: 'Bank', status: 'enabled', is_public: true });
  assert.equal(ruleset.status, 201, ruleset.text);
  const { id } = ruleset.body;
  await post(`/rulesets/${id}/comments/`, bob, { text: 'fine' });
  await post(`/rulesets/${id}/comments/`, ada, { text: '@bob @ada thanks' });
  await post('/analysts/ada/profile_comments/', bob, { text: 'hello' });
  await post('/analysts/ada/profile_comments/', ada, { text: 'hello myself' });
  assert.deepEqual((await typesOf(ada)).slice(0, 2), ['profile_commented', 'ruleset_commented']);
  assert.deepEqual(await typesOf(bob), ['mention_comment_ruleset']);
  await workstation.ask('/account/', {
    method: 'PATCH',
    token: bob,
    json: { settings: { notify_new_mention: false } },
  });
  await post(`/apks/${sha256}/comments/`, ada, { text: '@bob again' });
  assert.deepEqual(await typesOf(bob), ['mention_comment_ruleset']);
  const [notification] = (await workstation.ask('/notifications/?type=mention_comment_ruleset', { token: bob })).body
    .results;
  assert.equal((await workstation.ask(notification.comment.url, { token: bob })).body.text, '@bob @ada thanks');
});

test('the answer to a promotion reaches the author', async () => {
  const { id } = (await post('/rulesets/', ada, { name: 'Social', status: 'enabled', is_public: true })).body;
  await post(`/rulesets/${id}/promote/`, ada, {});
  const answered = await post(`/rulesets/${id}/social/`, workstation.ownerToken, { accepted: true });
  assert.equal(answered.status, 200, answered.text);
  assert.equal((await typesOf(ada))[0], 'ruleset_social_accepted');
});

test('a match tells the author of a ruleset that notifies', async () => {
  const { store, services } = workstation.server;
  const { id: authorId } = (await services.accounts.find('ada'))!;
  const apk = (await store.apks.findBySha256(sha256))!;
  const [ruleset] = await services.rulesets.list({ readerId: null, authorId }, 0, 1);
  await store.transaction(({ rulesets }) => rulesets.update(ruleset!.id, { isNotifier: true }));
  const { match } = await store.transaction(({ matches }) => matches.save(apk.id, ruleset!.id, []));
  const happening = { name: 'ruleset_matched', matchId: match.id, rulesetId: ruleset!.id, apkId: apk.id } as const;
  await store.transaction((inside) => services.events.happened(happening, inside));
  const [told] = (await workstation.ask('/notifications/', { token: ada })).body.results;
  assert.deepEqual([told.type, told.apk.sha256, told.ruleset.name], ['ruleset_matched', sha256, ruleset!.name]);
  const before = (await typesOf(ada)).length;
  await store.transaction(({ rulesets }) => rulesets.update(ruleset!.id, { isNotifier: false }));
  await store.transaction((inside) => services.events.happened(happening, inside));
  assert.equal((await typesOf(ada)).length, before);
});

test('comments, rulesets and activity of an analyst show what the reader may see', async () => {
  await post('/rulesets/', ada, { name: 'Hidden', status: 'enabled', is_public: false });
  await workstation.ask(`/apks/${sha256}/vote_negative/`, { token: ada });
  await workstation.ask('/analysts/bob/follow', { token: ada });
  const asBob = activityListSchema.parse((await workstation.ask('/analysts/ada/activity', { token: bob })).body);
  assert.deepEqual(
    asBob.results.slice(0, 2).map(({ type, kind, profile }) => ({ type, kind, profile })),
    [
      { type: 'follow', kind: null, profile: 'bob' },
      { type: 'vote', kind: 'negative', profile: null },
    ],
  );
  const own = activityListSchema.parse((await workstation.ask('/analysts/ada/activity', { token: ada })).body);
  assert.equal(own.count, asBob.count + 1);
  assert.equal(own.results.length, own.count);
  const rulesets = await workstation.ask('/analysts/ada/rulesets', { token: bob });
  assert.deepEqual(
    rulesets.body.results.map(({ name }: { name: string }) => name),
    ['Social', 'Bank'],
  );
  const profile = (await workstation.ask('/analysts/ada', { token: bob })).body;
  assert.equal(profile.total_public_rulesets, 2);
  assert.equal((await workstation.ask('/account/', { token: ada })).body.rulesets_count, 3);
  const comments = await workstation.ask('/analysts/ada/comments', { token: bob });
  assert.equal(comments.body.count, profile.total_comments);
});

test('the analysts resource has a limit of its own, which stands in no statistics', async () => {
  const limits = (amount: string) =>
    workstation.ask('/limits/', { method: 'PATCH', json: { basic: { analysts: amount } } });
  await limits('1/day');
  const cee = await workstation.analyst('cee');
  assert.equal((await workstation.ask('/analysts/cee', { token: cee })).status, 200);
  assert.equal((await workstation.ask('/analysts', { token: cee })).status, 429);
  const { rate_limits: statistics } = (await workstation.ask('/account/statistics/', { token: cee })).body;
  assert.equal('analysts' in statistics, false);
  await limits('500/min');
});
