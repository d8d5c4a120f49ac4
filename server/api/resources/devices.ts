// Devices at this machine's adb server over HTTP: the list, their packages, the import of what is installed.
import type { deviceOperations } from '../../contract/operations/devices.ts';
import { accepted, type Handlers, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentDevice, presentDevicePackage } from '../presenters/device.ts';
import { presentJob } from '../presenters/job.ts';

export const deviceHandlers: Handlers<typeof deviceOperations> = {
  'GET /devices/': async ({ presenting, services }) => {
    const { status, message, devices } = await services.devices.list();
    const results = devices.map((device) => presentDevice(presenting, device));
    return ok({ ...wholeList(results), status, message });
  },

  'GET /devices/<serial>/': async ({ params, presenting, services }) =>
    ok(presentDevice(presenting, await services.devices.get(params.serial))),

  'GET /devices/<serial>/packages/': async ({ params, query: { system = false }, services }) => {
    const found = await services.devices.packages(params.serial, system);
    return ok(wholeList(found.map(presentDevicePackage)));
  },

  'POST /devices/<serial>/import/': async ({ params, body, account, presenting, services }) => {
    const job = await services.devices.requestImport(account, params.serial, body.packages ?? null);
    return accepted(presentJob(presenting, job, null));
  },

  'POST /apks/<sha256>/analyze_device/': async ({
    params,
    body: { device, seconds = 60 },
    account,
    presenting,
    services: { catalogue, deviceRuns },
  }) => {
    const apk = await catalogue.get(params.sha256);
    const job = await deviceRuns.request(account, apk, device, seconds);
    return accepted(presentJob(presenting, job, apk));
  },
};
