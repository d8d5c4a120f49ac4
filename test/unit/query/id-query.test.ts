import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { addIdsOf, idsOf } from '../../../server/store/search/id-query.ts';
import { emptySet, hasId, sizeOf } from '../../../server/store/search/id-set.ts';

const database = new SqliteDatabase(':memory:');
after(() => database.close());
const numbers = (last: number) =>
  `with recursive n (i) as (select 0 union all select i + 1 from n where i < ${last}) select i from n`;

test('lists of any number of ids are read, an empty one too', () => {
  const listed = [1, 9, 10, 4_294_967_295, 1_000_000, 7];
  const query = { sql: 'select value from json_each(?)', parameters: [JSON.stringify(listed)] };
  assert.deepEqual([...idsOf(database, query)], [Uint32Array.from(listed)]);
  assert.deepEqual([...idsOf(database, { ...query, parameters: ['[]'] })], []);
});

test('millions of ids come in pieces, each of them once', () => {
  database.exec(`create temp table thousands as ${numbers(2000)}`);
  const query = { sql: 'select a.i * 2001 + b.i from thousands a cross join thousands b', parameters: [] };
  let count = 0;
  for (const ids of idsOf(database, query)) for (const id of ids) assert(id === count++);
  assert.equal(count, 2001 * 2001);
});

test('ids beyond a set are left out of it', () => {
  const set = emptySet(64);
  addIdsOf(database, { sql: 'select value from json_each(?)', parameters: ['[63,64,63]'] }, set);
  assert.equal(sizeOf(set), 1);
  assert(hasId(set, 63));
});
