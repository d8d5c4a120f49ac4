// Rulesets over HTTP, as clients of the older API know them: the public ones, and one's own.
import type { z } from 'zod';
import type {
  LegacyRuleset,
  legacyRulesetChangesSchema,
  legacyRulesetFiltersSchema,
} from '../../../contract/legacy.ts';
import type { legacyRulesetOperations } from '../../../contract/operations/legacy/rulesets.ts';
import { under } from '../../../contract/operations/operation.ts';
import { Failure, FieldFailure } from '../../../services/failure.ts';
import type { AccountRecord } from '../../../services/people/accounts.ts';
import type { RulesetFilter, RulesetInput, RulesetRecord } from '../../../services/rules/rulesets.ts';
import type { Services } from '../../../services/services.ts';
import { queryOf } from '../../addressing.ts';
import { type Call, created, type Handlers, noContent, ok } from '../../operation.ts';
import { cursorPage, numberedPage, numberedPageRequestOf, pageRequestOf } from '../../paging.ts';
import { presentLegacyApk } from '../../presenters/legacy/apk.ts';
import { presentLegacyVote } from '../../presenters/legacy/vote.ts';
import { integerId, legacyRulesets } from './records.ts';

/** Which rulesets an address serves. */
interface Scope {
  /** Whether a new ruleset is public where its author does not say. */
  isPublic: boolean;
  filter(readerId: number | null): RulesetFilter;
}

const publicScope: Scope = { isPublic: true, filter: (readerId) => ({ readerId, isPublic: true }) };
const ownScope: Scope = { isPublic: false, filter: (readerId) => ({ readerId, authorId: readerId ?? 0 }) };

const one = async (services: Services, ruleset: RulesetRecord): Promise<LegacyRuleset> =>
  (await legacyRulesets(services, [ruleset]))[0]!;

/** A ruleset of the scope. @throws Failure `not-found` */
async function find(
  { filter }: Scope,
  services: Services,
  account: AccountRecord | null,
  id: string,
): Promise<RulesetRecord> {
  const ruleset = await services.rulesets.get(account, integerId(id));
  const { authorId, isPublic } = filter(account?.id ?? null);
  const isOutside = isPublic === true && !ruleset.isPublic && ruleset.authorId !== account?.id;
  if (isOutside || (authorId !== undefined && ruleset.authorId !== authorId)) throw new Failure('not-found');
  return ruleset;
}

/** What lists can be ordered by; a `-` before the name turns the order round. */
const orders: Record<string, (ruleset: RulesetRecord) => number | string> = {
  id: ({ id }) => id,
  created_on: ({ createdAt }) => createdAt,
  modified_on: ({ updatedAt }) => updatedAt,
  name: ({ name }) => name.toLowerCase(),
  detections: ({ matchesCount }) => matchesCount,
};

function ordered(rulesets: RulesetRecord[], ordering: string): RulesetRecord[] {
  const isDescending = ordering.startsWith('-');
  const key = orders[isDescending ? ordering.slice(1) : ordering];
  if (key === undefined) return rulesets;
  const sorted = rulesets.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.id - b.id));
  return isDescending ? sorted.reverse() : sorted;
}

/** All rulesets of a filter, newest first. An installation has some thousand, read here without their rules. */
async function allOf({ rulesets }: Services, filter: RulesetFilter): Promise<RulesetRecord[]> {
  const found: RulesetRecord[] = [];
  for (let olderThan: number | undefined; ; ) {
    const { items, hasOlder } = await rulesets.page(filter, { olderThan, limit: 500 });
    found.push(...items);
    olderThan = items.at(-1)?.id;
    if (!hasOlder || olderThan === undefined) return found;
  }
}

type Filters = z.output<typeof legacyRulesetFiltersSchema>;
type Changes = z.output<typeof legacyRulesetChangesSchema>;

function inputOf(body: Changes): RulesetInput {
  const input: RulesetInput = {};
  if (body.name !== undefined) input.name = body.name;
  if (body.rules !== undefined) input.rules = body.rules;
  if (body.active !== undefined) input.isEnabled = body.active;
  if (body.privacy !== undefined) input.isPublic = body.privacy === 'public';
  if (body.send_notifications !== undefined) input.isNotifier = body.send_notifications;
  return input;
}

/** The answer to rules that do not compile, as older clients expect it: 406 with the message of the compiler. */
function refusalOf(error: unknown, ruleset: RulesetRecord | null) {
  if (!(error instanceof FieldFailure) || error.fields.rules === undefined) throw error;
  const [active, id] = ruleset === null ? [false, null] : [ruleset.isEnabled, ruleset.id];
  return { status: 406 as const, body: { error: error.fields.rules.join('\n'), active, id } };
}

const handlersOf = (scope: Scope) => ({
  'GET /': async ({ request, query, account, services }: Call<never, 'optional', Filters>) => {
    const { search, active, privacy, social, ordering } = query;
    const asked = numberedPageRequestOf(queryOf(request));
    const filter = scope.filter(account?.id ?? null);
    if (privacy !== undefined) {
      const isPublic = privacy === 'public';
      if (filter.isPublic === true && !isPublic) return ok(numberedPage<LegacyRuleset>(request, asked, 0, []));
      filter.isPublic = isPublic;
    }
    const found = await allOf(services, { ...filter, namePart: search, isEnabled: active });
    const matching = found.filter(
      ({ socialStatus }) => social === undefined || (socialStatus === 'accepted') === social,
    );
    const page = ordered(matching, ordering ?? '').slice(asked.offset, asked.offset + asked.limit);
    return ok(numberedPage(request, asked, matching.length, await legacyRulesets(services, page)));
  },

  'POST /': async ({ body, account, services }: Call<never, 'token', unknown, Changes & { name: string }>) => {
    const input = { isPublic: scope.isPublic, ...inputOf(body), name: body.name };
    try {
      return created(await one(services, (await services.rulesets.create(account, input)).ruleset));
    } catch (error) {
      return refusalOf(error, null);
    }
  },

  'GET /<id>/': async ({ params, account, services }: Call<'id', 'optional'>) =>
    ok(await one(services, await find(scope, services, account, params.id))),

  'PUT|PATCH /<id>/': async ({ params, body, account, services }: Call<'id', 'token', unknown, Changes>) => {
    const { id } = await find(scope, services, account, params.id);
    const ruleset = await services.rulesets.getForChange(account, id);
    try {
      return ok(await one(services, (await services.rulesets.change(account, ruleset, inputOf(body))).ruleset));
    } catch (error) {
      return refusalOf(error, ruleset);
    }
  },

  'DELETE /<id>/': async ({ params, account, services }: Call<'id'>) => {
    const { id } = await find(scope, services, account, params.id);
    await services.rulesets.remove(await services.rulesets.getForChange(account, id), account);
    return noContent;
  },

  'POST /<id>/promote_social/': async ({ params, account, services }: Call<'id'>) => {
    const { id } = await find(scope, services, account, params.id);
    const ruleset = await services.rulesets.getForChange(account, id);
    return ok(await one(services, await services.rulesets.promote(account, ruleset)));
  },
});

/** APKs on a page of matches, where the client does not say. */
const matchesPageSize = '25';

export const legacyRulesetHandlers: Handlers<typeof legacyRulesetOperations> = {
  ...under('/legacy/public_rulesets', handlersOf(publicScope)),
  ...under('/legacy/user_rulesets', handlersOf(ownScope)),

  'GET /legacy/public_rulesets/<id>/votes/': async ({
    request,
    params,
    account,
    services: { accounts, rulesets, rulesetVotes },
  }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const ruleset = await rulesets.get(account, integerId(params.id));
    const found = await rulesetVotes.list(ruleset, asked);
    const analysts = await accounts.findByIds(found.map(({ accountId }) => accountId));
    const shown = found.map((vote) => presentLegacyVote(vote, analysts.get(vote.accountId)!));
    return ok(numberedPage(request, asked, await rulesetVotes.count(ruleset), shown));
  },

  'POST /legacy/public_rulesets/<id>/votes/': async ({
    params,
    body: { kind },
    account,
    services: { rulesets, rulesetVotes },
  }) => {
    await rulesetVotes.cast(account, await rulesets.get(account, integerId(params.id)), kind);
    return created({ kind });
  },

  'GET /legacy/public_rulesets/<id>/user_vote/': async ({ params, account, services: { rulesets, rulesetVotes } }) => {
    const ruleset = await rulesets.get(account, integerId(params.id));
    return ok(presentLegacyVote(await rulesetVotes.get(account, ruleset), account));
  },

  'GET /legacy/ruleset_matches/<id>/apks/': async ({
    request,
    params,
    account,
    presenting,
    services: { catalogue, ids, matches, rulesets },
  }) => {
    const asked = pageRequestOf({ page_size: matchesPageSize, ...queryOf(request) }, ids);
    const { id: rulesetId } = await rulesets.get(account, integerId(params.id));
    const { items, ...ends } = await matches.page({ rulesetId }, asked);
    const apks = await catalogue.findByIds(items.map(({ apkId }) => apkId));
    const page = { items, ...ends, count: await matches.count({ rulesetId }) };
    return ok(cursorPage(request, asked, ids, page, ({ apkId }) => presentLegacyApk(presenting, apks.get(apkId)!)));
  },
};
