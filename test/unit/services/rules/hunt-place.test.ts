import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HuntPlace } from '../../../../server/services/rules/hunt-place.ts';

test('the position of a hunt advances with scans that end in order, and waits for those that do not', () => {
  const place = new HuntPlace(100, []);
  for (const id of [90, 80, 70]) assert.equal(place.begin(id), true);
  place.end(80);
  assert.deepEqual([place.place, place.ahead], [100, [80]]);
  place.end(90);
  assert.deepEqual([place.place, place.ahead], [80, []]);
  place.end(70);
  assert.deepEqual([place.place, place.ahead], [70, []]);
});

test('a hunt that goes on scans nothing twice and leaves nothing out', () => {
  const before = new HuntPlace(100, []);
  for (const id of [90, 80, 70, 60]) before.begin(id);
  before.end(70);
  before.end(90);
  const after = new HuntPlace(before.place, before.ahead);
  assert.equal(after.place, 90);
  assert.deepEqual(
    [80, 70, 60].filter((id) => after.begin(id)),
    [80, 60],
  );
  after.end(60);
  after.end(80);
  assert.deepEqual([after.place, after.ahead], [60, []]);
});
