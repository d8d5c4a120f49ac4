import assert from 'node:assert/strict';
import { test } from 'node:test';
import { longOf } from '../../../../../server/engine/dynamic/java/time/temporal.ts';

test('a time too long for a long is the greatest or the least there is, and never goes round', () => {
  assert.deepEqual([9.3e18, -9.3e18, 2 ** 63, -(2 ** 63)].map(longOf), [
    9223372036854775807n,
    -9223372036854775808n,
    9223372036854775807n,
    -9223372036854775808n,
  ]);
  assert.deepEqual([1.9, -1.9, 0].map(longOf), [1n, -1n, 0n]);
});
