// Cases over HTTP: APKs that people look into together.
import type { caseOperations } from '../../contract/operations/cases.ts';
import type { CaseEntryRecord, CaseRecord, EntryChanges } from '../../services/cases/cases.ts';
import { queryOf } from '../addressing.ts';
import { type Call, created, type Handlers, noContent, ok } from '../operation.ts';
import { numberedPage, numberedPageRequestOf, wholeList } from '../paging.ts';
import { presentCase, presentCaseApk, presentCaseEntry } from '../presenters/case.ts';

const find = ({ params, services: { cases, ids } }: Call<'id'>): Promise<CaseRecord> =>
  cases.get(ids.decode('case', params.id));

async function findEntry(call: Call<'id' | 'entry'>): Promise<{ found: CaseRecord; entry: CaseEntryRecord }> {
  const found = await find(call);
  const { cases, ids } = call.services;
  return { found, entry: await cases.entry(found, ids.decode('case-entry', call.params.entry)) };
}

interface SentEntry {
  text?: string | undefined;
  answer?: string | undefined;
  assignee?: string | undefined;
  is_done?: boolean | undefined;
  happened_at?: string | undefined;
}

const changesOf = ({ text, answer, assignee, is_done: isDone, happened_at: happenedAt }: SentEntry): EntryChanges => ({
  ...{ text, answer, assignee, isDone },
  happenedAt: happenedAt === undefined ? undefined : Date.parse(happenedAt) * 1000,
});

export const caseHandlers: Handlers<typeof caseOperations> = {
  'GET /cases/': async ({ request, query, presenting, services: { cases } }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const filter = { text: query.search?.trim() ?? '', isClosed: query.is_closed };
    const found = await cases.list(filter, asked);
    const shown = found.map((one) => presentCase(presenting, one));
    return ok(numberedPage(request, asked, await cases.count(filter), shown));
  },

  'POST /cases/': async ({ body, account, presenting, services: { cases } }) =>
    created(presentCase(presenting, await cases.create(account, body))),

  'POST /cases/import/': async ({ body, account, presenting, services: { caseFiles } }) => {
    const { made, held, missing } = await caseFiles.read(account, body);
    return created({ case: presentCase(presenting, made), held, missing });
  },

  'GET /cases/<id>/': async (call) => ok(presentCase(call.presenting, await find(call))),

  'PATCH /cases/<id>/': async (call) => {
    const { name, note, people, is_closed: isClosed } = call.body;
    const changed = await call.services.cases.change(await find(call), { name, note, people, isClosed });
    return ok(presentCase(call.presenting, changed));
  },

  'DELETE /cases/<id>/': async (call) => {
    await call.services.cases.remove(call.account, await find(call));
    return noContent;
  },

  'GET /cases/<id>/file/': async (call) => ok(await call.services.caseFiles.written(await find(call))),

  'GET /cases/<id>/apks/': async (call) => {
    const { request, account, presenting, services } = call;
    const found = await find(call);
    const asked = numberedPageRequestOf(queryOf(request));
    const apks = await services.cases.apks(found, asked);
    const held = await services.matches.counted(
      account,
      apks.flatMap(({ apk }) => apk ?? []),
    );
    const byId = new Map(held.map((apk) => [apk.id, apk]));
    const results = apks.map(({ place, apk }) =>
      presentCaseApk(presenting, place, apk === null ? null : (byId.get(apk.id) ?? null)),
    );
    return ok(numberedPage(request, asked, found.apks, results));
  },

  'POST /cases/<id>/apks/': async (call) => {
    const { body, account, services } = call;
    const { apks, search, note } = body;
    const found = await find(call);
    if (apks === undefined) return ok(await services.cases.addFound(account, found, search ?? '', note));
    return ok({ count: apks.length, added: await services.cases.addApks(account, found, apks, note) });
  },

  'DELETE /cases/<id>/apks/<sha256>/': async (call) => {
    await call.services.cases.removeApk(await find(call), call.params.sha256.toLowerCase());
    return noContent;
  },

  'GET /cases/<id>/entries/': async (call) => {
    const { request, query, presenting, services } = call;
    const found = await find(call);
    const asked = numberedPageRequestOf(queryOf(request));
    const entries = await services.cases.entries(found, query.kind, asked);
    const shown = entries.map((entry) => presentCaseEntry(presenting, entry));
    return ok(numberedPage(request, asked, await services.cases.countEntries(found, query.kind), shown));
  },

  'POST /cases/<id>/entries/': async (call) => {
    const { body, account, presenting, services } = call;
    const { kind, text } = body;
    const entry = await services.cases.write(account, await find(call), { ...changesOf(body), kind, text });
    return created(presentCaseEntry(presenting, entry));
  },

  'PATCH /cases/<id>/entries/<entry>/': async (call) => {
    const { found, entry } = await findEntry(call);
    const changed = await call.services.cases.changeEntry(found, entry, changesOf(call.body));
    return ok(presentCaseEntry(call.presenting, changed));
  },

  'DELETE /cases/<id>/entries/<entry>/': async (call) => {
    const { found, entry } = await findEntry(call);
    await call.services.cases.removeEntry(found, entry);
    return noContent;
  },

  'GET /apks/<sha256>/cases/': async ({ params, presenting, services: { cases, catalogue } }) => {
    const found = await cases.ofApk(await catalogue.get(params.sha256));
    return ok(wholeList(found.map((one) => presentCase(presenting, one))));
  },
};
