// Runs queued jobs with the handlers of their kinds. Knows no kind by name.
import { type JobKind, type JobPayload, jobKinds, jobPayloads } from '../contract/jobs/job-kinds.ts';
import type { JobRecord } from '../store/repositories/job-repository.ts';
import { storageFaultOf } from '../store/store-errors.ts';
import type { ErrorLog } from './error-log.ts';
import type { JobOutcome, JobQueue } from './job-queue.ts';
import { JobTurns } from './job-turns.ts';

/** Milliseconds until it is tried again to write to a data folder that takes nothing. */
const storagePatience = 30_000;
const unwritten = 'the end of a job could not be written';

/** Resolves when it is time to try again, or the signal is aborted. */
function patienceOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, storagePatience);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end);
  });
}

export interface JobContext {
  /** Aborted when the job is cancelled or the runner stops. */
  signal: AbortSignal;
  /** @param done 0 to 1 */
  progress(stage: string, done: number): void;
  /** Another machine did it. */
  noteMachine(name: string): void;
}

/** A job whose payload was read. */
export type ReadJob<K extends JobKind> = JobRecord & { kind: K; payload: JobPayload<K> };
export type JobHandler<K extends JobKind> = (job: ReadJob<K>, context: JobContext) => Promise<JobOutcome>;
/** What performs the jobs of each kind: none may be left out. */
export type JobHandlers = { readonly [K in JobKind]: JobHandler<K> };

export interface JobRunnerOptions {
  queue: JobQueue;
  handlers: JobHandlers;
  /** Jobs at a time of all kinds that have no places of their own; asked whenever one may begin. */
  concurrency(): number;
  log: ErrorLog;
}

export interface JobRunner {
  /** Recovers interrupted jobs and begins. @throws Error where a job is queued whose kind this version does not know */
  start(): Promise<void>;
  /** Stops claiming, ends running jobs and queues them again. */
  stop(): Promise<void>;
  /** Looks for jobs that may begin: there may be more places now. */
  wake(): void;
  /** Resolves when nothing is queued or running. */
  idle(): Promise<void>;
}

export function createJobRunner(options: JobRunnerOptions): JobRunner {
  return new QueueRunner(options);
}

class QueueRunner implements JobRunner {
  readonly #queue: JobQueue;
  readonly #handlers: JobHandlers;
  readonly #turns: JobTurns;
  readonly #log: JobRunnerOptions['log'];
  readonly #running = new Map<number, AbortController>();
  #isStarted = false;
  #isRecovered = false;
  #isClaiming = false;
  /** Something was queued while the queue was being asked. */
  #isAskedAgain = false;
  #stopListening: (() => void) | null = null;
  #nextClaim: NodeJS.Timeout | undefined;
  #idleWaiters: (() => void)[] = [];

  constructor({ queue, handlers, concurrency, log }: JobRunnerOptions) {
    this.#queue = queue;
    this.#handlers = handlers;
    this.#turns = new JobTurns(concurrency);
    this.#log = log;
  }

  async start(): Promise<void> {
    await this.#recover().catch((err: unknown) => {
      // Tried again with every look into the queue.
      if (storageFaultOf(err) === null) throw err;
      this.#log.error({ err }, 'the data folder takes nothing: jobs wait');
    });
    const orphans = (await this.#queue.queuedKinds()).filter((kind) => !Object.hasOwn(jobKinds, kind));
    if (orphans.length > 0) {
      throw new Error(
        `Jobs of the kind ${orphans.join(', ')} are queued, which this version of the workstation cannot run.`,
      );
    }
    this.#isStarted = true;
    this.#stopListening = this.#queue.onChange((job) => {
      if (job.status === 'queued') void this.#claim();
      if (job.status === 'cancelled') this.#running.get(job.id)?.abort();
    });
    await this.#claim();
  }

  /** Puts back what was running when the workstation ended, once. */
  async #recover(): Promise<void> {
    if (this.#isRecovered) return;
    await this.#queue.recover();
    this.#isRecovered = true;
  }

  async stop(): Promise<void> {
    this.#isStarted = false;
    this.#stopListening?.();
    clearTimeout(this.#nextClaim);
    for (const [id, abort] of this.#running) {
      await this.#interrupt(id, abort);
    }
    await this.idle();
  }

  /** Has a job queued again, for the next start. */
  async #interrupt(id: number, abort: AbortController): Promise<void> {
    // What cannot be written now is seen at the next start: the job is left as running.
    await this.#queue.release(id).catch((err: unknown) => this.#log.error({ err, job: id }, unwritten));
    abort.abort();
  }

  wake(): void {
    if (this.#isStarted) void this.#claim();
  }

  async idle(): Promise<void> {
    if (this.#isStarted) await this.#claim();
    if (this.#isIdle()) return;
    await new Promise<void>((resolve) => this.#idleWaiters.push(resolve));
  }

  #isIdle(): boolean {
    return this.#running.size === 0 && !this.#isClaiming;
  }

  /** Fills the free places. Only one such round is under way at a time. */
  async #claim(): Promise<void> {
    if (this.#isClaiming) {
      this.#isAskedAgain = true;
      return;
    }
    this.#isClaiming = true;
    try {
      await this.#recover();
      do {
        this.#isAskedAgain = false;
        for (;;) {
          const kinds = this.#isStarted ? this.#turns.kinds() : [];
          const job = kinds.length > 0 ? await this.#queue.claim(kinds, this.#turns.choose) : null;
          if (job === null) break;
          this.#begin(job);
        }
      } while (this.#isAskedAgain && this.#isStarted);
    } catch (err) {
      this.#log.error({ err }, 'the job queue could not be asked for work');
      clearTimeout(this.#nextClaim);
      if (this.#isStarted) this.#nextClaim = setTimeout(() => void this.#claim(), storagePatience);
    } finally {
      this.#isClaiming = false;
    }
    if (!this.#isIdle()) return;
    for (const resolve of this.#idleWaiters.splice(0)) resolve();
  }

  #begin(job: JobRecord): void {
    const abort = new AbortController();
    this.#running.set(job.id, abort);
    const endTurn = this.#turns.begin(job);
    void this.#run(job, abort.signal).finally(() => {
      endTurn();
      this.#running.delete(job.id);
      void this.#claim();
    });
    // Stopping may have begun while this job was being claimed.
    if (!this.#isStarted) void this.#interrupt(job.id, abort);
  }

  async #run(job: JobRecord, signal: AbortSignal): Promise<void> {
    try {
      const outcome = await this.#outcome(job, signal);
      // Cancelled or released: its state is written already, and what the handler says of the interruption is not news.
      if (!signal.aborted) await this.#queue.finish(job.id, outcome);
    } catch (err) {
      this.#log.error({ err, job: job.id }, unwritten);
      if (storageFaultOf(err) !== null) await this.#putBack(job, signal);
    }
  }

  /** Queues a job again whose result could not be stored, as soon as the database can be written. */
  async #putBack({ id }: JobRecord, signal: AbortSignal): Promise<void> {
    for (;;) {
      await patienceOf(signal);
      if (signal.aborted) return;
      try {
        await this.#queue.release(id);
        return;
      } catch (err) {
        this.#log.error({ err, job: id }, unwritten);
      }
    }
  }

  async #outcome(job: JobRecord, signal: AbortSignal): Promise<JobOutcome> {
    const { success, data: payload } = jobPayloads[job.kind].safeParse(job.payload);
    if (!success) {
      const message = 'What this job was asked to do cannot be read: another version wrote it. Ask for it again.';
      return { status: 'failed', code: 'unreadable-payload', message };
    }
    try {
      // The payload is the one of the handler's kind: both come from the same name.
      const handler = this.#handlers[job.kind] as (job: JobRecord, context: JobContext) => Promise<JobOutcome>;
      return await handler(
        { ...job, payload },
        {
          signal,
          progress: (stage, done) => this.#queue.progress(job.id, stage, done),
          noteMachine: (name) => this.#queue.noteMachine(job.id, name),
        },
      );
    } catch (err) {
      if (storageFaultOf(err) !== null) throw err;
      if (!signal.aborted) this.#log.error({ err, job: job.id, kind: job.kind }, 'a job handler failed');
      return {
        status: 'failed',
        code: 'internal',
        message: 'The analysis failed for a reason of the workstation itself; its log says more.',
      };
    }
  }
}
