// The catalogue of APKs over HTTP, as clients of the older API know it.
import type { z } from 'zod';
import type { legacyApkFiltersSchema } from '../../../contract/legacy.ts';
import { formBooleanSchema } from '../../../contract/list.ts';
import type { legacyApkOperations } from '../../../contract/operations/legacy/apks.ts';
import { under } from '../../../contract/operations/operation.ts';
import type { ApkRecord } from '../../../services/catalogue/catalogue.ts';
import { Failure } from '../../../services/failure.ts';
import { queryOf } from '../../addressing.ts';
import { sendJsonPieces } from '../../json-pieces.ts';
import { type Handlers, ok } from '../../operation.ts';
import { cursorPage, numberedPage, numberedPageRequestOf, pageRequestOf } from '../../paging.ts';
import { presentLegacyApk } from '../../presenters/legacy/apk.ts';
import { presentLegacyDetection } from '../../presenters/legacy/detection.ts';
import { apkLinkHandlers, whileConnected } from '../apks.ts';
import { tagHandlers } from '../tags.ts';

/** What columns were called that the catalogue can be ordered by. */
const olderColumns: Record<string, string> = {
  created_on: 'created_at',
  modified_on: 'updated_at',
  analyzed: 'is_static_analyzed',
};

const orderingOf = (text: string): string =>
  text
    .split(',')
    .map((part) => part.trim())
    .map((part) =>
      part.startsWith('-') ? `-${olderColumns[part.slice(1)] ?? part.slice(1)}` : (olderColumns[part] ?? part),
    )
    .join(',');

const hashLengths = { md5: 32, sha1: 40, sha256: 64 } as const;

/** The search with the filters beside it, in the words of the search; null where nothing can have such a hash. */
function searchOf(filters: z.output<typeof legacyApkFiltersSchema>): string | null {
  const words: string[] = [];
  for (const [name, length] of Object.entries(hashLengths)) {
    const hash = filters[name as keyof typeof hashLengths] ?? '';
    if (hash === '') continue;
    if (!/^[0-9a-f]+$/i.test(hash) || hash.length !== length) return null;
    words.push(`${name}:${hash}`);
  }
  const analyzed = formBooleanSchema.safeParse(filters.analyzed);
  if (analyzed.success) words.push(`analyzed:${analyzed.data}`);
  const { search = '' } = filters;
  if (words.length === 0 || search.trim() === '') return words.length === 0 ? search : words.join(' ');
  return `(${search}) ${words.join(' ')}`;
}

export const legacyApkHandlers: Handlers<typeof legacyApkOperations> = {
  'GET /legacy/apks/': async ({
    request,
    response,
    account,
    query: filters,
    presenting,
    services: { catalogue, ids },
  }) => {
    const query = queryOf(request);
    // A fault in the search is told at its place in what the client sent.
    await catalogue.search(filters.search ?? '', account);
    const text = searchOf(filters);
    const present = (apk: ApkRecord) => presentLegacyApk(presenting, apk);
    const isByNumber = (filters.page ?? '') !== '' && (query.cursor ?? '') === '';
    const numbered = isByNumber ? numberedPageRequestOf(query) : null;
    const asked = pageRequestOf(query, ids, text ?? '');
    if (text === null) return ok(numberedPage(request, numbered ?? { ...asked, page: 1, offset: 0 }, 0, []));
    const search = await catalogue.search(text, account);
    const ordering = catalogue.ordering(orderingOf(filters.ordering ?? ''));
    const [page, count] = await Promise.all([
      catalogue.page({ ...asked, search, ordering, skip: numbered?.offset ?? 0 }),
      asked.knownCount ?? catalogue.count(search, whileConnected(response)),
    ]);
    return ok(
      numbered === null
        ? cursorPage(request, asked, ids, { ...page, count }, present)
        : numberedPage(request, numbered, count, page.items.map(present)),
    );
  },

  'GET /legacy/apks/<sha256>/': async ({ params, presenting, services }) =>
    ok(presentLegacyApk(presenting, await services.catalogue.get(params.sha256))),

  'GET /legacy/apks/<sha256>/analysis/': async ({ params, response, services: { catalogue } }) => {
    const { sha256 } = await catalogue.get(params.sha256);
    const reports = await catalogue.analysis(sha256).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.id !== 'no-report') throw error;
      // Older clients poll until the report is there, and know this status alone for "not yet".
      response.set('Allow', 'GET, HEAD, OPTIONS');
      throw new Failure('not-analysed');
    });
    const none = 'null';
    sendJsonPieces(response, [
      `{"sha256":"${sha256}","status":"analyzed","androguard":`,
      reports.androguard ?? none,
      ',"cuckoo":',
      reports.cuckoo ?? none,
      ',"droidbox":',
      reports.dynamic ?? none,
      '}',
    ]);
    return null;
  },

  'GET|POST /legacy/apks/<sha256>/analyze/': async ({ params, account, services: { catalogue, analyses } }) => {
    const apk = await catalogue.get(params.sha256);
    const [job] = await analyses.requestAll(account, apk, ['static', 'dynamic']);
    return ok({ sha256: apk.sha256, status: job!.status === 'running' ? 'running' : 'queued' });
  },

  'GET /legacy/apks/<sha256>/detections/': async ({
    params,
    services: { accounts, catalogue, detections: found, ids, rulesets },
  }) => {
    const records = await found.of(await catalogue.get(params.sha256));
    const byId = await rulesets.findByIds(records.flatMap(({ ruleset }) => ruleset?.id ?? []));
    const authors = await accounts.findByIds([...byId.values()].map(({ authorId }) => authorId));
    return ok(
      records.map((record) => {
        const author = authors.get(byId.get(record.ruleset?.id ?? 0)?.authorId ?? 0);
        return presentLegacyDetection(ids, record, author ?? null);
      }),
    );
  },

  ...under('/legacy', apkLinkHandlers),
  ...under('/legacy', tagHandlers),
};
