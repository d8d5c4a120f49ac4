import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CatalogueColumns } from '../../../server/store/search/catalogue-columns.ts';
import { hasId, setOfIds } from '../../../server/store/search/id-set.ts';
import { type PostingSource, Postings } from '../../../server/store/search/search-postings.ts';

const maxId = 50_000;
const capacity = 60_000;

/** A condition that holds for every tenth APK, over a catalogue whose changes the test makes. */
function everyTenth() {
  const held = new Set(Array.from({ length: maxId / 10 }, (_, at) => (at + 1) * 10));
  const changed = new Set<number>();
  const alive = setOfIds([...Array(maxId + 1).keys()].slice(1), capacity);
  const columns = { maxId, capacity, seq: 0, alive, changedSince: () => changed };
  let tests = 0;
  const source: PostingSource = {
    watches: 'row',
    among: (ids) => {
      tests += ids.length;
      return ids.filter((id) => held.has(id));
    },
    newest: (wanted) => {
      const ids = [...held].toSorted((a, b) => b - a).slice(0, wanted);
      return { ids, from: ids.at(-1)! };
    },
    between: (from, to) => [...held].filter((id) => id >= from && id <= to),
    all: { kind: 'read', loads: () => [], overhead: 0 },
  };
  const postings = new Postings(source, columns as unknown as CatalogueColumns);
  postings.prepare(1);
  const change = (id: number, holds: boolean) => {
    if (holds) held.add(id);
    else held.delete(id);
    changed.add(id);
    columns.seq += 1;
    postings.prepare(columns.seq);
  };
  return { postings, held, change, tests: () => tests };
}

for (const isDownwards of [true, false]) {
  test(`what lies ${isDownwards ? 'below' : 'above'} a position is known without testing each APK`, () => {
    const { postings, held, tests } = everyTenth();
    postings.lookFrom(20_005, isDownwards, 50);
    const ids = Array.from({ length: 500 }, (_, at) => 20_005 + (isDownwards ? -at : at));
    assert.deepEqual(
      postings.among(ids),
      ids.filter((id) => held.has(id)),
    );
    assert.equal(tests(), 0);
    const around = [ids[5]!, isDownwards ? 20_010 : 20_000, ids[10]!];
    assert.deepEqual(
      postings.among(around),
      around.filter((id) => held.has(id)),
    );
    assert.equal(tests(), 1);
    const possible = postings.possible();
    for (const id of ids) assert.equal(hasId(possible, id), held.has(id), `${id}`);
    for (const id of [1, 7, 10_003, 30_003, 40_001]) assert.ok(hasId(possible, id), `${id} is not known`);
    assert.ok(!hasId(possible, maxId - 1), 'of the newest it is known that it does not hold');
  });
}

test('a later position replaces an earlier one, and a complete result needs neither', () => {
  const { postings, held } = everyTenth();
  postings.lookFrom(20_000, true, 50);
  postings.lookFrom(30_000, true, 50);
  assert.ok(!hasId(postings.bits, 19_990), 'bits that are not known are 0');
  assert.ok(hasId(postings.bits, 29_990));
  assert.deepEqual(postings.among([19_990]), [19_990]);
  postings.fill(setOfIds([...held], capacity), 0, 1);
  assert.ok(postings.isComplete);
  assert.deepEqual(postings.possible(), setOfIds([...held], capacity));
});

test('changes are applied up to the position that was searched', () => {
  const { postings, change, tests } = everyTenth();
  postings.lookFrom(20_000, true, 50);
  change(19_995, true);
  change(19_990, false);
  const before = tests();
  assert.deepEqual(postings.among([19_990, 19_995]), [19_995]);
  assert.equal(tests(), before);
});

test('a position that would need too many tests is not searched', () => {
  const { postings } = everyTenth();
  postings.lookFrom(20_000, true, 4000);
  assert.ok(!hasId(postings.bits, 19_990));
});
