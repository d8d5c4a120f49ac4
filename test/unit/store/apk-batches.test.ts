import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import type { TermsOfApk } from '../../../server/store/repositories/search-index-repository.ts';
import type { Store } from '../../../server/store/store.ts';
import { DuplicateError } from '../../../server/store/store-errors.ts';
import { newApk } from './new-apk.ts';
import { openScratch, scratchFolder } from './scratch-store.ts';

const fields = ['url', 'permission'];
const textIndexes = ['apk_text', 'apk_words', 'search_term_text'];
const clock = () => 1_700_000_000_000_000;

async function openBoth() {
  const folder = scratchFolder();
  const store = await openScratch(folder, { clock });
  const tables = new SqliteDatabase(join(folder, 'catalogue.db'));
  after(async () => {
    tables.close();
    await store.close();
  });
  const rows = (sql: string) => tables.prepare(sql).raw().all();
  return { store, tables, rows };
}

/** Names as hostile as they come; the number of APKs takes every size of statement. */
const batch = Array.from({ length: 64 + 16 + 4 + 3 }, (_, at) => ({
  ...{
    ...newApk(at + 1),
    app: `App ${at}`,
    packageName: `org.batch.p${at % 7}`,
    company: ['', 'Nul\0inside', '🎉'][at % 3]!,
  },
  ...(at % 2 === 0 ? { version: `1.${at}`, hasIcon: true } : { versionCode: '\ud800', isTrusted: true, rating: at }),
}));
const termsOf = (at: number) => [
  ...Array.from({ length: 40 }, (_, index) => ({
    field: 'url',
    text: `https://host${(at * 13 + index) % 500}.example/`,
  })),
  ...[`permission.P${at % 5}`, `permission.P${at % 5}`, 'quote" \\ \0 \ud83d'].map((text) => ({
    field: 'permission',
    text,
  })),
];
const described = (ids: readonly number[]): TermsOfApk[] =>
  ids.map((apkId, at) => ({
    apkId,
    terms: termsOf(at),
    ...(at % 3 === 0 ? {} : { sdk: { minSdk: at, targetSdk: null } }),
  }));
const idsOf = (apks: readonly { id: number }[]) => apks.map(({ id }) => id);

/** Ids of APKs whose reports name a host, and of those with a text in their names. */
async function found(store: Store, { host, text }: { host: string; text: string }): Promise<number[][]> {
  const answers: number[][] = [];
  for (const expression of [
    { kind: 'term', field: 'url', text: host, fit: 'part' },
    { kind: 'text', columns: ['app', 'package_name'], text },
  ] as const) {
    const question = { expression, ordering: [], direction: 'older', place: null, skip: 0, limit: 200 } as const;
    answers.push((await store.search.ask('page', question)).ids);
  }
  return answers;
}

function checkIndexes(tables: SqliteDatabase.Database): void {
  for (const index of textIndexes) tables.exec(`insert into ${index} (${index}, rank) values ('integrity-check', 1)`);
  tables.exec("insert into apk_hashes (apk_hashes) values ('integrity-check')");
  assert.deepEqual(tables.pragma('foreign_key_check'), []);
}

const everything = [
  'select * from apks order by id',
  'select * from search_terms order by id',
  'select * from apk_terms order by term_id, apk_id',
  'select * from indexed_reports order by apk_id',
  "select rowid from apk_text where apk_text match 'batch' order by rowid",
  "select rowid from apk_words where apk_words match 'app' order by rowid",
  "select rowid from search_term_text where search_term_text match 'host49' order by rowid",
  'select * from apk_vocabulary',
];

test('a batch of APKs with their terms leaves the rows and the index that they leave one by one', async () => {
  const [together, alone] = [await openBoth(), await openBoth()];
  const records = await together.store.transaction(async (inside) => {
    const apks = await inside.apks.insertAll(batch);
    await inside.search.replaceTerms(fields, described(idsOf(apks)));
    return apks;
  });
  const single = [];
  for (const apk of batch) single.push(await alone.store.transaction(({ apks }) => apks.insert(apk)));
  assert.deepEqual(records, single);
  for (const one of described(idsOf(single)))
    await alone.store.transaction(({ search }) => search.replaceTerms(fields, [one]));
  for (const question of everything) assert.deepEqual(together.rows(question), alone.rows(question), question);
  assert(together.rows(everything[6]!).length > 0);
  const question = { host: 'host49', text: 'p3' };
  assert.deepEqual(await found(together.store, question), await found(alone.store, question));
  assert((await found(together.store, question)).every(({ length }) => length > 0));
  checkIndexes(together.tables);
});

test('no term of an earlier report is left once a batch is described anew or deleted', async () => {
  const { store, tables, rows } = await openBoth();
  const ids = idsOf(await store.transaction(({ apks }) => apks.insertAll(batch)));
  await store.transaction(({ search }) => search.replaceTerms(fields, described(ids)));
  await store.transaction(({ search }) =>
    search.replaceTerms(['filter'], [{ apkId: ids[0]!, terms: [{ field: 'filter', text: 'kept.filter' }] }]),
  );
  assert.deepEqual(await store.apks.findById(ids[1]!).then((apk) => [apk?.minSdk, apk?.targetSdk]), [1, null]);
  const again = ids.map((apkId) => ({ apkId, terms: [{ field: 'url', text: 'https://moved.example/' }] }));
  await store.transaction(({ search }) => search.replaceTerms(fields, again));
  const left = 'select field, text, count(*) from apk_terms join search_terms on id = term_id group by 1, 2 order by 1';
  assert.deepEqual(rows(left), [
    ['filter', 'kept.filter', 1],
    ['url', 'https://moved.example/', batch.length],
  ]);
  const newestFirst = ids.toReversed();
  assert.deepEqual((await found(store, { host: 'host49', text: 'nowhere' })).flat(), []);
  assert.deepEqual(await found(store, { host: 'moved', text: 'org.batch' }), [newestFirst, newestFirst]);
  for (const id of ids.slice(1)) assert(await store.transaction(({ apks }) => apks.remove(id)));
  assert.deepEqual(await found(store, { host: 'moved', text: 'org.batch' }), [[ids[0]], [ids[0]]]);
  assert.deepEqual(rows('select distinct apk_id from apk_terms'), [[ids[0]]]);
  assert.deepEqual(rows('select apk_id from indexed_reports'), [[ids[0]]]);
  checkIndexes(tables);
});

test('a duplicate lets nothing of its batch in, and the transaction that it is part of goes on', async () => {
  const { store, tables, rows } = await openBoth();
  const held = await store.transaction(({ apks }) => apks.insert({ ...newApk(80), app: 'Held' }));
  const alone = { name: 'DuplicateError', message: new RegExp(held.sha256) };
  await assert.rejects(
    store.transaction(({ apks }) => apks.insertAll(batch)),
    alone,
  );
  const twice = [...batch.slice(0, 70), { ...newApk(1000), sha256: newApk(3).sha256.toUpperCase() }];
  await store.transaction(async (inside) => {
    await assert.rejects(inside.apks.insertAll(twice), DuplicateError);
    await assert.rejects(inside.apks.insertAll(batch), alone);
    await inside.apks.update(held.id, { rating: 5 });
  });
  assert.deepEqual(rows('select app, rating from apks'), [['Held', 5]]);
  assert.deepEqual(await found(store, { host: 'host', text: 'batch' }), [[], []]);
  checkIndexes(tables);
});

test('times of a batch rise from the newest there is, also where the clock is behind it', async () => {
  const { store } = await openBoth();
  assert.deepEqual(await store.transaction(({ apks }) => apks.insertAll([])), []);
  const first = await store.transaction(({ apks }) => apks.insertAll(batch.slice(0, 20)));
  const later = await store.transaction(({ apks }) => apks.insertAll(batch.slice(20)));
  const times = [...first, ...later].map(({ createdAt }) => createdAt);
  assert.deepEqual(
    times,
    Array.from(batch, (_, at) => clock() + at),
  );
});
