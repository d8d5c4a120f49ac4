import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import SqliteDatabase from 'better-sqlite3';
import { DataFolderError } from '../../../server/store/store-errors.ts';
import { newApk } from './new-apk.ts';
import { openScratch, scratchFolder } from './scratch-store.ts';

const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

function startProcess(action: string, folder: string): ChildProcess {
  const child = fork(join(import.meta.dirname, './store-process.ts'), [action, folder], {
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const refusal = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof DataFolderError && error.code === code && message.test(error.message);

test('a data folder is made with what it needs, for its owner alone', async () => {
  const folder = join(scratchFolder(), 'deep', 'data');
  const store = await openScratch(folder);
  assert.deepEqual(readdirSync(folder).toSorted(), [
    'apks',
    'catalogue.db',
    'catalogue.db-shm',
    'catalogue.db-wal',
    'keys',
    'lock.db',
    'lock.json',
  ]);
  if (process.platform !== 'win32') {
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of ['catalogue.db', 'catalogue.db-wal'])
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
  }
  await store.close();
  assert(!existsSync(join(folder, 'lock.json')));
});

test('a second process is refused, naming the first and the folder, until the first is killed', async () => {
  const folder = scratchFolder();
  const child = startProcess('hold', folder);
  await once(child, 'message');
  await assert.rejects(
    openScratch(folder),
    refusal('in-use', new RegExp(`${folder} \\(process ${child.pid}, since 2`)),
  );
  await kill(child);
  const store = await openScratch(folder);
  await assert.rejects(openScratch(folder), refusal('in-use', new RegExp(`process ${process.pid}`)));
  await store.close();
});

test('another process may visit while a workstation runs, and both see what the other writes', async () => {
  const folder = scratchFolder();
  const server = await openScratch(folder);
  const visitor = await openScratch(folder, { exclusive: false });
  const account = await visitor.transaction(({ accounts }) =>
    accounts.insert({ username: 'ada', role: 'owner', apiGroup: 'workstation' }),
  );
  assert.deepEqual(await server.accounts.findById(account.id), account);
  await visitor.close();
  await assert.rejects(openScratch(folder), refusal('in-use', /already running/));
  await server.close();
});

test('a visitor prepares a folder that nobody has used yet', async () => {
  const folder = scratchFolder();
  await (await openScratch(folder, { exclusive: false })).close();
  const store = await openScratch(folder);
  assert.equal(await store.accounts.count(), 0);
  await store.close();
});

test('what is in the folder is there when it is opened again', async () => {
  const folder = scratchFolder();
  const store = await openScratch(folder);
  const apk = await store.transaction(({ apks }) => apks.insert(newApk(1)));
  const installation = await store.settings.installation();
  await store.close();
  const again = await openScratch(folder);
  assert.deepEqual(await again.apks.findById(apk.id), apk);
  assert.deepEqual(await again.settings.installation(), installation);
  await again.close();
});

test('every acknowledged upload survives the end of the process at any moment', async () => {
  const folder = scratchFolder();
  const child = startProcess('acknowledge', folder);
  const acknowledged: string[] = [];
  child.on('message', (sha256: string) => acknowledged.push(sha256));
  while (acknowledged.length < 20) await once(child, 'message');
  await kill(child);
  const store = await openScratch(folder);
  for (const sha256 of acknowledged) {
    assert.notEqual(await store.apks.findBySha256(sha256), null);
    assert.equal(await store.files.verify(sha256), 'ok');
  }
  await store.close();
});

test('what a killed upload left behind is swept away at the next start', async () => {
  const folder = scratchFolder();
  const child = startProcess('upload', folder);
  await once(child, 'message');
  await kill(child);
  const incoming = join(folder, 'apks', 'incoming');
  assert.equal(readdirSync(incoming).length, 1);
  const store = await openScratch(folder);
  assert.deepEqual(readdirSync(incoming), []);
  await store.close();
});

test('a folder of a newer program is refused and left as it is', async () => {
  const folder = scratchFolder();
  await (await openScratch(folder)).close();
  const path = join(folder, 'catalogue.db');
  const database = new SqliteDatabase(path);
  database.prepare('insert into migrations (name, applied_at) values (?, 0)').run('2031-01-01-the-future-is-bright');
  database.close();
  await assert.rejects(openScratch(folder), refusal('newer', /2031-01-01-the-future-is-bright/));
  await assert.rejects(openScratch(folder, { exclusive: false }), refusal('newer', /newer version/));
});

test('a catalogue that is no database, or a lost or changed master key, is told and nothing is overwritten', async () => {
  const folder = scratchFolder();
  await (await openScratch(folder)).close();
  const key = readFileSync(join(folder, 'keys', 'master.key'));
  rmSync(join(folder, 'keys', 'master.key'));
  await assert.rejects(openScratch(folder), refusal('damaged', /master key/));
  writeFileSync(join(folder, 'keys', 'master.key'), key.toReversed());
  await assert.rejects(openScratch(folder), refusal('damaged', /is not the key that .* Restore it from a backup/));
  writeFileSync(join(folder, 'keys', 'master.key'), key);
  await (await openScratch(folder)).close();
  writeFileSync(join(folder, 'catalogue.db'), 'this is not a database'.repeat(500));
  await assert.rejects(openScratch(folder), refusal('damaged', /catalogue\.db is damaged/));
  assert.equal(readFileSync(join(folder, 'catalogue.db'), 'utf8').slice(0, 11), 'this is not');
});

test('a path that cannot be a folder is told', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'file'), '');
  await assert.rejects(openScratch(join(folder, 'file', 'data')), refusal('not-writable', /cannot be used/));
});

test('a folder that this user may not use is named before anything is written', async () => {
  const folder = scratchFolder();
  await (await openScratch(folder)).close();
  // No folder, and so of no use to anybody.
  writeFileSync(join(folder, 'apks', 'ab'), '', { mode: 0o600 });
  await assert.rejects(openScratch(folder), refusal('not-writable', /apks.ab.*Give it to this user/));
});

for (const [action, left] of [
  ['placed', 'a file whose record was never written'],
  ['forgotten', 'a file whose record was deleted'],
] as const) {
  test(`${left} when the process was killed goes at the next start, and one with its record stays`, async () => {
    const folder = scratchFolder();
    const child = startProcess(action, folder);
    const [{ gone, held }] = (await once(child, 'message')) as [{ gone: string; held: string }];
    await kill(child);
    const store = await openScratch(folder);
    assert.equal(store.files.inspect(gone), 'missing');
    assert.equal(await store.files.verify(held), 'ok');
    assert.deepEqual(readdirSync(join(folder, 'apks', 'unsettled')), []);
    await store.close();
  });
}
