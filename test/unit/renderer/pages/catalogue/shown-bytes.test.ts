import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownBytes } from '../../../../../renderer/pages/catalogue/shown-bytes.ts';

const hex = (text: string, encoding: BufferEncoding = 'latin1') => Buffer.from(text, encoding).toString('hex');

test('bytes are shown as printable ASCII alone, and of UTF-16 the letters, wherever the surroundings are cut', () => {
  assert.deepEqual(shownBytes(hex('a\0\xff'), hex('text'), hex('\x1b[b.')), ['a··', 'text', '·[b.']);
  const wide = (text: string) => hex(text, 'utf16le');
  assert.deepEqual(shownBytes(wide('left'), wide('found'), wide('right')), ['left', 'found', 'right']);
  assert.deepEqual(shownBytes(wide('left').slice(2), wide('found'), wide('right').slice(0, -2)), [
    'eft',
    'found',
    'right',
  ]);
});
