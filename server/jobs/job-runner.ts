// Runs queued jobs with the handlers registered for their kinds. Knows no kind by name.
import type { JobRecord } from '../store/job-repository.ts';
import type { JobOutcome, JobQueue } from './job-queue.ts';

export interface JobContext {
  /** Aborted when the job is cancelled or the runner stops. */
  signal: AbortSignal;
  progress(stage: string, done: number): void;
}

export type JobHandler = (job: JobRecord, context: JobContext) => Promise<JobOutcome>;

export interface JobRunnerOptions {
  queue: JobQueue;
  handlers: Readonly<Record<string, JobHandler>>;
  /** Jobs at a time. */
  concurrency: number;
  log: { error(details: object, message: string): void };
}

export interface JobRunner {
  /** Recovers interrupted jobs and begins. @throws Error where a queued job has no handler */
  start(): Promise<void>;
  /** Stops claiming, ends running jobs and queues them again. */
  stop(): Promise<void>;
  /** Resolves when nothing is queued or running. */
  idle(): Promise<void>;
}

export declare function createJobRunner(options: JobRunnerOptions): JobRunner;
