// Dismissals of findings and of rules' matches over HTTP.
import {
  dismissalListQuerySchema,
  dismissalListSchema,
  dismissalSchema,
  heldDismissalsSchema,
  newDismissalSchema,
} from '../catalogue/dismissal.ts';
import type { Operations } from './operation.ts';

export const dismissalOperations = {
  'GET /dismissals/': {
    summary: 'Dismissals, newest first, with those undone since',
    access: 'token',
    query: dismissalListQuerySchema,
    paging: 'cursor',
    answers: { 200: dismissalListSchema },
  },
  'POST /dismissals/': {
    summary: "Dismisses a finding or a rule's match: for an APK, a signer, a library or everywhere",
    access: 'token',
    body: newDismissalSchema,
    answers: { 201: dismissalSchema },
  },
  'GET /dismissals/<id>/': { summary: 'One dismissal', access: 'token', answers: { 200: dismissalSchema } },
  'DELETE /dismissals/<id>/': {
    summary: 'Undoes a dismissal; who dismissed and who undid it stays on record',
    access: 'token',
    answers: { 204: null },
  },
  'GET /apks/<sha256>/dismissals/': {
    summary: 'The dismissals that hold for an APK',
    access: 'token',
    answers: { 200: heldDismissalsSchema },
  },
} satisfies Operations;
