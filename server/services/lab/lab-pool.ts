// A pool whose tasks other machines may do: sends away what travels when all places here are taken, and brings back what is
// lost. Knows nothing of how machines are reached.
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { FrameReader, LineFault } from '../../contract/process-line/frames.ts';
import { replyLimits } from '../../contract/process-line/limits.ts';
import type { EngineReply } from '../../contract/process-line/messages.ts';
import { sentReports } from '../../contract/process-line/results.ts';
import type { EngineTask, EngineTaskKind } from '../../contract/process-line/tasks.ts';
import { parseAnswer, type TravellingTask, travels } from '../../contract/process-line/travelling.ts';
import type { PoolMemory, RunOptions, WorkerPool } from '../../jobs/worker-pool.ts';
import { SentReports } from '../../store/sent-reports.ts';
import { Failure } from '../failure.ts';
import type { LabMachineRecord, LabMachines } from './lab-machines.ts';
import type { LabQueue } from './lab-queue.ts';

/** A task that another machine does or may take. */
interface OutTask {
  ticket: string;
  task: TravellingTask;
  fileBytes: number;
  options: RunOptions;
  /** Machines that have fetched it, and when the last one did. */
  takers: Set<number>;
  takenAt: number;
  sentAt: number;
  sends: number;
  /** An answer is being looked into: no other one counts. */
  isAnswered: boolean;
  settle(reply: EngineReply): void;
}

/** Milliseconds between looks at what is out. */
const beat = 1000;
/** Milliseconds that a machine may take from fetching a task to saying that it runs. */
const fetching = 10_000;
/** Milliseconds after which a waiting task is looked for in the queue. */
const trust = 5000;
/** So often a task is sent that was lost on its way; then it is done here. */
const mostSends = 3;
const cancelled = { status: 'failed', code: 'cancelled', message: 'The analysis was cancelled.' } as const;

export class LabPool implements WorkerPool {
  readonly #local: WorkerPool;
  readonly #places: number;
  readonly #machines: LabMachines;
  readonly #out = new Map<string, OutTask>();
  readonly #sentReports = new SentReports(false);
  #timer: NodeJS.Timeout | undefined;
  #queue: LabQueue | null = null;
  #analysesHere = true;
  #here = 0;
  /** Answers that nobody waited for. */
  late = 0;

  /** @param places analyses at a time here */
  constructor(local: WorkerPool, places: number, machines: LabMachines) {
    this.#local = local;
    this.#places = places;
    this.#machines = machines;
  }

  /** @param analysesHere whether places here are used while machines are there */
  use(queue: LabQueue | null, analysesHere: boolean): void {
    this.#queue = queue;
    this.#analysesHere = analysesHere;
    clearInterval(this.#timer);
    this.#timer = queue === null ? undefined : setInterval(() => this.#review(), beat);
    this.#review();
  }

  /** Of scans here. */
  memory = (rules: { takes: number; holds: number }): PoolMemory => this.#local.memory(rules);
  /** Starts a worker here for identity. */
  warm = (): void => this.#local.warm();

  /** Tasks that are out. */
  get out(): number {
    return this.#out.size;
  }

  /** Analyses at a time, here and elsewhere. */
  get places(): number {
    return (this.#isAway() && !this.#analysesHere ? 0 : this.#places) + this.#placesAway();
  }

  /** Ends what is out, and the workers here. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    for (const out of this.#out.values()) this.#end(out, cancelled);
    await Promise.all([this.#local.close(), this.#sentReports.close()]);
  }

  /** Runs a task here, or elsewhere where that has room and here is none. */
  run<K extends EngineTaskKind>(
    task: Extract<EngineTask, { kind: K }>,
    options: RunOptions = {},
  ): Promise<EngineReply<K>> {
    if (!travels(task) || task.file.kind !== 'sealed' || options.isAwaited === true)
      return this.#local.run(task, options);
    const isFree = this.#here < this.#places && (this.#analysesHere || !this.#isAway());
    const away = !isFree && this.#out.size < this.#placesAway() ? this.#send(task, options) : null;
    return (away ?? this.#runHere(task, options)) as Promise<EngineReply<K>>;
  }

  async #runHere(task: EngineTask, options: RunOptions): Promise<EngineReply> {
    this.#here += 1;
    try {
      return await this.#local.run(task as never, options);
    } finally {
      this.#here -= 1;
    }
  }

  #isAway = (): boolean => this.#placesAway() > 0;

  /** Places of the machines that take tasks now. */
  #placesAway(): number {
    return this.#queue?.isUp === true ? this.#machines.cores : 0;
  }

  /** @returns null where its file is not there: that is told here */
  #send(task: TravellingTask, options: RunOptions): Promise<EngineReply> | null {
    const fileBytes = statSync(task.file.path, { throwIfNoEntry: false })?.size ?? 0;
    if (fileBytes === 0) return null;
    if (options.signal?.aborted) return Promise.resolve(cancelled);
    const { promise, resolve } = Promise.withResolvers<EngineReply>();
    const times = { takenAt: 0, sentAt: 0, sends: 0 };
    const withdraw = () => this.#end(out, cancelled);
    const settle = (reply: EngineReply) => {
      options.signal?.removeEventListener('abort', withdraw);
      resolve(reply);
    };
    const out: OutTask = {
      ...{ ticket: randomUUID(), task, fileBytes, options, takers: new Set(), ...times, isAnswered: false, settle },
    };
    options.signal?.addEventListener('abort', withdraw, { once: true });
    this.#out.set(out.ticket, out);
    this.#enqueue(out);
    return promise;
  }

  #enqueue(out: OutTask): void {
    out.sends += 1;
    out.sentAt = performance.now();
    const priority = out.options.isPatient === true ? 2 : 1;
    this.#queue?.add(out.ticket, out.task.kind, priority).catch(() => this.bringBack(out.ticket));
  }

  #end(out: OutTask, reply: EngineReply): void {
    if (!this.#out.delete(out.ticket)) return;
    void this.#queue?.remove(out.ticket);
    out.settle(reply);
  }

  /** Does a task here that is out: nobody answers for it there. */
  bringBack(ticket: string): void {
    const out = this.#out.get(ticket);
    if (out === undefined || out.isAnswered) return;
    this.#out.delete(ticket);
    void this.#queue?.remove(ticket);
    void this.#runHere(out.task, out.options).then(out.settle);
  }

  /** Tells whoever waits for a task how far it is. */
  progressed(ticket: string, stage: string, done: number): void {
    this.#out.get(ticket)?.options.onProgress?.(stage, done);
  }

  /** @returns those for which nobody waits */
  unwanted(tickets: readonly string[]): string[] {
    return tickets.filter((ticket) => !this.#out.has(ticket));
  }

  /** Gives a task to a machine. @throws Failure `task-gone` */
  take(ticket: string, machine: number): OutTask {
    const out = this.#out.get(ticket);
    if (out === undefined) throw new Failure('task-gone');
    out.takers.add(machine);
    out.takenAt = performance.now();
    return out;
  }

  /**
   * Reads the answer of a machine to a task that it was given. The first that is one counts.
   * @throws Failure `task-gone`, `answer-refused`
   */
  async answer(
    ticket: string,
    { id: machine, name }: LabMachineRecord,
    bytes: AsyncIterable<Uint8Array>,
  ): Promise<void> {
    const out = this.#wanted(ticket, machine);
    try {
      const reply = await this.#read(out.task, bytes);
      this.#wanted(ticket, machine).isAnswered = true;
      const reports = reply.status === 'failed' ? [] : sentReports<EngineTaskKind>(out.task.kind, reply.result);
      const fault = reports.length === 0 ? null : await this.#sentReports.faultOf(reports);
      if (fault !== null) throw new LineFault(fault);
      this.#machines.noteEnd(machine, true);
      out.options.onMachine?.(name);
      this.#end(out, reply);
    } catch (error) {
      if (!(error instanceof LineFault)) throw error;
      this.#machines.noteEnd(machine, false);
      out.isAnswered = false;
      this.bringBack(ticket);
      throw new Failure('answer-refused', { reason: error.message });
    }
  }

  #wanted(ticket: string, machine: number): OutTask {
    const out = this.#out.get(ticket);
    if (out !== undefined && !out.isAnswered && out.takers.has(machine)) return out;
    this.late += 1;
    throw new Failure('task-gone');
  }

  async #read(task: TravellingTask, bytes: AsyncIterable<Uint8Array>): Promise<EngineReply> {
    const reader = new FrameReader();
    let reply: EngineReply | null = null;
    const limits = () => (reply === null ? replyLimits[task.kind] : null);
    for await (const chunk of bytes)
      for (const { message } of reader.read(chunk, limits)) reply = parseAnswer(task, message);
    if (reply === null) throw new LineFault('an answer that ends before its end');
    return reply;
  }

  /** Looks after what is out: whom machines have is left to them, what is lost is sent again, or done here. */
  #review(): void {
    for (const out of this.#out.values()) {
      const now = performance.now();
      const isHeld = [...out.takers].some(
        (id) =>
          this.#machines.isRunning(id, out.ticket) || (this.#machines.isOnline(id) && now - out.takenAt < fetching),
      );
      if (isHeld || out.isAnswered) continue;
      if (!this.#isAway()) this.bringBack(out.ticket);
      else if (now - out.sentAt > trust) this.#lookFor(out);
    }
  }

  #lookFor(out: OutTask): void {
    out.sentAt = performance.now();
    const isThere = this.#queue?.has(out.ticket) ?? Promise.resolve(false);
    void isThere
      .catch(() => true)
      .then((isKnown) => {
        if (isKnown || !this.#out.has(out.ticket)) return;
        if (out.sends < mostSends) this.#enqueue(out);
        else this.bringBack(out.ticket);
      });
  }
}
