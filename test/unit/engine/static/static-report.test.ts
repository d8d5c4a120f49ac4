// The static report of apps that are built here byte by byte, whole and broken.
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { androguardReportSchema, cuckooReportSchema } from '../../../../server/contract/engine/reports.ts';
import { FormatError } from '../../../../server/engine/formats/byte-reader.ts';
import { identify } from '../../../../server/engine/static/identity.ts';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { type AttributeValue, buildAxml, type ElementSpec, element } from '../../../fixtures/axml-builder.ts';
import { buildHermes, buildMetadata } from '../../../fixtures/bundle-builders.ts';
import { buildDex, type ClassSpec, type Pool } from '../../../fixtures/dex-builder.ts';
import { buildElf } from '../../../fixtures/elf-builder.ts';
import { buildZip, type ZipEntryPlan } from '../../../fixtures/zip-builder.ts';

const permission = (name: string) => element('uses-permission', { 'android:name': `android.permission.${name}` });

const manifestOf = (application: Record<string, string | boolean>, ...children: ElementSpec[]): Uint8Array =>
  buildAxml(
    element(
      'manifest',
      { package: 'com.example.app', 'android:versionName': '1.5', 'android:versionCode': 7 },
      element('uses-sdk', { 'android:minSdkVersion': 21, 'android:targetSdkVersion': 30 }),
      ...children.filter(({ name }) => name.startsWith('uses-')),
      element(
        'application',
        { 'android:label': 'Example', ...application },
        ...children.filter(({ name }) => !name.startsWith('uses-')),
      ),
    ),
  );

/** `invoke-virtual` without arguments, and `return-void`. */
const calls = (...refer: ((pool: Pool) => number)[]) => ({
  units: (pool: Pool) => [...refer.flatMap((each) => [0x006e, each(pool), 0]), 0x000e],
});
const loads = (...texts: string[]) => ({
  units: (pool: Pool) => [...texts.flatMap((text) => [0x001a, pool.string(text)]), 0x000e],
  registers: 1,
});

const classes: ClassSpec[] = [
  {
    descriptor: 'Lcom/example/app/Main;',
    superclass: 'Lcom/example/app/Base;',
    methods: [
      {
        name: 'listen',
        descriptor: '()V',
        code: calls(
          (pool) =>
            pool.method(
              'Lcom/example/app/Main;',
              'registerReceiver',
              '(Landroid/content/BroadcastReceiver;Landroid/content/IntentFilter;)Landroid/content/Intent;',
            ),
          (pool) =>
            pool.method('Lcom/example/app/Main;', 'unregisterReceiver', '(Landroid/content/BroadcastReceiver;)V'),
          (pool) => pool.method('Landroid/telephony/TelephonyManager;', 'getDeviceId', '()Ljava/lang/String;'),
          (pool) => pool.method('Lcom/example/app/Other;', 'getDeviceId', '()Ljava/lang/String;'),
        ),
      },
      {
        name: 'talk',
        descriptor: '(I)V',
        code: loads(
          'https',
          "can't speak https here",
          'http://gate.example.com/a.php',
          'panel.example.net',
          'pm install ',
          'some plain text',
        ),
      },
    ],
  },
  {
    descriptor: 'Lcom/example/app/Base;',
    superclass: 'Landroid/app/Activity;',
    methods: [
      {
        name: 'unregisterReceiver',
        descriptor: '(Landroid/content/BroadcastReceiver;)V',
        isVirtual: true,
        code: { units: [0x000e] },
      },
    ],
  },
  { descriptor: 'Lcom/adjust/sdk/Adjust;', superclass: 'Ljava/lang/Object;' },
];

const dex = (): Uint8Array => buildDex({ classes }) as Uint8Array;

function analyze(...entries: ZipEntryPlan[]) {
  return analyzeStatic(memorySource(buildZip({ entries })), { fileName: 'sample.apk' });
}
const manifestEntry = (content: Uint8Array): ZipEntryPlan => ({ name: 'AndroidManifest.xml', content, method: 8 });
const codes = (result: ReturnType<typeof analyze>): string[] => result.androguard.findings.map(({ code }) => code);
const finding = (result: ReturnType<typeof analyze>, code: string) =>
  result.androguard.findings.find((each) => each.code === code);

const plain = () => analyze(manifestEntry(manifestOf({})), { name: 'classes.dex', content: dex(), method: 8 });

test('interfaces are found with class, method and instruction', () => {
  const { functionalities } = plain().androguard;
  assert.deepEqual(functionalities.imei, [
    {
      class: 'Lcom/example/app/Main;',
      method: 'listen',
      code: 'invoke-virtual Landroid/telephony/TelephonyManager;->getDeviceId()Ljava/lang/String;',
    },
  ]);
  assert.deepEqual(functionalities.ssl, [
    { class: 'Lcom/example/app/Main;', method: 'talk', code: "const-string v0, 'https'" },
    { class: 'Lcom/example/app/Main;', method: 'talk', code: 'const-string v0, "can\'t speak https here"' },
  ]);
});

test("a call on an app's own class counts where it ends at the framework, not where a class in between defines it", () => {
  const found = plain().androguard.functionalities.dynamicbroadcastreceiver?.map(({ code }) => code);
  assert.deepEqual(found, [
    'invoke-virtual Lcom/example/app/Main;->registerReceiver(Landroid/content/BroadcastReceiver; Landroid/content/IntentFilter;)Landroid/content/Intent;',
  ]);
});

test('addresses name the method that loads them', () => {
  const { indicators, urls } = plain().androguard;
  assert.deepEqual(urls, ['http://gate.example.com/a.php']);
  assert.deepEqual(indicators.urls, [
    { value: 'http://gate.example.com/a.php', where: ['Lcom/example/app/Main;->talk(I)V'] },
  ]);
  assert.deepEqual(indicators.domains.map(({ value }) => value).sort(), ['gate.example.com', 'panel.example.net']);
});

test('code rules, trackers and the signature leave findings, and signatures follow them', () => {
  const result = plain();
  assert.equal(finding(result, 'code-silent-install')?.where, 'Lcom/example/app/Main;->talk(I)V');
  assert.equal(finding(result, 'code-silent-install')?.evidence, "const-string v0, 'pm install '");
  assert.equal(finding(result, 'signature-missing')?.severity, 'high');
  assert.deepEqual(
    result.androguard.trackers.map(({ name, evidence }) => [name, evidence]),
    [['Adjust', 'Lcom/adjust/sdk/Adjust;']],
  );
  assert.deepEqual(result.identity.corruptions, ['the signature is missing']);
  const signature = result.cuckoo.signatures.find(({ name }) => name === 'code-silent-install');
  assert.equal(signature?.severity, 4);
  assert.equal(signature?.marks.length, 1);
  assert.ok(result.cuckoo.strings.includes('some plain text'));
  assert.ok(!result.cuckoo.strings.includes('Lcom/example/app/Main;'), 'type names are no strings of the code');
});

test('what code can only do with a permission is found where the app has it', () => {
  const locate = {
    name: 'locate',
    descriptor: '()V',
    code: calls((pool) =>
      pool.method('Landroid/location/LocationManager;', 'getLastKnownLocation', '()Landroid/location/Location;'),
    ),
  };
  const content = buildDex({
    classes: [{ descriptor: 'Lcom/example/app/Map;', superclass: 'Ljava/lang/Object;', methods: [locate] }],
  }) as Uint8Array;
  const foundWith = (...names: string[]) =>
    codes(analyze(manifestEntry(manifestOf({}, ...names.map(permission))), { name: 'classes.dex', content })).includes(
      'code-location',
    );
  assert.deepEqual([foundWith(), foundWith('INTERNET'), foundWith('ACCESS_COARSE_LOCATION')], [false, false, true]);
});

test('the reports keep to their schemas and the file record holds its hashes', () => {
  const apk = buildZip({ entries: [manifestEntry(manifestOf({})), { name: 'classes.dex', content: dex() }] });
  const result = analyzeStatic(memorySource(apk), { fileName: 'sample.apk' });
  androguardReportSchema.parse(result.androguard);
  cuckooReportSchema.parse(result.cuckoo);
  const { file } = result.cuckoo.target;
  assert.equal(file.name, 'sample.apk');
  assert.equal(file.size, apk.length);
  for (const name of ['md5', 'sha1', 'sha256', 'sha512'] as const) assert.equal(file[name], hash(name, apk));
  assert.equal(result.androguard.dexes.classes?.sha256, hash('sha256', dex()));
  assert.deepEqual(
    result.files.map(({ name, type, method }) => [name, type, method]),
    [
      ['AndroidManifest.xml', 'axml', 'deflated'],
      ['classes.dex', 'dex', 'stored'],
    ],
  );
});

test('the same file gives the same report', () => {
  const [first, second] = [plain(), plain()];
  assert.deepEqual(first.androguard, second.androguard);
  assert.deepEqual(first.cuckoo.strings, second.cuckoo.strings);
});

test('the manifest gives away what is exported, debuggable, privileged and mixed', () => {
  const receiver = element(
    'receiver',
    { 'android:name': '.Sms', 'android:exported': true },
    element(
      'intent-filter',
      { 'android:priority': 999 },
      element('action', { 'android:name': 'android.provider.Telephony.SMS_RECEIVED' }),
    ),
  );
  const result = analyze(
    manifestEntry(
      manifestOf(
        { 'android:debuggable': true, 'android:usesCleartextTraffic': true },
        permission('READ_SMS'),
        permission('INTERNET'),
        permission('REQUEST_INSTALL_PACKAGES'),
        receiver,
        element('provider', {
          'android:name': '.Files',
          'android:exported': true,
          'android:authorities': 'com.example.files',
        }),
        element('service', {
          'android:name': '.Watch',
          'android:permission': 'android.permission.BIND_ACCESSIBILITY_SERVICE',
        }),
      ),
    ),
    { name: 'classes.dex', content: dex() },
  );
  const places = new Map(result.androguard.findings.map(({ code, where }) => [code, where]));
  assert.equal(places.get('manifest-debuggable'), 'AndroidManifest.xml:application');
  assert.equal(places.get('manifest-exported-provider'), 'AndroidManifest.xml:provider:com.example.app.Files');
  assert.equal(places.get('manifest-exported-receiver'), 'AndroidManifest.xml:receiver:com.example.app.Sms');
  assert.equal(places.get('manifest-accessibility-service'), 'AndroidManifest.xml:service:com.example.app.Watch');
  assert.equal(finding(result, 'manifest-sms-receiver')?.severity, 'high');
  for (const code of [
    'manifest-cleartext',
    'permission-mix-sms-network',
    'permission-mix-dropper',
    'manifest-no-launcher',
  ]) {
    assert.ok(places.has(code), code);
  }
});

test('a backup that leaves nothing out is a weakness, one with rules or of an app for Android 12 is information', () => {
  const backupOf = (targetSdk: number, application: Record<string, string | boolean>) => {
    const manifest = element(
      'manifest',
      { package: 'b' },
      element('uses-sdk', { 'android:targetSdkVersion': targetSdk }),
      element('application', application),
    );
    const found = finding(analyze(manifestEntry(buildAxml(manifest))), 'manifest-allow-backup');
    return found && `${found.severity}: ${found.evidence}`;
  };
  assert.deepEqual(
    [
      backupOf(30, {}),
      backupOf(30, { 'android:allowBackup': true, 'android:fullBackupContent': '@xml/rules' }),
      backupOf(31, { 'android:allowBackup': true }),
      backupOf(30, { 'android:allowBackup': false }),
    ],
    [
      'low: allowed by default, without rules on what is left out',
      'info: android:allowBackup="true", rules in @xml/rules',
      'info: android:allowBackup="true", without rules on what is left out',
      undefined,
    ],
  );
});

test('web links that other apps may take are told apart from those that the site confirms', () => {
  const linksOf = (isVerified: boolean) => {
    const filter = element(
      'intent-filter',
      isVerified ? { 'android:autoVerify': true } : {},
      element('action', { 'android:name': 'android.intent.action.VIEW' }),
      element('category', { 'android:name': 'android.intent.category.BROWSABLE' }),
      element('data', { 'android:scheme': 'https', 'android:host': 'example.org' }),
    );
    const manifest = manifestOf(
      {},
      element('activity', { 'android:name': '.Links', 'android:exported': true }, filter),
    );
    const found = finding(analyze(manifestEntry(manifest)), 'manifest-deep-link');
    return found && `${found.severity}: ${found.evidence}`;
  };
  assert.deepEqual(
    [linksOf(false), linksOf(true)],
    ['low: https on example.org, not verified: another app may take the links', 'info: https on example.org, verified'],
  );
});

test('permissions that Android adds are listed beside those asked for, with their reason', () => {
  const bounded = element('uses-permission', {
    'android:name': 'android.permission.WRITE_EXTERNAL_STORAGE',
    'android:maxSdkVersion': 28,
  });
  const { androguard } = analyze(manifestEntry(manifestOf({}, bounded, permission('INTERNET'))));
  assert.deepEqual(androguard.permissions, [
    'android.permission.WRITE_EXTERNAL_STORAGE',
    'android.permission.INTERNET',
  ]);
  assert.deepEqual(androguard.implied_permissions, [
    {
      name: 'android.permission.READ_EXTERNAL_STORAGE',
      max_sdk_version: 28,
      reason: 'requested WRITE_EXTERNAL_STORAGE',
    },
  ]);
});

test('hidden code in assets is found by its content, whatever its name', () => {
  const nested = buildZip({ entries: [{ name: 'AndroidManifest.xml', content: 'x' }] });
  const noise = Uint8Array.from(
    { length: 65_536 },
    (_, index) => hash('sha256', `${index >> 5}`, 'buffer')[index & 31]!,
  );
  const result = analyze(
    manifestEntry(manifestOf({})),
    { name: 'classes.dex', content: dex() },
    { name: 'assets/logo.png', content: dex() },
    { name: 'assets/plugin', content: dex() },
    { name: 'assets/data.bin', content: nested },
    { name: 'assets/noise', content: noise },
    { name: 'assets/config.json', content: '{"host": "https://assets.example.org/c2", "mail": "x@mail.example.org"}' },
    { name: 'lib/armeabi/libjiagu.so', content: 'no library' },
  );
  assert.equal(finding(result, 'content-disguised')?.where, 'assets/logo.png');
  assert.equal(finding(result, 'content-embedded-dex')?.where, 'assets/plugin');
  assert.equal(finding(result, 'content-embedded-apk')?.where, 'assets/data.bin');
  assert.equal(finding(result, 'content-high-entropy')?.where, 'assets/noise');
  assert.equal(finding(result, 'packer-packer')?.evidence, 'Qihoo 360 Jiagu: file lib/armeabi/libjiagu.so');
  assert.deepEqual(result.androguard.indicators.urls, [
    {
      value: 'http://gate.example.com/a.php',
      where: ['Lcom/example/app/Main;->talk(I)V', 'assets/logo.png', 'assets/plugin'],
    },
    { value: 'https://assets.example.org/c2', where: ['assets/config.json'] },
  ]);
  assert.deepEqual(
    result.androguard.indicators.emails.map(({ value }) => value),
    ['x@mail.example.org'],
  );
});

test('dex files behind a gap in their numbers are read, and reported as ones that Android does not load', () => {
  const files = ['classes.dex', 'classes3.dex', 'classes4.dex'].map((name) => ({ name, content: dex(), method: 8 }));
  const { androguard } = analyze(manifestEntry(manifestOf({})), ...files);
  assert.deepEqual(Object.keys(androguard.dexes), ['classes', 'classes3', 'classes4']);
  assert.deepEqual(
    androguard.findings.filter(({ code }) => code === 'content-embedded-dex').map(({ where }) => where),
    ['classes3.dex', 'classes4.dex'],
  );
});

test('thousands of addresses in a file push none of the code out', () => {
  const list = Array.from({ length: 5000 }, (_, index) => `http://h${index}.example.com/`).join('\n');
  const { androguard } = analyze(
    manifestEntry(manifestOf({})),
    { name: 'assets/list.txt', content: list },
    { name: 'classes.dex', content: dex() },
  );
  assert.ok(androguard.urls.includes('http://gate.example.com/a.php'));
  assert.ok(androguard.findings.some(({ code, where }) => code === 'report-cut' && where === 'indicators urls'));
});

test('four hundred native libraries are described, and a finding tells where the list ends', () => {
  const library = buildElf({ soname: 'liba.so' });
  const libraries = Array.from({ length: 403 }, (_, index) => ({ name: `lib/x86/lib${index}.so`, content: library }));
  const { androguard } = analyze(manifestEntry(manifestOf({})), ...libraries);
  assert.equal(androguard.native_libraries.length, 400);
  assert.deepEqual(
    androguard.findings.filter(({ where }) => where === 'native_libraries').map(({ evidence }) => evidence),
    ['400 of 403 are listed, none from lib/x86/lib400.so on'],
  );
});

test('code behind files that unpack to too much is read all the same', () => {
  const zeros = Buffer.alloc(30 * 1024 * 1024);
  const bombs = Array.from({ length: 10 }, (_, index) => ({ name: `assets/${index}`, content: zeros, method: 8 }));
  const result = analyze(manifestEntry(manifestOf({})), ...bombs, { name: 'classes.dex', content: dex(), method: 8 });
  assert.equal(finding(result, 'zip-bomb')?.severity, 'high');
  assert.equal(result.androguard.code.classes, classes.length);
  assert.deepEqual(
    result.files.filter(({ type }) => type === 'dex').map(({ name }) => name),
    ['classes.dex'],
  );
});

test('a manifest that does not parse costs the manifest alone', () => {
  const result = analyze(manifestEntry(Buffer.from('no XML of any kind')), { name: 'classes.dex', content: dex() });
  assert.equal(result.manifest, null);
  assert.equal(result.androguard.package_name, '');
  assert.equal(result.androguard.code.classes, 3);
  assert.equal(result.androguard.functionalities.imei?.length, 1);
  assert.ok(result.identity.corruptions.includes('the manifest does not parse'));
  assert.ok(codes(result).includes('analysis-incomplete'));
});

test('a broken dex costs that dex alone, and a broken resource table that table alone', () => {
  const result = analyze(
    manifestEntry(manifestOf({})),
    { name: 'resources.arsc', content: 'nonsense' },
    { name: 'classes.dex', content: 'dex\n035\0 and then nothing' },
    { name: 'classes2.dex', content: dex() },
  );
  assert.equal(result.androguard.package_name, 'com.example.app');
  assert.equal(result.androguard.app_name, 'Example');
  assert.deepEqual(Object.keys(result.androguard.dexes), ['classes', 'classes2']);
  assert.equal(result.androguard.code.classes, 3);
  assert.ok(codes(result).includes('analysis-incomplete'));
});

test('a dex whose bytes were changed after its build is reported by its checksum and its signature', () => {
  const changed = Buffer.from(dex());
  changed[changed.length - 1]! ^= 1;
  const result = analyze(
    manifestEntry(manifestOf({})),
    { name: 'classes.dex', content: dex() },
    { name: 'classes2.dex', content: changed },
  );
  for (const code of ['dex-checksum', 'dex-signature']) {
    assert.deepEqual(
      result.androguard.findings.filter((each) => each.code === code).map(({ where }) => where),
      ['classes2.dex'],
    );
  }
});

test('signatures are judged from the oldest platform on that takes the app', () => {
  const judgedFrom = (...demands: AttributeValue[]) => {
    const elements = demands.map((level) => element('uses-sdk', { 'android:minSdkVersion': level }));
    const manifest = buildAxml(element('manifest', { package: 'com.example.app' }, ...elements));
    return analyze(manifestEntry(manifest)).androguard.signature.min_sdk_version;
  };
  assert.equal(judgedFrom(23), 23);
  assert.equal(judgedFrom('O'), 25, 'a preview may still be of the level before');
  assert.equal(judgedFrom(28, 8), 28, 'Android refuses where one of several elements is not met');
});

test('an entry that cannot be unpacked is listed without a hash, and the others are read', () => {
  const result = analyze(
    manifestEntry(manifestOf({})),
    { name: 'classes.dex', content: dex() },
    { name: 'assets/broken', packed: Buffer.from([0xff, 0xff, 0xff]), method: 8, size: 100 },
    { name: 'assets/whole', content: 'http://whole.example.com/' },
  );
  const [, , broken, whole] = result.files;
  assert.deepEqual([broken?.name, broken?.sha256, broken?.type], ['assets/broken', null, 'unreadable']);
  assert.notEqual(whole?.sha256, null);
  assert.ok(result.androguard.urls.includes('http://whole.example.com/'));
});

test('an app that declares code and has none is corrupted; one without code and a split are not, for that', () => {
  const without = (application: Record<string, boolean>) =>
    identify(memorySource(buildZip({ entries: [manifestEntry(manifestOf(application))] }))).corruptions;
  assert.ok(without({}).includes('the app declares code and has no readable dex file'));
  assert.deepEqual(without({ 'android:hasCode': false }), ['the signature is missing']);
  const split = buildAxml(
    element('manifest', { package: 'com.example.app', split: 'config.de' }, element('application')),
  );
  assert.deepEqual(identify(memorySource(buildZip({ entries: [manifestEntry(split)] }))).corruptions, [
    'the signature is missing',
  ]);
});

test('what is no archive, and an archive without a manifest, are refused', () => {
  const refused = (bytes: Uint8Array, code: string) => {
    for (const run of [
      () => identify(memorySource(bytes)),
      () => analyzeStatic(memorySource(bytes), { fileName: 'x' }),
    ]) {
      assert.throws(run, (error) => error instanceof FormatError && error.code === code);
    }
  };
  refused(Buffer.alloc(0), 'not-a-zip');
  refused(Buffer.from('plain text'), 'not-a-zip');
  refused(buildZip({ entries: [{ name: 'classes.dex', content: dex() }] }), 'no-manifest');
});

test('code of other runtimes is reported with its strings, whose addresses stand apart as they do in its tables', () => {
  const strings = ['https://c2.example/gate', 'panel.example.com', 'next'];
  const path = 'assets/index.android.bundle';
  const { androguard, cuckoo } = analyze(
    manifestEntry(manifestOf({})),
    { name: path, content: buildHermes({ strings, functions: 3 }) },
    { name: 'assets/global-metadata.dat', content: buildMetadata(['ftp://files.example/a', 'b'], 1).subarray(0, 290) },
  );
  assert.deepEqual(
    androguard.bundles!.map((one) => [one.path, one.kind, one.version, one.functions, one.strings]),
    [
      [path, 'hermes', '96', 3, 3],
      ['assets/global-metadata.dat', 'il2cpp', '29', 1, 2],
    ],
  );
  assert.deepEqual(
    androguard.indicators.urls.filter(({ where }) => where.includes(path)),
    [{ value: 'https://c2.example/gate', where: [path] }],
  );
  assert.ok(androguard.indicators.domains.some(({ value }) => value === 'panel.example.com'));
  assert.ok(strings.every((text) => cuckoo.strings.includes(text)));
  const fault = androguard.findings.find(({ where }) => where === 'assets/global-metadata.dat')!;
  assert.equal(fault.code, 'content-damaged-bundle');
  assert.match(fault.evidence, /string literals at 0x100 and 0x110 end behind the file/);
});

test('Cordova is recognised with its version', () => {
  const script = "// Platform: android\n// 4d2e\n;(function() {\nvar PLATFORM_VERSION_BUILD_LABEL = '9.1.0';\n";
  const result = analyze(manifestEntry(manifestOf({})), { name: 'assets/www/cordova.js', content: script });
  assert.equal(result.androguard.cordova, '9.1.0');
  assert.equal(plain().androguard.cordova, null);
});
