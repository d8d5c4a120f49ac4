// Folders of the workstation's machine whose files are taken in, over HTTP.
import type { watchedFolderOperations } from '../../contract/operations/watched-folders.ts';
import { Failure, FieldFailure } from '../../services/failure.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import { type Call, created, type Handlers, noContent, ok } from '../operation.ts';
import { wholeList } from '../paging.ts';
import { presentWatchedFile, presentWatchedFolder } from '../presenters/watched-folder.ts';

/** Row numbers of rulesets that the account may see. @throws FieldFailure */
async function rulesetIds(given: readonly string[], account: AccountRecord, { rulesets, ids }: Services) {
  const found = given.map((id) => rulesets.get(account, ids.decode('ruleset', id)));
  try {
    return (await Promise.all(found)).map(({ id }) => id);
  } catch (error) {
    if (error instanceof Failure && error.id === 'not-found') throw new FieldFailure({ rulesets: ['There is none.'] });
    throw error;
  }
}

const rowOf = ({ params, services: { ids } }: Call<'id'>) => ids.decode('watched-folder', params.id);

export const watchedFolderHandlers: Handlers<typeof watchedFolderOperations> = {
  'GET /watched-folders/': async ({ presenting, services: { watchedFolders } }) =>
    ok(wholeList((await watchedFolders.all()).map((view) => presentWatchedFolder(presenting, view)))),

  'POST /watched-folders/': async ({ account, body: { rulesets, ...wish }, presenting, services }) => {
    const own = await rulesetIds(rulesets, account, services);
    const view = await services.watchedFolders.add(account, { ...wish, rulesets: own });
    return created(presentWatchedFolder(presenting, view));
  },

  'PATCH /watched-folders/<id>/': async (call) => {
    const { account, body, presenting, services } = call;
    const { rulesets, ...changes } = body;
    const own = rulesets === undefined ? undefined : await rulesetIds(rulesets, account, services);
    const view = await services.watchedFolders.change(rowOf(call), { ...changes, rulesets: own });
    return ok(presentWatchedFolder(presenting, view));
  },

  'DELETE /watched-folders/<id>/': async (call) => {
    await call.services.watchedFolders.remove(rowOf(call));
    return noContent;
  },

  'GET /watched-folders/<id>/files/': async (call) => {
    const files = await call.services.watchedFolders.files(rowOf(call), call.query.is_refused);
    return ok(wholeList(files.map(presentWatchedFile)));
  },

  'POST /watched-folders/<id>/retry/': async (call) =>
    ok({ files: await call.services.watchedFolders.retry(rowOf(call)) }),
};
