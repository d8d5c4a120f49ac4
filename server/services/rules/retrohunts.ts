// Retrohunts: rulesets run over everything that the catalogue holds, as a job that may take days. Knows nothing of HTTP.
import type { SlowRule } from '../../contract/engine/content-index.ts';
import { payloadOf } from '../../contract/jobs/job-kinds.ts';
import type { ErrorLog } from '../../jobs/error-log.ts';
import { type JobOutcome, type JobQueue, jobPriorities } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { AccountRecord } from '../../store/repositories/people/account-repository.ts';
import type {
  HuntedRulesetRecord,
  HuntStep,
  RetrohuntRecord,
} from '../../store/repositories/rules/retrohunt-repository.ts';
import type { RulesetRecord } from '../../store/repositories/rules/ruleset-repository.ts';
import type { KeysetRequest } from '../../store/sqlite/keyset-page.ts';
import type { Store, Writes } from '../../store/store.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { EventBus } from '../event-bus.ts';
import { Concealed, Failure, FieldFailure } from '../failure.ts';
import type { UsageLimits } from '../people/usage-limits.ts';
import { mayHunt, maySeeRuleset } from '../policies.ts';
import type { ApkScanner } from './apk-scanner.ts';
import { AwaitedReports, analysesAsked } from './awaited-reports.ts';
import type { CompiledRulesFolder } from './compiled-rules-folder.ts';
import type { HuntPlan, HuntPlanner } from './hunt-candidates.ts';
import { HuntRun, type WaitingApk } from './hunt-run.ts';
import type { Matches, RecordedScan } from './matches.ts';
import type { ApkScan } from './ruleset-isolation.ts';
import { type HuntPass, type HuntShare, RunningHunts } from './running-hunts.ts';

export type { RetrohuntRecord };

/** A hunt with what belongs to it, as the one who asked for it sees it. */
export interface RetrohuntView {
  hunt: RetrohuntRecord;
  job: JobRecord;
  rulesets: { hunted: HuntedRulesetRecord; ruleset: RulesetRecord }[];
  /** APKs per second. */
  rate: number | null;
}

/** What a hunt would take. */
export interface HuntEstimate {
  apksCount: number;
  /** About how many of them would be read. */
  readCount: number;
  seconds: number;
  /** With the rules that have every APK read. */
  rulesets: { ruleset: RulesetRecord; slow: readonly SlowRule[] }[];
}

/** `isNew`: false where an earlier request answers this one. */
export interface BegunHunt {
  view: RetrohuntView;
  isNew: boolean;
}

export interface RetrohuntParts {
  store: Store;
  queue: JobQueue;
  scanner: ApkScanner;
  planner: HuntPlanner;
  compiledRules: CompiledRulesFolder;
  events: EventBus;
  matches: Matches;
  catalogue: Catalogue;
  limits: UsageLimits;
  /** Scans at a time. */
  workers: number;
  log: ErrorLog;
}

/** APKs that are looked up at a time. */
const pageSize = 200;
/** Of an account's hunts the latest are looked through for one that was asked for twice. */
const maxLookedAt = 20;
/** So many rulesets are compiled once for the whole hunt; fewer take every new worker less than a second. */
const keptFrom = 20;
/** Milliseconds between two events of a hunt. */
const eventInterval = 300;
/** Milliseconds after which it is written that APKs were passed over. */
const passedInterval = 1000;
/** Seconds that one scan takes, of files or of reports alone, as long as none was measured. */
const usualScans = { files: 0.3, reports: 0.02 };
/** Milliseconds that the rate of a hunt is measured over. */
const rateWindow = 120_000;

export class Retrohunts {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #scanner: ApkScanner;
  readonly #planner: HuntPlanner;
  readonly #reports: AwaitedReports;
  readonly #compiledRules: CompiledRulesFolder;
  readonly #events: EventBus;
  readonly #matches: Matches;
  readonly #catalogue: Catalogue;
  readonly #limits: UsageLimits;
  readonly #workers: number;
  readonly #log: RetrohuntParts['log'];
  readonly #running = new RunningHunts();
  /** How many APKs running hunts had done with, and when. */
  readonly #finished = new Map<number, { at: number; done: number }[]>();
  /** Seconds that a scan took lately. */
  readonly #scanSeconds = { ...usualScans };
  readonly #lastEvent = new Map<number, number>();

  constructor(parts: RetrohuntParts) {
    this.#store = parts.store;
    this.#queue = parts.queue;
    this.#scanner = parts.scanner;
    this.#planner = parts.planner;
    this.#reports = new AwaitedReports(parts.store, parts.queue);
    this.#compiledRules = parts.compiledRules;
    this.#events = parts.events;
    this.#matches = parts.matches;
    this.#catalogue = parts.catalogue;
    this.#limits = parts.limits;
    this.#workers = parts.workers;
    this.#log = parts.log;
  }

  /**
   * Begins a hunt over all APKs that are there now, or those of them that a search finds. Where the account's same hunt
   * waits or runs already, that one answers, and it costs nothing.
   * @throws Failure `not-allowed`, `throttled`; SearchFailure; FieldFailure where a ruleset has no rules
   */
  async begin(account: AccountRecord, rulesets: readonly RulesetRecord[], search: string): Promise<BegunHunt> {
    if (!rulesets.every((ruleset) => mayHunt(account, ruleset))) throw new Failure('not-allowed');
    const empty = rulesets.find(({ rulesCount }) => rulesCount === 0);
    if (empty !== undefined) throw new FieldFailure({ rulesets: [`${empty.name} has no rules.`] });
    const selection = await this.#catalogue.search(search, account);
    const twin = await this.#openTwin(account, rulesets, search);
    if (twin !== null) return { view: twin, isNew: false };
    await this.#limits.use(account, 'apk-analyze');
    const newest = await this.#catalogue.page({ search: undefined, limit: 1 });
    const apksCount = await this.#catalogue.count(selection);
    const { id } = await this.#store.transaction(async (inside) => {
      const id = await inside.retrohunts.insert({
        accountId: account.id,
        search,
        place: (newest.items[0]?.id ?? 0) + 1,
        apksCount,
        rulesets: [...new Map(rulesets.map((ruleset) => [ruleset.id, ruleset])).values()].map((ruleset) => ({
          rulesetId: ruleset.id,
          version: ruleset.version,
        })),
      });
      const payload = { retrohuntId: id };
      const asked = { apkId: null, priority: jobPriorities.bulk, requestedBy: account.id };
      const { job } = await this.#queue.enqueue({ kind: 'retrohunt', ...asked, payload }, inside);
      await inside.retrohunts.setJob(id, job.id);
      return { id };
    });
    return { view: await this.get(account, id), isNew: true };
  }

  /** The account's hunt of the same texts in the same search that waits or runs. */
  async #openTwin(account: AccountRecord, rulesets: readonly RulesetRecord[], search: string) {
    const wanted = new Set(rulesets.map(({ id, version }) => `${id}.${version}`));
    const { items } = await this.#store.retrohunts.page({ filter: { accountId: account.id }, limit: maxLookedAt });
    for (const hunt of items) {
      if (hunt.search !== search) continue;
      const view = await this.#view(hunt, account);
      if (view.job.status !== 'queued' && view.job.status !== 'running') continue;
      const hunting = view.rulesets.map(({ hunted: { rulesetId, version } }) => `${rulesetId}.${version}`);
      if (hunting.length === wanted.size && hunting.every((text) => wanted.has(text))) return view;
    }
    return null;
  }

  /**
   * What a hunt would have to read, and how long that takes.
   * @throws Failure `not-allowed`; SearchFailure
   */
  async estimate(account: AccountRecord, rulesets: readonly RulesetRecord[], search: string): Promise<HuntEstimate> {
    if (!rulesets.every((ruleset) => mayHunt(account, ruleset))) throw new Failure('not-allowed');
    const selection = await this.#catalogue.search(search, account);
    const apksCount = await this.#catalogue.count(selection);
    const all = await this.#catalogue.count(undefined);
    const texts = await Promise.all(
      rulesets.map(async ({ id, version }) => ({
        id: `${id}.${version}`,
        rules: (await this.#store.rulesetVersions.readRules(id, version)) ?? '',
      })),
    );
    const plan = await this.#planner.plan(texts);
    const { known, matching, ofReports } = plan?.candidates.counts ?? { known: 0, matching: 0, ofReports: 0 };
    // Of a search nobody counts which of its APKs the index knows: as many as of all.
    const shareOf = (some: number) => (all === 0 ? 0 : Math.min(apksCount, Math.ceil((apksCount * some) / all)));
    const readCount = shareOf(all - Math.min(known, all) + matching);
    const { files, reports } = this.#scanSeconds;
    return {
      apksCount,
      readCount,
      seconds: (readCount * files + shareOf(ofReports) * reports) / this.#workers,
      rulesets: rulesets.map((ruleset, index) => ({ ruleset, slow: plan?.plans[index]?.slow ?? [] })),
    };
  }

  /** Hunts that an account asked for, of one ruleset where it is given, newest first. */
  async page(account: AccountRecord, rulesetId: number | undefined, request: KeysetRequest) {
    const filter = { accountId: account.id, rulesetId };
    const { items: hunts, ...ends } = await this.#store.retrohunts.page({ ...request, filter });
    const items = await Promise.all(
      hunts.map(async (hunt) => ({ id: hunt.id, view: await this.#view(hunt, account) })),
    );
    return { items, ...ends, count: await this.#store.retrohunts.count(filter) };
  }

  /** @throws Failure `not-found`, also where another asked for it */
  async get(account: AccountRecord, id: number | null): Promise<RetrohuntView> {
    const hunt = id === null ? null : await this.#store.retrohunts.find(id);
    if (hunt === null) throw new Failure('not-found');
    if (hunt.accountId !== account.id) throw new Concealed();
    return this.#view(hunt, account);
  }

  /** Ends a hunt; what it found stays. */
  async cancel(account: AccountRecord, { hunt }: RetrohuntView): Promise<RetrohuntView> {
    await this.#queue.cancel(hunt.jobId);
    return this.get(account, hunt.id);
  }

  /** Goes on with a hunt that was cancelled or failed, where it stands. One that waits, runs or is done stays as it is. */
  async resume(account: AccountRecord, { hunt, job }: RetrohuntView): Promise<RetrohuntView> {
    if (job.status === 'cancelled' || job.status === 'failed') {
      await this.#store.transaction(async (inside) => {
        const payload = { retrohuntId: hunt.id };
        const asked = { apkId: null, priority: jobPriorities.bulk, requestedBy: account.id };
        const next = await this.#queue.enqueue({ kind: 'retrohunt', ...asked, payload }, inside);
        await inside.retrohunts.setJob(hunt.id, next.job.id);
      });
    }
    return this.get(account, hunt.id);
  }

  /** What a hunt found, as far as its matches still hold, the latest first. */
  async foundMatches({ hunt, rulesets }: RetrohuntView, request: KeysetRequest) {
    const ids = rulesets.map(({ ruleset }) => ruleset.id);
    const { items: found, ...ends } = await this.#store.retrohunts.matchesPage(hunt.id, ids, request);
    const matches = await this.#store.matches.findByIds(found.map(({ matchId }) => matchId));
    const items = found.flatMap(({ id, matchId, isNew }) => {
      const match = matches.get(matchId);
      return match === undefined ? [] : [{ id, match, isNew }];
    });
    return { items, ...ends, count: await this.#store.retrohunts.matchesCount(hunt.id, ids) };
  }

  /** APKs that a hunt could not scan, the latest first. */
  async failures({ hunt }: RetrohuntView, request: KeysetRequest) {
    const { items, ...ends } = await this.#store.retrohunts.failuresPage(hunt.id, request);
    return { items, ...ends, count: await this.#store.retrohunts.failuresCount(hunt.id) };
  }

  /** The handler of `retrohunt` jobs: goes on where the hunt stands. */
  readonly perform: JobHandler<'retrohunt'> = async (job, context): Promise<JobOutcome> => {
    const hunt = await this.#store.retrohunts.find(job.payload.retrohuntId);
    const account = hunt === null ? null : await this.#store.accounts.findById(hunt.accountId);
    if (hunt === null || account === null) return { status: 'failed', code: 'gone', message: 'The hunt was deleted.' };
    const selection = await this.#catalogue.search(hunt.search, account, true);
    const run = new HuntRun(hunt, job, selection, context);
    try {
      await this.#readTexts(run);
      run.candidates = await this.#candidates(run, context.signal);
      this.#report(run);
      if (run.texts.length >= keptFrom) {
        run.compiledRules = this.#compiledRules.below(`retrohunt-${hunt.id}`);
        await run.compiledRules.prepare(run.texts.map(({ text }) => text));
      }
      this.#running.add(run);
      await Promise.all(Array.from({ length: this.#workers }, () => this.#work(run)));
      // Others may be reading for this one too.
      if (!context.signal.aborted) await Promise.all(run.passes.values());
      await this.#notePassed(run);
    } finally {
      this.#running.delete(run);
      run.compiledRules?.remove();
      this.#finished.delete(hunt.id);
      this.#lastEvent.delete(hunt.id);
    }
    if (run.texts.length === 0) {
      const message = 'Every ruleset of this hunt was changed, deleted or suspended.';
      return { status: 'failed', code: 'rules-changed', message };
    }
    const after = await this.#store.retrohunts.find(hunt.id);
    return { status: after === null || after.failedCount + after.unfinishedCount > 0 ? 'partial' : 'done' };
  };

  /** One of several that take APKs off the same hunt. */
  async #work(run: HuntRun): Promise<void> {
    for (;;) {
      const next = run.signal.aborted || run.isOver ? null : await this.#next(run);
      if (next === null || run.texts.length === 0) return;
      const pass = this.#running.passOf(run, next);
      const reading = this.#read(pass);
      for (const { run } of pass.shares) {
        run.passes.set(pass, reading);
        // One that fails stays, for each hunt to fail by it.
        reading.then(() => run.passes.delete(pass)).catch(() => undefined);
      }
      await (pass.shares.length === 1 ? reading : run.untilAborted(reading));
    }
  }

  /** Scans one APK for all hunts that wait for it, and records what each of them finds. */
  async #read(pass: HuntPass): Promise<void> {
    const { apk, shares, signal, files: only } = pass;
    const account = shares[0]!.run.hunt.accountId;
    // What has just come in is scanned as it would be by itself: after its analysis.
    const asked = new Set(shares.flatMap(({ run }) => run.asked));
    await this.#reports.of(apk, [...asked], account, signal);
    const texts = new Map(shares.flatMap((share) => share.texts.map(({ text }) => [text.id, text])));
    const compiledRules = shares[0]!.run.compiledRules ?? undefined;
    const options = { account, signal, isPatient: true, only, compiledRules };
    const begun = performance.now();
    const scan = await this.#scanner.scan(apk, [...texts.values()], options);
    if (signal.aborted) return;
    const kind = only?.of_reports === true ? 'reports' : 'files';
    this.#scanSeconds[kind] += ((performance.now() - begun) / 1000 - this.#scanSeconds[kind]) / 20;
    for (const share of shares) await this.#record(share, apk, scan);
  }

  async #record({ run, texts }: HuntShare, apk: ApkRecord, scan: ApkScan): Promise<void> {
    // What the end of the hunt interrupted is scanned when it goes on.
    if (run.signal.aborted) return;
    const outcomes = new Map(scan.status === 'failed' ? [] : scan.outcomes.map((outcome) => [outcome.id, outcome]));
    const scanned = texts.flatMap(({ rulesetId, version, text }) => {
      const outcome = outcomes.get(text.id);
      return outcome === undefined ? [] : [{ rulesetId, version, outcome }];
    });
    const failure = scan.status === 'failed' ? { code: scan.code, message: scan.message } : null;
    const broken = scanned.filter(({ outcome }) => outcome.status === 'broken').map(({ rulesetId }) => rulesetId);
    try {
      await this.#matches.recordScan(apk.id, scanned, {
        isHunt: true,
        also: (inside, recorded) => this.#noteStep(run, inside, apk, failure, recorded, broken),
      });
    } catch (error) {
      if (!(error instanceof HuntIsOver)) throw error;
      run.isOver = true;
      return;
    }
    run.scanned += 1;
    this.#report(run);
  }

  /** The next APK, null where there is none. Those who ask at once get one after the other. */
  #next(run: HuntRun): Promise<WaitingApk | null> {
    const next = run.lastNext.then(async () => {
      for (;;) {
        const next = run.waiting.shift();
        if (next !== undefined) return next;
        if (run.isExhausted) return null;
        const request = { search: run.selection, olderThan: run.readTo, limit: pageSize };
        const { items: apks, hasOlder } = await this.#catalogue.page(request);
        await this.#takeOn(run, apks);
        run.readTo = apks.at(-1)?.id ?? run.readTo;
        run.isExhausted = !hasOlder || apks.length === 0;
        // Rulesets may have been deleted meanwhile.
        await this.#readTexts(run);
      }
    });
    run.lastNext = next;
    return next;
  }

  /** Has those APKs wait of which something is to be read, and passes over the others. */
  async #takeOn(run: HuntRun, apks: readonly ApkRecord[]): Promise<void> {
    const readings = await run.candidates?.readings(apks);
    const rulesets = run.texts.map(({ rulesetId }) => rulesetId);
    const ids = apks.map(({ id }) => id);
    // A match that does not hold any more is removed by a scan.
    const matching = readings === undefined ? null : await this.#store.matches.apksWith(rulesets, ids);
    for (const [index, apk] of apks.entries()) {
      const only = readings?.[index] ?? undefined;
      const mayMatch = only === undefined || only.ranges.length > 0 || only.of_reports === true;
      if (!mayMatch && matching?.has(apk.id) === false) run.place.pass(apk.id);
      else if (run.place.begin(apk.id)) run.waiting.push({ apk, only });
    }
    if (performance.now() - run.notedAt > passedInterval) await this.#notePassed(run);
  }

  /** Writes how far the hunt has come, where it passed over APKs since. */
  async #notePassed(run: HuntRun): Promise<void> {
    const { id } = run.hunt;
    const { place, ahead, passed } = run.place;
    await this.#store.transaction(async (inside) => {
      if ((await inside.jobs.findById(run.job.id))?.status !== 'running') return;
      await inside.retrohunts.moveOn(id, { place, ahead, passed });
    });
    run.notedAt = performance.now();
  }

  /** What the content index knows; where it fails everything is read. */
  async #candidates({ texts }: HuntRun, signal: AbortSignal): Promise<HuntPlan['candidates'] | null> {
    if (texts.length === 0) return null;
    try {
      const plan = await this.#planner.plan(
        texts.map(({ text }) => text),
        signal,
      );
      return plan?.candidates ?? null;
    } catch (err) {
      if (!signal.aborted) this.#log.error({ err }, 'the content index could not be asked');
      return null;
    }
  }

  async #readTexts(run: HuntRun): Promise<void> {
    const hunting = (await this.#store.retrohunts.rulesets(run.hunt.id)).filter(({ status }) => status === 'hunting');
    const known = new Map(run.texts.map((text) => [text.rulesetId, text]));
    const texts: HuntRun['texts'] = [];
    for (const { rulesetId, version } of hunting) {
      const rules =
        known.get(rulesetId)?.text.rules ?? (await this.#store.rulesetVersions.readRules(rulesetId, version));
      if (rules !== null) texts.push({ rulesetId, version, text: { id: `${rulesetId}.${version}`, rules } });
    }
    run.texts = texts;
    run.asked = analysesAsked(texts.map(({ text }) => text.rules));
  }

  async #noteStep(
    run: HuntRun,
    inside: Writes,
    apk: ApkRecord,
    failure: HuntStep['failure'],
    { matches, outdated, unfinished, suspended }: RecordedScan,
    broken: readonly number[],
  ): Promise<void> {
    const { id } = run.hunt;
    // The summary of the hunt is sent: nobody would be notified of what comes after it.
    if ((await inside.jobs.findById(run.job.id))?.status !== 'running') throw new HuntIsOver();
    run.place.end(apk.id);
    const isThere = failure === null || (await inside.apks.findById(apk.id)) !== null;
    await inside.retrohunts.advance(id, {
      apkId: apk.id,
      place: run.place.place,
      ahead: run.place.ahead,
      passed: run.place.passed,
      failure: isThere ? failure : null,
      matches,
      unfinished,
    });
    const ended = [
      ...outdated.map((rulesetId) => [rulesetId, 'changed'] as const),
      ...suspended.map((rulesetId) => [rulesetId, 'suspended'] as const),
      ...broken.map((rulesetId) => [rulesetId, 'broken'] as const),
    ];
    for (const [rulesetId, status] of ended) await inside.retrohunts.endRuleset(id, rulesetId, status);
    const gone = new Set(ended.map(([rulesetId]) => rulesetId));
    if (gone.size > 0) run.texts = run.texts.filter(({ rulesetId }) => !gone.has(rulesetId));
    if (!run.hasProgressed) await inside.jobs.forgetDeaths(run.job.id);
    run.hasProgressed = true;
  }

  /** Tells of progress: the job's listeners always, those of the hunt some times a second. */
  #report(run: HuntRun): void {
    const { id } = run.hunt;
    const now = performance.now();
    const times = this.#finished.get(id) ?? [];
    times.push({ at: now, done: run.done });
    while (times[0]!.at < now - rateWindow) times.shift();
    this.#finished.set(id, times);
    run.progress();
    if (now - (this.#lastEvent.get(id) ?? Number.NEGATIVE_INFINITY) < eventInterval) return;
    this.#lastEvent.set(id, now);
    this.#tell(id);
  }

  #tell(id: number): void {
    if (!this.#events.hasListeners) return;
    this.#publish(id).catch((err: unknown) => this.#log.error({ err }, 'a retrohunt could not be told of'));
  }

  async #publish(id: number): Promise<void> {
    const hunt = await this.#store.retrohunts.find(id);
    const account = hunt === null ? null : await this.#store.accounts.findById(hunt.accountId);
    if (hunt === null || account === null) return;
    const view = await this.#view(hunt, account);
    this.#events.publish({ name: 'retrohunt', hunt: view }, (other) => other.id === account.id);
  }

  /** Follows the end of a job: that of a hunt is the end of its rulesets too. */
  readonly followEnd = async (job: JobRecord, inside: Writes): Promise<void> => {
    const id = payloadOf('retrohunt', job)?.retrohuntId;
    if (id === undefined) return;
    if (job.status === 'done' || job.status === 'partial') await inside.retrohunts.endRuleset(id, null, 'done');
    inside.afterCommit(() => this.#tell(id));
  };

  async #view(hunt: RetrohuntRecord, account: AccountRecord): Promise<RetrohuntView> {
    const hunted = await this.#store.retrohunts.rulesets(hunt.id);
    const rulesets = await this.#store.rulesets.findByIds(hunted.map(({ rulesetId }) => rulesetId));
    const job = await this.#queue.find(hunt.jobId);
    if (job === null) throw new Error(`the retrohunt ${hunt.id} has no job`);
    return {
      hunt,
      job,
      rulesets: hunted.flatMap((one) => {
        const ruleset = rulesets.get(one.rulesetId);
        return ruleset === undefined || !maySeeRuleset(account, ruleset) ? [] : [{ hunted: one, ruleset }];
      }),
      rate: this.#rate(hunt.id),
    };
  }

  #rate(id: number): number | null {
    const times = this.#finished.get(id) ?? [];
    const [first, last] = [times[0], times.at(-1)];
    if (first === undefined || last === undefined || last.at <= first.at) return null;
    return (1000 * (last.done - first.done)) / (last.at - first.at);
  }
}

/** Takes back what a scan found that ended after its hunt was cancelled or interrupted. */
class HuntIsOver extends Error {}
