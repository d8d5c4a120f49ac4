// Installs an app in a machine with a world around it, ready to start. Knows no order of events and no report.
import type { ByteSource } from '../../../vault/byte-source.ts';
import type { AppPackage } from '../../app/app-package.ts';
import type { Findings } from '../../findings.ts';
import { readSigner } from '../../formats/apk-signature/verify.ts';
import { FormatError } from '../../formats/byte-reader.ts';
import type { Dex } from '../../formats/dex/dex.ts';
import { frameworkClass } from '../android/class-hierarchy.ts';
import { type App, type AppPlan, installApp } from '../android/components/app.ts';
import { grantAllPermissions } from '../android/control/permissions.ts';
import { fillEmptyTables } from '../android/data/sqlite.ts';
import { androidModels } from '../android/models.ts';
import { javaModels } from '../java/models.ts';
import type { MachineHost } from '../machine/machine.ts';
import { virtualFiles } from '../machine/virtual-files.ts';
import { shortImei } from '../world/device.ts';
import type { CannedResponse } from '../world/internet.ts';
import { worldStart } from '../world/people.ts';
import { setUpWorld, worldOf } from '../world/world.ts';
import { AppProcess } from './app-process.ts';
import { commandWords } from './keywords.ts';
import { watchUnmodelledCalls } from './unmodelled-callbacks.ts';

/** Of every machine that runs an app. */
export const platform = {
  models: [androidModels, javaModels],
  platformClass: frameworkClass,
  startDate: worldStart,
};

/** An app's file, opened. */
export interface AppFile {
  readonly opened: AppPackage;
  /** Split APKs that are installed with it. */
  readonly parts: readonly AppPackage[];
  readonly source: ByteSource;
  readonly dexFiles: readonly Dex[];
  /** What servers of the simulated internet answer, before the plausible defaults. */
  readonly responses: readonly CannedResponse[];
  readonly findings: Findings;
}

/** Puts an app on a phone, not yet started. @throws where the file has no manifest */
export function launch(machine: MachineHost, file: AppFile): AppProcess {
  const app = install(machine, file);
  setUpWorld(machine, file.responses);
  placeFiles(machine, app, file.source);
  watchUnmodelledCalls(machine);
  for (const word of machine.state('driver.keywords', () => commandWords(file.dexFiles)))
    worldOf(machine).prompts.own(word);
  return new AppProcess(machine, app);
}

/** Another phone, which somebody has used: another IMEI, all permissions granted, root available, entries in all tables. */
export function changePhone(machine: MachineHost): void {
  grantAllPermissions(machine);
  fillEmptyTables(machine);
  const world = worldOf(machine);
  world.device = { ...world.device, imei: shortImei };
  world.hasRoot = true;
}

function install(machine: MachineHost, { opened, parts, findings }: AppFile): App {
  const { archive, manifest, resources } = opened;
  const archives = [archive, ...parts.map((part) => part.archive)];
  const packageName = manifest!.packageName;
  const plan: AppPlan = {
    manifest: manifest!,
    resources,
    readEntry: (name) => {
      const holder = archives.find((one) => one.get(name) !== undefined);
      if (holder === undefined) return null;
      try {
        return holder.read(holder.get(name)!);
      } catch (error) {
        if (!(error instanceof FormatError || error instanceof RangeError)) throw error;
        findings.add('analysis-incomplete', name, error.message, 'info');
        return null;
      }
    },
    entryNames: [...new Set(archives.flatMap(({ entries }) => entries.map(({ name }) => name)))],
    path: `/data/app/${packageName}-1/base.apk`,
    certificate: readSigner(archive)?.certificate.encoded ?? null,
  };
  return installApp(machine, plan);
}

/** The installed APK, its native libraries and the app's own folder. */
function placeFiles(machine: MachineHost, app: App, source: ByteSource): void {
  const files = virtualFiles(machine);
  for (const folder of ['files', 'cache', 'shared_prefs', 'databases', 'code_cache'])
    files.addDirectory(`${app.dataFolder}/${folder}`);
  files.addFile(app.plan.path, () => source.read(0, source.size), { isReadOnly: true });
  files.addFile('/proc/self/cmdline', Buffer.from(`${app.packageName}\0`), { isReadOnly: true });
  const folder = app.plan.path.replace(/\/[^/]*$/, '');
  for (const name of app.plan.entryNames) {
    const library = /^lib\/(?:arm64-v8a|armeabi-v7a|armeabi)\/([^/]+\.so)$/.exec(name)?.[1];
    if (library === undefined) continue;
    const content = () => app.plan.readEntry(name) ?? new Uint8Array(0);
    files.addFile(`${folder}/lib/arm64/${library}`, content, { isReadOnly: true });
    files.addFile(`${app.dataFolder}/lib/${library}`, content, { isReadOnly: true });
  }
}
