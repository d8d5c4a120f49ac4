import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NotificationRecord } from '../../../server/store/repositories/people/notification-repository.ts';
import { openScratch, scratchFolder } from './scratch-store.ts';

const store = await openScratch(scratchFolder());
const account = (username: string) =>
  store
    .transaction(({ accounts }) => accounts.insert({ username, role: 'analyst', apiGroup: 'basic' }))
    .then(({ id }) => id);
const ada = await account('ada');
const bob = await account('bob');

test('following twice is following once, and both sides are counted', async () => {
  assert.equal(await store.transaction(({ follows }) => follows.add(ada, bob)), true);
  assert.equal(await store.transaction(({ follows }) => follows.add(ada, bob)), false);
  assert.deepEqual(await store.follows.list('followers', bob, { offset: 0, limit: 10 }), [ada]);
  assert.deepEqual(await store.follows.list('following', ada, { offset: 0, limit: 10 }), [bob]);
  const counts = await store.follows.counts([ada, bob, 99]);
  assert.deepEqual(counts.get(ada), { followers: 0, following: 1 });
  assert.deepEqual(counts.get(bob), { followers: 1, following: 0 });
  assert.equal(counts.has(99), false);
  await store.transaction(({ follows }) => follows.remove(ada, bob));
  await store.transaction(({ follows }) => follows.remove(ada, bob));
  assert.equal((await store.follows.counts([bob])).size, 0);
});

test('notifications are paged by account, newest first, filtered by type and by being read', async () => {
  const made: NotificationRecord[] = [];
  for (const type of ['user_new_follower', 'analysis_completed', 'user_new_follower']) {
    made.push(
      await store.transaction(({ notifications }) => notifications.insert({ accountId: ada, type, analystId: bob })),
    );
  }
  await store.transaction(({ notifications }) =>
    notifications.insert({ accountId: bob, type: 'user_new_follower', analystId: ada }),
  );
  const first = await store.notifications.page({ accountId: ada, limit: 2 });
  assert.deepEqual(
    first.items.map(({ id }) => id),
    [made[2]!.id, made[1]!.id],
  );
  assert.equal(first.hasOlder, true);
  assert.equal(await store.notifications.count({ accountId: ada, types: ['user_new_follower'] }), 2);
  await store.transaction(({ notifications }) => notifications.setRead(made[0]!.id, true));
  assert.equal(await store.notifications.count({ accountId: ada, isRead: true }), 1);
  assert.equal(await store.notifications.count({ accountId: ada, isRead: false }), 2);
  assert.equal(await store.notifications.find(made[0]!.id, bob), null);
  await store.transaction(({ notifications }) => notifications.markAllRead(ada));
  assert.equal(await store.notifications.count({ accountId: ada, isRead: false }), 0);
  assert.equal(await store.notifications.count({ accountId: bob, isRead: false }), 1);
});

test('an e-mail waits until it is due, and its failures are kept', async () => {
  const mail = { accountId: ada, recipient: 'ada@example.org', subject: 's', body: 'b' };
  await store.transaction(({ emails }) => emails.insert({ ...mail, messageId: 'one' }));
  const now = Date.now() * 1000 + 1_000_000;
  const [email] = await store.emails.due(now, 10, now + 1_000);
  assert.equal(email!.attempts, 0);
  await store.transaction(({ emails }) => emails.postpone(email!.id, 'refused', now + 5));
  assert.deepEqual(await store.emails.due(now, 10, now + 1_000), []);
  assert.equal(await store.emails.nextAttemptAt(), now + 5);
  const [again] = await store.emails.due(now + 5, 10, now + 1_000);
  assert.equal(again!.attempts, 1);
  assert.equal(again!.lastError, 'refused');
  await store.transaction(({ emails }) => emails.remove(again!.id));
  assert.equal(await store.emails.nextAttemptAt(), null);
});

test.after(() => store.close());
