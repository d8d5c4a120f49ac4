import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { notificationListSchema, notificationSchema } from '../../server/contract/people/notification.ts';
import { createJobQueue } from '../../server/jobs/job-queue.ts';
import { EventBus } from '../../server/services/event-bus.ts';
import { Notifications } from '../../server/services/people/notifications.ts';
import { startMailServer } from '../fixtures/mail-server.ts';
import { realApks } from '../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

let workstation: TestWorkstation;
let ada: string;
let bob: string;
before(async () => {
  workstation = await startWorkstation();
  ada = await workstation.analyst('ada');
  bob = await workstation.analyst('bob');
});
after(() => workstation[Symbol.asyncDispose]());

const notificationsOf = async (token: string, query = '') =>
  notificationListSchema.parse((await workstation.ask(`/notifications/${query}`, { token })).body);
const accountId = async (username: string) => (await workstation.server.services.accounts.find(username))!.id;
const settings = (token: string, json: object) =>
  workstation.ask('/account/', { method: 'PATCH', token, json: { settings: json } });

test('a follower is told of once, however often he follows, and only where the setting is on', async () => {
  assert.equal((await workstation.ask('/analysts/ada/follow', { token: bob })).status, 200);
  assert.equal((await workstation.ask('/analysts/ada/follow/', { method: 'POST', token: bob })).status, 200);
  const { count, results } = await notificationsOf(ada);
  assert.equal(count, 1);
  assert.equal(results[0]!.type, 'user_new_follower');
  assert.equal(results[0]!.analyst!.username, 'bob');
  assert.equal(results[0]!.is_read, false);
  assert.equal((await notificationsOf(bob)).count, 0);
  await settings(bob, { notify_new_follower: false });
  await workstation.ask('/analysts/bob/follow', { token: ada });
  assert.equal((await notificationsOf(bob)).count, 0);
});

test('a notification is read and marked by its analyst alone', async () => {
  const { id, url } = (await notificationsOf(ada)).results[0]!;
  assert.equal((await workstation.ask(url, { token: bob })).status, 404);
  assert.equal((await workstation.ask(url, { method: 'PATCH', token: bob, json: { is_read: true } })).status, 404);
  assert.equal((await workstation.ask(`/notifications/${'a'.repeat(16)}/`, { token: ada })).status, 404);
  const marked = await workstation.ask(`/notifications/${id}/`, {
    method: 'PATCH',
    token: ada,
    json: { is_read: true },
  });
  assert.equal(marked.status, 200);
  assert.equal(notificationSchema.parse(marked.body).is_read, true);
  assert.equal((await workstation.ask(url, { token: ada })).body.is_read, true);
  const unmarked = await workstation.ask(url, { method: 'PUT', token: ada, json: { is_read: 'False' } });
  assert.equal(unmarked.body.is_read, false);
  const untouched = await workstation.ask(url, { method: 'PUT', token: ada, json: {} });
  assert.equal(untouched.body.is_read, false);
  const wrong = await workstation.ask(url, { method: 'PATCH', token: ada, json: { is_read: 'perhaps' } });
  assert.equal(wrong.status, 400);
  assert.deepEqual(Object.keys(wrong.body), ['is_read']);
});

test('the list filters by type and by being read, in every spelling', async () => {
  const [notification] = (await notificationsOf(ada)).results;
  await workstation.ask(notification!.url, { method: 'PATCH', token: ada, json: { is_read: true } });
  for (const word of ['true', 'True', 'TRUE', 'read', 'READ', '1', '']) {
    assert.equal((await notificationsOf(ada, `?is_read=${word}`)).count, 1, word);
  }
  for (const word of ['false', 'False', 'unread', 'Unread', '0']) {
    assert.equal((await notificationsOf(ada, `?is_read=${word}`)).count, 0, word);
  }
  assert.equal((await notificationsOf(ada, '?type=user_new_follower')).count, 1);
  assert.equal((await notificationsOf(ada, '?type=ruleset_matched')).count, 0);
  for (const query of ['?type=other', '?is_read=perhaps', '?page_size=0', '?cursor=x']) {
    assert.equal((await workstation.ask(`/notifications/${query}`, { token: ada })).status, 400, query);
  }
  assert.equal((await workstation.ask('/notifications/', { token: null })).status, 401);
});

test('everybody whose request a job answered is told of its end, the workstation and who withdrew are not', async () => {
  const { store, services } = workstation.server;
  const apk = await store.transaction(({ apks }) =>
    apks.insert({ sha256: '1'.repeat(64), sha1: '1'.repeat(40), md5: '1'.repeat(32), size: 1 }),
  );
  const cee = await workstation.analyst('cee');
  await settings(cee, { notify_analysis_completed: false });
  // A queue of its own, whose jobs no worker takes.
  const queue = createJobQueue(store);
  const events = new EventBus(store, queue, { error: assert.fail as never });
  queue.followEnds([new Notifications(store, events, services.outbox, services.publicAddress).followEnd]);
  const request = (requestedBy: number | null) =>
    queue.enqueue({ kind: 'antivirus', apkId: apk.id, priority: 10, requestedBy });
  const { job } = await request(null);
  for (const name of ['ada', 'bob', 'cee', 'owner']) await request(await accountId(name));
  await queue.withdraw(job.id, await accountId('owner'));
  await queue.finish(job.id, { status: 'partial' });
  for (const token of [ada, bob]) {
    const { count, results } = await notificationsOf(token, '?type=analysis_completed');
    assert.equal(count, 1);
    assert.equal(results[0]!.apk!.sha256, '1'.repeat(64));
    assert.equal(results[0]!.job!.status, 'partial');
  }
  for (const token of [cee, workstation.ownerToken]) {
    assert.equal((await notificationsOf(token, '?type=analysis_completed')).count, 0);
  }
  const again = await request(await accountId('ada'));
  await queue.cancel(again.job.id);
  assert.equal((await notificationsOf(ada, '?type=analysis_completed')).count, 1, 'what was cancelled answers nobody');
});

test('a changed comment tells those whom it did not mention before, and nobody else again', async () => {
  const author = await workstation.analyst('author');
  const [first, second] = await Promise.all(['first', 'second'].map((name) => workstation.analyst(name)));
  const { body: ruleset } = await workstation.ask('/rulesets/', {
    method: 'POST',
    token: first!,
    json: { name: 'Discussed', is_public: true },
  });
  const write = (method: string, path: string, text: string) =>
    workstation.ask(path, { method, token: author, json: { text } });
  const { body: comment } = await write('POST', `${ruleset.url}comments/`, 'see @first');
  await write('PATCH', comment.url, 'see @first and @second');
  await write('PATCH', comment.url, 'see @second and @first');
  const typesOf = async (token: string) => (await notificationsOf(token)).results.map(({ type }) => type);
  assert.deepEqual(await typesOf(first!), ['mention_comment_ruleset', 'ruleset_commented']);
  assert.deepEqual(await typesOf(second!), ['mention_comment_ruleset']);
});

test('whoever uploads is not told of analyses that he did not ask for', async () => {
  const uploader = await workstation.analyst('uploader');
  const { body: apk } = await workstation.upload(realApks.unlock, { token: uploader });
  await workstation.server.idle();
  const jobs = await workstation.ask('/jobs/', { token: uploader });
  assert.ok(jobs.body.results.some(({ kind }: { kind: string }) => kind === 'static'));
  assert.equal((await notificationsOf(uploader)).count, 0);
  const { body: job } = await workstation.ask(`${apk.url}analyze_static/`, { token: uploader });
  await workstation.jobEnd(job.id);
  const { results } = await notificationsOf(uploader);
  assert.deepEqual(
    results.map(({ type, job }) => [type, job?.id]),
    [['analysis_completed', job.id]],
  );
});

test('an e-mail goes out where its setting is on, as plain text that a hostile name cannot break', async () => {
  const server = await startMailServer();
  const json = { smtp_host: '127.0.0.1', smtp_port: server.port, public_url: 'https://apk.example.org' };
  assert.equal((await workstation.ask('/settings/', { method: 'PATCH', json })).status, 200);
  const dora = await workstation.analyst('dora');
  const account = { email: 'dora@example.org', settings: { email_new_follower: true, notify_new_follower: false } };
  await workstation.ask('/account/', { method: 'PATCH', token: dora, json: account });
  const hostile = { first_name: '<b>Eve</b>\r\nBcc: eve@example.org' };
  await workstation.ask('/account/', { method: 'PATCH', token: bob, json: hostile });
  await workstation.ask('/analysts/dora/follow', { token: bob });
  await workstation.ask('/analysts/ada/follow', { token: workstation.ownerToken });
  while (server.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  assert.equal(server.received.length, 1);
  const { to, message } = server.received[0]!;
  assert.deepEqual(to, ['dora@example.org']);
  assert.match(message, /^Subject: bob follows you\r$/m);
  assert.match(message, /^Content-Type: text\/plain/m);
  assert.doesNotMatch(message, /^Bcc:/im);
  assert.match(message, /https:\/\/apk\.example\.org\/app\/#\/analysts\/bob\r$/m);
  assert.equal((await notificationsOf(dora)).count, 0);
  await server.close();
});
