// Signers over HTTP: which there are, and which are trusted.
import { signerChangesSchema, signerListQuerySchema, signerListSchema, signerSchema } from '../catalogue/signer.ts';
import type { Operations } from './operation.ts';

export const signerOperations = {
  'GET /signers/': {
    summary: 'Signers of the APKs in the catalogue, those of most APKs first',
    access: 'token',
    query: signerListQuerySchema,
    refusals: ['invalid-page'],
    paging: 'number',
    answers: { 200: signerListSchema },
  },
  'PUT|PATCH /signers/<sha256>/': {
    summary: 'Trusts a signer and all its APKs, calls it known bad, or takes that back (owner, expert)',
    access: 'token',
    policy: 'apk.trust',
    subject: 'signer',
    body: signerChangesSchema,
    answers: { 200: signerSchema },
  },
} satisfies Operations;
