// Runs an app on a device: installs, launches, drives, watches, and always takes it off again. Knows no catalogue.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineVersion } from '../../../contract/engine/engine-version.ts';
import { type CuckooParts, type DynamicReport, emptyDynamicLists } from '../../../contract/engine/reports.ts';
import type { Artefact } from '../../../vault/packed-artefacts.ts';
import { AdbError, plainText } from './adb-connection.ts';
import type { AdbDevice } from './adb-server.ts';
import {
  connectionsOf,
  crashesOf,
  isProgram,
  logLinesOf,
  maxLogLines,
  processesOf,
  uidOf,
} from './device-observation.ts';
import { apkPathsOf, isPackageName, packagesOf } from './device-packages.ts';

export interface DeviceRunPlan {
  packageName: string;
  apk: AsyncIterable<Uint8Array>;
  /** How long it is driven. */
  seconds: number;
  signal: AbortSignal;
  progress(stage: string, done: number): void;
}

/** What was seen, with `engine.source` `device`, and the files of code that the app wrote. */
export interface DeviceRunResult {
  report: DynamicReport;
  left: Artefact[];
}

/** The app cannot be run on this device; nothing was left on it. */
export class DeviceRefusal extends Error {}

/** Milliseconds for an installation: the device compiles the app. */
const installPatience = 300_000;
const uninstallPatience = 20_000;
/** Milliseconds between two looks at processes and sockets. */
const lookInterval = 1_000;
/** Events of one burst of the monkey, and milliseconds between them. */
const burst = 25;
const throttle = 100;
const maxCommands = 200;
const maxFiles = 200;
const maxReadFiles = 20;
/** Bytes of a written file that the report shows. */
const maxFileData = 4_096;
/** Of a file whose content the report does not show. */
const maxCodeStart = 16;
/** Bytes of all files of code that are kept of a run. */
const maxLeftBytes = 32 * 1024 ** 2;
const logTail = 20_000;
const maxLogBytes = 16 * 1024 ** 2;

/** What phones tell apps often, as far as a shell may say it; the device refuses the rest. */
const broadcasts = [
  'android.intent.action.BOOT_COMPLETED',
  'android.intent.action.USER_PRESENT',
  'android.net.conn.CONNECTIVITY_CHANGE',
  'android.intent.action.ACTION_POWER_CONNECTED',
  'android.provider.Telephony.SMS_RECEIVED',
] as const;

const round = (seconds: number) => Math.round(Math.max(0, seconds) * 1000) / 1000;

/** Ends the app and takes it off the device. @returns whether the device has it no more. @throws AdbError */
export async function takeOff(device: AdbDevice, packageName: string): Promise<boolean> {
  // Not the job's own signal: what was cancelled is taken off too.
  const signal = AbortSignal.timeout(uninstallPatience);
  await device.shell(`am force-stop ${packageName}`, { signal });
  await device.shell(`pm uninstall ${packageName}`, { signal, patience: uninstallPatience });
  return (await apkPathsOf(device, packageName, signal)).length === 0;
}

async function install(device: AdbDevice, { packageName, apk, signal }: DeviceRunPlan): Promise<void> {
  const path = `/data/local/tmp/apk-workstation-${packageName}.apk`;
  try {
    await device.push(apk, path, signal);
    let said = '';
    // The first form is of Android 14, which refuses apps for very old versions otherwise; older ones do not know it.
    for (const more of [' --bypass-low-target-sdk-block', '']) {
      const command = `pm install -t -g${more} ${path}`;
      const { output, exitCode } = await device.shell(command, { signal, patience: installPatience });
      if (exitCode === 0 && /^Success\b/m.test(output)) return;
      said = plainText(output) || `exit ${exitCode}`;
      if (!/unknown option/i.test(output)) break;
    }
    throw new DeviceRefusal(`The device does not install it: ${said}`);
  } finally {
    await device.shell(`rm -f ${path}`, { signal: AbortSignal.timeout(uninstallPatience) }).catch(() => undefined);
  }
}

/** How what could be loaded, installed or run begins: DEX, ZIP, ELF, a script with its interpreter. */
const codeStarts = ['dex\n', 'PK\x03\x04', '\x7fELF', '#!/'].map((start) => Buffer.from(start, 'latin1'));
const isCode = (bytes: Buffer): boolean => codeStarts.some((start) => bytes.subarray(0, start.length).equals(start));

/** Text as it is, anything else as lower-case hex. */
function dataText(bytes: Buffer): string {
  const text = bytes.toString();
  return /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffd]/.test(text) ? bytes.toString('hex') : text;
}

/** The first bytes of a file, at most so many; none where the shell may not read it. */
async function bytesOf(device: AdbDevice, path: string, most: number, signal: AbortSignal): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of device.pull(path, signal)) {
      pieces.push(piece);
      size += piece.length;
      if (size >= most) break;
    }
  } catch (error) {
    // A file that the shell may not read has its name in the report.
    if (!(error instanceof AdbError) || error.fault !== 'file') throw error;
  }
  return Buffer.concat(pieces).subarray(0, most);
}

class Observation {
  readonly #device: AdbDevice;
  readonly #plan: DeviceRunPlan;
  readonly #uid: number;
  /** Milliseconds of this machine, and seconds of the device's clock, at the start. */
  readonly #began = performance.now();
  readonly #deviceStart: number;
  readonly #pids = new Set<number>();
  readonly #connections = new Map<string, DynamicReport['opennet'][number]>();
  readonly #commands: DynamicReport['commands'] = [];
  readonly #received: DynamicReport['recvsaction'] = [];
  readonly #timeline: DynamicReport['timeline'] = [];
  readonly #left: Artefact[] = [];
  #leftBytes = 0;

  constructor(device: AdbDevice, plan: DeviceRunPlan, uid: number, deviceStart: number) {
    this.#device = device;
    this.#plan = plan;
    this.#uid = uid;
    this.#deviceStart = deviceStart;
  }

  get #elapsed(): number {
    return round((performance.now() - this.#began) / 1000);
  }

  #observed(time = this.#elapsed, pid = [...this.#pids].at(-1) ?? 0, tid = pid) {
    return { pid, tid, processname: this.#plan.packageName, time };
  }

  #note(category: string, summary: string, time = this.#elapsed): void {
    this.#timeline.push({ time, component: this.#plan.packageName, category, summary });
  }

  async #shell(command: string) {
    return this.#device.shell(command, { signal: this.#plan.signal, patience: 60_000 });
  }

  async #look(): Promise<void> {
    const { output: processes } = await this.#shell('ps -A -o UID,PID,ARGS');
    for (const { pid, command } of processesOf(processes, this.#uid)) {
      if (isProgram(command, this.#plan.packageName)) this.#ran(pid, command);
      this.#pids.add(pid);
    }
    const { output } = await this.#shell('cat /proc/net/tcp /proc/net/tcp6');
    for (const { host, port } of connectionsOf(output, this.#uid)) {
      const key = `${host} ${port}`;
      if (this.#connections.has(key)) continue;
      this.#connections.set(key, { desthost: host, destport: port, ...this.#observed() });
      this.#note('network', `connection to ${host} port ${port}`);
    }
  }

  #ran(pid: number, command: string): void {
    if (this.#pids.has(pid) || this.#commands.length >= maxCommands) return;
    const line = plainText(command, 1000);
    this.#commands.push({ command: line, ...this.#observed(this.#elapsed, pid) });
    this.#note('command', `ran ${line.slice(0, 300)}`);
  }

  async drive(): Promise<void> {
    const { packageName, seconds, progress, signal } = this.#plan;
    this.#note('life cycle', 'launched');
    await this.#shell(`monkey -p ${packageName} -c android.intent.category.LAUNCHER 1`);
    for (let turn = 0; turn === 0 || this.#elapsed < seconds; turn++) {
      signal.throwIfAborted();
      progress('running the app', 0.2 + 0.6 * Math.min(1, this.#elapsed / seconds));
      await this.#look();
      const action = broadcasts[turn];
      if (action !== undefined) {
        const { exitCode } = await this.#shell(`am broadcast -a ${action} -p ${packageName}`);
        if (exitCode === 0) {
          this.#received.push({ name: packageName, action, ...this.#observed() });
          this.#note('broadcast', action);
        }
      }
      const patient = '--ignore-crashes --ignore-timeouts --ignore-security-exceptions';
      await this.#shell(`monkey -p ${packageName} ${patient} --throttle ${throttle} -s ${turn + 1} ${burst}`);
      await this.#look();
      await sleep(Math.min(lookInterval, Math.max(0, seconds - this.#elapsed) * 1000), undefined, { signal });
    }
  }

  async #writtenFiles(limits: string[]): Promise<DynamicReport['fileswritten']> {
    const { packageName, signal } = this.#plan;
    const folders = [`/sdcard/Android/data/${packageName}`, `/sdcard/Android/media/${packageName}`];
    const { output } = await this.#shell(`find ${folders.join(' ')} -type f 2>/dev/null`);
    const paths = output.split(/\r?\n/).filter((path) => folders.some((folder) => path.startsWith(`${folder}/`)));
    if (paths.length > maxFiles) limits.push('files');
    const files: DynamicReport['fileswritten'] = [];
    for (const path of paths.slice(0, maxFiles)) {
      const start = await bytesOf(this.#device, path, files.length < maxReadFiles ? maxFileData : maxCodeStart, signal);
      const data = files.length < maxReadFiles ? dataText(start) : '';
      files.push({ name: plainText(path, 1000), data, ...this.#observed() });
      if (isCode(start)) await this.#keep(path, limits);
      this.#note('file', `wrote ${plainText(path, 300)}`);
    }
    return files;
  }

  /** Keeps a written file whole, as far as there is room. */
  async #keep(path: string, limits: string[]): Promise<void> {
    const room = maxLeftBytes - this.#leftBytes;
    const bytes = await bytesOf(this.#device, path, room + 1, this.#plan.signal);
    if (bytes.length > room) {
      limits.push('artefacts');
      return;
    }
    this.#leftBytes += bytes.length;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.#left.push({ sha256, bytes, path: plainText(path, 1000), action: 'written', by: null });
  }

  async result(androidVersion: string): Promise<DeviceRunResult> {
    const limits: string[] = [];
    return { report: await this.#report(androidVersion, limits), left: this.#left };
  }

  async #report(androidVersion: string, limits: string[]): Promise<DynamicReport> {
    const { signal, packageName } = this.#plan;
    const command = `logcat -d -v threadtime -v epoch -t ${logTail}`;
    const { output } = await this.#device.shell(command, { signal, patience: 60_000, maxOutput: maxLogBytes });
    const lines = logLinesOf(output, this.#pids, this.#deviceStart);
    if (lines.length >= maxLogLines) limits.push('log');
    const fileswritten = await this.#writtenFiles(limits);
    const crashes = crashesOf(lines, this.#deviceStart, packageName);
    for (const { time, exception } of crashes) this.#note('crash', exception, round(time));
    return {
      // A device tells only some of what the interpreter sees.
      ...emptyDynamicLists(),
      coverage: noCoverage,
      fileswritten,
      opennet: [...this.#connections.values()],
      recvsaction: this.#received,
      commands: this.#commands,
      log: lines.map(({ level, tag, message, time, pid, tid }) => {
        return { level, tag, message, ...this.#observed(round(time - this.#deviceStart), pid, tid) };
      }),
      timeline: this.#timeline.toSorted((a, b) => a.time - b.time),
      crashes,
      artefacts: this.#left.map(({ sha256, bytes, path }) => ({ sha256, size: bytes.length, kind: 'written', path })),
      limits: [...new Set(limits)],
      engine: {
        version: engineVersion,
        instructions: 0,
        wall_ms: Math.round(performance.now() - this.#began),
        virtual_seconds: this.#elapsed,
        source: 'device',
        device: { serial: this.#device.serial, android_version: androidVersion },
      },
    };
  }
}

const noCoverage: DynamicReport['coverage'] = {
  methods_total: 0,
  methods_executed: 0,
  instructions_total: 0,
  instructions_executed: 0,
  unreached: [],
};

/** What a run tells of the cuckoo report's parts: no names of hosts, no requests. */
export function networkAndFiles({ opennet, fileswritten }: DynamicReport): CuckooParts {
  const tcp = opennet.map(({ desthost, destport, time }) => ({ dst: desthost, dport: destport, time }));
  const hosts = [...new Set(opennet.map(({ desthost }) => desthost))];
  return {
    network: { http: [], dns: [], domains: [], hosts, tcp, udp: [], smtp: [], irc: [] },
    behavior: { summary: { files: fileswritten.map(({ name }) => name), keys: [], mutexes: [] } },
  };
}

/** @throws DeviceRefusal, AdbError. What is installed is the caller's to take off: `takeOff` */
export async function runOnDevice(device: AdbDevice, plan: DeviceRunPlan): Promise<DeviceRunResult> {
  const { packageName, signal, progress } = plan;
  if (!isPackageName(packageName)) throw new DeviceRefusal('The APK has no package name that a device would take.');
  const namesOn = async () => (await packagesOf(device, false, signal)).map(({ name }) => name);
  const before = new Set(await namesOn());
  progress('installing', 0.05);
  await install(device, plan);
  const { output: listed } = await device.shell(`pm list packages -U ${packageName}`, { signal });
  const uid = uidOf(listed, packageName);
  if (uid === null) {
    // A manifest may be made so that the device reads another name from it than we do.
    const strangers = (await namesOn()).filter((name) => !before.has(name));
    for (const name of strangers) await takeOff(device, name);
    const told = strangers.length === 0 ? 'nothing new' : `${strangers.join(', ')}, which was taken off again`;
    throw new DeviceRefusal(`Not ${packageName} came onto the device, but ${told}.`);
  }
  const { output: clock } = await device.shell('date +%s', { signal });
  const { output: release } = await device.shell('getprop ro.build.version.release', { signal });
  const observation = new Observation(device, plan, uid, Number(/^\d{1,12}/.exec(clock)?.[0] ?? 0));
  await observation.drive();
  progress('reading what it did', 0.85);
  return observation.result(plainText(release, 40));
}
