// Where a retrohunt stands while its job runs: what it looks for, what it goes through. Stores and scans nothing.
import type { OnlyFiles } from '../../contract/engine/content-index.ts';
import type { JobContext } from '../../jobs/job-runner.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { RetrohuntRecord } from '../../store/repositories/rules/retrohunt-repository.ts';
import type { CatalogueSearch } from '../catalogue/catalogue.ts';
import type { analysesAsked } from './awaited-reports.ts';
import type { CompiledRulesFolder } from './compiled-rules-folder.ts';
import type { HuntCandidates } from './hunt-candidates.ts';
import { HuntPlace } from './hunt-place.ts';
import type { ScanText } from './ruleset-isolation.ts';

export interface WaitingApk {
  apk: ApkRecord;
  /** The files in which rules may match, where that is known. */
  only: OnlyFiles | undefined;
}

export class HuntRun {
  readonly hunt: RetrohuntRecord;
  readonly job: JobRecord;
  readonly selection: CatalogueSearch;
  readonly place: HuntPlace;
  /** Those that still hunt. */
  texts: { rulesetId: number; version: number; text: ScanText }[] = [];
  /** Analyses whose reports they may ask. */
  asked: ReturnType<typeof analysesAsked> = [];
  /** What is still to be scanned. */
  readonly waiting: WaitingApk[] = [];
  /** Readings of APKs for this hunt that have not ended, and those that failed. */
  readonly passes = new Map<{ endIfUnwanted(): void }, Promise<void>>();
  /** Its job ended otherwise. */
  isOver = false;
  /** What the content index says of the rules; null: every APK is read. */
  candidates: HuntCandidates | null = null;
  /** When what was passed over was noted last. */
  notedAt = 0;
  readTo: number;
  isExhausted = false;
  hasProgressed = false;
  compiledRules: CompiledRulesFolder | null = null;
  scanned: number;
  lastNext: Promise<unknown> = Promise.resolve();

  readonly #context: JobContext;

  constructor(hunt: RetrohuntRecord, job: JobRecord, selection: CatalogueSearch, context: JobContext) {
    this.#context = context;
    this.hunt = hunt;
    this.job = job;
    this.selection = selection;
    this.place = new HuntPlace(hunt.place, hunt.ahead, hunt.passedCount);
    this.readTo = hunt.place;
    this.scanned = hunt.scannedCount;
  }

  /** Aborted when it is cancelled or the workstation ends. */
  get signal(): AbortSignal {
    return this.#context.signal;
  }

  /** Resolves when something has ended, or the hunt is aborted. */
  async untilAborted(other: Promise<void>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = () => resolve();
    this.signal.addEventListener('abort', end);
    other.then(end, reject);
    await promise.finally(() => this.signal.removeEventListener('abort', end));
  }

  /** Tells the job's listeners which share of the APKs is done with. */
  progress(): void {
    const { apksCount } = this.hunt;
    this.#context.progress('hunting', apksCount === 0 ? 1 : Math.min(1, this.done / apksCount));
  }

  /** Takes an APK out of those that wait. */
  takeWaiting(isWanted: (waiting: WaitingApk) => boolean): WaitingApk | null {
    const place = this.waiting.findIndex(isWanted);
    return place < 0 ? null : this.waiting.splice(place, 1)[0]!;
  }

  /** APKs that are done with. */
  get done(): number {
    return this.scanned + this.place.passed;
  }
}
