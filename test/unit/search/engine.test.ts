import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { planSearch } from '../../../server/search/plan.ts';
import { addIdsOf } from '../../../server/store/id-query.ts';
import { emptySet } from '../../../server/store/id-set.ts';
import { SearchEngine } from '../../../server/store/search-engine.ts';
import { newApk } from '../store/new-apk.ts';
import { openScratch, scratchFolder } from '../store/scratch-store.ts';

const folder = scratchFolder();
const store = await openScratch(folder);
const open = () => new SqliteDatabase(join(folder, 'catalogue.db'), { readonly: true });
const [connection, loaders] = [open(), open()];
after(async () => {
  connection.close();
  loaders.close();
  await store.close();
});

let number = 0;
/** APKs with ten URLs each that no other has, all with the same letters in them. */
async function add(count: number): Promise<void> {
  const apks = await store.apks.insertAll(Array.from({ length: count }, (_, at) => newApk(number + at + 1)));
  const described = apks.map(({ id }) => ({
    apkId: id,
    terms: Array.from({ length: 10 }, (_, at) => ({ field: 'url', text: `https://host${id}.example/${at}` })),
  }));
  await store.search.replaceTerms(['url'], described);
  number += count;
}

test('what comes while a list is loaded is found, also by terms that are new', async () => {
  await add(1000);
  let loads = 0;
  const engine = new SearchEngine(connection, async (queries, capacity) => {
    loads += 1;
    await add(1);
    const set = emptySet(capacity);
    for (const query of queries) addIdsOf(loaders, query, set);
    return set;
  });
  for (const search of ['url:host', 'url:ho', 'url:"HTTPS://"']) {
    const before = loads;
    assert.equal(await engine.count(planSearch(search, null)!, () => false), number, search);
    assert.equal(loads, before + 1, `${search} was not loaded`);
  }
});
