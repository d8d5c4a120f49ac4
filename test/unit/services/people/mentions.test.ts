import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mentionsIn } from '../../../../server/services/people/mentions.ts';

test('a mention is a name behind an @ at the beginning of a word, each once', () => {
  assert.deepEqual(mentionsIn('@ada and (@Bob), @ADA: see'), [['ada'], ['bob']]);
  assert.deepEqual(mentionsIn('mail ada@example.org, x@y, @@z, é@q'), []);
  assert.deepEqual(mentionsIn(''), []);
});

test('the end of a sentence is not taken for the end of a name', () => {
  assert.deepEqual(mentionsIn('ask @ada.'), [['ada.', 'ada']]);
  assert.deepEqual(mentionsIn('@a.b-c'), [['a.b-c']]);
});

test('a flood of mentions is cut', () => {
  const text = Array.from({ length: 50 }, (_, index) => `@name${index}`).join(' ');
  assert.equal(mentionsIn(text).length, 20);
});
