// Which APKs a hunt has to read, and which files of them: by what the content index says of its rules. What the index does not
// know is read whole. Scans nothing.
import type { ContentPlan, OnlyFiles } from '../../contract/engine/content-index.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import { type FoundContents, rangesOf } from '../../store/content-index/content-index.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { ContentIndexing } from '../analyses/content-indexing.ts';
import { memoryFor, type ScanText } from './ruleset-isolation.ts';

/** What is to be read of an APK: some files, or none; null: all of them. */
export type Reading = OnlyFiles | null;

export interface HuntPlan {
  plans: ContentPlan[];
  candidates: HuntCandidates;
}

interface HuntPlannerParts {
  pool: WorkerPool;
  contentIndexing: ContentIndexing;
}

/** Asks workers what rules need, and the index who has it. */
export class HuntPlanner {
  readonly #parts: HuntPlannerParts;

  constructor(parts: HuntPlannerParts) {
    this.#parts = parts;
  }

  /** What a hunt with these rules has to read; null where there is no index, or the rules could not be read. */
  async plan(texts: readonly ScanText[], signal?: AbortSignal): Promise<HuntPlan | null> {
    const { pool, contentIndexing } = this.#parts;
    if (!contentIndexing.isOn) return null;
    const { takes } = memoryFor(texts);
    const rulesets = texts.map(({ id, rules }) => ({ id, rules }));
    const reply = await pool.run({ kind: 'content_plan', rulesets }, { takes });
    if (reply.status === 'failed') return null;
    const { plans } = reply.result;
    const conditions = { files: plans.map(({ steps }) => steps), reports: plans.map((plan) => plan.of_reports) };
    const found = await contentIndexing.index.find(conditions, signal);
    return { plans, candidates: new HuntCandidates(this.#parts, found) };
  }
}

export class HuntCandidates {
  readonly #parts: HuntPlannerParts;
  readonly #found: FoundContents;
  /** By row of an APK, its place in the lists. */
  readonly #places: ReadonlyMap<number, number>;

  constructor(parts: HuntPlannerParts, found: FoundContents) {
    this.#parts = parts;
    this.#found = found;
    this.#places = new Map([...found.ids].map((id, place) => [id, place]));
  }

  /** How many indexed APKs are told of, of how many of them files may match, and of how many others their reports. */
  get counts(): { known: number; matching: number; ofReports: number } {
    const { ids, firstRanges, ofReports } = this.#found;
    const counts = { known: ids.length, matching: 0, ofReports: 0 };
    for (const place of ids.keys()) {
      if (firstRanges[place + 1]! > firstRanges[place]!) counts.matching += 1;
      else if (ofReports[place] === 1) counts.ofReports += 1;
    }
    return counts;
  }

  /** What is to be read of each of some APKs, in their order. */
  async readings(apks: readonly Pick<ApkRecord, 'id' | 'sha256'>[]): Promise<Reading[]> {
    const tags = await this.#parts.contentIndexing.tagsOf(apks);
    return apks.map(({ id }, index) => {
      const place = this.#places.get(id);
      if (place === undefined || this.#found.tags[place] !== tags[index]) return null;
      const ranges = rangesOf(this.#found, place);
      const ofReports = this.#found.ofReports[place] === 1;
      // Rules of both kinds may match: one that asks reports is told with each file.
      if (ofReports && ranges.length > 0) return null;
      return { files_count: this.#found.filesCounts[place]!, ranges, of_reports: ofReports };
    });
  }
}
