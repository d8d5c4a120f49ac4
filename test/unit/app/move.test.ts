// Moving a data folder: real processes, a real installation.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { commandLine } from '../../fixtures/program.ts';

const scratch = mkdtempSync(join(tmpdir(), 'apk-workstation-move-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const run = (...words: string[]) => spawnSync(process.execPath, [commandLine, ...words], { encoding: 'utf8' });

test('a moved folder is found by its former name, by every command', () => {
  const [from, to] = [join(scratch, 'first'), join(scratch, 'deep', 'second')];
  const token = run('token', 'create', '--user', 'alice', '--data-dir', from).stdout.trim();
  assert.match(token, /^[0-9a-f]{40}$/);
  const moved = run('move', to, '--data-dir', from);
  assert.equal(moved.status, 0, moved.stderr);
  assert.deepEqual(JSON.parse(moved.stdout), { folder: to });
  assert.deepEqual(readdirSync(from), ['moved.json']);
  assert.match(run('account', 'reset-password', 'alice', '--data-dir', from).stdout, /^\S+\n$/);
});

const elsewhere = ['/dev/shm', '/var/tmp'].find(
  (path) => existsSync(path) && statSync(path).dev !== statSync(scratch).dev,
);
test('a folder is moved to another file system whole, without its lock', {
  skip: elsewhere === undefined && 'there is no second file system that may be written to',
}, () => {
  const other = mkdtempSync(join(elsewhere!, 'apk-workstation-move-'));
  try {
    const [from, to] = [join(scratch, 'here'), join(other, 'there')];
    run('token', 'create', '--user', 'carol', '--data-dir', from);
    const moved = run('move', to, '--data-dir', from);
    assert.equal(moved.status, 0, moved.stderr);
    assert.deepEqual(readdirSync(from), ['moved.json']);
    assert.deepEqual(readdirSync(other), ['there']);
    assert.ok(!readdirSync(to).some((name) => name.startsWith('lock.')));
    assert.match(run('account', 'reset-password', 'carol', '--data-dir', from).stdout, /^\S+\n$/);
  } finally {
    rmSync(other, { recursive: true });
  }
});

test('a folder is not moved over another, nor into itself', () => {
  const from = join(scratch, 'third');
  execFileSync(process.execPath, [commandLine, 'token', 'create', '--user', 'bob', '--data-dir', from]);
  const occupied = join(scratch, 'occupied');
  mkdirSync(occupied);
  writeFileSync(join(occupied, 'notes.txt'), 'mine');
  assert.match(run('move', occupied, '--data-dir', from).stderr, /is not empty, and nothing in it was changed/);
  assert.match(run('move', join(from, 'inside'), '--data-dir', from).stderr, /lies inside/);
  assert.ok(readdirSync(from).includes('catalogue.db'));
});
