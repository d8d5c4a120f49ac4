// What the workstation's people say of APKs over HTTP.
import { newVerdictSchema, standingVerdictSchema, verdictHistorySchema } from '../catalogue/verdict.ts';
import type { Operations } from './operation.ts';

export const verdictOperations = {
  'GET /apks/<sha256>/verdict/': {
    summary: 'What was said last of an APK: malicious, suspicious, clean or unknown, with family and note',
    access: 'token',
    answers: { 200: standingVerdictSchema },
  },
  'PUT|PATCH /apks/<sha256>/verdict/': {
    summary: 'Says what an APK is, which holds until somebody says otherwise',
    access: 'token',
    body: newVerdictSchema,
    answers: { 200: standingVerdictSchema },
  },
  'GET /apks/<sha256>/verdicts/': {
    summary: 'Everything that was said of an APK, newest first',
    access: 'token',
    paging: 'cursor',
    answers: { 200: verdictHistorySchema },
  },
} satisfies Operations;
