// Manifests of real APKs and of one with everything in it, compared with what aapt and androguard 3 read.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { openManifest } from '../../../../fixtures/apk-manifest.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';

const golden = join(import.meta.dirname, '../../../../golden/manifest');
const kitchenSink = join(golden, 'kitchen-sink.apk');
const apks = [kitchenSink, ...Object.values(realApks)];
const androguard = JSON.parse(readFileSync(join(golden, 'androguard.json'), 'utf8')) as Record<
  string,
  Record<string, unknown>
>;
const aapt = systemTool('aapt');
const sorted = (list: Iterable<string>) => [...new Set(list)].sort();

for (const path of apks) {
  const name = basename(path);
  test(`${name} reads as androguard 3 reads it`, () => {
    const { manifest } = openManifest(path);
    const expected = androguard[name]!;
    const ofKind = (kind: string) => manifest.components.filter((each) => each.kind === kind).map((each) => each.name);
    const text = (value: unknown) => (value === null ? null : String(value));
    assert.equal(manifest.packageName, expected.package);
    // androguard prints references where this reads their text.
    if (name !== 'kitchen-sink.apk') assert.equal(manifest.versionName, expected.version_name ?? '');
    assert.equal(manifest.versionCode, expected.version_code ?? '');
    // androguard takes the first default value, aapt and Android the one of the newest platform.
    if (name !== 'kitchen-sink.apk' && expected.app_name !== null) assert.equal(manifest.appName, expected.app_name);
    assert.deepEqual(sorted(manifest.mainActivities), expected.main_activities);
    assert.deepEqual(ofKind('activity'), expected.activities);
    assert.deepEqual(ofKind('service'), expected.services);
    assert.deepEqual(ofKind('receiver'), expected.receivers);
    assert.deepEqual(ofKind('provider'), expected.providers);
    const own = manifest.usesPermissions.filter((each) => !each.isSdk23).map((each) => each.name);
    assert.deepEqual(sorted(own), expected.permissions);
    assert.deepEqual(sorted(manifest.definedPermissions.map((each) => each.name)), expected.declared_permissions);
    assert.deepEqual(
      manifest.impliedPermissions.map((each) => [each.name, text(each.maxSdkVersion)]).sort(),
      (expected.implied_permissions as [string, unknown][]).map(([each, max]) => [each, text(max)]).sort(),
    );
    assert.equal(text(manifest.minSdkVersion), expected.min_sdk);
    assert.equal(text(manifest.targetSdkVersion), expected.target_sdk);
    assert.equal(text(manifest.maxSdkVersion), expected.max_sdk);
    const libraries = manifest.usesLibraries.filter((each) => each.kind === 'java').map((each) => each.name);
    assert.deepEqual(libraries, expected.libraries);
    assert.deepEqual(
      manifest.usesFeatures.map((each) => each.name),
      (expected.features as (string | null)[]).filter(Boolean),
    );
    assert.equal(manifest.isWearable, expected.wearable);
    assert.equal(manifest.isAndroidTv, expected.androidtv);
  });

  test(`${name} reads as aapt dump badging reads it`, { skip: aapt.skip }, () => {
    const { manifest } = openManifest(path);
    const run = spawnSync(aapt.path!, ['dump', 'badging', path], { encoding: 'utf8', maxBuffer: 1 << 26 });
    const lines = run.stdout.split('\n');
    const all = (pattern: RegExp) => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
    assert.deepEqual([manifest.packageName], all(/^package: name='(.*?)'/));
    assert.deepEqual([manifest.versionCode], all(/ versionCode='(.*?)'/));
    assert.deepEqual([manifest.versionName], all(/^package:.* versionName='(.*?)'/));
    if (manifest.minSdkVersion !== null) assert.deepEqual([String(manifest.minSdkVersion)], all(/^sdkVersion:'(.*)'/));
    if (manifest.targetSdkVersion !== null) {
      assert.deepEqual([String(manifest.targetSdkVersion)], all(/^targetSdkVersion:'(.*)'/));
    }
    assert.deepEqual(all(/^application-label:'(.*)'/)[0] ?? '', manifest.application.label ?? '');
    for (const [locale, label] of Object.entries(manifest.appNames)) {
      if (locale === '' || manifest.application.label === null) continue;
      assert.deepEqual(all(new RegExp(`^application-label-${locale}:'(.*)'`)), [label]);
    }
    const plain = all(/^uses-permission: name='(.*?)'/);
    const implied = all(/^uses-implied-permission: name='(.*?)'/);
    const used = manifest.usesPermissions.filter((each) => !each.isSdk23).map((each) => each.name);
    assert.deepEqual(sorted([...used, ...implied]), sorted(plain));
    assert.deepEqual(sorted(manifest.impliedPermissions.map((each) => each.name)), sorted(implied));
    assert.deepEqual(all(/^launchable-activity: name='(.*?)'/).slice(0, 1), manifest.mainActivities.slice(0, 1));
    assert.equal(manifest.application.debuggable, lines.includes('application-debuggable'));
  });
}

test('the values of every kind of element are read from the manifest that has them all', () => {
  const { manifest, findings } = openManifest(kitchenSink);
  const component = (name: string) => manifest.components.find((each) => each.name === `org.example.kitchen.${name}`)!;
  assert.deepEqual(findings.list(), []);
  assert.equal(manifest.versionCodeMajor, 2);
  assert.equal(manifest.sharedUserId, 'org.example.shared');
  assert.deepEqual(manifest.appNames, {
    '': 'Lollipop',
    de: 'Küche',
    'pt-BR': 'Cozinha',
    'sr-Latn': 'Kuhinja',
    fil: 'Kusina',
  });
  assert.equal(manifest.application.name, 'org.example.kitchen.App');
  assert.equal(manifest.application.allowBackup, false);
  assert.deepEqual(
    manifest.metaData.map(({ name, value, resource }) => [name, value, resource]),
    [
      ['com.example.API_KEY', 'AIza"quoted&<tag>', null],
      ['number', '42', null],
      ['file', null, 'xml/paths'],
      ['flag', 'true', null],
      ['half', '0.500000', null],
      ['colour', '#80FF0000', null],
    ],
  );
  assert.deepEqual(
    manifest.definedPermissions.map(({ name, protectionLevel, flags }) => [name.slice(20), protectionLevel, flags]),
    [
      ['SIGN', 'signature', ['privileged', 'appop']],
      ['PLAIN', 'normal', []],
      ['RISK', 'dangerous', []],
    ],
  );
  const main = component('Main');
  assert.deepEqual(main.intentFilters[1]?.data, [
    { scheme: 'https', host: 'example.org', port: '8443', pathPrefix: '/a' },
    { mimeType: 'image/*' },
  ]);
  assert.equal(main.intentFilters[0]?.priority, 5);
  assert.deepEqual([main.exported, main.exportedAttribute], [true, null]);
  assert.deepEqual([component('Second').enabled, component('Second').process], [false, 'org.example.kitchen:remote']);
  assert.equal(
    manifest.components.find((each) => each.kind === 'activity-alias')?.targetActivity,
    'org.example.kitchen.Main',
  );
  assert.deepEqual(component('Data').authorities, ['org.example.a', 'org.example.b']);
  // Below target SDK 17 a provider is open to all unless it says otherwise.
  assert.deepEqual(
    [component('Data').exported, component('Closed').exported, component('Job').exported],
    [true, false, false],
  );
  assert.deepEqual(manifest.usesPermissions.find((each) => each.isSdk23)?.name, 'android.permission.CAMERA');
  assert.equal(manifest.glEsVersion, 0x30001);
  assert.equal(manifest.hasLeanbackLauncher, true);
});
