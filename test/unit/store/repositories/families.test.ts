// Families in the database: their sums as APKs come, change and go, and what a repair saves of them.
import assert from 'node:assert/strict';
import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { repairDataFolder } from '../../../../server/store/repair/repair.ts';
import type { Store } from '../../../../server/store/store.ts';
import { newApk } from '../new-apk.ts';
import { openScratch, scratchFolder } from '../scratch-store.ts';

async function namedFamily(store: Store): Promise<{ id: number; apks: number[] }> {
  return store.transaction(async (inside) => {
    const { id } = await inside.families.insert({ name: 'Joker', isConfirmed: true });
    const apks: number[] = [];
    for (const number of [1, 2, 3]) apks.push((await inside.apks.insert(newApk(number))).id);
    await inside.families.move(apks, id);
    await inside.families.setTies([apks[0]!], [{ apkId: apks[0]!, familyId: id, isMember: true }]);
    return { id, apks };
  });
}

test('a family knows how many members it has, their mean risk and the newest, whatever comes, changes and goes', async () => {
  const store = await openScratch(scratchFolder());
  const { id, apks } = await namedFamily(store);
  const known = async () => {
    const { members, risk, newestId } = (await store.families.findById(id))!;
    return [members, risk, newestId];
  };
  assert.deepEqual(await known(), [3, null, apks[2]]);
  await store.transaction(async (inside) => {
    await inside.apks.setRisk(apks[0]!, 80, null);
    await inside.apks.setRisk(apks[1]!, 20, null);
  });
  assert.deepEqual(await known(), [3, 50, apks[2]]);
  await store.transaction(async (inside) => {
    await inside.apks.setRisk(apks[0]!, 90, null);
    await inside.families.move([apks[1]!], null);
  });
  assert.deepEqual(await known(), [2, 90, apks[2]]);
  await store.transaction(({ apks: held }) => held.remove(apks[2]!));
  assert.deepEqual(await known(), [1, 90, apks[0]]);
  await store.close();
});

test('a repair saves families, their members and what people said of them', async () => {
  const folder = scratchFolder();
  const store = await openScratch(folder);
  const { id, apks } = await namedFamily(store);
  await store.close();
  const path = join(folder, 'catalogue.db');
  const database = new SqliteDatabase(path, { readonly: true });
  const page = database.prepare("select rootpage from sqlite_schema where name = 'apks_by_code_family'").pluck().get();
  const size = database.pragma('page_size', { simple: true }) as number;
  database.close();
  writeSync(openSync(path, 'r+'), Buffer.alloc(size, 0xff), 0, size, ((page as number) - 1) * size);
  assert.equal((await repairDataFolder(folder, new Date())).isRepaired, true);
  const repaired = await openScratch(folder);
  const family = (await repaired.families.findById(id))!;
  assert.deepEqual([family.title, family.isConfirmed, family.members], ['Joker', true, 3]);
  assert.deepEqual(await repaired.families.tiesOf(apks), [{ apkId: apks[0], familyId: id, isMember: true }]);
  await repaired.close();
});
