// What is inside an APK over HTTP: bytes of its files, resources, code.
import type { Response } from 'express';
import type { Exploration } from '../../contract/engine/exploration.ts';
import { sha256Schema } from '../../contract/list.ts';
import type { apkContentOperations } from '../../contract/operations/apk-contents.ts';
import { Failure } from '../../services/failure.ts';
import { callerAddress } from '../caller-address.ts';
import { accepted, type Call, created, type Handlers, ok } from '../operation.ts';
import { shownDetail } from './apks.ts';

/** Whatever the bytes are, a browser saves them: it neither shows nor runs nor guesses. */
function sendBytes(response: Response, bytes: Uint8Array, headers: Record<string, string>): void {
  response.set({
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(bytes.length),
    ...headers,
  });
  response.end(bytes);
}

/** @throws Failure `not-found` where an address is no SHA-256 */
function childOf(params: { sha256: string; child: string }): { sha256: string; child: string } {
  const sha256 = sha256Schema.safeParse(params.sha256);
  const child = sha256Schema.safeParse(params.child);
  if (!sha256.success || !child.success) throw new Failure('not-found');
  return { sha256: sha256.data, child: child.data };
}

const question =
  <Kind extends Exploration['ask']>(ask: Kind) =>
  async ({
    params,
    query,
    account,
    services: { explorer },
  }: Call<'sha256', 'token', Omit<Extract<Exploration, { ask: Kind }>, 'ask'>>) =>
    ok(await explorer.ask(account, params.sha256, { ask, ...query } as Extract<Exploration, { ask: Kind }>));

export const apkContentHandlers: Handlers<typeof apkContentOperations> = {
  'GET /apks/<sha256>/files/content/': async ({ response, params, query, account, services: { explorer } }) => {
    const { bytes, size } = await explorer.ask(account, params.sha256, { ask: 'content', ...query });
    sendBytes(response, bytes, {
      'Content-Type': 'application/octet-stream',
      // Never the entry's own name: it is the APK author's.
      'Content-Disposition': 'attachment; filename="content.bin"',
      'X-Content-Size': String(size),
    });
    return null;
  },

  'GET /apks/<sha256>/files/image/': async ({ response, params, query, account, services: { explorer } }) => {
    const { bytes, mediaType } = await explorer.ask(account, params.sha256, { ask: 'image', ...query });
    sendBytes(response, bytes, { 'Content-Type': mediaType, 'Content-Disposition': 'inline; filename="image"' });
    return null;
  },

  'GET /apks/<sha256>/artefacts/<artefact>/': async ({
    response,
    params,
    services: { catalogue, dynamicAnalyses },
  }) => {
    const apk = await catalogue.get(params.sha256);
    const sha256 = sha256Schema.safeParse(params.artefact);
    if (!sha256.success) throw new Failure('not-found');
    sendBytes(response, await dynamicAnalyses.artefact(apk.id, sha256.data), {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${sha256.data}.bin"`,
    });
    return null;
  },

  'GET /apks/<sha256>/files/search/': question('byte-search'),
  'GET /apks/<sha256>/files/entropy/': question('entropy'),
  'GET /apks/<sha256>/compare/<other>/': async ({ params, query, account, response, services: { comparisons } }) => {
    const found = await comparisons.of(account, params.sha256, params.other, query.wait * 1000);
    if ('progress' in found) return accepted(found.progress);
    response.type('json').send(found.comparison);
    return null;
  },

  'GET /apks/<sha256>/compare/<other>/lines/': async ({ params, query, account, services: { comparisons } }) => {
    const found = await comparisons.lines(account, params.sha256, params.other, query);
    return 'progress' in found ? accepted(found.progress) : ok(found.lines);
  },

  'GET /apks/<sha256>/files/xml/': question('xml'),
  'GET /apks/<sha256>/resources/': question('resource-outline'),
  'GET /apks/<sha256>/resources/values/': question('resources'),
  'GET /apks/<sha256>/code/': question('code-outline'),
  'GET /apks/<sha256>/code/classes/': question('package'),
  'GET /apks/<sha256>/code/class/': question('class'),
  'GET /apks/<sha256>/code/references/': question('references'),
  'GET /apks/<sha256>/code/search/': question('code-search'),
  'GET /apks/<sha256>/code/permissions/': question('permission-uses'),

  'GET /apks/<sha256>/children/': async ({ params: { sha256 }, account, services: { explorer } }) => {
    const { results, ...list } = await explorer.ask(account, sha256, { ask: 'children', sha256 });
    const unread = { error: null, findings: 0, severity: null, risk: null, matches: [], matches_count: 0 };
    const shown = results.map((child) => ({ ...child, status: 'done' as const, ...unread, is_in_catalogue: false }));
    return ok({ ...list, results: shown, status: 'done' });
  },

  'GET /apks/<sha256>/children/<child>/report/': async ({ response, params, account, services: { explorer } }) => {
    const { sha256, child } = childOf(params);
    response.type('json').send(await explorer.childReport(account, sha256, child));
    return null;
  },

  'GET /apks/<sha256>/children/<child>/file/': async ({ response, params, account, services: { explorer } }) => {
    const { sha256, child } = childOf(params);
    const pieces: Uint8Array[] = [];
    for await (const piece of explorer.childBytes(account, sha256, child)) pieces.push(piece);
    sendBytes(response, Buffer.concat(pieces), {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${child}.bin"`,
    });
    return null;
  },

  'POST /apks/<sha256>/children/<child>/promote/': async ({ request, params, account, presenting, services }) => {
    const { sha256, child } = childOf(params);
    const { results } = await services.explorer.ask(account, sha256, { ask: 'children', sha256 });
    const found = results.find((one) => one.sha256 === child);
    if (found === undefined) throw new Failure('not-found');
    if (found.kind !== 'apk') throw new Failure('not-an-apk', { reason: 'it is no app' });
    const { apk, created: isNew } = await services.intake.receiveApk(
      services.explorer.childBytes(account, sha256, child),
      {
        uploader: account,
        address: callerAddress(request),
        expectedSha256: child,
        name: found.ways[0]!.path,
      },
    );
    return (isNew ? created : ok)(await shownDetail(services, account, presenting, apk), { subject: apk.sha256 });
  },
};
