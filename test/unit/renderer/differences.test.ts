import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  countsOf,
  differencesOf,
  type Entry,
  sortedDifferencesOf,
  withMoved,
} from '../../../renderer/pages/compare/differences.ts';
import { fileDifferences, stringDifferences } from '../../../renderer/pages/compare/sections.ts';
import type { ArchiveEntryRecord } from '../../../server/contract/engine/reports.ts';

const entry = (name: string, text: string, value?: string): Entry => ({
  name,
  text,
  ...(value === undefined ? {} : { value }),
});
const told = (differences: ReturnType<typeof differencesOf>) => differences.map(({ name, state }) => [name, state]);

test('what both have is the same or changed, what one has is told of that side, in the order of the first', () => {
  const first = [entry('b', '1'), entry('a', '1'), entry('gone', '1')];
  const second = [entry('a', '2'), entry('new', '1'), entry('b', '1')];
  assert.deepEqual(told(differencesOf(first, second)), [
    ['b', 'same'],
    ['a', 'changed'],
    ['gone', 'first'],
    ['new', 'second'],
  ]);
  assert.deepEqual(
    sortedDifferencesOf(first, second).map(({ name }) => name),
    ['a', 'b', 'gone', 'new'],
  );
});

test('a value decides where there is one, not the text that is shown of it', () => {
  const [same] = differencesOf([entry('a', '10 kB', 'aa')], [entry('a', '10 kB ', 'aa')]);
  const [changed] = differencesOf([entry('a', '10 kB', 'aa')], [entry('a', '10 kB', 'bb')]);
  assert.equal(same!.state, 'same');
  assert.equal(changed!.state, 'changed');
});

test('things of one name are compared in their order, and the surplus is told', () => {
  const twice = [entry('a', '1'), entry('a', '2')];
  assert.deepEqual(told(differencesOf(twice, twice)), [
    ['a', 'same'],
    ['a', 'same'],
  ]);
  assert.deepEqual(countsOf(differencesOf(twice, [entry('a', '1')])), {
    first: 1,
    second: 0,
    changed: 0,
    moved: 0,
    same: 1,
  });
});

test('the same content under another name has moved, each copy once', () => {
  const first = [entry('res/a.png', '', 'hash'), entry('res/b.png', '', 'hash')];
  const differences = withMoved(differencesOf(first, [entry('r/x.png', '', 'hash')]), () => true);
  assert.deepEqual(
    differences.map(({ state, first: one, second }) => [state, one?.name, second?.name]),
    [
      ['moved', 'res/a.png', 'r/x.png'],
      ['first', 'res/b.png', undefined],
    ],
  );
});

test('a name that an object would take for its own is a name like any other', () => {
  const differences = differencesOf([entry('__proto__', '1')], [entry('constructor', '1')]);
  assert.deepEqual(told(differences), [
    ['__proto__', 'first'],
    ['constructor', 'second'],
  ]);
});

test('files are compared by their content; the same content under another name is renamed unless it is tiny', () => {
  const file = (name: string, sha256: string | null, size: number): ArchiveEntryRecord => ({
    name,
    sha256,
    size,
    compressed_size: size,
    method: 'stored',
    crc32: '00000001',
    type: 'unknown',
  });
  const differences = fileDifferences(
    { sha256: 'a', files: [file('assets/x', 'aa', 900), file('v1', 'bb', 6), file('same', null, 9)] },
    { sha256: 'b', files: [file('assets/y', 'aa', 900), file('v2', 'bb', 6), file('same', null, 9)] },
  );
  assert.deepEqual(told(differences), [
    ['assets/x', 'moved'],
    ['same', 'same'],
    ['v1', 'first'],
    ['v2', 'second'],
  ]);
});

test('strings are told once each, however often they stand in a report', () => {
  assert.deepEqual(told(stringDifferences(['b', 'a', 'b'], ['b'])), [
    ['a', 'first'],
    ['b', 'same'],
  ]);
});
