// Votes on APKs over HTTP.
import { castVoteSchema, type voteKinds, voteListSchema } from '../people/vote.ts';
import type { Operation, Operations } from './operation.ts';

const vote = (kind: (typeof voteKinds)[number]) =>
  ({
    summary: `Votes ${kind}; a vote stands for ever`,
    isAudited: true,
    access: 'token',
    isAct: true,
    refusals: ['voted-already'],
    answers: { 200: castVoteSchema },
  }) as const satisfies Operation;

export const voteOperations = {
  'GET|POST /apks/<sha256>/vote_positive/': vote('positive'),
  'GET|POST /apks/<sha256>/vote_negative/': vote('negative'),
  'GET /apks/<sha256>/votes/': {
    summary: 'Votes on an APK, newest first',
    access: 'token',
    paging: 'cursor',
    answers: { 200: voteListSchema },
  },
} satisfies Operations;
