// The dashboard's figures, read in threads of their own and kept for some seconds. Knows nothing of HTTP.

import { verdicts } from '../../contract/catalogue/verdict.ts';
import type { ApkRecord } from '../../store/repositories/apk-repository.ts';
import type { DescribedSigner } from '../../store/repositories/statistics-repository.ts';
import type { Ordering, SearchExpression } from '../../store/search/search-expression.ts';
import type { CatalogueTotals } from '../../store/search/search-questions.ts';
import type { Store } from '../../store/store.ts';
import type { AccountRecord } from '../people/accounts.ts';

/** Milliseconds that figures are good for: a dashboard looks again with every event. */
const freshness = 5000;
/** Accounts and spans whose figures are kept. */
const maxKept = 100;
const listed = 10;
/** The newest APKs, whose permissions are counted: counting those of all would grow dearer with the catalogue. */
const newestCounted = 1000;
const dayLength = 86_400_000_000;

/** Risky, and nobody has said what it is. */
const unjudgedRisk: SearchExpression = {
  kind: 'and',
  parts: [
    { kind: 'range', column: 'risk', from: 1, to: null },
    { kind: 'range', column: 'verdict', from: verdicts.indexOf('unknown'), to: verdicts.indexOf('unknown') },
  ],
};

export interface StatisticsView {
  generatedAt: number;
  /** The beginning of the first day, microseconds since 1970 UTC. */
  firstDay: number;
  totals: CatalogueTotals;
  detections: number[];
  signers: (DescribedSigner & { count: number })[];
  rulesets: { id: number; name: string; count: number }[];
  jobs: { kind: string; queued: number; running: number }[];
  databaseSize: number;
  newest: ApkRecord[];
  worst: ApkRecord[];
  /** The gravest first. */
  severities: { severity: string; count: number }[];
  permissions: { name: string; count: number }[];
  /** APKs whose permissions were looked at. */
  permissionsOf: number;
}

export class CatalogueStatistics {
  readonly #store: Store;
  readonly #kept = new Map<string, { until: number; view: Promise<StatisticsView> }>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** @param days how many UTC days back, this one among them */
  of(account: AccountRecord, days: number): Promise<StatisticsView> {
    const key = `${account.id} ${days}`;
    const kept = this.#kept.get(key);
    const now = performance.now();
    if (kept !== undefined && kept.until > now) return kept.view;
    const view = this.#read(account, days);
    this.#kept.delete(key);
    this.#kept.set(key, { until: now + freshness, view });
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
    }
    view.catch(() => this.#kept.delete(key));
    return view;
  }

  async #read(account: AccountRecord, days: number): Promise<StatisticsView> {
    const { search, statistics, clock } = this.#store;
    const generatedAt = clock();
    const firstDay = (Math.floor(generatedAt / dayLength) - days + 1) * dayLength;
    const [totals, detections, rulesets, open, databaseSize, newest, worst, spread, permissions] = await Promise.all([
      search.ask('totals', { firstDay, days, signers: listed }),
      statistics.detectedByDay(firstDay, days),
      statistics.rulesets(account.id, listed),
      statistics.openJobs(),
      statistics.databaseSize(),
      this.#first({ kind: 'all' }, []),
      this.#first(unjudgedRisk, [{ column: 'risk', isDescending: true }]),
      search.ask('facets', { expression: { kind: 'all' }, values: 1, viewerId: null }),
      statistics.newestPermissions(newestCounted, listed),
    ]);
    const described = await statistics.signers(totals.signers.map(({ signerId }) => signerId));
    const signers = totals.signers.flatMap(({ signerId, count }) => {
      const signer = described.get(signerId);
      return signer === undefined ? [] : [{ ...signer, count }];
    });
    const jobs = new Map<string, { kind: string; queued: number; running: number }>();
    for (const { kind, status, count } of open) {
      const entry = jobs.get(kind) ?? { kind, queued: 0, running: 0 };
      entry[status] = count;
      jobs.set(kind, entry);
    }
    const counted = { detections, signers, rulesets, jobs: [...jobs.values()], databaseSize, permissions };
    const severities = spread.facets.severity.map(({ key, count }) => ({ severity: String(key), count }));
    const permissionsOf = Math.min(newestCounted, totals.apks);
    return { generatedAt, firstDay, totals, ...counted, newest, worst, severities, permissionsOf };
  }

  /** The first APKs of a list. */
  async #first(expression: SearchExpression, ordering: Ordering): Promise<ApkRecord[]> {
    const place = { direction: 'older', place: null, skip: 0, limit: listed } as const;
    const { ids } = await this.#store.search.ask('page', { expression, ordering, ...place });
    const found = await this.#store.apks.findByIds(ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  }
}
