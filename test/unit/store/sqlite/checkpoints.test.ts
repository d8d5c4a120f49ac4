import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { newApk } from '../new-apk.ts';
import { openScratch, scratchFolder } from '../scratch-store.ts';

test('a thread moves a long log into the database while the store is open, and nothing of it is lost', async () => {
  const folder = scratchFolder();
  const store = await openScratch(folder);
  for (let batch = 0; batch < 10; batch++)
    await store.transaction(async (inside) => {
      for (let i = 0; i < 300; i++)
        await inside.apks.insert({ ...newApk(batch * 300 + i), app: `${'long '.repeat(30)}${batch} ${i}` });
    });
  // What stands in the database file itself, without its log.
  const copy = join(scratchFolder(), 'copy.db');
  const moved = () => {
    copyFileSync(join(folder, 'catalogue.db'), copy);
    const file = new SqliteDatabase(copy, { readonly: true });
    try {
      return file.prepare('select count(*) from apks').pluck().get() as number;
    } catch {
      // Copied while it was written, or before it had its first table.
      return 0;
    } finally {
      file.close();
    }
  };
  while (moved() < 3000) await new Promise((resolve) => setTimeout(resolve, 200));
  await store.close();
  const again = await openScratch(folder);
  assert.equal(await again.apks.count(), 3000);
  await again.close();
});
