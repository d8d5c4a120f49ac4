// What an editor of rulesets asks over HTTP: checks while one types, words to complete, texts to begin with and of before.
import type { rulesetEditingOperations } from '../../contract/operations/ruleset-editing.ts';
import { Failure } from '../../services/failure.ts';
import { startingRules } from '../../services/rules/starting-rules.ts';
import { yaraVocabulary } from '../../services/rules/yara-vocabulary.ts';
import { queryOf } from '../addressing.ts';
import { type Handlers, ok } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentStartingRules, presentVerdict, presentYaraVocabulary } from '../presenters/rules/ruleset-editing.ts';
import { presentRulesetVersion } from '../presenters/rules/ruleset-version.ts';
import { rulesetId } from './rulesets.ts';

export const rulesetEditingHandlers: Handlers<typeof rulesetEditingOperations> = {
  'POST /rulesets/validate/': async ({ account, body, services }) => {
    return ok(presentVerdict(await services.rulesets.validate(account, body.rules)));
  },

  'GET /yara/vocabulary/': ({ response }) => {
    response.set('Cache-Control', 'private, max-age=3600');
    return ok(presentYaraVocabulary(yaraVocabulary));
  },

  'GET /yara/starting_rules/': async ({ account, presenting, services: { rulesets } }) =>
    ok(
      await Promise.all(
        startingRules().map(async (starting) => {
          const filter = { readerId: account.id, authorId: account.id, name: starting.name };
          const [own] = await rulesets.list(filter, 0, 1);
          return presentStartingRules(presenting, starting, own ?? null);
        }),
      ),
    ),

  'GET /rulesets/<id>/versions/': async ({ request, params, account, presenting, services }) => {
    const { accounts, ids, rulesets } = services;
    const asked = pageRequestOf(queryOf(request), ids);
    const ruleset = await rulesets.get(account, rulesetId(services, params));
    const { items, ...page } = await rulesets.versions(account, ruleset, asked);
    const authors = await accounts.findByIds(items.map(({ authorId }) => authorId));
    return ok(
      cursorPage(request, asked, ids, { items, ...page }, (version) =>
        presentRulesetVersion(presenting, ruleset, version, authors.get(version.authorId)!),
      ),
    );
  },

  'GET /rulesets/<id>/versions/<version>/': async ({ params, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    if (!/^[1-9]\d{0,8}$/.test(params.version)) throw new Failure('not-found');
    const { record, rules } = await services.rulesets.version(account, ruleset, Number(params.version));
    const authors = await services.accounts.findByIds([record.authorId]);
    return ok({ ...presentRulesetVersion(presenting, ruleset, record, authors.get(record.authorId)!), rules });
  },
};
