// A pool of sandboxed worker processes that analyse hostile files. Knows tasks and replies, not what is in them.
import { availableParallelism, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { loggedText } from '../contract/process-line/bounds.ts';
import { LineFault } from '../contract/process-line/frames.ts';
import type { EngineReply } from '../contract/process-line/messages.ts';
import type { SentReport } from '../contract/process-line/results.ts';
import type { EngineTask, EngineTaskKind } from '../contract/process-line/tasks.ts';
import { SentReports } from '../store/sent-reports.ts';
import type { TurnOwner } from './account-turns.ts';
import { TaskTurns } from './task-turns.ts';
import { TaskWatch } from './task-watch.ts';
import { machineWall, type Wall } from './wall/wall.ts';
import { engineEntry, type WorkerProgram, workerProgram } from './worker-launch.ts';
import type { WorkerLineOptions } from './worker-line.ts';
import { type WorkerFailure, WorkerProcess } from './worker-process.ts';

export interface WorkerPoolOptions {
  /** Folders or files that workers may read besides the program's own: the file store, or the files to analyse. */
  readableFolders: readonly string[];
  /** Analyses at a time; one less than the processor's cores by default, at least one. */
  concurrency?: number;
  /** Analyses give way to everything else, as beside a server that answers people; true by default. */
  isBackground?: boolean;
  /** Bounds on each worker; the defaults suit the engine. */
  limits?: Partial<WorkerLimits>;
  /** The module that workers run, the engine by default. */
  entry?: URL;
  /** What the operating system holds workers with; this machine's own by default, null for nothing. */
  wall?: Wall | null;
  /** Asked before each task: why none may be run now, or null. */
  refusal?(): Promise<WorkerFailure | null>;
  log?: { warn(details: object, message: string): void };
}

export interface WorkerLimits {
  /** Resident memory past which a worker is killed, in bytes: the heap cap does not cover the bytes of files. */
  residentBytes: number;
  /** Resident memory past which a worker is replaced after its task, in bytes. */
  recycleBytes: number;
  /** Tasks after which a worker is replaced: nothing that one file leaves behind lives for long. */
  recycleTasks: number;
}

const mebibyte = 1_048_576;
/** What workers of one kind may take together, and what one of them is before it holds anything. */
const memoryShare = 0.5;
const workerBytes = 256 * mebibyte;
const defaultLimits: WorkerLimits = { residentBytes: 1536 * mebibyte, recycleBytes: 768 * mebibyte, recycleTasks: 200 };

/** Milliseconds of the processor. Identity has a person waiting; the largest real apps need about a minute. */
const cpuLimits: Record<EngineTaskKind, number> = {
  identify: 30_000,
  static: 600_000,
  /** The run has a budget of its own of less than a minute; this ends one that does not keep it. */
  dynamic: 180_000,
  /** A person waits, and every question is bounded; this ends patterns that no engine bounds. */
  explore: 20_000,
  /** A page takes some seconds; the first of the largest apps also opens it, one in the middle makes again what stands before. */
  decompile: 180_000,
  /** Some hundred megabytes are unpacked and hashed. */
  children: 120_000,
  child: 600_000,
  /** Two of the largest apps take some 20 seconds. */
  compare: 120_000,
  align: 20_000,
  library: 120_000,
  features: 120_000,
  compile: 60_000,
  yara: 600_000,
  /** As for its children. */
  prints: 120_000,
  content_plan: 120_000,
  // Unpacking, as for its children.
  find_content: 120_000,
  content_needs: 5_000,
  prepare: 600_000,
  rule_archive: 600_000,
  join: 60_000,
  evidence: 60_000,
};

export interface RunOptions {
  /** @param done 0 to 1 */
  onProgress?: (stage: string, done: number) => void;
  /** Another machine of this name answered. */
  onMachine?: (name: string) => void;
  signal?: AbortSignal;
  /** What the task may use of the processor, or wait for something else, in place of what tasks of its kind may. */
  cpuMilliseconds?: number;
  /** Whom it is done for: accounts take turns. Without one it is the workstation itself, or somebody without an account. */
  account?: TurnOwner;
  /** Scans that a person waits for have workers of their own, which give way to nobody. */
  isAwaited?: boolean;
  /** Tasks that nobody waits for: any other that waits for the same worker is taken first. */
  isPatient?: boolean;
  /** Bytes that the task may take on top of what any may, where the machine has them. */
  takes?: number;
  /** Of these, what the worker goes on holding for others like it, which is no wear. */
  holds?: number;
}

/** What tasks may take of the machine's memory, in bytes. */
export interface PoolMemory {
  machine: number;
  /** Of any worker, and of one that has to compile these rules. */
  worker: number;
  compiling: number;
  /** Whether that is as much as it needs. */
  isEnough: boolean;
  /** Scans in the background at a time, where each worker holds these rules. */
  scansAtOnce: number;
}

const mostTogether = (): number => totalmem() * memoryShare;
/** @param takes bytes on top of what any task may take */
const mostFor = (least: number, takes: number): number => Math.max(least, Math.min(least + takes, mostTogether()));
/** Of so many workers those that may run where each holds so many bytes on purpose. */
const atOnce = (count: number, holds: number): number =>
  Math.min(count, Math.max(1, Math.floor(mostTogether() / (workerBytes + holds))));

export interface WorkerPool {
  /** What scans may take for rules that take and hold so many bytes. */
  memory(rules: { takes: number; holds: number }): PoolMemory;
  /**
   * Runs one task in a worker process. Never rejects for the file's or the worker's fault: that is a reply with status
   * `failed`. Identity has workers of its own and never waits behind analyses.
   */
  run<K extends EngineTaskKind>(task: Extract<EngineTask, { kind: K }>, options?: RunOptions): Promise<EngineReply<K>>;
  /** Starts a worker for identity, so that the first upload need not wait for it. */
  warm(): void;
  /** Ends all workers; what was running or waiting is cancelled. */
  close(): Promise<void>;
}

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  return new ForkedWorkerPool(options);
}

interface PendingTask {
  task: EngineTask;
  options: RunOptions;
  settle(reply: EngineReply): void;
}

const cancelled: WorkerFailure = { status: 'failed', code: 'cancelled', message: 'The analysis was cancelled.' };

/** Workers for tasks of the same kind, and the tasks that wait for them. */
interface Lane {
  slots: readonly Slot[];
  turns: TaskTurns<PendingTask>;
}

/** By what is asked, and whether a person waits for it. */
type LaneName = 'identity' | 'exploration' | 'checking' | 'awaitedScans' | 'scans' | 'analyses';

function laneOf({ task, options }: PendingTask): LaneName {
  switch (task.kind) {
    case 'identify':
      return 'identity';
    case 'explore':
    case 'decompile':
    case 'compare':
    case 'align':
      return 'exploration';
    case 'compile':
    case 'content_needs':
      return 'checking';
    case 'find_content':
      return 'awaitedScans';
    case 'yara':
      return options.isAwaited === true ? 'awaitedScans' : 'scans';
    case 'content_plan':
    case 'prepare':
    case 'rule_archive':
      return 'scans';
    default:
      return 'analyses';
  }
}

/**
 * People whose heaviest questions are answered at the same time, one of each: what one asks never waits for another's
 * before so many of them ask such things. Their workers start when they are needed.
 */
const peopleAtOnce = 4;

class ForkedWorkerPool implements WorkerPool {
  readonly #lanes: Readonly<Record<LaneName, Lane>>;
  readonly #slots: readonly Slot[];
  readonly #sentReports: SentReports;
  readonly #refusal: WorkerPoolOptions['refusal'];
  readonly #limits: WorkerLimits;
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    this.#refusal = options.refusal;
    this.#limits = { ...defaultLimits, ...options.limits };
    const concurrency = options.concurrency ?? Math.max(1, availableParallelism() - 1);
    const { entry = engineEntry, isBackground = true, wall = machineWall(), readableFolders } = options;
    this.#sentReports = new SentReports(!isBackground);
    const settings = {
      entry,
      limits: this.#limits,
      reportFault: (reports: readonly SentReport[]) => this.#sentReports.faultOf(reports),
      warn: (details: object, message: string) => options.log?.warn(details, message),
    };
    const plain = workerProgram({ entry, readableFolders, wall });
    const forPeople = workerProgram({ entry, readableFolders, wall, holdsOpen: true });
    // Workers for rules hold the native YARA engine, which no other worker may load.
    const forRules = workerProgram({ entry, readableFolders, wall, mayLoadAddon: true });
    const lane = (count: number, mostEach: number, program: WorkerProgram, gives: boolean): Lane => {
      const slot = { ...settings, program, isBackground: gives, onFree: () => this.#assign(made) };
      const made: Lane = { slots: Array.from({ length: count }, () => new Slot(slot)), turns: new TaskTurns(mostEach) };
      return made;
    };
    // A busy machine leaves nothing to workers in the background: what a person waits for would never end there.
    this.#lanes = {
      identity: lane(concurrency + 2, concurrency + 1, plain, false),
      // Such a worker holds the APKs open that somebody looks into.
      exploration: lane(peopleAtOnce, 1, forPeople, false),
      // Authors see what is wrong with their rules while they type, however long the scans are that run.
      checking: lane(peopleAtOnce, 1, forRules, false),
      awaitedScans: lane(concurrency + 1, concurrency, forRules, false),
      analyses: lane(concurrency, concurrency, plain, isBackground),
      scans: lane(concurrency, concurrency, forRules, isBackground),
    };
    this.#slots = Object.values(this.#lanes).flatMap(({ slots }) => slots);
  }

  async run<K extends EngineTaskKind>(
    task: Extract<EngineTask, { kind: K }>,
    options: RunOptions = {},
  ): Promise<EngineReply<K>> {
    const refused = this.#refusal === undefined ? null : await this.#refusal();
    return refused ?? this.#wait(task, options);
  }

  #wait<K extends EngineTaskKind>(
    task: Extract<EngineTask, { kind: K }>,
    options: RunOptions,
  ): Promise<EngineReply<K>> {
    if (this.#isClosed || options.signal?.aborted) return Promise.resolve(cancelled as EngineReply<K>);
    const { promise, resolve } = Promise.withResolvers<EngineReply>();
    const settle = (reply: EngineReply) => {
      // One signal may stand for the many thousand tasks of a long job.
      options.signal?.removeEventListener('abort', withdraw);
      lane.turns.end(pending);
      resolve(reply);
    };
    const pending: PendingTask = { task, options, settle };
    const lane = this.#lanes[laneOf(pending)];
    /** A waiting task leaves the queue; a running one takes its worker with it. */
    const withdraw = () => {
      if (lane.turns.remove(pending)) settle(cancelled);
      else for (const slot of lane.slots) slot.cancel(pending);
    };
    options.signal?.addEventListener('abort', withdraw, { once: true });
    lane.turns.add(pending);
    this.#assign(lane);
    return promise as Promise<EngineReply<K>>;
  }

  memory({ takes, holds }: { takes: number; holds: number }): PoolMemory {
    const worker = this.#limits.residentBytes;
    const compiling = mostFor(worker, takes);
    const scansAtOnce = atOnce(this.#lanes.scans.slots.length, holds);
    return { machine: totalmem(), worker, compiling, isEnough: compiling >= worker + takes, scansAtOnce };
  }

  warm(): void {
    if (!this.#isClosed) this.#lanes.identity.slots[0]?.warm();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { turns } of Object.values(this.#lanes)) for (const { settle } of turns.clear()) settle(cancelled);
    await Promise.all([...this.#slots.map((slot) => slot.close()), this.#sentReports.close()]);
  }

  #assign({ slots, turns }: Lane): void {
    if (this.#isClosed) return;
    for (const slot of slots.slice(0, atOnce(slots.length, Math.max(...slots.map(({ holds }) => holds))))) {
      if (slot.isBusy) continue;
      const next = turns.next();
      if (next === undefined) return;
      slot.start(next);
    }
  }
}

interface SlotOptions {
  entry: URL;
  program: WorkerProgram;
  limits: WorkerLimits;
  isBackground: boolean;
  reportFault: WorkerLineOptions['reportFault'];
  warn(details: object, message: string): void;
  onFree(): void;
}

/** One place for a worker: the process in it is started when needed and replaced when it dies or is worn. */
class Slot {
  readonly #options: SlotOptions;
  #worker: WorkerProcess | null = null;
  #pending: PendingTask | null = null;
  #watch: TaskWatch | null = null;
  #isRetiring = false;
  #isPendingBlameless = false;
  /** Bytes that the last task left with the worker on purpose. */
  holds = 0;
  #onClosed: (() => void) | null = null;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  get isBusy(): boolean {
    return this.#pending !== null || this.#isRetiring;
  }

  /** Starts a worker and lets it look at a file that is no APK, so that it has loaded what an APK will need. */
  warm(): void {
    if (this.isBusy || this.#worker !== null) return;
    const file = { kind: 'plain', path: fileURLToPath(this.#options.entry) } as const;
    this.start({ task: { kind: 'identify', file }, options: {}, settle: () => undefined });
  }

  start(pending: PendingTask): void {
    this.#pending = pending;
    this.holds = pending.options.holds ?? 0;
    this.#worker ??= this.#fork();
    const worker = this.#worker;
    this.#watch = this.#watchOver(worker, pending);
    try {
      worker.send(pending.task);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      this.#settle({ status: 'failed', code: 'internal', message: `The task is too large: ${error.message}.` });
      queueMicrotask(this.#options.onFree);
    }
  }

  #watchOver(worker: WorkerProcess, { task, options }: PendingTask): TaskWatch {
    const milliseconds = options.cpuMilliseconds ?? cpuLimits[task.kind];
    const residentBytes = mostFor(this.#options.limits.residentBytes, options.takes ?? 0);
    return new TaskWatch(
      () => worker.usage(),
      { milliseconds, residentBytes },
      (passed) => worker.kill({ status: 'failed', ...passed }),
    );
  }

  cancel(pending: PendingTask): void {
    if (this.#pending === pending) this.#worker?.kill(cancelled);
  }

  async close(): Promise<void> {
    const worker = this.#worker;
    if (worker === null) return;
    const closed = new Promise<void>((resolve) => {
      this.#onClosed = resolve;
    });
    worker.kill(cancelled);
    await closed;
  }

  #fork(): WorkerProcess {
    const { program, isBackground, reportFault } = this.#options;
    return new WorkerProcess({
      program,
      isBackground,
      onProgress: (stage, done) => this.#pending?.options.onProgress?.(stage, done),
      onReply: (reply) => this.#replied(reply),
      reportFault,
      onFault: (isOfEarlier) => this.#refused(isOfEarlier),
      onEnd: (failure, stderr) => this.#ended(failure, stderr),
    });
  }

  /** Nothing may be given to it while it ends; a task is done by another worker where an earlier one is to blame. */
  #refused(isOfEarlier: boolean): void {
    this.#isRetiring = this.#pending === null;
    this.#isPendingBlameless = isOfEarlier;
  }

  #replied(reply: EngineReply): void {
    const worker = this.#worker;
    this.#settle(reply);
    if (worker === null) return;
    if (worker.isWorn || worker.tasks >= this.#options.limits.recycleTasks) this.#retire(worker);
    else {
      // Whoever waits gets the worker at once; whether its memory has grown too much is heeded after the next task.
      this.#options.onFree();
      void this.#checkWear(worker);
    }
  }

  async #checkWear(worker: WorkerProcess): Promise<void> {
    const usage = await worker.usage();
    worker.isWorn = usage !== null && usage.residentBytes > this.#options.limits.recycleBytes + this.holds;
    if (worker.isWorn && worker === this.#worker && !this.isBusy) this.#retire(worker);
  }

  /** The place stays taken until the process is gone. */
  #retire(worker: WorkerProcess): void {
    this.#isRetiring = true;
    worker.kill(cancelled);
  }

  #ended(failure: WorkerFailure, stderr: string): void {
    this.#worker = null;
    const wasRetired = this.#isRetiring;
    this.#isRetiring = false;
    const pending = this.#pending;
    if (failure.code === 'invalid-reply' || (pending !== null && failure.code !== 'cancelled')) {
      const { code, message } = failure;
      const died = pending === null ? 'a worker process was ended' : 'a worker process died of its task';
      this.#options.warn({ code, message, kind: pending?.task.kind, stderr: loggedText(stderr) }, died);
    }
    if (pending !== null && this.#isPendingBlameless && !this.#isCancelled(pending)) {
      this.#isPendingBlameless = false;
      this.#watch?.stop();
      this.start(pending);
      return;
    }
    if (pending !== null) this.#settle(failure);
    // A person waits for identity: its next worker starts before it is needed.
    if (wasRetired && !this.#options.isBackground && this.#onClosed === null) this.warm();
    this.#onClosed?.();
    this.#options.onFree();
  }

  #isCancelled({ options }: PendingTask): boolean {
    return this.#onClosed !== null || options.signal?.aborted === true;
  }

  #settle(reply: EngineReply): void {
    this.#watch?.stop();
    this.#watch = null;
    const pending = this.#pending;
    this.#pending = null;
    pending?.settle(reply);
  }
}
