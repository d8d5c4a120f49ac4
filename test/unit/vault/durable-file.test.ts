import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { writeDurableFile } from '../../../server/vault/durable-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-durable-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('a file is replaced as a whole, for its owner alone', () => {
  const path = join(folder, 'note.json');
  writeDurableFile(path, Buffer.from('a longer first text'));
  writeDurableFile(path, Buffer.from('second'));
  assert.equal(readFileSync(path, 'utf8'), 'second');
  if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['note.json']);
});

test('what cannot take its place leaves nothing behind', () => {
  const taken = join(folder, 'taken');
  mkdirSync(join(taken, 'inside'), { recursive: true });
  assert.throws(() => writeDurableFile(taken, Buffer.from('text')));
  assert.deepEqual(readdirSync(folder).sort(), ['note.json', 'taken']);
});
