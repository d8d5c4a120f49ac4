// Tags of APKs over HTTP.
import type { tagOperations } from '../../contract/operations/tags.ts';
import { created, type Handlers, noContent } from '../operation.ts';

export const tagHandlers: Handlers<typeof tagOperations> = {
  'POST /apks/<sha256>/tags/': async ({ params, body: { name }, services: { catalogue } }) => {
    const { tags } = await catalogue.addTags(await catalogue.get(params.sha256), [name]);
    return created({ name, tags });
  },

  'DELETE /apks/<sha256>/tags/<name>/': async ({ params, services: { catalogue } }) => {
    await catalogue.removeTag(await catalogue.get(params.sha256), params.name);
    return noContent;
  },
};
