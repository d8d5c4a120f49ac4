// Rulesets over HTTP.
import type { rulesetOperations } from '../../contract/operations/rulesets.ts';
import type { RulesetChangesBody } from '../../contract/rules/ruleset.ts';
import type { RulesetInput, RulesetRecord } from '../../services/rules/rulesets.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { created, type Handlers, noContent, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import type { Presenting } from '../presenters/presenting.ts';
import { presentRuleset, presentRulesetDetail } from '../presenters/rules/ruleset.ts';

/** The number behind the id in an address. */
export const rulesetId = ({ ids }: Services, params: { id: string }): number | null => ids.decode('ruleset', params.id);

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

export const rulesetHandlers: Handlers<typeof rulesetOperations> = {
  'GET /rulesets/': async ({ request, query, account, presenting, services: { accounts, ids, rulesets } }) => {
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
      part: query.search,
      packageName: query.package,
    };
    const [{ items, ...ends }, count] = await Promise.all([rulesets.page(filter, asked), rulesets.count(filter)]);
    const authors = await accounts.findByIds(items.map(({ authorId }) => authorId));
    const page = { items, ...ends, count };
    return ok(
      cursorPage(request, asked, ids, page, (ruleset) =>
        presentRuleset(presenting, ruleset, authors.get(ruleset.authorId)!),
      ),
    );
  },

  'POST /rulesets/': async ({ body, account, presenting, services }) => {
    const { ruleset, warnings } = await services.rulesets.create(account, { ...inputOf(body), name: body.name });
    return created({ ...(await shownDetail(presenting, services, ruleset)), warnings });
  },

  'GET /rulesets/<id>/': async ({ params, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    return ok(await shownDetail(presenting, services, ruleset));
  },

  'PUT|PATCH /rulesets/<id>/': async ({ params, body, account, presenting, services }) => {
    const ruleset = await services.rulesets.getForChange(account, rulesetId(services, params));
    const saved = await services.rulesets.change(account, ruleset, inputOf(body));
    return ok({ ...(await shownDetail(presenting, services, saved.ruleset)), warnings: saved.warnings });
  },

  'DELETE /rulesets/<id>/': async ({ params, account, services }) => {
    await services.rulesets.remove(await services.rulesets.getForChange(account, rulesetId(services, params)), account);
    return noContent;
  },

  'POST /rulesets/<id>/promote/': async ({ params, account, presenting, services }) => {
    const ruleset = await services.rulesets.getForChange(account, rulesetId(services, params));
    return ok(await shownDetail(presenting, services, await services.rulesets.promote(account, ruleset)));
  },

  'POST /rulesets/<id>/social/': async ({ params, body, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    const judged = await services.rulesets.judge(account, ruleset, body.accepted);
    return ok(await shownDetail(presenting, services, judged));
  },
};
