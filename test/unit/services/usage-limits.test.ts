import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { AccountRecord } from '../../../server/services/accounts.ts';
import { ensureAccount } from '../../../server/services/accounts.ts';
import { UsageLimits } from '../../../server/services/usage-limits.ts';
import { openStore, type Store } from '../../../server/store/store.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };
const dataDir = mkdtempSync(join(tmpdir(), 'apk-workstation-limits-'));
let store: Store;
let account: AccountRecord;
before(async () => {
  store = await openStore(dataDir, { log: silent });
  await store.transaction((inside) => ensureAccount(inside, 'owner'));
  account = await store.transaction((inside) => ensureAccount(inside, 'analyst', 'basic'));
});
after(async () => {
  await store.close();
  rmSync(dataDir, { recursive: true });
});

/** 2023-11-14T22:13:20Z, 20 s into a minute. */
const now = 1_700_000_000_000;

test('the use of a minute ends with the clock minute, that of a day with the UTC day', async () => {
  const limits = new UsageLimits(store, silent);
  for (let use = 0; use < 60; use++) await limits.use(account, 'apk-detail', now);
  await assert.rejects(limits.use(account, 'apk-detail', now), {
    message: 'Request was throttled. Expected available in 40 seconds.',
    retryAfter: 40,
  });
  await limits.use(account, 'apk-detail', now + 40_000);
  for (let use = 0; use < 50; use++) await limits.use(account, 'apk-download', now);
  const untilMidnight = 86_400 - (1_700_000_000 % 86_400);
  await assert.rejects(limits.use(account, 'apk-download', now), { retryAfter: untilMidnight });
  await limits.use(account, 'apk-download', now + untilMidnight * 1000);
  await limits.close();
});

test('use is exact when many come at once, and survives a restart', async () => {
  const limits = new UsageLimits(store, silent);
  const asked = Array.from({ length: 300 }, () => limits.use(account, 'apk-analyze', now));
  const settled = await Promise.allSettled(asked);
  assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 50);
  await limits.giveBack(account, 'apk-analyze', now);
  await limits.close();
  const restarted = new UsageLimits(store, silent);
  const row = (await restarted.statistics(account, now)).find(({ name }) => name === 'apk-analyze');
  assert.deepEqual(row, { name: 'apk-analyze', limit: { amount: 50, unit: 'day' }, used: 49 });
  await restarted.use(account, 'apk-analyze', now);
  await assert.rejects(restarted.use(account, 'apk-analyze', now));
  await restarted.close();
});
