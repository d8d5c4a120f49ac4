// The catalogue of APKs over HTTP.
import type { Response } from 'express';
import { z } from 'zod';
import {
  type ApkDetail,
  analysisSchema,
  apkChangesSchema,
  apkDetailSchema,
  apkListQuerySchema,
  apkListSchema,
  downloadLinkSchema,
  filesSchema,
  manifestSchema,
  outdatedAnalysesSchema,
  uploadLinkSchema,
} from '../../contract/apk.ts';
import { type AnalysisKind, jobSchema } from '../../contract/job.ts';
import { sha256Schema } from '../../contract/list.ts';
import { androguardReportSchema, cuckooReportSchema } from '../../contract/reports.ts';
import type { ApkRecord } from '../../services/catalogue/catalogue.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import { isAllowed } from '../../services/policies.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { callerAddress } from '../caller-address.ts';
import { sendJsonPieces } from '../json-pieces.ts';
import { created, noContent, type Operation, ok, operation, type Resource } from '../operation.ts';
import { cursorPage, pageRequestOf } from '../paging.ts';
import { presentApk, presentApkDetail } from '../presenters/apk.ts';
import { presentJob } from '../presenters/job.ts';
import type { Presenting } from '../presenters/presenting.ts';

/** Addresses by which a workstation is reached: this machine's name, its numbers. */
const maxAddresses = 4;

/** Aborted where the client goes before it has its answer. */
export function whileConnected(response: Response): AbortSignal {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort(new Failure('stopping'));
  });
  return abort.signal;
}

/** Records that are kept as JSON text, by the address that clients see: they stay the same objects until they change. */
const shownApks = new WeakMap<ApkRecord, Map<string, string>>();

function shownApk(presenting: Presenting, apk: ApkRecord, isKept: boolean): string {
  if (!isKept) return JSON.stringify(presentApk(presenting, apk));
  let shown = shownApks.get(apk);
  const known = shown?.get(presenting.baseUrl);
  if (known !== undefined) return known;
  const text = JSON.stringify(presentApk(presenting, apk));
  if (shown === undefined) {
    shown = new Map();
    shownApks.set(apk, shown);
  }
  // Addresses are what clients say: more than these are not kept.
  if (shown.size < maxAddresses) shown.set(presenting.baseUrl, text);
  return text;
}

const list = operation(
  {
    summary: 'The catalogue, newest first',
    access: 'token',
    limit: 'apk-search',
    querySchema: apkListQuerySchema.pick({ search: true, ordering: true, skip: true }),
    answers: { 200: apkListSchema },
  },
  async ({ request, response, account, query, presenting, services: { catalogue, ids, matches } }) => {
    const { search: text = '', ordering = '', skip = '0' } = query;
    const asked = pageRequestOf(queryOf(request), ids, text);
    const search = catalogue.search(text, account);
    const [{ apks, hasOlder, hasNewer }, count] = await Promise.all([
      catalogue.page({ ...asked, search, ordering: catalogue.ordering(ordering), skip: Number(skip) }),
      asked.knownCount ?? catalogue.count(search, whileConnected(response)),
    ]);
    const found = { items: await matches.counted(account, apks), hasOlder, hasNewer, count };
    const shown = cursorPage(request, asked, ids, found, (apk) => shownApk(presenting, apk, catalogue.isKept(apk)));
    const { results, ...ends } = shown;
    response.type('json').send(`${JSON.stringify(ends).slice(0, -1)},"results":[${results.join()}]}`);
    return null;
  },
);

/** An APK with everything that one of it shows, as an account sees it; null: nobody with a token asks. */
export async function shownDetail(
  { detections, matches }: Services,
  account: AccountRecord | null,
  presenting: Presenting,
  apk: ApkRecord,
): Promise<ApkDetail> {
  const [counted = apk] = account === null ? [apk] : await matches.counted(account, [apk]);
  return presentApkDetail(presenting, counted, await detections.of(apk));
}

const detail = operation(
  { summary: 'One APK', access: 'token', limit: 'apk-detail', answers: { 200: apkDetailSchema } },
  async ({ params, account, presenting, services }) => {
    const apk = await services.catalogue.get(params.sha256!);
    return ok(await shownDetail(services, account, presenting, apk));
  },
);

const change = operation(
  {
    summary: 'Marks an APK as trusted or not (owner, expert)',
    access: 'token',
    bodySchema: apkChangesSchema,
    answers: { 200: apkDetailSchema },
  },
  async ({ params, body, account, presenting, services }) => {
    if (!isAllowed(account, 'apk.trust')) throw new Failure('not-allowed');
    const { is_trusted: isTrusted } = body;
    const apk =
      isTrusted === undefined
        ? await services.catalogue.get(params.sha256!)
        : await services.catalogue.setTrusted(params.sha256!, isTrusted);
    return ok(await shownDetail(services, account, presenting, apk));
  },
);

const remove = operation(
  { summary: 'Deletes an APK with its reports and file (owner)', access: 'token', answers: { 204: null } },
  async ({ params, account, services }) => {
    if (!isAllowed(account, 'apk.delete')) throw new Failure('not-allowed');
    await services.catalogue.remove(params.sha256!);
    return noContent;
  },
);

const analysis = operation(
  {
    summary: 'The three reports; 404 while there is none',
    access: 'token',
    limit: 'apk-analysis',
    answers: { 200: analysisSchema },
  },
  async ({ params, response, services }) => {
    const { cuckoo, androguard, dynamic } = await services.catalogue.analysis(params.sha256!);
    // Reports are stored as the very JSON that is sent: megabytes of it are neither parsed nor printed again.
    const none = 'null';
    sendJsonPieces(response, [
      '{"cuckoo":',
      cuckoo ?? none,
      ',"androguard":',
      androguard ?? none,
      ',"dynamic":',
      dynamic ?? none,
      '}',
    ]);
    return null;
  },
);

function analyze(kind: AnalysisKind): Operation {
  return operation(
    {
      summary: `Starts a ${kind} analysis, or joins the one under way`,
      isAudited: true,
      isAct: true,
      access: 'token',
      answers: { 200: jobSchema },
    },
    async ({ params, account, presenting, services: { catalogue, analyses } }) => {
      const apk = await catalogue.get(params.sha256!);
      return ok(presentJob(presenting, await analyses.request(account, apk, kind), apk));
    },
  );
}

export const download = operation(
  {
    summary: 'A download link, valid for 3 minutes',
    isAudited: true,
    access: 'token',
    limit: 'apk-download',
    answers: { 200: downloadLinkSchema },
  },
  async ({ params, presenting: { baseUrl }, services: { catalogue, links } }) => {
    const { sha256 } = await catalogue.checkFile(params.sha256!);
    const query = new URLSearchParams({ ...links.sign('download', sha256) });
    return ok({ download_url: `${baseUrl}/downloads/${sha256}.apk?${query}` });
  },
);

export const getUploadUrl = operation(
  {
    summary: 'An upload link, valid for 1 hour',
    access: 'optional',
    isUntelling: true,
    refusals: ['apk-held'],
    answers: { 200: uploadLinkSchema },
  },
  async ({ request, params, account, presenting: { baseUrl }, services }) => {
    const { anonymousLimits, catalogue, intake, links } = services;
    if (account === null) {
      if (!(await intake.isOpenToAnybody())) throw new Failure('not-authenticated');
      await anonymousLimits.countUploadLink(callerAddress(request));
    }
    const sha256 = sha256Schema.safeParse(params.sha256!.toLowerCase());
    if (!sha256.success) throw new Failure('not-found');
    const isTold = account !== null || (await intake.tellsAnybody());
    if (isTold && (await catalogue.holds(sha256.data))) throw new Failure('apk-held');
    const purpose = account === null ? 'anonymous-upload' : 'upload';
    const query = new URLSearchParams({ ...links.sign(purpose, sha256.data) });
    // No slash behind the hash: `curl -T` would put the name of the file there.
    return ok({ upload_url: `${baseUrl}/uploads/${sha256.data}?${query}` });
  },
);

type ReportPart = 'manifest' | 'files' | 'androguard' | 'cuckoo' | 'dynamic';

function reportPart(kind: ReportPart, summary: string, schema: z.ZodType, limit?: 'apk-analysis'): Operation {
  const counted = limit === undefined ? {} : { limit };
  return operation(
    { summary, access: 'token', ...counted, answers: { 200: schema } },
    async ({ params, response, services }) => {
      response.type('json').send(await services.catalogue.reportPart(params.sha256!, kind));
      return null;
    },
  );
}

/** Few APKs are ever run on a device: to ask whether one was is no error. */
const deviceReport = operation(
  {
    summary: 'What a run on a device showed; null while there was none',
    access: 'token',
    limit: 'apk-analysis',
    answers: { 200: z.record(z.string(), z.unknown()).nullable() },
  },
  async ({ params, response, services: { catalogue } }) => {
    const report = await catalogue.reportPart(params.sha256!, 'device').catch((error: unknown) => {
      if (error instanceof Failure && error.id === 'no-report') return 'null';
      throw error;
    });
    response.type('json').send(report);
    return null;
  },
);

/** One of the reports by itself: together they reach many megabytes. */
const singleReport = (kind: 'androguard' | 'cuckoo' | 'dynamic'): Resource => ({
  path: `/apks/:sha256/analysis/${kind}`,
  operations: {
    get: reportPart(kind, `The ${kind} report alone; 404 while there is none`, reportSchemas[kind], 'apk-analysis'),
  },
});

const reportSchemas = {
  androguard: androguardReportSchema,
  cuckoo: cuckooReportSchema,
  dynamic: z.record(z.string(), z.unknown()),
};

const renewOutdated = operation(
  {
    summary: 'Analyses every APK again whose report an older engine made (owner)',
    access: 'token',
    bodySchema: z.object({}),
    answers: { 201: outdatedAnalysesSchema },
  },
  async ({ account, services }) => {
    if (!isAllowed(account, 'analyses.renew')) throw new Failure('not-allowed');
    return created({ queued: await services.analyses.renewOutdated() });
  },
);

const analyzeAntivirus = operation(
  {
    summary: 'Starts a scan by the antivirus, or joins the one under way',
    isAudited: true,
    isAct: true,
    access: 'token',
    refusals: ['antivirus-off'],
    answers: { 200: jobSchema },
  },
  async ({ params, account, presenting, services: { analyses, antivirus, catalogue } }) => {
    const apk = await catalogue.get(params.sha256!);
    if (!(await antivirus.isOn())) throw new Failure('antivirus-off');
    return ok(presentJob(presenting, await analyses.request(account, apk, 'antivirus'), apk));
  },
);

const analyzeResource = (kind: AnalysisKind): Resource => {
  const start = analyze(kind);
  return { path: `/apks/:sha256/analyze_${kind}`, operations: { get: start, post: start } };
};

export const apkResources: Resource[] = [
  { path: '/apks', operations: { get: list } },
  { path: '/apks/:sha256', operations: { get: detail, patch: change, delete: remove } },
  { path: '/apks/:sha256/analysis', operations: { get: analysis } },
  singleReport('androguard'),
  singleReport('cuckoo'),
  singleReport('dynamic'),
  { path: '/apks/:sha256/analysis/device', operations: { get: deviceReport } },
  analyzeResource('static'),
  analyzeResource('dynamic'),
  analyzeResource('yara'),
  { path: '/apks/:sha256/analyze_antivirus', operations: { get: analyzeAntivirus, post: analyzeAntivirus } },
  { path: '/apks/:sha256/download', operations: { get: download } },
  { path: '/apks/:sha256/get_upload_url', operations: { get: getUploadUrl } },
  {
    path: '/apks/:sha256/manifest',
    operations: { get: reportPart('manifest', 'The decoded AndroidManifest.xml', manifestSchema) },
  },
  { path: '/apks/:sha256/files', operations: { get: reportPart('files', "The archive's entries", filesSchema) } },
  { path: '/analyses/outdated', operations: { post: renewOutdated } },
];
