import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { moveDataFolder } from '../../../server/app/commands/move.ts';
import { writeBackup } from '../../../server/store/backup/backup.ts';
import { DataFolderError } from '../../../server/store/store-errors.ts';
import { newApk } from './new-apk.ts';
import { openScratch, scratchFolder } from './scratch-store.ts';

/** A data folder with one APK. */
async function usedFolder(): Promise<string> {
  const folder = scratchFolder();
  const store = await openScratch(folder);
  const received = await store.files.receive([Buffer.from('an app')] as unknown as AsyncIterable<Uint8Array>);
  await received.commit();
  await store.transaction(({ apks }) => apks.insert({ ...newApk(1), sha256: received.sha256, size: received.size }));
  await received.discard();
  await store.close();
  return folder;
}

const everythingIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => (statSync(path).isFile() ? `${path} ${readFileSync(path).toString('base64')}` : path))
    .toSorted();

const refused = (error: unknown) =>
  error instanceof DataFolderError &&
  error.code === 'damaged' &&
  [/catalogue\.db/, /master key/, /a stored APK/, /restore FILE/, /repair/, /--data-dir/].every((part) =>
    part.test(error.message),
  );

for (const [fault, lose] of [
  ['deleted', (path: string) => rmSync(path)],
  ['emptied', (path: string) => truncateSync(path)],
  [
    'deleted, with its log left over,',
    (path: string) => {
      rmSync(path);
      writeFileSync(`${path}-wal`, 'what was written last');
    },
  ],
] as const) {
  test(`a catalogue that was ${fault} beside keys and APKs is refused by server, visitors, backup and move, and nothing is touched`, async () => {
    const folder = await usedFolder();
    lose(join(folder, 'catalogue.db'));
    const before = everythingIn(folder);
    await assert.rejects(openScratch(folder), refused);
    await assert.rejects(openScratch(folder, { exclusive: false }), refused);
    const nothing = { total: () => undefined, advance: () => undefined };
    const backup = writeBackup(folder, join(scratchFolder(), 'backup.zip'), { progress: nothing, now: new Date() });
    await assert.rejects(backup, refused);
    await assert.rejects(moveDataFolder(join(scratchFolder(), 'elsewhere'), { dataDir: folder }), refused);
    assert.deepEqual(everythingIn(folder), before);
  });
}

test('a catalogue that was replaced by an empty database, or whose tables hold nothing, is refused as well', async () => {
  const folder = await usedFolder();
  const path = join(folder, 'catalogue.db');
  const database = new SqliteDatabase(path);
  for (const table of ['reports', 'apks', 'installation']) database.exec(`delete from ${table}`);
  database.close();
  await assert.rejects(openScratch(folder), refused);
  rmSync(path);
  const empty = new SqliteDatabase(path);
  empty.exec('vacuum');
  empty.exec('create table gone (id); drop table gone');
  empty.close();
  assert.ok(statSync(path).size > 0);
  const before = readFileSync(path);
  await assert.rejects(openScratch(folder), refused);
  assert.deepEqual(readFileSync(path), before);
});

test('a first start that was cut off is none of that, at whatever step', async () => {
  const folder = scratchFolder();
  // The key alone, which nobody has read yet, and a database that was just made.
  mkdirSync(join(folder, 'keys'));
  writeFileSync(join(folder, 'keys', 'master.key'), Buffer.alloc(32, 7));
  writeFileSync(join(folder, 'catalogue.db'), '');
  const store = await openScratch(folder);
  assert.equal(await store.accounts.count(), 0);
  await store.close();
  assert.ok(existsSync(join(folder, 'keys', 'master.key.sha256')));
});

test('the database of another installation is told from the one that belongs to the key', async () => {
  const [one, other] = [await usedFolder(), await usedFolder()];
  rmSync(join(one, 'catalogue.db'));
  writeFileSync(join(one, 'catalogue.db'), readFileSync(join(other, 'catalogue.db')));
  await assert.rejects(openScratch(one), (error) => {
    assert.ok(error instanceof DataFolderError);
    assert.match(error.message, /of two installations.*nothing was changed/);
    return true;
  });
  await (await openScratch(other)).close();
});

test('a database that was closed is one file, which is read where nothing can be made beside it', async () => {
  const folder = await usedFolder();
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('catalogue')),
    ['catalogue.db'],
  );
  const database = new SqliteDatabase(join(folder, 'catalogue.db'));
  assert.equal(database.pragma('journal_mode', { simple: true }), 'delete');
  database.close();
});
