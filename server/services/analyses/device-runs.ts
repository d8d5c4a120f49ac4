// Runs APKs of the catalogue on a connected device and keeps the report. Whatever happens, the app is taken off again.
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobContext, JobHandler, ReadJob } from '../../jobs/job-runner.ts';
import { StoredFileError } from '../../store/files/file-store.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { Store } from '../../store/store.ts';
import type { ApkRecord } from '../catalogue/catalogue.ts';
import { Failure } from '../failure.ts';
import type { AccountRecord } from '../people/accounts.ts';
import type { UsageLimits } from '../people/usage-limits.ts';
import { AdbError } from './adb/adb-connection.ts';
import type { AdbDevice } from './adb/adb-server.ts';
import { apkPathsOf, isPackageName } from './adb/device-packages.ts';
import { DeviceRefusal, runOnDevice, takeOff } from './adb/device-run.ts';
import type { Devices } from './devices.ts';
import type { DynamicAnalyses } from './dynamic-analyses.ts';

/** An app that we put on a device and that may still be there. */
interface Leftover {
  serial: string;
  packageName: string;
}

const leftoversKey = 'device_leftovers';

export class DeviceRuns {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #limits: UsageLimits;
  readonly #devices: Devices;
  readonly #analyses: DynamicAnalyses;

  constructor(store: Store, queue: JobQueue, limits: UsageLimits, devices: Devices, analyses: DynamicAnalyses) {
    this.#store = store;
    this.#queue = queue;
    this.#limits = limits;
    this.#devices = devices;
    this.#analyses = analyses;
  }

  /**
   * Queues a run, or joins the one of this APK that waits or runs.
   * @param seconds how long the app is driven
   * @throws Failure `not-found`, `devices-off`, `device-unavailable`, `throttled`
   */
  async request(account: AccountRecord, apk: ApkRecord, serial: string, seconds: number): Promise<JobRecord> {
    await this.#devices.usable(serial);
    await this.#limits.use(account, 'apk-analyze');
    const asked = { apkId: apk.id, priority: jobPriorities.request, requestedBy: account.id };
    const { job, isNew } = await this.#queue.enqueue({ kind: 'device_run', ...asked, payload: { serial, seconds } });
    if (!isNew) await this.#limits.giveBack(account, 'apk-analyze');
    return job;
  }

  /** The handler of `device_run` jobs; one that was interrupted begins again on a device without the app. */
  readonly perform: JobHandler<'device_run'> = (job, context): Promise<JobOutcome> => {
    return this.#devices.inTurn(job.payload.serial, async () => {
      try {
        return await this.#run(job, context);
      } catch (error) {
        if (context.signal.aborted) return { status: 'failed', code: 'cancelled', message: 'The run was stopped.' };
        if (error instanceof AdbError) return { status: 'failed', code: 'device-lost', message: error.message };
        if (error instanceof DeviceRefusal) return { status: 'failed', code: 'device-refusal', message: error.message };
        if (error instanceof Failure) return { status: 'failed', code: error.id, message: error.message };
        if (error instanceof StoredFileError) {
          return { status: 'failed', code: `file-${error.code}`, message: `The stored file is ${error.code}.` };
        }
        throw error;
      }
    });
  };

  /** Uninstalls the apps that an earlier process of the workstation left on devices that are connected now. */
  async sweep(): Promise<void> {
    for (const serial of new Set((await this.#leftovers()).map((left) => left.serial))) {
      await this.#devices.inTurn(serial, async () => {
        try {
          await this.#takeOffLeftovers(await this.#devices.usable(serial));
        } catch (error) {
          // It is tried again before the next run on this device, and at the next start.
          if (!(error instanceof AdbError || error instanceof Failure)) throw error;
        }
      });
    }
  }

  async #run(job: ReadJob<'device_run'>, context: JobContext): Promise<JobOutcome> {
    const { apkId, payload } = job;
    const { serial, seconds } = payload;
    const apk = apkId === null ? null : await this.#store.apks.findById(apkId);
    if (apk === null) return { status: 'failed', code: 'apk-gone', message: 'The APK was deleted.' };
    const device = await this.#devices.usable(serial);
    await this.#takeOffLeftovers(device);
    const { packageName } = apk;
    if ((await apkPathsOf(device, packageName, context.signal)).length > 0) {
      throw new DeviceRefusal(`${packageName} is installed on the device already: take it off yourself first.`);
    }
    const left = { serial, packageName };
    await this.#changeLeftovers((known) => [...known, left]);
    let content: Awaited<ReturnType<typeof runOnDevice>>;
    try {
      const bytes = this.#store.files.stream(apk.sha256);
      try {
        const { signal, progress } = context;
        content = await runOnDevice(device, { packageName, apk: bytes, seconds, signal, progress });
      } finally {
        bytes.destroy();
      }
    } finally {
      // Where the device was unplugged, the app stays in the list of those to be uninstalled at its return.
      await this.#takeOffLeftovers(device).catch((error: unknown) => {
        if (!(error instanceof AdbError)) throw error;
      });
    }
    return this.#analyses.keepDeviceRun(apk, content, context.signal, job);
  }

  /** @throws AdbError; then what could not be taken off is still known */
  async #takeOffLeftovers(device: AdbDevice): Promise<void> {
    for (const left of await this.#leftovers()) {
      if (left.serial !== device.serial || !(await takeOff(device, left.packageName))) continue;
      await this.#changeLeftovers((known) =>
        known.filter(({ serial, packageName }) => serial !== left.serial || packageName !== left.packageName),
      );
    }
  }

  async #leftovers(): Promise<Leftover[]> {
    const stored = await this.#store.settings.read(leftoversKey);
    return Array.isArray(stored) ? (stored as Leftover[]).filter(({ packageName }) => isPackageName(packageName)) : [];
  }

  async #changeLeftovers(change: (known: Leftover[]) => Leftover[]): Promise<void> {
    await this.#store.transaction(async ({ settings }) => {
      const stored = await settings.read(leftoversKey);
      await settings.write(leftoversKey, change(Array.isArray(stored) ? (stored as Leftover[]) : []));
    });
  }
}
