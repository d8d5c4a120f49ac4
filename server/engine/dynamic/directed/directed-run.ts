// A second run of an app, led to the sensitive calls that it did not make by itself: first by what it is told from outside,
// then by force. What it does there is in no report but as the state of those calls.
import type { AppMethod, AppMethods } from '../../code/app-methods.ts';
import { type MethodBody, waysOn } from '../../code/method-body.ts';
import type { AppProcess } from '../driver/app-process.ts';
import { Exercise } from '../driver/exercise.ts';
import { type AppFile, changePhone, launch, platform } from '../driver/launch.ts';
import { JavaThrow } from '../machine/heap.ts';
import { ProcessExit, RunEnd } from '../machine/limits.ts';
import { createMachine, type MachineHost } from '../machine/machine.ts';
import { literalsOf } from '../machine/preparation.ts';
import type { PreparedMethod } from '../machine/prepared-method.ts';
import { type Obstacle, Obstacles } from '../report/obstacles.ts';
import { type IsOwn, ownMethods } from '../report/own-code.ts';
import { recorderOf } from '../report/recorder.ts';
import type { MissedCall, ReachedCall } from '../report/sensitive-calls.ts';
import { crossings } from './crossings.ts';
import { Guide } from './guide.ts';
import type { Crossing } from './inversion.ts';
import type { Instead } from './told-values.ts';
import type { Trial } from './trial.ts';
import { type TypedComparison, TypedTexts } from './typed-texts.ts';
import { valuePlaces } from './value-places.ts';
import { wantedConstants, wantedValues } from './wanted-values.ts';

export interface DirectedBudget {
  readonly cpuMilliseconds: number;
  readonly loopInstructions: number;
}

/** Share of the time in which the app is used as before, to see what its branches go by. */
const lookingShare = 0.35;
/** Share of the time in which calls are sought by what the app is told, and the rest by force. */
const solvingShare = 0.6;
/** Milliseconds of the processor in which is sought what has to be typed. */
const typingMilliseconds = 800;
/** Rounds over all places that are left: each gets at most one obstacle further. */
const maxRounds = 12;
/** Branches that decide what another one compares. */
const maxDecided = 3;
/** Obstacles that are forced on the way to one place. */
const maxForced = 10;
const maxTrials = 2_000;
const maxSolvedInstructions = 500_000_000;

/**
 * @param missed places that the first run did not reach, in the file's own dex files
 * @param screens on which something was typed
 * @param isOwn whether a class of a dex file is the app's own and no known library's
 * @returns what became of those that were reached, and what the app compared with what was typed
 */
export function directedRun(
  file: AppFile,
  missed: readonly MissedCall[],
  screens: ReadonlySet<string>,
  isOwn: IsOwn,
  budget: DirectedBudget,
): { reached: Map<MissedCall, ReachedCall>; typed: TypedComparison[] } {
  const guide: Guide = new Guide(missed, () => ({ machine, where: recorderOf(machine).component }));
  const machine: MachineHost = createMachine({
    ...platform,
    dexFiles: file.dexFiles,
    isWatched: guide.isWatched,
    onWatchedCall: (method, args, callerOf) => guide.called(method, args, callerOf),
    director: guide,
    limits: {
      cpuMilliseconds: budget.cpuMilliseconds,
      instructions: maxSolvedInstructions,
      loopInstructions: budget.loopInstructions / 10,
      virtualMilliseconds: 365 * 24 * 3_600_000,
    },
  });
  const process = launch(machine, file);
  process.app.onCrash = (error) => {
    if (!(error instanceof JavaThrow)) throw error;
  };
  guide.begin(process.app, file.dexFiles);
  const search = new Search(process, guide, file, missed, isOwn);
  try {
    process.start();
    changePhone(machine);
    if (missed.length > 0) new Exercise(process).pass(false, budget.cpuMilliseconds * lookingShare);
    else for (const screen of screens) new Exercise(process).again(screen);
    search.solve(budget.cpuMilliseconds * solvingShare);
    if (screens.size > 0) search.typed.solve(typingMilliseconds);
    search.force();
    search.call();
  } catch (error) {
    // The report of the first run stands, whatever happens here.
    if (!(error instanceof RunEnd || error instanceof ProcessExit || error instanceof RangeError))
      file.findings.add('analysis-model-failed', 'directed run', String(error));
  }
  return { reached: guide.reached, typed: search.typed.found };
}

const nothingForced: NonNullable<Trial['forced']> = { redirects: [], passed: new Map() };

/** An obstacle as it is told from others. */
function keyOf(obstacle: Exclude<Obstacle, { kind: 'none' }>): string {
  const { kind, method } = obstacle;
  const at = kind === 'uncalled' ? '' : obstacle.at;
  const beyond = 'to' in obstacle ? obstacle.to : 'callee' in obstacle ? obstacle.callee.key : '';
  return `${kind} ${method.key} ${at} ${beyond}`;
}

/** Looks for ways to the places that are left. */
class Search {
  readonly #process: AppProcess;
  readonly #guide: Guide;
  readonly #missed: readonly MissedCall[];
  readonly #methods: AppMethods;
  readonly #isOwn: IsOwn;
  readonly #tried = new Set<string>();
  /** What the app compares with what is typed. */
  readonly typed: TypedTexts;
  #trials = 0;

  constructor(process: AppProcess, guide: Guide, file: AppFile, missed: readonly MissedCall[], isOwn: IsOwn) {
    this.#process = process;
    this.#guide = guide;
    this.#missed = missed;
    this.#isOwn = isOwn;
    this.#methods = ownMethods(file.dexFiles, isOwn);
    this.typed = new TypedTexts({
      guide,
      methods: this.#methods,
      run: (trial) => this.#run(trial),
      ciphers: () => recorderOf(process.machine).notes.cryptousage,
    });
  }

  #crossings(): Crossing[] {
    return crossings(recorderOf(this.#process.machine).notes.cryptousage);
  }

  /** Tells the app what its branches ask for, until nothing new is to be tried. @param milliseconds of the processor */
  solve(milliseconds: number): void {
    const isSpent = () => this.#guide.cpuMilliseconds > milliseconds || this.#trials >= maxTrials;
    for (let round = 0; round < maxRounds; round++) {
      const before = this.#trials;
      const obstacles = this.#obstacles();
      for (const call of this.#left()) {
        for (const trial of this.#solutions(obstacles.before(call), obstacles)) {
          if (isSpent()) return;
          if (this.#guide.reached.has(call)) continue;
          this.#run(trial);
          // What the app kept from before may stand in the way.
          if (!this.#guide.hasDecided(trial)) this.#run({ ...trial, isAnew: true });
        }
      }
      if (this.#trials === before) return;
    }
  }

  /** Trials in which a branch should go the other way, by what the app is told. */
  #solutions(obstacle: Obstacle, obstacles: Obstacles, depth = 0): Trial[] {
    if (obstacle.kind !== 'branch') return [];
    const { method, at, to } = obstacle;
    const prepared = this.#guide.codeOf(method);
    const body = this.#methods.definitionsOf(method)?.body;
    if (prepared === null || body === undefined) return [];
    const [position, wanted] = [body.positions[at]!, body.positions[to]!];
    const { texts } = literalsOf(prepared.method);
    const entry = this.#guide.entryOf(method);
    const direct = this.#guide.decisions.at(prepared, position).flatMap((decision) =>
      wantedValues(decision, body, position, wanted, texts, this.#crossings()).flatMap(({ place, value }) => {
        const instead: Instead = new Map([...decision.trial.instead, [place.words, value]]);
        const key = JSON.stringify([entry.where, [...instead].map(([words, each]) => [words, String(each)])]);
        return this.#isNew(key) ? [{ entry, instead, forced: null, at: { prepared, position } }] : [];
      }),
    );
    // Or what the branch compares was itself decided by a branch, as in a method that answers yes or no.
    const fits = depth < maxDecided ? wantedConstants(body, position, wanted) : null;
    const before = fits === null ? [] : valuePlaces(this.#methods, method, position, fits);
    return [...direct, ...before.flatMap((place) => this.#solutions(obstacles.before(place), obstacles, depth + 1))];
  }

  /** Forces the branches on the way to each place, one more in each round. */
  force(): void {
    const ways = new Map<MissedCall, Way>();
    for (let round = 0; round < maxForced; round++) {
      let hasTried = false;
      const obstacles = this.#obstacles();
      for (const call of this.#left()) {
        const obstacle = obstacles.before(call);
        if (this.#guide.reached.has(call) || obstacle.kind === 'none' || this.#trials >= maxTrials) continue;
        const way = ways.get(call) ?? { obstacles: [], keys: new Set<string>() };
        ways.set(call, way);
        const key = keyOf(obstacle);
        if (way.keys.has(key)) continue;
        way.keys.add(key);
        way.obstacles.push(obstacle);
        hasTried = true;
        if (this.#isNew(`force ${[...way.keys].join('\n')}`)) this.#force(call, way.obstacles);
      }
      if (!hasTried) return;
    }
  }

  /** At last calls what holds the places that are left, by the shortest way to each. */
  call(): void {
    for (const call of this.#left()) {
      const { dex, methodIndex } = call;
      const signature = dex.methodName(methodIndex) + dex.methodDescriptor(methodIndex);
      const method = this.#methods.methodsOf(dex.methodClass(methodIndex)).get(signature);
      if (method === undefined || method.place.dex !== dex) continue;
      const trial: Trial = { entry: { where: '', call: method }, instead: new Map(), forced: nothingForced };
      this.#run(trial);
      if (!this.#guide.reached.has(call))
        this.#run({ ...trial, forced: this.#through(method, call.address, nothingForced) });
    }
  }

  /** Forces all of it: by what made the code run before, in a new process, and at last by calling the method itself. */
  #force(call: MissedCall, obstacles: readonly Obstacle[]): void {
    const last = obstacles.at(-1)!;
    if (last.kind === 'none') return;
    const forced = this.#forced(obstacles);
    const instead: Instead = new Map();
    if (last.kind === 'uncalled' || last.kind === 'other-class') {
      this.#run({ entry: { where: '', call: last.kind === 'uncalled' ? last.method : last.callee }, instead, forced });
      return;
    }
    const entry = this.#guide.entryOf(last.method);
    const target =
      last.method.methodIndex === call.methodIndex && last.method.place.dex === call.dex ? call.address : last.at;
    const ways: readonly (() => Trial)[] = [
      () => ({ entry, instead, forced }),
      () => ({ entry, instead, forced, isAnew: true }),
      () => ({ entry: { where: '', call: last.method }, instead, forced: this.#through(last.method, target, forced) }),
    ];
    for (const way of ways) {
      this.#run(way());
      if (this.#guide.reached.has(call) || this.#isPast(last)) return;
    }
  }

  /** With every branch on the shortest way through a method to an address. */
  #through(method: AppMethod, address: number, forced: NonNullable<Trial['forced']>): NonNullable<Trial['forced']> {
    const prepared = this.#guide.codeOf(method);
    const body = this.#methods.definitionsOf(method)?.body;
    if (prepared === null || body === undefined) return forced;
    const way = wayTo(body, body.positions[address]!).map(([from, to]) => [prepared, from, to] as const);
    return { ...forced, redirects: [...forced.redirects.filter(([other]) => other !== prepared), ...way] };
  }

  /** Whether the app has got over an obstacle. */
  #isPast(obstacle: Exclude<Obstacle, { kind: 'none' | 'uncalled' }>): boolean {
    if (obstacle.kind === 'other-class') return this.#guide.codeOf(obstacle.callee) !== null;
    return obstacle.kind === 'broken' ? false : this.#guide.codeOf(obstacle.method)!.hasRun(obstacle.to);
  }

  #forced(obstacles: readonly Obstacle[]): NonNullable<Trial['forced']> {
    const redirects: (readonly [PreparedMethod, number, number])[] = [];
    const passed = new Map<PreparedMethod, Set<number>>();
    for (const obstacle of obstacles) {
      if (obstacle.kind === 'none' || obstacle.kind === 'uncalled' || obstacle.kind === 'other-class') continue;
      const prepared = this.#guide.codeOf(obstacle.method);
      if (prepared === null) continue;
      if (obstacle.kind === 'broken') passed.set(prepared, (passed.get(prepared) ?? new Set()).add(obstacle.at));
      else redirects.push([prepared, obstacle.at, obstacle.to]);
    }
    return { redirects, passed };
  }

  #isNew(key: string): boolean {
    if (this.#tried.has(key)) return false;
    this.#tried.add(key);
    return true;
  }

  #run(trial: Trial): void {
    this.#trials++;
    const undo = this.#guide.beginTrial(trial);
    try {
      const { call, where } = trial.entry;
      if (trial.isAnew) this.#process.restart();
      if (call === undefined) new Exercise(this.#process).again(where);
      else this.#process.run(call.key, () => this.#guide.call(call));
    } finally {
      for (const each of undo) each();
    }
  }

  #left(): MissedCall[] {
    return this.#missed.filter((call) => !this.#guide.reached.has(call));
  }

  /** What stands before places, as far as the app has run by now. */
  #obstacles(): Obstacles {
    const { machine, app } = this.#process;
    const run = {
      ran: machine.ranMethods,
      manifest: app.plan.manifest,
      unmodelled: new Map(),
      ends: new Set<string>(),
    };
    return new Obstacles(run, this.#methods, this.#isOwn);
  }
}

/** The branches on the shortest way from a method's beginning to a position, each with where it goes on, by address. */
function wayTo({ instructions }: MethodBody, target: number): (readonly [from: number, to: number])[] {
  const before = new Int32Array(instructions.length).fill(-1);
  const queue = [0];
  for (let next = 0; next < queue.length && before[target] === -1; next++) {
    for (const to of waysOn(instructions[queue[next]!]!)) {
      if (to === 0 || before[to] !== -1) continue;
      before[to] = queue[next]!;
      queue.push(to);
    }
  }
  const way: (readonly [number, number])[] = [];
  for (let position = target; position > 0 && before[position]! >= 0; position = before[position]!) {
    const from = instructions[before[position]!]!;
    if (waysOn(from).length > 1) way.unshift([from.at, instructions[position]!.at]);
  }
  return way;
}

/** What is forced on the way to one place, in the order in which it was met. */
interface Way {
  readonly obstacles: Obstacle[];
  readonly keys: Set<string>;
}
