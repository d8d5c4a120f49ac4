// Votes on APKs over HTTP, as clients of the older API know them.
import { legacyVoteKindSchema, legacyVoteSchema } from '../../legacy.ts';
import { pageSchema } from '../../list.ts';
import type { Operations } from '../operation.ts';

export const legacyVoteOperations = {
  'GET /legacy/apks/<sha256>/votes/': {
    summary: 'Votes on an APK, newest first (older API)',
    access: 'token',
    paging: 'cursor',
    answers: { 200: pageSchema(legacyVoteSchema) },
  },
  'POST /legacy/apks/<sha256>/votes/': {
    summary: 'Votes on an APK; a vote stands for ever (older API)',
    access: 'token',
    body: legacyVoteKindSchema,
    refusals: ['voted-already'],
    answers: { 201: legacyVoteKindSchema },
  },
  'GET /legacy/apks/<sha256>/user_vote/': {
    summary: 'The vote of the caller on an APK, where there is one (older API)',
    access: 'token',
    answers: { 200: legacyVoteSchema },
  },
} satisfies Operations;
