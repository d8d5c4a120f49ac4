import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deceptive } from '../../../renderer/components/text/deceptive-characters.ts';

const found = (text: string) => [...text.matchAll(deceptive)].map(([characters]) => characters);

test('characters that do not show or that turn others around are found in any name', () => {
  for (const character of [
    '\u0000',
    '\u00ad',
    '\u115f',
    '\u200b',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\ufe00',
    '\u{e0041}',
  ]) {
    assert.deepEqual(found(`pay${character}pal`), [character]);
  }
  assert.deepEqual(found(`Z${'\u0301'.repeat(6)}`), ['\u0301'.repeat(6)]);
});

test('names in any script and emoji of several pictures are left as they are', () => {
  const honest = [
    'تطبيق',
    'می\u200cخواهم',
    'क्\u200dष',
    '安全银行',
    'Ünïcödé',
    '👩\u200d👩\u200d👧',
    '❤\ufe0f\u200d🔥',
    '👍🏽',
  ];
  for (const name of honest) assert.deepEqual(found(name), [], name);
});

test('a joiner is found wherever it joins nothing', () => {
  for (const name of [
    'pay\u200dpal',
    'a\u200cb',
    '👩\u200dx',
    'x\u200d👩',
    '1\u200d👩',
    'سلام\u200d',
    'م\u200cx',
    '\u200d',
  ]) {
    assert.equal(found(name).length, 1, JSON.stringify(name));
  }
});
