// Code names of preview platforms as API levels, as apksig 0.9's ApkUtils.getMinSdkVersionForCodename gives them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiLevelOfCodename } from '../../../../../server/engine/formats/apk-signature/platform-versions.ts';

test('a code name stands for the level that apksig takes, by its initial', () => {
  const levels = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => apiLevelOfCodename(letter));
  assert.deepEqual(
    levels,
    [1, 1, 2, 3, 4, 7, 8, 10, 13, 15, 18, 20, 22, 23, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36],
  );
  assert.equal(apiLevelOfCodename('Tiramisu'), 30);
});

test('what does not begin with a capital letter is no code name', () => {
  for (const text of ['', 'o', '26', '\u00c4']) assert.equal(apiLevelOfCodename(text), null);
});
