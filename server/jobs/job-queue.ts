// The durable queue of analysis jobs: what runs next, who asked, what became of it. Knows no handler.
import type { JobPageRequest, JobRecord } from '../store/job-repository.ts';
import type { Repositories, Store } from '../store/store.ts';

/** Lower runs first. */
export const jobPriorities = { request: 10, upload: 20, import: 30, bulk: 40 } as const;

export interface NewJob {
  kind: string;
  apkId: number | null;
  priority: number;
  /** The account that asked, and is to be told of the end. */
  requestedBy?: number | null;
  payload?: unknown;
}

export type JobOutcome = { status: 'done' | 'partial' } | { status: 'failed'; code: string; message: string };

export type JobListener = (job: JobRecord) => void;

export interface JobQueue {
  /**
   * Adds a job, or joins the one of the same kind and APK that is queued or running (which takes the higher priority).
   * Inside a transaction give its repositories; listeners hear of it after the commit.
   */
  enqueue(job: NewJob, inside?: Repositories): Promise<{ job: JobRecord; isNew: boolean }>;
  /** Starts the next job of these kinds, by priority, then age; null where nothing waits. */
  claim(kinds: readonly string[]): Promise<JobRecord | null>;
  /** Reports progress; kept in memory and told to listeners, written with the next change of state. */
  progress(id: number, stage: string, done: number): void;
  /** Ends a job. A worker's death (`crashed`, `memory`) queues it once more, the second time it fails with the reason. */
  finish(id: number, outcome: JobOutcome): Promise<JobRecord | null>;
  /** Ends a queued or running job whoever asked for it. @returns null where it was over already */
  cancel(id: number): Promise<JobRecord | null>;
  /** Takes one analyst's request back; the job ends with the last one. @returns the job, null where he had not asked */
  withdraw(id: number, accountId: number): Promise<JobRecord | null>;
  find(id: number): Promise<JobRecord | null>;
  /** Newest first. */
  page(request: JobPageRequest): Promise<{ jobs: JobRecord[]; hasOlder: boolean; hasNewer: boolean }>;
  count(request: Pick<JobPageRequest, 'requestedBy' | 'apkId' | 'statuses'>): Promise<number>;
  /** Accounts that asked for this job, in the order they did. */
  requesters(id: number): Promise<number[]>;
  /** Puts back what was running when the workstation ended. */
  recover(): Promise<void>;
  /** Listens to every change. @returns how to stop */
  onChange(listener: JobListener): () => void;
}

/** `store`: anything with repositories and transactions, that is, an open store. */
export declare function createJobQueue(store: Store): JobQueue;
