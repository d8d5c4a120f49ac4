// Loops of a graph, how they stand in each other, and ways into them past their heads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loopNest } from '../../../../../server/engine/code/control-flow/loop-nest.ts';

test('a loop in a loop has its own head, and knows the one around it', () => {
  // 0 → 1 ⇄ (2 ⇄ 3) → 4
  const { headOf, outer, sideEntries } = loopNest([[1], [2, 4], [3], [2, 1], []]);
  assert.deepEqual([...headOf], [-1, 1, 2, 2, -1]);
  assert.equal(outer[2], 1);
  assert.equal(outer[1], -1);
  assert.deepEqual(sideEntries, []);
});

test('two ways into a circle make one of them a side entry', () => {
  const { sideEntries } = loopNest([[1, 2], [2], [1]]);
  assert.equal(sideEntries.length, 1);
});

test('what cannot be reached is in no order', () => {
  const { order, place } = loopNest([[1], [], [1]]);
  assert.deepEqual(order, [0, 1]);
  assert.equal(place[2], -1);
});
