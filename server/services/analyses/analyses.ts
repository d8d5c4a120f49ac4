// Analyses of APKs: asking for them, performing them, storing what they found. Knows nothing of HTTP.
import { setImmediate } from 'node:timers/promises';
import { engineVersion } from '../../contract/engine/engine-version.ts';
import { evidenceVersion } from '../../contract/engine/evidence.ts';
import type { AnalysisKind } from '../../contract/jobs/job.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord, JobStatus } from '../../store/repositories/job-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { Store } from '../../store/store.ts';
import { identifiedFields, identityReports, noteSuccession } from '../catalogue/identification.ts';
import { fingerprintKeys } from '../catalogue/likeness/fingerprint-keys.ts';
import { ManyAtOnce } from '../catalogue/many-at-once.ts';
import type { EventBus } from '../event-bus.ts';
import { Concealed, Failure } from '../failure.ts';
import type { UsageLimits } from '../people/usage-limits.ts';
import { isAllowed, maySeeJob } from '../policies.ts';
import { type KeptAnalysis, keepAnalysis } from './analysis-keeping.ts';
import type { Children } from './children.ts';
import type { ContentIndexing } from './content-indexing.ts';
import type { FinishedReply, StoredFileTasks } from './stored-file-tasks.ts';

export type { JobRecord };

/** APKs that are queued in one transaction when all are analysed again. */
const renewalBatch = 50;

export interface RequestOptions {
  /** false: one job of a bulk action, which runs after what people asked for one by one; nobody is notified of its end. */
  isTold?: boolean;
}

export interface JobListRequest {
  statuses?: readonly JobStatus[] | undefined;
  apkId?: number | undefined;
  olderThan?: number | undefined;
  newerThan?: number | undefined;
  limit: number;
}

export interface AnalysesParts {
  store: Store;
  queue: JobQueue;
  pool: WorkerPool;
  files: StoredFileTasks;
  events: EventBus;
  limits: UsageLimits;
  children: Children;
  contentIndexing: ContentIndexing;
}

/** A larger count is given as this number. */
const mostOutdated = 10_000;

export class Analyses {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #pool: WorkerPool;
  readonly #events: EventBus;
  readonly #limits: UsageLimits;
  readonly #children: Children;
  readonly #contentIndexing: ContentIndexing;
  readonly #recent = new ManyAtOnce();
  /** The handler of `static` jobs. */
  readonly performStatic: JobHandler<'static'>;

  constructor({ store, queue, pool, files, events, limits, children, contentIndexing }: AnalysesParts) {
    this.#store = store;
    this.#queue = queue;
    this.#pool = pool;
    this.#events = events;
    this.#limits = limits;
    this.#children = children;
    this.#contentIndexing = contentIndexing;
    this.performStatic = files.handler(
      (file, { sha256 }) => ({ kind: 'static', file, fileName: `${sha256}.apk`, prints: contentIndexing.isOn }),
      (apk, reply, signal, job) => this.#storeStatic(apk, reply, signal, job),
    );
  }

  /**
   * Asks for an analysis. Where the same one waits or runs already, that one answers, and it costs nothing.
   * @throws Failure `throttled`
   */
  async request(
    account: AccountRecord,
    apk: ApkRecord,
    kind: AnalysisKind,
    options: RequestOptions = {},
  ): Promise<JobRecord> {
    return (await this.requestAll(account, apk, [kind], options))[0]!;
  }

  /**
   * Asks for several analyses at the price of one; for nothing where all of them wait or run already.
   * @returns their jobs, in this order
   * @throws Failure `throttled`
   */
  async requestAll(
    account: AccountRecord,
    apk: ApkRecord,
    kinds: readonly AnalysisKind[],
    { isTold = true }: RequestOptions = {},
  ): Promise<JobRecord[]> {
    const active = await this.#queue.page({ apkId: apk.id, statuses: ['queued', 'running'], limit: 100 });
    const isJoining = kinds.every((kind) => active.items.some((other) => other.kind === kind));
    if (!isJoining) await this.#limits.use(account, 'apk-analyze');
    const isOneOfMany = !isTold || (!isJoining && this.#recent.isOneOfMany(account.id, this.#store.clock()));
    const priority = isOneOfMany ? jobPriorities.import : jobPriorities.request;
    const asking = isTold ? { priority, requestedBy: account.id } : { priority, accountId: account.id };
    const answered: JobRecord[] = [];
    let isAnyNew = false;
    for (const kind of kinds) {
      const { job: queued, isNew } = await this.#queue.enqueue({ kind, apkId: apk.id, ...asking });
      answered.push(queued);
      isAnyNew ||= isNew;
    }
    if (!isJoining && !isAnyNew) await this.#limits.giveBack(account, 'apk-analyze');
    return answered;
  }

  /** Queues every APK whose static report an older engine made, or that has none. Nobody is notified. @returns how many */
  async renewOutdated(): Promise<number> {
    let queued = 0;
    let afterId = 0;
    for (;;) {
      const request = { kind: 'androguard', engineVersion, afterId, limit: renewalBatch } as const;
      const ids = await this.#store.reports.outdated(request);
      const last = ids.at(-1);
      if (last === undefined) return queued;
      afterId = last;
      await this.#store.transaction(async (inside) => {
        for (const apkId of ids) {
          const { isNew } = await this.#queue.enqueue({ kind: 'static', apkId, priority: jobPriorities.bulk }, inside);
          if (isNew) queued += 1;
        }
      });
      // Queries are synchronous: between two batches other requests get their turn.
      await setImmediate();
    }
  }

  /** How many static reports an older engine made, up to `mostOutdated`. */
  async countOutdated(): Promise<number> {
    return this.#store.reports.countOutdated(engineVersion, mostOutdated);
  }

  /** Jobs that this account may see, newest first. */
  async jobs(account: AccountRecord, request: JobListRequest) {
    const requestedBy = isAllowed(account, 'jobs.all') ? undefined : account.id;
    return this.#queue.page({ ...request, requestedBy });
  }

  /** How many jobs that this account may see there are. */
  async countJobs(account: AccountRecord, { statuses, apkId }: Pick<JobListRequest, 'statuses' | 'apkId'>) {
    const requestedBy = isAllowed(account, 'jobs.all') ? undefined : account.id;
    return this.#queue.count({ requestedBy, statuses, apkId });
  }

  /** @throws Failure `not-found`, also where the account may not see it */
  async job(account: AccountRecord, id: number): Promise<JobRecord> {
    const job = await this.#queue.find(id);
    if (job === null) throw new Failure('not-found');
    if (!maySeeJob(account, await this.#queue.requesters(id))) throw new Concealed();
    return job;
  }

  /**
   * Takes one's own request back; the owner's ends the job for everybody.
   * @throws Failure `not-found`
   */
  async cancel(account: AccountRecord, id: number): Promise<JobRecord> {
    const job = await this.job(account, id);
    const changed = isAllowed(account, 'jobs.all')
      ? await this.#queue.cancel(id)
      : await this.#queue.withdraw(id, account.id);
    return changed ?? (await this.#queue.find(id)) ?? job;
  }

  async #storeStatic(
    apk: ApkRecord,
    { status, result }: FinishedReply<'static'>,
    signal: AbortSignal,
    job: JobRecord,
  ): Promise<JobOutcome> {
    const { identity, index, findings, uses, carriesCode, signerHistory, prints } = result;
    const { sketch, fingerprint, ownStrings } = result;
    const { androguard, cuckoo, manifest, files } = result.reports;
    const described = { apkId: apk.id, status, engineVersion };
    const kept: KeptAnalysis = {
      reports: [
        { ...described, kind: 'androguard', ...androguard },
        { ...described, kind: 'manifest', ...manifest },
        { ...described, kind: 'files', ...files },
        ...identityReports(apk.id, status, identity),
        { ...described, engineVersion: evidenceVersion, kind: 'evidence', content: { findings, uses } },
      ],
      removed: identity.icon === null ? ['icon'] : [],
      describe: { status, engineVersion },
      // What an earlier dynamic analysis put into the cuckoo report must not be lost.
      cuckoo: ({ cuckoo: parts, isDynamicAnalyzed }) =>
        isDynamicAnalyzed && parts !== null
          ? { kind: 'join', androguard, cuckoo, parts, added: null }
          : { kind: 'joined', cuckoo, index },
      update: async (inside) => {
        if (prints !== undefined) await this.#contentIndexing.offer(inside, apk, prints);
        await this.#events.happened({ name: 'evidence_changed', apkIds: [apk.id] }, inside);
        await noteSuccession(inside, signerHistory);
        await inside.codeSketches.put(apk.id, sketch);
        await this.#events.happened({ name: 'code_read', apkIds: [apk.id] }, inside);
        await inside.ownStrings.put(apk.id, ownStrings);
        const icon = fingerprint?.icon ?? null;
        const terms = icon === null ? [] : [{ field: 'icon', text: Buffer.from(icon).toString('hex') }];
        await inside.search.replaceTerms(['icon'], [{ apkId: apk.id, terms }]);
        await inside.fingerprints.put(apk.id, fingerprint, fingerprint === null ? [] : fingerprintKeys(fingerprint));
        const hasParts = (await inside.parts.of(apk.sha256)).length > 0;
        if (carriesCode || hasParts || apk.children !== null) await this.#children.follow(inside, job, apk.id);
        return inside.apks.update(apk.id, {
          ...(await identifiedFields(inside, identity)),
          isStaticAnalyzed: true,
          fileState: 'ok',
        });
      },
    };
    const outcome = await keepAnalysis(this.#store, this.#pool, apk.id, kept, signal);
    if (outcome.status === 'failed') return outcome;
    if (outcome.changed !== null) this.#events.publish({ name: 'apk_updated', apk: outcome.changed });
    return { status };
  }
}
