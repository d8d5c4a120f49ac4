// Apps of many shapes, built by aapt from a seed each, read as `aapt dump badging` reads them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { openManifest } from '../../../../fixtures/apk-manifest.ts';
import { systemTool } from '../../../../fixtures/system-tools.ts';
import { randomNumbers } from '../../../../fuzz/random.ts';

const count = 40;
const aapt = systemTool('aapt');
const framework = '/usr/share/android-framework-res/framework-res.apk';
const skip = aapt.skip || (existsSync(framework) ? false : 'no framework: apt-get install android-framework-res');
const folder = mkdtempSync(join(tmpdir(), 'built-apps-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const namespace = 'xmlns:android="http://schemas.android.com/apk/res/android"';
const locales = [
  'de',
  'en-rGB',
  'pt-rBR',
  'zh-rTW',
  'iw',
  'in',
  'sr',
  'ja',
  'land',
  'v21',
  'sw600dp',
  'hdpi',
  'mcc310',
];
const permissions = 'INTERNET READ_SMS READ_CONTACTS WRITE_CONTACTS WRITE_EXTERNAL_STORAGE CAMERA NFC CALL_PHONE'.split(
  ' ',
);

function buildApp(seed: number): string {
  const random = randomNumbers(seed);
  const one = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const some = <T>(list: readonly T[], most: number): T[] => list.filter(() => random(list.length) < most);
  const component = (kind: string, index: number) => {
    const attributes = [
      `android:name="${one(['.', 'org.example.other.', ''])}${kind.replace('-', '')}${index}"`,
      one(['', 'android:exported="true"', 'android:exported="@bool/no"']),
      one(['', '', 'android:label="@string/app_name"', 'android:label="Plain"']),
      kind === 'provider' ? `android:authorities="a${index};b"` : '',
      kind === 'activity-alias' ? 'android:targetActivity=".Main"' : '',
    ];
    const action = one(['android.intent.action.MAIN', 'android.intent.action.VIEW', 'org.example.ACT']);
    const category = one(['android.intent.category.LAUNCHER', 'android.intent.category.DEFAULT']);
    const filter = `<intent-filter><action android:name="${action}"/><category android:name="${category}"/></intent-filter>`;
    return `<${kind} ${attributes.join(' ')}>${kind !== 'provider' && random(2) === 0 ? filter : ''}</${kind}>`;
  };
  const root = [
    `package="org.example.app${seed}"`,
    `android:versionCode="${one(['1', '2147483647', '0x10'])}"`,
    one(['android:versionName="1.0"', 'android:versionName="@string/version"', 'android:versionName="2-ß"']),
    one(['', 'android:installLocation="auto"', 'android:installLocation="preferExternal"']),
    one(['', '', '', 'split="config.de"']),
  ];
  const min = one([1, 3, 8, 15, 21, 28]);
  const kinds = ['activity', 'activity-alias', 'service', 'receiver', 'provider'];
  const manifest = `<manifest ${namespace} ${root.join(' ')}>
    ${one(['', `<uses-sdk android:minSdkVersion="${min}"/>`, `<uses-sdk android:minSdkVersion="${min}" android:targetSdkVersion="${min + random(10)}"/>`])}
    ${some(permissions, 3).map((name) => `<uses-permission android:name="android.permission.${name}"/>`)}
    <application ${one(['android:label="@string/app_name"', 'android:label="Plain"', 'android:label="@string/ref"'])}
      ${one(['', 'android:debuggable="true"'])} ${one(['', 'android:testOnly="true"'])}>
      <activity android:name=".Main"/>
      ${kinds.flatMap((kind) => Array.from({ length: random(3) }, (_, index) => component(kind, index)))}
    </application></manifest>`;
  const home = join(folder, String(seed));
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  };
  write('AndroidManifest.xml', manifest.replaceAll('/>,', '/>').replaceAll('>,<', '><'));
  const names =
    '<string name="version">3.0</string><string name="ref">@string/app_name</string><bool name="no">false</bool>';
  write('res/values/s.xml', `<resources><string name="app_name">App ${seed} &amp; Söhne</string>${names}</resources>`);
  for (const locale of some(locales, 4)) {
    write(`res/values-${locale}/s.xml`, `<resources><string name="app_name">in ${locale}</string></resources>`);
  }
  const path = join(home, 'app.apk');
  const words = ['package', '-f', '-M', join(home, 'AndroidManifest.xml'), '-S', join(home, 'res'), '-I', framework];
  const { status, stderr } = spawnSync(aapt.path!, [...words, '-F', path], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return path;
}

test(`${count} apps built by aapt read as aapt reads them`, { skip }, () => {
  for (let seed = 0; seed < count; seed++) {
    const path = buildApp(seed);
    const { manifest, findings } = openManifest(path);
    const lines = spawnSync(aapt.path!, ['dump', 'badging', path], { encoding: 'utf8' }).stdout.split('\n');
    const all = (pattern: RegExp) => lines.flatMap((line) => pattern.exec(line)?.[1] ?? []);
    const first = (pattern: RegExp) => all(pattern)[0] ?? null;
    const text = (value: number | null) => (value === null ? null : String(value));
    const labels = lines.flatMap((line) => {
      const match = /^application-label(?:-(.*?))?:'(.*)'$/.exec(line);
      return match ? [[match[1] ?? '', match[2]!] as const] : [];
    });
    // aapt looks at no alias, which Android starts as well.
    const activities = new Set(manifest.components.filter(({ kind }) => kind === 'activity').map(({ name }) => name));
    const app = `app of seed ${seed}`;
    assert.deepEqual(findings.list(), [], app);
    assert.deepEqual(
      {
        name: manifest.packageName,
        versionCode: manifest.versionCode,
        versionName: manifest.versionName,
        split: manifest.splitName,
        min: text(manifest.minSdkVersion),
        target: text(manifest.targetSdkVersion),
        label: manifest.application.label,
        launcher: manifest.mainActivities.find((name) => activities.has(name)) ?? null,
        debuggable: manifest.application.debuggable,
        testOnly: manifest.application.testOnly,
        permissions: [...manifest.usesPermissions, ...manifest.impliedPermissions].map(({ name }) => name).sort(),
      },
      {
        name: first(/^package: name='(.*?)'/),
        versionCode: first(/ versionCode='(.*?)'/),
        versionName: first(/ versionName='(.*?)'/),
        split: first(/^package:.* split='(.*?)'/),
        min: first(/^sdkVersion:'(.*)'/),
        target: first(/^targetSdkVersion:'(.*)'/),
        label: first(/^application-label:'(.*)'/),
        launcher: first(/^launchable-activity: name='(.*?)'/),
        debuggable: lines.includes('application-debuggable'),
        testOnly: lines.some((line) => line.startsWith('testOnly=')),
        permissions: all(/^uses-permission: name='(.*?)'/).sort(),
      },
      app,
    );
    for (const [locale, label] of labels) {
      if (Object.hasOwn(manifest.appNames, locale)) assert.equal(manifest.appNames[locale], label, `${app}, ${locale}`);
    }
  }
});
