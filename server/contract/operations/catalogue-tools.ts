// What stands beside the catalogue's list over HTTP: facets, completions, saved searches, statistics, bulk actions.

import { catalogueStatisticsQuerySchema, catalogueStatisticsSchema } from '../catalogue/catalogue-statistics.ts';
import { completionsQuerySchema, completionsSchema } from '../catalogue/completion.ts';
import { facetsQuerySchema, facetsSchema } from '../catalogue/facet.ts';
import { queuePlaceSchema, queueQuerySchema } from '../catalogue/queue.ts';
import {
  newSavedSearchSchema,
  savedSearchChangesSchema,
  savedSearchListSchema,
  savedSearchSchema,
} from '../catalogue/saved-search.ts';
import { bulkAnswerSchema, bulkRequestSchema } from '../jobs/bulk.ts';
import type { Operations } from './operation.ts';

export const catalogueToolOperations = {
  'GET /apks/facets/': {
    summary: 'Facets of the APKs that a search finds, with exact counts',
    access: 'token',
    query: facetsQuerySchema,
    refusals: ['invalid-search'],
    answers: { 200: facetsSchema },
  },
  'GET /apks/completions/': {
    summary: 'Completions at the cursor of a search: fields, values of the catalogue, words',
    access: 'token',
    query: completionsQuerySchema,
    answers: { 200: completionsSchema },
  },
  'GET /apks/queue/': {
    summary: 'The next APK without a verdict, the riskiest first',
    access: 'token',
    query: queueQuerySchema,
    refusals: ['invalid-search'],
    answers: { 200: queuePlaceSchema },
  },
  'POST /apks/bulk/': {
    summary: 'Analyses, tags, judges, trusts or deletes many APKs; the policies and limits of each action hold',
    access: 'token',
    body: bulkRequestSchema,
    refusals: ['invalid-search', 'not-allowed', 'antivirus-off'],
    answers: { 200: bulkAnswerSchema },
  },
  'GET /account/searches/': {
    summary: "One's saved searches, by name",
    access: 'token',
    answers: { 200: savedSearchListSchema },
  },
  'POST /account/searches/': {
    summary: 'Saves a search',
    access: 'token',
    body: newSavedSearchSchema,
    refusals: ['invalid-search'],
    answers: { 201: savedSearchSchema },
  },
  'GET /account/searches/<id>/': { summary: 'One saved search', access: 'token', answers: { 200: savedSearchSchema } },
  'PUT|PATCH /account/searches/<id>/': {
    summary: 'Changes what is given of a saved search',
    access: 'token',
    body: savedSearchChangesSchema,
    refusals: ['invalid-search'],
    answers: { 200: savedSearchSchema },
  },
  'DELETE /account/searches/<id>/': { summary: 'Deletes a saved search', access: 'token', answers: { 204: null } },
  'GET /statistics/': {
    summary: 'What came in, what was found, what is running',
    access: 'token',
    query: catalogueStatisticsQuerySchema,
    answers: { 200: catalogueStatisticsSchema },
  },
} satisfies Operations;
