import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSchedule } from '../../../server/jobs/schedule.ts';

const second = 1_000_000;
const interval = 300 * second;

/** A schedule under a clock that stands 20 seconds before a multiple of the interval. */
function underMockedTime(t: import('node:test').TestContext, work: () => Promise<void>) {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_700_000_080_000 });
  const errors: string[] = [];
  const log = { error: (_details: object, message: string) => void errors.push(message) };
  const schedule = startSchedule({ interval, work, clock: () => Date.now() * 1000, log });
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 10) {
      t.mock.timers.tick(10_000);
      for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    }
  };
  return { schedule, pass, errors };
}

test('work is done at once and at every multiple of the interval on the clock', async (t) => {
  const times: number[] = [];
  const { schedule, pass } = underMockedTime(t, async () => void times.push(Date.now() / 1000));
  await pass(700);
  await schedule.stop();
  assert.equal(times.length, 4);
  assert.equal(times[0], 1_700_000_080);
  for (const time of times.slice(1)) assert.ok(time % 300 < 20, String(time));
});

test('work that fails is logged and done again at its next time', async (t) => {
  let runs = 0;
  const { schedule, pass, errors } = underMockedTime(t, async () => {
    runs++;
    throw new Error('no');
  });
  await pass(320);
  await schedule.stop();
  assert.equal(errors.length, runs);
  assert.ok(runs >= 2);
});

test('after the end nothing begins, and what is under way ends first', async (t) => {
  let runs = 0;
  let finish: () => void = () => undefined;
  const { schedule, pass } = underMockedTime(t, () => {
    runs++;
    return new Promise((resolve) => {
      finish = resolve;
    });
  });
  let hasStopped = false;
  const stopping = schedule.stop().then(() => {
    hasStopped = true;
  });
  await pass(600);
  assert.equal(hasStopped, false);
  finish();
  await stopping;
  assert.equal(runs, 1);
});
