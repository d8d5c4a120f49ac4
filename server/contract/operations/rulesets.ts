// Rulesets over HTTP.
import {
  newRulesetSchema,
  ruleFaultsSchema,
  rulesetChangesSchema,
  rulesetDetailSchema,
  rulesetListQuerySchema,
  rulesetListSchema,
  savedRulesetSchema,
  socialDecisionSchema,
} from '../rules/ruleset.ts';
import type { Operations } from './operation.ts';

export const rulesetOperations = {
  'GET /rulesets/': {
    summary: "Public rulesets and one's own, newest first",
    access: 'optional',
    query: rulesetListQuerySchema,
    paging: 'cursor',
    answers: { 200: rulesetListSchema },
  },
  'POST /rulesets/': {
    summary: 'Makes a ruleset; rules that do not compile are refused by line and column',
    access: 'token',
    body: newRulesetSchema,
    answers: { 201: savedRulesetSchema, 400: ruleFaultsSchema },
  },
  'GET /rulesets/<id>/': {
    summary: 'One ruleset with its rules',
    access: 'optional',
    answers: { 200: rulesetDetailSchema },
  },
  'PUT|PATCH /rulesets/<id>/': {
    summary: 'Changes what is given of a ruleset (its author)',
    access: 'token',
    body: rulesetChangesSchema,
    answers: { 200: savedRulesetSchema, 400: ruleFaultsSchema },
  },
  'DELETE /rulesets/<id>/': {
    summary: 'Deletes a ruleset with its matches and detections (its author)',
    access: 'token',
    answers: { 204: null },
  },
  'POST /rulesets/<id>/promote/': {
    summary: 'Proposes a public ruleset as social (its author)',
    access: 'token',
    answers: { 200: rulesetDetailSchema },
  },
  'POST /rulesets/<id>/social/': {
    summary: 'Accepts or rejects a ruleset as social (owner, expert)',
    access: 'token',
    policy: 'ruleset.judge',
    subject: 'ruleset',
    body: socialDecisionSchema,
    refusals: ['not-promoted'],
    answers: { 200: rulesetDetailSchema },
  },
} satisfies Operations;
