// The order in which files are found: parts of apps after their bases, the same each time, so that one may go on after any of them.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { filesAt } from '../../../../server/services/collections/found-files.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const folder = temporaryFolder('found');
const inOrder = [
  'base.apk',
  'z.apk',
  'config.en.apk',
  'split_a.apk',
  'a/b.apk',
  'a/split_b.apk',
  'a/a/deep.apk',
  'a/a b/other.apk',
  'a-1/x.apk',
  'b/y.apk',
];
for (const path of inOrder.toReversed()) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), path);
}
mkdirSync(join(folder, 'empty'));
symlinkSync(folder, join(folder, 'a/loop'));
symlinkSync('/nowhere', join(folder, 'a/dangling'));

async function found(after: string | null, isRecursive = true): Promise<string[]> {
  const paths: string[] = [];
  const place = after === null ? null : join(folder, after);
  for await (const { path, size } of filesAt(folder, { isRecursive, after: place })) {
    paths.push(relative(folder, path));
    assert.equal(size, relative(folder, path).length);
  }
  return paths;
}

test('files stand before the folders beside them, and parts of apps after all other files; links to folders are not followed', async () => {
  assert.deepEqual(await found(null), inOrder);
  assert.deepEqual(await found(null, false), inOrder.slice(0, 4));
});

test('after each of them come exactly those that came after it, also where it is not there any more', async () => {
  for (const [index, path] of inOrder.entries()) assert.deepEqual(await found(path), inOrder.slice(index + 1), path);
  assert.deepEqual(await found('a/c-gone.apk'), inOrder.slice(5));
  assert.deepEqual(await found('a/zz/gone.apk'), inOrder.slice(8));
});
