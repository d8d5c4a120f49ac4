import assert from 'node:assert/strict';
import { test } from 'node:test';
import { naturalLoops } from '../../../../../server/engine/code/control-flow/loops.ts';
import type { MethodBody } from '../../../../../server/engine/code/method-body.ts';

/** Per instruction where it goes on and where it may jump to. */
const loopsOf = (ways: readonly (readonly [following: number, ...targets: number[]])[], limit = 100) => {
  const instructions = ways.map(([following, ...targets]) => ({ following, targets }));
  return naturalLoops({ instructions } as unknown as MethodBody, limit).loops.map((positions) =>
    [...positions].sort((a, b) => a - b),
  );
};

test('a loop is what comes back to its head, with the loops inside it', () => {
  assert.deepEqual(loopsOf([[1], [2, 5], [3], [4, 2], [-1, 1], [-1]]), [
    [2, 3],
    [1, 2, 3, 4],
  ]);
});

test('code that is entered in its middle is no loop', () => {
  assert.deepEqual(loopsOf([[1, 2], [2], [3, 1], [-1]]), []);
});

test('a loop may begin with the method, and only so many are looked at', () => {
  assert.deepEqual(loopsOf([[1, 2], [-1, 0], [-1]]), [[0, 1]]);
  assert.deepEqual(loopsOf([[1, 2], [-1, 0], [-1]], 0), []);
});
