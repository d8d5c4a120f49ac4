// Where times stand on the axis of the time line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeScale } from '../../../renderer/pages/apk/dynamic/time-scale.ts';

const day = 86_400;

test('times without long pauses stand along one stretch, as far apart as they are', () => {
  const { stretches, x, ticks } = timeScale([0, 10, 20, 40], 1010);
  assert.equal(stretches.length, 1);
  assert.deepEqual([0, 10, 20, 40].map(x), [0, 252.5, 505, 1010]);
  assert.deepEqual(ticks, [0, 5, 10, 15, 20, 25, 30, 35, 40]);
});

test('a pause that outweighs all else is left out, and what surrounds it has the room', () => {
  const busy = Array.from({ length: 100 }, (_, index) => index);
  const { stretches, x, ticks } = timeScale([...busy, 3 * day, 3 * day + 50], 1000);
  assert.deepEqual(
    stretches.map(({ from, to }) => [from, to]),
    [
      [0, 99],
      [3 * day, 3 * day + 50],
    ],
  );
  assert.ok(x(99) > 500);
  assert.ok(x(3 * day) > x(99));
  assert.equal(x(3 * day + 50), 1000);
  assert.ok(ticks.includes(3 * day));
});

test('named times keep their distance, also from the stretch that follows', () => {
  const { x, ticks } = timeScale([...Array.from({ length: 200 }, (_, index) => index * 50), 3 * day], 600);
  const places = ticks.map(x);
  for (const [index, place] of places.slice(1).entries()) assert.ok(place - places[index]! > 60);
});

test('times too close to be told apart by their names are named once', () => {
  assert.deepEqual(timeScale([0, 0.004], 1000).ticks, [0]);
  assert.deepEqual(timeScale([0, 0.025], 1000).ticks, [0, 0.01, 0.02]);
});

test('pauses of one length are left out together', () => {
  const { stretches } = timeScale([0, 1, 2, day, day + 1, 2 * day, 2 * day + 1], 1000);
  assert.equal(stretches.length, 3);
});

test('times at even distances are left as they are, however far apart', () => {
  const times = Array.from({ length: 20 }, (_, index) => index * day);
  assert.equal(timeScale(times, 1000).stretches.length, 1);
});

test('one moment alone, and moments at one time, have a place', () => {
  for (const times of [[0], [5, 5, 5]]) {
    const { x, ticks } = timeScale(times, 300);
    assert.ok(x(times[0]!) >= 0 && x(times[0]!) <= 300);
    assert.deepEqual(ticks, [times[0]]);
  }
});

test('moments with pauses between them share the axis evenly', () => {
  const { x, ticks } = timeScale([0, 0.0004, 3 * day], 1000);
  assert.deepEqual([0, 0.0004, 3 * day].map(x), [234, 234, 766]);
  assert.deepEqual(ticks, [0, 3 * day]);
});

test('a time within a pause stands at its beginning', () => {
  const { x } = timeScale([0, 1, 2, day], 1000);
  assert.equal(x(day / 2), x(2));
});
