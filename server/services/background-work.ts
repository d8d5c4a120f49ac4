// Work that changes call for: begun soon after them, one run after the other, as a job where it takes minutes. Knows no work.
import type { JobKind } from '../contract/jobs/job-kinds.ts';
import type { ErrorLog } from '../jobs/error-log.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../jobs/job-queue.ts';
import type { JobContext, JobHandler } from '../jobs/job-runner.ts';
import type { Store } from '../store/store.ts';

export interface BackgroundWorkParts {
  store: Store;
  queue: JobQueue;
  log: ErrorLog;
}

interface BackgroundWorkNature {
  /** Of the job that it becomes. */
  kind: Extract<JobKind, 'families' | 'content_index'>;
  /** Milliseconds from a change to the work for it: changes that come together are handled together. */
  patience: number;
  /** What the log says where it fails. */
  fault: string;
}

export abstract class BackgroundWork {
  readonly #parts: BackgroundWorkParts;
  readonly #nature: BackgroundWorkNature;
  readonly #closing = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor({ store, queue, log }: BackgroundWorkParts, nature: BackgroundWorkNature) {
    this.#parts = { store, queue, log };
    this.#nature = nature;
  }

  /** @param progress of the job; null: it is none, and calls `becomeJob` where it would take minutes */
  protected abstract workThrough(signal: AbortSignal, progress: JobContext['progress'] | null): Promise<void>;

  /** Starts the work soon, in the background. */
  wake(): void {
    if (this.#closing.signal.aborted) return;
    this.#timer ??= setTimeout(() => this.#begin(), this.#nature.patience).unref();
  }

  /** Resolves when nothing is left to do. */
  async settled(): Promise<void> {
    if (this.#timer !== undefined) this.#begin();
    await this.#work;
  }

  /** Stops the work; the next start continues it. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#closing.abort();
    await this.#work;
  }

  /** The handler of its jobs. */
  readonly perform: JobHandler<'families' | 'content_index'> = async (_job, context): Promise<JobOutcome> => {
    const signal = AbortSignal.any([context.signal, this.#closing.signal]);
    const working = this.#work.then(() => this.workThrough(signal, context.progress));
    this.#work = working.catch(() => undefined);
    await working;
    return { status: 'done' };
  };

  /** Has a job do the work, unless there is one already. */
  protected async becomeJob(): Promise<void> {
    const { store, queue } = this.#parts;
    const { kind } = this.#nature;
    const open = await store.statistics.openJobs();
    if (open.some((job) => job.kind === kind)) return;
    await queue.enqueue({ kind, apkId: null, priority: jobPriorities.bulk, payload: null });
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { signal } = this.#closing;
    this.#work = this.#work
      .then(() => this.workThrough(signal, null))
      .catch((err: unknown) => {
        if (!signal.aborted) this.#parts.log.error({ err }, this.#nature.fault);
      });
  }
}
