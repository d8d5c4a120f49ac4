// Devices over HTTP, on a scripted adb server: no phone can be had here.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { realApks } from '../fixtures/real-apks.ts';
import {
  type ScriptedAdbServer,
  type ScriptedDevice,
  type ScriptedOutput,
  startScriptedAdbServer,
} from '../fixtures/scripted-adb-server.ts';
import { startWorkstation, type TestWorkstation } from '../fixtures/workstation.ts';

const base = readFileSync(realApks.unlock);
const split = readFileSync(realApks.unicodeIme);
const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const basePath = '/data/app/~~Ab_c==/org.example.app-1==/base.apk';
const splitPath = '/data/app/~~Ab_c==/org.example.app-1==/split_config.arm64_v8a.apk';

const properties = [
  '[ro.build.version.release]: [14]',
  '[ro.build.version.sdk]: [34]',
  '[ro.product.cpu.abi]: [x86_64]',
  '[ro.product.model]: [Phone \u202e\u0007of tests]',
].join('\n');

const answers: Record<string, ScriptedOutput> = {
  getprop: { output: properties },
  'pm list packages -f --show-versioncode -3': {
    output: `package:${basePath}=org.example.app versionCode:12\r\npackage:/data/x;reboot.apk=bad;name\ngarbage\n`,
  },
  'pm list packages -f --show-versioncode': {
    output: `package:${basePath}=org.example.app versionCode:12\npackage:/system/framework/framework-res.apk=android versionCode:34\n`,
  },
  'pm path org.example.app': { output: `package:${basePath}\npackage:${splitPath}\n` },
};

const phone = (changes: Partial<ScriptedDevice> = {}): ScriptedDevice => ({
  state: 'device',
  more: 'product:sdk_phone model:Phone_of_tests device:emu64 transport_id:1',
  files: new Map<string, Uint8Array>([
    [basePath, base],
    [splitPath, split],
  ]),
  shell: (command) => answers[command] ?? { output: '', exitCode: 1 },
  ...changes,
});
const answering = (changes: Record<string, ScriptedOutput>) =>
  phone({ shell: (command) => changes[command] ?? answers[command] ?? { output: '', exitCode: 1 } });

let workstation: TestWorkstation;
let adb: ScriptedAdbServer;
before(async () => {
  workstation = await startWorkstation();
  adb = await startScriptedAdbServer();
});
after(async () => {
  await workstation[Symbol.asyncDispose]();
  await adb[Symbol.asyncDispose]();
});
beforeEach(() => {
  adb.devices.clear();
  adb.list = null;
});

const settle = async (json: object) => workstation.ask('/settings/', { method: 'PATCH', json });
const importFrom = (serial: string, json: object = {}) =>
  workstation.ask(`/devices/${serial}/import/`, { method: 'POST', json });
const shown = (serial: string) => workstation.ask(`/devices/${serial}/`);

test('devices are left alone until an adb server is set, which must be of this machine', async () => {
  const { status, body } = await workstation.ask('/devices/');
  assert.equal(status, 200);
  assert.deepEqual(body, { count: 0, next: null, previous: null, results: [], status: 'off', message: null });
  assert.equal((await workstation.ask('/devices/emulator-5554/packages/')).status, 503);
  assert.equal((await importFrom('emulator-5554')).status, 503);
  for (const device_address of ['10.0.0.1:5037', 'adb.example.org:5037', '127.0.0.1', '127.0.0.1:5037/x']) {
    assert.equal((await settle({ device_address })).status, 400, device_address);
  }
  assert.equal((await settle({ device_address: adb.address })).status, 200);
});

test('the list says what each device is, and which cannot be used', async () => {
  adb.devices.set('emulator-5554', phone());
  adb.devices.set('R58M12ABCDE', phone({ state: 'unauthorized', more: 'transport_id:2' }));
  adb.devices.set('10.0.0.5:5555', phone({ state: 'offline', more: '' }));
  const { body } = await workstation.ask('/devices/');
  assert.equal(body.status, 'ok');
  assert.deepEqual(body.results[0], {
    serial: 'emulator-5554',
    url: `${workstation.url}/devices/emulator-5554/`,
    state: 'device',
    is_usable: true,
    model: 'Phone of tests',
    product: 'sdk_phone',
    is_emulator: true,
    android_version: '14',
    sdk_version: 34,
    abi: 'x86_64',
  });
  assert.deepEqual(
    body.results
      .slice(1)
      .map((one: Record<string, unknown>) => [one.serial, one.state, one.is_usable, one.sdk_version]),
    [
      ['R58M12ABCDE', 'unauthorized', false, null],
      ['10.0.0.5:5555', 'offline', false, null],
    ],
  );
  assert.equal((await shown('10.0.0.5:5555')).body.state, 'offline');
  assert.equal((await shown('another')).status, 404);
  const refused = await importFrom('R58M12ABCDE');
  assert.equal(refused.status, 503);
  assert.match(refused.body.detail, /unauthorized: allow debugging on its screen/);
});

test('packages are listed by name; names that could mean something to a shell are left out', async () => {
  adb.devices.set('emulator-5554', phone());
  const own = await workstation.ask('/devices/emulator-5554/packages/');
  assert.deepEqual(own.body.results, [{ package_name: 'org.example.app', version_code: '12', path: basePath }]);
  const all = await workstation.ask('/devices/emulator-5554/packages/?system=true');
  assert.deepEqual(
    all.body.results.map((one: { package_name: string }) => one.package_name),
    ['android', 'org.example.app'],
  );
});

test('a device of Android 7, whose package manager knows no version codes, is listed without them', async () => {
  const line = `package:${basePath}=org.example.app\n`;
  adb.devices.set(
    'emulator-5554',
    answering({
      'pm list packages -f --show-versioncode -3': { output: 'Error: Unknown option', exitCode: 1 },
      'pm list packages -f -3': { output: line },
    }),
  );
  const { body } = await workstation.ask('/devices/emulator-5554/packages/');
  assert.deepEqual(body.results, [{ package_name: 'org.example.app', version_code: '', path: basePath }]);
});

test('an import takes base and splits into the catalogue, where searches find them as installed', async () => {
  adb.devices.set('emulator-5554', phone());
  const { status, body: job } = await importFrom('emulator-5554');
  assert.equal(status, 202);
  assert.equal(job.kind, 'device_import');
  const end = await workstation.jobEnd(job.id);
  assert.deepEqual([end.status, end.error], ['done', null]);
  for (const bytes of [base, split]) {
    assert.equal((await workstation.ask(`/apks/${hashOf(bytes)}/`)).body.is_installed, true);
  }
  const found = await workstation.ask('/apks/?search=installed:true');
  assert.deepEqual(
    found.body.results.map(({ sha256 }: { sha256: string }) => sha256).toSorted(),
    [hashOf(base), hashOf(split)].toSorted(),
  );
  assert.equal((await workstation.ask(`/legacy/apks/${hashOf(base)}/`)).body.on_devices, true);
});

test('an APK that the catalogue had already is marked as installed', async () => {
  const bytes = readFileSync(realApks.uiautomator2Test);
  const { body: held } = await workstation.upload(bytes);
  assert.equal(held.is_installed, false);
  const device = answering({ 'pm path org.example.held': { output: 'package:/data/app/held/base.apk\n' } });
  device.files.set('/data/app/held/base.apk', bytes);
  adb.devices.set('emulator-5554', device);
  const { body: job } = await importFrom('emulator-5554', { packages: ['org.example.held'] });
  assert.equal((await workstation.jobEnd(job.id)).status, 'done');
  assert.equal((await workstation.ask(`/apks/${held.sha256}/`)).body.is_installed, true);
});

test('what is not installed, not readable or no APK is told of, and the rest comes in', async () => {
  const device = answering({ 'pm path org.example.odd': { output: 'package:/a/base.apk\npackage:/b/base.apk\n' } });
  device.files.set('/a/base.apk', { refuses: 'open failed: Permission denied' });
  device.files.set('/b/base.apk', Buffer.from('no archive at all'));
  adb.devices.set('emulator-5554', device);
  const { body: job } = await importFrom('emulator-5554', { packages: ['org.example.none', 'org.example.odd'] });
  const end = await workstation.jobEnd(job.id);
  assert.equal(end.error_code, 'incomplete');
  assert.match(end.error!, /org\.example\.none is not installed.*Permission denied.*not an Android application/);
});

test('a device that leaves in the middle of a file ends the import, and nothing of the half file is kept', async () => {
  const bytes = Buffer.concat([base, Buffer.from('other')]);
  const device = phone();
  device.files.set(basePath, { leavesAfter: bytes.subarray(0, bytes.length - 2) });
  adb.devices.set('emulator-5554', device);
  const { body: job } = await importFrom('emulator-5554');
  const end = await workstation.jobEnd(job.id);
  assert.deepEqual([end.status, end.error_code], ['failed', 'device-lost']);
  assert.equal((await workstation.ask(`/apks/${hashOf(bytes.subarray(0, bytes.length - 2))}/`)).status, 404);
});

test('a device that answers with garbage, without end or not at all is refused, and the list still comes', async () => {
  const query = 'pm list packages -f --show-versioncode -3';
  const huge = Buffer.alloc(5, 0xff);
  for (const output of [{ raw: huge }, { raw: Buffer.from('no protocol at all') }, { endless: 'x'.repeat(60_000) }]) {
    adb.devices.set('emulator-5554', answering({ [query]: output, getprop: output }));
    const { status, body } = await workstation.ask('/devices/emulator-5554/packages/');
    assert.equal(status, 503, JSON.stringify(body));
    const { body: listed } = await workstation.ask('/devices/');
    assert.equal(listed.results[0].android_version, null);
  }
  adb.devices.set('emulator-5554', answering({ getprop: { silence: true } }));
  const { body } = await workstation.ask('/devices/');
  assert.deepEqual([body.status, body.results[0].sdk_version], ['ok', null]);
});

test('a list with lines of no device, twice the same or names for a path is taken for what it is', async () => {
  adb.list = `\n* daemon started\n../../etc device\nsame offline\nsame device\n${'long'.repeat(50)} device\nR5 no permissions (user in plugdev group)\n`;
  const { body } = await workstation.ask('/devices/');
  assert.deepEqual(
    body.results.map((one: Record<string, unknown>) => [one.serial, one.state]),
    [
      ['same', 'offline'],
      ['R5', 'no permissions'],
    ],
  );
});

test('an import that is cancelled ends, and the device is free for the next', async () => {
  adb.devices.set('emulator-5554', answering({ 'pm path org.example.app': { silence: true } }));
  const { body: job } = await importFrom('emulator-5554', { packages: ['org.example.app'] });
  while (!adb.commands.at(-1)?.includes('pm path')) await new Promise((resolve) => setTimeout(resolve, 20));
  await workstation.ask(`/jobs/${job.id}/cancel/`, { method: 'POST', json: {} });
  assert.equal((await workstation.jobEnd(job.id)).error_code, 'cancelled');
  adb.devices.set('emulator-5554', phone());
  const next = await importFrom('emulator-5554', { packages: ['org.example.app'] });
  assert.equal((await workstation.jobEnd(next.body.id)).status, 'done');
});

test('packages are named as packages are, and analysts without the right see devices alone', async () => {
  adb.devices.set('emulator-5554', phone());
  const named = await importFrom('emulator-5554', { packages: ['org.example; reboot'] });
  assert.equal(named.status, 400);
  const token = await workstation.analyst('device-reader', 'basic');
  assert.equal((await workstation.ask('/devices/', { token })).status, 200);
  assert.equal((await workstation.ask('/devices/emulator-5554/packages/', { token })).status, 403);
  const asked = { method: 'POST', json: {}, token };
  assert.equal((await workstation.ask('/devices/emulator-5554/import/', asked)).status, 403);
  // They see which devices are there: what is not there is that for them too.
  assert.equal((await workstation.ask('/devices/another/packages/', { token })).status, 404);
  assert.equal((await workstation.ask('/devices/another/import/', asked)).status, 404);
});

test('an adb server that is not there, or is something else, is told of', async () => {
  await settle({ device_address: '127.0.0.1:1' });
  const { body } = await workstation.ask('/devices/');
  assert.equal(body.status, 'failed');
  assert.match(body.message, /no adb server answers/);
  await settle({ device_address: `127.0.0.1:${new URL(workstation.url).port}` });
  const other = await workstation.ask('/devices/');
  assert.equal(other.body.status, 'failed');
  assert.match(other.body.message, /no adb server/);
});
