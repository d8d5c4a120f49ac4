// Rulesets over HTTP, as clients of the older API know them: the public ones, and one's own.
import { z } from 'zod';
import {
  type LegacyRuleset,
  legacyApkSchema,
  legacyRulesErrorSchema,
  legacyRulesetChangesSchema,
  legacyRulesetFiltersSchema,
  legacyRulesetSchema,
  legacyVoteKindSchema,
  legacyVoteSchema,
  newLegacyRulesetSchema,
} from '../../contract/legacy.ts';
import { pageSchema } from '../../contract/list.ts';
import { Failure, FieldFailure } from '../../services/failure.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { RulesetFilter, RulesetInput, RulesetRecord } from '../../services/rules/rulesets.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { type Answer, created, noContent, type Operation, ok, operation, type Resource } from '../operation.ts';
import { cursorPage, numberedPage, numberedPageRequestOf, pageRequestOf } from '../paging.ts';
import { presentLegacyApk } from '../presenters/legacy-apk.ts';
import { presentLegacyVote } from '../presenters/legacy-vote.ts';
import { integerId, legacyRulesets } from './legacy-records.ts';

/** Which rulesets an address serves. */
interface Scope {
  path: string;
  /** Whether a new ruleset is public where its author does not say. */
  isPublic: boolean;
  /** Who may read them. */
  access: 'token' | 'optional';
  filter(readerId: number | null): RulesetFilter;
}

const scopes: readonly Scope[] = [
  {
    path: '/legacy/public_rulesets',
    isPublic: true,
    access: 'optional',
    filter: (readerId) => ({ readerId, isPublic: true }),
  },
  {
    path: '/legacy/user_rulesets',
    isPublic: false,
    access: 'token',
    filter: (readerId) => ({ readerId, authorId: readerId ?? 0 }),
  },
];

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
    const { rows, hasOlder } = await rulesets.page(filter, { olderThan, limit: 500 });
    found.push(...rows);
    olderThan = rows.at(-1)?.id;
    if (!hasOlder || olderThan === undefined) return found;
  }
}

const list = (scope: Scope): Operation =>
  operation(
    {
      summary: 'Rulesets (older API)',
      access: scope.access,
      querySchema: legacyRulesetFiltersSchema,
      isNumbered: true,
      refusals: ['invalid-page'],
      answers: { 200: pageSchema(legacyRulesetSchema) },
    },
    async ({ request, query: { search, active, privacy, social, ordering }, account, services }) => {
      const asked = numberedPageRequestOf(queryOf(request));
      const filter = scope.filter(account?.id ?? null);
      if (privacy !== undefined) {
        const isPublic = privacy === 'public';
        if (filter.isPublic === true && !isPublic) return ok(numberedPage(request, asked, 0, []));
        filter.isPublic = isPublic;
      }
      const found = await allOf(services, { ...filter, namePart: search, isEnabled: active });
      const matching = found.filter(
        ({ socialStatus }) => social === undefined || (socialStatus === 'accepted') === social,
      );
      const page = ordered(matching, ordering ?? '').slice(asked.offset, asked.offset + asked.limit);
      return ok(numberedPage(request, asked, matching.length, await legacyRulesets(services, page)));
    },
  );

function inputOf(body: z.output<typeof legacyRulesetChangesSchema>): RulesetInput {
  const input: RulesetInput = {};
  if (body.name !== undefined) input.name = body.name;
  if (body.rules !== undefined) input.rules = body.rules;
  if (body.active !== undefined) input.isEnabled = body.active;
  if (body.privacy !== undefined) input.isPublic = body.privacy === 'public';
  if (body.send_notifications !== undefined) input.isNotifier = body.send_notifications;
  return input;
}

/** What older clients know rules by that do not compile: a 406 with the words of the compiler. */
function refusalOf(error: unknown, ruleset: RulesetRecord | null): Answer {
  if (!(error instanceof FieldFailure) || error.fields.rules === undefined) throw error;
  const [active, id] = ruleset === null ? [false, null] : [ruleset.isEnabled, ruleset.id];
  return { status: 406, body: { error: error.fields.rules.join('\n'), active, id } };
}

const create = (scope: Scope): Operation =>
  operation(
    {
      summary: 'Makes a ruleset; 406 where its rules do not compile (older API)',
      access: 'token',
      bodySchema: newLegacyRulesetSchema,
      answers: { 201: legacyRulesetSchema, 406: legacyRulesErrorSchema },
    },
    async ({ body, account, services }) => {
      const input = { isPublic: scope.isPublic, ...inputOf(body), name: body.name };
      try {
        return created(await one(services, (await services.rulesets.create(account, input)).ruleset));
      } catch (error) {
        return refusalOf(error, null);
      }
    },
  );

const detail = (scope: Scope): Operation =>
  operation(
    { summary: 'One ruleset (older API)', access: scope.access, answers: { 200: legacyRulesetSchema } },
    async ({ params, account, services }) => ok(await one(services, await find(scope, services, account, params.id!))),
  );

const change = (scope: Scope): Operation =>
  operation(
    {
      summary: 'Changes a ruleset (its author); 406 where its rules do not compile (older API)',
      access: 'token',
      bodySchema: legacyRulesetChangesSchema,
      answers: { 200: legacyRulesetSchema, 406: legacyRulesErrorSchema },
    },
    async ({ params, body, account, services }) => {
      const { id } = await find(scope, services, account, params.id!);
      const ruleset = await services.rulesets.getForChange(account, id);
      try {
        return ok(await one(services, (await services.rulesets.change(account, ruleset, inputOf(body))).ruleset));
      } catch (error) {
        return refusalOf(error, ruleset);
      }
    },
  );

const remove = (scope: Scope): Operation =>
  operation(
    { summary: 'Deletes a ruleset (its author; older API)', access: 'token', answers: { 204: null } },
    async ({ params, account, services }) => {
      const { id } = await find(scope, services, account, params.id!);
      await services.rulesets.remove(await services.rulesets.getForChange(account, id));
      return noContent;
    },
  );

const promote = (scope: Scope): Operation =>
  operation(
    {
      summary: 'Asks for a ruleset to be social (its author; older API)',
      access: 'token',
      bodySchema: z.object({}),
      answers: { 200: legacyRulesetSchema },
    },
    async ({ params, account, services }) => {
      const { id } = await find(scope, services, account, params.id!);
      const ruleset = await services.rulesets.getForChange(account, id);
      return ok(await one(services, await services.rulesets.promote(account, ruleset)));
    },
  );

const votes = operation(
  {
    summary: 'Votes on a ruleset, newest first (older API)',
    access: 'token',
    isNumbered: true,
    answers: { 200: pageSchema(legacyVoteSchema) },
  },
  async ({ request, params, account, services: { accounts, rulesets, rulesetVotes } }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const ruleset = await rulesets.get(account, integerId(params.id!));
    const found = await rulesetVotes.list(ruleset, asked);
    const analysts = await accounts.findByIds(found.map(({ accountId }) => accountId));
    const shown = found.map((vote) => presentLegacyVote(vote, analysts.get(vote.accountId)!));
    return ok(numberedPage(request, asked, await rulesetVotes.count(ruleset), shown));
  },
);

const vote = operation(
  {
    summary: 'Votes on a ruleset; a vote stands for ever (older API)',
    access: 'token',
    bodySchema: legacyVoteKindSchema,
    refusals: ['ruleset-voted-already'],
    answers: { 201: legacyVoteKindSchema },
  },
  async ({ params, body: { kind }, account, services: { rulesets, rulesetVotes } }) => {
    await rulesetVotes.cast(account, await rulesets.get(account, integerId(params.id!)), kind);
    return created({ kind });
  },
);

const ownVote = operation(
  {
    summary: 'The vote of the caller on a ruleset, where there is one (older API)',
    access: 'token',
    answers: { 200: legacyVoteSchema },
  },
  async ({ params, account, services: { rulesets, rulesetVotes } }) => {
    const ruleset = await rulesets.get(account, integerId(params.id!));
    return ok(presentLegacyVote(await rulesetVotes.get(account, ruleset), account));
  },
);

/** APKs on a page of matches, where the client does not say. */
const matchesPageSize = '25';

const matchedApks = operation(
  {
    summary: 'APKs that a ruleset matches, the latest match first (older API)',
    access: 'token',
    answers: { 200: pageSchema(legacyApkSchema) },
  },
  async ({ request, params, account, presenting, services: { catalogue, ids, matches, rulesets } }) => {
    const asked = pageRequestOf({ page_size: matchesPageSize, ...queryOf(request) }, ids);
    const { id: rulesetId } = await rulesets.get(account, integerId(params.id!));
    const { rows: items, ...ends } = await matches.page({ rulesetId }, asked);
    const apks = await catalogue.findByIds(items.map(({ apkId }) => apkId));
    const page = { items, ...ends, count: await matches.count({ rulesetId }) };
    return ok(cursorPage(request, asked, ids, page, ({ apkId }) => presentLegacyApk(presenting, apks.get(apkId)!)));
  },
);

export const legacyRulesetResources: Resource[] = [
  ...scopes.flatMap((scope) => [
    { path: scope.path, operations: { get: list(scope), post: create(scope) } },
    {
      path: `${scope.path}/:id`,
      operations: { get: detail(scope), put: change(scope), patch: change(scope), delete: remove(scope) },
    },
    { path: `${scope.path}/:id/promote_social`, operations: { post: promote(scope) } },
  ]),
  { path: '/legacy/public_rulesets/:id/votes', operations: { get: votes, post: vote } },
  { path: '/legacy/public_rulesets/:id/user_vote', operations: { get: ownVote } },
  { path: '/legacy/ruleset_matches/:id/apks', operations: { get: matchedApks } },
];
