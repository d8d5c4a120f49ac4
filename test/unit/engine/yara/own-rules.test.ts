import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { AndroguardReport } from '../../../../server/contract/engine/reports.ts';
import { compileRulesets } from '../../../../server/engine/yara/collection.ts';
import { openNativeEngine } from '../../../../server/engine/yara/engines/native-engine.ts';
import { openWasmEngine } from '../../../../server/engine/yara/engines/wasm-engine.ts';
import type { ModuleReports } from '../../../../server/engine/yara/modules/module-functions.ts';
import { checkRuleset } from '../../../../server/engine/yara/rule-check.ts';
import { scanApk } from '../../../../server/engine/yara/scan.ts';
import { fileSource, memorySource } from '../../../../server/vault/byte-source.ts';
import { realApks } from '../../../fixtures/real-apks.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

const folder = join(import.meta.dirname, '../../../../resources/rules');
const rulesets = readdirSync(folder).map((name) => ({ id: name, rules: readFileSync(join(folder, name), 'utf8') }));
const engine = openNativeEngine() ?? openWasmEngine();
const collection = compileRulesets(engine, rulesets);

/** What was seen while the app was run stands beside what the static report says. */
type Reports = Partial<AndroguardReport> & { seen?: Record<string, unknown[]>; asked?: string };

function matching(bytes: Uint8Array | string, androguard: Reports | null = null): string[] {
  const source = typeof bytes === 'string' ? fileSource(bytes) : memorySource(bytes);
  const cuckoo = {
    target: { file: { size: source.size } },
    network: { http: [{ method: 'POST', uri: androguard?.asked }] },
  };
  const reports = {
    androguard: androguard as AndroguardReport | null,
    cuckoo: cuckoo as unknown as ModuleReports['cuckoo'],
    droidbox: androguard?.seen ?? null,
  };
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

const boot = 'android.intent.action.BOOT_COMPLETED';
const dex = (...texts: string[]) => `dex\n035\0 ${texts.join(' ')}`;
const hidden = (key: number, text: string) =>
  Buffer.from(Buffer.from(text, 'latin1').map((byte) => byte ^ key)).toString('latin1');
const windows = () => {
  const bytes = Buffer.alloc(100);
  bytes.write('MZ');
  bytes.writeUInt32LE(64, 0x3c);
  bytes.write('PE\0\0', 64);
  return bytes.toString('latin1');
};

/** By rule, the least that it matches. */
const positives: Record<string, [string, Reports | null]> = {
  packer_baidu: ['PK\x03\x04..lib/armeabi/libbaiduprotect.so..', null],
  packer_alibaba: ['PK\x03\x04..lib/armeabi/libmobisec.so..', null],
  packer_netease_yidun: ['PK\x03\x04..lib/x86/libnesec-x86.so..', null],
  packer_naga: ['PK\x03\x04..lib/armeabi/libddog.so..', null],
  packer_kiwisec: ['PK\x03\x04..lib/armeabi/libkwscr.so..', null],
  protector_dexprotector: ['PK\x03\x04..assets/dp.arm-v7.so.dat..', null],
  protector_appsealing: ['PK\x03\x04..assets/AppSealing/a..', null],
  protector_liapp: ['PK\x03\x04..assets/LIAPPEgg.dex..', null],
  protector_appguard: ['PK\x03\x04..lib/arm64-v8a/libAppGuard.so..', null],
  tracker_analytics: [dex('Lcom/flurry/android/FlurryAgent;'), null],
  tracker_attribution: [dex('Lcom/appsflyer/AppsFlyerLib;'), null],
  tracker_advertising: [dex('Lcom/unity3d/ads/UnityAds;'), null],
  tracker_push: [dex('Lcom/onesignal/OneSignal;'), null],
  tracker_location: [dex('Lcom/cuebiq/cuebiqsdk/CuebiqSDK;'), null],
  xposed_module: [dex('Lde/robv/android/xposed/IXposedHookLoadPackage; Lde/robv/android/xposed/XposedHelpers;'), null],
  looks_for_instrumentation: ['\x7fELF frida-agent-64.so gum-js-loop', null],
  looks_for_emulator: [dex('/dev/qemu_pipe', 'goldfish', 'ranchu', 'com.bignox.app'), null],
  telegram_bot: [dex('https://api.telegram.org/bot', `123456789:AA${'k'.repeat(33)}`), null],
  coin_miner: ['\x7fELF stratum+tcp://pool mining.authorize', null],
  packed_library: ['\x7fELF....UPX!', null],
  hidden_program: [hidden(0x5a, `dex\n035\0${' Landroid/'.repeat(9)}`), null],
  windows_program: [windows(), null],
  call_interceptor: ['-', report(['INTERNET', 'RECORD_AUDIO'], ['android.intent.action.NEW_OUTGOING_CALL', boot])],
  notification_reader: [
    '-',
    report(['INTERNET', 'READ_SMS'], ['android.service.notification.NotificationListenerService']),
  ],
  collector_of_everything: [
    '-',
    report(['INTERNET', 'READ_SMS', 'READ_CONTACTS', 'READ_CALL_LOG', 'ACCESS_FINE_LOCATION'], []),
  ],
  screen_recorder_in_background: ['-', report(['INTERNET', 'FOREGROUND_SERVICE_MEDIA_PROJECTION'], [boot])],
  plain_address: ['-', { ...report(['INTERNET', 'RECORD_AUDIO'], []), urls: ['http://203.0.113.7:8080/gate'] }],
  debug_certificate: [
    '-',
    { ...report([], []), certificate: { subjectDN: 'C=US, O=Android, CN=Android Debug' } } as unknown as Reports,
  ],
  sends_text_messages_when_run: ['-', { seen: { sendsms: [{ number: '12345' }] } }],
  calls_when_run: ['-', { seen: { phonecalls: [{ number: '12345' }] } }],
  writes_program_when_run: [
    '-',
    { seen: { fileswritten: [{ name: '/data/data/a/files/x', data: '6465780a30333500' }] } },
  ],
  loads_own_library_when_run: ['-', { seen: { libraries: [{ name: '/data/data/com.a/files/libx.so' }] } }],
  talks_to_telegram_when_run: ['-', { asked: 'https://api.telegram.org/bot1:AA/sendMessage' }],
  packer_apkprotect: ['PK\x03\x04..lib/armeabi/libAPKProtect.so..', null],
  packer_payegis: ['PK\x03\x04..lib/armeabi/libegis.so..', null],
  packer_dingxiang: ['PK\x03\x04..lib/armeabi-v7a/libx3g.so..', null],
  packer_nqshield: ['PK\x03\x04..lib/armeabi/libnqshield.so..', null],
  packer_uusafe: ['PK\x03\x04..assets/libuusafe.jar.so..', null],
  packer_rising: ['PK\x03\x04..lib/armeabi/librsprotect.so..', null],
  packer_venustech: ['PK\x03\x04..lib/armeabi/libvenustech.so..', null],
  packer_apktoolplus: ['PK\x03\x04..assets/jiagu_data.bin..', null],
  protector_pairip: ['PK\x03\x04..lib/arm64-v8a/libpairipcore.so..', null],
  protector_appsuit: ['PK\x03\x04..lib/arm64-v8a/libAppSuit.so..', null],
  protector_eversafe: ['PK\x03\x04..lib/arm64-v8a/libeversafe-loader.so..', null],
  protector_tencent_games: ['PK\x03\x04..lib/arm64-v8a/libtersafe.so..', null],
  protector_ixshield: ['PK\x03\x04..lib/arm64-v8a/libdxbase.so..', null],
  protector_promon: ['PK\x03\x04..lib/arm64-v8a/libshield.so..assets/pbi.bin..', null],
  protector_nprotect: ['PK\x03\x04..assets/agconfig..assets/agmetainfo..', null],
  tracker_screen: [dex('Lcom/uxcam/UXCam;'), null],
  tracker_crashes: [dex('Lio/sentry/android/core/SentryAndroid;'), null],
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

  test('apps that only resemble them match no rule', () => {
    const near: [string, Reports | null][] = [
      ['assets/libjiagu_x86.so lib/armeabi/libddog.so assets/appguard/', null],
      ['PK\x03\x04..lib/armeabi/libdog.so assets/dp.so.dat assets/liapp.dex libAppGuard.so..', null],
      ['Lcom/flurry/android/FlurryAgent; Lcom/onesignal/OneSignal;', null],
      [dex('Lcom/example/flurry/Agent;', 'com.appsflyer', 'Lcom/unity3d/player/UnityPlayer;'), null],
      [dex('Lde/robv/android/xposed/XposedHelpers;', 'frida-server', 'goldfish', 'ranchu', 'ro.kernel.qemu'), null],
      [dex('api.telegram.org/bot', '12345:AAshort', 'xmrig', '/sbin/su', '/system/bin/su'), null],
      [`\x7fELF${'.'.repeat(2000)}UPX!${'.'.repeat(2000)}`, null],
      [hidden(0x5a, `dex\n035\0${' Landroid/'.repeat(8)}`), null],
      [windows().replace('PE', 'NE'), null],
      ['-', report(['RECORD_AUDIO'], ['android.intent.action.NEW_OUTGOING_CALL', boot])],
      ['-', report(['INTERNET', 'CAMERA'], ['android.service.notification.NotificationListenerService'])],
      ['-', report(['INTERNET', 'READ_SMS', 'READ_CONTACTS', 'READ_CALL_LOG'], [])],
      ['-', report(['INTERNET', 'FOREGROUND_SERVICE_MEDIA_PROJECTION'], [])],
      ['-', { ...report(['INTERNET', 'RECORD_AUDIO'], []), urls: ['https://203.0.113.7/', 'http://a.example/'] }],
      ['-', { ...report([], []), certificate: { subjectDN: 'CN=Android' } } as unknown as Reports],
      ['-', report(['INTERNET', 'SYSTEM_ALERT_WINDOW'], [])],
      ['-', { seen: { fileswritten: [{ name: '/data/data/a/files/x.txt', data: '74657874' }] } }],
      ['-', { seen: { libraries: [{ name: '/data/app/com.a/lib/arm64/libx.so' }] } }],
      ['-', { asked: 'https://telegram.example/bot' }],
      ['PK\x03\x04..lib/armeabi/libshield.so lib/armeabi/libshell.so assets/agconfig lib/a/libx3g.so..', null],
      [dex('Lcom/sentry/android/A;', 'Lcom/uxcamera/A;'), null],
      [dex('Lcom/google/android/gms/ads/identifier/AdvertisingIdClient;'), null],
      [
        '-',
        report(['SEND_SMS'], ['android.provider.Telephony.SMS_DELIVER'], { SMS: 'SmsManager;->sendTextMessage(L' }),
      ],
      ['-', report(['RECEIVE_BOOT_COMPLETED'], ['android.app.action.DEVICE_ADMIN_ENABLED'])],
    ];
    for (const [bytes, androguard] of near) {
      assert.deepEqual(matching(Buffer.from(bytes, 'latin1'), androguard), [], bytes.slice(0, 60));
    }
  });

  test('advertisements of Google are told by what shows them', () => {
    for (const name of ['AdView', 'rewarded/RewardedAd']) {
      assert.deepEqual(matching(Buffer.from(dex(`Lcom/google/android/gms/ads/${name};`))), ['tracker_advertising']);
    }
  });

  test("what newer and older versions of a packer leave is its packer's too", () => {
    const left: [string, string][] = [
      ['packer_qihoo_jiagu', 'lib/armeabi/libprotectClass.so'],
      ['packer_bangcle', 'assets/secData0.jar'],
      ['packer_tencent_legu', 'lib/arm64-v8a/libshell-super.2019.so'],
      ['packer_tencent_legu', 'assets/libshellx-super.2021.so'],
      ['packer_tencent_legu', 'assets/libtosprotection.armeabi-v7a.so'],
      ['packer_tencent_legu', 'lib/armeabi/mix.dex'],
      ['packer_ijiami', 'assets/ijiami.ajm'],
      ['packer_alibaba', 'lib/armeabi/libmobisecy.so'],
      ['packer_alibaba', 'assets/aliprotect.dat'],
    ];
    for (const [name, path] of left) assert.deepEqual(matching(Buffer.from(`PK\x03\x04..${path}..`)), [name], path);
  });

  test('a match on the reports is recorded once, for the APK and not for the files inside it', () => {
    const apk = buildZip({
      entries: [
        { name: 'a', content: 'a' },
        { name: 'b.zip', content: buildZip({ entries: [] }) },
      ],
    });
    const androguard = { certificate: { subjectDN: 'CN=Android Debug' } } as AndroguardReport;
    const cuckoo = { target: { file: { size: apk.length } } } as unknown as ModuleReports['cuckoo'];
    const reports = { androguard, cuckoo, droidbox: null };
    const result = scanApk(memorySource(apk), collection, {
      reports,
      rulesetTimeout: 10_000,
      progress: () => undefined,
    });
    assert.deepEqual(
      result.rulesets.flatMap(({ rules_matched }) => rules_matched.map(({ name, file }) => [name, file])),
      [['debug_certificate', '']],
    );
  });

  test('harmless apps match none', () => {
    for (const apk of [realApks.unlock, realApks.unicodeIme, realApks.minicap]) assert.deepEqual(matching(apk), []);
    assert.deepEqual(matching(Buffer.from('-'), report(['INTERNET', 'SEND_SMS', 'RECEIVE_SMS'], [sms])), []);
  });
});
