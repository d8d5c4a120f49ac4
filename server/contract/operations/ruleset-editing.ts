// What an editor of rulesets asks over HTTP: checks while one types, words to complete, texts to begin with and of before.
import { rulesTextSchema, rulesVerdictSchema } from '../rules/dry-run.ts';
import { rulesetVersionDetailSchema, rulesetVersionListSchema } from '../rules/ruleset-version.ts';
import { startingRulesSchema } from '../rules/starting-rules.ts';
import { yaraVocabularySchema } from '../rules/yara-vocabulary.ts';
import type { Operations } from './operation.ts';

export const rulesetEditingOperations = {
  'POST /rulesets/validate/': {
    summary: 'Checks rules: what they contain, errors and slow strings by line and column; nothing is saved',
    access: 'token',
    body: rulesTextSchema,
    refusals: ['rules-not-checked'],
    answers: { 200: rulesVerdictSchema },
  },
  'GET /yara/vocabulary/': {
    summary: 'Keywords, modules and functions of YARA, to be completed by an editor',
    access: 'token',
    answers: { 200: yaraVocabularySchema },
  },
  'GET /yara/starting_rules/': {
    summary: 'Starter rules, each for a ruleset of its own; they run only once one is made',
    access: 'token',
    answers: { 200: startingRulesSchema },
  },
  'GET /rulesets/<id>/versions/': {
    summary: 'Saved texts of a ruleset, newest first; those of a time when it was private are its author’s alone',
    access: 'optional',
    paging: 'cursor',
    answers: { 200: rulesetVersionListSchema },
  },
  'GET /rulesets/<id>/versions/<version>/': {
    summary: 'One saved text of a ruleset; sent as the rules of a PATCH it is restored',
    access: 'optional',
    answers: { 200: rulesetVersionDetailSchema },
  },
} satisfies Operations;
