// Stores what static and dynamic analyses found, which both have a part in the cuckoo report. Looks into no report.
import { setImmediate } from 'node:timers/promises';
import type { PackedReport } from '../../contract/engine/analysis-results.ts';
import type { ReportTerms } from '../../contract/engine/report-terms.ts';
import type { EngineReply } from '../../contract/process-line/messages.ts';
import type { EngineTask } from '../../contract/process-line/tasks.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type {
  CompressedReport,
  NewReport,
  PreparedReport,
  ReportKind,
} from '../../store/repositories/report-repository.ts';
import { prepareReport } from '../../store/repositories/report-repository.ts';
import type { Reads, Store, Writes } from '../../store/store.ts';
import { indexTerms, prepareTerms } from '../catalogue/search-indexing.ts';

export interface KnownReports {
  androguard: CompressedReport | null;
  cuckoo: CompressedReport | null;
  /** Whether the cuckoo report has parts of a dynamic analysis. */
  isDynamicAnalyzed: boolean;
}

export interface KeptAnalysis {
  reports: readonly (NewReport | PreparedReport)[];
  /** Kinds of reports that an earlier analysis may have left, and this one has not. */
  removed: readonly ReportKind[];
  describe: Pick<PreparedReport, 'status' | 'engineVersion'>;
  /**
   * The task that merges this analysis into the stored cuckoo report; where nothing has to be merged, the packed report
   * and its search terms.
   */
  cuckoo(known: KnownReports): JoinTask | Joined;
  /** The catalogue's part, in the same transaction. */
  update(inside: Writes): Promise<ApkRecord | null>;
}

type JoinTask = Extract<EngineTask, { kind: 'join' }>;
/** A cuckoo report and its terms as they are stored; null: the one that is there stays. */
interface Joined {
  kind: 'joined';
  cuckoo: PackedReport | null;
  index: ReportTerms;
}
type Failed = Extract<EngineReply, { status: 'failed' }>;

/** Reports that have a part in the cuckoo report, or in what is found by it. */
const joinedKinds: ReadonlySet<ReportKind> = new Set(['androguard', 'cuckoo', 'dynamic', 'device']);

/** When the reports were stored that joining starts from. */
async function versionOf(inside: Reads, apkId: number): Promise<string> {
  const reports = await inside.reports.list(apkId);
  return reports
    .filter(({ kind }) => joinedKinds.has(kind))
    .map(({ kind, createdAt }) => `${kind} ${createdAt}`)
    .join();
}

/**
 * Stores an analysis in one transaction. Workers do the joining before it; where the other kind of analysis was stored
 * meanwhile, it is done again with that.
 * @returns the changed APK, null where it is gone; or why the reports could not be joined
 */
export async function keepAnalysis(
  store: Store,
  pool: WorkerPool,
  apkId: number,
  kept: KeptAnalysis,
  signal: AbortSignal,
): Promise<{ status: 'kept'; changed: ApkRecord | null } | Failed> {
  const reports = await Promise.all(kept.reports.map(prepareReport));
  for (;;) {
    const version = await versionOf(store, apkId);
    const androguard = await store.reports.readCompressed(apkId, 'androguard');
    await setImmediate();
    const wanted = kept.cuckoo({
      androguard,
      cuckoo: await store.reports.readCompressed(apkId, 'cuckoo'),
      isDynamicAnalyzed: (await store.apks.findById(apkId))?.isDynamicAnalyzed === true,
    });
    await setImmediate();
    const reply =
      wanted.kind === 'joined' ? ({ status: 'done', result: wanted } as const) : await pool.run(wanted, { signal });
    if (reply.status === 'failed') return reply;
    const { cuckoo, index } = reply.result;
    await setImmediate();
    await prepareTerms(store, index);
    const outcome = await store.transaction(async (inside) => {
      if ((await versionOf(inside, apkId)) !== version) return 'outdated';
      if ((await inside.apks.findById(apkId)) === null) return { status: 'kept', changed: null } as const;
      const all: (NewReport | PreparedReport)[] = [...reports];
      if (cuckoo !== null) all.push({ apkId, kind: 'cuckoo', ...kept.describe, ...cuckoo });
      for (const report of all) {
        await inside.reports.save([report]);
        // Megabytes are written within a turn of the event loop each; nothing else needs the database for so long.
        await setImmediate();
      }
      for (const kind of kept.removed) await inside.reports.remove(apkId, kind);
      await indexTerms(inside, apkId, index);
      await setImmediate();
      return { status: 'kept', changed: await kept.update(inside) } as const;
    });
    if (outcome !== 'outdated') return outcome;
  }
}
