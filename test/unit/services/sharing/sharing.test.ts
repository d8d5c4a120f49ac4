import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createJobQueue } from '../../../../server/jobs/job-queue.ts';
import { EventBus } from '../../../../server/services/event-bus.ts';
import { Notifications } from '../../../../server/services/people/notifications.ts';
import type { Outbox } from '../../../../server/services/people/outbox.ts';
import { PublicAddress } from '../../../../server/services/sharing/public-address.ts';
import { type AuthorityState, Sharing, type SharingHost } from '../../../../server/services/sharing/sharing.ts';
import { openScratch, scratchFolder } from '../../store/scratch-store.ts';

const store = await openScratch(scratchFolder());
after(() => store.close());
const log = { error: assert.fail as never };
const events = new EventBus(store, createJobQueue(store), log);
after(() => events.close());
events.followHappenings([new Notifications(store, events, {} as Outbox, new PublicAddress()).followHappening]);
const account = (username: string, role: 'owner' | 'analyst') =>
  store.transaction(({ accounts }) => accounts.insert({ username, role, apiGroup: 'basic' }));
const [owner, analyst] = [await account('ada', 'owner'), await account('bob', 'analyst')];
await store.transaction(async ({ settings }) => {
  await settings.write('sharing', true);
  await settings.write('sharing_addresses', ['127.0.0.1']);
});

/** Shares with this authority, as at a start of the workstation. */
async function shareWith(fingerprint: string, former: string | null): Promise<void> {
  const authority = { fingerprint, former: former === null ? null : { fingerprint: former, expires: 2 } };
  const host: SharingHost = {
    listen: async () => ({ url: '', port: 1, renew: () => undefined, close: async () => undefined }),
    identity: async () => ({ fingerprint }) as never,
    authority: async () => authority as AuthorityState,
    replaceAuthority: async () => undefined,
    announce: async () => async () => undefined,
  };
  const sharing = new Sharing(store, events, log);
  await sharing.start(host);
  await sharing.close();
}
const told = async (accountId: number) =>
  (await store.notifications.page({ accountId, limit: 9 })).items.map(({ type }) => type);

test('the owner is told once that the certificate authority was renewed, and nobody else', async () => {
  await shareWith('A', null);
  await shareWith('A', null);
  assert.deepEqual(await told(owner.id), []);
  await shareWith('B', 'A');
  await shareWith('B', 'A');
  assert.deepEqual(await told(owner.id), ['authority_renewed']);
  assert.deepEqual(await told(analyst.id), []);
});

test('an owner who replaced the authority himself is not told of it', async () => {
  const before = (await told(owner.id)).length;
  await shareWith('C', null);
  assert.equal((await told(owner.id)).length, before);
});
