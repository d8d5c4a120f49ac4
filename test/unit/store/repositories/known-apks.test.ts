import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import type { ApkRecord } from '../../../../server/store/repositories/apk-repository.ts';
import { newApk } from '../new-apk.ts';
import { openScratch, scratchFolder } from '../scratch-store.ts';

const folder = scratchFolder();
const store = await openScratch(folder);
const other = new SqliteDatabase(join(folder, 'catalogue.db'));
after(async () => {
  other.close();
  await store.close();
});
let number = 0;

/** An APK that was read twice, and is kept from then on: by its id, by its hash and in a list. */
async function readApk(): Promise<ApkRecord> {
  number += 1;
  const { id, sha256 } = await store.transaction(({ apks }) => apks.insert(newApk(number)));
  assert.equal(store.apks.isKept((await store.apks.findById(id))!), false);
  const record = (await store.apks.findById(id))!;
  assert.equal(store.apks.isKept(record), true);
  assert.equal(await store.apks.findBySha256(sha256.toUpperCase()), record);
  assert.equal((await store.apks.findByIds([id])).get(id), record);
  return record;
}

const writes: [string, (apk: ApkRecord) => unknown, Partial<ApkRecord>][] = [
  ['a change', ({ id }) => store.transaction(({ apks }) => apks.update(id, { app: 'New' })), { app: 'New' }],
  ['a tag', ({ id }) => store.transaction(({ apks }) => apks.addTag(id, 'banker')), { tags: ['banker'] }],
  [
    'a change in a transaction',
    ({ id }) => store.transaction(({ apks }) => apks.update(id, { rating: 3 })),
    { rating: 3 },
  ],
  [
    'SDK levels with the terms of a report',
    ({ id }) =>
      store.transaction(({ search }) =>
        search.replaceTerms(['permission'], [{ apkId: id, terms: [], sdk: { minSdk: 21, targetSdk: 34 } }]),
      ),
    { minSdk: 21, targetSdk: 34, hostsCount: 0 },
  ],
  [
    'what it is marked with',
    ({ id }) => store.transaction(({ marks }) => marks.replace(id, { finding: ['code-x', 'code-x', 'code-y'] })),
    { findingsCount: 2 },
  ],
  [
    'a change by another program',
    ({ id }) => other.prepare("update apks set company = 'Other' where id = ?").run(id),
    { company: 'Other' },
  ],
];

for (const [name, write, changes] of writes) {
  test(`after ${name} an APK is read anew, and others stay the same objects`, async () => {
    const [changed, untouched] = [await readApk(), await readApk()];
    await write(changed);
    const { updatedAt: _later, ...expected } = { ...changed, ...changes };
    for (const record of [
      await store.apks.findBySha256(changed.sha256),
      await store.apks.findById(changed.id),
      (await store.apks.page({ limit: 2 })).items.find(({ id }) => id === changed.id),
    ]) {
      const { updatedAt: _now, ...shown } = record!;
      assert.deepEqual(shown, expected);
    }
    assert.equal(await store.apks.findById(untouched.id), untouched);
  });
}

test('an APK that was deleted is gone, and comes again with another id', async () => {
  const gone = await readApk();
  await store.transaction(({ apks }) => apks.remove(gone.id));
  assert.equal(await store.apks.findById(gone.id), null);
  assert.equal(await store.apks.findBySha256(gone.sha256), null);
  const again = await store.transaction(({ apks }) => apks.insert(newApk(number)));
  assert.notEqual(again.id, gone.id);
  assert.deepEqual(await store.apks.findBySha256(gone.sha256), again);
});

test('what a transaction takes back was never there', async () => {
  const apk = await readApk();
  const failing = store.transaction(async ({ apks }) => {
    await apks.update(apk.id, { app: 'Never' });
    throw new Error('taken back');
  });
  await assert.rejects(failing, /taken back/);
  assert.equal((await store.apks.findById(apk.id))!.app, apk.app);
});

test('so many changes that old ones are forgotten leave nothing stale', async () => {
  const apk = await readApk();
  other.prepare("update apks set app = 'Unnoted' where id = ?").run(apk.id);
  other.exec('delete from apk_changes');
  const untold = await readApk();
  assert.equal((await store.apks.findById(apk.id))!.app, 'Unnoted');
  for (let round = 0; round < 2100; round++)
    other.prepare('update apks set rating = ? where id = ?').run(round, apk.id);
  other.prepare("update apks set app = 'Last' where id = ?").run(untold.id);
  assert.equal((await store.apks.findById(untold.id))!.app, 'Last');
  assert.equal((await store.apks.findById(apk.id))!.rating, 2099);
});
