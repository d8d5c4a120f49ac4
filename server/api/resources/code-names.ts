// Names and notes on the code of an APK over HTTP.
import type { codeNameOperations } from '../../contract/operations/code-names.ts';
import { mappingLines } from '../../services/names/written-mapping.ts';
import { queryOf } from '../addressing.ts';
import { type Handlers, noContent, ok } from '../operation.ts';
import { cursorPage, pageRequestOf, wholeList } from '../paging.ts';
import { presentCodeName, presentOffer } from '../presenters/code-name.ts';
import { sendStream } from '../sent-stream.ts';

export const codeNameHandlers: Handlers<typeof codeNameOperations> = {
  'GET /apks/<sha256>/code/names/': async ({ request, params, query, presenting, services }) => {
    const { catalogue, codeNames, ids } = services;
    const asked = pageRequestOf(queryOf(request), ids);
    const { id, sha256 } = await catalogue.get(params.sha256);
    const filter = { apkId: id, ...query };
    const [page, count] = await Promise.all([codeNames.page(filter, asked), codeNames.count(filter)]);
    return ok(cursorPage(request, asked, ids, { ...page, count }, (name) => presentCodeName(presenting, sha256, name)));
  },

  'PUT /apks/<sha256>/code/names/': async ({ params, body, account, presenting, services: { codeNames } }) => {
    const subject = `${body.kind} ${body.symbol} = ${body.text}`;
    const said = await codeNames.say(account, params.sha256, body);
    if (said === null) return { ...noContent, noted: { subject } };
    return ok(presentCodeName(presenting, params.sha256, said), { subject });
  },

  'DELETE /apks/<sha256>/code/names/<id>/': async ({ params, services: { codeNames, ids } }) => {
    const { kind, symbol, text } = await codeNames.remove(params.sha256, ids.decode('code-name', params.id));
    return { ...noContent, noted: { subject: `${kind} ${symbol} = ${text}` } };
  },

  'GET /apks/<sha256>/code/names/mapping/': async ({
    request,
    response,
    params,
    query: { format, derived },
    account,
    services,
  }) => {
    const apk = await services.catalogue.get(params.sha256);
    const names = await services.codeNames.all(account, apk, derived);
    response.set('Content-Disposition', `attachment; filename="${apk.sha256}.${format === 'jadx' ? 'jobf' : 'txt'}"`);
    response.type('text/plain');
    await sendStream(request, response, () => lineStream(mappingLines(names, format)));
    return null;
  },

  'POST /apks/<sha256>/code/names/mapping/': async ({ params, body, account, services: { codeNames } }) =>
    ok(await codeNames.importMapping(account, params.sha256, body.mapping, body.format ?? null)),

  'GET /apks/<sha256>/code/names/offers/': async ({ params, query, account, services: { codeNames } }) =>
    ok(wholeList((await codeNames.offers(account, params.sha256, query)).map(presentOffer))),

  'POST /apks/<sha256>/code/names/offers/': async ({ params, body, account, services: { codeNames } }) =>
    ok(await codeNames.acceptOffers(account, params.sha256, body)),

  'GET /apks/<sha256>/code/deobfuscation/': async ({ params, services: { codeNames } }) =>
    ok({ is_on: await codeNames.isDeobfuscated(params.sha256) }),

  'PUT /apks/<sha256>/code/deobfuscation/': async ({ params, body, services: { codeNames } }) => {
    await codeNames.deobfuscate(params.sha256, body.is_on);
    return ok(body, { subject: `${params.sha256} ${body.is_on ? 'on' : 'off'}` });
  },
};

async function* lineStream(lines: Iterable<string>): AsyncGenerator<string> {
  for (const line of lines) yield `${line}\n`;
}
