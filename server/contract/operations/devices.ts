// Devices at this machine's adb server over HTTP: the list, their packages, the import of what is installed.
import {
  deviceImportRequestSchema,
  deviceListSchema,
  devicePackageListSchema,
  devicePackagesQuerySchema,
  deviceRunRequestSchema,
  deviceSchema,
} from '../jobs/device.ts';
import { jobSchema } from '../jobs/job.ts';
import type { Operations } from './operation.ts';

export const deviceOperations = {
  'GET /devices/': {
    summary: 'Devices and emulators that are connected to this machine',
    access: 'token',
    answers: { 200: deviceListSchema },
  },
  'GET /devices/<serial>/': {
    summary: 'One connected device',
    access: 'token',
    refusals: ['devices-off', 'device-unavailable'],
    answers: { 200: deviceSchema },
  },
  'GET /devices/<serial>/packages/': {
    summary: 'What is installed on a device (owner, expert)',
    access: 'token',
    policy: 'devices.use',
    subject: 'device',
    isAudited: true,
    query: devicePackagesQuerySchema,
    refusals: ['devices-off', 'device-unavailable'],
    answers: { 200: devicePackageListSchema },
  },
  'POST /devices/<serial>/import/': {
    summary: 'Imports the APKs of installed packages, with their splits, into the catalogue (owner, expert)',
    access: 'token',
    policy: 'devices.use',
    subject: 'device',
    body: deviceImportRequestSchema,
    refusals: ['devices-off', 'device-unavailable'],
    answers: { 202: jobSchema },
  },
  'POST /apks/<sha256>/analyze_device/': {
    summary: 'Installs and runs an APK on a connected device, then removes it; joins the run under way (owner, expert)',
    access: 'token',
    policy: 'devices.use',
    subject: 'apk',
    body: deviceRunRequestSchema,
    refusals: ['devices-off', 'device-unavailable'],
    answers: { 202: jobSchema },
  },
} satisfies Operations;
