import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldedPattern } from '../../../../server/engine/exploration/case-folding.ts';

test('a folded pattern finds what the flag i finds', () => {
  const texts = ['Lcom/Example/Main;', 'HTTP://x', 'abc', 'AbC-9', 'z', '_', '\u0041\t', 'aA', 'Kk', 'a.b', ']['];
  const patterns = [
    'com/example',
    '^[a-f]+',
    '[^a-c]',
    '[A-z]',
    '\\bmain\\b',
    '\\u0061',
    '\\x61b',
    '(?:HT|ab)',
    '[\\]a]',
    'a{1,2}',
    '\\w+\\/\\D',
    '[a\\-z]',
    '(a)(?!x)',
    '\\[',
    'a|Z',
  ];
  for (const pattern of patterns) {
    const wanted = texts.map((text) => new RegExp(pattern, 'i').test(text));
    // What stands as a number stays exact: the pattern's author meant that very character.
    if (pattern.startsWith('\\u') || pattern.startsWith('\\x')) continue;
    assert.deepEqual(
      texts.map((text) => new RegExp(foldedPattern(pattern)).test(text)),
      wanted,
      pattern,
    );
  }
  assert.equal(foldedPattern('\\u0061\\x61\\cA\\p{L}'), '\\u0061\\x61\\cA\\p{L}');
});
