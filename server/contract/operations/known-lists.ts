// Lists of known files and signers over HTTP: imported, shown, deleted.

import { jobSchema } from '../jobs/job.ts';
import { knownListsSchema, listImportQuerySchema } from '../jobs/known-list.ts';
import type { Operations } from './operation.ts';

export const knownListOperations = {
  'GET /known_lists/': {
    summary: 'The lists of known files and signers that APKs are looked up in',
    access: 'token',
    answers: { 200: knownListsSchema },
  },
  'POST /known_lists/': {
    summary: 'Imports a list, which takes the place of the one of its name once it is read whole (owner)',
    access: 'token',
    policy: 'lists.manage',
    body: 'file',
    query: listImportQuerySchema,
    answers: { 202: jobSchema },
  },
  'DELETE /known_lists/<name>/': {
    summary: 'Deletes a list; what it said of APKs goes with it (owner)',
    access: 'token',
    policy: 'lists.manage',
    answers: { 204: null },
  },
} satisfies Operations;
