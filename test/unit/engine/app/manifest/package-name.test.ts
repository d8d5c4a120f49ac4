// Package names that Android's installer refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from '../../../../../server/engine/app/manifest/manifest.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { parseBinaryXml } from '../../../../../server/engine/formats/axml/document.ts';
import { buildAxml, element } from '../../../../fixtures/axml-builder.ts';

function isRefused(packageName: string): boolean {
  const findings = new Findings();
  readManifest(parseBinaryXml(buildAxml(element('manifest', { package: packageName })), findings), null, findings);
  return findings.has('manifest-package-name');
}

test('a package name of letters, digits and underscores with a dot is in order', () => {
  for (const name of ['com.example.app', 'a.b', 'Com.Example_1.a2', 'a..b', 'a.', 'android']) {
    assert.ok(!isRefused(name), name);
  }
});

test('a package name with other characters, without a dot or of great length is a finding', () => {
  for (const name of [
    'example',
    'com.1app',
    'com._app',
    'com.ex ample',
    'com.é',
    'com.a\0b',
    `com.${'x'.repeat(220)}`,
  ]) {
    assert.ok(isRefused(name), name);
  }
});
