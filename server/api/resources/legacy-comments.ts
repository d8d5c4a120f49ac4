// Comments on APKs and rulesets over HTTP, as clients of the older API know them.
import { commentChangesSchema, newCommentSchema } from '../../contract/comment.ts';
import { legacyCommentSchema } from '../../contract/legacy.ts';
import { pageSchema } from '../../contract/list.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import type { CommentFilter, CommentRecord, CommentSubject } from '../../services/triage/comments.ts';
import { queryOf } from '../addressing.ts';
import { created, noContent, type Operation, ok, operation, type Resource } from '../operation.ts';
import { cursorPage, numberedPage, numberedPageRequestOf, pageRequestOf } from '../paging.ts';
import { integerId, legacyComments } from './legacy-records.ts';

type Find<Found> = (services: Services, account: AccountRecord, params: Record<string, string>) => Promise<Found>;

const aboutApk: Find<CommentSubject> = async ({ catalogue }, _account, params) => ({
  apkId: (await catalogue.get(params.sha256!)).id,
});

const aboutRuleset: Find<CommentSubject> = async ({ rulesets }, account, params) => ({
  rulesetId: (await rulesets.get(account, integerId(params.ruleset!))).id,
});

const aboutProfile: Find<CommentSubject> = async ({ accounts }, _account, params) => ({
  profileId: (await accounts.get(params.username!)).id,
});

/** The comment of this number, whatever it is about, as far as the account may see that. */
const anyComment: Find<CommentRecord> = async ({ comments, rulesets }, account, params) => {
  const comment = await comments.getById(integerId(params.id!));
  if (comment.rulesetId !== null) await rulesets.get(account, comment.rulesetId);
  return comment;
};

const listOf = (summary: string, filterOf: Find<CommentFilter>): Operation =>
  operation(
    { summary, access: 'token', answers: { 200: pageSchema(legacyCommentSchema) } },
    async ({ request, params, account, services }) => {
      const asked = pageRequestOf(queryOf(request), services.ids);
      const filter = await filterOf(services, account, params);
      const { rows: items, ...ends } = await services.comments.page(filter, asked);
      const page = { items, ...ends, count: await services.comments.count(filter) };
      const shown = new Map((await legacyComments(services, items)).map((comment) => [comment.id, comment]));
      return ok(cursorPage(request, asked, services.ids, page, ({ id }) => shown.get(id)!));
    },
  );

const ofEverybody = listOf('Comments of everybody, newest first (older API)', async (_services, { id: readerId }) => ({
  readerId,
}));

function listResource(path: string, find: Find<CommentSubject>): Resource {
  const add = operation(
    {
      summary: 'Comments on it (older API)',
      access: 'token',
      bodySchema: newCommentSchema,
      answers: { 201: legacyCommentSchema },
    },
    async ({ params, body: { text }, account, services }) => {
      const comment = await services.comments.create(account, await find(services, account, params), text);
      return created((await legacyComments(services, [comment]))[0]);
    },
  );
  return { path, operations: { get: listOf('Comments, newest first (older API)', find), post: add } };
}

function detailResource(path: string, find: Find<CommentRecord>): Resource {
  const detail = operation(
    { summary: 'One comment (older API)', access: 'token', answers: { 200: legacyCommentSchema } },
    async ({ params, account, services }) =>
      ok((await legacyComments(services, [await find(services, account, params)]))[0]),
  );
  const change = operation(
    {
      summary: 'Changes a comment (its author, the owner; older API)',
      access: 'token',
      bodySchema: commentChangesSchema,
      answers: { 200: legacyCommentSchema },
    },
    async ({ params, body: { text }, account, services }) => {
      const comment = await find(services, account, params);
      const changed = text === undefined ? comment : await services.comments.change(account, comment, text);
      return ok((await legacyComments(services, [changed]))[0]);
    },
  );
  const remove = operation(
    { summary: 'Deletes a comment (its author, the owner; older API)', access: 'token', answers: { 204: null } },
    async ({ params, account, services }) => {
      await services.comments.remove(account, await find(services, account, params));
      return noContent;
    },
  );
  return { path, operations: { get: detail, put: change, patch: change, delete: remove } };
}

const within =
  (find: Find<CommentSubject>): Find<CommentRecord> =>
  async (services, account, params) =>
    services.comments.get(await find(services, account, params), integerId(params.id!));

const byAnalyst = operation(
  {
    summary: 'Comments that an analyst wrote, newest first (older API)',
    access: 'token',
    limit: 'analysts',
    answers: { 200: pageSchema(legacyCommentSchema) },
  },
  async ({ request, params, account, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const author = await services.accounts.get(params.username!);
    const filter = { authorId: author.id, readerId: account.id };
    const comments = await services.comments.list(filter, asked.offset, asked.limit);
    const count = await services.comments.count(filter);
    return ok(numberedPage(request, asked, count, await legacyComments(services, comments)));
  },
);

export const legacyCommentResources: Resource[] = [
  listResource('/legacy/apks/:sha256/comments', aboutApk),
  detailResource('/legacy/apks/:sha256/comments/:id', within(aboutApk)),
  listResource('/legacy/public_rulesets/:ruleset/comments', aboutRuleset),
  detailResource('/legacy/public_rulesets/:ruleset/comments/:id', within(aboutRuleset)),
  listResource('/legacy/analysts/:username/profile_comments', aboutProfile),
  detailResource('/legacy/analysts/:username/profile_comments/:id', within(aboutProfile)),
  { path: '/legacy/comments', operations: { get: ofEverybody } },
  detailResource('/legacy/comments/:id', anyComment),
  { path: '/legacy/analysts/:username/comments', operations: { get: byAnalyst } },
];
