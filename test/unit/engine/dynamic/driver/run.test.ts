import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { dynamicReportSchema } from '../../../../../server/contract/engine/reports.ts';
import { analyzeDynamic } from '../../../../../server/engine/dynamic/driver/run.ts';
import { fileSource, memorySource } from '../../../../../server/vault/byte-source.ts';
import { appsFolder, dexOf, type TestAppName, testApk } from '../../../../fixtures/dynamic/test-apps.ts';
import { realApks } from '../../../../fixtures/real-apks.ts';

const run = (name: TestAppName) => dynamicReportSchema.parse(analyzeDynamic(memorySource(testApk(name))).dynamic);

const leaks = (name: TestAppName) =>
  run(name).dataleaks.map(({ kind, sink, tags }) => `${kind} ${sink} ${tags.join('+')}`);

test('the IMEI sent by SMS is a leak with its path from the source to the sink', () => {
  const report = run('direct');
  const [leak] = report.dataleaks;
  assert.equal(report.dataleaks.length, 1);
  assert.equal(leak?.sink, 'SmsManager.sendTextMessage');
  assert.deepEqual(leak?.tags, ['TAINT_IMEI']);
  assert.equal(leak?.path[0], 'TelephonyManager.getDeviceId');
  assert.equal(leak?.path.at(-1), 'SmsManager.sendTextMessage');
  assert.deepEqual(report.sendsms[0]?.dataleak, ['TAINT_IMEI']);
  assert.equal(report.sendsms[0]?.number, '+491729968535');
  assert.deepEqual(report.crashes, []);
});

test('what is read and overwritten, and what nothing calls, is no leak', () => {
  const report = run('clean');
  assert.deepEqual(report.dataleaks, []);
  assert.equal(report.sendsms[0]?.dataleak, undefined);
  const unreached = report.coverage.unreached.map(({ method }) => method);
  assert.ok(report.coverage.methods_executed < report.coverage.methods_total);
  assert.deepEqual(unreached, []);
});

test('tabs are chosen, builders that nothing models go on, rare charsets are read, and a crash tells its cause', () => {
  const { sendsms, crashes } = run('bars');
  const sent = new Set(sendsms.map(({ message }) => message));
  assert.deepEqual(
    [...sent].sort(),
    ['the builder went on', '日本語 & more', '&ZeVnLIqe- &- more', 'the tab was chosen'].sort(),
  );
  assert.equal(
    crashes[0]?.exception,
    'java.lang.ExceptionInInitializerError, caused by java.lang.IllegalStateException: no such luck',
  );
  assert.equal(crashes[0]?.at, 'com.example.app.Broken.<clinit>');
});

test('views are laid out, animations end, documents are read, and a service that ends is missed', () => {
  const { sendsms, crashes, unmodelled } = run('platform');
  assert.deepEqual(crashes, []);
  const expected = [
    'as wide as it asked for',
    'a row of text',
    'the animation ended',
    'in the document',
    'the service was lost',
  ];
  assert.deepEqual([...new Set(sendsms.map(({ message }) => message))].sort(), expected.sort());
  assert.deepEqual(unmodelled, []);
});

test('a keyboard is shown, typed on and put away', () => {
  const { dynamic } = analyzeDynamic(fileSource(realApks.unicodeIme));
  assert.deepEqual(dynamic.crashes, []);
  assert.ok(dynamic.coverage.methods_executed >= 6, `${dynamic.coverage.methods_executed} methods`);
});

test('encrypted names and reflection hide nothing', () => {
  assert.deepEqual(leaks('strings'), ['sms SmsManager.sendTextMessage TAINT_IMEI']);
});

test('texts that the code decrypts are told where they are used, and what it only puts together is not', () => {
  // Addresses of `dexdump -d strings.dex`: the two calls of `decrypt`.
  const method = 'Lcom/example/app/Main;->onCreate(Landroid/os/Bundle;)V';
  assert.deepEqual(analyzeDynamic(memorySource(testApk('strings'))).dynamic.decoded, [
    { method, address: 5, text: 'com.example.app.Main' },
    { method, address: 15, text: 'report' },
  ]);
  assert.deepEqual(analyzeDynamic(memorySource(testApk('direct'))).dynamic.decoded, []);
});

test('an hour of sleep, a look for an emulator and two days of waiting are sat out', () => {
  assert.deepEqual(leaks('patience'), ['sms SmsManager.sendTextMessage TAINT_IMEI']);
});

test('a dex file from the assets is run, and kept with its bytes', () => {
  const { dynamic, artefacts } = analyzeDynamic(memorySource(testApk('packed')));
  assert.equal(dynamic.sendsms[0]?.message, 'from the payload');
  assert.equal(dynamic.dexclass[0]?.path, '/data/data/com.example.app/files/payload.dex');
  assert.deepEqual(Buffer.from(artefacts[0]!.bytes), dexOf('payload'));
  assert.equal(dynamic.artefacts[0]?.sha256, artefacts[0]!.sha256);
});

test('a stub that puts an unpacked app in its own place gives way to it', () => {
  const report = run('wrapped');
  assert.deepEqual(report.crashes, []);
  assert.deepEqual(
    report.dataleaks.map(({ kind, target, tags }) => `${kind} ${target} ${tags.join('+')}`),
    ['log DexClassLoader TAINT_IMEI'],
  );
  assert.equal(report.artefacts[0]?.size, dexOf('inner').length);
});

test('an order that comes by SMS is found in the code and sent', () => {
  const [leak] = run('receiver').dataleaks;
  assert.ok(leak?.tags.includes('TAINT_IMEI'));
});

test('a password typed into a screen and the extras of an inner intent reach their sinks', () => {
  assert.deepEqual(leaks('screens').sort(), ['log Log.i TAINT_IMEI', 'sms SmsManager.sendTextMessage TAINT_PASSWORD']);
  const [typed] = run('screens').dataleaks.filter(({ kind }) => kind === 'sms');
  assert.deepEqual(
    typed!.sources!.map(({ tag, api }) => `${tag} ${api}`),
    ['TAINT_PASSWORD EditText.getText'],
  );
  assert.match(typed!.sources![0]!.place, /^field/);
});

test('data is followed through every way that components have of handing it on, and nowhere else', () => {
  const report = run('flows');
  const found = report.dataleaks.map(({ kind, target, tags }) => `${kind} ${target} ${tags.join('+')}`);
  assert.deepEqual(found.sort(), [
    'intent com.example.ACTION TAINT_IMEI',
    'intent com.example.OTHER TAINT_IMEI',
    'log alarm TAINT_IMEI',
    'log broadcast TAINT_IMEI',
    'log call TAINT_PHONE_NUMBER',
    'log contacts TAINT_CONTACTS',
    'log handler TAINT_IMEI',
    'log location TAINT_LOCATION_GPS',
    'log prefs TAINT_IMEI',
    'log result TAINT_IMEI',
    'log service TAINT_IMEI',
    'log sqlite TAINT_IMEI',
    'log state TAINT_IMEI',
    'log task TAINT_IMEI',
    'network leak.example.org:80 TAINT_IMEI',
  ]);
  assert.deepEqual(report.crashes, []);
  assert.equal(report.dns[0]?.hostname, 'leak.example.org');
});

test('servers of the simulated internet answer as configured, and the cuckoo report tells of the requests', () => {
  const responses = [{ host: '.example.org', status: 404, body: 'gone' }];
  const { dynamic, cuckoo } = analyzeDynamic(memorySource(testApk('flows')), { responses });
  assert.match(dynamic.recvnet[0]?.data ?? '', /^HTTP\/1\.1 404 /);
  assert.match(String(cuckoo.network.http[0]?.uri), /^http:\/\/leak\.example\.org\/collect\?id=\d{15}$/);
  assert.deepEqual(cuckoo.network.hosts, [dynamic.dns[0]?.ip]);
});

test('real apps run to the end, within the budget', () => {
  for (const path of [realApks.unlock, realApks.unicodeIme, realApks.settings, realApks.apiDemos]) {
    const { dynamic } = analyzeDynamic(fileSource(path));
    dynamicReportSchema.parse(dynamic);
    assert.ok(dynamic.coverage.methods_executed > 0, path);
    assert.ok(!dynamic.limits.includes('cpu-time'), path);
  }
});

test('the dex files are what smali makes of the sources', { skip: !existsSync('/usr/share/java/smali.jar') }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'apk-workstation-smali-'));
  try {
    const made = join(folder, 'made.dex');
    const words = ['-cp', '/usr/share/java/*', 'org.jf.smali.Main', 'assemble', '-o', made];
    execFileSync('java', [...words, join(appsFolder, 'direct.smali')], { timeout: 300_000 });
    assert.deepEqual(readFileSync(made), dexOf('direct'));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
