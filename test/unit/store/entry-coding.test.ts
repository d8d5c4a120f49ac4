// Entries of the content index are read as they were written, whatever their numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EntryCursor, EntryRange } from '../../../server/store/content-index/entry-coding.ts';
import { pickOf, randomNumbers } from '../../fuzz/random.ts';

const random = randomNumbers(64);

/** Numbers below another, each once, in rising order: close together or far apart. */
function rising(most: number, below: number): number[] {
  const span = pickOf([below, Math.min(below, 20)], random);
  return [...new Set(Array.from({ length: random(most) }, () => random(span)))].sort((a, b) => a - b);
}

test('entries of a range are read as they were written: few and many, close and far, of one group and of all', () => {
  const entries = new EntryRange();
  for (let round = 0; round < 400; round++) {
    const width = 2 ** random(27);
    const groupsCount = pickOf([1, 2, 100, 5_000, 2 ** 31], random);
    const first = width * random(2 ** 26 / width);
    const written = rising(pickOf([3, 600], random), width).map((place) => {
      const groups = rising(pickOf([2, 200], random), groupsCount);
      return { print: first + place, groups: groups.length === 0 ? [groupsCount - 1] : groups };
    });
    for (const { print, groups } of written) entries.add(print, groups, groups.length);
    const bytes = entries.take(first, width, groupsCount);
    const cursor = new EntryCursor(bytes, { first, width, groupsCount });
    const read: typeof written = [];
    while (cursor.next()) read.push({ print: cursor.print, groups: cursor.groups.slice(0, cursor.count) });
    assert.ok(JSON.stringify(read) === JSON.stringify(written), `round ${round}`);
  }
});
