import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DuplicateError } from '../../../server/store/store-errors.ts';
import { openScratch, scratchFolder } from './scratch-store.ts';

const store = await openScratch(scratchFolder());

test('votes on a ruleset are counted for and against, one per account, newest first', async () => {
  const accounts: number[] = [];
  for (const username of ['ada', 'bob', 'eve']) {
    accounts.push(
      (await store.transaction(({ accounts }) => accounts.insert({ username, role: 'analyst', apiGroup: 'basic' }))).id,
    );
  }
  const rulesetId = await store.transaction(({ rulesets }) =>
    rulesets.insert(accounts[0]!, {
      name: 'Bank',
      rules: '',
      rulesCount: 0,
      isEnabled: true,
      isPublic: true,
      isNotifier: false,
      socialStatus: 'none',
      activeSince: null,
    }),
  );
  const vote = (accountId: number, kind: 'positive' | 'negative') =>
    store.transaction(({ rulesetVotes }) => rulesetVotes.insert({ rulesetId, accountId, kind }));
  for (const accountId of accounts.slice(0, 2)) await vote(accountId, 'negative');
  await vote(accounts[2]!, 'positive');
  await assert.rejects(vote(accounts[0]!, 'positive'), DuplicateError);
  assert.equal(await store.rulesetVotes.count(rulesetId), 3);
  assert.deepEqual(await store.rulesetVotes.ratings([rulesetId, 99]), new Map([[rulesetId, -1]]));
  const page = await store.rulesetVotes.list(rulesetId, { offset: 1, limit: 5 });
  assert.deepEqual(
    page.map(({ accountId }) => accountId),
    [accounts[1], accounts[0]],
  );
});
