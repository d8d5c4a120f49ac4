// Numbers and names as the window shows them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  className,
  formatDay,
  formatDuration,
  formatMonth,
  formatSize,
  formatVirtualTime,
  splitDistinguishedName,
} from '../../../renderer/components/text/format.ts';

test('sizes are short, as people write them, and never show a thousand of a unit', () => {
  assert.deepEqual([0, 999, 1000, 34_611, 999_499, 999_500, 18_012_345, 2 ** 31].map(formatSize), [
    '0 B',
    '999 B',
    '1 kB',
    '34.6 kB',
    '999 kB',
    '1 MB',
    '18 MB',
    '2.1 GB',
  ]);
});

test('durations grow coarser as they grow longer', () => {
  assert.deepEqual([3, 140, 9_970, 12_400, 59_600, 200_000, 239_700, 7_260_000].map(formatDuration), [
    'under 0.1 s',
    '0.1 s',
    '10 s',
    '12 s',
    '1 min',
    '3 min 20 s',
    '4 min',
    '2 h 1 min',
  ]);
});

test('days, months and the times of certificates are written like every other date, on any clock of the reader', () => {
  assert.equal(formatDay('2026-10-23'), '23 Oct 2026');
  assert.equal(formatDay('May 29 23:52:51 2015 GMT'), '29 May 2015');
  assert.equal(formatMonth('2025-11'), 'Nov 2025');
  assert.equal(formatDay('never'), 'never');
});

test('a distinguished name keeps slashes and equals signs inside its values', () => {
  assert.deepEqual(splitDistinguishedName('/C=US/O=A/B & Co/CN=x=y'), [
    { key: 'C', value: 'US' },
    { key: 'O', value: 'A/B & Co' },
    { key: 'CN', value: 'x=y' },
  ]);
  assert.deepEqual(splitDistinguishedName(''), []);
});

test('class descriptors read as names, anything else stays as it is', () => {
  assert.equal(className('Lcom/example/A$1;'), 'com.example.A$1');
  assert.equal(className('[I'), '[I');
});

test('virtual time is told in seconds, then as a clock, then with its days', () => {
  assert.deepEqual([0, 12.4, 75, 3_661, 260_101.9].map(formatVirtualTime), [
    '0.00 s',
    '12.40 s',
    '00:01:15',
    '01:01:01',
    '3 d 00:15:02',
  ]);
});
