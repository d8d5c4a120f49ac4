// Scans APKs with the active rulesets: after every static analysis, and when asked. Knows nothing of HTTP or of YARA itself.
import type { AndroguardReport, CuckooReport } from '../contract/reports.ts';
import type { JobOutcome, JobQueue } from '../jobs/job-queue.ts';
import type { JobHandler } from '../jobs/job-runner.ts';
import type { WorkerPool } from '../jobs/worker-pool.ts';
import type { JobRecord } from '../store/job-repository.ts';
import type { Repositories, Store } from '../store/store.ts';
import type { ActiveRulesets } from './active-rulesets.ts';
import type { EventBus } from './event-bus.ts';
import type { FoundMatch, Matches } from './matches.ts';

export class YaraScans {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #pool: WorkerPool;
  readonly #events: EventBus;
  readonly #matches: Matches;
  readonly #active: ActiveRulesets;

  constructor(
    store: Store,
    queue: JobQueue,
    pool: WorkerPool,
    events: EventBus,
    matches: Matches,
    active: ActiveRulesets,
  ) {
    this.#store = store;
    this.#queue = queue;
    this.#pool = pool;
    this.#events = events;
    this.#matches = matches;
    this.#active = active;
    queue.onEnd((job, inside) => this.#follow(job, inside));
  }

  /** Rules see the reports of the APK, so its scan is queued with the end of its static analysis, failed ones too. */
  async #follow({ kind, apkId, status, errorCode, priority }: JobRecord, inside: Repositories): Promise<void> {
    if (kind !== 'static' || apkId === null || status === 'cancelled') return;
    if (errorCode === 'apk-gone' || errorCode === 'file-missing' || errorCode === 'file-altered') return;
    if ((await this.#active.versions(inside)).length > 0) {
      await this.#queue.enqueue({ kind: 'yara', apkId, priority }, inside);
      return;
    }
    // Nothing to look for: the scan is over before a worker would have begun.
    const apk = await inside.apks.update(apkId, { lastYaraAnalysisAt: this.#store.clock() });
    if (apk !== null) inside.afterCommit(() => this.#events.publish({ name: 'apk_updated', apk }));
  }

  /** The handler of `yara` jobs. A ruleset that does not compile, or is not done in time, keeps the matches it had. */
  readonly perform: JobHandler = async (job, context): Promise<JobOutcome> => {
    const apk = job.apkId === null ? null : await this.#store.apks.findById(job.apkId);
    if (apk === null) return { status: 'failed', code: 'apk-gone', message: 'The APK was deleted.' };
    const rulesets = await this.#active.list();
    if (rulesets.length === 0) {
      await this.#matches.recordScan(apk.id, [], []);
      return { status: 'done' };
    }
    const reply = await this.#pool.run(
      {
        kind: 'yara',
        file: this.#store.files.fileReference(apk.sha256),
        rulesets: rulesets.map(({ rulesetId, rules }) => ({ id: String(rulesetId), rules })),
        reports: {
          androguard: await this.#store.reports.readJson<AndroguardReport>(apk.id, 'androguard'),
          cuckoo: await this.#store.reports.readJson<CuckooReport>(apk.id, 'cuckoo'),
          droidbox: await this.#store.reports.readJson<Record<string, unknown>>(apk.id, 'dynamic'),
        },
      },
      { signal: context.signal, onProgress: context.progress },
    );
    if (reply.status === 'failed') return reply;
    const complete = reply.result.rulesets.filter(({ status }) => status === 'done');
    const found: FoundMatch[] = complete
      .filter(({ rules_matched }) => rules_matched.length > 0)
      .map(({ id, rules_matched }) => ({ rulesetId: Number(id), rules: rules_matched }));
    await this.#matches.recordScan(
      apk.id,
      complete.map(({ id }) => Number(id)),
      found,
    );
    return { status: complete.length === rulesets.length ? reply.status : 'partial' };
  };
}
