import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { functionalityNames } from '../../../../server/contract/engine/reports.ts';
import { findingCatalogue, findingText } from '../../../../server/contract/findings/finding-catalogue.ts';
import { contentType, entropy, isDisguised } from '../../../../server/engine/app/content-type.ts';
import { isKnownLibrary } from '../../../../server/engine/app/known-libraries.ts';
import { permissionDetail } from '../../../../server/engine/app/permissions.ts';
import { resourceFile } from '../../../../server/engine/app/resource-file.ts';
import { Findings } from '../../../../server/engine/findings.ts';
import { codeOrigins } from '../../../../server/engine/static/code-origins.ts';
import { codeTable } from '../../../../server/engine/static/code-table.ts';

test('a platform permission has its level and flags, whatever the app claims to define', () => {
  const own = {
    name: 'android.permission.READ_SMS',
    protectionLevel: 'normal' as const,
    flags: [],
    label: null,
    description: null,
    group: null,
  };
  assert.deepEqual(permissionDetail('android.permission.READ_SMS', 22, own), {
    name: 'android.permission.READ_SMS',
    max_sdk_version: 22,
    description: 'Reads text messages',
    protection_level: 'dangerous',
    flags: [],
    defined_by: 'android',
  });
  const install = permissionDetail('android.permission.INSTALL_PACKAGES', null, null);
  assert.equal(install.protection_level, 'signature');
  assert.deepEqual(install.flags, ['privileged']);
  assert.equal(permissionDetail('android.permission.INTERNET', null, null).protection_level, 'normal');
  assert.equal(permissionDetail('android.permission.POST_NOTIFICATIONS', null, null).protection_level, 'dangerous');
});

test('a permission of the app itself, of a vendor and of nobody are told apart', () => {
  const own = {
    name: 'a.b.C',
    protectionLevel: 'signature' as const,
    flags: ['knownSigner'],
    label: null,
    description: null,
    group: null,
  };
  assert.equal(permissionDetail('a.b.C', null, own).defined_by, 'app');
  assert.equal(permissionDetail('com.android.vending.BILLING', null, null).protection_level, 'unknown');
  assert.equal(
    permissionDetail('com.android.vending.BILLING', null, null).description,
    'In-app purchases through Google Play',
  );
  assert.equal(permissionDetail('constructor', null, null).protection_level, 'unknown');
});

test('every functionality of the report has a table', () => {
  assert.deepEqual(Object.keys(resourceFile<object>('functionalities.json')).sort(), [...functionalityNames].sort());
  for (const text of codeTable().literals.keys()) assert.match(text, /^[\x20-\x7e]+$/);
  for (const part of codeTable().stringParts.keys()) assert.match(part, /^[\x20-\x7e]{4,}$/);
});

test('trackers and libraries are found by the longest prefix at a package border', () => {
  const { trackers, libraries } = codeOrigins(
    'com.example.app',
    [
      'Lcom/google/android/gms/ads/AdView;',
      'Lcom/google/android/gms/common/A;',
      'Lcom/adjust/sdkish/A;',
      'Lkotlin/Unit;',
    ],
    [],
    [],
  );
  assert.deepEqual(
    trackers.map(({ name, classes }) => [name, classes]),
    [['Google AdMob', 1]],
  );
  assert.deepEqual(
    libraries.map(({ name, classes }) => [name, classes]),
    [
      ['Google Play Services', 2],
      ['Kotlin Standard Library', 1],
    ],
  );
  assert.equal(trackers[0]?.evidence, 'Lcom/google/android/gms/ads/AdView;');
});

test("an author's own package is no library of his app", () => {
  assert.equal(isKnownLibrary('Lio/appium/settings/A;', 'io.appium.settings'), false);
  assert.equal(isKnownLibrary('Lio/appium/settings/A;', 'com.example'), true);
  assert.equal(isKnownLibrary('La;', ''), false);
});

test('a packer is known by its library, its assets, its classes and its application class', () => {
  const signs = codeOrigins(
    'com.example',
    ['Lcom/stub/StubApp;'],
    ['com.secneo.apkwrapper.AW'],
    ['lib/armeabi/libjiagu.so', 'assets/libjiagu_x86.so', 'classes.dex'],
  ).packers;
  assert.deepEqual(
    signs.map(({ name, where }) => [name, where]),
    [
      ['Qihoo 360 Jiagu', 'com.stub.StubApp'],
      ['Bangcle (SecNeo)', 'AndroidManifest.xml:application'],
      ['Qihoo 360 Jiagu', 'lib/armeabi/libjiagu.so'],
      ['Qihoo 360 Jiagu', 'assets/libjiagu_x86.so'],
    ],
  );
});

test('the tables are as large as they claim and every prefix stands once', () => {
  const { trackers, libraries } = resourceFile<Record<'trackers' | 'libraries', string[][]>>('code-origins.json');
  assert.ok(trackers.length >= 150 && libraries.length >= 200);
  const prefixes = [...trackers, ...libraries].flatMap((row) => row[3]!.split(' '));
  assert.equal(new Set(prefixes).size, prefixes.length);
  for (const prefix of prefixes) assert.match(prefix, /^[A-Za-z_][\w$]*(?:\.[A-Za-z_][\w$]*)*$/);
});

test('types are recognised by content, and programs under harmless names stand out', () => {
  const typeOf = (text: string) => contentType(Buffer.from(text, 'latin1'), text.length);
  assert.equal(typeOf('dex\n035\0'), 'dex');
  assert.equal(typeOf('\x7fELF\x02\x01\x01'), 'elf');
  assert.equal(typeOf('PK\x03\x04\x14\0'), 'zip');
  assert.equal(typeOf('\x03\0\x08\0\x20\0\0\0'.padEnd(32, '\0')), 'axml');
  assert.equal(typeOf('{"a": 1}'), 'json');
  assert.equal(typeOf('Grüße'), 'data');
  assert.equal(contentType(Buffer.from('Grüße aus dem Text'), 20), 'text');
  assert.equal(typeOf(''), 'empty');
  assert.equal(typeOf('BM and other words that begin so'), 'text');
  assert.equal(isDisguised('assets/logo.png', 'dex'), true);
  assert.equal(isDisguised('assets/logo.png', 'jpeg'), false);
  assert.equal(isDisguised('classes.dex', 'dex'), false);
  assert.equal(entropy(new Uint8Array(4096)), 0);
  assert.equal(entropy(Uint8Array.from({ length: 4096 }, (_, index) => index & 0xff)), 8);
});

test('every finding of the catalogue is made somewhere, and one of another version reads as its own words', () => {
  const server = join(import.meta.dirname, '../../../../server');
  const sources = readdirSync(server, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith(join('contract', 'findings')))
    .map((name) => readFileSync(join(server, name), 'utf8'))
    .join('\n');
  // The code of these is put together from the kind of a component, of a product or of a failure.
  const composed = ['manifest-exported-', 'packer-', 'identity-'];
  for (const prefix of composed) assert.ok(sources.includes(`\`${prefix}\${`), prefix);
  assert.deepEqual(
    Object.keys(findingCatalogue).filter(
      (code) => !sources.includes(`'${code}'`) && !composed.some((prefix) => code.startsWith(prefix)),
    ),
    [],
  );
  assert.equal(findingText('dex-truncated').title, 'The DEX is shorter than it declares');
  assert.deepEqual(findingText('some-new-code'), {
    title: 'Some new code',
    description: '',
    cwe: [],
    masvs: [],
    attack: [],
  });
});

test('what is not listed of many equal findings is one more, which tells how many', () => {
  const findings = new Findings();
  for (let place = 0; place < 52; place++) findings.add('manifest-exported-activity', `${place}`, '');
  const list = findings.list();
  assert.equal(list.length, 51);
  assert.deepEqual([list.at(-1)!.where, list.at(-1)!.evidence], ['', '2 more places']);
});

test('a finding has the severity of its code, unless the case at hand differs', () => {
  const findings = new Findings();
  findings.add('report-cut', 'files', 'ordinary');
  findings.add('report-cut', 'components', 'worse', 'high');
  assert.deepEqual(
    findings.list().map(({ severity }) => severity),
    ['info', 'high'],
  );
});
