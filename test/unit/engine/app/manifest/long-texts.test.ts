// Manifests whose texts sum up to more than a record can hold.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readManifest } from '../../../../../server/engine/app/manifest/manifest.ts';
import { Findings } from '../../../../../server/engine/findings.ts';
import { parseBinaryXml } from '../../../../../server/engine/formats/axml/document.ts';
import { buildAxml, type ElementSpec, element } from '../../../../fixtures/axml-builder.ts';

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

/** The manifest of an app with these elements in its application, and what is said of it. */
function read(application: ElementSpec[], packageName = 'com.example') {
  const findings = new Findings();
  const bytes = buildAxml(element('manifest', { package: packageName }, element('application', {}, ...application)));
  const manifest = readManifest(parseBinaryXml(bytes, findings), null, findings);
  return { manifest, findings: findings.list() };
}
const repeated = (count: number, one: ElementSpec): ElementSpec[] => Array.from({ length: count }, () => one);

test('names that sum up to far too much are cut to their beginning', () => {
  const long = `com.example.${'x'.repeat(500)}`;
  const activity = element('activity', { 'android:name': long, 'android:permission': long });
  const { components } = read(repeated(20_000, activity)).manifest;
  assert.deepEqual([...new Set(components.map(({ name }) => name.length))], [512, 255, 64]);
});

test('megabytes of text before them hide neither permissions nor actions nor usual names of classes', () => {
  const long = 'x'.repeat(2000);
  const action = element('action', { 'android:name': 'android.intent.action.BOOT_COMPLETED' });
  const receiver = element(
    'receiver',
    {
      'android:name': '.receivers.BootReceiver',
      'android:permission': 'android.permission.BIND_ACCESSIBILITY_SERVICE',
    },
    element('intent-filter', {}, action),
  );
  const padding = element('activity', { 'android:permission': long, 'android:process': long, 'android:name': '.A' });
  const { manifest, findings } = read([
    ...repeated(10_000, padding),
    receiver,
    element('activity', { 'android:name': long }),
  ]);
  const [found, last] = manifest.components.slice(-2);
  assert.equal(last!.name.length, 'com.example.'.length + 64, 'names are cut by now');
  assert.equal(found!.name, 'com.example.receivers.BootReceiver');
  assert.equal(found!.permission, 'android.permission.BIND_ACCESSIBILITY_SERVICE');
  assert.deepEqual(found!.intentFilters[0]!.actions, ['android.intent.action.BOOT_COMPLETED']);
  assert.ok(findings.some(({ code }) => code === 'manifest-text-limit'));
});

test('twenty thousand components are listed, and a finding tells which one is the last', () => {
  const { manifest, findings } = read(repeated(20_001, element('activity', { 'android:name': '.A' })));
  assert.equal(manifest.components.length, 20_000);
  const [cut] = findings.filter(({ code }) => code === 'report-cut');
  assert.equal(cut?.evidence, '20000 are listed, up to com.example.A');
});

test('a package name of thousands of letters is cut, since the name of every component repeats it', () => {
  const { manifest } = read([element('service', { 'android:name': '.S' })], 'com.'.padEnd(10_000, 'x'));
  assert.equal(manifest.packageName.length, 255);
  assert.equal(manifest.components[0]!.name, `${manifest.packageName}.S`);
});

test('of tens of thousands of attributes of data only those that intents can be matched by are kept', () => {
  const noise = Array.from({ length: 60_000 }, (_, index) => [`a${index}`, 'x']);
  const data = element('data', { ...Object.fromEntries(noise), 'android:host': 'example.com' });
  const filter = element('intent-filter', {}, data);
  const { manifest } = read([element('activity', { 'android:name': '.A' }, filter)]);
  assert.deepEqual(manifest.components[0]!.intentFilters[0]!.data, [{ host: 'example.com' }]);
});

test('a refusal that quotes a long name says where', () => {
  const document = parseBinaryXml(buildAxml(element('m'.repeat(30_000))), new Findings());
  assert.throws(() => readManifest(document, null, new Findings()), { message: /^.{0,350} \(at offset 0x0\)$/ });
});
