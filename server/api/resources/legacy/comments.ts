// Comments on APKs and rulesets over HTTP, as clients of the older API know them.

import type { LegacyComment } from '../../../contract/legacy.ts';
import type { legacyCommentOperations } from '../../../contract/operations/legacy/comments.ts';
import { under } from '../../../contract/operations/operation.ts';
import type { CommentChangesBody, NewCommentBody } from '../../../contract/people/comment.ts';
import type { AccountRecord } from '../../../services/people/accounts.ts';
import type { Services } from '../../../services/services.ts';
import type { CommentFilter, CommentRecord, CommentSubject } from '../../../services/triage/comments.ts';
import { queryOf } from '../../addressing.ts';
import { type Call, created, type Handlers, noContent, ok } from '../../operation.ts';
import { cursorPage, numberedPage, numberedPageRequestOf, pageRequestOf } from '../../paging.ts';
import { integerId, legacyComments } from './records.ts';

type Find<Name extends string, Found> = (
  services: Services,
  account: AccountRecord,
  params: Record<Name, string>,
) => Promise<Found>;

const aboutApk: Find<'sha256', CommentSubject> = async ({ catalogue }, _account, params) => ({
  apkId: (await catalogue.get(params.sha256)).id,
});

const aboutRuleset: Find<'ruleset', CommentSubject> = async ({ rulesets }, account, params) => ({
  rulesetId: (await rulesets.get(account, integerId(params.ruleset))).id,
});

const aboutProfile: Find<'username', CommentSubject> = async ({ accounts }, _account, params) => ({
  profileId: (await accounts.get(params.username)).id,
});

/** The comment of this number, whatever it is about, as far as the account may see that. */
const anyComment: Find<'id', CommentRecord> = async ({ comments, rulesets }, account, params) => {
  const comment = await comments.getById(integerId(params.id));
  if (comment.rulesetId !== null) await rulesets.get(account, comment.rulesetId);
  return comment;
};

const listOf =
  <Name extends string>(filterOf: Find<Name, CommentFilter>) =>
  async ({ request, params, account, services }: Call<Name>) => {
    const asked = pageRequestOf(queryOf(request), services.ids);
    const filter = await filterOf(services, account, params);
    const { items, ...ends } = await services.comments.page(filter, asked);
    const page = { items, ...ends, count: await services.comments.count(filter) };
    const shown = new Map((await legacyComments(services, items)).map((comment) => [comment.id, comment]));
    return ok(cursorPage(request, asked, services.ids, page, ({ id }) => shown.get(id)!));
  };

const one = async (services: Services, comment: CommentRecord): Promise<LegacyComment> =>
  (await legacyComments(services, [comment]))[0]!;

const commentHandlers = <Name extends string>(find: Find<Name, CommentRecord>) => ({
  'GET /<id>/': async ({ params, account, services }: Call<Name>) =>
    ok(await one(services, await find(services, account, params))),

  'PUT|PATCH /<id>/': async ({
    params,
    body: { text },
    account,
    services,
  }: Call<Name, 'token', unknown, CommentChangesBody>) => {
    const comment = await find(services, account, params);
    const changed = text === undefined ? comment : await services.comments.change(account, comment, text);
    return ok(await one(services, changed));
  },

  'DELETE /<id>/': async ({ params, account, services }: Call<Name>) => {
    await services.comments.remove(account, await find(services, account, params));
    return noContent;
  },
});

/** What is about one kind of subject. */
const threadHandlers = <Name extends string>(find: Find<Name, CommentSubject>) => ({
  'GET /': listOf(find),

  'POST /': async ({ params, body: { text }, account, services }: Call<Name, 'token', unknown, NewCommentBody>) => {
    const comment = await services.comments.create(account, await find(services, account, params), text);
    return created(await one(services, comment));
  },

  ...commentHandlers<Name | 'id'>(async (services, account, params) =>
    services.comments.get(await find(services, account, params), integerId(params.id)),
  ),
});

export const legacyCommentHandlers: Handlers<typeof legacyCommentOperations> = {
  ...under('/legacy/apks/<sha256>/comments', threadHandlers(aboutApk)),
  ...under('/legacy/public_rulesets/<ruleset>/comments', threadHandlers(aboutRuleset)),
  ...under('/legacy/analysts/<username>/profile_comments', threadHandlers(aboutProfile)),
  'GET /legacy/comments/': listOf(async (_services, { id: readerId }) => ({ readerId })),
  ...under('/legacy/comments', commentHandlers(anyComment)),

  'GET /legacy/analysts/<username>/comments/': async ({ request, params, account, services }) => {
    const asked = numberedPageRequestOf(queryOf(request));
    const author = await services.accounts.get(params.username);
    const filter = { authorId: author.id, readerId: account.id };
    const comments = await services.comments.list(filter, asked.offset, asked.limit);
    const count = await services.comments.count(filter);
    return ok(numberedPage(request, asked, count, await legacyComments(services, comments)));
  },
};
