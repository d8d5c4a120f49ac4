import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { DuplicateError } from '../../../../server/store/store-errors.ts';
import { newApk } from '../new-apk.ts';
import { openScratch, scratchFolder } from '../scratch-store.ts';

let now = 1_700_000_000_000_000;
const store = await openScratch(scratchFolder(), { clock: () => now });
after(() => store.close());
let number = 0;
const insert = (fields: object = {}) => {
  number += 1;
  const apk = { ...newApk(number), ...fields };
  return store.transaction(({ apks }) => apks.insert(apk));
};

test('an APK is found by its id and its hash in any case, with what was stored', async () => {
  const inserted = await insert({ app: 'Ünïcode 🎉', packageName: 'com.example', isTrusted: true, hasIcon: true });
  assert.equal(inserted.app, 'Ünïcode 🎉');
  assert.equal(inserted.isTrusted, true);
  assert.equal(inserted.isCorrupted, false);
  assert.deepEqual(await store.apks.findById(inserted.id), inserted);
  assert.deepEqual(await store.apks.findBySha256(inserted.sha256.toUpperCase()), inserted);
  for (const wrong of ['', 'xyz', 'f'.repeat(64), `${inserted.sha256}00`, `${inserted.sha256.slice(2)}zz`]) {
    assert.equal(await store.apks.findBySha256(wrong), null);
  }
});

test('the same sha256 twice is refused', async () => {
  const { sha256 } = await insert();
  await assert.rejects(insert({ sha256 }), DuplicateError);
});

test('creation times rise strictly, even where the clock stands still or is set back', async () => {
  const first = await insert();
  const second = await insert();
  now -= 5_000_000;
  const third = await insert();
  assert(first.createdAt < second.createdAt && second.createdAt < third.createdAt);
});

test('pages walk the catalogue both ways without a gap while APKs arrive', async () => {
  for (const { id } of (await store.apks.page({ limit: 100 })).items)
    await store.transaction(({ apks }) => apks.remove(id));
  const marked = await Promise.all(Array.from({ length: 7 }, () => insert()));
  const idsOf = (page: { items: { id: number }[] }) => page.items.map(({ id }) => id);
  const ids = marked.map(({ id }) => id).toSorted((a, b) => b - a);
  const first = await store.apks.page({ limit: 3 });
  assert.deepEqual([idsOf(first), first.hasOlder, first.hasNewer], [ids.slice(0, 3), true, false]);
  const arrived = await insert();
  const second = await store.apks.page({ limit: 3, olderThan: ids[2] });
  assert.deepEqual([idsOf(second), second.hasOlder, second.hasNewer], [ids.slice(3, 6), true, true]);
  const last = await store.apks.page({ limit: 3, olderThan: ids[5] });
  assert.deepEqual([idsOf(last), last.hasOlder, last.hasNewer], [ids.slice(6), false, true]);
  const back = await store.apks.page({ limit: 3, newerThan: ids[3] });
  assert.deepEqual([idsOf(back), back.hasOlder, back.hasNewer], [ids.slice(0, 3), true, true]);
  const top = await store.apks.page({ limit: 3, newerThan: ids[0] });
  assert.deepEqual([idsOf(top), top.hasOlder, top.hasNewer], [[arrived.id], true, false]);
  const beyond = await store.apks.page({ limit: 3, olderThan: ids[6] });
  assert.deepEqual([idsOf(beyond), beyond.hasOlder, beyond.hasNewer], [[], false, true]);
  assert.equal(await store.apks.count(), 8);
});

test('changes are stored, and the time of change with them', async () => {
  const apk = await insert();
  now += 60_000_000;
  const changed = await store.transaction(({ apks }) =>
    apks.update(apk.id, { isStaticAnalyzed: true, lastYaraAnalysisAt: now, version: '2.0' }),
  );
  assert.deepEqual(changed, {
    ...apk,
    isStaticAnalyzed: true,
    lastYaraAnalysisAt: now,
    version: '2.0',
    updatedAt: now,
  });
  assert.equal(await store.transaction(({ apks }) => apks.update(99_999, { version: '1' })), null);
});

test('tags come back in order, once each, and go with the APK', async () => {
  const apk = await insert();
  assert.equal(await store.transaction(({ apks }) => apks.addTag(apk.id, 'trojan')), true);
  assert.equal(await store.transaction(({ apks }) => apks.addTag(apk.id, 'banker')), true);
  assert.equal(await store.transaction(({ apks }) => apks.addTag(apk.id, 'trojan')), false);
  assert.deepEqual((await store.apks.findById(apk.id))?.tags, ['banker', 'trojan']);
  assert.equal(await store.transaction(({ apks }) => apks.removeTag(apk.id, 'banker')), true);
  assert.equal(await store.transaction(({ apks }) => apks.removeTag(apk.id, 'banker')), false);
  assert.deepEqual((await store.apks.findByIds([apk.id, 99_999])).get(apk.id)?.tags, ['trojan']);
  assert.equal(await store.transaction(({ apks }) => apks.remove(apk.id)), true);
  assert.equal(await store.transaction(({ apks }) => apks.remove(apk.id)), false);
});

test('the id of a deleted APK is never given again', async () => {
  const apk = await insert();
  await store.transaction(({ apks }) => apks.remove(apk.id));
  assert((await insert()).id > apk.id);
});
