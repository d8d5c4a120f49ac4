// What the workstation's people say of APKs over HTTP.
import { newVerdictSchema, standingVerdictSchema, verdictHistorySchema } from '../catalogue/verdict.ts';
import type { Operations } from './operation.ts';

export const verdictOperations = {
  'GET /apks/<sha256>/verdict/': {
    summary: 'The current verdict on an APK: malicious, suspicious, clean or unknown, with family and note',
    access: 'token',
    answers: { 200: standingVerdictSchema },
  },
  'PUT|PATCH /apks/<sha256>/verdict/': {
    summary: 'Sets the verdict on an APK, which holds until the next one',
    access: 'token',
    body: newVerdictSchema,
    answers: { 200: standingVerdictSchema },
  },
  'GET /apks/<sha256>/verdicts/': {
    summary: 'All verdicts on an APK, newest first',
    access: 'token',
    paging: 'cursor',
    answers: { 200: verdictHistorySchema },
  },
} satisfies Operations;
