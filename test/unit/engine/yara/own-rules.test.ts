import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { AndroguardReport } from '../../../../server/contract/reports.ts';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import type { ModuleReports } from '../../../../server/engine/yara/module-functions.ts';
import { openNativeEngine } from '../../../../server/engine/yara/native-engine.ts';
import { checkRuleset } from '../../../../server/engine/yara/rule-check.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { openWasmEngine } from '../../../../server/engine/yara/wasm-engine.ts';
import { fileSource, memorySource } from '../../../../server/vault/byte-source.ts';
import { realApks } from '../../../fixtures/real-apks.ts';

const folder = join(import.meta.dirname, '../../../../resources/rules');
const rulesets = readdirSync(folder).map((name) => ({ id: name, rules: readFileSync(join(folder, name), 'utf8') }));
const engine = openNativeEngine() ?? openWasmEngine();
const collection = compileRulesets(engine, rulesets);
const nothing: ModuleReports = { androguard: null, cuckoo: null, droidbox: null };

function matching(bytes: Uint8Array | string, androguard: Partial<AndroguardReport> | null = null): string[] {
  const source = typeof bytes === 'string' ? fileSource(bytes) : memorySource(bytes);
  const reports = { ...nothing, androguard: androguard as AndroguardReport | null };
  const result = scanApk(source, collection, { reports, rulesetTimeout: 10_000, progress: () => undefined });
  source.close();
  return [...new Set(result.rulesets.flatMap(({ rules_matched }) => rules_matched.map(({ name }) => name)))];
}

const report = (permissions: string[], filters: string[], functionalities: Record<string, string> = {}) => ({
  permissions: permissions.map((name) => `android.permission.${name}`),
  new_permissions: [],
  filters,
  functionalities: Object.fromEntries(
    Object.entries(functionalities).map(([name, code]) => [name, [{ class: 'La;', method: 'b', code }]]),
  ),
});
const sms = 'android.provider.Telephony.SMS_RECEIVED';

const positives: Record<string, [string, ReturnType<typeof report> | null]> = {
  packer_qihoo_jiagu: ['PK\x03\x04..assets/libjiagu_x86.so..', null],
  packer_bangcle: ['PK\x03\x04..lib/armeabi-v7a/libsecexe.so..', null],
  packer_tencent_legu: ['PK\x03\x04..lib/armeabi/libshella-2.9.so..', null],
  packer_ijiami: ['PK\x03\x04..assets/ijiami.dat..', null],
  sms_reader_online: ['-', report(['INTERNET', 'RECEIVE_SMS'], [sms], { imei: 'TelephonyManager;->getDeviceId()' })],
  sms_sender: ['-', report(['SEND_SMS'], [], { SMS: 'SmsManager;->sendTextMessage(L' })],
  accessibility_overlay: [
    '-',
    report(['INTERNET', 'SYSTEM_ALERT_WINDOW'], ['android.accessibilityservice.AccessibilityService']),
  ],
  device_admin_at_boot: [
    '-',
    report(
      ['RECEIVE_BOOT_COMPLETED'],
      ['android.app.action.DEVICE_ADMIN_ENABLED', 'android.intent.action.BOOT_COMPLETED'],
    ),
  ],
  installer_of_apps: [
    '-',
    report(['INTERNET', 'REQUEST_INSTALL_PACKAGES'], [], {
      installedapplications: 'PackageManager;->getInstalledPackages(I)',
      runbinary: 'Ljava/lang/Runtime;->exec(',
    }),
  ],
  root_tools: ['\x7fELF /sbin/su /system/bin/su /system/xbin/su', null],
  hidden_dex_loader: [
    'dex\n035 Ldalvik/system/DexClassLoader; Ljavax/crypto/Cipher; Landroid/content/res/AssetManager; Ljava/lang/reflect/Method;',
    null,
  ],
  tracker_code: ['dex\n035 Lcom/appsflyer/AppsFlyerLib;', null],
};

describe('the rules that come with the workstation', () => {
  test('they compile, each tells what it means, and each has an example here', () => {
    const checked = rulesets.map(({ rules }) => checkRuleset(engine, rules));
    assert.deepEqual(
      checked.flatMap(({ errors }) => errors),
      [],
    );
    const rules = checked.flatMap((ruleset) => ruleset.rules).filter((rule) => !rule.is_private);
    assert.deepEqual(rules.map(({ name }) => name).sort(), Object.keys(positives).sort());
    for (const { name, meta_count } of rules) assert.ok(meta_count > 0, name);
  });

  for (const [name, [bytes, androguard]] of Object.entries(positives)) {
    test(`${name} matches its example and no other rule does`, () => {
      assert.deepEqual(matching(Buffer.from(bytes, 'latin1'), androguard), [name]);
    });
  }

  test('harmless apps match none', () => {
    for (const apk of [realApks.unlock, realApks.unicodeIme, realApks.minicap]) assert.deepEqual(matching(apk), []);
    assert.deepEqual(matching(Buffer.from('-'), report(['INTERNET', 'SEND_SMS', 'RECEIVE_SMS'], [sms])), []);
  });
});
