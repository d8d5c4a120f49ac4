// Analysts over HTTP under /legacy, and the analyst of the token at both bases. What both generations share is theirs.
import { legacyRulesetSchema } from '../../legacy.ts';
import { pageSchema } from '../../list.ts';
import { analystOperations } from '../analysts.ts';
import { type Operations, under } from '../operation.ts';

/** `current` stands for the name of whoever asks. */
const current = { ...analystOperations['GET /analysts/<username>/'], summary: 'The analyst of the token' };

export const legacyAnalystOperations = {
  'GET /analysts/current/': current,
  'GET /legacy/analysts/current/': current,
  'GET /legacy/analysts/<username>/rulesets/': {
    summary: "An analyst's public rulesets, newest first (older API)",
    access: 'token',
    limit: 'analysts',
    paging: 'number',
    answers: { 200: pageSchema(legacyRulesetSchema) },
  },
  ...under('/legacy', analystOperations),
} satisfies Operations;
