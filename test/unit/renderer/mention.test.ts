import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesFor, startedMention } from '../../../renderer/components/comments/mention.ts';

test('a mention begins with an @ at the start of a word and ends at the caret', () => {
  assert.deepEqual(startedMention('hello @ca', 9), { at: 6, typed: 'ca' });
  assert.deepEqual(startedMention('@', 1), { at: 0, typed: '' });
  assert.deepEqual(startedMention('see @ünal.x and', 11), { at: 4, typed: 'ünal.x' });
});

test('an address, a finished name and a caret before the @ are no mention', () => {
  assert.equal(startedMention('carol@example', 13), null);
  assert.equal(startedMention('@carol ', 7), null);
  assert.equal(startedMention('hello @ca', 6), null);
});

test('names that begin with what is typed come first', () => {
  assert.deepEqual(namesFor('ca', ['vulcan', 'carol', 'Cato', 'bob'], 8), ['carol', 'Cato', 'vulcan']);
  assert.deepEqual(namesFor('bob', ['vulcan', 'carol', 'bob'], 8), []);
  assert.deepEqual(namesFor('', ['b', 'a', 'c'], 2), ['a', 'b']);
});
