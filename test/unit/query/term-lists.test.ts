import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { emptySet, setOfIds } from '../../../server/store/search/id-set.ts';
import { addApksOf, longestLists } from '../../../server/store/search/term-lists.ts';

const apkCount = 3000;
const capacity = 4000;
const [wantedField, otherField] = [1, 2];
const [common, halved] = [5000, 6000];

const database = new SqliteDatabase(':memory:');
after(() => database.close());
database.exec('create table apk_terms (term_id integer, apk_id integer, primary key (term_id, apk_id)) without rowid');
database.exec('create index apk_terms_by_apk on apk_terms (apk_id, term_id)');
const insert = database.prepare('insert into apk_terms (term_id, apk_id) values (?, ?)');
const fields = new Uint8Array(10_000).fill(wantedField);
const apksOf = new Map<number, number[]>();
const give = (term: number, apks: number[]) => {
  apksOf.set(term, apks);
  for (const apk of apks) insert.run(term, apk);
};
const every = (step: number, first = step) =>
  Array.from({ length: Math.floor((apkCount - first) / step) + 1 }, (_, at) => first + at * step);
// Terms that follow each other in more than one run's length, each of one APK, and every seventh of another field.
for (let term = 1; term <= 2500; term++) {
  if (term % 7 === 0) fields[term] = otherField;
  give(term, [(term * 37) % apkCount || apkCount]);
}
give(
  common,
  every(1).filter((apk) => apk % 10 !== 0),
);
give(halved, every(2));
give(9999, [apkCount + 500, capacity + 5]);

const read = (terms: number[], { longest = [] as number[], restRows = 0 } = {}) => {
  const query = { sql: 'select value from json_each(?)', parameters: [JSON.stringify(terms)] };
  const set = emptySet(capacity);
  addApksOf(database, { terms: query, fields, field: wantedField, longest, restRows, newestApk: apkCount }, set);
  return set;
};
const apksWith = (terms: number[]) =>
  setOfIds(
    terms.flatMap((term) => (fields[term] === wantedField ? apksOf.get(term)! : [])).filter((apk) => apk < capacity),
    capacity,
  );
const one = Array.from({ length: 2500 }, (_, at) => at + 1);
const shuffled = one.toSorted((a, b) => ((a * 7919) % 2503) - ((b * 7919) % 2503));

for (const [way, restRows] of [
  ['by their lists', 0],
  ['by a look at the APKs that are missing', 1e9],
] as const) {
  test(`the APKs of the shorter lists are found ${way}, those of other fields left out`, () => {
    const terms = [...shuffled, common, halved];
    assert.deepEqual(read(shuffled, { restRows }), apksWith(shuffled));
    assert.deepEqual(read(terms, { longest: [common], restRows }), apksWith(terms));
    assert.deepEqual(read([halved], { longest: [common], restRows }), apksWith([common, halved]));
  });
}

test('an APK beyond the set is left out, and one that came later is found where it stands in a list', () => {
  assert.deepEqual(read([9999]), setOfIds([apkCount + 500], capacity));
});

test('no further term is read where the longest lists name all APKs', () => {
  const set = emptySet(capacity);
  for (const apk of every(10)) set[apk >>> 5]! |= 1 << (apk & 31);
  const terms = { sql: 'select no_such_column', parameters: [] };
  addApksOf(database, { terms, fields, field: 1, longest: [common], restRows: 9, newestApk: apkCount }, set);
  assert.deepEqual(set, setOfIds(every(1), capacity));
});

test('a list is read where it names enough APKs that the longer ones lack', () => {
  // Of 100 APKs 90 have the first term, 50 the second, the others of which have the first; 4 have the third alone.
  const samples = Array.from({ length: 100 }, (_, apk) => [
    ...(apk < 90 ? [1] : []),
    ...(apk < 50 ? [2] : []),
    ...(apk >= 90 && apk < 94 ? [3] : []),
    ...(apk >= 94 && apk < 96 ? [4] : []),
    ...(apk < 80 ? [100 + apk] : []),
  ]);
  assert.deepEqual(longestLists(samples, 10_000), { longest: [1, 3], restRows: (50 + 2 + 80) * 100 });
  assert.deepEqual(longestLists(samples.slice(0, 50), 10_000), { longest: [1], restRows: (50 + 50) * 200 });
  assert.deepEqual(longestLists([], 0), { longest: [], restRows: 0 });
});
