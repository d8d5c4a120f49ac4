// What analysts did over HTTP, as clients of the older API know it: of one of them, and of everybody.
import { legacyActivitySchema } from '../../legacy.ts';
import { pageSchema } from '../../list.ts';
import type { Operation, Operations } from '../operation.ts';

const ofAnalyst = (summary: string) =>
  ({
    summary: `${summary}, newest first (older API)`,
    access: 'token',
    limit: 'analysts',
    paging: 'number',
    answers: { 200: pageSchema(legacyActivitySchema) },
  }) as const satisfies Operation;

export const legacyActivityOperations = {
  'GET /legacy/analysts/<username>/activity/': ofAnalyst('What an analyst did'),
  'GET /legacy/analysts/<username>/following/activity/': ofAnalyst('What those did whom an analyst follows'),
  'GET /legacy/activity/': {
    summary: 'What everybody did, newest first (older API)',
    access: 'token',
    refusals: ['invalid-page'],
    paging: 'number',
    answers: { 200: pageSchema(legacyActivitySchema) },
  },
} satisfies Operations;
