// The catalogue of APKs over HTTP.
import type { Response } from 'express';
import type { ApkDetail } from '../../contract/catalogue/apk.ts';
import type { AnalysisKind } from '../../contract/jobs/job.ts';
import { sha256Schema } from '../../contract/list.ts';
import type { apkLinkOperations, apkOperations } from '../../contract/operations/apks.ts';
import type { ApkRecord } from '../../services/catalogue/catalogue.ts';
import { Failure } from '../../services/failure.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import { queryOf } from '../addressing.ts';
import { callerAddress } from '../caller-address.ts';
import { sendJsonPieces } from '../json-pieces.ts';
import { type Call, created, type Handlers, noContent, ok } from '../operation.ts';
import { cursorPage, numberedPage, numberedPageRequestOf, pageRequestOf } from '../paging.ts';
import { presentApk, presentApkDetail } from '../presenters/apk.ts';
import { presentJob } from '../presenters/job.ts';
import { presentLineageStep } from '../presenters/lineage.ts';
import { presentPivots } from '../presenters/pivot.ts';
import type { Presenting } from '../presenters/presenting.ts';
import { presentRisk } from '../presenters/risk.ts';
import { presentSimilarApks } from '../presenters/similar-apk.ts';
import { uploadedFile } from '../uploaded-file.ts';

/** Base URLs for which texts are kept: a workstation is reached by its name and some addresses. */
const maxAddresses = 4;

/** Aborted where the client goes before it has its answer. */
export function whileConnected(response: Response): AbortSignal {
  const abort = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) abort.abort(new Failure('stopping'));
  });
  return abort.signal;
}

/** JSON text of records, by the base URL that clients use. A changed record is another object, so nothing here grows stale. */
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
  // Clients choose the Host header: more base URLs than these are not kept.
  if (shown.size < maxAddresses) shown.set(presenting.baseUrl, text);
  return text;
}

/** An APK's record with detections, as an account sees it; null: the caller has no token. */
export async function shownDetail(
  { catalogue, detections, families, matches }: Services,
  account: AccountRecord | null,
  presenting: Presenting,
  apk: ApkRecord,
): Promise<ApkDetail> {
  const [counted = apk] = account === null ? [apk] : await matches.counted(account, [apk]);
  const partly = await catalogue.partsOf(apk);
  return presentApkDetail(presenting, counted, await detections.of(apk), await families.of(apk), partly);
}

/** The handlers of what both generations of the API have. */
export const apkLinkHandlers: Handlers<typeof apkLinkOperations> = {
  'GET /apks/<sha256>/download/': async ({
    params,
    query,
    presenting: { baseUrl },
    services: { catalogue, links },
  }) => {
    const { sha256 } = await catalogue.checkFile(params.sha256);
    const signed = new URLSearchParams({ ...links.sign('download', sha256) });
    return ok({ download_url: `${baseUrl}/downloads/${sha256}.${query.locked ? 'zip' : 'apk'}?${signed}` });
  },

  'GET /apks/<sha256>/get_upload_url/': async ({ request, params, account, presenting: { baseUrl }, services }) => {
    const { anonymousLimits, catalogue, intake, links } = services;
    if (account === null) {
      if (!(await intake.isOpenToAnybody())) throw new Failure('not-authenticated');
      await anonymousLimits.countUploadLink(callerAddress(request));
    }
    const sha256 = sha256Schema.safeParse(params.sha256.toLowerCase());
    if (!sha256.success) throw new Failure('not-found');
    const isTold = account !== null || (await intake.tellsAnybody());
    if (isTold && (await catalogue.holds(sha256.data))) throw new Failure('apk-held');
    const purpose = account === null ? 'anonymous-upload' : 'upload';
    const query = new URLSearchParams({ ...links.sign(purpose, sha256.data) });
    // No slash behind the hash: `curl -T` would put the name of the file there.
    return ok({ upload_url: `${baseUrl}/uploads/${sha256.data}?${query}` });
  },
};

const analyze =
  (kind: AnalysisKind) =>
  async ({ params, account, presenting, services: { catalogue, analyses } }: Call<'sha256'>) => {
    const apk = await catalogue.get(params.sha256);
    return ok(presentJob(presenting, await analyses.request(account, apk, kind), apk));
  };

/** Reports are stored as the very JSON that is sent. */
const sendPart =
  (part: 'manifest' | 'files' | 'androguard' | 'cuckoo' | 'dynamic') =>
  async ({ params, response, services: { catalogue } }: Call<'sha256'>) => {
    response.type('json').send(await catalogue.reportPart(params.sha256, part));
    return null;
  };

export const apkHandlers: Handlers<typeof apkOperations> = {
  'GET /apks/': async ({ request, response, account, query, presenting, services: { catalogue, ids, matches } }) => {
    const { search: text = '', ordering = '', skip = '0' } = query;
    const asked = pageRequestOf(queryOf(request), ids, text);
    const search = await catalogue.search(text, account);
    const [page, count] = await Promise.all([
      catalogue.page({ ...asked, search, ordering: catalogue.ordering(ordering), skip: Number(skip) }),
      asked.knownCount ?? catalogue.count(search, whileConnected(response)),
    ]);
    const found = { ...page, items: await matches.counted(account, page.items), count };
    const shown = cursorPage(request, asked, ids, found, (apk) => shownApk(presenting, apk, catalogue.isKept(apk)));
    const { results, ...ends } = shown;
    response.type('json').send(`${JSON.stringify(ends).slice(0, -1)},"results":[${results.join()}]}`);
    return null;
  },

  'GET /apks/<sha256>/': async ({ params, account, presenting, services }) => {
    const apk = await services.catalogue.get(params.sha256);
    return ok(await shownDetail(services, account, presenting, apk));
  },

  'PATCH /apks/<sha256>/': async ({ params, body, account, presenting, services }) => {
    const { is_trusted: isTrusted } = body;
    const apk =
      isTrusted === undefined
        ? await services.catalogue.get(params.sha256)
        : await services.catalogue.setTrusted(params.sha256, isTrusted);
    return ok(await shownDetail(services, account, presenting, apk));
  },

  'DELETE /apks/<sha256>/': async ({ params, account, services }) => {
    await services.catalogue.remove(params.sha256, account.username);
    return noContent;
  },

  'GET /apks/<sha256>/analysis/': async ({ params, response, services }) => {
    const { cuckoo, androguard, dynamic } = await services.catalogue.analysis(params.sha256);
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

  'GET /apks/<sha256>/analysis/androguard/': sendPart('androguard'),
  'GET /apks/<sha256>/analysis/cuckoo/': sendPart('cuckoo'),
  'GET /apks/<sha256>/analysis/dynamic/': sendPart('dynamic'),

  'GET /apks/<sha256>/analysis/device/': async ({ params, response, services: { catalogue } }) => {
    const report = await catalogue.reportPart(params.sha256, 'device').catch((error: unknown) => {
      if (error instanceof Failure && error.id === 'no-report') return 'null';
      throw error;
    });
    response.type('json').send(report);
    return null;
  },

  'POST /apks/similar/': async ({ request, response, account, presenting, services: { intake, similarApks } }) => {
    const { bytes, name } = await uploadedFile(request, await intake.maxBytes());
    const signal = whileConnected(response);
    const sender = { uploader: account, address: callerAddress(request) };
    const found = await intake.lookInto(bytes, { ...sender, name, signal });
    return ok(presentSimilarApks(presenting, await similarApks.like(found)));
  },

  'GET /apks/<sha256>/similar/': async ({ params, presenting, services: { similarApks } }) =>
    ok(presentSimilarApks(presenting, await similarApks.of(params.sha256))),

  'GET /apks/<sha256>/pivots/': async ({ params, account, response, services: { pivots } }) =>
    ok(presentPivots(await pivots.of(params.sha256, account, whileConnected(response)))),

  'GET /apks/<sha256>/lineage/': async ({ request, params, presenting, services: { lineages } }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const { count, position, signers, steps } = await lineages.of(params.sha256, asked);
    const results = steps.map((step) => presentLineageStep(presenting, step));
    return ok({ ...numberedPage(request, asked, count, results), position, signers });
  },

  'GET /apks/<sha256>/risk/': async ({ params, services: { catalogue, risks } }) =>
    ok(presentRisk(await risks.of(await catalogue.get(params.sha256)))),

  'GET|POST /apks/<sha256>/analyze_static/': analyze('static'),
  'GET|POST /apks/<sha256>/analyze_dynamic/': analyze('dynamic'),
  'GET|POST /apks/<sha256>/analyze_yara/': analyze('yara'),

  'GET|POST /apks/<sha256>/analyze_antivirus/': async ({
    params,
    account,
    presenting,
    services: { analyses, antivirus, catalogue },
  }) => {
    const apk = await catalogue.get(params.sha256);
    if (!(await antivirus.isOn())) throw new Failure('antivirus-off');
    return ok(presentJob(presenting, await analyses.request(account, apk, 'antivirus'), apk));
  },

  ...apkLinkHandlers,

  'GET /apks/<sha256>/manifest/': sendPart('manifest'),
  'GET /apks/<sha256>/files/': sendPart('files'),

  'GET /analyses/outdated/': async ({ services }) => ok({ outdated: await services.analyses.countOutdated() }),
  'POST /analyses/outdated/': async ({ services }) => {
    return created({ queued: await services.analyses.renewOutdated() });
  },
};
