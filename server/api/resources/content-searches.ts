// Searches in the files of APKs over HTTP: one's own.
import type { contentSearchOperations } from '../../contract/operations/content-searches.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { created, type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentContentHit, presentContentSearch } from '../presenters/content-search.ts';

const find = ({ ids, contentSearches }: Services, account: AccountRecord, { id }: { id: string }) =>
  contentSearches.get(account, ids.decode('content-search', id));

export const contentSearchHandlers: Handlers<typeof contentSearchOperations> = {
  'POST /content_searches/': async ({ body, account, presenting, services: { contentSearches } }) =>
    created(presentContentSearch(presenting, await contentSearches.begin(account, body.search))),

  'GET /content_searches/<id>/': ({ params, account, presenting, services }) =>
    ok(presentContentSearch(presenting, find(services, account, params))),

  'GET /content_searches/<id>/hits/': async ({ request, params, account, presenting, services }) => {
    const { contentSearches, ids } = services;
    const run = find(services, account, params);
    const asked = pageRequestOf(queryOf(request), ids);
    const page = { ...(await contentSearches.hits(run, asked)), count: run.found.length };
    return ok(cursorPage(request, asked, ids, page, (hit) => presentContentHit(presenting, hit)));
  },

  'POST /content_searches/<id>/cancel/': ({ params, account, presenting, services }) => {
    const run = find(services, account, params);
    run.cancel();
    return ok(presentContentSearch(presenting, run));
  },
};
