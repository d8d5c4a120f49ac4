// The app's label where its resource has values for some locales only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from '../../../../../server/engine/app/manifest/manifest.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { parseResourceTable } from '../../../../../server/engine/formats/arsc/resource-table.ts';
import { parseBinaryXml } from '../../../../../server/engine/formats/axml/document.ts';
import { buildTable, type TypeSpec } from '../../../../fixtures/arsc-builder.ts';
import { buildAxml, element } from '../../../../fixtures/axml-builder.ts';

function namesOf(values: TypeSpec['values']): Record<string, string> {
  const findings = new Findings();
  const table = parseResourceTable(
    buildTable([{ types: [{ name: 'string', entries: ['app_name'], values }] }]),
    findings,
  );
  const label = { type: 1, data: 0x7f010000 };
  const manifest = element('manifest', { package: 'com.example' }, element('application', { 'android:label': label }));
  return readManifest(parseBinaryXml(buildAxml(manifest), findings), table, findings).appNames;
}

test('a label without a default value is known by the first one it has', () => {
  const values = ['de', 'fr'].map((locale) => ({ config: { locale }, values: { 0: `in ${locale}` } }));
  assert.deepEqual(namesOf(values), { '': 'in de', de: 'in de', fr: 'in fr' });
});

test('a default value that is empty stays empty', () => {
  assert.deepEqual(namesOf([{ values: { 0: '' } }, { config: { locale: 'de' }, values: { 0: 'deutsch' } }]), {
    '': '',
    de: 'deutsch',
  });
});

test('labels in thousands of locales are kept for a thousand of them, each as long as Android shows it', () => {
  const letters = [...'abcdefghijklmnopqrst'];
  const locales = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}-${c.toUpperCase()}A`)));
  const long = 'x'.repeat(30_000);
  const names = namesOf(locales.slice(0, 3000).map((locale) => ({ config: { locale }, values: { 0: long } })));
  assert.equal(Object.keys(names).length, 1001);
  assert.ok(Object.values(names).every(({ length }) => length === 1000));
});
