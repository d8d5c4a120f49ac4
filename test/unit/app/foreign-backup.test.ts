// Restoring what a stranger has made: nothing of it gets out of its folder, runs, opens or connects.
import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
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
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { ZipArchive } from 'archiver';
import SqliteDatabase from 'better-sqlite3';
import { LocalAuthority } from '../../../server/app/local-authority.ts';
import { quietLog } from '../../../server/app/log.ts';
import { writeBackup } from '../../../server/store/backup/backup.ts';
import { readBackup } from '../../../server/store/backup/backup-file.ts';
import { finishReplacement } from '../../../server/store/backup/folder-replacement.ts';
import { restoreBackup } from '../../../server/store/backup/restoration.ts';
import { migrations } from '../../../server/store/sqlite/migrations/index.ts';
import { openStore } from '../../../server/store/store.ts';
import { commandLine, startServer } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { startWorkstation, type TestWorkstation } from '../../fixtures/workstation.ts';

const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-foreign-'));
const nothing = { total: () => undefined, advance: () => undefined };
const now = new Date();
const asked = { mayReplace: false, progress: nothing, now };

let workstation: TestWorkstation;
/** What an honest backup holds. */
const members = new Map<string, Buffer>();
before(async () => {
  workstation = await startWorkstation();
  assert.equal((await workstation.upload(realApks.unlock)).status, 201);
  await workstation.server.idle();
  await new LocalAuthority(join(workstation.dataDir, 'keys')).serverCertificate(['127.0.0.1']);
  const json = {
    smtp_host: 'mail.example',
    allowed_hosts: ['evil.example'],
    antivirus_program: '/tmp/evil/clamscan',
    device_address: '127.0.0.1:5037',
    sharing_port: 9999,
    detection_rating: -7,
  };
  assert.equal((await workstation.ask('/settings/', { method: 'PATCH', json })).status, 200);
  const honest = join(scratch, 'honest.zip');
  await writeBackup(workstation.dataDir, honest, { progress: nothing, now, withAuthority: true });
  await readBackup(honest, {
    onFile: async (name: string, bytes: Readable) => void members.set(name, await buffer(bytes)),
    progress: () => undefined,
  });
});
after(async () => {
  await workstation[Symbol.asyncDispose]();
  rmSync(scratch, { recursive: true, force: true });
});

let made = 0;
type Member = [name: string, bytes: Buffer];

/** A backup with these members and a list that fits them, which `change` may spoil. */
async function forged(list: readonly Member[], change: (manifest: Record<string, unknown>) => void = () => undefined) {
  made += 1;
  const file = join(scratch, `forged-${made}.zip`);
  const archive = new ZipArchive({ zlib: { level: 1 } });
  const output = createWriteStream(file);
  archive.pipe(output);
  for (const [name, bytes] of list) archive.append(bytes, { name });
  const files = Object.fromEntries(
    list.map(([name, bytes]) => [
      name,
      { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
    ]),
  );
  const format = { format: 'apk-workstation-backup', version: 1 };
  const manifest = { ...format, created_at: '', apks: 1, apks_without_file: [], files };
  change(manifest);
  archive.append(JSON.stringify(manifest), { name: 'manifest.json' });
  await Promise.all([archive.finalize(), once(output, 'close')]);
  return file;
}

const honestMembers = (): Member[] => [...members].map(([name, bytes]) => [name, bytes]);
const withMember = (name: string, bytes: Buffer): Member[] => [
  ...honestMembers().filter(([one]) => one !== name),
  [name, bytes],
];

function newFolder(): string {
  made += 1;
  const folder = join(scratch, `place-${made}`, 'data');
  mkdirSync(dirname(folder));
  return folder;
}

/** Refused, with nothing left in the folder or beside it. */
async function refused(file: string, reason: RegExp): Promise<void> {
  const folder = newFolder();
  await assert.rejects(restoreBackup(file, folder, asked), reason);
  assert.deepEqual(readdirSync(dirname(folder)), []);
}

/** The honest database after these statements. */
function changedDatabase(change: (database: SqliteDatabase.Database) => void): Buffer {
  made += 1;
  const path = join(scratch, `database-${made}`);
  writeFileSync(path, members.get('catalogue.db')!);
  const database = new SqliteDatabase(path);
  change(database);
  database.pragma('journal_mode = delete');
  database.close();
  return readFileSync(path);
}

/** Writes names into a ZIP that no honest writer would, in the place of others of the same length. */
function renamed(file: string, from: string, to: string): string {
  assert.equal(from.length, to.length);
  const bytes = readFileSync(file);
  for (let at = bytes.indexOf(from); at !== -1; at = bytes.indexOf(from, at + 1)) bytes.write(to, at, 'latin1');
  writeFileSync(file, bytes);
  return file;
}

test('names that climb out of the folder, or would speak to the next start, are refused', async () => {
  const names = [
    '../../../evil.txt',
    '/tmp/evil/xyz.txt',
    'keys/../../evil-1',
    'keys\\..\\..\\evil-1',
    'C:/evil/evil.txtx',
  ];
  for (const name of names) {
    const stand = 'x'.repeat(name.length);
    await refused(renamed(await forged([...honestMembers(), [stand, Buffer.from('x')]]), stand, name), /./);
    await refused(
      renamed(
        await forged([...honestMembers(), [stand, Buffer.from('x')]], ({ files }) => {
          delete (files as Record<string, unknown>)[stand];
        }),
        stand,
        name,
      ),
      /./,
    );
  }
  for (const name of [
    'moved.json',
    'server.json',
    'lock.db',
    'lock.json',
    'catalogue.db-wal',
    'catalogue.db-journal',
    'Moved.json',
    'cache/compiled-rules/x',
    'backups/x.zip',
  ]) {
    await refused(await forged([...honestMembers(), [name, Buffer.from('x')]]), /no backup of this program does/);
  }
  await refused(await forged([...honestMembers(), ['apks/evil', Buffer.from('x')]]), /no backup of this program does/);
  assert.equal(existsSync('/tmp/evil'), false);
});

test('what says that it is a link is a file', async () => {
  const file = await forged(honestMembers());
  const bytes = readFileSync(file);
  // The attributes of the central directory (APPNOTE.TXT 4.3.12): each member says that it is a symbolic link.
  for (
    let at = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    at !== -1;
    at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1')
  ) {
    bytes[at + 5] = 3;
    bytes.writeUInt32LE(0o120777 * 0x10000, at + 38);
  }
  writeFileSync(file, bytes);
  const folder = newFolder();
  await restoreBackup(file, folder, asked);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    assert.equal(entry.isSymbolicLink(), false);
});

test('a member or a list that is there twice is refused, and a list that is nonsense', async () => {
  const twice = await forged([...honestMembers(), ['keys/master.kez', members.get('keys/master.key')!]]);
  await refused(renamed(twice, 'keys/master.kez', 'keys/master.key'), /not in the backup's list|missing/);
  const list: Member = ['manifest.jsox', Buffer.from('{}')];
  await refused(renamed(await forged([...honestMembers(), list]), 'manifest.jsox', 'manifest.json'), /or several/);
  const spoilt: Record<string, unknown>[] = [
    { 'catalogue.db': { size: -(2 ** 60), sha256: '0'.repeat(64) } },
    { 'catalogue.db': { size: 1.5, sha256: '0'.repeat(64) } },
    { 'catalogue.db': { size: 1, sha256: 'x' } },
    { 'catalogue.db': { size: 1, sha256: '0'.repeat(64) } },
    { 'catalogue.db': undefined },
    { '../x': { size: 1, sha256: '0'.repeat(64) } },
    { 'feeds/absent': { size: 1, sha256: '0'.repeat(64) } },
  ];
  for (const change of spoilt) {
    await refused(
      await forged(honestMembers(), (manifest) => {
        manifest.files = { ...(manifest.files as object), ...change };
      }),
      /./,
    );
  }
});

test('a database with a trigger, a view, a table or an index of its own, or without one of ours, is refused', async () => {
  const statements = [
    'create trigger evil after insert on accounts begin delete from apks; end',
    "create view evil as select load_extension('/tmp/evil')",
    'create table evil (x)',
    'create index evil on apks (size)',
    "create virtual table evil using fts5(x, content='accounts')",
    'drop table votes; create view votes as select * from accounts',
    'drop table saved_searches',
    'alter table accounts add column evil text',
    "drop table migrations; create view migrations as with recursive n(x) as (select 1 union all select x from n) select 'x' || x as name, 0 as applied_at from n",
    "pragma writable_schema = on; update sqlite_schema set sql = replace(sql, ' (', '  (') where name = 'accounts'",
    "pragma writable_schema = on; update sqlite_schema set sql = 'create trigger' where name = 'accounts'",
  ];
  for (const statement of statements) {
    const database = changedDatabase((connection) => {
      connection.pragma('foreign_keys = off');
      connection.unsafeMode(true);
      connection.exec(statement);
    });
    await refused(
      await forged(withMember('catalogue.db', database)),
      /not of this program|lacks|none of this program|damaged/,
    );
  }
});

test('a database that is damaged, none at all, or newer is refused', async () => {
  const whole = members.get('catalogue.db')!;
  const spoilt = Buffer.from(whole);
  spoilt.fill(0xa5, Math.floor(spoilt.length / 3), Math.floor(spoilt.length / 2));
  await refused(await forged(withMember('catalogue.db', spoilt)), /damaged/);
  await refused(await forged(withMember('catalogue.db', randomBytes(8192))), /damaged/);
  await refused(await forged(withMember('catalogue.db', Buffer.alloc(0))), /none of this program/);
  await refused(await forged(withMember('catalogue.db', whole.subarray(0, whole.length >> 1))), /damaged/);
  const newer = changedDatabase((database) =>
    database.prepare('insert into migrations (name, applied_at) values (?, 0)').run('2099-01-01-from-the-future'),
  );
  await refused(await forged(withMember('catalogue.db', newer)), /newer version/);
  const orphans = changedDatabase((database) => {
    database.pragma('foreign_keys = off');
    database.prepare('update apks set signer_id = 999999').run();
  });
  await refused(await forged(withMember('catalogue.db', orphans)), /damaged|refer to missing/);
});

test('a database of an earlier version is restored, and brought to the current schema by the next start', async () => {
  const path = join(scratch, 'earlier.db');
  const database = new SqliteDatabase(path);
  const earlier = migrations.slice(0, 10);
  const { migrate } = await import('../../../server/store/sqlite/migrator.ts');
  migrate(database, earlier, 1);
  database.close();
  const list = withMember('catalogue.db', readFileSync(path)).filter(([name]) => !name.startsWith('apks/'));
  const folder = newFolder();
  await restoreBackup(await forged(list), folder, asked);
  await (await openStore(folder, { log: quietLog })).close();
});

test('a master key that is none, is another’s, or contradicts its checksum or its database is refused', async () => {
  const withKey = (key: Buffer, hasNote = false) =>
    forged(withMember('keys/master.key', key).filter(([name]) => hasNote || name !== 'keys/master.key.sha256'));
  await refused(await withKey(Buffer.alloc(31)), /master key cannot be read/);
  await refused(await withKey(randomBytes(32)), /opens none of its APKs/);
  await refused(await withKey(randomBytes(32), true), /is not the key/);
  const without = withMember('keys/master.key', randomBytes(32)).filter(([name]) => !/^apks|sha256$/.test(name));
  const file = await forged(without, (manifest) => {
    manifest.apks_without_file = [...members.keys()]
      .filter((name) => name.startsWith('apks/'))
      .map((name) => name.slice(-64));
  });
  await refused(file, /of two installations/);
});

test('what a stranger’s backup opens, connects or vouches with is put back, and said', async () => {
  const file = await forged([...honestMembers(), ['extension.js', Buffer.from('evil()')]]);
  const folder = newFolder();
  const told = await restoreBackup(file, folder, asked);
  assert.equal(told.isOwn, false);
  assert.deepEqual(told.settingsPutBack, [
    'allowed_hosts',
    'antivirus_program',
    'device_address',
    'sharing_port',
    'smtp_host',
  ]);
  assert.ok(told.filesLeftOut.includes('keys/authority.key') && told.filesLeftOut.includes('extension.js'));
  assert.deepEqual([told.hasAuthority, told.accounts > 0, told.tokens > 0], [false, true, true]);
  assert.deepEqual(readdirSync(join(folder, 'keys')).toSorted(), ['master.key', 'master.key.sha256']);
  assert.equal(existsSync(join(folder, 'extension.js')), false);
  const signing = (path: string) => {
    const database = new SqliteDatabase(path, { readonly: true });
    try {
      return database.prepare('select hex(signing_secret) from installation').pluck().get();
    } finally {
      database.close();
    }
  };
  assert.notEqual(signing(join(folder, 'catalogue.db')), signing(join(workstation.dataDir, 'catalogue.db')));
  const server = await startServer({ dataDir: folder, log: quietLog });
  try {
    const headers = { authorization: `Token ${workstation.ownerToken}` };
    const settings = (await (await fetch(`${server.url}/settings/`, { headers })).json()) as Record<string, unknown>;
    assert.deepEqual(
      [settings.smtp_host, settings.sharing, settings.antivirus_program, settings.detection_rating],
      ['', false, 'clamscan', -7],
    );
  } finally {
    await server.close();
  }
});

test('one’s own backup keeps all of it: said so, or known by the master key of the folder that it replaces', async () => {
  const file = await forged(honestMembers());
  const folder = newFolder();
  const said = await restoreBackup(file, folder, { ...asked, isOwn: true });
  assert.deepEqual([said.isOwn, said.settingsPutBack, said.filesLeftOut, said.hasAuthority], [true, [], [], true]);
  const known = await restoreBackup(file, folder, { ...asked, mayReplace: true, now: new Date(now.getTime() + 2000) });
  assert.deepEqual([known.isOwn, known.settingsPutBack, known.hasAuthority], [true, [], true]);
  writeFileSync(join(folder, 'keys', 'master.key'), randomBytes(32));
  const other = await restoreBackup(file, folder, { ...asked, mayReplace: true, now: new Date(now.getTime() + 4000) });
  assert.equal(other.isOwn, false);
});

test('tokens end where it is asked for', async () => {
  const folder = newFolder();
  const told = await restoreBackup(await forged(honestMembers()), folder, { ...asked, endsTokens: true });
  assert.equal(told.tokens, 0);
  const server = await startServer({ dataDir: folder, log: quietLog });
  try {
    const headers = { authorization: `Token ${workstation.ownerToken}` };
    assert.equal((await fetch(`${server.url}/account/`, { headers })).status, 401);
  } finally {
    await server.close();
  }
});

test('a backup holds the authority’s keys only where they are asked for', async () => {
  const file = join(scratch, 'without-authority.zip');
  const manifest = await writeBackup(workstation.dataDir, file, { progress: nothing, now });
  assert.deepEqual(
    Object.keys(manifest.files).filter((name) => name.startsWith('keys/')),
    ['keys/master.key', 'keys/master.key.sha256'],
  );
  assert.ok(members.has('keys/authority.key') && members.has('keys/server.key'));
  const { hasAuthority } = await restoreBackup(file, newFolder(), { ...asked, isOwn: true });
  assert.equal(hasAuthority, false);
});

test('a restoration that is killed between its two steps is finished by the next start, and one killed before never happened', async () => {
  const file = await forged(honestMembers());
  const folder = newFolder();
  await restoreBackup(file, folder, asked);
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  // As the first of the two steps leaves it.
  const later = new Date(now.getTime() + 2000);
  const { former } = await restoreBackup(file, folder, { ...asked, mayReplace: true, now: later });
  const stamp = former!.slice(former!.indexOf('.before-') + '.before-'.length);
  const waiting = join(dirname(folder), `.data.restoring-${stamp}`);
  renameSync(folder, waiting);
  await (await openStore(folder, { log: quietLog })).close();
  assert.equal(existsSync(waiting), false);
  assert.equal(existsSync(join(folder, 'mine.txt')), false, 'it is the restored one');
  assert.equal(readFileSync(join(former!, 'mine.txt'), 'utf8'), 'mine');
});

test('whenever a restoration is killed, a whole installation stands at its place, and nothing beside it', async () => {
  const file = await forged(honestMembers());
  const folder = newFolder();
  await restoreBackup(file, folder, asked);
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  for (let turn = 0; turn < 6; turn += 1) {
    const words = ['restore', file, '--data-dir', folder, '--replace'];
    const child = fork(commandLine, words, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    // Told with every hundredth of the bytes.
    let told = 0;
    child.on('message', () => {
      told += 1;
      if (told === 1 + 20 * turn) child.kill('SIGKILL');
    });
    await once(child, 'exit');
    const store = await openStore(folder, { log: quietLog });
    assert.equal(await store.apks.count(), 1);
    await store.close();
    const unfinished = readdirSync(dirname(folder)).filter((name) => name.includes('.restoring-'));
    assert.deepEqual(unfinished, []);
  }
});

test('a start beside a restoration that is under way takes nothing of it away', async () => {
  const file = await forged(honestMembers());
  const folder = newFolder();
  let hasStarted = false;
  const advance = () => {
    hasStarted = true;
  };
  const restoring = restoreBackup(file, folder, { ...asked, progress: { total: () => undefined, advance } });
  while (!hasStarted) await new Promise(setImmediate);
  await finishReplacement(folder);
  await restoring;
  const store = await openStore(folder, { log: quietLog });
  assert.equal(await store.apks.count(), 1);
  await store.close();
});

test('the command says what was put back, without a terminal too', async () => {
  const file = await forged(honestMembers());
  const words = [commandLine, 'restore', file, '--data-dir', newFolder()];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const told = JSON.parse(stdout);
  assert.deepEqual(
    [told.is_own, told.has_authority, told.settings_put_back.includes('smtp_host')],
    [false, false, true],
  );
  assert.match(stderr, /not known to be your own/);
  assert.match(stderr, /--end-tokens/);
  assert.match(stderr, /new authority/);
});
