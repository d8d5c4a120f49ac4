// The catalogue of APKs over HTTP, as clients of the older API know it.
import { z } from 'zod';
import {
  legacyAnalysisRequestSchema,
  legacyAnalysisSchema,
  legacyApkFiltersSchema,
  legacyApkSchema,
  legacyDetectionSchema,
} from '../../legacy.ts';
import { pageSchema } from '../../list.ts';
import { apkLinkOperations } from '../apks.ts';
import { type Operations, under } from '../operation.ts';
import { tagOperations } from '../tags.ts';

export const legacyApkOperations = {
  'GET /legacy/apks/': {
    summary: 'The catalogue (older API)',
    access: 'token',
    limit: 'apk-search',
    query: legacyApkFiltersSchema,
    refusals: ['invalid-page'],
    paging: 'cursor',
    answers: { 200: pageSchema(legacyApkSchema) },
  },
  'GET /legacy/apks/<sha256>/': {
    summary: 'One APK (older API)',
    access: 'token',
    limit: 'apk-detail',
    answers: { 200: legacyApkSchema },
  },
  'GET /legacy/apks/<sha256>/analysis/': {
    summary: 'The reports; 405 while there is none (older API)',
    access: 'token',
    limit: 'apk-analysis',
    refusals: ['not-analysed'],
    answers: { 200: legacyAnalysisSchema },
  },
  'GET|POST /legacy/apks/<sha256>/analyze/': {
    summary: 'Starts a static and a dynamic analysis, or joins those under way (older API)',
    isAct: true,
    isAudited: true,
    access: 'token',
    answers: { 200: legacyAnalysisRequestSchema },
  },
  'GET /legacy/apks/<sha256>/detections/': {
    summary: 'Why an APK counts as detected, as a bare array (older API)',
    access: 'token',
    answers: { 200: z.array(legacyDetectionSchema) },
  },
  ...under('/legacy', apkLinkOperations),
  ...under('/legacy', tagOperations),
} satisfies Operations;
