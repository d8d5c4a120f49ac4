// Lists of known files and signers over HTTP: imported, shown, deleted.
import type { knownListOperations } from '../../contract/operations/known-lists.ts';
import { accepted, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentJob } from '../presenters/job.ts';
import { presentKnownList } from '../presenters/known-list.ts';
import { uploadedFile } from '../uploaded-file.ts';

/** Bytes: the largest published list has some ten gigabytes. */
const maxListBytes = 64 * 1024 ** 3;

export const knownListHandlers: Handlers<typeof knownListOperations> = {
  'GET /known_lists/': async ({ presenting, services: { knownApks } }) => {
    const job = await knownApks.lastImport();
    const lists = wholeList(knownApks.all().map(presentKnownList));
    return ok({ ...lists, job: job && presentJob(presenting, job, null) });
  },

  'POST /known_lists/': async ({ request, query, account, presenting, services }) => {
    const { bytes, name: fileName } = await uploadedFile(request, maxListBytes);
    const list = { name: query.name, kind: query.kind, source: fileName || query.source };
    return accepted(presentJob(presenting, await services.knownApks.requestImport(account, list, bytes), null));
  },

  'DELETE /known_lists/<name>/': async ({ params, account, services }) => {
    await services.knownApks.remove(account, params.name);
    return noContent;
  },
};
