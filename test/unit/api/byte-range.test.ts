import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byteRangeOf } from '../../../server/api/byte-range.ts';

test('a range is cut to the file', () => {
  assert.deepEqual(byteRangeOf('bytes=0-99', 10), { start: 0, end: 10 });
  assert.deepEqual(byteRangeOf('BYTES= 5- ', 10), { start: 5, end: 10 });
  assert.deepEqual(byteRangeOf('bytes=-3', 10), { start: 7, end: 10 });
  assert.deepEqual(byteRangeOf('bytes=9-9', 10), { start: 9, end: 10 });
});

test('a range beyond the file cannot be satisfied, nor any of an empty one', () => {
  for (const [header, size] of [
    ['bytes=10-', 10],
    ['bytes=-0', 10],
    ['bytes=0-', 0],
    ['bytes=-1', 0],
  ] as const) {
    assert.equal(byteRangeOf(header, size), 'unsatisfiable', header);
  }
});

test('what is no single range of bytes means the whole file', () => {
  for (const header of [undefined, '', 'bytes', 'bytes=-', 'bytes=5-4', 'bytes=0-1,3-4', 'items=0-1', 'bytes=1e3-']) {
    assert.equal(byteRangeOf(header, 10), null, header);
  }
});
