// What an editor of rulesets asks over HTTP: checks while one types, words to complete, texts to begin with and of before.
import { rulesTextSchema, rulesVerdictSchema } from '../../contract/dry-run.ts';
import { rulesetVersionDetailSchema, rulesetVersionListSchema } from '../../contract/ruleset-version.ts';
import { startingRulesSchema } from '../../contract/starting-rules.ts';
import { yaraVocabularySchema } from '../../contract/yara-vocabulary.ts';
import { Failure } from '../../services/failure.ts';
import { startingRules } from '../../services/rules/starting-rules.ts';
import { yaraVocabulary } from '../../services/rules/yara-vocabulary.ts';
import { queryOf } from '../addressing.ts';
import { ok, operation, type Resource } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentRulesetVersion } from '../presenters/ruleset-version.ts';
import { rulesetId } from './rulesets.ts';

const validate = operation(
  {
    summary: 'What rules hold, what is wrong and what is slow in them, by line and column; nothing is saved',
    access: 'token',
    bodySchema: rulesTextSchema,
    refusals: ['rules-not-checked'],
    answers: { 200: rulesVerdictSchema },
  },
  async ({ account, body, services }) => {
    const compiled = await services.rulesets.validate(account, body.rules);
    return ok({ is_valid: compiled.errors.length === 0, rules_count: compiled.rules.length, ...compiled });
  },
);

const vocabulary = operation(
  {
    summary: 'Keywords, modules and functions of YARA, to be completed by an editor',
    access: 'token',
    answers: { 200: yaraVocabularySchema },
  },
  ({ response }) => {
    response.set('Cache-Control', 'private, max-age=3600');
    return ok(yaraVocabulary);
  },
);

const starting = operation(
  {
    summary: 'Rules to begin with, each for a ruleset of its own; nothing runs them until one is made',
    access: 'token',
    answers: { 200: startingRulesSchema },
  },
  async ({ account, services: { ids, rulesets } }) =>
    ok(
      await Promise.all(
        startingRules().map(async ({ name, description, rulesCount, rules }) => {
          const [own] = await rulesets.list({ readerId: account.id, authorId: account.id, name }, 0, 1);
          const ruleset = own === undefined ? null : ids.encode('ruleset', own.id);
          return { name, description, rules_count: rulesCount, rules, ruleset };
        }),
      ),
    ),
);

const versions = operation(
  {
    summary: 'Saved texts of a ruleset, newest first; those of a time when it was private are its author’s alone',
    access: 'optional',
    answers: { 200: rulesetVersionListSchema },
  },
  async ({ request, params, account, presenting, services }) => {
    const { accounts, ids, rulesets } = services;
    const asked = pageRequestOf(queryOf(request), ids);
    const ruleset = await rulesets.get(account, rulesetId(services, params));
    const { rows: items, ...page } = await rulesets.versions(account, ruleset, asked);
    const authors = await accounts.findByIds(items.map(({ authorId }) => authorId));
    return ok(
      cursorPage(request, asked, ids, { items, ...page }, (version) =>
        presentRulesetVersion(presenting, ruleset, version, authors.get(version.authorId)!),
      ),
    );
  },
);

const version = operation(
  {
    summary: 'One saved text of a ruleset; sent as the rules of a PATCH it is restored',
    access: 'optional',
    answers: { 200: rulesetVersionDetailSchema },
  },
  async ({ params, account, presenting, services }) => {
    const ruleset = await services.rulesets.get(account, rulesetId(services, params));
    if (!/^[1-9]\d{0,8}$/.test(params.version!)) throw new Failure('not-found');
    const { record, rules } = await services.rulesets.version(account, ruleset, Number(params.version));
    const authors = await services.accounts.findByIds([record.authorId]);
    return ok({ ...presentRulesetVersion(presenting, ruleset, record, authors.get(record.authorId)!), rules });
  },
);

export const rulesetEditingResources: Resource[] = [
  { path: '/rulesets/validate', operations: { post: validate } },
  { path: '/yara/vocabulary', operations: { get: vocabulary } },
  { path: '/yara/starting_rules', operations: { get: starting } },
  { path: '/rulesets/:id/versions', operations: { get: versions } },
  { path: '/rulesets/:id/versions/:version', operations: { get: version } },
];
