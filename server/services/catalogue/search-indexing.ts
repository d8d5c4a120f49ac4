// Keeps what reports can be found by in the search index. Knows no syntax of searches, and looks into no report.
import { setImmediate } from 'node:timers/promises';
import { type ReportTerms, reportMarkFields, reportTermFields } from '../../contract/engine/report-terms.ts';
import type { WorkerPool } from '../../jobs/worker-pool.ts';
import { termParts } from '../../store/repositories/search-index-repository.ts';
import type { Store, Writes } from '../../store/store.ts';

/** APKs that are looked up at a time. */
const backfillBatch = 20;
/** More terms than this are put into the index before the transaction that names them. */
const manyTerms = 150;

/** Readies the index for reports that are about to be stored. */
export async function prepareTerms(store: Store, { terms }: ReportTerms): Promise<void> {
  if (terms.length <= manyTerms) return;
  for (const part of termParts(terms)) {
    await store.transaction(({ search }) => search.addTerms(part));
    await setImmediate();
  }
}

/** Puts what an APK's reports say in the place of what the index knew of it. */
export async function indexTerms(inside: Writes, apkId: number, index: ReportTerms): Promise<void> {
  const isMark = ({ field }: { field: string }) => (reportMarkFields as readonly string[]).includes(field);
  const terms = index.terms.filter((term) => !isMark(term));
  await inside.search.replaceTerms(reportTermFields, [{ apkId, terms, sdk: index, names: index.names }]);
  const marked = (wanted: string) => index.terms.filter(({ field }) => field === wanted).map(({ text }) => text);
  await inside.marks.replace(apkId, Object.fromEntries(reportMarkFields.map((field) => [field, marked(field)])));
}

/**
 * Indexes the reports that were stored before there was an index.
 * @returns how many APKs were indexed
 */
export async function indexStoredReports(store: Store, pool: WorkerPool, signal?: AbortSignal): Promise<number> {
  let indexed = 0;
  let afterId = 0;
  for (;;) {
    const ids = await store.search.unindexed(afterId, backfillBatch);
    const last = ids.at(-1);
    if (last === undefined) return indexed;
    afterId = last;
    for (const id of ids) {
      if (signal?.aborted === true) return indexed;
      if (await indexReports(store, pool, id, { isPatient: true, ...(signal === undefined ? {} : { signal }) }))
        indexed += 1;
    }
  }
}

/**
 * Puts what the stored reports of an APK say into the index.
 * @returns whether there are any that can be read; else its turn comes again at the next start
 */
export async function indexReports(
  store: Store,
  pool: WorkerPool,
  apkId: number,
  options: { isPatient?: boolean; signal?: AbortSignal },
): Promise<boolean> {
  const androguard = await store.reports.readCompressed(apkId, 'androguard');
  const cuckoo = await store.reports.readCompressed(apkId, 'cuckoo');
  if (androguard === null) return false;
  const reply = await pool.run({ kind: 'join', androguard, cuckoo, parts: null, added: null }, options);
  if (reply.status === 'failed') return false;
  const { index } = reply.result;
  await prepareTerms(store, index);
  await store.transaction((inside) => indexTerms(inside, apkId, index));
  return true;
}
