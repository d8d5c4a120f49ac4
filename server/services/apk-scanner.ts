// Runs rulesets over one APK so that none of them spoils it for the others. Knows no job, and stores nothing.
import type { PackedReport } from '../contract/engine.ts';
import type { Finding } from '../contract/finding.ts';
import { aloneLimits, awaitedStretch, rulesetTimeout } from '../contract/ruleset-limits.ts';
import type { RulesetOutcome } from '../contract/yara.ts';
import type { ApkRecord } from '../store/apk-repository.ts';
import type { ReportKind } from '../store/report-repository.ts';
import type { Store } from '../store/store.ts';
import type { FailedReply, FinishedReply, StoredFileTasks } from './stored-file-tasks.ts';

/** A ruleset's text with a name that stands for the text: another text, another name. */
export interface ScanText {
  id: string;
  rules: string;
}

export interface ScanOptions {
  signal?: AbortSignal;
  onProgress?: (stage: string, done: number) => void;
  /** A person waits. */
  isAwaited?: boolean;
  /** Scans that somebody waits for go first. */
  isPatient?: boolean;
  /** Also tells how long each rule takes. */
  measuresRules?: boolean;
  /** Names a text that runs by itself, so that its own time is known. */
  apart?: string | undefined;
  /** Folder where workers look for compiled rules, in place of the usual one. */
  compiledRules?: string | undefined;
}

/**
 * What came of one ruleset. With `failed` the worker did not survive it, and code and message say how; with `done` the
 * code is `slow` where it ran by itself and took long.
 */
export interface ScanOutcome extends RulesetOutcome {
  code: string;
  message: string;
}

export type ApkScan =
  | FailedReply
  | {
      status: 'done' | 'partial';
      /** In the order of the rulesets. */
      outcomes: ScanOutcome[];
      findings: Finding[];
      /** Milliseconds of the processor by stage. */
      timings: Record<string, number>;
    };

type Scanned = FinishedReply<'yara'>;
type RunPart = (part: readonly ScanText[], cpuMilliseconds?: number) => Promise<Scanned | FailedReply>;

/** Milliseconds of the processor for a part of the rulesets, once all together were the death of a worker. */
const partLimit = 120_000;
/** Rulesets that are looked for one by one in an APK; more of them at once are another's fault than their own. */
const maxCulprits = 8;
/** Milliseconds of the processor that a ruleset may take by itself, for any APK and for each megabyte of it, before it counts as slow. */
const slowBase = 3000;
const slowPerMegabyte = 200;
/** Failures that are the end of a worker: rules may be the reason, or the APK. */
const deathCodes: ReadonlySet<string> = new Set(['timeout', 'memory', 'crashed']);

/** Tells whether the APK is to blame. */
const harmless: ScanText = { id: 'harmless', rules: 'rule harmless { condition: false }' };

/** Whether rules import a module that asks reports; a text that only mentions one costs nothing but time. */
export const mayAskReports = (rules: string): boolean => /"(?:androguard|cuckoo|droidbox|file)"/.test(rules);

/** Texts of which it is remembered whether they ask reports. */
const maxRemembered = 20_000;

const seconds = rulesetTimeout / 1000;
const tooLong = [
  `It took longer than ${seconds} seconds for one file, or than ${seconds * aloneLimits} by itself for all files of the APK.`,
  `That is time of the processor; large files get more, and a dry run ends at ${awaitedStretch} times as much on the clock.`,
];

const messages: Record<RulesetOutcome['status'], string> = {
  done: '',
  broken: 'It does not compile.',
  timeout: tooLong.join(' '),
  failed: 'The engine gave up on it.',
};

export class ApkScanner {
  readonly #store: Store;
  readonly #files: StoredFileTasks;
  /**
   * Names of texts that are run by themselves: those that were the death of a worker, for good; those that took too long,
   * until they do not.
   */
  readonly #suspects = new Map<string, 'death' | 'timeout'>();
  readonly #asking = new Map<string, boolean>();
  readonly #compiledRules: string | undefined;

  /** @param compiledRules folder where workers look for compiled rules; none: they compile what they are given */
  constructor(store: Store, files: StoredFileTasks, compiledRules?: string) {
    this.#store = store;
    this.#files = files;
    this.#compiledRules = compiledRules;
  }

  /** Scans the stored file of an APK and the files inside it. Fails as a whole for the APK's fault alone. */
  async scan(apk: ApkRecord, texts: readonly ScanText[], options: ScanOptions = {}): Promise<ApkScan> {
    const reports = await this.#reports(apk, texts);
    const cacheFolder = options.compiledRules ?? this.#compiledRules;
    const run: RunPart = (part, cpuMilliseconds) =>
      this.#files.run(
        apk,
        (file) => ({
          kind: 'yara',
          file,
          rulesets: [...part],
          reports,
          ...(cacheFolder === undefined ? {} : { cacheFolder }),
          ...(options.isAwaited === true ? { isAwaited: true } : {}),
          ...(options.measuresRules === true ? { measuresRules: true } : {}),
        }),
        {
          ...(options.signal === undefined ? {} : { signal: options.signal }),
          ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
          ...(options.isAwaited === true ? { isAwaited: true } : {}),
          ...(options.isPatient === true ? { isPatient: true } : {}),
          ...(cpuMilliseconds === undefined ? {} : { cpuMilliseconds }),
        },
      );
    const collected = new Collected(apk.size);
    const isApart = ({ id }: ScanText) => this.#suspects.has(id) || id === options.apart;
    const groups = [texts.filter((text) => !isApart(text)), ...texts.filter(isApart).map((text) => [text])].filter(
      ({ length }) => length > 0,
    );
    for (const [index, group] of groups.entries()) {
      const reply = await run(group, index === 0 ? undefined : partLimit);
      if (reply.status !== 'failed') this.#learn(collected.add(reply));
      else if (!deathCodes.has(reply.code)) return reply;
      else {
        const probe = await run([harmless], partLimit);
        if (probe.status === 'failed') return deathCodes.has(probe.code) ? reply : probe;
        const cancelled = await this.#divide(group, reply, run, collected);
        if (cancelled !== null) return cancelled;
      }
    }
    return collected.inOrder(texts);
  }

  /** Finds out which of these rulesets a worker does not survive. @returns the failure that ends the scan, if any */
  async #divide(
    group: readonly ScanText[],
    death: FailedReply,
    run: RunPart,
    collected: Collected,
  ): Promise<FailedReply | null> {
    const parts: { texts: readonly ScanText[]; death: FailedReply }[] = [{ texts: group, death }];
    let culprits = 0;
    for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
      const [text] = part.texts;
      if (part.texts.length === 1 || culprits >= maxCulprits) {
        for (const { id } of part.texts) collected.fail(id, part.death);
        if (part.texts.length === 1 && text !== undefined) this.#suspects.set(text.id, 'death');
        culprits += 1;
        continue;
      }
      const middle = Math.ceil(part.texts.length / 2);
      for (const half of [part.texts.slice(0, middle), part.texts.slice(middle)]) {
        const reply = await run(half, partLimit);
        if (reply.status !== 'failed') this.#learn(collected.add(reply));
        else if (deathCodes.has(reply.code)) parts.push({ texts: half, death: reply });
        else return reply;
      }
    }
    return null;
  }

  #learn({ result: { rulesets } }: Scanned): void {
    for (const { id, status } of rulesets) {
      if (status === 'timeout') this.#suspects.set(id, this.#suspects.get(id) ?? 'timeout');
      else if (status === 'done' && this.#suspects.get(id) === 'timeout') this.#suspects.delete(id);
    }
  }

  /** Thousands of texts are not searched for every APK. */
  #asksReports({ id, rules }: ScanText): boolean {
    const known = this.#asking.get(id);
    if (known !== undefined) return known;
    const asks = mayAskReports(rules);
    if (this.#asking.size >= maxRemembered) this.#asking.clear();
    this.#asking.set(id, asks);
    return asks;
  }

  async #reports(apk: ApkRecord, texts: readonly ScanText[]) {
    // Megabytes of reports are neither read nor sent where no rule asks them.
    if (!texts.some((text) => this.#asksReports(text))) return { androguard: null, cuckoo: null, droidbox: null };
    const packed = async (kind: ReportKind): Promise<PackedReport | null> => {
      const report = await this.#store.reports.readCompressed(apk.id, kind);
      return report === null ? null : { size: report.size, compressed: report.compressed };
    };
    return {
      androguard: await packed('androguard'),
      cuckoo: await packed('cuckoo'),
      droidbox: (await packed('dynamic')) ?? (await packed('device')),
    };
  }
}

/** What the parts of a scan said. */
class Collected {
  readonly #outcomes = new Map<string, ScanOutcome>();
  readonly #findings: Finding[] = [];
  readonly #timings: Record<string, number> = {};
  readonly #size: number;
  #isPartial = false;

  /** @param size bytes of the APK */
  constructor(size: number) {
    this.#size = size;
  }

  add(reply: Scanned): Scanned {
    const { status, result } = reply;
    if (status === 'partial') this.#isPartial = true;
    for (const outcome of result.rulesets) {
      const { status: code } = outcome;
      this.#outcomes.set(outcome.id, { ...outcome, code, message: outcome.errors[0]?.title ?? messages[code] });
    }
    this.#noteSlowness(result);
    this.#findings.push(...result.findings);
    for (const [stage, milliseconds] of Object.entries(result.timings)) {
      this.#timings[stage] = (this.#timings[stage] ?? 0) + milliseconds;
    }
    return reply;
  }

  #noteSlowness({ rulesets, timings: { yara = 0 } }: Scanned['result']): void {
    const [only, other] = rulesets;
    if (only === undefined || other !== undefined || only.status !== 'done') return;
    const megabytes = this.#size / 1e6;
    if (only.rules_measured.length > 0 || yara < slowBase + slowPerMegabyte * megabytes) return;
    const message = `By itself it took ${(yara / 1000).toFixed(1)} seconds for an APK of ${megabytes.toFixed(1)} MB.`;
    this.#outcomes.set(only.id, { ...this.#outcomes.get(only.id)!, code: 'slow', message });
  }

  fail(id: string, { code, message }: FailedReply): void {
    const nothing = { errors: [], matches_count: 0, rules_matched: [], rules_measured: [] };
    this.#outcomes.set(id, { id, status: 'failed', ...nothing, code, message });
  }

  inOrder(texts: readonly ScanText[]): ApkScan {
    const outcomes = texts.flatMap(({ id }) => this.#outcomes.get(id) ?? []);
    const isComplete = !this.#isPartial && outcomes.every(({ status }) => status === 'done');
    return {
      status: isComplete ? 'done' : 'partial',
      outcomes,
      findings: this.#findings,
      timings: this.#timings,
    };
  }
}
