// Rulesets over HTTP, as clients of the older API know them: the public ones, and one's own.
import { z } from 'zod';
import {
  legacyApkSchema,
  legacyRulesErrorSchema,
  legacyRulesetChangesSchema,
  legacyRulesetFiltersSchema,
  legacyRulesetSchema,
  legacyVoteKindSchema,
  legacyVoteSchema,
  newLegacyRulesetSchema,
} from '../../legacy.ts';
import { pageSchema } from '../../list.ts';
import { type Operations, under } from '../operation.ts';

const rulesets = {
  'GET /': {
    summary: 'Rulesets (older API)',
    access: 'token',
    query: legacyRulesetFiltersSchema,
    paging: 'number',
    refusals: ['invalid-page'],
    answers: { 200: pageSchema(legacyRulesetSchema) },
  },
  'POST /': {
    summary: 'Makes a ruleset; 406 where its rules do not compile (older API)',
    access: 'token',
    body: newLegacyRulesetSchema,
    answers: { 201: legacyRulesetSchema, 406: legacyRulesErrorSchema },
  },
  'GET /<id>/': { summary: 'One ruleset (older API)', access: 'token', answers: { 200: legacyRulesetSchema } },
  'PUT|PATCH /<id>/': {
    summary: 'Changes a ruleset (its author); 406 where its rules do not compile (older API)',
    access: 'token',
    body: legacyRulesetChangesSchema,
    answers: { 200: legacyRulesetSchema, 406: legacyRulesErrorSchema },
  },
  'DELETE /<id>/': { summary: 'Deletes a ruleset (its author; older API)', access: 'token', answers: { 204: null } },
  'POST /<id>/promote_social/': {
    summary: 'Proposes a ruleset as social (its author; older API)',
    access: 'token',
    body: z.object({}),
    answers: { 200: legacyRulesetSchema },
  },
} satisfies Operations;

/** Public rulesets are read without a token too. */
const openList = { ...rulesets['GET /'], access: 'optional' } as const;
const openDetail = { ...rulesets['GET /<id>/'], access: 'optional' } as const;

export const legacyRulesetOperations = {
  ...under('/legacy/public_rulesets', { ...rulesets, 'GET /': openList, 'GET /<id>/': openDetail }),
  ...under('/legacy/user_rulesets', rulesets),
  'GET /legacy/public_rulesets/<id>/votes/': {
    summary: 'Votes on a ruleset, newest first (older API)',
    access: 'token',
    paging: 'number',
    answers: { 200: pageSchema(legacyVoteSchema) },
  },
  'POST /legacy/public_rulesets/<id>/votes/': {
    summary: 'Votes on a ruleset; a vote stands for ever (older API)',
    access: 'token',
    body: legacyVoteKindSchema,
    refusals: ['ruleset-voted-already'],
    answers: { 201: legacyVoteKindSchema },
  },
  'GET /legacy/public_rulesets/<id>/user_vote/': {
    summary: 'The vote of the caller on a ruleset, where there is one (older API)',
    access: 'token',
    answers: { 200: legacyVoteSchema },
  },
  'GET /legacy/ruleset_matches/<id>/apks/': {
    summary: 'APKs that a ruleset matches, the latest match first (older API)',
    access: 'token',
    paging: 'cursor',
    answers: { 200: pageSchema(legacyApkSchema) },
  },
} satisfies Operations;
