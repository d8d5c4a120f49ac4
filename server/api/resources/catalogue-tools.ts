// What stands beside the catalogue's list over HTTP: facets, completions, saved searches, statistics, bulk actions.
import type { catalogueToolOperations } from '../../contract/operations/catalogue-tools.ts';
import { Failure, FieldFailure } from '../../services/failure.ts';
import { created, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentApk } from '../presenters/apk.ts';
import { presentBulkResult } from '../presenters/bulk.ts';
import { presentCatalogueStatistics } from '../presenters/catalogue-statistics.ts';
import { presentSavedSearch } from '../presenters/saved-search.ts';
import { whileConnected } from './apks.ts';

/** Before the resources of single APKs, whose addresses look alike. */
export const catalogueToolHandlers: Handlers<typeof catalogueToolOperations> = {
  'GET /apks/facets/': async ({
    account,
    response,
    query: { search = '', values = 20 },
    services: { catalogue, facets: found },
  }) => ok(await found.of(await catalogue.search(search, account), values, account, whileConnected(response))),

  'GET /apks/completions/': async ({ account, query: { search = '', position = search.length }, services }) =>
    ok(await services.completions.at(search, position, account)),

  'GET /apks/queue/': async ({
    account,
    response,
    query: { search = '', after },
    presenting,
    services: { catalogue, matches },
  }) => {
    const wanted = await catalogue.search(search, account);
    const { left, apk } = await catalogue.nextUnjudged(wanted, after ?? null, whileConnected(response));
    const [counted] = apk === null ? [] : await matches.counted(account, [apk]);
    return ok({ left, apk: counted === undefined ? null : presentApk(presenting, counted) });
  },

  'POST /apks/bulk/': async ({
    account,
    body: { action, sha256, search, tag, ...verdict },
    presenting,
    services: { antivirus, bulk: actions },
  }) => {
    if (sha256?.length === 0) throw new FieldFailure({ sha256: ['At least one is required.'] });
    if (action === 'analyze_antivirus' && !(await antivirus.isOn())) throw new Failure('antivirus-off');
    const order = { action, tag: tag ?? null, verdict: action === 'judge' ? verdict : null };
    const result = await (sha256 === undefined
      ? actions.onSearch(account, order, search ?? '')
      : actions.onHashes(account, order, sha256));
    return ok(presentBulkResult(presenting, result));
  },

  'GET /account/searches/': async ({ account, presenting, services: { savedSearches } }) => {
    return ok(wholeList((await savedSearches.list(account)).map((saved) => presentSavedSearch(presenting, saved))));
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
    return ok(presentSavedSearch(presenting, await savedSearches.change(saved, fields)));
  },

  'DELETE /account/searches/<id>/': async ({ account, params, services: { ids, savedSearches } }) => {
    await savedSearches.remove(await savedSearches.get(account, ids.decode('saved-search', params.id)));
    return noContent;
  },

  'GET /statistics/': async ({ account, query: { days = 30 }, presenting, services }) =>
    ok(presentCatalogueStatistics(presenting, await services.statistics.of(account, days))),
};
