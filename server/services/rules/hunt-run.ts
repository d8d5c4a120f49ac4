// Where a retrohunt stands while its job runs: what it looks for, what it goes through. Stores and scans nothing.
import type { OnlyFiles } from '../../contract/engine/content-index.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { JobRecord } from '../../store/repositories/job-repository.ts';
import type { RetrohuntRecord } from '../../store/repositories/rules/retrohunt-repository.ts';
import type { CatalogueSearch } from '../catalogue/catalogue.ts';
import type { analysesAsked } from './awaited-reports.ts';
import type { CompiledRulesFolder } from './compiled-rules-folder.ts';
import type { HuntCandidates } from './hunt-candidates.ts';
import { HuntPlace } from './hunt-place.ts';
import type { ScanText } from './ruleset-isolation.ts';

export class HuntRun {
  readonly hunt: RetrohuntRecord;
  readonly job: JobRecord;
  readonly selection: CatalogueSearch;
  readonly place: HuntPlace;
  /** Those that still hunt. */
  texts: { rulesetId: number; version: number; text: ScanText }[] = [];
  /** Analyses whose reports they may ask. */
  asked: ReturnType<typeof analysesAsked> = [];
  /** What is still to be scanned; `only`: the files in which rules may match, where that is known. */
  readonly waiting: { apk: ApkRecord; only: OnlyFiles | undefined }[] = [];
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

  constructor(hunt: RetrohuntRecord, job: JobRecord, selection: CatalogueSearch) {
    this.hunt = hunt;
    this.job = job;
    this.selection = selection;
    this.place = new HuntPlace(hunt.place, hunt.ahead, hunt.passedCount);
    this.readTo = hunt.place;
    this.scanned = hunt.scannedCount;
  }

  /** APKs that are done with. */
  get done(): number {
    return this.scanned + this.place.passed;
  }
}
