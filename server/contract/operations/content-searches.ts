// Searches in the files of APKs over HTTP: one's own.
import { z } from 'zod';
import { contentHitListSchema, contentSearchRequestSchema, contentSearchSchema } from '../catalogue/content-search.ts';
import type { Operations } from './operation.ts';

export const contentSearchOperations = {
  'POST /content_searches/': {
    summary: 'Looks for texts or bytes in the files of all APKs, or of those that the rest of the search finds',
    access: 'token',
    body: contentSearchRequestSchema,
    refusals: ['invalid-search'],
    answers: { 201: contentSearchSchema },
  },
  'GET /content_searches/<id>/': {
    summary: 'How far a search in files has come',
    access: 'token',
    answers: { 200: contentSearchSchema },
  },
  'GET /content_searches/<id>/hits/': {
    summary: 'The APKs that a search in files has found so far, in the order in which it did, with the places',
    access: 'token',
    paging: 'cursor',
    answers: { 200: contentHitListSchema },
  },
  'POST /content_searches/<id>/cancel/': {
    summary: 'Ends a search in files; what it found stays for a while',
    access: 'token',
    body: z.object({}),
    answers: { 200: contentSearchSchema },
  },
} satisfies Operations;
