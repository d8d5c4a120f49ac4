// One app's dynamic analysis from its file to its report. Knows no job and no store.
import { createHash } from 'node:crypto';
import type { DynamicReport, DynamicResult } from '../../../contract/engine/reports.ts';
import type { ByteSource } from '../../../vault/byte-source.ts';
import { type AppPackage, attempt, dexEntries, openPackage } from '../../app/app-package.ts';
import { isKnownLibrary } from '../../app/known-libraries.ts';
import { Findings } from '../../findings.ts';
import { readSigner } from '../../formats/apk-signature/verify.ts';
import { FormatError } from '../../formats/byte-reader.ts';
import { type Dex, openDexContainer } from '../../formats/dex/dex.ts';
import { frameworkClass } from '../android/class-hierarchy.ts';
import { type App, type AppPlan, installApp } from '../android/components/app.ts';
import { grantAllPermissions } from '../android/control/permissions.ts';
import { androidModels } from '../android/models.ts';
import { javaModels } from '../java/models.ts';
import { JavaThrow } from '../machine/heap.ts';
import { ProcessExit, RunEnd } from '../machine/limits.ts';
import { createMachine, type MachineHost } from '../machine/machine.ts';
import { throwableState } from '../machine/throwable-state.ts';
import { virtualFiles } from '../machine/virtual-files.ts';
import { behaviourFindings } from '../report/behaviour-findings.ts';
import { contactedPeers } from '../report/contacted-peers.ts';
import { cuckooParts } from '../report/cuckoo-parts.ts';
import { type RunFacts, writeReport } from '../report/droidbox.ts';
import { MissedCalls } from '../report/missed-calls.ts';
import { recorderOf } from '../report/recorder.ts';
import { SensitiveCalls } from '../report/sensitive-calls.ts';
import { unreachedCode } from '../report/unreached.ts';
import { shortImei } from '../world/device.ts';
import type { CannedResponse } from '../world/internet.ts';
import { worldStart } from '../world/people.ts';
import { setUpWorld, worldOf } from '../world/world.ts';
import { AppProcess } from './app-process.ts';
import { type Budget, usualBudget } from './budget.ts';
import { Exercise } from './exercise.ts';
import { commandWords } from './keywords.ts';
import { otherRuntimes } from './other-runtimes.ts';
import { watchUnmodelledCalls } from './unmodelled-callbacks.ts';

export interface DynamicOptions {
  readonly budget?: Partial<Budget>;
  /** What servers of the simulated internet answer, before the plausible defaults. */
  readonly responses?: readonly CannedResponse[];
  readonly progress?: (stage: string, done: number) => void;
}

/** Between the two rounds days pass without use, so that code that waits for a date runs. */
const restMilliseconds = 3 * 24 * 3_600_000;
const maxUnmodelled = 2_000;
const maxCrashes = 200;
/** Causes of causes; a program can make them a ring. */
const maxCauses = 20;

type Crashes = DynamicReport['crashes'];

/**
 * Runs an app and reports what it did.
 * @throws FormatError `not-a-zip`, `zip-limit`, `no-manifest` where there is no Android app in the file
 */
export function analyzeDynamic(source: ByteSource, options: DynamicOptions = {}): DynamicResult {
  const started = performance.now();
  const findings = new Findings();
  const opened = openPackage(source, findings);
  const budget = { ...usualBudget, ...options.budget };
  const unmodelled = new Map<string, number>();
  const crashes: Crashes = [];
  const ends = new Set<string>();
  const dexFiles = readDexFiles(opened, findings);
  const sensitive = new SensitiveCalls(() => machine);
  const machine: MachineHost = createMachine({
    dexFiles,
    isWatched: sensitive.isWatched,
    onWatchedCall: (method, args, caller) => sensitive.note(method, args, caller),
    models: [androidModels, javaModels],
    platformClass: frameworkClass,
    limits: {
      cpuMilliseconds: budget.cpuMilliseconds,
      instructions: budget.instructions,
      loopInstructions: budget.loopInstructions,
      virtualMilliseconds: 30 * 24 * 3_600_000,
    },
    startDate: worldStart,
    onUnmodelled: (what) => {
      if (unmodelled.has(what) || unmodelled.size < maxUnmodelled)
        unmodelled.set(what, (unmodelled.get(what) ?? 0) + 1);
    },
    onFailure: (error, where) => findings.add('analysis-model-failed', where, String(error)),
    onHang: (method) => recorderOf(machine).hung(method),
    onLoopLeft: (method) => recorderOf(machine).loopLeft(method),
    onDexLoaded: (bytes, where) => recorderOf(machine).dexLoaded(where, bytes),
    onUncaught: (throwable) => noteCrash(machine, crashes, throwable, recorderOf(machine).component),
  });
  const recorder = recorderOf(machine);
  const app = opened.manifest === null ? null : install(machine, opened, findings);
  if (app !== null) {
    setUpWorld(machine, options.responses ?? []);
    placeFiles(machine, app, source);
    for (const { name, entry } of otherRuntimes(app.plan.entryNames))
      recorder.event('code', `has code for ${name} in ${entry}, which is not run`);
    watchUnmodelledCalls(machine);
    for (const word of machine.state('driver.keywords', () => commandWords(dexFiles)))
      worldOf(machine).prompts.own(word);
    app.onCrash = (error, where) => {
      if (!(error instanceof JavaThrow)) throw error;
      noteCrash(machine, crashes, error.throwable, where);
    };
    const phases = phasesOf(new AppProcess(machine, app), budget.passes);
    for (const [index, [stage, run]] of phases.entries()) {
      options.progress?.(stage, index / phases.length);
      if (!within(run, ends)) break;
    }
  }
  for (const limit of ends) recorder.limits.add(limit);
  const wallMilliseconds = Math.round(performance.now() - started);
  const coverage = machine.coverage;
  const packageName = opened.manifest?.packageName ?? '';
  // What the app loads is nobody's library.
  const isOwn = (dex: Dex, descriptor: string) => !dexFiles.includes(dex) || !isKnownLibrary(descriptor, packageName);
  const outcome = { coverage, manifest: opened.manifest, unmodelled, ends };
  const inventory = sensitive.inventory(coverage, isOwn, new MissedCalls(outcome, isOwn));
  if (inventory.isFull) recorder.limits.add('sensitive-calls');
  const facts: RunFacts = {
    packageName,
    instructions: machine.instructions,
    wallMilliseconds,
    virtualSeconds: machine.clock.elapsed / 1000,
    coverage,
    sensitive: inventory,
    unreached: unreachedCode(dexFiles, coverage, opened.manifest),
    unmodelled,
    crashes,
  };
  recorder.left.end(virtualFiles(machine));
  const artefacts = recorder.left.artefacts.map((artefact) => ({ ...artefact, ...identityOf(artefact.bytes) }));
  if (ends.size > 0) findings.add('analysis-incomplete', 'dynamic', `ended by: ${[...ends].join(', ')}`, 'info');
  const report = writeReport(recorder, facts, artefacts);
  const seen = behaviourFindings(report);
  return {
    dynamic: { ...report, findings: seen, indicators: contactedPeers(report) },
    cuckoo: cuckooParts(recorder),
    artefacts: artefacts.flatMap(({ sha256, bytes, path, ways }) =>
      ways.map((way) => ({ sha256, bytes, path, ...way })),
    ),
    findings: [...seen, ...findings.list()],
    timings: { dynamic: wallMilliseconds },
  };
}

const identityOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

type Phase = readonly [stage: string, run: () => void];

/** What happens to the app, in its order. */
function phasesOf(appProcess: AppProcess, passes: number): Phase[] {
  const exercise = new Exercise(appProcess);
  const phases: Phase[] = [['start', () => appProcess.start()]];
  for (let pass = 0; pass < passes; pass++) {
    if (pass > 0) {
      phases.push(['rest', () => appProcess.rest(restMilliseconds)]);
      phases.push(['swap', () => useOtherPhone(appProcess.machine)]);
    }
    phases.push([`round ${pass + 1}`, () => exercise.pass(pass % 2 === 1)]);
  }
  phases.push(['end', () => appProcess.finish()]);
  return phases;
}

/** Adds an exception that would have ended the app to the report's crashes, as far as there is room. */
function noteCrash(machine: MachineHost, crashes: Crashes, throwable: JavaThrow['throwable'], where: string): void {
  if (crashes.length >= maxCrashes) return;
  let message = describe(machine, throwable);
  // The cause of an error tells what failed in a class's initialiser.
  let root = throwable;
  for (let depth = 0; depth < maxCauses; depth++) root = throwableState(root).cause ?? root;
  if (root !== throwable) message += `, caused by ${describe(machine, root)}`;
  const { trace, model } = throwableState(root);
  const at = trace.find(({ method }) => method.owner.isApp)?.method;
  crashes.push({
    time: machine.clock.elapsed / 1000,
    component: where,
    exception: message.slice(0, 500),
    at: at === undefined ? '' : `${at.owner.name}.${at.name}`,
    thrown_by: model === null ? 'app' : 'model',
    ...(model === null ? {} : { model: `${model.owner.name}.${model.name}` }),
  });
}

/** The second round has another phone: another IMEI, all permissions granted, root available. */
function useOtherPhone(machine: MachineHost): void {
  recorderOf(machine).event('user', 'went on with a rooted phone, where the app has all its permissions');
  grantAllPermissions(machine);
  const world = worldOf(machine);
  world.device = { ...world.device, imei: shortImei };
  world.hasRoot = true;
}

/** Runs a phase; false where the run is over. */
function within(run: () => void, ends: Set<string>): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof RunEnd) {
      ends.add(error.limit);
      return false;
    }
    // An app that ends itself is started again by the next event on a phone; here the next phase goes on.
    if (error instanceof ProcessExit) return true;
    if (error instanceof RangeError) {
      ends.add('stack');
      return true;
    }
    throw error;
  }
}

function readDexFiles({ archive }: AppPackage, findings: Findings): Dex[] {
  return dexEntries(archive).flatMap((entry) =>
    attempt(findings, entry.name, [] as Dex[], () => openDexContainer(archive.read(entry), findings, entry.name)),
  );
}

function install(machine: MachineHost, { archive, manifest, resources }: AppPackage, findings: Findings): App {
  const packageName = manifest!.packageName;
  const plan: AppPlan = {
    manifest: manifest!,
    resources,
    readEntry: (name) => {
      const entry = archive.get(name);
      if (entry === undefined) return null;
      try {
        return archive.read(entry);
      } catch (error) {
        if (!(error instanceof FormatError || error instanceof RangeError)) throw error;
        findings.add('analysis-incomplete', name, error.message, 'info');
        return null;
      }
    },
    entryNames: archive.entries.map(({ name }) => name),
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

/** Class and message of a throwable, as its own toString() says them where that works. */
function describe(machine: MachineHost, throwable: JavaThrow['throwable']): string {
  try {
    return machine.toText(throwable).text;
  } catch (error) {
    if (!(error instanceof JavaThrow)) throw error;
    return throwable.cls.name;
  }
}
