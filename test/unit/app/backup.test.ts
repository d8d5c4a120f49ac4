// Backups as their owner makes and restores them: real processes, a running server, real APKs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { quietLog } from '../../../server/app/log.ts';
import { runCommand, startServer } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { startWorkstation } from '../../fixtures/workstation.ts';

const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-backup-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const run = (...words: string[]) => runCommand(words);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

const workstation = await startWorkstation();
after(() => workstation[Symbol.asyncDispose]());
const apk = readFileSync(realApks.settings);
const backupFile = join(scratch, 'one.zip');

test('a backup made while the server runs holds database, APKs, keys and settings, and says what is in it', async () => {
  assert.equal((await workstation.upload(realApks.settings)).status, 201);
  const comment = { method: 'POST', json: { text: 'kept in the backup' } };
  assert.equal((await workstation.ask(`/apks/${sha256(apk)}/comments/`, comment)).status, 201);
  const { status, stdout, stderr } = await run('backup', backupFile, '--data-dir', workstation.dataDir);
  assert.equal(status, 0, stderr);
  const told = JSON.parse(stdout);
  assert.equal(told.apks, 1);
  assert.deepEqual(told.apks_without_file, []);
  assert.equal(told.size, statSync(backupFile).size);
  assert.equal(statSync(backupFile).mode & 0o077, 0, 'the backup holds the key of every file: nobody else may read it');
  assert.deepEqual(
    readdirSync(scratch).filter((name) => name.includes('partial')),
    [],
  );
});

test('a restored folder serves the same accounts, APKs and comments', async () => {
  const folder = join(scratch, 'restored');
  const { status, stdout, stderr } = await run('restore', backupFile, '--data-dir', folder);
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(stdout).former, null);
  const server = await startServer({ dataDir: folder, log: quietLog });
  try {
    const headers = { authorization: `Token ${workstation.ownerToken}` };
    const comments = await (await fetch(`${server.url}/apks/${sha256(apk)}/comments/`, { headers })).json();
    assert.equal((comments as { results: { text: string }[] }).results[0]!.text, 'kept in the backup');
    const { download_url } = (await (
      await fetch(`${server.url}/apks/${sha256(apk)}/download/`, { headers })
    ).json()) as { download_url: string };
    assert.equal(sha256(Buffer.from(await (await fetch(download_url)).arrayBuffer())), sha256(apk));
  } finally {
    await server.close();
  }
});

test('restoring over a folder with anything in it is refused, and with --replace the folder is kept beside it', async () => {
  const folder = join(scratch, 'occupied');
  mkdirSync(folder);
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const refused = await run('restore', backupFile, '--data-dir', folder);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /is not empty, and nothing in it was changed/);
  assert.deepEqual(readdirSync(folder), ['notes.txt']);
  const replaced = await run('restore', backupFile, '--data-dir', folder, '--replace');
  assert.equal(replaced.status, 0, replaced.stderr);
  const { former } = JSON.parse(replaced.stdout) as { former: string };
  assert.equal(readFileSync(join(former, 'notes.txt'), 'utf8'), 'mine');
  assert.ok(readdirSync(folder).includes('catalogue.db'));
});

test('a folder that a server runs on cannot be replaced', async () => {
  const { status, stderr } = await run('restore', backupFile, '--data-dir', workstation.dataDir, '--replace');
  assert.equal(status, 1);
  assert.match(stderr, /already running/);
  assert.equal((await workstation.ask('/account/')).status, 200);
});

for (const [damage, change, expected] of [
  ['with one byte of an APK changed', (bytes: Buffer) => flip(bytes, bytes.length >> 1), /altered|cannot be read/],
  ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1), /cannot be read/],
  ['that is no ZIP at all', () => Buffer.from('hello'), /cannot be read/],
] as const) {
  test(`a backup ${damage} is refused and leaves nothing behind`, async () => {
    const file = join(scratch, 'damaged.zip');
    writeFileSync(file, change(readFileSync(backupFile)));
    const folder = join(scratch, 'from-damaged');
    const { status, stderr } = await run('restore', file, '--data-dir', folder);
    assert.equal(status, 1);
    assert.match(stderr, expected);
    assert.deepEqual(
      readdirSync(scratch).filter((name) => name.includes('from-damaged')),
      [],
    );
  });
}

test('an ordinary ZIP is told from a backup', async () => {
  const { status, stderr } = await run('restore', realApks.settings, '--data-dir', join(scratch, 'never'));
  assert.equal(status, 1);
  assert.match(stderr, /no backup of this program/);
});

test('a backup of a folder that is no installation is refused', async () => {
  const { status, stderr } = await run('backup', join(scratch, 'none.zip'), '--data-dir', scratch);
  assert.equal(status, 1);
  assert.match(stderr, /is not a data folder/);
});

test('a backup of a damaged database fails, and leaves nothing beside the file it was to be', async () => {
  const damaged = join(scratch, 'damaged');
  const target = join(scratch, 'target');
  for (const folder of [damaged, target]) mkdirSync(folder);
  writeFileSync(join(damaged, 'catalogue.db'), 'no database, and longer than the head of one '.repeat(100));
  const { status, stderr } = await run('backup', join(target, 'one.zip'), '--data-dir', damaged);
  assert.equal(status, 1);
  assert.match(stderr, /database is damaged/);
  assert.deepEqual(readdirSync(target), []);
});

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at]! ^= 1;
  return bytes;
}
