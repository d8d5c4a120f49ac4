// The platform versions of manifests that name them several times.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from '../../../../../server/engine/app/manifest/manifest.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { parseBinaryXml } from '../../../../../server/engine/formats/axml/document.ts';
import { type AttributeValue, buildAxml, element } from '../../../../fixtures/axml-builder.ts';

function versionsOf(...elements: Record<string, AttributeValue>[]) {
  const findings = new Findings();
  const children = elements.map((attributes) => element('uses-sdk', attributes));
  const document = parseBinaryXml(buildAxml(element('manifest', { package: 'com.example' }, ...children)), findings);
  const { minSdkVersion, targetSdkVersion, effectiveTargetSdkVersion } = readManifest(document, null, findings);
  const codes = findings.list().map(({ code }) => code);
  return { versions: [minSdkVersion, targetSdkVersion, effectiveTargetSdkVersion], codes };
}

test('the last uses-sdk element decides alone, as Android takes it, and several are a finding', () => {
  const modern = { 'android:minSdkVersion': 23, 'android:targetSdkVersion': 34 };
  assert.deepEqual(versionsOf(modern), { versions: [23, 34, 34], codes: [] });
  assert.deepEqual(versionsOf(modern, { 'android:minSdkVersion': 4 }), {
    versions: [4, null, 4],
    codes: ['manifest-second-uses-sdk'],
  });
  assert.deepEqual(versionsOf({ 'android:minSdkVersion': 4 }, modern).versions, [23, 34, 34]);
});

test('a code name is a preview of a platform newer than all, whose defaults hold', () => {
  const versions = (attributes: Record<string, AttributeValue>) => versionsOf(attributes).versions;
  assert.deepEqual(versions({ 'android:targetSdkVersion': 'Baklava' }), [null, null, 10_000]);
  assert.deepEqual(versions({ 'android:minSdkVersion': 'R' }), [null, null, 10_000]);
  assert.deepEqual(versions({ 'android:minSdkVersion': 'R', 'android:targetSdkVersion': 30 }), [null, 30, 30]);
});
