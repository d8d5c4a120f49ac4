import assert from 'node:assert/strict';
import { closeSync, openSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { openScratch, scratchFolder } from './scratch-store.ts';

/** A folder in whose database the first page of a table holds nothing that can be read. */
async function damagedFolder(table: string): Promise<string> {
  const folder = scratchFolder();
  await (await openScratch(folder)).close();
  const path = join(folder, 'catalogue.db');
  const database = new SqliteDatabase(path, { readonly: true });
  const page = database.prepare('select rootpage from sqlite_schema where name = ?').pluck().get(table) as number;
  database.close();
  const descriptor = openSync(path, 'r+');
  writeSync(descriptor, Buffer.alloc(4096, 0x5a), 0, 4096, (page - 1) * 4096);
  closeSync(descriptor);
  return folder;
}

test('pages count as unchecked until all of them were looked through', async () => {
  const store = await openScratch(scratchFolder());
  assert.equal(store.condition.pages, 'unchecked');
  assert.equal(await store.condition.checkPages(), 'ok');
  assert.equal(store.condition.pages, 'ok');
  await store.close();
});

test('a page that cannot be read is found by the look through all pages', async () => {
  const store = await openScratch(await damagedFolder('audit'));
  assert.equal(await store.condition.checkPages(), 'damaged');
  await store.close();
});

test('whoever comes across a damaged page, on the main thread or another, has it noted, and it stays noted', async () => {
  const store = await openScratch(await damagedFolder('audit'));
  await assert.rejects(store.audit.page({ limit: 1 }, null));
  assert.equal(store.condition.pages, 'damaged');
  await store.close();
  const other = await openScratch(await damagedFolder('reports'));
  await assert.rejects(other.storage.totals());
  assert.equal(other.condition.pages, 'damaged');
  assert.equal(await other.condition.checkPages(), 'damaged');
  await other.close();
});

test('a master key that is gone, or another, is told', async () => {
  for (const [state, change] of [
    ['ok', () => undefined],
    ['foreign', (key: string) => writeFileSync(key, Buffer.alloc(32, 1))],
    ['unreadable', (key: string) => renameSync(key, `${key}.away`)],
  ] as const) {
    const store = await openScratch(scratchFolder());
    change(join(store.dataDir, 'keys', 'master.key'));
    assert.equal(await store.condition.keys(), state);
    await store.close();
  }
});
