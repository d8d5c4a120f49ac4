// Backups and restorations while things change around them, and into awkward places.
import assert from 'node:assert/strict';
import { fork, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ZipArchive } from 'archiver';
import SqliteDatabase from 'better-sqlite3';
import { quietLog } from '../../../server/app/log.ts';
import { writeBackup } from '../../../server/store/backup/backup.ts';
import { BackupWriter, discard, readBackup } from '../../../server/store/backup/backup-file.ts';
import { restoreBackup } from '../../../server/store/backup/restoration.ts';
import { lockFolder } from '../../../server/store/files/folder-lock.ts';
import { openStore } from '../../../server/store/store.ts';
import { commandLine, startServer } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../../fixtures/workstation.ts';

const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-backup-in-motion-'));
const nothing = { total: () => undefined, advance: () => undefined };
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const now = new Date();

let workstation: TestWorkstation;
const whole = join(scratch, 'whole.zip');
before(async () => {
  workstation = await startWorkstation();
  for (const path of [realApks.settings, realApks.unlock]) assert.equal((await workstation.upload(path)).status, 201);
  await workstation.server.idle();
  await writeBackup(workstation.dataDir, whole, { progress: nothing, now });
});
after(async () => {
  await workstation[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

const namesIn = async (file: string) => {
  const names: string[] = [];
  const onFile = async (name: string, bytes: NodeJS.ReadableStream) => {
    names.push(name);
    for await (const _chunk of bytes);
  };
  await readBackup(file, { onFile, progress: () => undefined });
  return names;
};

test('a backup of a server that is killed ends with it and leaves no half file', async () => {
  const folder = join(scratch, 'of-a-server');
  mkdirSync(folder);
  const start = () => {
    const words = ['backup', join(folder, 'killed.zip'), '--data-dir', workstation.dataDir];
    return fork(commandLine, words, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  };
  const early = start();
  early.disconnect();
  assert.deepEqual(await once(early, 'exit'), [1, null]);
  assert.deepEqual(readdirSync(folder), []);
  const late = start();
  await once(late, 'message');
  late.disconnect();
  await once(late, 'exit');
  assert.deepEqual(
    readdirSync(folder).filter((name) => name !== 'killed.zip'),
    [],
  );
});

test('an APK deleted and uploaded again while its backup runs is in the backup with its file', async () => {
  const hash = sha256(realApks.settings);
  const path = join(workstation.dataDir, 'apks', hash.slice(0, 2), hash.slice(2, 4), hash);
  const aside = join(scratch, 'aside');
  const progress = {
    // Told when the database is copied and no APK is yet.
    total: () => renameSync(path, aside),
    // It is the first of the APKs: when any of the other is copied, it has been looked for.
    advance: (bytes: number) => {
      if (bytes > 10_000 && existsSync(aside)) renameSync(aside, path);
    },
  };
  const file = join(scratch, 'uploaded-again.zip');
  const manifest = await writeBackup(workstation.dataDir, file, { progress, now });
  assert.deepEqual([manifest.apks, manifest.apks_without_file], [2, []]);
  assert.ok((await namesIn(file)).includes(`apks/${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`));
});

test('an APK deleted while its backup runs is in the backup neither as a file nor as a record', async () => {
  const hash = sha256(realApks.unlock);
  const file = join(scratch, 'deleted.zip');
  // Told when the database is copied and no APK is yet.
  const total = () => {
    const live = new SqliteDatabase(join(workstation.dataDir, 'catalogue.db'));
    live.pragma('foreign_keys = on');
    live.prepare('delete from apks where sha256 = unhex(?)').run(hash);
    live.close();
    rmSync(join(workstation.dataDir, 'apks', hash.slice(0, 2), hash.slice(2, 4), hash));
  };
  const manifest = await writeBackup(workstation.dataDir, file, { progress: { ...nothing, total }, now });
  assert.deepEqual([manifest.apks, manifest.apks_without_file], [1, []]);
  const folder = join(scratch, 'without-deleted');
  await restoreBackup(file, folder, { mayReplace: false, progress: nothing, now });
  const server = await startServer({ dataDir: folder, log: quietLog });
  try {
    const headers = { authorization: `Token ${workstation.ownerToken}` };
    const list = (await (await fetch(`${server.url}/apks/`, { headers })).json()) as { count: number };
    assert.equal(list.count, 1);
    const found = await fetch(`${server.url}/apks/?search=package_name:io.appium.unlock`, { headers });
    assert.equal(((await found.json()) as { count: number }).count, 0, 'the search index forgets it too');
    assert.equal((await fetch(`${server.url}/apks/${hash}/`, { headers })).status, 404);
  } finally {
    await server.close();
  }
});

test('packages of the feed may come and go while a backup walks', async () => {
  const feeds = join(workstation.dataDir, 'feeds');
  mkdirSync(join(feeds, 'day'), { recursive: true });
  writeFileSync(join(feeds, 'day', 'lapsing.zip'), 'x');
  writeFileSync(join(feeds, 'day', 'half-written.zip.tmp'), 'x');
  const total = () => {
    rmSync(join(feeds, 'day'), { recursive: true });
    writeFileSync(join(feeds, 'new.zip'), 'x');
  };
  const file = join(scratch, 'feeds.zip');
  await writeBackup(workstation.dataDir, file, { progress: { ...nothing, total }, now });
  const names = await namesIn(file);
  // The server makes packages of its own when five minutes end, which may be in the backup.
  for (const name of ['day/lapsing.zip', 'day/half-written.zip.tmp', 'new.zip'])
    assert.ok(!names.includes(`feeds/${name}`), name);
});

test('a backup written into its own data folder does not hold itself, its parts or names that no backup can hold', async () => {
  writeFileSync(join(workstation.dataDir, '.DS_Store'), 'left by a file manager');
  writeFileSync(join(workstation.dataDir, 'my notes (1).txt'), 'mine');
  const file = join(workstation.dataDir, 'own.zip');
  writeFileSync(`${file}.partial-catalogue.db-wal`, 'left by a backup that was killed');
  for (let turn = 0; turn < 2; turn++) await writeBackup(workstation.dataDir, file, { progress: nothing, now });
  const others = (await namesIn(file)).filter((name) => !/^(?:apks|keys|feeds|catalogue\.db)/.test(name));
  assert.deepEqual(others, ['manifest.json'].slice(1));
  assert.deepEqual(
    readdirSync(workstation.dataDir).filter((name) => name.includes('partial')),
    [],
  );
  rmSync(file);
});

test('the copy of the database beside a backup is its maker’s alone', {
  skip: process.platform === 'win32',
}, async () => {
  const file = join(scratch, 'private.zip');
  let mode: number | undefined;
  const total = () => {
    mode = statSync(`${file}.partial-catalogue.db`).mode & 0o777;
  };
  await writeBackup(workstation.dataDir, file, { progress: { ...nothing, total }, now });
  assert.equal(mode, 0o600);
});

test('what a backup of the interface left that was killed with its server is gone after the next start', async () => {
  const dataDir = join(scratch, 'killed');
  const left = join(dataDir, 'backups', 'apk-workstation-20261121T120000Z.zip.partial');
  mkdirSync(join(dataDir, 'backups'), { recursive: true });
  writeFileSync(left, 'half');
  await (await startServer({ dataDir, log: quietLog })).close();
  assert.equal(existsSync(left), false);
});

test('a target that cannot be written is told at once and by name', async () => {
  const options = { progress: nothing, now };
  await assert.rejects(writeBackup(workstation.dataDir, join(scratch, 'no/such/one.zip'), options), /no folder/);
  await assert.rejects(writeBackup(workstation.dataDir, scratch, options), /is a folder/);
});

test('an interrupted backup leaves nothing behind', async () => {
  const file = join(scratch, 'interrupted.zip');
  const big = join(workstation.dataDir, 'feeds', 'big.zip');
  writeFileSync(big, '');
  truncateSync(big, 2 * 1024 ** 3);
  try {
    const child = spawn(process.execPath, [commandLine, 'backup', file, '--data-dir', workstation.dataDir]);
    while (!existsSync(`${file}.partial`)) await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGINT');
    const [status] = await once(child, 'exit');
    assert.equal(status, 130);
    assert.deepEqual(
      readdirSync(scratch).filter((name) => name.startsWith('interrupted')),
      [],
    );
  } finally {
    rmSync(big);
  }
});

test('nobody stays logged in across a restoration, programs keep their tokens, and the audit log says it happened', async () => {
  const opened = await workstation.ask('/session/', {
    method: 'POST',
    token: null,
    json: { login_code: workstation.server.services.sessions.createLoginCode(null) },
  });
  const file = join(scratch, 'sessions.zip');
  await writeBackup(workstation.dataDir, file, { progress: nothing, now });
  const folder = join(scratch, 'deep', 'and', 'new');
  await restoreBackup(file, folder, { mayReplace: false, progress: nothing, now });
  const server = await startServer({ dataDir: folder, log: quietLog });
  try {
    const ask = (token: string, path = '/account/') =>
      fetch(server.url + path, { headers: { authorization: `Token ${token}` } });
    assert.equal((await workstation.ask('/account/', { token: opened.body.token })).status, 200);
    assert.equal((await ask(opened.body.token)).status, 401);
    assert.equal((await ask(workstation.ownerToken)).status, 200);
    const audit = (await (await ask(workstation.ownerToken, '/audit/')).json()) as {
      results: { action: string; subject: string }[];
    };
    assert.deepEqual([audit.results[0]!.action, audit.results[0]!.subject], ['restore', file]);
  } finally {
    await server.close();
  }
});

test('a folder that came into use while its backup was unpacked is left as it is', async () => {
  const folder = join(scratch, 'came-into-use');
  mkdirSync(folder);
  const advance = () => writeFileSync(join(folder, 'catalogue.db'), 'another installation');
  const restoring = restoreBackup(whole, folder, { mayReplace: false, progress: { ...nothing, advance }, now });
  await assert.rejects(restoring, /no longer is/);
  assert.deepEqual(readdirSync(folder), ['catalogue.db']);
  assert.deepEqual(
    readdirSync(scratch).filter((name) => name.includes('restoring')),
    [],
  );
});

test('no server starts on a folder that is being replaced', async () => {
  const folder = join(scratch, 'replaced');
  await restoreBackup(whole, folder, { mayReplace: false, progress: nothing, now });
  const refusals: Promise<void>[] = [];
  const advance = () => void refusals.push(assert.rejects(lockFolder(folder), /already running/));
  const { former } = await restoreBackup(whole, folder, { mayReplace: true, progress: { ...nothing, advance }, now });
  assert.ok(refusals.length > 0);
  await Promise.all(refusals);
  assert.ok(former !== null && existsSync(join(former, 'catalogue.db')));
  await (await openStore(folder, { log: quietLog })).close();
});

async function forged(name: string, size: number, bytes: Buffer): Promise<string> {
  const file = join(scratch, name);
  const archive = new ZipArchive({ zlib: { level: 9 } });
  const output = createWriteStream(file);
  archive.pipe(output);
  archive.append(bytes, { name: 'catalogue.db' });
  const files = { 'catalogue.db': { size, sha256: createHash('sha256').update(bytes).digest('hex') } };
  const manifest = {
    format: 'apk-workstation-backup',
    version: 1,
    created_at: '',
    apks: 0,
    apks_without_file: [],
    files,
  };
  archive.append(JSON.stringify(manifest), { name: 'manifest.json' });
  await Promise.all([archive.finalize(), once(output, 'close')]);
  return file;
}

test('a backup larger than the disk is refused before anything is unpacked, and one that unpacks to more than it says', async () => {
  const options = { mayReplace: false, progress: nothing, now };
  const large = await forged('large.zip', 2 ** 60, Buffer.alloc(10));
  await assert.rejects(restoreBackup(large, join(scratch, 'no-room'), options), /has room for \d+ bytes/);
  const bomb = await forged('bomb.zip', 10, Buffer.alloc(10_000_000));
  await assert.rejects(restoreBackup(bomb, join(scratch, 'bombed'), options), /its size is another/);
  assert.deepEqual(
    readdirSync(scratch).filter((name) => /no-room|bombed/.test(name)),
    [],
  );
});

test('a backup may be larger than 4 GiB and hold more than 65,535 files: its end is in ZIP64', async () => {
  const file = join(scratch, 'zip64.zip');
  const member = join(scratch, 'member');
  writeFileSync(member, 'some bytes');
  const writer = new BackupWriter(file, () => undefined);
  assert.equal(await writer.add('member', member, false), true);
  await writer.finish({ created_at: now.toISOString(), apks: 0, apks_without_file: [] });
  await readBackup(file, { onFile: discard, progress: () => undefined });
  const bytes = readFileSync(file);
  // APPNOTE.TXT 4.3.14 and 4.3.15: the end record's 64-bit form and its locator.
  assert.ok(bytes.includes(Buffer.from('PK\x06\x06')));
  assert.ok(bytes.includes(Buffer.from('PK\x06\x07')));
});

test('what a data folder was moved away from is not begun anew', async () => {
  const run = (...words: string[]) => spawnSync(process.execPath, [commandLine, ...words], { encoding: 'utf8' });
  const [from, to] = [join(scratch, 'moved-from'), join(scratch, 'moved-to')];
  await restoreBackup(whole, from, { mayReplace: false, progress: nothing, now });
  assert.equal(run('move', to, '--data-dir', from).status, 0);
  // A server that has looked for its folder before the move opens the former one.
  await assert.rejects(openStore(from, { log: quietLog }), /was moved away/);
  assert.deepEqual(readdirSync(from), ['moved.json']);
  const back = run('move', from, '--data-dir', from);
  assert.equal(back.status, 0, back.stderr);
  assert.ok(existsSync(join(from, 'catalogue.db')));
  assert.equal(run('where', '--data-dir', to).stdout.trim(), from);
  assert.equal(run('move', to, '--data-dir', from).status, 0);
  rmSync(to, { recursive: true });
  const missing = run('token', 'create', '--user', 'alice', '--data-dir', from);
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /was moved to .*moved-to, which is not there now/);
});
