import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccountRecord } from '../../../server/services/accounts.ts';
import {
  type Action,
  isAllowed,
  mayEditProfile,
  mayGetFeed,
  maySeeJob,
  policies,
} from '../../../server/services/policies.ts';

const account = (fields: Partial<AccountRecord>) =>
  ({ id: 1, role: 'analyst', isExpert: false, ...fields }) as AccountRecord;
const owner = account({ id: 1, role: 'owner' });
const expert = account({ id: 2, isExpert: true });
const analyst = account({ id: 3 });

test('the owner may do everything, an analyst nothing of what is listed, an expert judges', () => {
  const actions = Object.keys(policies) as Action[];
  assert.deepEqual(
    actions.filter((action) => !isAllowed(owner, action)),
    [],
  );
  assert.deepEqual(
    actions.filter((action) => isAllowed(expert, action)),
    ['apk.trust'],
  );
  assert.deepEqual(
    actions.filter((action) => isAllowed(analyst, action)),
    [],
  );
});

test('the group of an account gives no role', () => {
  assert.equal(isAllowed(account({ apiGroup: 'workstation' }), 'apk.delete'), false);
});

test('a profile is edited by its analyst and the owner, a job seen by those who asked and the owner', () => {
  assert.equal(mayEditProfile(analyst, analyst), true);
  assert.equal(mayEditProfile(analyst, expert), false);
  assert.equal(mayEditProfile(owner, analyst), true);
  assert.equal(maySeeJob(analyst, [3]), true);
  assert.equal(maySeeJob(expert, [3]), false);
  assert.equal(maySeeJob(owner, []), true);
});

test('the feed is for the corporate groups', () => {
  const groups = ['basic', 'bronze', 'silver', 'gold', 'workstation'];
  assert.deepEqual(
    groups.filter((apiGroup) => mayGetFeed(account({ apiGroup }))),
    ['gold', 'workstation'],
  );
});
