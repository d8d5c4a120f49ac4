import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { configure, Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js';
import { ArchiveStack } from '../../../server/engine/bundle/archive-stack.ts';
import { broughtFrom, type Carrier } from '../../../server/services/collections/brought-file.ts';
import { Bundle } from '../../../server/services/collections/bundle.ts';
import { buildRar } from '../../fixtures/rar-builder.ts';
import { realApks } from '../../fixtures/real-apks.ts';
import { systemTool } from '../../fixtures/system-tools.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

configure({ useWebWorkers: false });
const sevenZip = systemTool('7z');
const folder = temporaryFolder('archives');
const opened: Bundle[] = [];
after(() => {
  for (const bundle of opened) bundle.close();
});

const apks = [readFileSync(realApks.uiautomator2Test), readFileSync(realApks.unlock)] as const;
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const expected = apks.map(digest);
const files = join(folder, 'files');
mkdirSync(join(files, 'in'), { recursive: true });
writeFileSync(join(files, 'one.apk'), apks[0]);
writeFileSync(join(files, 'in', 'two'), apks[1]);
writeFileSync(join(files, 'notes.txt'), 'no app');

/** Packs the files with 7-Zip. @returns the archive's path */
function pack(name: string, ...words: string[]): string {
  const path = join(folder, name);
  const { status, stderr } = spawnSync(sevenZip.path!, ['a', '-bd', '-bso0', ...words, path, '.'], { cwd: files });
  assert.equal(status, 0, String(stderr));
  return path;
}

async function zipOf(name: string, contents: Record<string, Uint8Array>, options = {}): Promise<string> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), options);
  for (const [file, bytes] of Object.entries(contents)) await writer.add(file, new Uint8ArrayReader(bytes));
  const path = join(folder, name);
  writeFileSync(path, await writer.close());
  return path;
}

/** What comes of a file: digests of apps by their names, and why others did not. */
async function brought(path: string, ...passwords: string[]): Promise<Record<string, string>> {
  const carrier: Carrier = {
    maxBytes: 1e9,
    passwords: async () => passwords,
    holds: async () => false,
    async deliver(bytes) {
      const hash = createHash('sha256');
      for await (const piece of bytes) hash.update(piece);
      return { outcome: 'added', sha256: hash.digest('hex') };
    },
  };
  const found: Record<string, string> = {};
  for await (const { name, delivery } of broughtFrom(path, carrier)) {
    found[name] = delivery.outcome === 'refused' ? delivery.reason : delivery.sha256;
  }
  return found;
}

const bothIn = (archive: string) => ({ [`${archive}/one.apk`]: expected[0], [`${archive}/in/two`]: expected[1] });

for (const [label, name, words] of [
  ['LZMA2', 'plain.7z', []],
  ['PPMd, each file by itself', 'ppmd.7z', ['-m0=ppmd', '-ms=off']],
  ['a tar archive', 'plain.tar', ['-ttar']],
] as const) {
  test(`the apps of an archive of 7-Zip's come out whole: ${label}`, { skip: sevenZip.skip }, async () => {
    assert.deepEqual(await brought(pack(name, ...words)), bothIn(name));
  });
}

for (const [label, name, words] of [
  ['its files', 'locked.7z', []],
  ['its names too', 'hidden.7z', ['-mhe=on']],
  ['files that are only stored', 'stored.7z', ['-mx=0']],
  ['files packed by themselves', 'single.7z', ['-ms=off', '-m0=lzma']],
] as const) {
  test(`a 7z archive that locks ${label} opens by the password that fits`, { skip: sevenZip.skip }, async () => {
    const path = pack(name, '-pgeheim ñ', ...words);
    assert.deepEqual(await brought(path, 'infected', 'geheim ñ'), bothIn(name));
    const [reason] = Object.values(await brought(path, 'infected'));
    assert.match(reason!, /locked with a password that is none of those known here/);
  });
}

test('tar archives that are compressed, and RAR archives, are opened', { skip: sevenZip.skip }, async () => {
  const tar = readFileSync(pack('inner.tar', '-ttar'));
  const zipped = join(folder, 'collection.tar.gz');
  writeFileSync(zipped, gzipSync(tar));
  assert.deepEqual(await brought(zipped), bothIn('collection.tar.gz'));
  const rar = join(folder, 'collection.rar');
  writeFileSync(rar, buildRar({ 'one.apk': apks[0], 'in/two': apks[1], 'a.txt': Buffer.from('no app') }));
  assert.deepEqual(await brought(rar), bothIn('collection.rar'));
});

test('archives in archives are opened with their own passwords, three deep; a fifth is refused', async () => {
  const rar = buildRar({ 'one.apk': apks[0] });
  let inner = readFileSync(await zipOf('a.zip', { 'a.rar': rar, 'two.apk': apks[1] }, { password: 'second' }));
  inner = readFileSync(await zipOf('b.zip', { 'a.zip': inner }, { password: 'first', zipCrypto: true }));
  const path = await zipOf('c.zip', { 'b.zip': inner, 'three.apk': apks[1] });
  assert.deepEqual(await brought(path, 'first', 'second'), {
    'c.zip/b.zip/a.zip/a.rar/one.apk': expected[0],
    'c.zip/b.zip/a.zip/two.apk': expected[1],
    'c.zip/three.apk': expected[1],
  });
  const deeper = await zipOf('d.zip', { 'c.zip': readFileSync(path) });
  assert.deepEqual(await brought(deeper, 'first', 'second'), {
    'd.zip/c.zip/b.zip/a.zip/a.rar': 'in 4 archives in each other',
    'd.zip/c.zip/b.zip/a.zip/two.apk': expected[1],
    'd.zip/c.zip/three.apk': expected[1],
  });
});

test('an app without the name of one is no archive to look into, also where its ZIP is damaged', async () => {
  const damaged = Buffer.from(apks[0]);
  damaged.fill(0, damaged.length - 22);
  const path = await zipOf('hashes.zip', { '0a1b': apks[0], '2c3d': damaged, readme: Buffer.from('PKZIP made this') });
  assert.deepEqual(await brought(path), {
    'hashes.zip/0a1b': expected[0],
    'hashes.zip/2c3d': digest(damaged),
    'hashes.zip/readme': digest(Buffer.from('PKZIP made this')),
  });
});

test('names in other letters than ASCII are told', { skip: sevenZip.skip }, async () => {
  const there = join(folder, 'letters');
  mkdirSync(there);
  writeFileSync(join(there, 'Überweisung 银行.apk'), apks[0]);
  for (const [name, words] of [
    ['letters.7z', []],
    ['locked-letters.7z', ['-pinfected']],
    ['letters.tar', ['-ttar']],
    ['letters.tar.gz', null],
  ] as const) {
    const path = join(folder, name);
    if (words === null) writeFileSync(path, gzipSync(readFileSync(join(folder, 'letters.tar'))));
    else spawnSync(sevenZip.path!, ['a', '-bd', '-bso0', ...words, path, '.'], { cwd: there });
    assert.deepEqual(await brought(path, 'infected'), { [`${name}/Überweisung 银行.apk`]: expected[0] });
  }
});

test('an archive that unpacks to far more than it holds is refused before all of it is unpacked', async () => {
  const header = Buffer.alloc(512);
  header.write('bomb.apk');
  header.write('0000644\0', 100);
  const size = 100_000_000;
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('        0', 148);
  header.write('ustar\0', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const path = join(folder, 'bomb.tar.gz');
  writeFileSync(path, gzipSync(Buffer.concat([header, Buffer.alloc(size)])));
  await assert.rejects(new ArchiveStack(1e6).open(path, []), /unpacks to more than/);
});

test('a damaged 7z or RAR archive is refused with the reason, and a reader that hangs is ended', async () => {
  const path = join(folder, 'half.rar');
  writeFileSync(path, buildRar({ 'one.apk': apks[0] }).subarray(0, 10_000));
  assert.match(Object.values(await brought(path)).join(), /truncated|damaged|ends/i);
  const hanging = new URL('../../fixtures/hanging-worker.ts', import.meta.url);
  await assert.rejects(Bundle.open(path, { entry: hanging, patience: 300 }), /takes too long/);
});
