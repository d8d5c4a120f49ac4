// Devices at this machine's adb server over HTTP: the list, their packages, the import of what is installed.
import {
  type Device,
  deviceImportRequestSchema,
  deviceListSchema,
  devicePackageListSchema,
  devicePackagesQuerySchema,
  deviceRunRequestSchema,
  deviceSchema,
} from '../../contract/device.ts';
import { jobSchema } from '../../contract/job.ts';
import type { DeviceView } from '../../services/analyses/devices.ts';
import { ok, operation, type Resource } from '../operation.ts';
import { presentJob } from '../presenters/job.ts';
import type { Presenting } from '../presenters/presenting.ts';

function presentDevice({ baseUrl }: Presenting, device: DeviceView): Device {
  const { serial, state, model, product } = device;
  return {
    serial,
    url: `${baseUrl}/devices/${encodeURIComponent(serial)}/`,
    state,
    is_usable: state === 'device',
    model,
    product,
    is_emulator: serial.startsWith('emulator-'),
    android_version: device.androidVersion,
    sdk_version: device.sdkVersion,
    abi: device.abi,
  };
}

const list = operation(
  {
    summary: 'Devices and emulators that are connected to this machine',
    access: 'token',
    answers: { 200: deviceListSchema },
  },
  async ({ presenting, services }) => {
    const { status, message, devices } = await services.devices.list();
    const results = devices.map((device) => presentDevice(presenting, device));
    return ok({ count: results.length, next: null, previous: null, results, status, message });
  },
);

const detail = operation(
  {
    summary: 'One connected device',
    access: 'token',
    refusals: ['devices-off', 'device-unavailable'],
    answers: { 200: deviceSchema },
  },
  async ({ params, presenting, services }) => ok(presentDevice(presenting, await services.devices.get(params.serial!))),
);

const packages = operation(
  {
    summary: 'What is installed on a device (owner, expert)',
    access: 'token',
    isAudited: true,
    querySchema: devicePackagesQuerySchema,
    refusals: ['devices-off', 'device-unavailable'],
    answers: { 200: devicePackageListSchema },
  },
  async ({ params, query: { system = false }, account, services }) => {
    const found = await services.devices.packages(account, params.serial!, system);
    const results = found.map(({ name, versionCode, path }) => ({
      package_name: name,
      version_code: versionCode,
      path,
    }));
    return ok({ count: results.length, next: null, previous: null, results });
  },
);

const importPackages = operation(
  {
    summary: 'Takes the APKs of installed packages, splits too, into the catalogue (owner, expert)',
    access: 'token',
    bodySchema: deviceImportRequestSchema,
    refusals: ['devices-off', 'device-unavailable'],
    answers: { 202: jobSchema },
  },
  async ({ params, body, account, presenting, services }) => {
    const job = await services.devices.requestImport(account, params.serial!, body.packages ?? null);
    return { status: 202, body: presentJob(presenting, job, null) };
  },
);

const run = operation(
  {
    summary: 'Runs an APK on a connected device and takes it off again; joins the run under way (owner, expert)',
    access: 'token',
    bodySchema: deviceRunRequestSchema,
    refusals: ['devices-off', 'device-unavailable'],
    answers: { 202: jobSchema },
  },
  async ({ params, body: { device, seconds = 60 }, account, presenting, services: { catalogue, deviceRuns } }) => {
    const apk = await catalogue.get(params.sha256!);
    const job = await deviceRuns.request(account, apk, device, seconds);
    return { status: 202, body: presentJob(presenting, job, apk) };
  },
);

export const deviceResources: Resource[] = [
  { path: '/devices', operations: { get: list } },
  { path: '/devices/:serial', operations: { get: detail } },
  { path: '/devices/:serial/packages', operations: { get: packages } },
  { path: '/devices/:serial/import', operations: { post: importPackages } },
  { path: '/apks/:sha256/analyze_device', operations: { post: run } },
];
