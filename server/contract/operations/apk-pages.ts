// Pages about APKs for people, over HTTP.
import { apkPageQuerySchema, comparisonPageQuerySchema, groupPageQuerySchema } from '../catalogue/apk-page.ts';
import { comparingSchema } from '../engine/comparison.ts';
import type { Operations } from './operation.ts';

/** Of PDF files. */
const printRefusals = ['no-print-engine', 'not-printed', 'too-many-at-once'] as const;

export const apkPageOperations = {
  'GET /apks/<sha256>/page/': {
    summary: 'A page about an APK for people: one HTML or PDF file that opens anywhere and runs and loads nothing',
    access: 'token',
    limit: 'apk-analysis',
    query: apkPageQuerySchema,
    refusals: printRefusals,
    answers: { 200: ['text/html', 'application/pdf'] },
  },
  'GET /apks/<sha256>/compare/<other>/page/': {
    summary:
      'A page about how two APKs differ for people: one HTML or PDF file that opens anywhere and runs and loads nothing',
    access: 'token',
    limit: 'apk-analysis',
    query: comparisonPageQuerySchema,
    refusals: ['not-comparable', 'exploration-failed', ...printRefusals],
    answers: { 200: ['text/html', 'application/pdf'], 202: comparingSchema },
  },
  'GET /pages/': {
    summary:
      'A page about a search, a family or a case for people: one HTML or PDF file that opens anywhere and runs and loads nothing',
    access: 'token',
    query: groupPageQuerySchema,
    refusals: ['invalid-search', 'too-many-apks', 'not-found', ...printRefusals],
    answers: { 200: ['text/html', 'application/pdf'] },
  },
} satisfies Operations;
