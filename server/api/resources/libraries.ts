// Libraries whose methods tell nothing of an app over HTTP: imported, shown, removed.
import type { libraryOperations } from '../../contract/operations/libraries.ts';
import { accepted, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentJob } from '../presenters/job.ts';
import { presentLibrary } from '../presenters/library.ts';
import { uploadedFile } from '../uploaded-file.ts';

export const libraryHandlers: Handlers<typeof libraryOperations> = {
  'GET /libraries/': async ({ presenting, services: { libraries } }) => {
    const imports = (await libraries.imports()).map(({ source, job }) => ({
      source,
      job: presentJob(presenting, job, null),
    }));
    return ok({ ...wholeList((await libraries.all()).map(presentLibrary)), imports });
  },

  'POST /libraries/': async ({ request, query, account, presenting, services: { intake, libraries } }) => {
    const { bytes, name: fileName } = await uploadedFile(request, await intake.maxBytes());
    const named = { name: query.name, version: query.version, source: fileName || query.source };
    const job = await libraries.requestImport(account, named, bytes, await intake.maxBytes());
    return accepted(presentJob(presenting, job, null));
  },

  'DELETE /libraries/<name>/': async ({ params, services: { libraries } }) => {
    await libraries.remove(params.name);
    return noContent;
  },
};
