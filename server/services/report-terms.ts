// What of the reports can be searched for, and keeping it in the search index. Knows no syntax of searches.
import { setImmediate } from 'node:timers/promises';
import type { AndroguardReport, CuckooReport } from '../contract/reports.ts';
import type { SearchTerm } from '../store/search-index-repository.ts';
import type { Repositories, Store } from '../store/store.ts';

const androguardFields = {
  url: ['urls'],
  permission: ['permissions', 'new_permissions'],
  activity: ['activities'],
  service: ['services'],
  receiver: ['receivers'],
  provider: ['providers'],
  filter: ['filters'],
} as const satisfies Record<string, readonly (keyof AndroguardReport)[]>;
const networkFields = ['network.hosts', 'network.http', 'network.dns', 'network.domains'] as const;
const fields = [...Object.keys(androguardFields), ...networkFields];
/** APKs that are indexed between two breaths. */
const backfillBatch = 20;

type Reports = { androguard: Partial<AndroguardReport>; cuckoo: Partial<CuckooReport> | null };

function termsOf({ androguard, cuckoo }: Reports): SearchTerm[] {
  const terms: SearchTerm[] = [];
  const add = (field: string, text: unknown) => {
    if (typeof text === 'string' && text !== '') terms.push({ field, text });
  };
  for (const [field, keys] of Object.entries(androguardFields))
    for (const key of keys) for (const text of androguard[key] ?? []) add(field, text);
  const network = cuckoo?.network;
  for (const host of network?.hosts ?? []) add('network.hosts', host);
  const records = (list: unknown) => (Array.isArray(list) ? (list as Record<string, unknown>[]) : []);
  for (const { uri, host } of records(network?.http)) add('network.http', uri ?? host);
  for (const { request } of records(network?.dns)) add('network.dns', request);
  for (const { domain, ip } of records(network?.domains)) {
    add('network.domains', domain);
    add('network.domains', ip);
  }
  return terms;
}

/** More terms than this are put into the index before the transaction that names them. */
const manyTerms = 150;

/** Readies the index for reports that are about to be stored. */
export async function prepareReports(store: Store, reports: Reports): Promise<void> {
  const terms = termsOf(reports);
  if (terms.length > manyTerms) await store.search.prepareTerms(terms);
}

/** Puts what an APK's reports say in the place of what the index knew of it. */
export async function indexReports(inside: Repositories, apkId: number, reports: Reports): Promise<void> {
  const { min_sdk_version: minSdk = null, target_sdk_version: targetSdk = null } = reports.androguard;
  await inside.search.replaceTerms(apkId, fields, termsOf(reports), { minSdk, targetSdk });
}

/**
 * Indexes the reports that were stored before there was an index.
 * @returns how many APKs were indexed
 */
export async function indexStoredReports(store: Store, signal?: AbortSignal): Promise<number> {
  let indexed = 0;
  let afterId = 0;
  for (;;) {
    const ids = await store.search.unindexed(afterId, backfillBatch);
    const last = ids.at(-1);
    if (last === undefined) return indexed;
    afterId = last;
    for (const id of ids) {
      if (signal?.aborted === true) return indexed;
      const androguard = await store.reports.readJson<Reports['androguard']>(id, 'androguard');
      const cuckoo = await store.reports.readJson<Reports['cuckoo'] & object>(id, 'cuckoo');
      if (androguard === null) continue;
      await prepareReports(store, { androguard, cuckoo });
      await indexReports(store, id, { androguard, cuckoo });
      indexed += 1;
      await setImmediate();
    }
  }
}
