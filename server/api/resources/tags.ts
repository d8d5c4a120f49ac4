// Tags of APKs over HTTP.
import { addedTagSchema, newTagSchema } from '../../contract/tag.ts';
import { created, noContent, operation, type Resource } from '../operation.ts';

const add = operation(
  { summary: 'Tags an APK', access: 'token', bodySchema: newTagSchema, answers: { 201: addedTagSchema } },
  async ({ params, body: { name }, services: { catalogue } }) => {
    const { tags } = await catalogue.addTags(await catalogue.get(params.sha256!), [name]);
    return created({ name, tags });
  },
);

const remove = operation(
  { summary: 'Takes a tag from an APK', access: 'token', answers: { 204: null } },
  async ({ params, services: { catalogue } }) => {
    await catalogue.removeTag(await catalogue.get(params.sha256!), params.name!);
    return noContent;
  },
);

export const tagResources: Resource[] = [
  { path: '/apks/:sha256/tags', operations: { post: add } },
  { path: '/apks/:sha256/tags/:name', operations: { delete: remove } },
];
