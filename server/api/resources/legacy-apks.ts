// The catalogue of APKs over HTTP, as clients of the older API know it.

import { z } from 'zod';
import {
  legacyAnalysisRequestSchema,
  legacyAnalysisSchema,
  legacyApkSchema,
  legacyDetectionSchema,
} from '../../contract/legacy.ts';
import { pageSchema } from '../../contract/list.ts';
import { Failure } from '../../services/failure.ts';
import { type Operation, ok, operation, type Resource } from '../operation.ts';
import { presentDetection } from '../presenters/detection.ts';
import { presentLegacyApk } from '../presenters/legacy-apk.ts';
import { catalogueList, download, getUploadUrl } from './apks.ts';
import { tagResources } from './tags.ts';

const detail = operation(
  { summary: 'One APK (older API)', access: 'token', limit: 'apk-detail', answers: { 200: legacyApkSchema } },
  async ({ params, presenting, services }) =>
    ok(presentLegacyApk(presenting, await services.catalogue.get(params.sha256!))),
);

const analysis = operation(
  {
    summary: 'The reports; 405 while there is none (older API)',
    access: 'token',
    limit: 'apk-analysis',
    refusals: ['not-analysed'],
    answers: { 200: legacyAnalysisSchema },
  },
  async ({ params, response, services: { catalogue } }) => {
    const { sha256 } = await catalogue.get(params.sha256!);
    const reports = await catalogue.analysis(sha256).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.id !== 'no-report') throw error;
      // Clients poll until it is there. The method is as good as any: it is the status that they know.
      response.set('Allow', 'GET, HEAD, OPTIONS');
      throw new Failure('not-analysed');
    });
    const none = Buffer.from('null');
    const body = Buffer.concat([
      Buffer.from(`{"sha256":"${sha256}","status":"analyzed","androguard":`),
      reports.androguard ?? none,
      Buffer.from(',"cuckoo":'),
      reports.cuckoo ?? none,
      Buffer.from(',"droidbox":'),
      reports.dynamic ?? none,
      Buffer.from('}'),
    ]);
    response.type('json').send(body);
    return null;
  },
);

const detections = operation(
  {
    summary: 'Why an APK counts as detected, as a bare array (older API)',
    access: 'token',
    answers: { 200: z.array(legacyDetectionSchema) },
  },
  async ({ params, services: { accounts, catalogue, detections: found, ids, rulesets } }) => {
    const records = await found.of(await catalogue.get(params.sha256!));
    const byId = await rulesets.findByIds(records.flatMap(({ ruleset }) => ruleset?.id ?? []));
    const authors = await accounts.findByIds([...byId.values()].map(({ authorId }) => authorId));
    return ok(
      records.map((record) => {
        const { source, information } = presentDetection(ids, record);
        const author = authors.get(byId.get(record.ruleset?.id ?? 0)?.authorId ?? 0);
        const named = record.ruleset === null ? [] : [{ id: record.ruleset.id, name: record.ruleset.name }];
        return { source, information, username: author?.username ?? source, detected: true, rulesets: named };
      }),
    );
  },
);

const analyze: Operation = operation(
  {
    summary: 'Starts a static analysis, or joins the one under way (older API)',
    access: 'token',
    refusals: ['analysis-unavailable'],
    answers: { 200: legacyAnalysisRequestSchema },
  },
  async ({ params, account, services: { catalogue, analyses } }) => {
    const apk = await catalogue.get(params.sha256!);
    const job = await analyses.request(account, apk, 'static');
    return ok({ sha256: apk.sha256, status: job.status });
  },
);

export const legacyApkResources: Resource[] = [
  { path: '/legacy/apks', operations: { get: catalogueList(pageSchema(legacyApkSchema), presentLegacyApk) } },
  { path: '/legacy/apks/:sha256', operations: { get: detail } },
  { path: '/legacy/apks/:sha256/analysis', operations: { get: analysis } },
  { path: '/legacy/apks/:sha256/analyze', operations: { get: analyze, post: analyze } },
  { path: '/legacy/apks/:sha256/detections', operations: { get: detections } },
  { path: '/legacy/apks/:sha256/download', operations: { get: download } },
  { path: '/legacy/apks/:sha256/get_upload_url', operations: { get: getUploadUrl } },
  ...tagResources.map(({ path, operations }) => ({ path: `/legacy${path}`, operations })),
];
