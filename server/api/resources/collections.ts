// Sealed collections over HTTP: a part of the catalogue written to one file for another workstation, and read from one.
import type { collectionOperations } from '../../contract/operations/collections.ts';
import { accepted, type Handlers, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentTold, presentTransfer } from '../presenters/collection.ts';

export const collectionHandlers: Handlers<typeof collectionOperations> = {
  'GET /collections/': async ({ presenting, services: { collections } }) =>
    ok(wholeList(collections.all().map((transfer) => presentTransfer(presenting, transfer)))),

  'POST /collections/write/': async ({ account, body, presenting, services: { collections } }) =>
    accepted(presentTransfer(presenting, await collections.write(account, body))),

  'POST /collections/read/': async ({ account, body, presenting, services: { collections } }) =>
    accepted(presentTransfer(presenting, await collections.read(account, body))),

  'GET /collections/<id>/': async ({ params, presenting, services: { collections, ids } }) =>
    ok(presentTransfer(presenting, collections.get(ids.decode('collection', params.id)))),

  'GET /apks/<sha256>/told/': async ({ params, services: { catalogue, collections } }) =>
    ok(wholeList((await collections.told(await catalogue.get(params.sha256))).map(presentTold))),
};
