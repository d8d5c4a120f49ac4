// The durable queue of analysis jobs: what runs next, who asked, what became of it. Knows no handler.
import type { JobKind, JobPayload } from '../contract/jobs/job-kinds.ts';
import type { JobEnd, JobFilter, JobPageRequest, JobRecord, WaitingJob } from '../store/repositories/job-repository.ts';
import type { KeysetPage } from '../store/sqlite/keyset-page.ts';
import type { Store, Writes } from '../store/store.ts';

/** Lower runs first: a person who waits, then what has just arrived, then imports, then renewals in bulk. */
export const jobPriorities = { request: 10, upload: 20, import: 30, bulk: 40 } as const;
/** For the further analyses of an APK: of many that came at once, one is finished before the next begins. */
export const priorityAfter = (priority: number): number => priority - 1;

/** A job whose worker dies runs once more: something else may have killed it. */
const maxDeaths = 2;
/**
 * A job that was running each time when the workstation itself ended so often without closing fails: it may be the reason.
 * So many, because a user who ends the workstation by force again and again hits the same first jobs.
 */
const maxInterruptions = 10;
/** Failures that mean that the worker process died. */
const deathCodes: ReadonlySet<string> = new Set(['crashed', 'memory', 'invalid-reply']);

interface JobRequest {
  apkId: number | null;
  priority: number;
  /** The account that asked, and is notified of the end. */
  requestedBy?: number | null;
  /** The account whose upload is analysed: it sees the job, and is not notified. Without either the workstation wants it. */
  uploadedBy?: number | null;
  /** Whose turn it uses: who asked or uploaded where it is not given. */
  accountId?: number | null;
}

/** A job of any of these kinds, with the payload that its kind asks for. */
export type NewJob<Kinds extends JobKind = JobKind> = {
  [Kind in Kinds]: JobRequest & { kind: Kind } & (JobPayload<Kind> extends null
      ? { payload?: null }
      : { payload: JobPayload<Kind> });
}[Kinds];

export type JobOutcome = { status: 'done' | 'partial' } | { status: 'failed'; code: string; message: string };

/** Follows the end of a job, in the transaction that ends it. */
export type JobEndFollower = (job: JobRecord, inside: Writes) => Promise<void>;

export type JobListener = (job: JobRecord) => void;

/** Which of those that wait begins; they come by priority, then age. */
export type JobChoice = (waiting: readonly WaitingJob[]) => WaitingJob | undefined;

export interface JobQueue {
  /**
   * Adds a job, or joins the one of the same kind and APK that is queued or running (which takes the higher priority).
   * Inside a transaction give its repositories; listeners hear of it after the commit.
   */
  enqueue(job: NewJob, inside?: Writes): Promise<{ job: JobRecord; isNew: boolean }>;
  /** Starts the next job of these kinds, by priority, then age, unless another is chosen; null where none is. */
  claim(kinds: readonly JobKind[], choose?: JobChoice): Promise<JobRecord | null>;
  /** Reports progress; kept in memory and told to listeners. */
  progress(id: number, stage: string, done: number): void;
  /** Notes which other machine did what a running job asked for; kept with its end. */
  noteMachine(id: number, machine: string): void;
  /**
   * Ends a job. A worker's death (`crashed`, `memory`, `invalid-reply`) queues it once more; the second time it fails with the reason.
   * @returns null where it was over already, for example cancelled
   */
  finish(id: number, outcome: JobOutcome): Promise<JobRecord | null>;
  /** Queues a running job again that was interrupted through no fault of its own. */
  release(id: number): Promise<JobRecord | null>;
  /** Ends a queued or running job whoever asked for it. @returns null where it was over already */
  cancel(id: number): Promise<JobRecord | null>;
  /**
   * Takes one analyst's request back; with the last request the job ends, unless the workstation itself wants it.
   * Whoever ended it by this, or asked after its end, still sees it among their own jobs.
   * @returns the job, null where the analyst had not asked for it
   */
  withdraw(id: number, accountId: number): Promise<JobRecord | null>;
  find(id: number): Promise<JobRecord | null>;
  /** Newest first. */
  page(request: JobPageRequest): Promise<KeysetPage<JobRecord>>;
  count(filter: JobFilter): Promise<number>;
  /** Accounts that asked for this job or uploaded what it analyses, in the order they did. */
  requesters(id: number): Promise<number[]>;
  /** Kinds of which a job waits, also those that this version does not know. */
  queuedKinds(): Promise<string[]>;
  /** Puts back what was running when the workstation ended. */
  recover(): Promise<void>;
  /** Listens to every change of state or progress. @returns how to stop */
  onChange(listener: JobListener): () => void;
  /** Has these follow the end of every job, however it ends, one after the other. */
  followEnds(followers: readonly JobEndFollower[]): void;
}

export function createJobQueue(store: Store): JobQueue {
  return new StoredJobQueue(store);
}

class StoredJobQueue implements JobQueue {
  readonly #store: Store;
  readonly #listeners = new Set<JobListener>();
  #endFollowers: readonly JobEndFollower[] = [];
  /** Running jobs as they stand, since progress is not worth a write. */
  readonly #running = new Map<number, JobRecord>();

  constructor(store: Store) {
    this.#store = store;
  }

  async enqueue(job: NewJob, inside?: Writes): Promise<{ job: JobRecord; isNew: boolean }> {
    if (inside === undefined) return this.#store.transaction((repositories) => this.enqueue(job, repositories));
    const { kind, apkId, priority, requestedBy = null, uploadedBy = null, payload = null } = job;
    const { accountId = requestedBy ?? uploadedBy } = job;
    const isAutomatic = requestedBy === null && uploadedBy === null;
    const open = apkId === null ? null : await inside.jobs.findOpen(apkId, kind);
    const record =
      open === null
        ? await inside.jobs.insert({ kind, apkId, priority, isAutomatic, payload, accountId })
        : await inside.jobs.join(open.id, { priority, isAutomatic, accountId });
    if (uploadedBy !== null) await inside.jobs.addRequester(record.id, uploadedBy, true);
    if (requestedBy !== null) await inside.jobs.addRequester(record.id, requestedBy, false);
    if (open === null) inside.afterCommit(() => this.#emit(record));
    return { job: this.#current(record), isNew: open === null };
  }

  async claim(kinds: readonly JobKind[], choose: JobChoice = ([first]) => first): Promise<JobRecord | null> {
    for (;;) {
      const next = choose(await this.#store.jobs.waiting(kinds));
      if (next === undefined) return null;
      const job = await this.#store.transaction(({ jobs }) => jobs.start(next.id));
      // Cancelled in between.
      if (job === null) continue;
      this.#running.set(job.id, job);
      this.#emit(job);
      return job;
    }
  }

  progress(id: number, stage: string, done: number): void {
    const job = this.#running.get(id);
    if (job === undefined) return;
    const moved = { ...job, stage, progress: Math.max(0, Math.min(1, done)) };
    this.#running.set(id, moved);
    this.#emit(moved);
  }

  noteMachine(id: number, machine: string): void {
    const job = this.#running.get(id);
    if (job !== undefined) this.#running.set(id, { ...job, machine });
  }

  async finish(id: number, outcome: JobOutcome): Promise<JobRecord | null> {
    if (outcome.status !== 'failed') return this.#end(id, { status: outcome.status, errorCode: null, error: null });
    const { code: errorCode, message: error } = outcome;
    if (deathCodes.has(errorCode)) return this.#endDead(id, errorCode, error, maxDeaths);
    return this.#end(id, { status: 'failed', errorCode, error });
  }

  release(id: number): Promise<JobRecord | null> {
    return this.#end(id, { status: 'queued', errorCode: null, error: null });
  }

  cancel(id: number): Promise<JobRecord | null> {
    return this.#end(id, { status: 'cancelled', errorCode: 'cancelled', error: 'The job was cancelled.' });
  }

  async withdraw(id: number, accountId: number): Promise<JobRecord | null> {
    const requesters = await this.requesters(id);
    const job = await this.find(id);
    if (job === null || !requesters.includes(accountId)) return null;
    if (job.finishedAt !== null) return job;
    const isLast = !job.isAutomatic && requesters.length === 1;
    if (!isLast) await this.#store.transaction(({ jobs }) => jobs.removeRequester(id, accountId));
    // Two accounts that cancel at once may both have counted the other: count again.
    const isWanted = job.isAutomatic || (!isLast && (await this.requesters(id)).length > 0);
    return isWanted ? job : ((await this.cancel(id)) ?? job);
  }

  async find(id: number): Promise<JobRecord | null> {
    const job = await this.#store.jobs.findById(id);
    return job === null ? null : this.#current(job);
  }

  async page(request: JobPageRequest): Promise<KeysetPage<JobRecord>> {
    const page = await this.#store.jobs.page(request);
    return { ...page, items: page.items.map((job) => this.#current(job)) };
  }

  count(filter: JobFilter): Promise<number> {
    return this.#store.jobs.count(filter);
  }

  requesters(id: number): Promise<number[]> {
    return this.#store.jobs.requesters(id);
  }

  queuedKinds(): Promise<string[]> {
    return this.#store.jobs.queuedKinds();
  }

  async recover(): Promise<void> {
    for (const { id } of await this.#store.jobs.listRunning()) {
      await this.#endDead(id, 'crashed', 'The workstation ended while this job was running.', maxInterruptions);
    }
  }

  onChange(listener: JobListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  followEnds(followers: readonly JobEndFollower[]): void {
    this.#endFollowers = followers;
  }

  async #endDead(id: number, errorCode: string, error: string, maxAttempts: number): Promise<JobRecord | null> {
    const job = await this.#store.jobs.findById(id);
    if (job === null) return null;
    const attempts = job.attempts + 1;
    if (attempts < maxAttempts) return this.#end(id, { status: 'queued', attempts, errorCode, error });
    return this.#end(id, { status: 'failed', attempts, errorCode, error: `${error} It was tried ${attempts} times.` });
  }

  async #end(id: number, end: Omit<JobEnd, 'machine'>): Promise<JobRecord | null> {
    const machine = this.#running.get(id)?.machine ?? null;
    const job = await this.#store.transaction(async (inside) => {
      const ended = await inside.jobs.end(id, { ...end, machine });
      if (ended !== null && ended.status !== 'queued') {
        for (const follow of this.#endFollowers) await follow(ended, inside);
      }
      return ended;
    });
    this.#running.delete(id);
    if (job !== null) this.#emit(job);
    return job;
  }

  #current(job: JobRecord): JobRecord {
    return job.status === 'running' ? (this.#running.get(job.id) ?? job) : job;
  }

  #emit(job: JobRecord): void {
    for (const listener of this.#listeners) listener(job);
  }
}
