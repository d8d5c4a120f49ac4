import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exactSize, exactTime, readSize, readTime } from '../../../server/contract/quantity.ts';

test('sizes are written exactly in the unit that says them shortest, and read back', () => {
  const told: [number, string][] = [
    [2 ** 31, '2 GiB'],
    [1_500_000_000, '1.5 GB'],
    [2_000_000, '2 MB'],
    [1_048_576, '1 MiB'],
    [12_345, '12345 B'],
    [0, '0 B'],
  ];
  for (const [bytes, text] of told) {
    assert.equal(exactSize(bytes), text);
    assert.equal(readSize(text), bytes, text);
  }
  assert.equal(readSize('500'), 500_000_000, 'MB without a unit');
  assert.deepEqual(
    [readSize('1,5 gb'), readSize('10 M'), readSize('many'), readSize('-1 GB'), readSize('5 parsecs')],
    [1_500_000_000, 10 * 1024 ** 2, null, null, null],
  );
});

test('times are written in the largest unit that fits, and read back in any', () => {
  const told: [number, string][] = [
    [720 * 60, '12 h'],
    [90 * 60, '90 min'],
    [14 * 86_400, '14 days'],
    [86_400, '1 day'],
    [45, '45 s'],
    [0, '0'],
  ];
  for (const [seconds, text] of told) {
    assert.equal(exactTime(seconds), text);
    assert.equal(readTime(text, 1), seconds, text);
  }
  assert.deepEqual(
    [readTime('30', 60), readTime('2d', 60), readTime('1.5 hours', 60), readTime('soon', 60)],
    [1800, 172_800, null, null],
  );
});
