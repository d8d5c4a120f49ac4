// What Android's installer demands of where and how files stand in the archive.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildAxml, element } from '../../../fixtures/axml-builder.ts';
import { buildZip, type ZipEntryPlan } from '../../../fixtures/zip-builder.ts';

const manifest = (targetSdkVersion: number, application: Record<string, boolean> = {}): ZipEntryPlan => ({
  name: 'AndroidManifest.xml',
  content: buildAxml(
    element(
      'manifest',
      { package: 'com.example.app' },
      element('uses-sdk', { 'android:targetSdkVersion': targetSdkVersion }),
      element('application', application),
    ),
  ),
});

/** Where and why files are not laid out as they must be. */
const faultsOf = (...entries: ZipEntryPlan[]): string[] =>
  analyzeStatic(memorySource(buildZip({ entries })), { fileName: 'sample.apk' })
    .androguard.findings.filter(({ code }) => /^package-.*-layout$/.test(code))
    .map(({ code, where, evidence }) => `${code} ${where}: ${evidence}`);

test('a resource table that is compressed or not aligned is a finding where the app targets Android 11', () => {
  const table = { name: 'resources.arsc', content: 'x'.repeat(64) };
  const compressed = { ...table, method: 8 };
  assert.deepEqual(faultsOf(manifest(30), { ...table, alignment: 4 }), []);
  assert.deepEqual(faultsOf(manifest(30), compressed), [
    'package-resources-layout resources.arsc: compressed; target SDK 30',
  ]);
  assert.deepEqual(faultsOf(manifest(29), compressed), []);
  const odd = { ...table, method: 0x2323, alignment: 4 };
  assert.deepEqual(faultsOf(manifest(30), odd), [], 'an unknown method counts as stored');
  const shifted = ['', 'x', 'xx', 'xxx'].map((content) =>
    faultsOf(manifest(34), { name: 'a', content, alignment: 4 }, table),
  );
  assert.deepEqual(
    shifted
      .flat()
      .map((fault) => fault.replace(/^.*: (\d).*$/, '$1'))
      .toSorted(),
    ['1', '2', '3'],
  );
});

test('native libraries that stay in the archive have to be stored at borders of pages', () => {
  const library = { name: 'lib/x86/liba.so', content: 'x'.repeat(64) };
  const inPlace = manifest(30, { 'android:extractNativeLibs': false });
  assert.deepEqual(faultsOf(inPlace, { ...library, alignment: 4096 }), []);
  assert.deepEqual(faultsOf(inPlace, { ...library, method: 8 }), [
    'package-library-layout lib/x86/liba.so: compressed; android:extractNativeLibs="false"',
  ]);
  const [shifted, ...others] = faultsOf(inPlace, library);
  assert.match(shifted ?? '', /^package-library-layout lib\/x86\/liba\.so: \d+ bytes past a multiple of 4096;/);
  assert.deepEqual(others, []);
  assert.deepEqual(faultsOf(manifest(30), { ...library, method: 8 }), []);
  assert.deepEqual(faultsOf(inPlace, { name: 'lib/x86/readme.so', content: 'x' }), []);
});

test('a table without a local header is reported once, as unreadable', () => {
  const lost = { name: 'resources.arsc', content: 'x', localHeaderOffset: 3 };
  assert.deepEqual(faultsOf(manifest(30), lost), []);
});
