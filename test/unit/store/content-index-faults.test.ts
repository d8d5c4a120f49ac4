// The content index keeps what it took in, whenever its process is killed and wherever its disk is full.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { ContentLookup } from '../../../server/store/content-index/content-lookup.ts';
import { IndexFolder } from '../../../server/store/content-index/index-folder.ts';
import { smallDisk } from '../../fixtures/small-disk.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { randomNumbers } from '../../fuzz/random.ts';
import { printedApk } from './printed-apk.ts';

/** Every one of these APKs is known, by fingerprints that it has alone. */
function assertKnows(path: string, ids: readonly number[]): void {
  const folder = new IndexFolder(path);
  folder.refresh(true);
  const lookups = new Map(folder.segments.map((segment) => [segment, new ContentLookup(segment)]));
  for (const id of ids) {
    assert.equal(folder.tagOf(id), id);
    const prints = printedApk(id).files.groups[0]!.prints.subarray(50, 54);
    const found = folder.segments.flatMap((segment) => {
      const groups = lookups.get(segment)!.find([{ kind: 'prints', prints: [...prints] }])!;
      const apks = [...new Set(groups.map((group) => segment.apks.apkOf(group)))];
      return apks.filter((apk) => folder.isNewest(segment, apk)).map((apk) => segment.apks.ids[apk]);
    });
    assert.deepEqual(found, [id]);
  }
  assert.deepEqual(
    readdirSync(path).filter((name) => !name.endsWith('.segment')),
    [],
  );
}

test('an index whose process is killed at any moment knows all that it took in', async () => {
  const path = temporaryFolder('killed-index');
  const random = randomNumbers(6);
  const taken: number[] = [];
  for (let round = 0; round < 8; round++) {
    const first = 1 + round * 100_000;
    const child = spawn(process.execPath, [join(import.meta.dirname, 'index-process.ts'), path, String(first)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (more) => {
      said += more;
    });
    await once(child.stdout, 'data');
    await setTimeout(random(400));
    child.kill('SIGKILL');
    await once(child, 'close');
    taken.push(...said.split('\n').slice(0, -1).map(Number));
    assertKnows(path, taken.slice(-60));
  }
  assert.ok(taken.length > 30, `${taken.length}`);
  assertKnows(path, taken);
});

const disk = smallDisk(1);

test('an index on a full disk keeps what it has, takes in no half of an APK, and goes on when there is room', {
  skip: disk === null && 'only root on Linux can make a small disk',
}, () => {
  const path = join(disk!.folder, 'index');
  const folder = new IndexFolder(path);
  const full = { code: 'ENOSPC' };
  const taken: number[] = [];
  const take = (id: number) => {
    folder.add([printedApk(id)]);
    taken.push(id);
  };
  assert.throws(() => {
    for (let id = 1; id < 10_000; id++) take(id);
  }, full);
  assert.ok(taken.length > 50, `${taken.length}`);
  assertKnows(path, taken);
  disk!.fill();
  assert.throws(() => folder.merge(), full);
  assert.throws(() => take(10_000), full);
  assertKnows(path, taken);
  // Where nothing can be written either.
  disk!.remount('ro');
  const code = 'EROFS';
  assert.throws(() => folder.merge(), { code });
  assertKnows(path, taken);
  disk!.remount('rw');
  disk!.grow(2);
  take(10_000);
  assertKnows(path, taken);
});
