// Matches of rulesets on APKs over HTTP.
import type { Request } from 'express';
import { matchListSchema, matchSchema } from '../../contract/match.ts';
import { Failure } from '../../services/failure.ts';
import type { MatchFilter, MatchRecord } from '../../services/rules/matches.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { ok, operation, type Resource } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentMatch } from '../presenters/match.ts';
import type { Presenting } from '../presenters/presenting.ts';
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
  const [{ rows: items, ...ends }, count] = await Promise.all([matches.page(filter, asked), matches.count(filter)]);
  const present = await matchPresenter(presenting, services, items);
  return cursorPage(request, asked, ids, { items, ...ends, count }, present);
}

const listOnApk = operation(
  { summary: 'Matches on an APK, newest first', access: 'token', answers: { 200: matchListSchema } },
  async ({ request, params, account, presenting, services }) => {
    const apk = await services.catalogue.get(params.sha256!);
    return ok(await shownPage(request, presenting, services, { apkId: apk.id, readerId: account.id }));
  },
);

const listOfRuleset = operation(
  { summary: 'Matches of a ruleset, newest first', access: 'token', answers: { 200: matchListSchema } },
  async ({ request, params, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    return ok(await shownPage(request, presenting, services, { rulesetId: ruleset.id }));
  },
);

const detail = operation(
  { summary: 'One match of a ruleset', access: 'token', answers: { 200: matchSchema } },
  async ({ params, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    const match = await services.matches.find(ruleset.id, services.ids.decode('match', params.match!));
    if (match === null) throw new Failure('not-found');
    return ok((await matchPresenter(presenting, services, [match]))(match));
  },
);

export const matchResources: Resource[] = [
  { path: '/apks/:sha256/matches', operations: { get: listOnApk } },
  { path: '/rulesets/:id/matches', operations: { get: listOfRuleset } },
  { path: '/rulesets/:id/matches/:match', operations: { get: detail } },
];
