// Scans APKs with the active rulesets: after every analysis that rules can see, and when asked. Knows nothing of HTTP.
import { type JobOutcome, type JobQueue, priorityAfter } from '../../jobs/job-queue.ts';
import type { JobHandler } from '../../jobs/job-runner.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { Reads, Store, Writes } from '../../store/store.ts';
import type { EventBus } from '../event-bus.ts';
import { readSetting } from '../settings.ts';
import type { ActiveRulesets, RulesetInUse } from './active-rulesets.ts';
import type { ApkScanner } from './apk-scanner.ts';
import type { CompiledRulesFolder } from './compiled-rules-folder.ts';
import type { Matches, RecordedMatch } from './matches.ts';
import type { ScanText } from './ruleset-isolation.ts';

/** Scans that a job makes of an APK whose rulesets change while it runs. */
const maxRounds = 3;

/** Names a text in a scan. */
const textId = ({ rulesetId, version }: RulesetInUse): string => `${rulesetId}.${version}`;
const textOf = (ruleset: RulesetInUse): ScanText => ({
  id: textId(ruleset),
  rules: ruleset.rules,
  ...(ruleset.sharer === null ? {} : { sharer: ruleset.sharer }),
});

export interface YaraScansParts {
  store: Store;
  queue: JobQueue;
  scanner: ApkScanner;
  compiledRules: CompiledRulesFolder;
  events: EventBus;
  matches: Matches;
  active: ActiveRulesets;
}

export class YaraScans {
  readonly #store: Store;
  readonly #queue: JobQueue;
  readonly #scanner: ApkScanner;
  readonly #compiledRules: CompiledRulesFolder;
  readonly #events: EventBus;
  readonly #matches: Matches;
  readonly #active: ActiveRulesets;
  /** Texts that were there at the start, or ran by themselves once. */
  #timed: Set<string> | null = null;
  /** Matches that running scans have notified nobody of, by job: somebody may still ask for the scan. */
  readonly #untold = new Map<number, RecordedMatch[]>();

  constructor({ store, queue, scanner, compiledRules, events, matches, active }: YaraScansParts) {
    this.#store = store;
    this.#queue = queue;
    this.#scanner = scanner;
    this.#compiledRules = compiledRules;
    this.#events = events;
    this.#matches = matches;
    this.#active = active;
  }

  /** Follows the end of a job: rules see the reports of the APK, so that it is scanned when there is a new one. */
  readonly followEnd = async (job: JobRecord, inside: Writes): Promise<void> => {
    inside.afterCommit(() => this.#untold.delete(job.id));
    const { kind, apkId, status } = job;
    if (apkId === null || status === 'cancelled' || !(await this.#isScanned(apkId, inside))) return;
    if (kind === 'static') await this.#followStatic(job, apkId, inside);
    else if (kind === 'dynamic' || kind === 'device_run') await this.#followDynamic(job, apkId, inside);
    else if (kind === 'children') await this.#followChildren(job, apkId, inside);
    else if (kind === 'yara') await this.#followScan(job, apkId, inside);
  };

  /** Where the settings do not scan uploads, an APK that was scanned once on request is scanned again when its reports change. */
  async #isScanned(apkId: number, inside: Reads): Promise<boolean> {
    if (await readSetting(inside, 'analyze_yara_on_upload')) return true;
    return ((await inside.apks.findById(apkId))?.lastYaraAnalysisAt ?? null) !== null;
  }

  /** Also after a failed static analysis: the bytes can be scanned all the same. */
  async #followStatic({ errorCode, priority, accountId }: JobRecord, apkId: number, inside: Writes): Promise<void> {
    if (errorCode === 'apk-gone' || errorCode === 'file-missing' || errorCode === 'file-altered') return;
    if ((await this.#active.versionsFor(apkId, inside)).length > 0) {
      const hasRun = (await inside.jobs.findOpen(apkId, 'dynamic')) !== null;
      // Where rules use the dynamic report, the scan that follows the dynamic analysis is enough.
      const isTooEarly = hasRun && (await this.#looksAtRuns(apkId, inside));
      const urgency = isTooEarly ? priority : priorityAfter(priority);
      await this.#queue.enqueue({ kind: 'yara', apkId, priority: urgency, accountId }, inside);
      return;
    }
    // Without rulesets there is nothing to scan for: no worker is started.
    const apk = await inside.apks.update(apkId, { lastYaraAnalysisAt: this.#store.clock() });
    if (apk !== null) inside.afterCommit(() => this.#events.publish({ name: 'apk_updated', apk }));
  }

  async #followDynamic({ status, priority, accountId }: JobRecord, apkId: number, inside: Writes): Promise<void> {
    if (status !== 'failed' && (await this.#looksAtRuns(apkId, inside))) {
      await this.#queue.enqueue({ kind: 'yara', apkId, priority: priorityAfter(priority), accountId }, inside);
    }
  }

  /** Scans also what is no entry of the archive: in one of its archives, or left by a run. */
  async #followChildren({ priority, accountId }: JobRecord, apkId: number, inside: Writes): Promise<void> {
    const children = await inside.children.list(apkId);
    const isBeyond = children.some(({ child: { depth, ways } }) => depth > 1 || ways[0]!.origin !== 'entry');
    if (!isBeyond || (await this.#active.versionsFor(apkId, inside)).length === 0) return;
    await this.#queue.enqueue({ kind: 'yara', apkId, priority: priorityAfter(priority), accountId }, inside);
  }

  async #looksAtRuns(apkId: number, inside: Reads): Promise<boolean> {
    return (await this.#active.versionsFor(apkId, inside)).some(({ usesDynamic }) => usesDynamic);
  }

  /** Scans again where a report was stored while this scan ran: the scan for it was merged with this one, which read too early. */
  async #followScan({ id, startedAt, priority, accountId }: JobRecord, apkId: number, inside: Writes): Promise<void> {
    const untold = this.#untold.get(id) ?? [];
    if (untold.length > 0 && (await inside.jobs.askers(id)).length > 0) {
      await this.#matches.tellOf(inside, apkId, untold);
    }
    const reports = await inside.reports.list(apkId);
    const newer = reports.filter(({ createdAt }) => createdAt > (startedAt ?? createdAt)).map(({ kind }) => kind);
    const isNewer =
      newer.includes('androguard') ||
      newer.includes('children') ||
      ((newer.includes('dynamic') || newer.includes('device')) && (await this.#looksAtRuns(apkId, inside)));
    if (isNewer) await this.#queue.enqueue({ kind: 'yara', apkId, priority, accountId }, inside);
  }

  /** With each APK one text that is new since the start runs by itself, so that its time is known. @returns that text's id */
  #nextToTime(rulesets: readonly RulesetInUse[]): string | undefined {
    const ids = rulesets.map(textId);
    if (this.#timed === null) {
      this.#timed = new Set(ids);
      return undefined;
    }
    const next = ids.find((id) => !this.#timed!.has(id));
    if (next !== undefined) this.#timed.add(next);
    return next;
  }

  /**
   * Those that run by themselves come last: what the others find is told without waiting for them. So do those of folders:
   * the others are compiled once for all APKs.
   */
  #inTurn(rulesets: readonly RulesetInUse[]): { part: RulesetInUse[]; apart: string | undefined; isPart: boolean }[] {
    const apart = this.#nextToTime(rulesets);
    const isLast = (ruleset: RulesetInUse) =>
      ruleset.isOfFolder === true || textId(ruleset) === apart || this.#scanner.isSuspect(textId(ruleset));
    const parts = [rulesets.filter((ruleset) => !isLast(ruleset)), rulesets.filter(isLast)];
    const filled = parts.filter(({ length }) => length > 0);
    return filled.map((part, index) => ({ part, apart, isPart: index < filled.length - 1 }));
  }

  /** The handler of `yara` jobs. A ruleset that does not compile, or is not done in time, keeps the matches it had. */
  readonly perform: JobHandler<'yara'> = async (job, context): Promise<JobOutcome> => {
    const apk = job.apkId === null ? null : await this.#store.apks.findById(job.apkId);
    if (apk === null) return { status: 'failed', code: 'apk-gone', message: 'The APK was deleted.' };
    let rulesets: RulesetInUse[] = await this.#active.listFor(apk.id);
    let isPartial = false;
    const untold: RecordedMatch[] = [];
    this.#untold.set(job.id, untold);
    // Once for all APKs that come until a ruleset changes.
    await this.#compiledRules.prepare(rulesets.filter(({ isOfFolder }) => isOfFolder !== true).map(textOf));
    for (let round = 1; ; round++) {
      if (rulesets.length === 0) {
        await this.#matches.recordScan(apk.id, []);
        break;
      }
      const outdated: number[] = [];
      for (const { part, apart, isPart } of this.#inTurn(rulesets)) {
        const scan = await this.#scanner.scan(apk, part.map(textOf), {
          apart,
          account: job.accountId,
          signal: context.signal,
          onProgress: context.progress,
        });
        if (scan.status === 'failed') return scan;
        if (scan.status === 'partial') isPartial = true;
        const outcomes = new Map(scan.outcomes.map((outcome) => [outcome.id, outcome]));
        const scanned = part.flatMap((ruleset) => {
          const outcome = outcomes.get(textId(ruleset));
          return outcome === undefined ? [] : [{ ...ruleset, outcome }];
        });
        const isOfFolder = new Set(part.flatMap((ruleset) => (ruleset.isOfFolder ? ruleset.rulesetId : [])));
        const recorded = await this.#matches.recordScan(apk.id, scanned, { isPart, isOfFolder, jobId: job.id });
        outdated.push(...recorded.outdated);
        untold.push(...recorded.untold);
      }
      if (outdated.length === 0 || round === maxRounds) break;
      rulesets = (await this.#active.listFor(apk.id)).filter(({ rulesetId }) => outdated.includes(rulesetId));
      if (rulesets.length === 0) break;
    }
    return { status: isPartial ? 'partial' : 'done' };
  };
}
