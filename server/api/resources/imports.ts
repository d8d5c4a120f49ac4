// Imports of files of the workstation's machine, over HTTP.
import type { importOperations } from '../../contract/operations/imports.ts';
import { queryOf } from '../addressing.ts';
import { type Call, created, type Handlers, noContent, ok } from '../operation.ts';
import { cursorPage, pageRequestOf, wholeList } from '../paging.ts';
import { presentImport } from '../presenters/import.ts';

const rowOf = ({ params, services: { ids } }: Call<'id'>) => ids.decode('import', params.id);

export const importHandlers: Handlers<typeof importOperations> = {
  'GET /imports/': async ({ presenting, services: { imports } }) =>
    ok(wholeList((await imports.all()).map((view) => presentImport(presenting, view)))),

  'POST /imports/': async ({ account, body, presenting, services: { imports } }) =>
    created(presentImport(presenting, await imports.add(account, body))),

  'GET /imports/<id>/': async (call) =>
    ok(presentImport(call.presenting, await call.services.imports.get(rowOf(call)))),

  'PATCH /imports/<id>/': async (call) => {
    const { imports } = call.services;
    const row = rowOf(call);
    const view = await (call.body.state === 'stopped' ? imports.stop(row) : imports.goOn(row));
    return ok(presentImport(call.presenting, view));
  },

  'DELETE /imports/<id>/': async (call) => {
    await call.services.imports.remove(rowOf(call));
    return noContent;
  },

  'GET /imports/<id>/refused/': async (call) => {
    const { request, services } = call;
    const asked = pageRequestOf(queryOf(request), services.ids);
    const page = await services.imports.refusals(rowOf(call), asked);
    return ok(cursorPage(request, asked, services.ids, page, ({ path, name, reason }) => ({ path, name, reason })));
  },

  'POST /imports/<id>/retry/': async (call) =>
    ok(presentImport(call.presenting, await call.services.imports.retry(rowOf(call)))),
};
