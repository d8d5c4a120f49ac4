// Sealed collections on the command line: real processes, real data folders, real APKs.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../../fixtures/program.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const run = (folder: string, ...words: string[]) => runCommand(words, { folder });
const sha256Of = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('a sealed collection goes from one data folder to another, without a server, by a passphrase that no word of the command is', async () => {
  const [from, to] = [temporaryFolder('collection'), temporaryFolder('collection')];
  await run(from, 'import', realApks.unlock, realApks.unicodeIme);
  writeFileSync(join(from, 'passphrase'), 'correct horse battery\n');
  writeFileSync(join(to, 'passphrase'), 'correct horse battery\n');
  writeFileSync(join(to, 'another'), 'another horse battery\n');
  const words = ['--search', 'io.appium.unlock', '--passphrase-file', 'passphrase'];
  const written = await run(from, 'collection', 'write', 'one.collection', ...words);
  assert.equal(written.stderr, '');
  assert.match(written.stdout, /^1 written, \d+ words of people and rules, 0 cases, 0 not taken along\n$/);
  const file = join(from, 'one.collection');
  const refused = await run(to, 'collection', 'read', file, '--passphrase-file', 'another');
  assert.deepEqual([refused.status, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^apk-workstation: The passphrase is another one, or the file was altered\.\n$/);
  const read = await run(to, 'collection', 'read', file, '--passphrase-file', 'passphrase', '--json');
  assert.equal(read.stderr, '');
  const { state, added_count, held_count } = JSON.parse(read.stdout);
  assert.deepEqual([state, added_count, held_count], ['ended', 1, 0]);
  const exported = await run(to, 'export', '--format', 'jsonl');
  const [line] = exported.stdout.split('\n');
  assert.equal(JSON.parse(line!).sha256, sha256Of(realApks.unlock));
});
