import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { processUsage, usageInPs, usageInStat } from '../../../server/jobs/process-usage.ts';

const near = (actual: number, expected: number, share: number) =>
  assert(Math.abs(actual - expected) < share * expected, `${actual} is not near ${expected}`);

test('a process occupies and has used what it says itself, and sleeps where it says so', {
  skip: process.platform === 'win32',
}, async (t) => {
  const used = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  // The system counts in steps, of which a short time has too few.
  while (used() < 300) Math.random();
  const usage = (await processUsage(process.pid)) ?? assert.fail('it is there');
  near(usage.residentBytes, process.memoryUsage.rss(), 0.3);
  near(usage.cpuMilliseconds, used(), 0.3);
  const sleeper = spawn('sleep', ['600']);
  t.after(() => sleeper.kill());
  while ((await processUsage(sleeper.pid!))?.isAsleep !== true) await wait(5);
});

test('of a process that has ended nothing is known', async () => {
  assert.equal(await processUsage(2 ** 22 + 1), null);
});

test('a name that looks like fields does not move the fields of /proc', () => {
  const line = '7 (a) S 1 (b c) R 1 7 7 0 -1 4194304 9 0 0 0 250 31 0 0 39 19 11 0 5 700000 2500 18446744073709551615';
  assert.deepEqual(usageInStat(line), { residentBytes: 2500 * 4096, cpuMilliseconds: 2810, isAsleep: false });
  assert.equal(usageInStat(line.replace(') R 1', ') S 1')).isAsleep, true);
});

test('times of ps are read with and without hours and days', () => {
  const milliseconds = (time: string) => usageInPs(` 2048 ${time} R+\n`).cpuMilliseconds;
  assert.deepEqual(
    ['0:01.25', '12:00.00', '1:02:03', '2-00:00:01'].map(milliseconds),
    [1250, 720_000, 3_723_000, 172_801_000],
  );
  assert.deepEqual(usageInPs(' 2048 0:01.25 Ss\n'), {
    residentBytes: 2_097_152,
    cpuMilliseconds: 1250,
    isAsleep: true,
  });
});
