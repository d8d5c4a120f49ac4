import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actions } from '../../../server/contract/policy.ts';
import type { AccountRecord } from '../../../server/services/people/accounts.ts';
import {
  activeRulesetQuota,
  allowedActions,
  compileTime,
  isAllowed,
  mayEditComment,
  mayEditProfile,
  mayEditRuleset,
  maySeeJob,
  maySeeRuleset,
  privateRulesetQuota,
} from '../../../server/services/policies.ts';

const account = (fields: Partial<AccountRecord>) =>
  ({ id: 1, role: 'analyst', isExpert: false, ...fields }) as AccountRecord;
const owner = account({ id: 1, role: 'owner' });
const expert = account({ id: 2, isExpert: true });
const analyst = account({ id: 3 });

test('the owner may do everything, an analyst nothing of what is listed, an expert judges', () => {
  assert.deepEqual(allowedActions({ ...owner, apiGroup: 'workstation' }), actions);
  assert.deepEqual(allowedActions(expert), ['apk.trust', 'ruleset.judge', 'devices.use']);
  assert.deepEqual(allowedActions(analyst), []);
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
    groups.filter((apiGroup) => isAllowed(account({ apiGroup }), 'feed.read')),
    ['gold', 'workstation'],
  );
});

test('a private ruleset is seen by its author alone, and any is changed by its author alone', () => {
  const hidden = { isPublic: false, authorId: 3 };
  const shown = { isPublic: true, authorId: 3 };
  const callers = [null, analyst, expert, owner, account({ id: 4 })];
  assert.deepEqual(
    callers.map((caller) => maySeeRuleset(caller, hidden)),
    [false, true, false, false, false],
  );
  assert.ok(callers.every((caller) => maySeeRuleset(caller, shown)));
  assert.deepEqual(
    [analyst, expert, owner].map((one) => mayEditRuleset(one, shown)),
    [true, false, false],
  );
});

test('a comment is changed by its author and the owner', () => {
  const comment = { authorId: 3 };
  assert.deepEqual(
    [analyst, expert, owner].map((one) => mayEditComment(one, comment)),
    [true, false, true],
  );
});

test('private rulesets are limited by group, the workstation none', () => {
  const quota = (apiGroup: string) => privateRulesetQuota(account({ apiGroup }));
  assert.deepEqual(['basic', 'bronze', 'silver', 'gold'].map(quota), [5, 25, 50, 200]);
  assert.equal(quota('workstation'), Number.POSITIVE_INFINITY);
  assert.equal(quota('unheard of'), 5);
});

test('enabled rulesets are limited by group in number and length, the owner is not, whatever the group', () => {
  const quota = (apiGroup: string) => activeRulesetQuota(account({ apiGroup }));
  assert.deepEqual(
    ['basic', 'bronze', 'silver', 'gold', 'unheard of'].map((group) => quota(group).count),
    [20, 50, 100, 400, 20],
  );
  assert.deepEqual(
    ['basic', 'bronze', 'silver', 'gold', 'unheard of'].map((group) => quota(group).length / 1e6),
    [2, 5, 10, 20, 2],
  );
  assert.equal(quota('workstation').count, Number.POSITIVE_INFINITY);
  assert.equal(activeRulesetQuota(owner).length, Number.POSITIVE_INFINITY);
  assert.ok(compileTime(owner) > compileTime(analyst));
});
