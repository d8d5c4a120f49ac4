// The content index on the disk: its segments are merged, lose what is gone, and are thrown away where they are damaged.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { printBits } from '../../../server/contract/engine/content-index.ts';
import { ContentLookup } from '../../../server/store/content-index/content-lookup.ts';
import { IndexFolder } from '../../../server/store/content-index/index-folder.ts';
import { DamagedSegment } from '../../../server/store/content-index/segment.ts';
import { packPrints, unpackPrints } from '../../../server/vault/packed-prints.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';
import { printedApk } from './printed-apk.ts';

/** The APKs of which a group has a fingerprint, of the newest records alone. */
function apksWith(folder: IndexFolder, print: number): number[] {
  const found = folder.segments.flatMap((segment) => {
    const groups = new ContentLookup(segment).find([{ kind: 'prints', prints: [print] }])!;
    const apks = [...new Set(groups.map((group) => segment.apks.apkOf(group)))];
    return apks.filter((apk) => folder.isNewest(segment, apk)).map((apk) => segment.apks.ids[apk]!);
  });
  return found.sort((a, b) => a - b);
}

test('segments that are merged know the same, newer records count, and APKs that are gone are dropped', () => {
  const folder = new IndexFolder(temporaryFolder('content-index'));
  for (let id = 1; id <= 20; id++) folder.add([printedApk(id), printedApk(id + 100)]);
  // Read anew: what it had alone before is found no more.
  folder.add([printedApk(3, 1003)]);
  assert.equal(folder.segments.length, 21);
  const living = (id: number) => id !== 5;
  folder.tidy(living);
  assert.ok(folder.segments.length < 8, `${folder.segments.length}`);
  const all = Array.from({ length: 20 }, (_, index) => [index + 1, index + 101]).flat();
  const expected = all.filter(living).sort((a, b) => a - b);
  for (const print of [0, 7, 2 ** printBits - 1]) assert.deepEqual(apksWith(folder, print), expected);
  assert.deepEqual([apksWith(folder, 1003), folder.tagOf(3), folder.tagOf(5)], [[3], 1003, null]);
  for (const id of expected) {
    const { files, tag } = printedApk(id, id === 3 ? 1003 : id);
    assert.ok(files.groups.every(({ prints }) => prints.every((print) => apksWith(folder, print).includes(id))));
    assert.equal(folder.tagOf(id), tag);
  }
  const before = new IndexFolder(folder.path);
  before.refresh(true);
  assert.deepEqual(apksWith(before, 7), expected);
});

test('any damage to a segment is seen before what it says is believed', () => {
  const folder = new IndexFolder(temporaryFolder('damaged-index'));
  folder.add([printedApk(1), printedApk(2)]);
  const [name] = readdirSync(folder.path);
  const path = join(folder.path, name!);
  const whole = readFileSync(path);
  const { prints } = printedApk(1).files.groups[0]!;
  for (let at = 0; at < whole.length; at += 13) {
    const bytes = Buffer.from(whole);
    bytes[at] = bytes[at]! ^ 0x10;
    writeFileSync(path, bytes);
    const other = new IndexFolder(folder.path);
    try {
      other.refresh(false);
      for (const print of prints) if (other.segments.length > 0) assert.ok(apksWith(other, print).includes(1));
    } catch (error) {
      assert.ok(error instanceof DamagedSegment, String(error));
    }
    writeFileSync(path, whole);
  }
  for (const cut of [0, 10, whole.length - 1]) {
    writeFileSync(path, whole.subarray(0, cut));
    const other = new IndexFolder(folder.path);
    other.refresh(true);
    assert.deepEqual([other.segments, readdirSync(folder.path)], [[], []]);
  }
});

test('conditions are met where so many of their parts are, and anywhere where too little is known', () => {
  const folder = new IndexFolder(temporaryFolder('conditions'));
  const group = (end: number, ...prints: number[]) => ({ end, prints: Uint32Array.from(prints) });
  folder.add([
    { id: 1, tag: 1, files: { filesCount: 4, groups: [group(1, 1, 2, 3), group(2, 2, 3), group(4, 3), group(5, 9)] } },
  ]);
  const lookup = new ContentLookup(folder.segments[0]!);
  const prints = (...wanted: number[]) => ({ kind: 'prints', prints: wanted }) as const;
  const least = (count: number, parts: number) => ({ kind: 'least', least: count, parts }) as const;
  assert.deepEqual(lookup.find([prints(2, 3)]), [0, 1]);
  assert.deepEqual(lookup.find([prints(1), prints(2), prints(3), least(2, 3)]), [0, 1]);
  assert.deepEqual(lookup.find([prints(1), prints(4), least(1, 2)]), [0]);
  assert.deepEqual(lookup.find([prints(1), prints(4), least(2, 2)]), []);
  assert.deepEqual(lookup.find([prints(1), { kind: 'any' }, least(2, 2)]), [0]);
  assert.equal(lookup.find([prints(1), { kind: 'any' }, least(1, 2)]), null);
  assert.deepEqual(lookup.find([least(1, 0)]), []);
  // Of the APK's reports, which are the last group.
  assert.deepEqual(lookup.find([{ kind: 'reports', prints: [9] }, prints(2), least(2, 2)]), [0, 1]);
  assert.deepEqual([lookup.find([prints(9)]), lookup.find([{ kind: 'reports', prints: [1] }])], [[], []]);
});

test('fingerprints that a worker sends are taken as they should be, and in no other form', () => {
  const { files } = printedApk(1);
  const packed = packPrints(files);
  assert.deepEqual(unpackPrints(packed, 2 ** printBits), files);
  const altered = (place: number, value: number) => {
    const numbers = new Uint32Array(packed.slice().buffer);
    numbers[place] = value;
    return new Uint8Array(numbers.buffer);
  };
  const damaged = [
    packed.subarray(0, 6),
    packed.subarray(0, packed.length - 4),
    new Uint8Array([...packed, 0, 0, 0, 0]),
    altered(1, 1_000_000),
    altered(3, 0xffff_ffff),
    altered(2, 0),
    // Not in rising order.
    altered(4, 0xffff_ffff),
    // More than a fingerprint may be.
    altered(3 + files.groups[0]!.prints.length, 2 ** printBits),
  ];
  for (const [index, bytes] of damaged.entries()) assert.equal(unpackPrints(bytes, 2 ** printBits), null, `${index}`);
});
