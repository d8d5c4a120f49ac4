// Indicators of APKs over HTTP, for other programs.
import { indicatorQuerySchema } from '../catalogue/indicator-export.ts';
import type { Operations } from './operation.ts';

export const indicatorOperations = {
  'GET /indicators/': {
    summary:
      'What others can look for of an APK, a search, a family, a case, a ruleset or a retrohunt: CSV, JSON, a STIX 2.1 bundle or a MISP event',
    isAudited: true,
    access: 'token',
    query: indicatorQuerySchema,
    refusals: ['invalid-search', 'too-many-apks', 'not-found'],
    answers: { 200: ['application/json', 'text/csv', 'application/stix+json'] },
  },
} satisfies Operations;
