// The bill of materials and the notices that the build of the interface writes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { billOfMaterials } from '../../../server/app/papers/bill-of-materials.ts';
import { shippedPackages } from '../../../server/app/papers/locked-packages.ts';
import { thirdPartyNotices } from '../../../server/app/papers/third-party-notices.ts';
import { treeRoot } from '../../architecture/import-boundaries.ts';

const built = (name: string) => readFileSync(join(treeRoot, 'dist/papers', name), 'utf8');
const program = { name: 'apk-workstation', version: '1.0.0' };

interface Bill {
  components: { name: string; group?: string; purl: string; scope: string; hashes: unknown[]; licenses: unknown[] }[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

test('the bill of materials that was built keeps to the schema of CycloneDX', async () => {
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  assert.equal(await validator.validate(built('bill-of-materials.cdx.json')), null);
  assert.notEqual(await validator.validate('{"bomFormat":"CycloneDX","specVersion":"1.6","extra":1}'), null);
});

test('it names what the server needs, what stands in the interface, and Electron, each with its hash and licence', () => {
  const { components, dependencies } = JSON.parse(built('bill-of-materials.cdx.json')) as Bill;
  const purls = components.map(({ purl }) => purl.replace(/@[^@]+$/, ''));
  for (const name of ['express', 'better-sqlite3', 'react', '%40mantine/core', '%40codemirror/view', 'electron']) {
    assert.ok(purls.includes(`pkg:npm/${name}`), name);
  }
  for (const name of ['typescript', 'knip', 'android-apidemos', '%40playwright/test']) {
    assert.ok(!purls.includes(`pkg:npm/${name}`), name);
  }
  for (const { purl, hashes, licenses } of components) assert.ok(hashes.length + licenses.length >= 2, purl);
  const native = components.find(({ name }) => name === 'yara-x-linux-x64-gnu');
  assert.equal(native?.scope, 'optional');
  const express = dependencies.find(({ ref }) => ref === 'node_modules/express');
  assert.ok(express?.dependsOn?.includes('node_modules/router'));
});

test('the same packages make the same bill of materials and notices', () => {
  const shipped = shippedPackages(treeRoot, ['node_modules/react']);
  assert.equal(billOfMaterials(program, shipped), billOfMaterials(program, shipped.toReversed()));
  assert.equal(thirdPartyNotices(treeRoot, shipped), thirdPartyNotices(treeRoot, shipped));
});

test('the notices hold each package’s own words, those of a README too, and where the tables come from', () => {
  const notices = built('third-party-notices.txt');
  assert.match(notices, /\nexpress 5\.\d+\.\d+ \(MIT\)\n/);
  assert.match(notices, /Copyright \(c\) 2013 Julian Gruber/);
  assert.match(notices, /The YARA-X Authors\. All Rights Reserved/);
  assert.match(notices, /LICENSES\.chromium\.html/);
  assert.match(notices, /android-framework-res/);
});

test('a package without any licence text stops the build, and one that is not locked too', () => {
  const [express] = shippedPackages(treeRoot, []).filter(({ name }) => name === 'express');
  assert.throws(
    () => thirdPartyNotices(treeRoot, [{ ...express!, path: 'server/vault', name: 'vault' }]),
    /licence text/,
  );
  assert.throws(() => shippedPackages(treeRoot, ['node_modules/not-locked']), /not in package-lock/);
});
