import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conditionAfter } from '../../../../server/services/rules/ruleset-conditions.ts';
import type { ScanCondition } from '../../../../server/store/repositories/rules/ruleset-repository.ts';

const fresh: ScanCondition = { scanState: 'ok', scanError: null, trouble: 0 };
const done = { status: 'done', code: 'done', message: '' } as const;
const slow = { status: 'done', code: 'slow', message: 'It took long.' } as const;
const timeout = { status: 'timeout', code: 'timeout', message: 'It took too long.' } as const;
const killed = { status: 'failed', code: 'timeout', message: 'The worker took too long.' } as const;
const crashed = { status: 'failed', code: 'crashed', message: 'It crashed.' } as const;

test('a scan that goes well changes nothing of a ruleset without a past', () => {
  assert.equal(conditionAfter(fresh, done, 5), fresh);
});

test('the state says what went wrong last, and why', () => {
  const states = [timeout, killed, crashed].map((outcome) => conditionAfter(fresh, outcome, 5).scanState);
  assert.deepEqual(states, ['timed_out', 'timed_out', 'failed']);
  assert.deepEqual(conditionAfter(fresh, crashed, 5).scanError, { code: 'crashed', message: 'It crashed.', at: 5 });
});

test('a slow ruleset stays slow, is not suspended for it, and other trouble goes before', () => {
  let condition = fresh;
  for (let times = 0; times < 20; times++) condition = conditionAfter(condition, slow, times);
  assert.deepEqual([condition.scanState, condition.trouble], ['slow', 0]);
  assert.equal(conditionAfter(condition, done, 30).scanState, 'slow');
  assert.equal(conditionAfter(conditionAfter(condition, timeout, 30), slow, 31).scanState, 'timed_out');
});

test('a ruleset that its author has no time left for is suspended as one that takes too long', () => {
  const left = { status: 'over-share', code: 'over-share', message: 'It was left out.' } as const;
  let condition = fresh;
  for (let times = 0; times < 4; times++) condition = conditionAfter(condition, left, times);
  assert.deepEqual([condition.scanState, condition.scanError?.code], ['timed_out', 'over-share']);
  assert.equal(conditionAfter(condition, left, 9).scanState, 'suspended');
});

test('five troubles in a row suspend, one in twenty scans never does', () => {
  let condition = fresh;
  for (let times = 0; times < 4; times++) condition = conditionAfter(condition, timeout, times);
  assert.equal(condition.scanState, 'timed_out');
  assert.equal(conditionAfter(condition, timeout, 9).scanState, 'suspended');
  condition = fresh;
  for (let times = 0; times < 1000; times++)
    condition = conditionAfter(condition, times % 20 === 0 ? crashed : done, times);
  assert.notEqual(condition.scanState, 'suspended');
});
