// How fast work gets done, as the jobs tray tells it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateOf } from '../../../renderer/state/throughput.ts';

test('too few jobs tell no rate', () => {
  assert.equal(rateOf([1, 2], 10, 100), null);
});

test('the rate counts what ended within the last minute, and tells how long the rest takes', () => {
  const now = 1_000_000;
  const times = [now - 90_000, ...Array.from({ length: 30 }, (_, index) => now - 30_000 + index * 1000)];
  const rate = rateOf(times, 120, now);
  assert.equal(rate?.perMinute, 60);
  assert.equal(rate?.left, 120_000);
});
