import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toldFor } from '../../../../../server/engine/dynamic/directed/inversion.ts';

test('what the app makes of a text is gone back by the encoding that it is seen to use', () => {
  assert.deepEqual(toldFor('hello', 'hello', 'go'), ['go']);
  assert.deepEqual(toldFor('hello', 'olleh', 'go'), ['og']);
  assert.deepEqual(toldFor('aGVsbG8=', 'hello', 'go'), ['Z28=']);
  assert.deepEqual(toldFor('68656c6c6f', 'hello', 'go'), ['676f']);
  assert.deepEqual(toldFor('hello', 'aGVsbG8=', 'Z28='), ['go']);
});

test('a part that the app cut out is replaced where it stood', () => {
  assert.deepEqual(toldFor('cmd=hello;n=1', 'hello', 'go'), ['cmd=go;n=1']);
});

test('a cipher by letters is turned round, by exclusive or and by distance', () => {
  const crossed = (text: string) => String.fromCharCode(...Array.from(text, (letter) => letter.charCodeAt(0) ^ 7));
  assert.equal(toldFor('hello', crossed('hello'), 'attack')[0], crossed('attack'));
  assert.equal(toldFor('ABCDE', 'BCDEF', 'go!')[1], 'fn ');
});

test('where nothing says what the app makes of a text it is told what it compares with', () => {
  assert.deepEqual(toldFor('hello', '5d41402abc4b2a76b9719d911017c592', 'go'), ['go']);
});
