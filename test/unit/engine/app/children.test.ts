// Code that an APK carries beside its own is found by content, each once, and within bounds.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { maxChildBytes } from '../../../../server/contract/engine/child.ts';
import { type LeftFile, readNamed, walkChildren } from '../../../../server/engine/app/children.ts';
import { analyzeChild } from '../../../../server/engine/child-analysis.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { openZip, ZipArchive } from '../../../../server/engine/formats/zip/archive.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildAxml, element } from '../../../fixtures/axml-builder.ts';
import { buildDex } from '../../../fixtures/dex-builder.ts';
import { buildElf } from '../../../fixtures/elf-builder.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';
import { buildZip, type ZipEntryPlan } from '../../../fixtures/zip-builder.ts';

const dexOf = (name: string) => buildDex({ classes: [{ descriptor: name }] });
const apkOf = (name: string, ...entries: ZipEntryPlan[]) =>
  buildZip({
    entries: [
      { name: 'AndroidManifest.xml', content: buildAxml(element('manifest', { package: name })) },
      { name: 'classes.dex', content: dexOf('Lapp/Main;') },
      ...entries,
    ],
  });
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const carrierOf = (apk: Buffer, left: LeftFile[] = []) => ({
  archive: openZip(memorySource(apk), new Findings()),
  sha256: hashOf(apk),
  left,
});
const collect = (apk: Buffer, left: LeftFile[] = []) => walkChildren(carrierOf(apk, left), () => undefined);
const wayOf = (path: string) => ({ origin: 'entry', path, action: 'carried', by: null });
const shown = (apk: Buffer) => collect(apk).results.map(({ kind, depth, ways }) => [kind, depth, ways[0]!.path]);

test('apps, dex files, native code and scripts are told by content, and what Android loads itself is none of them', () => {
  const elf = buildElf({});
  const apk = apkOf(
    'parent.app',
    { name: 'lib/arm64-v8a/liba.so', content: elf },
    { name: 'lib/arm64-v8a/libhidden.so', content: dexOf('Lhid/Den;') },
    { name: 'assets/logo.png', content: elf },
    { name: 'assets/notes.txt', content: '#!/system/bin/sh\nid\n' },
    { name: 'assets/run.dat', content: 'import os\nos.system("id")\n' },
    { name: 'assets/www/index.js', content: 'import a from "b";\nlocal = 1;\n' },
    { name: 'assets/a.jar', content: buildZip({ entries: [{ name: 'classes.dex', content: dexOf('La/B;') }] }) },
    { name: 'res/raw/x.bin', content: dexOf('Lx/Y;') },
    { name: 'assets/empty.zip', content: buildZip({ entries: [{ name: 'a.txt', content: 'words' }] }) },
  );
  assert.deepEqual(shown(apk), [
    ['dex', 1, 'lib/arm64-v8a/libhidden.so'],
    ['elf', 1, 'assets/logo.png'],
    ['script', 1, 'assets/notes.txt'],
    ['script', 1, 'assets/run.dat'],
    ['dex', 1, 'assets/a.jar'],
    ['dex', 1, 'res/raw/x.bin'],
  ]);
});

test('apps within apps are opened three deep, each with who holds it, and the fourth is said to be left out', () => {
  const fourth = apkOf('level.four');
  const third = apkOf('level.three', { name: 'd.apk', content: fourth });
  const second = apkOf('level.two', { name: 'c.apk', content: third });
  const first = apkOf('level.one', { name: 'b.apk', content: second });
  const apk = apkOf('parent.app', { name: 'a.apk', content: first });
  const { results, left_out } = collect(apk);
  assert.deepEqual(
    results.map(({ sha256, depth, parent }) => [sha256, depth, parent]),
    [
      [hashOf(first), 1, hashOf(apk)],
      [hashOf(second), 2, hashOf(first)],
      [hashOf(third), 3, hashOf(second)],
    ],
  );
  assert.deepEqual(left_out, [{ path: 'a.apk!/b.apk!/c.apk!/d.apk', reason: 'depth' }]);
});

test('the same content is one file with several ways, and the 65th is left out', () => {
  const entries = Array.from({ length: 65 }, (_, index) => ({
    name: `assets/${index}`,
    content: `#!/bin/sh\n${index}`,
  }));
  const { results, left_out, left_out_count } = collect(
    apkOf('many.files', { name: 'assets/copy', content: '#!/bin/sh\n0' }, ...entries),
  );
  assert.equal(results.length, 64);
  assert.deepEqual(results[0]!.ways, [wayOf('assets/copy'), wayOf('assets/0')]);
  assert.deepEqual([left_out, left_out_count], [[{ path: 'assets/64', reason: 'count' }], 1]);
});

test('what claims to be larger than may be unpacked is left out, and a damaged archive is named', () => {
  const { results, left_out } = collect(
    apkOf(
      'large.files',
      { name: 'assets/large', content: dexOf('La/B;'), size: maxChildBytes + 1 },
      { name: 'assets/broken.apk', content: Buffer.from('PK\x03\x04 and no directory') },
      { name: 'assets/small', content: dexOf('La/C;') },
    ),
  );
  assert.deepEqual(
    results.map(({ ways }) => ways[0]!.path),
    ['assets/small'],
  );
  assert.deepEqual(left_out, [
    { path: 'assets/large', reason: 'size' },
    { path: 'assets/broken.apk', reason: 'unreadable' },
  ]);
});

test('what runs left stands beside what the archive carries, the same content once with both ways, and is read by its name', () => {
  const payload = dexOf('Lpay/Load;');
  const dropped = apkOf('dropped.app', { name: 'assets/deep.sh', content: '#!/system/bin/sh\nid\n' });
  const way = { origin: 'run', action: 'written', by: 'La/B;->m' } as const;
  const left: LeftFile[] = [
    { ...way, path: '/data/data/a.b/files/x.dex', bytes: payload },
    { ...way, path: '/sdcard/y.apk', bytes: dropped },
    { ...way, path: '/sdcard/notes', bytes: Buffer.from('words') },
  ];
  const apk = apkOf('parent.app', { name: 'assets/x', content: payload });
  const { results } = collect(apk, left);
  assert.deepEqual(
    results.map(({ kind, depth, parent, ways }) => [kind, depth, parent, ways]),
    [
      ['dex', 1, hashOf(apk), [{ ...way, path: '/data/data/a.b/files/x.dex' }, wayOf('assets/x')]],
      ['apk', 1, hashOf(apk), [{ ...way, path: '/sdcard/y.apk' }]],
      [
        'script',
        2,
        hashOf(dropped),
        [{ origin: 'run', path: '/sdcard/y.apk!/assets/deep.sh', action: 'carried', by: null }],
      ],
    ],
  );
  const read = (name: string) => readNamed(carrierOf(apk, left), name);
  assert.deepEqual(read('assets/x'), payload);
  assert.deepEqual(read('run:/sdcard/y.apk'), dropped);
  assert.match(String(Buffer.from(read('run:/sdcard/y.apk!/assets/deep.sh')!)), /^#!/);
  for (const name of ['run:/sdcard/z.apk', 'device:/sdcard/y.apk', 'assets/none!/x', 'run:/sdcard/y.apk!/none']) {
    assert.equal(read(name), null, name);
  }
});

test('an app that holds itself under another name of the same content is walked once', () => {
  const apk = apkOf('parent.app', { name: 'assets/x.apk', content: apkOf('inner.app') });
  const { results } = collect(apk, [
    { origin: 'run', path: '/sdcard/base.apk', action: 'written', by: null, bytes: apk },
  ]);
  assert.deepEqual(
    results.map(({ kind, ways }) => [kind, ways[0]!.path]),
    [['apk', 'assets/x.apk']],
  );
});

test('an archive is unpacked once for all the files in it that are analysed one after the other', (context) => {
  const classes = ['La/A;', 'Lb/B;', 'Lc/C;'];
  const inner = buildZip({ entries: classes.map((name, at) => ({ name: `${at}.dex`, content: dexOf(name) })) });
  const outer = buildZip({ entries: [{ name: 'inner.zip', content: inner }] });
  const path = join(temporaryFolder('children'), 'carrier.apk');
  const file = { kind: 'plain', path } as const;
  const analyze = (name: string) => analyzeChild({ file, left: [], name, type: 'dex' }).findings;
  writeFileSync(path, apkOf('parent.app', { name: 'assets/outer.zip', content: outer }));
  const read = context.mock.method(ZipArchive.prototype, 'read');
  const within = 'assets/outer.zip!/inner.zip!/';
  const found = classes.map((_, at) => analyze(`${within}${at}.dex`));
  assert.equal(found.length, 3);
  const names = read.mock.calls.map(({ arguments: [entry] }) => entry!.name);
  assert.deepEqual(
    names.filter((name) => name.endsWith('.zip')),
    ['assets/outer.zip', 'inner.zip'],
  );
  assert.throws(() => analyze('assets/other.zip!/0.dex'), /there no more/);
});
