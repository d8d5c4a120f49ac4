// What stands beside the catalogue's list over HTTP: facets, completions, saved searches, statistics, bulk actions.
import type { BulkAnswer } from '../../contract/bulk.ts';
import type { CatalogueStatistics } from '../../contract/catalogue-statistics.ts';
import type { catalogueToolOperations } from '../../contract/operations/catalogue-tools.ts';
import type { SavedSearch } from '../../contract/saved-search.ts';
import type { StatisticsView } from '../../services/catalogue/catalogue-statistics.ts';
import type { SavedSearchRecord } from '../../services/catalogue/saved-searches.ts';
import { searchWord } from '../../services/catalogue/search-word.ts';
import { Failure, FieldFailure } from '../../services/failure.ts';
import { created, type Handlers, noContent, ok } from '../operation.ts';
import { presentJob } from '../presenters/job.ts';
import { type Presenting, timestamp } from '../presenters/presenting.ts';
import { whileConnected } from './apks.ts';

function presentSavedSearch({ baseUrl, ids }: Presenting, saved: SavedSearchRecord): SavedSearch {
  const id = ids.encode('saved-search', saved.id);
  const { name, search, ordering, createdAt, updatedAt } = saved;
  const url = `${baseUrl}/account/searches/${id}/`;
  return { id, url, name, search, ordering, created_at: timestamp(createdAt), updated_at: timestamp(updatedAt) };
}

const dayLength = 86_400_000_000;

function presentStatistics({ baseUrl, ids }: Presenting, view: StatisticsView): CatalogueStatistics {
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

/** Before the resources of single APKs, whose addresses look alike. */
export const catalogueToolHandlers: Handlers<typeof catalogueToolOperations> = {
  'GET /apks/facets/': async ({
    account,
    response,
    query: { search = '', values = 20 },
    services: { catalogue, facets: found },
  }) => ok(await found.of(catalogue.search(search, account), values, whileConnected(response))),

  'GET /apks/completions/': async ({ account, query: { search = '', position = search.length }, services }) =>
    ok(await services.completions.at(search, position, account)),

  'POST /apks/bulk/': async ({
    account,
    body: { action, sha256, search, tag },
    presenting,
    services: { antivirus, bulk: actions },
  }) => {
    if (sha256?.length === 0) throw new FieldFailure({ sha256: ['At least one is required.'] });
    if (action === 'analyze_antivirus' && !(await antivirus.isOn())) throw new Failure('antivirus-off');
    const order = { action, tag: tag ?? null };
    const { count, job, done, refused } = await (sha256 === undefined
      ? actions.onSearch(account, order, search ?? '')
      : actions.onHashes(account, order, sha256));
    return ok({
      count,
      job: job === null ? null : presentJob(presenting, job, null),
      done,
      refused: refused.map(({ sha256: hash, reason }) => ({ sha256: hash, detail: reason })),
    } satisfies BulkAnswer);
  },

  'GET /account/searches/': async ({ account, presenting, services: { savedSearches } }) => {
    const results = (await savedSearches.list(account)).map((saved) => presentSavedSearch(presenting, saved));
    return ok({ count: results.length, next: null, previous: null, results });
  },

  'POST /account/searches/': async ({
    account,
    body: { name, search, ordering = '' },
    presenting,
    services: { savedSearches },
  }) => created(presentSavedSearch(presenting, await savedSearches.add(account, { name, search, ordering }))),

  'GET /account/searches/<id>/': async ({ account, params, presenting, services: { ids, savedSearches } }) =>
    ok(presentSavedSearch(presenting, await savedSearches.get(account, ids.decode('saved-search', params.id)))),

  'PUT|PATCH /account/searches/<id>/': async ({
    account,
    params,
    body,
    presenting,
    services: { ids, savedSearches },
  }) => {
    const saved = await savedSearches.get(account, ids.decode('saved-search', params.id));
    const fields = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    return ok(presentSavedSearch(presenting, await savedSearches.change(account, saved, fields)));
  },

  'DELETE /account/searches/<id>/': async ({ account, params, services: { ids, savedSearches } }) => {
    await savedSearches.remove(await savedSearches.get(account, ids.decode('saved-search', params.id)));
    return noContent;
  },

  'GET /statistics/': async ({ account, query: { days = 30 }, presenting, services }) =>
    ok(presentStatistics(presenting, await services.statistics.of(account, days))),
};
