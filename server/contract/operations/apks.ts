// The catalogue of APKs over HTTP.
import { z } from 'zod';
import {
  analysisSchema,
  apkChangesSchema,
  apkDetailSchema,
  apkListQuerySchema,
  apkListSchema,
  downloadLinkSchema,
  downloadQuerySchema,
  filesSchema,
  manifestSchema,
  outdatedAnalysesSchema,
  outdatedCountSchema,
  uploadLinkSchema,
} from '../catalogue/apk.ts';
import { lineageSchema } from '../catalogue/lineage.ts';
import { pivotsSchema } from '../catalogue/pivot.ts';
import { similarApksSchema } from '../catalogue/similar-apk.ts';
import { androguardReportSchema, cuckooReportSchema } from '../engine/reports.ts';
import { explainedRiskSchema } from '../findings/risk.ts';
import { type AnalysisKind, jobSchema } from '../jobs/job.ts';
import type { Operation, Operations } from './operation.ts';

/** One of the reports by itself: together they reach many megabytes. */
const report = <Report extends z.ZodType>(summary: string, schema: Report) =>
  ({
    summary: `${summary}; 404 while there is none`,
    access: 'token',
    limit: 'apk-analysis',
    answers: { 200: schema },
  }) as const satisfies Operation;

const analyze = (kind: AnalysisKind) =>
  ({
    summary: `Starts a ${kind} analysis, or joins the one under way`,
    isAudited: true,
    isAct: true,
    access: 'token',
    answers: { 200: jobSchema },
  }) as const satisfies Operation;

/** Both generations of the API have them. */
export const apkLinkOperations = {
  'GET /apks/<sha256>/download/': {
    summary: 'A download link, valid for 3 minutes',
    query: downloadQuerySchema,
    isAudited: true,
    access: 'token',
    limit: 'apk-download',
    answers: { 200: downloadLinkSchema },
  },
  'GET /apks/<sha256>/get_upload_url/': {
    summary: 'An upload link, valid for 1 hour',
    access: 'optional',
    isUntelling: true,
    refusals: ['apk-held'],
    answers: { 200: uploadLinkSchema },
  },
} satisfies Operations;

export const apkOperations = {
  'GET /apks/': {
    summary: 'The catalogue, newest first',
    access: 'token',
    limit: 'apk-search',
    query: apkListQuerySchema.pick({ search: true, ordering: true, skip: true }),
    paging: 'cursor',
    answers: { 200: apkListSchema },
  },
  // Before what an address with a hash would take for one.
  'POST /apks/similar/': {
    summary: 'The APKs that are most like an uploaded one, which is looked into and not kept, best first',
    access: 'token',
    limit: 'apk-analysis',
    body: 'file',
    refusals: ['not-an-apk', 'not-identified'],
    answers: { 200: similarApksSchema },
  },
  'GET /apks/<sha256>/': {
    summary: 'One APK',
    access: 'token',
    limit: 'apk-detail',
    answers: { 200: apkDetailSchema },
  },
  'PATCH /apks/<sha256>/': {
    summary: 'Marks an APK as trusted or not (owner, expert)',
    access: 'token',
    policy: 'apk.trust',
    subject: 'apk',
    body: apkChangesSchema,
    answers: { 200: apkDetailSchema },
  },
  'DELETE /apks/<sha256>/': {
    summary: 'Deletes an APK with its reports and file (owner)',
    access: 'token',
    policy: 'apk.delete',
    subject: 'apk',
    answers: { 204: null },
  },
  'GET /apks/<sha256>/analysis/': {
    summary: 'The three reports; 404 while there is none',
    access: 'token',
    limit: 'apk-analysis',
    answers: { 200: analysisSchema },
  },
  'GET /apks/<sha256>/analysis/androguard/': report('The androguard report alone', androguardReportSchema),
  'GET /apks/<sha256>/analysis/cuckoo/': report('The cuckoo report alone', cuckooReportSchema),
  'GET /apks/<sha256>/analysis/dynamic/': report('The dynamic report alone', z.record(z.string(), z.unknown())),
  'GET /apks/<sha256>/analysis/device/': {
    summary: 'What a run on a device showed; null while there was none',
    access: 'token',
    limit: 'apk-analysis',
    answers: { 200: z.record(z.string(), z.unknown()).nullable() },
  },
  'GET /apks/<sha256>/risk/': {
    summary:
      'The risk with its parts, the techniques that are shown, whether its code is that of another signer, and what is known of signer and family',
    access: 'token',
    limit: 'apk-analysis',
    refusals: ['no-report'],
    answers: { 200: explainedRiskSchema },
  },
  'GET /apks/<sha256>/similar/': {
    summary: 'The APKs that are most like this one, best first, each with the reason; 404 before its analysis',
    access: 'token',
    limit: 'apk-analysis',
    refusals: ['no-report'],
    answers: { 200: similarApksSchema },
  },
  'GET /apks/<sha256>/pivots/': {
    summary: 'What it has that others may have too, as conditions of searches, each with how many have it',
    access: 'token',
    limit: 'apk-analysis',
    answers: { 200: pivotsSchema },
  },
  'GET /apks/<sha256>/lineage/': {
    summary: 'The versions of its package, the highest version code first, with what each added and took away',
    access: 'token',
    limit: 'apk-analysis',
    paging: 'number',
    refusals: ['invalid-page'],
    answers: { 200: lineageSchema },
  },
  'GET|POST /apks/<sha256>/analyze_static/': analyze('static'),
  'GET|POST /apks/<sha256>/analyze_dynamic/': analyze('dynamic'),
  'GET|POST /apks/<sha256>/analyze_yara/': analyze('yara'),
  'GET|POST /apks/<sha256>/analyze_antivirus/': {
    summary: 'Starts a scan by the antivirus, or joins the one under way',
    isAudited: true,
    isAct: true,
    access: 'token',
    refusals: ['antivirus-off'],
    answers: { 200: jobSchema },
  },
  ...apkLinkOperations,
  'GET /apks/<sha256>/manifest/': {
    summary: 'The decoded AndroidManifest.xml',
    access: 'token',
    answers: { 200: manifestSchema },
  },
  'GET /apks/<sha256>/files/': { summary: "The archive's entries", access: 'token', answers: { 200: filesSchema } },
  'GET /analyses/outdated/': {
    summary: 'How many APKs have a static report that an older engine made',
    access: 'token',
    answers: { 200: outdatedCountSchema },
  },
  'POST /analyses/outdated/': {
    summary: 'Analyses every APK again whose report an older engine made (owner)',
    access: 'token',
    policy: 'analyses.renew',
    body: z.object({}),
    answers: { 201: outdatedAnalysesSchema },
  },
} satisfies Operations;
