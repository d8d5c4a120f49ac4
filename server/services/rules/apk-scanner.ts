// Runs rulesets over a stored APK, with its reports where they ask them. Knows no job, and stores nothing.
import type { PackedReport } from '../../contract/engine/analysis-results.ts';
import { type OnlyFiles, readsNoFile } from '../../contract/engine/content-index.ts';
import type { RulesetText } from '../../contract/engine/yara.ts';
import type { TurnOwner } from '../../jobs/account-turns.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { ReportKind } from '../../store/repositories/report-repository.ts';
import type { Store } from '../../store/store.ts';
import { leftFilesIfAny } from '../analyses/left-files.ts';
import type { StoredFileTasks } from '../analyses/stored-file-tasks.ts';
import type { CompiledRulesFolder } from './compiled-rules-folder.ts';
import { type ApkScan, memoryFor, RulesetIsolation, type RunRulesets, type ScanText } from './ruleset-isolation.ts';

export interface ScanOptions {
  signal?: AbortSignal;
  onProgress?: (stage: string, done: number) => void;
  /** Whom it is done for. */
  account?: TurnOwner;
  /** A person waits. */
  isAwaited?: boolean;
  /** Scans that somebody waits for go first. */
  isPatient?: boolean;
  /** Also tells how long each rule takes. */
  measuresRules?: boolean;
  /** Names a text that runs by itself, so that its own time is known. */
  apart?: string | undefined;
  /** Files in which alone a rule may match; all without it. */
  only?: OnlyFiles | undefined;
  /** Where rules lie compiled, in place of the usual folder. */
  compiledRules?: CompiledRulesFolder | undefined;
}

/** Whether rules import a module that asks reports; a text that only mentions one costs nothing but time. */
export const mayAskReports = (rules: string): boolean => /"(?:androguard|cuckoo|droidbox|file)"/.test(rules);

/** Whether rules look at what dynamic analysis reports; a text that only mentions it costs a scan, nothing else. */
export const mayAskRuns = (rules: string): boolean => /"(?:cuckoo|droidbox)"/.test(rules);

/** Texts of which it is remembered whether they ask reports. */
const maxRemembered = 20_000;

export class ApkScanner {
  readonly #store: Store;
  readonly #files: StoredFileTasks;
  readonly #isolation = new RulesetIsolation();
  readonly #asking = new Map<string, boolean>();
  readonly #compiledRules: CompiledRulesFolder | undefined;

  /** @param compiledRules none: workers compile what they are given */
  constructor(store: Store, files: StoredFileTasks, compiledRules?: CompiledRulesFolder) {
    this.#store = store;
    this.#files = files;
    this.#compiledRules = compiledRules;
  }

  /** Whether a text may hold up others. */
  isSuspect = (id: string): boolean => this.#isolation.isSuspect(id);

  /** Scans the stored file of an APK and the files inside it. Fails as a whole for the APK's fault alone. */
  async scan(apk: ApkRecord, texts: readonly ScanText[], options: ScanOptions = {}): Promise<ApkScan> {
    const reports = await this.#reports(apk, texts);
    const found = await leftFilesIfAny(this.#store, apk);
    const left = found === undefined ? {} : { left: found };
    const folder = options.compiledRules ?? this.#compiledRules;
    const runSent = (sent: { rulesets: RulesetText[]; cacheFolder?: string }, cpuMilliseconds?: number) =>
      this.#files.run(
        apk,
        (file) => ({
          kind: 'yara',
          file,
          ...sent,
          reports,
          ...left,
          ...(options.only === undefined ? {} : { only: options.only }),
          ...(options.isAwaited === true ? { isAwaited: true } : {}),
          ...(options.measuresRules === true ? { measuresRules: true } : {}),
        }),
        {
          ...memoryFor(sent.rulesets),
          account: options.account ?? null,
          readsNothing: options.only !== undefined && readsNoFile(options.only),
          ...(options.signal === undefined ? {} : { signal: options.signal }),
          ...(options.onProgress === undefined ? {} : { onProgress: options.onProgress }),
          ...(options.isAwaited === true ? { isAwaited: true } : {}),
          ...(options.isPatient === true ? { isPatient: true } : {}),
          ...(cpuMilliseconds === undefined ? {} : { cpuMilliseconds }),
        },
      );
    const run: RunRulesets = (part, cpuMilliseconds) =>
      folder === undefined
        ? runSent({ rulesets: [...part] }, cpuMilliseconds)
        : folder.run(part, (kept) => runSent(kept, cpuMilliseconds));
    return this.#isolation.scan(texts, apk.size, run, options.apart);
  }

  /** Remembered for each text: there may be thousands, and every APK is scanned with all of them. */
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
