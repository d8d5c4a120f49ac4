// Matches of rulesets on APKs over HTTP.

import { matchListSchema, matchSchema } from '../rules/match.ts';
import { maxRuleStatistics, ruleStatisticsQuerySchema, ruleStatisticsSchema } from '../rules/rule-statistics.ts';
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
  'GET /rule_statistics/': {
    summary: `Rules that match APKs, with how many, and how often they were dismissed; the first ${maxRuleStatistics}`,
    access: 'token',
    query: ruleStatisticsQuerySchema,
    answers: { 200: ruleStatisticsSchema },
  },
} satisfies Operations;
