// Matches of rulesets on APKs over HTTP.
import { matchListSchema, matchSchema } from '../rules/match.ts';
import type { Operations } from './operation.ts';

export const matchOperations = {
  'GET /apks/<sha256>/matches/': {
    summary: 'Matches on an APK, newest first',
    access: 'token',
    paging: 'cursor',
    answers: { 200: matchListSchema },
  },
  'GET /rulesets/<id>/matches/': {
    summary: 'Matches of a ruleset, newest first',
    access: 'token',
    paging: 'cursor',
    answers: { 200: matchListSchema },
  },
  'GET /rulesets/<id>/matches/<match>/': {
    summary: 'One match of a ruleset',
    access: 'token',
    answers: { 200: matchSchema },
  },
} satisfies Operations;
