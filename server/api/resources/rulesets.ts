// Rulesets over HTTP.
import {
  newRulesetSchema,
  type RulesetChangesBody,
  ruleFaultsSchema,
  rulesetChangesSchema,
  rulesetDetailSchema,
  rulesetListQuerySchema,
  rulesetListSchema,
  savedRulesetSchema,
  socialDecisionSchema,
} from '../../contract/ruleset.ts';
import type { RulesetInput, RulesetRecord } from '../../services/rules/rulesets.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { created, noContent, ok, operation, type Resource } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import type { Presenting } from '../presenters/presenting.ts';
import { presentRuleset, presentRulesetDetail } from '../presenters/ruleset.ts';

/** The number behind the id in an address. */
export const rulesetId = ({ ids }: Services, params: Record<string, string>): number | null =>
  ids.decode('ruleset', params.id!);

async function shownDetail(presenting: Presenting, { accounts, rulesets }: Services, ruleset: RulesetRecord) {
  const authors = await accounts.findByIds([ruleset.authorId]);
  return presentRulesetDetail(presenting, ruleset, authors.get(ruleset.authorId)!, await rulesets.readRules(ruleset));
}

function inputOf(body: RulesetChangesBody): RulesetInput {
  const input: RulesetInput = {};
  if (body.name !== undefined) input.name = body.name;
  if (body.status !== undefined) input.isEnabled = body.status === 'enabled';
  if (body.is_public !== undefined) input.isPublic = body.is_public;
  if (body.is_notifier !== undefined) input.isNotifier = body.is_notifier;
  if (body.rules !== undefined) input.rules = body.rules;
  return input;
}

const list = operation(
  {
    summary: "Public rulesets and one's own, newest first",
    access: 'optional',
    querySchema: rulesetListQuerySchema,
    answers: { 200: rulesetListSchema },
  },
  async ({ request, query, account, presenting, services: { accounts, ids, rulesets } }) => {
    const asked = pageRequestOf(queryOf(request), ids);
    const author = query.author === undefined ? undefined : ((await accounts.find(query.author))?.id ?? 0);
    const filter = {
      // An analyst's rulesets by name are the public ones, one's own too.
      readerId: author === undefined ? (account?.id ?? null) : null,
      authorId: author,
      isEnabled: query.status === undefined ? undefined : query.status === 'enabled',
      isPublic: query.is_public,
      ownerId: query.is_own === true ? (account?.id ?? 0) : undefined,
      name: query.name__iexact,
      namePart: query.name__icontains,
    };
    const [{ rows: items, ...ends }, count] = await Promise.all([rulesets.page(filter, asked), rulesets.count(filter)]);
    const authors = await accounts.findByIds(items.map(({ authorId }) => authorId));
    const page = { items, ...ends, count };
    return ok(
      cursorPage(request, asked, ids, page, (ruleset) =>
        presentRuleset(presenting, ruleset, authors.get(ruleset.authorId)!),
      ),
    );
  },
);

const create = operation(
  {
    summary: 'Makes a ruleset; rules that do not compile are refused by line and column',
    access: 'token',
    bodySchema: newRulesetSchema,
    answers: { 201: savedRulesetSchema, 400: ruleFaultsSchema },
  },
  async ({ body, account, presenting, services }) => {
    const { ruleset, warnings } = await services.rulesets.create(account, { ...inputOf(body), name: body.name });
    return created({ ...(await shownDetail(presenting, services, ruleset)), warnings });
  },
);

const detail = operation(
  { summary: 'One ruleset with its rules', access: 'optional', answers: { 200: rulesetDetailSchema } },
  async ({ params, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    return ok(await shownDetail(presenting, services, ruleset));
  },
);

const change = operation(
  {
    summary: 'Changes what is given of a ruleset (its author)',
    access: 'token',
    bodySchema: rulesetChangesSchema,
    answers: { 200: savedRulesetSchema, 400: ruleFaultsSchema },
  },
  async ({ params, body, account, presenting, services }) => {
    const ruleset = await services.rulesets.getForChange(account, rulesetId(services, params));
    const saved = await services.rulesets.change(account, ruleset, inputOf(body));
    return ok({ ...(await shownDetail(presenting, services, saved.ruleset)), warnings: saved.warnings });
  },
);

const remove = operation(
  {
    summary: 'Deletes a ruleset with its matches and detections (its author)',
    access: 'token',
    answers: { 204: null },
  },
  async ({ params, account, services }) => {
    await services.rulesets.remove(await services.rulesets.getForChange(account, rulesetId(services, params)));
    return noContent;
  },
);

const promote = operation(
  {
    summary: 'Asks for a public ruleset to be social (its author)',
    access: 'token',
    answers: { 200: rulesetDetailSchema },
  },
  async ({ params, account, presenting, services }) => {
    const ruleset = await services.rulesets.getForChange(account, rulesetId(services, params));
    return ok(await shownDetail(presenting, services, await services.rulesets.promote(account, ruleset)));
  },
);

const judge = operation(
  {
    summary: 'Answers whether a ruleset becomes social (owner, expert)',
    access: 'token',
    bodySchema: socialDecisionSchema,
    refusals: ['not-promoted'],
    answers: { 200: rulesetDetailSchema },
  },
  async ({ params, body, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    const judged = await services.rulesets.judge(account, ruleset, body.accepted);
    return ok(await shownDetail(presenting, services, judged));
  },
);

export const rulesetResources: Resource[] = [
  { path: '/rulesets', operations: { get: list, post: create } },
  { path: '/rulesets/:id', operations: { get: detail, put: change, patch: change, delete: remove } },
  { path: '/rulesets/:id/promote', operations: { post: promote } },
  { path: '/rulesets/:id/social', operations: { post: judge } },
];
