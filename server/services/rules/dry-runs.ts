// Dry runs: rules tried on chosen APKs and on known good ones before they are saved. Nothing of it becomes a match.
import { maxDryRunApks, maxKnownGoodApks } from '../../contract/rules/dry-run.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type { DryRunRecord } from '../../store/repositories/rules/dry-run-repository.ts';
import type { Store } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { Concealed, Failure, FieldFailure } from '../failure.ts';
import type { UsageLimits } from '../people/usage-limits.ts';
import type { ApkScanner } from './apk-scanner.ts';
import { addScan, addUntried, type DryRunResult, emptyDryRun, isHopeless } from './dry-run-result.ts';
import type { Rulesets } from './rulesets.ts';

interface DryRunTask {
  rules: string;
  /** Ids. */
  apks: number[];
  knownGood: number[];
}

export interface DryRunInput {
  rules: string;
  /** SHA-256. */
  apks?: readonly string[] | undefined;
  search?: string | undefined;
  isOnKnownGood: boolean;
}

export interface DryRunView {
  run: DryRunRecord<DryRunTask, DryRunResult>;
  job: JobRecord;
  /** The APKs that the result names, as far as they are there. */
  apks: Map<number, ApkRecord>;
  /** Microseconds. */
  expiresAt: number;
}

export interface DryRunParts {
  store: Store;
  queue: JobQueue;
  scanner: ApkScanner;
  catalogue: Catalogue;
  rulesets: Rulesets;
  limits: UsageLimits;
  /** Scans at a time. */
  workers: number;
}

/** Microseconds for which a result is kept. */
const lifetime = 7 * 86_400_000_000;
/** How often the results so far are stored for the page that shows them, in milliseconds. */
const saveInterval = 1000;
/** Measuring takes a scan for every rule: at most this many scans, over at most this many APKs. */
const measuredScans = 1000;
const maxMeasuredApks = 20;

export class DryRuns {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #scanner: ApkScanner;
  readonly #catalogue: Catalogue;
  readonly #rulesets: Rulesets;
  readonly #limits: UsageLimits;
  readonly #workers: number;

  constructor({ store, queue, scanner, catalogue, rulesets, limits, workers }: DryRunParts) {
    this.#store = store;
    this.#queue = queue;
    this.#scanner = scanner;
    this.#catalogue = catalogue;
    this.#rulesets = rulesets;
    this.#limits = limits;
    this.#workers = workers;
  }

  /**
   * Begins to try rules.
   * @throws FieldFailure where they do not compile, with the places, or no APK is chosen; SearchFailure; Failure `throttled`
   */
  async begin(account: AccountRecord, input: DryRunInput): Promise<DryRunView> {
    const compiled = await this.#rulesets.checked(account, input.rules);
    if (compiled.rules.length === 0) throw new FieldFailure({ rules: ['There are no rules in it.'] });
    const apks = await this.#chosen(account, input);
    const knownGood = input.isOnKnownGood ? await this.#newest('is_trusted:true', account, maxKnownGoodApks) : [];
    // An APK counts once: one that is known good counts as such, also where it was chosen by name.
    const known = new Set(knownGood);
    const others = apks.filter((id) => !known.has(id));
    if (others.length + knownGood.length === 0) {
      throw new FieldFailure({
        apks: ['No APK to try the rules on: name some, give a search, or take the known good ones.'],
      });
    }
    await this.#limits.use(account, 'apk-analyze');
    const task: DryRunTask = { rules: input.rules, apks: others, knownGood };
    const id = await this.#store.transaction(async (inside) => {
      const id = await inside.dryRuns.insert(account.id, task, emptyDryRun(compiled, others.length, knownGood.length));
      const payload = { dryRunId: id };
      const asked = { apkId: null, priority: jobPriorities.request, requestedBy: account.id };
      const { job } = await this.#queue.enqueue({ kind: 'dry_run', ...asked, payload }, inside);
      await inside.dryRuns.setJob(id, job.id);
      return id;
    });
    return this.get(account, id);
  }

  /** @throws Failure `not-found`, also where it is another's */
  async get(account: AccountRecord, id: number | null): Promise<DryRunView> {
    const run = id === null ? null : await this.#store.dryRuns.find<DryRunTask, DryRunResult>(id);
    const job = run === null ? null : await this.#queue.find(run.jobId);
    if (run === null || job === null) throw new Failure('not-found');
    if (run.accountId !== account.id) throw new Concealed();
    const { matches, failures } = run.result;
    const apks = await this.#catalogue.findByIds([...matches, ...failures].map(({ apkId }) => apkId));
    return { run, job, apks, expiresAt: run.createdAt + lifetime };
  }

  /** Ends a dry run; what it found until now stays. */
  async cancel(account: AccountRecord, { run }: DryRunView): Promise<DryRunView> {
    await this.#queue.cancel(run.jobId);
    return this.get(account, run.id);
  }

  /** Removes results that are older than they are kept. */
  forgetOld = (): Promise<void> =>
    this.#store.transaction(({ dryRuns }) => dryRuns.removeBefore(this.#store.trustedTime.now() - lifetime));

  async #chosen(account: AccountRecord, { apks = [], search }: DryRunInput): Promise<number[]> {
    const named = await Promise.all(apks.map((sha256) => this.#store.apks.findBySha256(sha256)));
    const unknown = apks.filter((_, index) => named[index] === null);
    if (unknown.length > 0) throw new FieldFailure({ apks: unknown.map((sha256) => `There is no APK ${sha256}.`) });
    const found = search === undefined ? [] : await this.#newest(search, account, maxDryRunApks);
    return [...new Set([...named.flatMap((apk) => apk?.id ?? []), ...found])].slice(0, maxDryRunApks);
  }

  async #newest(search: string, account: AccountRecord, count: number): Promise<number[]> {
    const selection = await this.#catalogue.search(search, account);
    const { items } = await this.#catalogue.page({ search: selection, limit: count });
    return items.map(({ id }) => id);
  }

  /** The handler of `dry_run` jobs. After an interruption it begins anew. */
  readonly perform: JobHandler<'dry_run'> = async ({ payload }, context): Promise<JobOutcome> => {
    const run = await this.#store.dryRuns.find<DryRunTask, DryRunResult>(payload.dryRunId);
    const account = run === null ? null : await this.#store.accounts.findById(run.accountId);
    if (run === null || account === null) {
      return { status: 'failed', code: 'gone', message: 'The dry run was deleted.' };
    }
    const { rules, apks, knownGood } = run.task;
    const compiled = await this.#rulesets.checked(account, rules);
    const result = emptyDryRun(compiled, apks.length, knownGood.length);
    const measured = Math.min(maxMeasuredApks, Math.max(1, Math.floor(measuredScans / compiled.rules.length)));
    const waiting = [
      ...knownGood.map((id) => ({ id, isKnownGood: true })),
      ...apks.map((id) => ({ id, isKnownGood: false })),
    ];
    const total = waiting.length;
    let saved = performance.now();
    let begun = 0;
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        begun += 1;
        const measuresRules = begun <= measured;
        const apk = await this.#store.apks.findById(next.id);
        const scan =
          apk === null
            ? { status: 'failed' as const, code: 'apk-gone', message: 'The APK was deleted.' }
            : await this.#scanner.scan(apk, [{ id: `dry ${run.id}`, rules }], {
                account: account.id,
                signal: context.signal,
                isAwaited: true,
                measuresRules,
              });
        if (context.signal.aborted) return;
        addScan(result, { ...next, size: apk?.size ?? 0 }, scan);
        if (isHopeless(result)) for (const left of waiting.splice(0)) addUntried(result, left.id);
        context.progress('trying', result.scanned / total);
        if (performance.now() - saved < saveInterval) continue;
        saved = performance.now();
        await this.#store.transaction(({ dryRuns }) => dryRuns.saveResult(run.id, result));
      }
    };
    await Promise.all(Array.from({ length: this.#workers }, work));
    await this.#store.transaction(({ dryRuns }) => dryRuns.saveResult(run.id, result));
    return { status: result.failed + result.unfinished > 0 ? 'partial' : 'done' };
  };
}
