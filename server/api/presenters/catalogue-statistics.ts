// What came in, what was found and what runs, in its current shape.
import type { CatalogueStatistics } from '../../contract/catalogue/catalogue-statistics.ts';
import type { StatisticsView } from '../../services/catalogue/catalogue-statistics.ts';
import { searchWord } from '../../services/catalogue/search-word.ts';
import { type Presenting, timestamp } from './presenting.ts';

/** Microseconds. */
const dayLength = 86_400_000_000;

export function presentCatalogueStatistics({ baseUrl, ids }: Presenting, view: StatisticsView): CatalogueStatistics {
  const { totals } = view;
  const byDay = (counts: readonly number[]) =>
    counts.map((count, day) => ({ date: timestamp(view.firstDay + day * dayLength).slice(0, 10), count }));
  const sum = (state: 'queued' | 'running') => view.jobs.reduce((total, job) => total + job[state], 0);
  return {
    generated_at: timestamp(view.generatedAt),
    apks: {
      total: totals.apks,
      detected: totals.detected,
      trusted: totals.trusted,
      corrupted: totals.corrupted,
      static_analyzed: totals.staticAnalyzed,
      dynamic_analyzed: totals.dynamicAnalyzed,
      yara_analyzed: totals.yaraAnalyzed,
    },
    imports: byDay(totals.imports),
    detections: byDay(view.detections),
    signers: view.signers.map(({ sha1, sha256, company, isTrusted, count }) => {
      return { sha1, sha256, company, is_trusted: isTrusted, count, search: `cert:${sha1}` };
    }),
    rulesets: view.rulesets.map(({ id: rowId, name, count }) => {
      const id = ids.encode('ruleset', rowId);
      return { id, url: `${baseUrl}/rulesets/${id}/`, name, count, search: `ruleset:${searchWord(name)}` };
    }),
    queue: { queued: sum('queued'), running: sum('running'), kinds: view.jobs },
    storage: { apks: totals.bytes, database: view.databaseSize },
  };
}
