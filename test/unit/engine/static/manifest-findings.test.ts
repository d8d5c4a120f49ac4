import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findingCatalogue } from '../../../../server/contract/findings/finding-catalogue.ts';
import { analyzeStatic } from '../../../../server/engine/static/static-report.ts';
import { memorySource } from '../../../../server/vault/byte-source.ts';
import { buildTable } from '../../../fixtures/arsc-builder.ts';
import { buildAxml, type ElementSpec, element } from '../../../fixtures/axml-builder.ts';
import { buildZip } from '../../../fixtures/zip-builder.ts';

/** `@xml/file` of the table below. */
const file = { type: 0x01, data: 0x7f01_0000 };
const resources = buildTable([
  { types: [{ name: 'xml', entries: ['file'], values: [{ values: { 0: 'res/xml/file.xml' } }] }] },
]);

/** Places and evidence of a code in an app with these elements, and with a file that they refer to. */
function hitsOf(code: string, elements: readonly ElementSpec[], referenced?: ElementSpec): string[] {
  const isOutside = ({ name }: ElementSpec) => name === 'permission';
  const [application] = elements.filter(({ name }) => name === 'application');
  const manifest = element(
    'manifest',
    { package: 'com.example.app' },
    element('uses-sdk', { 'android:minSdkVersion': 21, 'android:targetSdkVersion': 33 }),
    ...elements.filter(isOutside),
    application ?? element('application', {}, ...elements.filter((each) => !isOutside(each))),
  );
  const entries = [
    { name: 'AndroidManifest.xml', content: buildAxml(manifest) },
    { name: 'resources.arsc', content: resources },
    ...(referenced === undefined ? [] : [{ name: 'res/xml/file.xml', content: buildAxml(referenced) }]),
  ];
  return analyzeStatic(memorySource(buildZip({ entries })), { fileName: 'a.apk' })
    .androguard.findings.filter((each) => each.code === code)
    .map(({ severity, where, evidence }) => `${severity} ${where}: ${evidence}`);
}

const filter = (action: string, ...children: ElementSpec[]) =>
  element('intent-filter', {}, element('action', { 'android:name': action }), ...children);
const service = (permission: string) =>
  element('service', { 'android:name': '.Sync', 'android:exported': true, 'android:permission': permission });
const activity = (attributes: Record<string, string | boolean | number>, ...children: ElementSpec[]) =>
  element('activity', { 'android:name': '.Screen', ...attributes }, ...children);
const permission = (level: number) =>
  element('permission', { 'android:name': 'com.example.SYNC', 'android:protectionLevel': level });
const files = element(
  'provider',
  { 'android:name': '.Files', 'android:authorities': 'com.example.files', 'android:exported': false },
  element('meta-data', { 'android:name': 'android.support.FILE_PROVIDER_PATHS', 'android:resource': file }),
);
const configured = element('application', { 'android:networkSecurityConfig': file });
const config = (...children: ElementSpec[]) =>
  element('network-security-config', {}, element('base-config', {}, element('trust-anchors', {}, ...children)));

const app = (attributes: Record<string, string | boolean | number>) => element('application', attributes);
const component = (kind: string, isExported: boolean) =>
  element(kind, {
    'android:name': '.Part',
    ...(kind === 'provider' && { 'android:authorities': 'com.example.part' }),
    'android:exported': isExported,
  });
const exported = (kind: string) => component(kind, true);
const hidden = (kind: string) => component(kind, false);
const category = (name: string) => element('category', { 'android:name': `android.intent.category.${name}` });
const launched = filter('android.intent.action.MAIN', category('LAUNCHER'));
const linked = (scheme: string) =>
  filter(
    'android.intent.action.VIEW',
    category('DEFAULT'),
    category('BROWSABLE'),
    element('data', { 'android:scheme': scheme, 'android:host': 'example.org' }),
  );
const allowing = (isAllowed: boolean) =>
  element('network-security-config', {}, element('base-config', { cleartextTrafficPermitted: isAllowed }));

/** A code, what has it with what is said of that, and what is as it should be. */
const twins: readonly (readonly [
  code: string,
  vulnerable: readonly [elements: readonly ElementSpec[], hit: string, referenced?: ElementSpec],
  safe: readonly [elements: readonly ElementSpec[], referenced?: ElementSpec],
])[] = [
  [
    'manifest-debuggable',
    [[app({ 'android:debuggable': true })], 'medium AndroidManifest.xml:application: android:debuggable="true"'],
    [[app({ 'android:debuggable': false })]],
  ],
  [
    'manifest-allow-backup',
    [
      [app({ 'android:allowBackup': true })],
      'info AndroidManifest.xml:application: android:allowBackup="true", without rules on what is left out',
    ],
    [[app({ 'android:allowBackup': false })]],
  ],
  [
    'manifest-cleartext',
    [
      [app({ 'android:usesCleartextTraffic': true })],
      'low AndroidManifest.xml:application: android:usesCleartextTraffic="true"',
    ],
    [[app({})]],
  ],
  [
    'manifest-exported-activity',
    [
      [activity({ 'android:exported': true })],
      'info AndroidManifest.xml:activity:com.example.app.Screen: android:exported="true", no permission',
    ],
    [[activity({ 'android:exported': true }, launched), activity({ 'android:exported': false })]],
  ],
  [
    'manifest-exported-service',
    [
      [exported('service')],
      'low AndroidManifest.xml:service:com.example.app.Part: android:exported="true", no permission',
    ],
    [[hidden('service')]],
  ],
  [
    'manifest-exported-receiver',
    [
      [exported('receiver')],
      'info AndroidManifest.xml:receiver:com.example.app.Part: android:exported="true", no permission',
    ],
    [[hidden('receiver')]],
  ],
  [
    'manifest-exported-provider',
    [
      [exported('provider')],
      'medium AndroidManifest.xml:provider:com.example.app.Part: android:exported="true", no permission, authorities com.example.part',
    ],
    [[hidden('provider')]],
  ],
  [
    'manifest-deep-link',
    [
      [activity({ 'android:exported': true }, linked('https'))],
      'low AndroidManifest.xml:activity:com.example.app.Screen: https on example.org, not verified: another app may take the links',
    ],
    [[activity({ 'android:exported': true }, filter('android.intent.action.VIEW'))]],
  ],
  [
    'network-config-cleartext',
    [[configured], 'low res/xml/file.xml:base-config: cleartext to every host', allowing(true)],
    [[configured], allowing(false)],
  ],
  [
    'manifest-undefined-guard',
    [
      [service('com.example.SNYC'), permission(2)],
      'low AndroidManifest.xml:service:com.example.app.Sync: com.example.SNYC is defined nowhere in the app',
    ],
    [[service('com.example.SYNC'), permission(2)]],
  ],
  [
    'manifest-weak-guard',
    [
      [service('com.example.SYNC'), permission(0)],
      'low AndroidManifest.xml:service:com.example.app.Sync: com.example.SYNC is normal: any app can hold it',
    ],
    [[service('com.example.SYNC'), permission(2)]],
  ],
  [
    'manifest-weak-permission',
    [[permission(1)], 'info AndroidManifest.xml:permission: com.example.SYNC is dangerous: any app can hold it'],
    [[permission(2)]],
  ],
  [
    'manifest-provider-paths',
    [
      [files],
      'medium res/xml/file.xml:root-path: every file that the app can open, from /',
      element('paths', {}, element('root-path', { name: 'all', path: '/' })),
    ],
    [[files], element('paths', {}, element('files-path', { name: 'shared', path: 'shared/' }))],
  ],
  [
    'manifest-secret-code',
    [
      [
        element(
          'receiver',
          { 'android:name': '.Menu', 'android:exported': true },
          filter(
            'android.provider.Telephony.SECRET_CODE',
            element('data', { 'android:scheme': 'android_secret_code', 'android:host': '1234' }),
          ),
        ),
      ],
      'info AndroidManifest.xml:receiver:com.example.app.Menu: dialling *#*#1234#*#* starts it',
    ],
    [
      [
        element(
          'receiver',
          { 'android:name': '.Menu', 'android:exported': true },
          filter('android.intent.action.TIME_SET'),
        ),
      ],
    ],
  ],
  [
    'manifest-task-affinity',
    [
      [activity({ 'android:taskAffinity': 'com.example.bank', 'android:allowTaskReparenting': true })],
      'info AndroidManifest.xml:activity:com.example.app.Screen: taskAffinity="com.example.bank", allowTaskReparenting="true"',
    ],
    [[activity({ 'android:taskAffinity': '' })]],
  ],
  [
    'manifest-filter-priority',
    [
      [
        activity(
          { 'android:exported': true },
          element('intent-filter', { 'android:priority': 500 }, element('action', { 'android:name': 'a.VIEW' })),
        ),
      ],
      'info AndroidManifest.xml:activity:com.example.app.Screen: priority 500',
    ],
    [[activity({ 'android:exported': true }, filter('a.VIEW'))]],
  ],
  [
    'network-config-user-authorities',
    [
      [configured],
      'medium res/xml/file.xml:certificates: authorities that the user installed are trusted for every host',
      config(element('certificates', { src: 'user' })),
    ],
    [[configured], config(element('certificates', { src: 'system' }))],
  ],
];

test('each weakness that a manifest or its network security configuration may have has its twins', () => {
  const weaknesses = Object.entries(findingCatalogue).filter(
    ([code, { cwe }]) => /^(?:manifest|network-config)-/.test(code) && (cwe ?? []).length > 0,
  );
  const named = new Set(twins.map(([code]) => code));
  assert.deepEqual(
    weaknesses.flatMap(([code]) => (named.has(code) ? [] : [code])),
    [],
  );
});

for (const [code, [elements, hit, referenced], [safe, safeFile]] of twins) {
  test(`${code} is found where it is so, and not in its safe twin`, () => {
    assert.deepEqual(hitsOf(code, elements, referenced), [hit]);
    assert.deepEqual(hitsOf(code, safe, safeFile), []);
  });
}
