// Manifests whose texts sum up to more than a record can hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Findings } from '../../../../server/engine/findings.ts';
import { parseBinaryXml } from '../../../../server/engine/formats/axml/document.ts';
import { readManifest } from '../../../../server/engine/manifest/manifest.ts';
import { buildAxml, element } from '../../../fixtures/axml-builder.ts';

test('long texts that are repeated a thousand times are cut, and hide no component behind them', () => {
  const long = 'x'.repeat(20_000);
  const noise = Array.from({ length: 1000 }, (_, index) =>
    element('meta-data', { 'android:name': `n${index}`, 'android:value': long }),
  );
  const document = buildAxml(
    element(
      'manifest',
      { package: 'com.example' },
      element(
        'application',
        {},
        element('activity', { 'android:name': '.First' }, ...noise),
        element('service', { 'android:name': '.Hidden', 'android:permission': 'com.example.P' }),
      ),
    ),
  );
  const findings = new Findings();
  const { components } = readManifest(parseBinaryXml(document, findings), null, findings);
  assert.deepEqual(
    components.map(({ name, permission }) => [name, permission]),
    [
      ['com.example.First', null],
      ['com.example.Hidden', 'com.example.P'],
    ],
  );
  const lengths = components[0]!.metaData.map(({ value }) => value!.length);
  assert.deepEqual([...new Set(lengths)], [16_384, 255]);
  assert.deepEqual(
    findings.list().map(({ code }) => code),
    ['manifest-text-limit'],
  );
});
