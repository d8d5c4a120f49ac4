// Days as the bars of a plot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { barsOf } from '../../../renderer/pages/dashboard/bars.ts';

const days = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    date: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
    count: index,
  }));

test('each of a few days has a bar of its own', () => {
  assert.deepEqual(barsOf(days(2)), [
    { from: '2026-01-01', to: '2026-01-01', count: 0 },
    { from: '2026-01-02', to: '2026-01-02', count: 1 },
  ]);
  assert.equal(barsOf(days(30)).length, 30);
  assert.deepEqual(barsOf([]), []);
});

test('many days are told by the week, none is lost, and the last week ends with the last day', () => {
  const bars = barsOf(days(90));
  assert.equal(bars.length, 13);
  assert.deepEqual(bars[0], { from: '2026-01-01', to: '2026-01-06', count: 15 });
  assert.deepEqual([bars[1]!.from, bars.at(-1)!.to], ['2026-01-07', '2026-03-31']);
  assert.equal(
    bars.reduce((sum, { count }) => sum + count, 0),
    (89 * 90) / 2,
  );
});
