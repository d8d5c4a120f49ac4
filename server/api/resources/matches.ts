// Matches of rulesets on APKs over HTTP.
import type { Request } from 'express';
import type { matchOperations } from '../../contract/operations/matches.ts';
import { maxRuleStatistics } from '../../contract/rules/rule-statistics.ts';
import { Failure } from '../../services/failure.ts';
import type { MatchFilter, MatchRecord } from '../../services/rules/matches.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import type { Presenting } from '../presenters/presenting.ts';
import { presentMatch, presentRuleStatistics } from '../presenters/rules/match.ts';
import { rulesetId } from './rulesets.ts';

/** How matches are shown, with their APKs, rulesets and authors. */
export async function matchPresenter(
  presenting: Presenting,
  { accounts, catalogue, rulesets }: Services,
  matches: readonly MatchRecord[],
) {
  const apks = await catalogue.findByIds(matches.map(({ apkId }) => apkId));
  const found = await rulesets.findByIds(matches.map((match) => match.rulesetId));
  const authors = await accounts.findByIds([...found.values()].map(({ authorId }) => authorId));
  return (match: MatchRecord) => {
    const ruleset = found.get(match.rulesetId)!;
    const author = authors.get(ruleset.authorId)!;
    return presentMatch(presenting, { match, apk: apks.get(match.apkId)!, ruleset, author });
  };
}

async function shownPage(request: Request, presenting: Presenting, services: Services, filter: MatchFilter) {
  const { ids, matches } = services;
  const asked = pageRequestOf(queryOf(request), ids);
  const [{ items, ...ends }, count] = await Promise.all([matches.page(filter, asked), matches.count(filter)]);
  const present = await matchPresenter(presenting, services, items);
  return cursorPage(request, asked, ids, { items, ...ends, count }, present);
}

export const matchHandlers: Handlers<typeof matchOperations> = {
  'GET /rule_statistics/': async ({ query, account, presenting, services }) => {
    const filter = { readerId: account.id, part: query.search, isQuarantined: query.is_quarantined };
    const { count, rules, quarantines, apks } = await services.matches.statistics(
      filter,
      query.ordering,
      maxRuleStatistics,
    );
    const results = rules.map((rule) =>
      presentRuleStatistics(presenting, rule, quarantines.get(rule.quarantineId ?? 0) ?? null),
    );
    return ok({ count, apks_count: apks, results });
  },

  'GET /apks/<sha256>/matches/': async ({ request, params, account, presenting, services }) => {
    const apk = await services.catalogue.get(params.sha256);
    return ok(await shownPage(request, presenting, services, { apkId: apk.id, readerId: account.id }));
  },

  'GET /rulesets/<id>/matches/': async ({ request, params, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    return ok(await shownPage(request, presenting, services, { rulesetId: ruleset.id }));
  },

  'GET /rulesets/<id>/matches/<match>/': async ({ params, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    const match = await services.matches.find(ruleset.id, services.ids.decode('match', params.match));
    if (match === null) throw new Failure('not-found');
    return ok((await matchPresenter(presenting, services, [match]))(match));
  },
};
