// Runs of APKs on a device, on a scripted adb server: no phone can be had here.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dynamicReportSchema } from '../../server/contract/engine/reports.ts';
import type { Finding } from '../../server/contract/findings/finding.ts';
import { buildDex } from '../fixtures/dex-builder.ts';
import { realApks } from '../fixtures/real-apks.ts';
import {
  type ScriptedAdbServer,
  type ScriptedDevice,
  type ScriptedOutput,
  startScriptedAdbServer,
} from '../fixtures/scripted-adb-server.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const serial = 'emulator-5554';
const uid = 10_123;
let workstation: TestWorkstation;
let adb: ScriptedAdbServer;
let sha256: string;
let packageName: string;
/** What is installed on the scripted phone. */
const installed = new Set<string>();

before(async () => {
  workstation = await startWorkstation();
  adb = await startScriptedAdbServer();
  await workstation.ask('/settings/', { method: 'PATCH', json: { device_address: adb.address } });
  const { body } = await workstation.upload(realApks.unlock);
  ({ sha256, package_name: packageName } = body);
  await workstation.server.idle();
});
after(async () => {
  await workstation[Symbol.asyncDispose]();
  await adb[Symbol.asyncDispose]();
});

const sockets = [
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
  `   0: 0F02000A:A1B2 22D8B85D:01BB 01 00000000:00000000 00:00000000 00000000 ${uid}        0 1 1`,
  '   1: 0F02000A:A1B3 08080808:0035 01 00000000:00000000 00:00000000 00000000 10999        0 1 1',
  `   2: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000 ${uid}        0 1 1`,
  `   3: 0F02000A:A1B4 0101A8C0:0050 01 00000000:00000000 00:00000000 00000000 ${uid}        0 1 1`,
  `   4: 00000000000000000000000000000000:A1B4 B80D0120000000000000000001000000:1A0B 01 0:0 0:0 0 ${uid} 0 1`,
].join('\n');

const log = (name: string) =>
  [
    '--------- beginning of main',
    '        1700000000.500  4242  4243 I Example : before the run',
    '        1700000001.500  4242  4243 I Example : hello \u202e from: the app',
    '        1700000002.000  9999  9999 I Other   : another app',
    '        1700000003.000  4242  4242 E AndroidRuntime: FATAL EXCEPTION: main',
    `        1700000003.000  4242  4242 E AndroidRuntime: Process: ${name}, PID: 4242`,
    '        1700000003.000  4242  4242 E AndroidRuntime: java.lang.IllegalStateException: broken',
    '        1700000003.000  4242  4242 E AndroidRuntime: \tat org.example.Main.run(Main.java:7)',
  ].join('\n');

function answer(command: string, device: ScriptedDevice): ScriptedOutput {
  const [program, verb] = command.split(' ');
  const last = command.split(' ').at(-1)!;
  if (command.startsWith('pm path')) {
    return installed.has(last) ? { output: 'package:/data/app/base.apk\n' } : { output: '', exitCode: 1 };
  }
  if (command.includes('--bypass')) return { output: 'Error: Unknown option --bypass', exitCode: 1 };
  if (program === 'pm' && verb === 'install') {
    if (!device.files.has(last)) return { output: 'Failure [no such file]', exitCode: 1 };
    installed.add(packageName);
    return { output: 'Performing Streamed Install\nSuccess\n' };
  }
  if (program === 'pm' && verb === 'uninstall') return { output: installed.delete(last) ? 'Success' : 'Failure' };
  if (command.startsWith('pm list packages -U')) return { output: `package:${packageName} uid:${uid}\n` };
  if (command === 'date +%s') return { output: '1700000001\n' };
  if (command.startsWith('getprop ro.')) return { output: '14\n' };
  if (command.startsWith('ps ')) {
    const own = `${uid}  4242 ${packageName}\n${uid} 4243 ${packageName}:remote\n${uid} 4244 zygote64`;
    return { output: `  UID   PID ARGS\n    0     1 init\n${own}\n${uid} 4245 su -c 'pm list'\n10999 9 sh -c other\n` };
  }
  if (command.startsWith('cat /proc/net')) return { output: sockets };
  if (command.startsWith('logcat')) return { output: log(packageName) };
  if (command.startsWith('find')) {
    return { output: `/sdcard/Android/data/${packageName}/files/out.txt\n${droppedPath()}\n/sdcard/elsewhere\n` };
  }
  if (command.includes('BOOT_COMPLETED')) return { output: 'java.lang.SecurityException', exitCode: 255 };
  if (program === 'rm') device.files.delete(last);
  return { output: '' };
}

const droppedPath = () => `/sdcard/Android/data/${packageName}/files/x.dex`;
const dropped = buildDex({ classes: [{ descriptor: 'Lpay/Load;' }] });

/** @param changes answers of some commands, by how they begin */
function phone(changes: Record<string, () => ScriptedOutput> = {}): ScriptedDevice {
  const path = `/sdcard/Android/data/${packageName}/files/out.txt`;
  return {
    state: 'device',
    files: new Map([
      [path, Buffer.from('written by the app')],
      [droppedPath(), dropped],
    ]),
    shell: (command, device) => {
      const changed = Object.entries(changes).find(([start]) => command.startsWith(start));
      return changed === undefined ? answer(command, device) : changed[1]();
    },
  };
}

beforeEach(() => {
  installed.clear();
  adb.devices.clear();
  adb.commands.length = 0;
});
const run = (json: object = { device: serial, seconds: 5 }) =>
  workstation.ask(`/apks/${sha256}/analyze_device/`, { method: 'POST', json });
const asked = (start: string) => adb.commands.filter((command) => command.startsWith(`${serial}: ${start}`));
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(25);
}
const leftovers = () => workstation.server.store.settings.read('device_leftovers');

test('an APK is installed, launched, driven and watched on the device, and taken off with a report', async () => {
  const before = await workstation.ask(`/apks/${sha256}/analysis/device/`);
  assert.deepEqual([before.status, before.text], [200, 'null']);
  const device = phone();
  adb.devices.set(serial, device);
  const { status, body: job } = await run();
  assert.equal(status, 202);
  assert.equal(job.kind, 'device_run');
  assert.equal(job.apk.sha256, sha256);
  const end = await workstation.jobEnd(job.id);
  assert.deepEqual([end.status, end.error], ['done', null]);

  const { body } = await workstation.ask(`/apks/${sha256}/analysis/device/`);
  const report = dynamicReportSchema.parse(body);
  const interpreted = await workstation.ask(`/apks/${sha256}/analysis/dynamic/`);
  assert.equal(interpreted.body.engine.source, undefined, 'what the interpreter found stays');
  assert.equal(report.engine.source, 'device');
  assert.deepEqual(report.engine.device, { serial, android_version: '14' });
  assert.deepEqual(
    report.opennet.map(({ desthost, destport }) => [desthost, destport]),
    [
      ['93.184.216.34', 443],
      ['192.168.1.1', 80],
      ['2001:db8::1', 6667],
    ],
  );
  assert.deepEqual(
    report.commands.map(({ command, pid }) => [command, pid]),
    [["su -c 'pm list'", 4245]],
  );
  assert.deepEqual(
    report.log.slice(0, 2).map(({ level, tag, message, time }) => [level, tag, message, time]),
    [
      ['I', 'Example', 'hello from: the app', 0.5],
      ['E', 'AndroidRuntime', 'FATAL EXCEPTION: main', 2],
    ],
  );
  assert.deepEqual(report.crashes, [
    {
      time: 2,
      component: packageName,
      exception: 'java.lang.IllegalStateException: broken',
      at: 'org.example.Main.run(Main.java:7)',
    },
  ]);
  assert.deepEqual(
    report.fileswritten.map(({ name, data }) => [name, data]),
    [
      [`/sdcard/Android/data/${packageName}/files/out.txt`, 'written by the app'],
      [droppedPath(), dropped.toString('hex')],
    ],
  );
  await workstation.server.idle();
  const { results } = (await workstation.ask(`/apks/${sha256}/children/`)).body;
  const child = results.find(({ kind }: { kind: string }) => kind === 'dex');
  assert.deepEqual(child.ways, [{ origin: 'device', path: droppedPath(), action: 'written', by: null }]);
  assert.equal((await workstation.ask(`/apks/${sha256}/children/${child.sha256}/report/`)).body.code.classes, 1);
  const actions = report.recvsaction.map(({ action }) => action);
  assert.ok(actions.includes('android.intent.action.USER_PRESENT'));
  assert.ok(!actions.includes('android.intent.action.BOOT_COMPLETED'), 'the device refused it');
  const { cuckoo } = (await workstation.ask(`/apks/${sha256}/analysis/`)).body;
  assert.deepEqual(cuckoo.network.hosts, ['93.184.216.34', '192.168.1.1', '2001:db8::1']);
  assert.ok(cuckoo.strings.includes('2001:db8::1'), 'whom it spoke to joins the strings');
  assert.ok(cuckoo.target.file.sha512.length === 128, 'the static part stays');
  assert.ok(report.timeline.some(({ category }) => category === 'network'));

  const risk = (await workstation.ask(`/apks/${sha256}/risk/`)).body;
  const seen = [
    ['behaviour-plain-text', 'device:network', 'speaks to 192.168.1.1 port 80, where HTTP is not encrypted'],
    ['behaviour-plain-text', 'device:network', 'speaks to 2001:db8::1 port 6667, where IRC is not encrypted'],
    ['behaviour-root-command', 'device:code', "runs su -c 'pm list'"],
  ];
  const shown = ({ code, where, evidence }: Finding) => [code, where, evidence];
  assert.deepEqual(report.findings?.map(shown), seen);
  assert.deepEqual(risk.behaviour.map(shown), seen);
  const [worst] = risk.parts;
  assert.deepEqual([worst.group, worst.evidence[0].name], ['behaviour', 'behaviour-root-command']);
  const found = await workstation.ask('/apks/?search=finding:behaviour-root-command');
  assert.deepEqual(
    found.body.results.map((one: { workstation: { risk: object } }) => one.workstation.risk),
    [{ score: risk.score, level: risk.level }],
  );

  assert.ok(asked(`monkey -p ${packageName} -c android.intent.category.LAUNCHER 1`).length === 1);
  assert.equal(installed.size, 0);
  assert.deepEqual(
    [...device.files.keys()].filter((path) => path.startsWith('/data/local/tmp')),
    [],
  );
  assert.deepEqual(await leftovers(), []);
});

test('an app that was on the device before is neither run nor taken off', async () => {
  adb.devices.set(serial, phone());
  installed.add(packageName);
  const end = await workstation.jobEnd((await run()).body.id);
  assert.equal(end.error_code, 'device-refusal');
  assert.match(end.error!, /installed on the device already/);
  assert.ok(installed.has(packageName));
  assert.deepEqual(asked('pm uninstall'), []);
});

test('an app that the device does not install is told of in its words', async () => {
  const refusal = { output: 'Failure [INSTALL_FAILED_NO_MATCHING_ABIS: no native code]', exitCode: 1 };
  adb.devices.set(serial, phone({ 'pm install': () => refusal }));
  const end = await workstation.jobEnd((await run()).body.id);
  assert.match(end.error!, /INSTALL_FAILED_NO_MATCHING_ABIS/);
  assert.deepEqual(await leftovers(), []);
});

test('an APK that the device calls by another name than we do is taken off by that name', async () => {
  const other = 'org.example.other';
  adb.devices.set(
    serial,
    phone({
      'pm install': () => {
        installed.add(other);
        return { output: 'Success\n' };
      },
      'pm list packages -U': () => ({ output: '' }),
      'pm list packages -f': () => ({
        output: ['org.example.kept', ...installed].map((name) => `package:/data/app/base.apk=${name}\n`).join(''),
      }),
    }),
  );
  const end = await workstation.jobEnd((await run()).body.id);
  assert.equal(end.error_code, 'device-refusal');
  assert.match(end.error!, /org\.example\.other, which was taken off again/);
  assert.deepEqual(asked('pm uninstall org.example.kept'), []);
  assert.equal(installed.size, 0);
});

test('garbage and endless output end the run, and the app is taken off', async () => {
  for (const output of [{ raw: Buffer.alloc(64, 0xfe) }, { endless: 'x'.repeat(60_000) }]) {
    adb.devices.set(serial, phone({ 'ps ': () => output }));
    const end = await workstation.jobEnd((await run()).body.id);
    assert.deepEqual([end.status, end.error_code], ['failed', 'device-lost']);
    assert.equal(installed.size, 0);
  }
});

test('a run that is cancelled takes the app off', async () => {
  adb.devices.set(serial, phone({ 'ps ': () => ({ silence: true }) }));
  const { body: job } = await run();
  await until(() => asked('ps ').length > 0);
  assert.ok(installed.has(packageName));
  await workstation.ask(`/jobs/${job.id}/cancel/`, { method: 'POST', json: {} });
  await until(() => installed.size === 0);
  await until(async () => ((await leftovers()) as unknown[]).length === 0);
});

test('a device that leaves in the middle keeps the app until it is back, and then it is taken off', async () => {
  adb.devices.set(
    serial,
    phone({
      'ps ': () => {
        adb.devices.clear();
        adb.disconnect();
        return { silence: true };
      },
    }),
  );
  const end = await workstation.jobEnd((await run()).body.id);
  assert.equal(end.error_code, 'device-lost');
  assert.ok(installed.has(packageName));
  assert.deepEqual(await leftovers(), [{ serial, packageName }]);
  adb.devices.set(serial, phone());
  // As at the start of the workstation.
  await workstation.server.services.deviceRuns.sweep();
  assert.equal(installed.size, 0);
  assert.deepEqual(await leftovers(), []);
});

test('a run that the end of the workstation interrupts takes the app off', async () => {
  const own = await startWorkstation();
  try {
    await own.ask('/settings/', { method: 'PATCH', json: { device_address: adb.address } });
    await own.upload(realApks.unlock);
    await own.server.idle();
    adb.devices.set(serial, phone({ 'ps ': () => ({ silence: true }) }));
    await own.ask(`/apks/${sha256}/analyze_device/`, { method: 'POST', json: { device: serial } });
    await until(() => asked('ps ').length > 0);
    assert.ok(installed.has(packageName));
  } finally {
    await own[Symbol.asyncDispose]();
  }
  assert.equal(installed.size, 0);
});

test('one thing at a time is done with a device', async () => {
  adb.devices.set(serial, phone({ 'ps ': () => ({ silence: true }) }));
  const { body: job } = await run();
  await until(() => asked('ps ').length > 0);
  const { body: other } = await workstation.ask(`/devices/${serial}/import/`, {
    method: 'POST',
    json: { packages: ['org.example.app'] },
  });
  assert.equal((await run()).body.id, job.id, 'the same APK joins the run under way');
  await sleep(200);
  assert.deepEqual(asked('pm path org.example.app'), []);
  await workstation.ask(`/jobs/${job.id}/cancel/`, { method: 'POST', json: {} });
  await workstation.jobEnd(other.id);
  assert.equal(asked('pm path org.example.app').length, 1);
});

test('a run needs a device that is there, the right to use it, and a time that is bounded', async () => {
  assert.equal((await run({ device: 'another' })).status, 404);
  assert.equal((await run({ device: '../etc' })).status, 404);
  assert.equal((await run({ device: serial, seconds: 100_000 })).status, 400);
  adb.devices.set(serial, { ...phone(), state: 'unauthorized' });
  assert.equal((await run()).status, 503);
  const token = await workstation.analyst('runner', 'basic');
  const json = { device: serial };
  assert.equal((await workstation.ask(`/apks/${sha256}/analyze_device/`, { method: 'POST', json, token })).status, 403);
});
