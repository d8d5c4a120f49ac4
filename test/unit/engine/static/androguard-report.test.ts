// The static report against androguard's own view of the same apps, recorded by test/fixtures/golden-androguard.py.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { androguardReportSchema, cuckooReportSchema } from '../../../../server/contract/engine/reports.ts';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { fileSource } from '../../../../server/vault/byte-source.ts';
import { realApks } from '../../../fixtures/real-apks.ts';

interface Golden {
  app_name: string | null;
  package_name: string;
  displayed_version: string | null;
  version_code: string | null;
  main_activity: string | null;
  signature_names: string[];
  min_sdk_version: string | null;
  target_sdk_version: string | null;
  max_sdk_version: string | null;
  activities: string[];
  services: string[];
  receivers: string[];
  providers: string[];
  permissions: string[];
  new_permissions: string[];
  libraries: string[];
  features: string[];
  wearable: boolean;
  androidtv: boolean;
  certificate: { sha1: string; serial: string };
  dex_names: string[];
  classes: number;
  methods: number;
  functionalities: Record<string, { class: string; method: string; code: string }[]>;
}

const apps = {
  'api-demos': realApks.apiDemos,
  minicap: realApks.minicap,
  settings: realApks.settings,
  'uiautomator2-test': realApks.uiautomator2Test,
  'unicode-ime': realApks.unicodeIme,
  unlock: realApks.unlock,
};
/** The weaknesses of each app, by class, with what their code does, as read in smali. No others are found in these apps. */
const weaknesses: Record<string, readonly (readonly [weakness: string, places: RegExp, count: number])[]> = {
  'api-demos': [
    // True: services are bound by the name of an interface as action.
    ['weakness-implicit-service', /\/app\/RemoteService\$(?:Binding|BindingOptions|Controller)\$\d;->onClick/, 9],
    // True: a picture in the shared folder, which the demonstration is about.
    [
      'weakness-external-storage',
      /ExternalStorage;->createExternalStorageP(?:ublicPicture|rivate(?:Picture|File))\(/,
      3,
    ],
    // True before Android 7, where the installer reads the file; the code asks for the version before it.
    ['weakness-world-accessible', /InstallApk;->prepareApk/, 1],
    // True: the action of a message's receipt can be sent by any app.
    ['weakness-unchecked-broadcast', /AppUpdateReceiver;->onReceive/, 1],
    ['weakness-dynamic-receiver', /SmsMessagingDemo;->onCreate/, 1],
    // True: layouts with a password field; the demonstration of filtered touches is not among them.
    [
      'weakness-tapjacking',
      /^res\/layout\/(?:alert_dialog_text_entry|animation_1|table_layout_10|text_fields)\.xml$/,
      4,
    ],
  ],
  // Any app has any path made known to the gallery. Harmless: the app asks about its own permissions, by the method that also
  // answers for a caller.
  settings: [
    ['weakness-path-traversal', /MediaScannerReceiver;->onReceive/, 1],
    ['weakness-calling-permission', /LocationService;->onStartCommand|AbstractSettingHandler;->hasPermissions/, 2],
  ],
};
const golden = (name: string): Golden =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../../golden/static/${name}.androguard.json`), 'utf8'));
const text = (value: number | null) => (value === null ? null : String(value));

for (const [name, path] of Object.entries(apps)) {
  const source = fileSource(path);
  const { androguard, cuckoo, identity } = analyzeStatic(source, { fileName: `${name}.apk` });
  source.close();
  const expected = golden(name);

  test(`${name}: names, versions and components are those that androguard reads`, () => {
    if (expected.app_name !== null) assert.equal(androguard.app_name, expected.app_name);
    assert.equal(androguard.package_name, expected.package_name);
    assert.equal(androguard.displayed_version, expected.displayed_version ?? '');
    assert.equal(androguard.version_code, expected.version_code ?? '');
    assert.equal(androguard.main_activity, expected.main_activity ?? '');
    assert.equal(androguard.signature_name, expected.signature_names[0] ?? '');
    assert.equal(text(androguard.min_sdk_version), expected.min_sdk_version);
    assert.equal(text(androguard.target_sdk_version), expected.target_sdk_version);
    assert.equal(text(androguard.max_sdk_version), expected.max_sdk_version);
    for (const kind of ['activities', 'services', 'receivers', 'providers', 'libraries'] as const) {
      assert.deepEqual(androguard[kind], expected[kind], kind);
    }
    assert.deepEqual([...androguard.permissions].sort(), expected.permissions);
    assert.deepEqual([...androguard.new_permissions].sort(), expected.new_permissions);
    assert.deepEqual([...new Set(androguard.features.map((feature) => feature.name))].sort(), expected.features.sort());
    assert.equal(androguard.wearable, expected.wearable);
    assert.equal(androguard.androidtv, expected.androidtv);
  });

  test(`${name}: certificate and dex files are those that androguard reads`, () => {
    assert.equal(androguard.certificate?.sha1, expected.certificate.sha1);
    assert.equal(androguard.certificate?.serial, expected.certificate.serial);
    assert.deepEqual(
      Object.keys(androguard.dexes).map((dex) => `${dex}.dex`),
      expected.dex_names,
    );
    assert.equal(androguard.code.classes, expected.classes);
    assert.equal(androguard.code.methods, expected.methods);
  });

  test(`${name}: every use of a functionality's interfaces is listed as androguard prints it, in dex order`, () => {
    const names = new Set([...Object.keys(expected.functionalities), ...Object.keys(androguard.functionalities)]);
    for (const each of names) {
      const ours = androguard.functionalities[each as keyof typeof androguard.functionalities] ?? [];
      // Calls that reach the framework through an app's own class are ours alone: androguard shows no inheritance.
      const inherited = /;->(?:un)?registerReceiver\(/;
      const direct = ours.filter(({ code }) => !inherited.test(code) || code.includes('Landroid/content/Context;->'));
      assert.deepEqual(direct, expected.functionalities[each] ?? [], each);
    }
  });

  test(`${name}: the weaknesses are those that its code has`, () => {
    const found = androguard.findings.filter(({ code }) => /^weakness-|^code-(?:root-command|hide-icon)$/.test(code));
    for (const [code, places, count] of weaknesses[name] ?? []) {
      assert.equal(found.filter((each) => each.code === code && places.test(each.where)).length, count, code);
    }
    assert.equal(
      found.length,
      (weaknesses[name] ?? []).reduce((sum, [, , count]) => sum + count, 0),
    );
  });

  test(`${name}: the reports keep to their schemas`, () => {
    androguardReportSchema.parse(androguard);
    cuckooReportSchema.parse(cuckoo);
    assert.deepEqual(identity.corruptions, []);
  });
}
