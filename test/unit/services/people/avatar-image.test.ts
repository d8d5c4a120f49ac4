import assert from 'node:assert/strict';
import { test } from 'node:test';
import { avatarImageOf } from '../../../../server/services/people/avatar-image.ts';
import { extendedWebp, gif, jpeg, losslessWebp, png, webp } from '../../../fixtures/pictures.ts';

test('PNG, JPEG, GIF and the three forms of WebP are known by their bytes, with their sizes', async () => {
  for (const { bytes, ...expected } of [png, await jpeg(), await gif(), webp, losslessWebp, extendedWebp]) {
    assert.deepEqual(avatarImageOf(bytes), expected);
  }
});

test('a picture that ends anywhere is read without a fault, or is none', async () => {
  for (const { bytes } of [png, await jpeg(), await gif(), webp, losslessWebp, extendedWebp]) {
    for (let length = 0; length < Math.min(bytes.length, 400); length++) avatarImageOf(bytes.subarray(0, length));
  }
  // Segments that say they are empty, or that lead past the end.
  avatarImageOf(Buffer.from([0xff, 0xd8, 0xff, ...Array<number>(50).fill(0xff)]));
  assert.equal(avatarImageOf(Buffer.from('ffd8ffe00000ffe00000ffe0', 'hex')), null);
});

test('drawings, pages, archives and pictures larger than a screen are refused', () => {
  const giant = Buffer.from(png.bytes);
  giant.writeUInt32BE(100_000, 16);
  const empty = Buffer.from(png.bytes);
  empty.writeUInt32BE(0, 20);
  const others = [
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<!doctype html><script>1</script>',
    'PK\x03\x04',
    '',
    'BM',
  ];
  for (const bytes of [giant, empty, ...others.map((text) => Buffer.from(text))]) {
    assert.equal(avatarImageOf(bytes), null);
  }
});
