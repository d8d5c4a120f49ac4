// One app's dynamic analysis from its file to its report. Knows no job and no store.
import { createHash } from 'node:crypto';
import type { DynamicReport, DynamicResult } from '../../../contract/engine/reports.ts';
import type { ByteSource } from '../../../vault/byte-source.ts';
import { type AppPackage, attempt, dexEntries, openPackage } from '../../app/app-package.ts';
import { isKnownLibrary } from '../../app/known-libraries.ts';
import { Findings } from '../../findings.ts';
import { type Dex, openDexContainer } from '../../formats/dex/dex.ts';
import { directedRun } from '../directed/directed-run.ts';
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
import { type IsOwn, isPlatformStub, ownMethods } from '../report/own-code.ts';
import { recorderOf } from '../report/recorder.ts';
import { type Inventory, SensitiveCalls } from '../report/sensitive-calls.ts';
import { unreachedCode } from '../report/unreached.ts';
import type { CannedResponse } from '../world/internet.ts';
import type { AppProcess } from './app-process.ts';
import { type Budget, usualBudget } from './budget.ts';
import { Exercise } from './exercise.ts';
import { type AppFile, changePhone, launch, platform } from './launch.ts';
import { otherRuntimes } from './other-runtimes.ts';
import { runPrograms } from './programs.ts';
import { typedScreens } from './typing.ts';

export interface DynamicOptions {
  readonly budget?: Partial<Budget>;
  /** What servers of the simulated internet answer, before the plausible defaults. */
  readonly responses?: readonly CannedResponse[];
  /** Split APKs that are installed with it. */
  readonly parts?: readonly { name: string; source: ByteSource }[];
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
  const parts = openParts(options.parts ?? [], findings);
  const dexFiles = [opened, ...parts].flatMap((each) => readDexFiles(each, findings));
  if (opened.resources !== null) opened.resources.join(parts.flatMap(({ resources }) => resources ?? []));
  const sensitive = new SensitiveCalls(() => machine);
  const machine: MachineHost = createMachine({
    ...platform,
    dexFiles,
    isWatched: sensitive.isWatched,
    onWatchedCall: (method, args, callerOf) => sensitive.note(method, args, callerOf()),
    limits: {
      cpuMilliseconds: budget.cpuMilliseconds,
      instructions: budget.instructions,
      loopInstructions: budget.loopInstructions,
      virtualMilliseconds: 30 * 24 * 3_600_000,
    },
    onUnmodelled: (what) => {
      if (unmodelled.has(what) || unmodelled.size < maxUnmodelled)
        unmodelled.set(what, (unmodelled.get(what) ?? 0) + 1);
    },
    onFailure: (error, where) => findings.add('analysis-model-failed', where, String(error)),
    onHang: (method) => recorderOf(machine).hung(method),
    onLoopLeft: (method) => recorderOf(machine).loopLeft(method),
    onThreadParked: (method) => recorderOf(machine).parked(method),
    onDexLoaded: (bytes, where) => recorderOf(machine).dexLoaded(where, bytes),
    onUncaught: (throwable) => noteCrash(machine, crashes, throwable, recorderOf(machine).component),
  });
  const recorder = recorderOf(machine);
  const file = { opened, parts, source, dexFiles, responses: options.responses ?? [], findings };
  if (opened.manifest !== null) {
    const appProcess = launch(machine, file);
    const { app } = appProcess;
    for (const { name, entry } of otherRuntimes(app.plan.entryNames))
      recorder.event('code', `has code for ${name} in ${entry}, which is not run`);
    app.onCrash = (error, where) => {
      if (!(error instanceof JavaThrow)) throw error;
      noteCrash(machine, crashes, error.throwable, where);
    };
    const phases = phasesOf(appProcess, dexFiles, budget.passes);
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
  const isOwn: IsOwn = (dex, descriptor) =>
    !dexFiles.includes(dex) || !(isKnownLibrary(descriptor, packageName) || isPlatformStub(dex, descriptor));
  const outcome = { ran: coverage.ran, manifest: opened.manifest, unmodelled, ends };
  const missed = new MissedCalls(outcome, ownMethods(coverage.dexFiles, isOwn), isOwn);
  const inventory = sensitive.inventory(coverage, isOwn, missed);
  const comparisons = opened.manifest === null ? [] : leadTo(inventory, file, typedScreens(machine), isOwn, budget);
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
    comparisons,
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

/**
 * Makes the calls that the app did not make by itself, as far as there is a way, and notes how.
 * @returns what the app compares with what is typed
 */
function leadTo(
  inventory: Inventory,
  file: AppFile,
  screens: ReadonlySet<string>,
  isOwn: IsOwn,
  budget: Budget,
): DynamicReport['comparisons'] {
  const missed = [...inventory.unreached.keys()].filter(({ dex }) => file.dexFiles.includes(dex));
  const { directedMilliseconds: cpuMilliseconds, loopInstructions } = budget;
  if ((missed.length === 0 && screens.size === 0) || cpuMilliseconds === 0) return [];
  const { reached, typed } = directedRun(file, missed, screens, isOwn, { cpuMilliseconds, loopInstructions });
  for (const [place, { state, values, inputs }] of reached) {
    const call = inventory.unreached.get(place)!;
    Object.assign(call, { state, values });
    if (inputs.length > 0) call.inputs = inputs;
    if (state === 'observed') call.reason = '';
  }
  return typed;
}

const identityOf = (bytes: Uint8Array) => ({
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
});

type Phase = readonly [stage: string, run: () => void];

/** What happens to the app, in its order. */
function phasesOf(appProcess: AppProcess, dexFiles: readonly Dex[], passes: number): Phase[] {
  const exercise = new Exercise(appProcess);
  const phases: Phase[] = [['start', () => appProcess.start()]];
  for (let pass = 0; pass < passes; pass++) {
    if (pass > 0) {
      phases.push(['rest', () => appProcess.rest(restMilliseconds)]);
      phases.push(['swap', () => rootPhone(appProcess.machine)]);
    }
    phases.push([`round ${pass + 1}`, () => exercise.pass(pass % 2 === 1)]);
  }
  phases.push(['programs', () => runPrograms(appProcess, dexFiles)]);
  phases.push(['end', () => appProcess.finish()]);
  return phases;
}

/** The second round has another phone. */
function rootPhone(machine: MachineHost): void {
  recorderOf(machine).event('user', 'went on with a rooted phone, where the app has all its permissions');
  changePhone(machine);
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

/** Class and message of a throwable, as its own toString() says them where that works. */
function describe(machine: MachineHost, throwable: JavaThrow['throwable']): string {
  try {
    return machine.toText(throwable).text;
  } catch (error) {
    if (!(error instanceof JavaThrow)) throw error;
    return throwable.cls.name;
  }
}

/** A part that cannot be opened is told, and the app runs without it. */
function openParts(parts: NonNullable<DynamicOptions['parts']>, findings: Findings): AppPackage[] {
  return parts.flatMap(({ name, source }) =>
    attempt(findings, name, [] as AppPackage[], () => [openPackage(source, findings)]),
  );
}
