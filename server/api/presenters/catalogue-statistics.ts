// What came in, what was found and what runs, in its current shape.
import type { CatalogueStatistics } from '../../contract/catalogue/catalogue-statistics.ts';
import type { Severity } from '../../contract/findings/finding.ts';
import type { ApkRecord } from '../../services/catalogue/catalogue.ts';
import type { StatisticsView } from '../../services/catalogue/catalogue-statistics.ts';
import { searchWord } from '../../services/catalogue/search-word.ts';
import { presentApkReference, presentWorkstation } from './apk.ts';
import { type Presenting, timestamp } from './presenting.ts';

/** Microseconds. */
const dayLength = 86_400_000_000;

const presentListed = (presenting: Presenting, apk: ApkRecord) => ({
  ...presentApkReference(presenting, apk),
  created_at: timestamp(apk.createdAt),
  workstation: presentWorkstation(presenting, apk),
});

export function presentCatalogueStatistics(presenting: Presenting, view: StatisticsView): CatalogueStatistics {
  const { baseUrl, ids } = presenting;
  const { totals } = view;
  const listed = (apks: readonly ApkRecord[]) => apks.map((apk) => presentListed(presenting, apk));
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
      damages: totals.damages,
      static_analyzed: totals.staticAnalyzed,
      dynamic_analyzed: totals.dynamicAnalyzed,
      yara_analyzed: totals.yaraAnalyzed,
    },
    imports: byDay(totals.imports),
    detections: byDay(view.detections),
    signers: view.signers.map(({ sha1, sha256, company, isTrusted, count }) => {
      return { sha1, sha256, company, is_trusted: isTrusted, count, search: `cert:${sha256}` };
    }),
    rulesets: view.rulesets.map(({ id: rowId, name, count }) => {
      const id = ids.encode('ruleset', rowId);
      return { id, url: `${baseUrl}/rulesets/${id}/`, name, count, search: `ruleset:${searchWord(name)}` };
    }),
    newest: listed(view.newest),
    worst: listed(view.worst),
    severities: view.severities.map(({ severity, count }) => ({
      severity: severity as Severity,
      count,
      search: `severity:${severity}`,
    })),
    permissions: {
      apks: view.permissionsOf,
      most: view.permissions.map(({ name, count }) => ({ name, count, search: `permission:${searchWord(name)}` })),
    },
    queue: { queued: sum('queued'), running: sum('running'), kinds: view.jobs },
    storage: { apks: totals.bytes, database: view.databaseSize },
  };
}
