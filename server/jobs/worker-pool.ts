// A pool of sandboxed worker processes that analyse hostile files. Knows tasks and replies, not what is in them.
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { EngineMessage, EngineReply, EngineTask, EngineTaskKind } from '../contract/engine.ts';
import { processUsage } from './process-usage.ts';
import { TaskWatch } from './task-watch.ts';
import { engineEntry, type WorkerFailure, WorkerProcess, workerFlags } from './worker-process.ts';

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
const defaultLimits: WorkerLimits = { residentBytes: 1536 * mebibyte, recycleBytes: 768 * mebibyte, recycleTasks: 200 };

/** Milliseconds of the processor. Identity has a person waiting; the largest real apps need about a minute. */
const cpuLimits: Record<EngineTaskKind, number> = {
  identify: 30_000,
  static: 600_000,
  /** The run has a budget of its own of less than a minute; this ends one that does not keep it. */
  dynamic: 180_000,
  /** A person waits, and every question is bounded; this ends patterns that no engine bounds. */
  explore: 20_000,
  compile: 60_000,
  yara: 600_000,
  prepare: 600_000,
  join: 60_000,
};

export interface RunOptions {
  /** @param done 0 to 1 */
  onProgress?: (stage: string, done: number) => void;
  signal?: AbortSignal;
  /** What the task may use of the processor, or wait for something else, in place of what tasks of its kind may. */
  cpuMilliseconds?: number;
  /** Scans that a person waits for have workers of their own, which give way to nobody. */
  isAwaited?: boolean;
  /** Tasks that nobody waits for: any other that waits for the same worker is taken first. */
  isPatient?: boolean;
}

export interface WorkerPool {
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

/** People look into APKs while analyses run: their questions have a worker of their own, which holds the APKs open. */
const isExploration = (kind: EngineTaskKind): boolean => kind === 'explore';
const hasRules = (kind: EngineTaskKind): boolean => kind === 'compile' || kind === 'yara' || kind === 'prepare';

interface PendingTask {
  task: EngineTask;
  options: RunOptions;
  settle(reply: EngineReply): void;
}

const cancelled: WorkerFailure = { status: 'failed', code: 'cancelled', message: 'The analysis was cancelled.' };

class ForkedWorkerPool implements WorkerPool {
  readonly #identitySlots: readonly Slot[];
  readonly #explorationSlot: Slot;
  /** Authors see what is wrong with their rules while they type, however long the scans are that run. */
  readonly #checkingSlot: Slot;
  readonly #slots: readonly Slot[];
  /** Places for tasks with rules: their workers hold the native YARA engine, which no other worker may load. */
  readonly #ruleSlots: ReadonlySet<Slot>;
  readonly #awaitedSlots: ReadonlySet<Slot>;
  #waiting: PendingTask[] = [];
  #isClosed = false;

  constructor(options: WorkerPoolOptions) {
    const concurrency = options.concurrency ?? Math.max(1, availableParallelism() - 1);
    const { entry = engineEntry, isBackground = true } = options;
    const settings = {
      entry,
      flags: workerFlags(entry, options.readableFolders),
      limits: { ...defaultLimits, ...options.limits },
      warn: (details: object, message: string) => options.log?.warn(details, message),
      onFree: () => this.#assign(),
    };
    this.#identitySlots = Array.from({ length: concurrency + 1 }, () => new Slot({ ...settings, isBackground: false }));
    this.#explorationSlot = new Slot({ ...settings, isBackground: false });
    const analysisSlots = Array.from({ length: concurrency }, () => new Slot({ ...settings, isBackground }));
    const ruleFlags = workerFlags(entry, options.readableFolders, true);
    const ruleSlot = (isBackground: boolean) => new Slot({ ...settings, flags: ruleFlags, isBackground });
    const ruleSlots = Array.from({ length: concurrency }, () => ruleSlot(isBackground));
    const awaitedSlots = Array.from({ length: concurrency }, () => ruleSlot(false));
    this.#checkingSlot = ruleSlot(false);
    this.#ruleSlots = new Set(ruleSlots);
    this.#awaitedSlots = new Set(awaitedSlots);
    // A busy machine leaves nothing to workers in the background: what a person waits for would never end there.
    const answering = [...this.#identitySlots, this.#explorationSlot, this.#checkingSlot, ...awaitedSlots];
    this.#slots = [...answering, ...analysisSlots, ...ruleSlots];
  }

  run<K extends EngineTaskKind>(
    task: Extract<EngineTask, { kind: K }>,
    options: RunOptions = {},
  ): Promise<EngineReply<K>> {
    if (this.#isClosed || options.signal?.aborted) return Promise.resolve(cancelled as EngineReply<K>);
    const { promise, resolve } = Promise.withResolvers<EngineReply>();
    const withdraw = () => this.#withdraw(pending);
    const settle = (reply: EngineReply) => {
      // One signal may stand for the many thousand tasks of a long job.
      options.signal?.removeEventListener('abort', withdraw);
      resolve(reply);
    };
    const pending: PendingTask = { task, options, settle };
    options.signal?.addEventListener('abort', withdraw, { once: true });
    this.#waiting.push(pending);
    this.#assign();
    return promise as Promise<EngineReply<K>>;
  }

  warm(): void {
    if (!this.#isClosed) this.#identitySlots[0]?.warm();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { settle } of this.#waiting.splice(0)) settle(cancelled);
    await Promise.all(this.#slots.map((slot) => slot.close()));
  }

  /** A waiting task leaves the queue; a running one takes its worker with it. */
  #withdraw(pending: PendingTask): void {
    const place = this.#waiting.indexOf(pending);
    if (place >= 0) {
      this.#waiting.splice(place, 1);
      pending.settle(cancelled);
    }
    for (const slot of this.#slots) slot.cancel(pending);
  }

  #assign(): void {
    if (this.#isClosed) return;
    for (const slot of this.#slots) {
      if (slot.isBusy) continue;
      const place = this.#placeFor(slot);
      if (place < 0) continue;
      slot.start(this.#waiting.splice(place, 1)[0]!);
    }
  }

  #placeFor(slot: Slot): number {
    const isFor = (wanted: (kind: EngineTaskKind, isAwaited: boolean) => boolean) => {
      const isWanted = ({ task, options }: PendingTask) => wanted(task.kind, options.isAwaited === true);
      const place = this.#waiting.findIndex((pending) => isWanted(pending) && pending.options.isPatient !== true);
      return place >= 0 ? place : this.#waiting.findIndex(isWanted);
    };
    if (slot === this.#checkingSlot) return isFor((kind) => kind === 'compile');
    if (this.#awaitedSlots.has(slot)) return isFor((kind, isAwaited) => kind === 'yara' && isAwaited);
    if (this.#ruleSlots.has(slot)) {
      return isFor((kind, isAwaited) => kind === 'prepare' || (kind === 'yara' && !isAwaited));
    }
    if (slot === this.#explorationSlot) return isFor(isExploration);
    if (this.#identitySlots.includes(slot)) return isFor((kind) => kind === 'identify');
    return isFor((kind) => kind !== 'identify' && !hasRules(kind) && !isExploration(kind));
  }
}

interface SlotOptions {
  entry: URL;
  flags: readonly string[];
  limits: WorkerLimits;
  isBackground: boolean;
  warn(details: object, message: string): void;
  onFree(): void;
}

/** One place for a worker: the process in it is started when needed and replaced when it dies or is worn. */
class Slot {
  readonly #options: SlotOptions;
  #worker: WorkerProcess | null = null;
  #pending: PendingTask | null = null;
  #requestId = 0;
  #watch: TaskWatch | null = null;
  #isRetiring = false;
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
    this.#requestId += 1;
    this.#worker ??= this.#fork();
    const worker = this.#worker;
    if (worker.pid !== undefined) this.#watch = this.#watchOver(worker, worker.pid, pending);
    worker.send({ id: this.#requestId, task: pending.task });
  }

  #watchOver(worker: WorkerProcess, pid: number, { task, options }: PendingTask): TaskWatch {
    const milliseconds = options.cpuMilliseconds ?? cpuLimits[task.kind];
    const { residentBytes } = this.#options.limits;
    return new TaskWatch(pid, { milliseconds, residentBytes }, (passed) =>
      worker.kill({ status: 'failed', ...passed }),
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
    const { entry, flags, isBackground } = this.#options;
    return new WorkerProcess({
      entry,
      flags,
      isBackground,
      onMessage: (message) => this.#receive(message),
      onEnd: (failure, stderr) => this.#ended(failure, stderr),
    });
  }

  #receive(message: EngineMessage): void {
    if (message.id !== this.#requestId || this.#pending === null) return;
    if (message.type === 'progress') this.#pending.options.onProgress?.(message.stage, message.done);
    else this.#replied(message.reply);
  }

  #replied(reply: EngineReply): void {
    const worker = this.#worker;
    this.#settle(reply);
    if (worker === null) return;
    if (worker.isWorn || worker.tasks >= this.#options.limits.recycleTasks) this.#retire(worker);
    else {
      // Whoever waits gets the worker at once; what the look at its memory finds counts after the next task.
      this.#options.onFree();
      void this.#checkWear(worker);
    }
  }

  async #checkWear(worker: WorkerProcess): Promise<void> {
    const usage = worker.pid === undefined ? null : await processUsage(worker.pid);
    worker.isWorn = usage !== null && usage.residentBytes > this.#options.limits.recycleBytes;
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
    if (this.#pending !== null) {
      if (failure.code !== 'cancelled') this.#options.warn({ ...failure, stderr }, 'a worker process died of its task');
      this.#settle(failure);
    }
    // A person waits for identity: its next worker starts before it is needed.
    if (wasRetired && !this.#options.isBackground && this.#onClosed === null) this.warm();
    this.#onClosed?.();
    this.#options.onFree();
  }

  #settle(reply: EngineReply): void {
    this.#watch?.stop();
    this.#watch = null;
    const pending = this.#pending;
    this.#pending = null;
    pending?.settle(reply);
  }
}
