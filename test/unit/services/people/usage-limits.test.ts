import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { AccountRecord } from '../../../../server/services/people/accounts.ts';
import { ensureAccount } from '../../../../server/services/people/accounts.ts';
import { UsageLimits } from '../../../../server/services/people/usage-limits.ts';
import { openStore, type Store } from '../../../../server/store/store.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-limits-'));
/** 2023-11-14T22:13:20Z, 20 s into a minute. */
const start = 1_700_000_000_000_000;
let now = start;
let store: Store;
let account: AccountRecord;
before(async () => {
  store = await openStore(dataDir, { log: silent, clock: () => now });
  await store.transaction((inside) => ensureAccount(inside, 'owner'));
  account = await store.transaction((inside) => ensureAccount(inside, 'analyst', 'basic'));
});
after(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

test('the use of a minute ends with the clock minute, that of a day with the UTC day', async () => {
  const limits = new UsageLimits(store, silent);
  for (let use = 0; use < 60; use++) await limits.use(account, 'apk-detail');
  await assert.rejects(limits.use(account, 'apk-detail'), {
    message: 'Request was throttled. Expected available in 40 seconds.',
    retryAfter: 40,
  });
  now = start + 40_000_000;
  await limits.use(account, 'apk-detail');
  now = start;
  for (let use = 0; use < 50; use++) await limits.use(account, 'apk-download');
  const untilMidnight = 86_400 - (1_700_000_000 % 86_400);
  await assert.rejects(limits.use(account, 'apk-download'), { retryAfter: untilMidnight });
  now = start + untilMidnight * 1_000_000;
  await limits.use(account, 'apk-download');
  now = start;
  await limits.close();
});

test('use is exact when many come at once, and survives a restart', async () => {
  const limits = new UsageLimits(store, silent);
  const asked = Array.from({ length: 300 }, () => limits.use(account, 'apk-analyze'));
  const settled = await Promise.allSettled(asked);
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 50);
  await limits.giveBack(account, 'apk-analyze');
  await limits.close();
  const restarted = new UsageLimits(store, silent);
  const row = (await restarted.statistics(account)).find(({ name }) => name === 'apk-analyze');
  assert.deepEqual(row, { name: 'apk-analyze', limit: { amount: 50, unit: 'day' }, used: 49 });
  await restarted.use(account, 'apk-analyze');
  await assert.rejects(restarted.use(account, 'apk-analyze'));
  await restarted.close();
});

test('a use of a day is on its way to the disk before it is granted, with what else was counted', async () => {
  const limits = new UsageLimits(store, silent);
  const used = (name: string, day: number) => store.limits.used(account.id, name, day);
  const day = now - (now % 86_400_000_000);
  const minute = now - (now % 60_000_000);
  const before = await used('api-usage', minute);
  await limits.use(account, 'api-usage');
  await limits.use(account, 'apk-search');
  assert.equal(await used('apk-search', day), 1);
  assert.equal(await used('api-usage', minute), before + 1);
  const granted = Array.from({ length: 200 }, () => limits.use(account, 'apk-search'));
  await Promise.race(granted);
  await Promise.all(granted);
  assert.equal(await used('apk-search', day), 201);
  await limits.close();
});

test('what could not be written is written with the next use', async () => {
  let isBroken = true;
  const broken = Object.create(store, {
    limits: {
      value: Object.create(store.limits, {
        groupLimits: { value: () => store.limits.groupLimits() },
        used: { value: () => Promise.resolve(0) },
        consume: {
          value: (uses: Parameters<Store['limits']['consume']>[0]) =>
            isBroken ? Promise.reject(new Error('disk full')) : store.limits.consume(uses),
        },
      }),
    },
  }) as Store;
  const errors: string[] = [];
  const limits = new UsageLimits(broken, { error: (_, message) => void errors.push(message) });
  now = start + 86_400_000_000;
  await limits.use(account, 'apk-search');
  assert.equal(errors.length, 1);
  isBroken = false;
  await limits.use(account, 'apk-search');
  assert.equal(await store.limits.used(account.id, 'apk-search', now - (now % 86_400_000_000)), 2);
  await limits.close();
});

test('a table that could not be read is read by the next request', async () => {
  let isBroken = true;
  const broken = Object.create(store, {
    limits: {
      value: Object.create(store.limits, {
        groupLimits: {
          value: () => (isBroken ? Promise.reject(new Error('disk gone')) : store.limits.groupLimits()),
        },
        used: { value: () => Promise.resolve(0) },
      }),
    },
  }) as Store;
  const limits = new UsageLimits(broken, silent);
  await assert.rejects(limits.statistics(account), { message: 'disk gone' });
  isBroken = false;
  assert.equal((await limits.statistics(account)).length, 6);
  await limits.close();
});
