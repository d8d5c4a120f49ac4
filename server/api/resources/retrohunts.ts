// Retrohunts over HTTP: one's own.
import type { retrohuntOperations } from '../../contract/operations/retrohunts.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { BegunHunt } from '../../services/rules/retrohunts.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { created, type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import type { Presenting } from '../presenters/presenting.ts';
import {
  presentHuntEstimate,
  presentHuntedMatch,
  presentHuntFailure,
  presentRetrohunt,
} from '../presenters/rules/retrohunt.ts';
import { matchPresenter } from './matches.ts';
import { rulesetId } from './rulesets.ts';

const find = ({ ids, retrohunts }: Services, account: AccountRecord, { id }: { id: string }) =>
  retrohunts.get(account, ids.decode('retrohunt', id));

const shown = (presenting: Presenting, { view, isNew }: BegunHunt) =>
  (isNew ? created : ok)(presentRetrohunt(presenting, view));

const rulesetsOf = (services: Services, account: AccountRecord, ids: readonly string[]) =>
  Promise.all(ids.map((id) => services.rulesets.get(account, services.ids.decode('ruleset', id))));

export const retrohuntHandlers: Handlers<typeof retrohuntOperations> = {
  'POST /rulesets/<id>/retrohunt/': async ({ params, body, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    return shown(presenting, await services.retrohunts.begin(account, [ruleset], body.search ?? ''));
  },

  'GET /retrohunts/': async ({ request, query, account, presenting, services: { ids, retrohunts } }) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const ruleset = query.ruleset === undefined ? undefined : (ids.decode('ruleset', query.ruleset) ?? 0);
    const page = await retrohunts.page(account, ruleset, asked);
    return ok(cursorPage(request, asked, ids, page, ({ view }) => presentRetrohunt(presenting, view)));
  },

  'POST /retrohunts/': async ({ body, account, presenting, services }) => {
    const rulesets = await rulesetsOf(services, account, body.rulesets);
    return shown(presenting, await services.retrohunts.begin(account, rulesets, body.search ?? ''));
  },

  'POST /retrohunts/estimate/': async ({ body, account, presenting, services }) => {
    const rulesets = await rulesetsOf(services, account, body.rulesets);
    return ok(
      presentHuntEstimate(presenting, await services.retrohunts.estimate(account, rulesets, body.search ?? '')),
    );
  },

  'GET /retrohunts/<id>/': async ({ params, account, presenting, services }) =>
    ok(presentRetrohunt(presenting, await find(services, account, params))),

  'POST /retrohunts/<id>/cancel/': async ({ params, account, presenting, services }) => {
    const hunt = await find(services, account, params);
    return ok(presentRetrohunt(presenting, await services.retrohunts.cancel(account, hunt)));
  },

  'POST /retrohunts/<id>/resume/': async ({ params, account, presenting, services }) => {
    const hunt = await find(services, account, params);
    return ok(presentRetrohunt(presenting, await services.retrohunts.resume(account, hunt)));
  },

  'GET /retrohunts/<id>/matches/': async ({ request, params, account, presenting, services }) => {
    const { ids, retrohunts } = services;
    const asked = pageRequestOf(queryOf(request), ids);
    const page = await retrohunts.foundMatches(await find(services, account, params), asked);
    const present = await matchPresenter(
      presenting,
      services,
      page.items.map(({ match }) => match),
    );
    return ok(cursorPage(request, asked, ids, page, ({ match, isNew }) => presentHuntedMatch(present(match), isNew)));
  },

  'GET /retrohunts/<id>/failures/': async ({ request, params, account, presenting, services }) => {
    const { catalogue, ids, retrohunts } = services;
    const asked = pageRequestOf(queryOf(request), ids);
    const page = await retrohunts.failures(await find(services, account, params), asked);
    const apks = await catalogue.findByIds(page.items.map(({ apkId }) => apkId));
    return ok(
      cursorPage(request, asked, ids, page, (failure) =>
        presentHuntFailure(presenting, failure, apks.get(failure.apkId)!),
      ),
    );
  },
};
