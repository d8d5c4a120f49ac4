// One action on many APKs: at once for some dozens, else as a job with progress. Knows nothing of HTTP.
import { setImmediate } from 'node:timers/promises';
import type { NewVerdict } from '../../contract/catalogue/verdict.ts';
import type { BulkAction } from '../../contract/jobs/bulk.ts';
import type { JobPayload } from '../../contract/jobs/job-kinds.ts';
import type { Action } from '../../contract/policy.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { Store } from '../../store/store.ts';
import type { ApkRecord, Catalogue, CatalogueSearch } from '../catalogue/catalogue.ts';
import { Failure } from '../failure.ts';
import type { AccountRecord } from '../people/accounts.ts';
import { isAllowed } from '../policies.ts';
import type { Verdicts } from '../triage/verdicts.ts';
import type { Analyses } from './analyses.ts';

/** Up to this many APKs are done before the request is answered; more become a job. */
const atOnce = 50;
const pageSize = 100;
const lookedUpAtOnce = 20;
/** Reasons that a job tells of. */
const maxReasons = 3;

interface BulkParts {
  store: Store;
  queue: JobQueue;
  catalogue: Catalogue;
  analyses: Analyses;
  verdicts: Verdicts;
}

export interface BulkOrder {
  action: BulkAction;
  /** With `tag` and `untag`. */
  tag: string | null;
  /** With `judge`. */
  verdict: NewVerdict | null;
}

export interface BulkResult {
  count: number;
  job: JobRecord | null;
  done: number;
  refused: { sha256: string; reason: string }[];
}

const needed: Partial<Record<BulkAction, Action>> = {
  trust: 'apk.trust',
  untrust: 'apk.trust',
  delete: 'apk.delete',
};

export class BulkActions {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #catalogue: Catalogue;
  readonly #analyses: Analyses;
  readonly #verdicts: Verdicts;

  constructor({ store, queue, catalogue, analyses, verdicts }: BulkParts) {
    this.#store = store;
    this.#queue = queue;
    this.#catalogue = catalogue;
    this.#analyses = analyses;
    this.#verdicts = verdicts;
  }

  /**
   * @param sha256 hashes in lower case; those that the catalogue does not hold are refused
   * @throws Failure `not-allowed`
   */
  async onHashes(account: AccountRecord, order: BulkOrder, sha256: readonly string[]): Promise<BulkResult> {
    this.#check(account, order);
    const refused: BulkResult['refused'] = [];
    const apks: ApkRecord[] = [];
    for (const hash of new Set(sha256)) {
      const apk = await this.#store.apks.findBySha256(hash);
      if (apk === null) refused.push({ sha256: hash, reason: new Failure('not-found').message });
      else apks.push(apk);
      // Reading is synchronous: after every few APKs other requests get their turn.
      if ((apks.length + refused.length) % lookedUpAtOnce === 0) await setImmediate();
    }
    return this.#onApks(account, order, apks, refused);
  }

  /** @param ids of APKs; those that are gone are left out. @throws Failure `not-allowed` */
  async onIds(account: AccountRecord, order: BulkOrder, ids: readonly number[]): Promise<BulkResult> {
    this.#check(account, order);
    if (ids.length <= atOnce)
      return this.#onApks(account, order, [...(await this.#store.apks.findByIds(ids)).values()], []);
    const job = await this.#enqueue(account, { ...order, ids: [...ids], search: '' });
    return { count: ids.length, job, done: 0, refused: [] };
  }

  async #onApks(
    account: AccountRecord,
    order: BulkOrder,
    apks: readonly ApkRecord[],
    refused: BulkResult['refused'],
  ): Promise<BulkResult> {
    if (apks.length > atOnce) {
      const job = await this.#enqueue(account, { ...order, ids: apks.map(({ id }) => id), search: '' });
      return { count: apks.length, job, done: 0, refused };
    }
    let done = 0;
    for (const apk of apks) {
      const reason = await this.#reasonAgainst(account, order, apk, true);
      if (reason === null) done += 1;
      else refused.push({ sha256: apk.sha256, reason });
      await setImmediate();
    }
    return { count: apks.length, job: null, done, refused };
  }

  /** @throws Failure `not-allowed`; SearchFailure */
  async onSearch(account: AccountRecord, order: BulkOrder, search: string): Promise<BulkResult> {
    this.#check(account, order);
    const count = await this.#catalogue.count(await this.#catalogue.search(search, account));
    const job = await this.#enqueue(account, { ...order, ids: null, search });
    return { count, job, done: 0, refused: [] };
  }

  /** The handler of jobs of the kind `bulk`. */
  readonly perform: JobHandler<'bulk'> = async (job, { signal, progress }): Promise<JobOutcome> => {
    const { payload } = job;
    const account = await this.#store.accounts.findById(payload.accountId);
    if (account === null || account.isDisabled)
      return { status: 'failed', code: 'not-allowed', message: 'The account that asked for it is closed.' };
    try {
      this.#check(account, payload);
    } catch (error) {
      if (error instanceof Failure) return { status: 'failed', code: error.id, message: error.message };
      throw error;
    }
    const search = payload.ids === null ? await this.#catalogue.search(payload.search, account, true) : undefined;
    const count = payload.ids?.length ?? (await this.#catalogue.count(search));
    const reasons = new Map<string, number>();
    let seen = 0;
    for await (const apk of this.#apks(payload.ids, search)) {
      if (signal.aborted) break;
      if (!(await this.#wasDone(payload, apk, job))) {
        const reason = await this.#reasonAgainst(account, payload, apk, false);
        if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      }
      seen += 1;
      await setImmediate();
      progress(`${seen} of ${Math.max(seen, count)}`, seen / Math.max(seen, count));
    }
    if (reasons.size === 0) return { status: 'done' };
    const told = [...reasons].slice(0, maxReasons).map(([reason, times]) => `${times} × ${reason}`);
    return { status: 'failed', code: 'incomplete', message: `Not done everywhere: ${told.join(' ')}` };
  };

  #check(account: AccountRecord, { action }: BulkOrder): void {
    const policy = needed[action];
    if (policy !== undefined && !isAllowed(account, policy)) throw new Failure('not-allowed');
  }

  async #enqueue(account: AccountRecord, order: Omit<JobPayload<'bulk'>, 'accountId'>): Promise<JobRecord> {
    const payload = { ...order, accountId: account.id };
    const asked = { apkId: null, priority: jobPriorities.request, requestedBy: account.id };
    return (await this.#queue.enqueue({ kind: 'bulk', ...asked, payload })).job;
  }

  /** Newest first. Each is read when its turn comes, so that what happens meanwhile is seen. */
  async *#apks(ids: readonly number[] | null, search: CatalogueSearch): AsyncGenerator<ApkRecord> {
    if (ids !== null) {
      for (let at = 0; at < ids.length; at += pageSize)
        yield* (await this.#catalogue.findByIds(ids.slice(at, at + pageSize))).values();
      return;
    }
    for (let olderThan: number | undefined; ; ) {
      const page = await this.#catalogue.page({ search, olderThan, limit: pageSize });
      yield* page.items;
      olderThan = page.items.at(-1)?.id;
      if (!page.hasOlder || olderThan === undefined) return;
    }
  }

  /** A job that was interrupted begins again: analyses that ended since it was asked for are not made twice. */
  async #wasDone({ action }: BulkOrder, apk: ApkRecord, job: JobRecord): Promise<boolean> {
    if (!action.startsWith('analyze_')) return false;
    if (action === 'analyze_yara') return (apk.lastYaraAnalysisAt ?? 0) >= job.createdAt;
    if (action === 'analyze_antivirus') {
      const { items } = await this.#queue.page({ apkId: apk.id, statuses: ['done', 'partial'], limit: 20 });
      return items.some(({ kind, finishedAt }) => kind === 'antivirus' && (finishedAt ?? 0) >= job.createdAt);
    }
    const kind = action === 'analyze_static' ? 'androguard' : 'dynamic';
    const reports = await this.#store.reports.list(apk.id);
    return reports.some((report) => report.kind === kind && report.createdAt >= job.createdAt);
  }

  /** Does it to one APK. @returns why not, null where it is done */
  async #reasonAgainst(
    account: AccountRecord,
    { action, tag, verdict }: BulkOrder,
    apk: ApkRecord,
    isTold: boolean,
  ): Promise<string | null> {
    try {
      switch (action) {
        case 'tag':
          await this.#catalogue.addTags(apk, [tag!]);
          break;
        case 'untag':
          if (apk.tags.includes(tag!)) await this.#catalogue.removeTag(apk, tag!);
          break;
        case 'trust':
        case 'untrust':
          if (apk.isTrusted !== (action === 'trust')) await this.#catalogue.setTrusted(apk.sha256, action === 'trust');
          break;
        case 'judge':
          await this.#verdicts.say(account, apk.id, verdict!);
          break;
        case 'delete':
          await this.#catalogue.remove(apk.sha256, account.username);
          break;
        default:
          await this.#analyses.request(account, apk, kindOf(action), { isTold });
      }
      return null;
    } catch (error) {
      if (error instanceof Failure) return error.message;
      throw error;
    }
  }
}

const kindOf = (action: BulkAction) => action.slice('analyze_'.length) as 'static' | 'dynamic' | 'yara' | 'antivirus';
