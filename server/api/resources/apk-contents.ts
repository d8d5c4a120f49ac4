// What is inside an APK over HTTP: bytes of its files, resources, code.
import { Readable } from 'node:stream';
import type { Response } from 'express';
import type { Exploration } from '../../contract/engine/exploration.ts';
import { sha256Schema } from '../../contract/list.ts';
import type { apkContentOperations } from '../../contract/operations/apk-contents.ts';
import { Failure } from '../../services/failure.ts';
import { callerAddress } from '../caller-address.ts';
import { accepted, type Call, created, type Handlers, ok } from '../operation.ts';
import { presentChildren } from '../presenters/child.ts';
import { sendStream } from '../sent-stream.ts';
import { shownDetail } from './apks.ts';

/** Whatever the bytes are, a browser saves them: it neither shows nor runs nor guesses. */
function setSaved(response: Response, size: number, headers: Record<string, string>): void {
  response.set({
    'Cache-Control': 'private, no-store',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Content-Length': String(size),
    ...headers,
  });
}

function sendBytes(response: Response, bytes: Uint8Array, headers: Record<string, string>): void {
  setSaved(response, bytes.length, headers);
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

/** What shows code, with the names that it was given. */
const codeQuestion =
  <Kind extends Exploration['ask']>(ask: Kind) =>
  async ({
    params,
    query,
    account,
    services: { codeNames },
  }: Call<'sha256', 'token', Omit<Extract<Exploration, { ask: Kind }>, 'ask'>>) =>
    ok(await codeNames.ask(account, params.sha256, { ask, ...query } as Extract<Exploration, { ask: Kind }>));

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
  'GET /apks/<sha256>/code/classes/': codeQuestion('package'),
  'GET /apks/<sha256>/code/class/': codeQuestion('class'),
  'GET /apks/<sha256>/code/java/': codeQuestion('java'),
  'GET /apks/<sha256>/code/java/search/': codeQuestion('java-search'),
  'GET /apks/<sha256>/code/references/': question('references'),
  'GET /apks/<sha256>/code/calls/': question('call-graph'),
  'GET /apks/<sha256>/code/bytes/': question('code-bytes'),
  'GET /apks/<sha256>/code/at/': question('code-at'),
  'GET /apks/<sha256>/code/search/': codeQuestion('code-search'),
  'GET /apks/<sha256>/code/permissions/': question('permission-uses'),
  'GET /apks/<sha256>/native/functions/': question('native-functions'),
  'GET /apks/<sha256>/native/code/': question('native-code'),
  'GET /apks/<sha256>/native/methods/': question('native-methods'),
  'GET /apks/<sha256>/native/bundles/': question('bundles'),
  'GET /apks/<sha256>/native/bundles/strings/': question('bundle-strings'),

  'GET /apks/<sha256>/children/': async ({ params, account, presenting, services: { children } }) =>
    ok(presentChildren(presenting, await children.of(account, params.sha256))),

  'GET /apks/<sha256>/children/<child>/report/': async ({ response, params, services: { children } }) => {
    const { sha256, child } = childOf(params);
    response.type('json').send(await children.report(sha256, child, 'report'));
    return null;
  },

  'GET /apks/<sha256>/children/<child>/files/': async ({ response, params, services: { children } }) => {
    const { sha256, child } = childOf(params);
    response.type('json').send(await children.report(sha256, child, 'files'));
    return null;
  },

  'GET /apks/<sha256>/children/<child>/file/': async ({ request, response, params, account, services }) => {
    const { sha256, child } = childOf(params);
    const found = await services.children.find(sha256, child);
    const pieces = services.children.bytes(account, sha256, found);
    // What refuses it does so before anything is sent.
    const first = await pieces.next();
    setSaved(response, found.child.size, {
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="${child}.bin"`,
    });
    const all = async function* () {
      if (!first.done) yield first.value;
      yield* pieces;
    };
    await sendStream(request, response, () => Readable.from(all()));
    return null;
  },

  'POST /apks/<sha256>/children/<child>/promote/': async ({ request, params, account, presenting, services }) => {
    const { sha256, child } = childOf(params);
    const found = await services.children.find(sha256, child);
    const { kind, ways } = found.child;
    if (kind !== 'apk') throw new Failure('not-an-apk', { reason: 'it is no app' });
    const { apk, created: isNew } = await services.intake.receiveApk(services.children.bytes(account, sha256, found), {
      uploader: account,
      address: callerAddress(request),
      expectedSha256: child,
      name: ways[0]!.path,
    });
    return (isNew ? created : ok)(await shownDetail(services, account, presenting, apk), { subject: apk.sha256 });
  },
};
