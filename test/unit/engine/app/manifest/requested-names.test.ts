// Names of what an app asks for, which Android takes from the manifest alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from '../../../../../server/engine/app/manifest/manifest.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { parseResourceTable } from '../../../../../server/engine/formats/arsc/resource-table.ts';
import { parseBinaryXml } from '../../../../../server/engine/formats/axml/document.ts';
import { buildTable } from '../../../../fixtures/arsc-builder.ts';
import { buildAxml, element } from '../../../../fixtures/axml-builder.ts';

const table = buildTable([
  { types: [{ name: 'string', entries: ['hidden'], values: [{ values: { 0: 'android.permission.SEND_SMS' } }] }] },
]);

test('permissions, features and libraries named by a reference are not asked for, and are findings', () => {
  const findings = new Findings();
  const named = (tag: string, name: string | { type: number; data: number }) => element(tag, { 'android:name': name });
  const hidden = { type: 1, data: 0x7f010000 };
  const document = buildAxml(
    element(
      'manifest',
      { package: 'com.example' },
      named('uses-permission', hidden),
      named('uses-permission', 'android.permission.INTERNET'),
      named('uses-feature', hidden),
      element('uses-feature', { 'android:glEsVersion': 0x20000 }),
      named('uses-permission', { type: 0x10, data: 7 }),
      element('application', {}, named('uses-library', hidden)),
    ),
  );
  const { usesPermissions, usesFeatures, usesLibraries } = readManifest(
    parseBinaryXml(document, findings),
    parseResourceTable(table, findings),
    findings,
  );
  assert.deepEqual(
    usesPermissions.map(({ name }) => name),
    ['android.permission.INTERNET'],
  );
  assert.deepEqual([usesFeatures, usesLibraries], [[], []]);
  const reference = '@string/hidden (android.permission.SEND_SMS): Android takes text of the manifest alone';
  assert.deepEqual(
    findings.list().map(({ code, where, evidence }) => [code, where.split(':')[1], evidence]),
    [
      ['manifest-reference-name', 'uses-permission', reference],
      ['manifest-reference-name', 'uses-permission', '7 (7): Android takes text of the manifest alone'],
      ['manifest-reference-name', 'uses-feature', reference],
      ['manifest-reference-name', 'uses-library', reference],
    ],
  );
});
