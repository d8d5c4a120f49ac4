import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
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
import { before, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import type { StoredRow } from '../../../server/store/repair/b-tree.ts';
import { DatabasePages } from '../../../server/store/repair/database-pages.ts';
import { repairDataFolder } from '../../../server/store/repair/repair.ts';
import { type Finding, Salvage } from '../../../server/store/repair/salvage.ts';
import type { TableShape } from '../../../server/store/repair/table-shapes.ts';
import { TreeWalk } from '../../../server/store/repair/tree-walk.ts';
import { randomNumbers } from '../../fuzz/random.ts';
import { newApk } from './new-apk.ts';
import { openScratch, scratchFolder } from './scratch-store.ts';

/** A folder with a catalogue of some hundred pages, and its database. */
const folder = scratchFolder();
const whole = join(folder, 'catalogue.db');
const pageSize = 4096;
const apkCount = 120;
const now = new Date('2026-11-22T12:00:00Z');
const stored: string[] = [];

before(async () => {
  const store = await openScratch(folder);
  const random = randomNumbers(7);
  const owner = await store.transaction(({ accounts }) =>
    accounts.insert({ username: 'ada', role: 'owner', apiGroup: 'workstation' }),
  );
  for (let number = 0; number < 30; number += 1) {
    await store.transaction(({ accounts }) =>
      accounts.insert({ username: `analyst-${number}`, role: 'analyst', apiGroup: 'basic' }),
    );
  }
  await store.transaction(async (inside) => {
    for (let number = 1; number <= apkCount; number += 1) {
      const received = await store.files.receive([
        Buffer.from(`app ${number}`),
      ] as unknown as AsyncIterable<Uint8Array>);
      await received.commit();
      await received.discard();
      stored.push(received.sha256);
      const { sha256, sha1, md5, size } = received;
      const names = { app: `App ${number}`, packageName: `org.example.app${number}` };
      const apk = await inside.apks.insert({
        ...newApk(number),
        ...names,
        sha256,
        sha1,
        md5,
        size,
        uploaderId: owner.id,
      });
      const text = Array.from({ length: 1 + random(400) }, () => random(1e9).toString(36)).join(' ');
      const described = { apkId: apk.id, status: 'done', engineVersion: 1 } as const;
      const cuckoo = { target: { file: { sha256, sha1, md5, size } }, text };
      await inside.reports.save([
        { ...described, kind: 'cuckoo', content: cuckoo },
        { ...described, kind: 'androguard', content: { text: `${text} ${random(1e9)}` } },
      ]);
      await inside.apks.addTag(apk.id, `tag-${number % 7}`);
      await inside.comments.insert(owner.id, { apkId: apk.id }, `said of ${number} `.repeat(8));
      await inside.votes.insert({ apkId: apk.id, accountId: owner.id, kind: 'negative' });
      await inside.jobs.insert({
        kind: 'yara',
        apkId: apk.id,
        priority: 20,
        isAutomatic: true,
        payload: null,
        accountId: 0,
      } as never);
    }
  });
  await store.transaction(({ settings }) => settings.write('retention_days', 30));
  await store.close();
});

interface KnownRow {
  table: string;
  key: string;
  pages: number[];
}
const keyOf = ({ name }: TableShape, { rowid, values }: StoredRow) =>
  `${name} ${rowid ?? JSON.stringify(values)} ${createHash('sha1').update(JSON.stringify(values)).digest('hex')}`;

const secrets = new Set(['accounts', 'tokens', 'invitations']);
const isWanted = (table: string) => !/^(?:apk_changes|search_terms|apk_terms|indexed_reports|sqlite_.*)$/.test(table);

/** Every row that can be read of a database. */
function rowsOf(path: string, reference: SqliteDatabase.Database): Map<string, KnownRow & { finding: Finding }> {
  const pages = new DatabasePages(path);
  try {
    const rows = new Map<string, KnownRow & { finding: Finding }>();
    new Salvage(pages).rows(reference, isWanted, secrets, (shape, row, finding) => {
      const key = keyOf(shape, row);
      rows.set(key, { table: shape.name, key, pages: row.pages, finding });
    });
    return rows;
  } finally {
    pages.close();
  }
}

const pagesOf = (path: string) => Math.ceil(statSync(path).size / pageSize);

/** Damages a copy as its seed says. @returns the pages that were touched */
function damage(path: string, random: (below: number) => number): Set<number> {
  const bytes = readFileSync(path);
  const touched = new Set<number>();
  const count = pagesOf(path);
  for (let times = 1 + random(6); times > 0; times -= 1) {
    const page = random(4) === 0 ? 1 + random(8) : 1 + random(count);
    touched.add(page);
    const start = (page - 1) * pageSize;
    const content = bytes.subarray(start, Math.min(bytes.length, start + pageSize));
    switch (random(4)) {
      case 0:
        content.fill(0);
        break;
      case 1:
        for (let at = 0; at < content.length; at += 1) content[at] = random(256);
        break;
      case 2:
        for (let flips = 1 + random(20); flips > 0; flips -= 1) content[random(content.length)] = random(256);
        break;
      default:
        // A page of elsewhere, as disks write where they should not.
        bytes.copy(content, 0, random(count) * pageSize, random(count) * pageSize + pageSize);
    }
  }
  writeFileSync(path, bytes);
  if (random(5) === 0) {
    const left = 1 + random(count);
    for (let page = left; page <= count; page += 1) touched.add(page);
    truncateSync(path, left * pageSize - random(pageSize));
  }
  return touched;
}

test('of a whole catalogue every row is read as SQLite reads it', () => {
  const reference = new SqliteDatabase(whole, { readonly: true });
  const rows = rowsOf(whole, reference);
  for (const table of [
    'apks',
    'reports',
    'comments',
    'votes',
    'jobs',
    'accounts',
    'apk_tags',
    'settings',
    'group_limits',
  ]) {
    const count = [...rows.values()].filter((row) => row.table === table).length;
    assert.equal(count, reference.prepare(`select count(*) from ${table}`).pluck().get(), table);
  }
  const pages = new DatabasePages(whole);
  new Salvage(pages).rows(
    reference,
    (name) => name === 'reports',
    secrets,
    (shape, { rowid, values }) => {
      const row = reference.prepare('select * from reports where id = ?').raw().get(rowid) as unknown[];
      assert.deepEqual(values.toSpliced(0, 1, rowid), row, shape.name);
    },
  );
  pages.close();
  reference.close();
});

test('every row that stands on pages which were not touched is read, whatever was done to others', () => {
  const reference = new SqliteDatabase(whole, { readonly: true });
  const known = rowsOf(whole, reference);
  const copy = join(folder, 'copy.db');
  const pages = new DatabasePages(whole);
  const schema = new Set([...new TreeWalk(pages, new Set(), true, () => true).rows(1)].flatMap((row) => row.pages));
  pages.close();
  schema.delete(1);
  let found = 0;
  for (let seed = 1; seed <= 60; seed += 1) {
    copyFileSync(whole, copy);
    const touched = damage(copy, randomNumbers(seed));
    const read = rowsOf(copy, reference);
    // Where neither what is deleted nor where a table begins can be read, no secret is taken from pages that nothing leads to.
    const isSecretLost = touched.has(1) && [...schema].some((page) => touched.has(page));
    for (const row of known.values()) {
      if (row.pages.some((page) => touched.has(page)) || (isSecretLost && secrets.has(row.table))) continue;
      assert.ok(read.has(row.key), `seed ${seed}: ${row.key} on ${row.pages} is lost with ${[...touched]}`);
      if (read.get(row.key)!.finding === 'found') found += 1;
    }
  }
  assert.ok(found > 0, 'no seed broke a page that leads to others');
  rmSync(copy);
  reference.close();
});

/** A copy of the folder to be damaged, with as many of its files as are asked for. */
function copied(): string {
  const copy = scratchFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Opens in the workstation, and everything in it can be read. */
async function assertServes(repaired: string): Promise<void> {
  const database = new SqliteDatabase(join(repaired, 'catalogue.db'), { readonly: true });
  assert.equal(database.pragma('integrity_check', { simple: true }), 'ok');
  assert.deepEqual(database.pragma('foreign_key_check'), []);
  database.close();
  const store = await openScratch(repaired);
  try {
    const { items: apks } = await store.apks.page({ limit: 1000 });
    const held = new Set(apks.map(({ sha256 }) => sha256));
    for (const sha256 of stored) assert.ok(held.has(sha256), `${sha256} has no record`);
    for (const apk of apks) await store.reports.readJson(apk.id, 'cuckoo');
    for (const { id } of apks) await store.jobs.page({ apkId: id, limit: 10 });
    assert.equal(await store.apks.count(), apkCount);
  } finally {
    await store.close();
  }
}

/** The first page of a table's tree, and those of its indexes. */
function rootsOf(path: string, pattern: string): number[] {
  const database = new SqliteDatabase(path, { readonly: true });
  const roots = database
    .prepare('select rootpage from sqlite_schema where name like ? and rootpage > 0')
    .pluck()
    .all(pattern);
  database.close();
  return roots as number[];
}

const zero = (path: string, pages: readonly number[]) => {
  const bytes = readFileSync(path);
  for (const page of pages) bytes.fill(0, (page - 1) * pageSize, page * pageSize);
  writeFileSync(path, bytes);
};

const cases: Readonly<Record<string, (path: string) => void>> = {
  'the page with header and schema': (path) => zero(path, [1]),
  'the header alone': (path) => {
    const bytes = readFileSync(path);
    bytes.fill(0xff, 0, 100);
    writeFileSync(path, bytes);
  },
  'the first page of the APKs': (path) => zero(path, rootsOf(path, 'apks')),
  'the first page of the reports': (path) => zero(path, rootsOf(path, 'reports')),
  'the first page of the accounts': (path) => zero(path, rootsOf(path, 'accounts')),
  'the pages of indexes': (path) => zero(path, [...rootsOf(path, 'sqlite_autoindex%'), ...rootsOf(path, 'apks_by%')]),
  'the pages of texts to be searched': (path) =>
    zero(path, [...rootsOf(path, 'apk_text%'), ...rootsOf(path, 'apk_words%')]),
  'the freelist': (path) => {
    const database = new SqliteDatabase(path);
    database.exec('delete from jobs');
    database.close();
    const bytes = readFileSync(path);
    assert.ok(bytes.readUInt32BE(32) > 0);
    zero(path, [bytes.readUInt32BE(32)]);
  },
  'the second half, which was cut off,': (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  'everything: the file is empty, which': (path) => truncateSync(path),
  'everything: the file is gone, which': (path) => rmSync(path),
  'everything: the file is all zeros, which': (path) => writeFileSync(path, Buffer.alloc(statSync(path).size)),
};

for (const [what, hurt] of Object.entries(cases)) {
  test(`a catalogue that lost ${what} is repaired, lists every stored APK, and the damaged one is kept`, async () => {
    const copy = copied();
    const path = join(copy, 'catalogue.db');
    hurt(path);
    const damaged = existsSync(path) ? readFileSync(path) : null;
    const summary = await repairDataFolder(copy, now);
    assert.ok(summary.isRepaired);
    if (damaged !== null) assert.deepEqual(readFileSync(join(summary.setAside!, 'catalogue.db')), damaged);
    await assertServes(copy);
    assert.equal((await repairDataFolder(copy, now)).isRepaired, false);
  });
}

test('a repaired catalogue has lost nothing but what the damage took, and says so', async () => {
  const copy = copied();
  const path = join(copy, 'catalogue.db');
  const pages = new DatabasePages(path);
  const lost = new Set<number>();
  const reference = new SqliteDatabase(path, { readonly: true });
  const [apk] = [...rowsOf(path, reference).values()].filter(({ table }) => table === 'apks');
  lost.add(apk!.pages[0]!);
  const gone = [...rowsOf(path, reference).values()].filter(
    ({ table, pages: on }) => table === 'apks' && on[0] === apk!.pages[0],
  ).length;
  reference.close();
  pages.close();
  zero(path, [...lost]);
  const { tables, foundFiles } = await repairDataFolder(copy, now);
  const summaryOf = (name: string) => tables.find(({ table }) => table === name)!;
  assert.deepEqual(summaryOf('apks'), { table: 'apks', kept: apkCount - gone, found: 0, restored: gone, lost: 0 });
  assert.equal(foundFiles, 0);
  for (const table of ['reports', 'comments', 'votes', 'accounts']) assert.equal(summaryOf(table).lost, 0, table);
  await assertServes(copy);
  const store = await openScratch(copy);
  const page = await store.apks.page({ limit: 1000 });
  // The others were never counted.
  const counted = page.items.filter(
    ({ commentsCount, votesCount, rating }) => commentsCount + votesCount - rating === 3,
  );
  assert.equal(counted.length, gone);
  for (const { id, app, sha256 } of page.items) {
    assert.match(app, /^App \d+$/);
    const report = await store.reports.readJson<{ target: { file: { sha256: string } } }>(id, 'cuckoo');
    assert.equal(report?.target.file.sha256, sha256);
  }
  await store.close();
});

test('what stands in the log alone is saved, and the log goes aside with its database', async () => {
  const copy = copied();
  const path = join(copy, 'catalogue.db');
  const database = new SqliteDatabase(path);
  database.pragma('journal_mode = wal');
  database.prepare("insert into settings (key, value) values ('written_last', '1')").run();
  const [log, main] = [readFileSync(`${path}-wal`), readFileSync(path)];
  database.close();
  writeFileSync(path, main);
  writeFileSync(`${path}-wal`, log);
  rmSync(`${path}-shm`, { force: true });
  zero(path, rootsOf(whole, 'votes'));
  const { setAside } = await repairDataFolder(copy, now);
  assert.ok(readdirSync(setAside!).includes('catalogue.db-wal'));
  const repaired = new SqliteDatabase(path, { readonly: true });
  assert.equal(repaired.prepare("select value from settings where key = 'written_last'").pluck().get(), '1');
  repaired.close();
});

test('whatever was damaged, the repaired catalogue is whole and the workstation opens it', async () => {
  for (let seed = 1001; seed <= 1012; seed += 1) {
    const copy = copied();
    damage(join(copy, 'catalogue.db'), randomNumbers(seed));
    await repairDataFolder(copy, now);
    await assertServes(copy).catch((error: Error) => {
      error.message = `seed ${seed}: ${error.message}`;
      throw error;
    });
    rmSync(copy, { recursive: true });
  }
});

test('a file of the store that is not what it is named after is told and left alone', async () => {
  const copy = copied();
  const [one, other] = stored as [string, string];
  const place = (sha256: string) => join(copy, 'apks', sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  rmSync(join(copy, 'catalogue.db'));
  copyFileSync(place(one), place(other));
  mkdirSync(join(copy, 'apks', 'zz'), { recursive: true });
  const { alteredFiles, foundFiles } = await repairDataFolder(copy, now);
  assert.deepEqual([alteredFiles, foundFiles], [[other], apkCount - 1]);
  assert.ok(existsSync(place(other)));
});
