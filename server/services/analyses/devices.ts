// Android devices at this machine's adb server: what is there, what is on them, their APKs into the catalogue. Knows no HTTP.
import type { JobPayload } from '../../contract/jobs/job-kinds.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobContext, JobHandler } from '../../jobs/job-runner.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { Store } from '../../store/store.ts';
import { ContentLocks } from '../catalogue/content-locks.ts';
import type { Intake } from '../catalogue/intake.ts';
import type { EventBus } from '../event-bus.ts';
import { Failure } from '../failure.ts';
import type { AccountRecord } from '../people/accounts.ts';
import { isAllowed } from '../policies.ts';
import { readSetting } from '../settings.ts';
import { AdbError, plainText } from './adb/adb-connection.ts';
import { type AdbDevice, AdbServer, isSerial, type ListedDevice } from './adb/adb-server.ts';
import { apkPathsOf, type DevicePackage, packagesOf } from './adb/device-packages.ts';

export interface DeviceView extends ListedDevice {
  androidVersion: string | null;
  sdkVersion: number | null;
  abi: string | null;
}

export interface DeviceList {
  status: 'off' | 'ok' | 'failed';
  message: string | null;
  devices: DeviceView[];
}

/** Milliseconds for questions whose answer somebody waits for. */
const answerPatience = 4_000;
const packagesPatience = 60_000;
/** Bytes of the device's properties. */
const maxProperties = 262_144;
/** Reasons that a job tells of. */
const maxReasons = 3;

/** What `getprop` prints, a line for each: `[ro.build.version.release]: [14]`. */
function propertiesOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, name, value] = /^\[([\w.-]{1,100})\]: \[(.*)\]$/.exec(line) ?? [];
    if (name !== undefined) found.set(name, plainText(value!, 100));
  }
  return found;
}

const isUsable = ({ state }: ListedDevice): boolean => state === 'device';

export class Devices {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #events: EventBus;
  readonly #intake: Intake;
  /** One thing at a time on each device, by its serial. */
  readonly #turns = new ContentLocks();

  constructor(store: Store, queue: JobQueue, events: EventBus, intake: Intake) {
    this.#store = store;
    this.#queue = queue;
    this.#events = events;
    this.#intake = intake;
  }

  /** The devices connected to this machine; a device that does not answer does not make this fail. */
  async list(): Promise<DeviceList> {
    const server = await this.#server();
    if (server === null) return { status: 'off', message: null, devices: [] };
    const signal = AbortSignal.timeout(answerPatience);
    try {
      const listed = await server.devices(signal);
      const devices = await Promise.all(listed.map((device) => this.#described(server, device, signal)));
      return { status: 'ok', message: null, devices };
    } catch (error) {
      if (!(error instanceof AdbError)) throw error;
      return { status: 'failed', message: error.message, devices: [] };
    }
  }

  /** @throws Failure `not-found`, `devices-off`, `device-unavailable` */
  async get(serial: string): Promise<DeviceView> {
    const { server, device } = await this.#listed(serial);
    return this.#described(server, device, AbortSignal.timeout(answerPatience));
  }

  /** @throws Failure `not-found`, `devices-off`, `device-unavailable` */
  async packages(serial: string, withSystem: boolean): Promise<DevicePackage[]> {
    const device = await this.usable(serial);
    try {
      return await packagesOf(device, withSystem, AbortSignal.timeout(packagesPatience));
    } catch (error) {
      throw error instanceof AdbError ? new Failure('device-unavailable', { reason: error.message }) : error;
    }
  }

  /**
   * Queues the import of what is installed.
   * @param packages by name; null: all that did not come with the device
   * @throws Failure `not-found`, `devices-off`, `device-unavailable`
   */
  async requestImport(account: AccountRecord, serial: string, packages: readonly string[] | null): Promise<JobRecord> {
    await this.usable(serial);
    const named = packages === null ? null : [...new Set(packages)];
    const payload = { serial, packages: named, accountId: account.id };
    const asked = { apkId: null, priority: jobPriorities.request, requestedBy: account.id };
    return (await this.#queue.enqueue({ kind: 'device_import', ...asked, payload })).job;
  }

  /** Runs the work when everything else under way on the device has ended. */
  inTurn<T>(serial: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.exclusively(serial, work);
  }

  /** The handler of `device_import` jobs. What came in before a fault stays. */
  readonly performImport: JobHandler<'device_import'> = ({ payload }, context): Promise<JobOutcome> => {
    return this.inTurn(payload.serial, async () => {
      try {
        return await this.#import(payload, context);
      } catch (error) {
        if (error instanceof AdbError) return { status: 'failed', code: 'device-lost', message: error.message };
        if (error instanceof Failure) return { status: 'failed', code: error.id, message: error.message };
        throw error;
      }
    });
  };

  async #import(
    { serial, packages, accountId }: JobPayload<'device_import'>,
    { signal, progress }: JobContext,
  ): Promise<JobOutcome> {
    const account = await this.#store.accounts.findById(accountId);
    if (account === null || account.isDisabled || !isAllowed(account, 'devices.use')) throw new Failure('not-allowed');
    const device = await this.usable(serial);
    progress('asking for the packages', 0);
    const names = packages ?? (await packagesOf(device, false, signal)).map(({ name }) => name);
    const refused = new Map<string, number>();
    const refuse = (reason: string) => refused.set(reason, (refused.get(reason) ?? 0) + 1);
    for (const [index, name] of names.entries()) {
      if (signal.aborted) break;
      progress(`${index + 1} of ${names.length}: ${name}`, index / names.length);
      const paths = await apkPathsOf(device, name, signal);
      if (paths.length === 0) refuse(`${name} is not installed.`);
      for (const path of paths) {
        const reason = await this.#importFile(device, path, account, signal);
        if (reason !== null) refuse(reason);
      }
    }
    if (refused.size === 0) return { status: 'done' };
    const told = [...refused].slice(0, maxReasons).map(([reason, times]) => `${times} × ${reason}`);
    return { status: 'failed', code: 'incomplete', message: `Not everything was imported: ${told.join(' ')}` };
  }

  /** @returns why the catalogue does not take it, null where it does. @throws AdbError where the device has left */
  async #importFile(
    device: AdbDevice,
    path: string,
    uploader: AccountRecord,
    signal: AbortSignal,
  ): Promise<string | null> {
    try {
      const options = { uploader, priority: 'import', signal } as const;
      const { apk } = await this.#intake.receiveApk(device.pull(path, signal), options);
      if (apk.isInstalled) return null;
      const changed = await this.#store.transaction(({ apks }) => apks.update(apk.id, { isInstalled: true }));
      if (changed !== null) this.#events.publish({ name: 'apk_updated', apk: changed });
      return null;
    } catch (error) {
      if (error instanceof AdbError && error.fault === 'file') return `The device refuses a file: ${error.message}.`;
      // The workstation's own state ends the job; what is wrong with one file does not.
      if (error instanceof Failure && error.id !== 'stopping') return error.message;
      throw error;
    }
  }

  /** The adb server as the settings are now, null where none is set. */
  async #server(): Promise<AdbServer | null> {
    const address = await readSetting(this.#store, 'device_address');
    return address === '' ? null : new AdbServer(address);
  }

  async #listed(serial: string): Promise<{ server: AdbServer; device: ListedDevice }> {
    if (!isSerial(serial)) throw new Failure('not-found');
    const server = await this.#server();
    if (server === null) throw new Failure('devices-off');
    try {
      const listed = await server.devices(AbortSignal.timeout(answerPatience));
      const device = listed.find((one) => one.serial === serial);
      if (device === undefined) throw new Failure('not-found');
      return { server, device };
    } catch (error) {
      throw error instanceof AdbError ? new Failure('device-unavailable', { reason: error.message }) : error;
    }
  }

  /** @throws Failure `not-found`, `devices-off`, `device-unavailable` */
  async usable(serial: string): Promise<AdbDevice> {
    const { server, device } = await this.#listed(serial);
    if (!isUsable(device)) {
      const hint = device.state === 'unauthorized' ? ': allow debugging on its screen' : '';
      throw new Failure('device-unavailable', { reason: `it is ${device.state}${hint}` });
    }
    return server.device(serial);
  }

  async #described(server: AdbServer, listed: ListedDevice, signal: AbortSignal): Promise<DeviceView> {
    const unknown = { ...listed, androidVersion: null, sdkVersion: null, abi: null };
    if (!isUsable(listed)) return unknown;
    try {
      const options = { signal, maxOutput: maxProperties, patience: answerPatience };
      const properties = propertiesOf((await server.device(listed.serial).shell('getprop', options)).output);
      const sdk = Number(properties.get('ro.build.version.sdk'));
      return {
        ...listed,
        model: properties.get('ro.product.model') ?? listed.model,
        androidVersion: properties.get('ro.build.version.release') ?? null,
        sdkVersion: Number.isInteger(sdk) && sdk > 0 && sdk < 1000 ? sdk : null,
        abi: properties.get('ro.product.cpu.abi') ?? null,
      };
    } catch (error) {
      // A device that does not say what it is stands in the list all the same.
      if (error instanceof AdbError) return unknown;
      throw error;
    }
  }
}
