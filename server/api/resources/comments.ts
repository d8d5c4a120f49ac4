// Comments on APKs, rulesets and profiles over HTTP.

import type { commentOperations } from '../../contract/operations/comments.ts';
import { under } from '../../contract/operations/operation.ts';
import type { CommentChangesBody, NewCommentBody } from '../../contract/people/comment.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import type { CommentRecord, CommentSubject } from '../../services/triage/comments.ts';
import { queryOf } from '../addressing.ts';
import { type Call, created, type Handlers, noContent, ok } from '../operation.ts';
import { cursorPage, numberedPage, numberedPageRequestOf, pageRequestOf } from '../paging.ts';
import { presentComment } from '../presenters/comment.ts';
import type { Presenting } from '../presenters/presenting.ts';
import { rulesetId } from './rulesets.ts';

/** How comments of many subjects are shown: with their authors, APKs and profiles. */
export async function commentPresenter(
  presenting: Presenting,
  { accounts, catalogue }: Services,
  comments: readonly CommentRecord[],
) {
  const apks = await catalogue.findByIds(comments.flatMap(({ apkId }) => apkId ?? []));
  const analysts = await accounts.findByIds(
    comments.flatMap(({ authorId, profileId }) => [authorId, profileId ?? []]).flat(),
  );
  return (comment: CommentRecord) =>
    presentComment(presenting, {
      comment,
      author: analysts.get(comment.authorId)!,
      apk: comment.apkId === null ? null : (apks.get(comment.apkId)?.sha256 ?? null),
      profile: comment.profileId === null ? null : (analysts.get(comment.profileId) ?? null),
    });
}

type FindSubject<Name extends string> = (
  services: Services,
  account: AccountRecord,
  params: Record<Name, string>,
) => Promise<CommentSubject>;

/** The list of comments about one subject, by cursor. */
const listOf =
  <Name extends string>(find: FindSubject<Name>) =>
  async ({ request, params, account, presenting, services }: Call<Name>) => {
    const { comments, ids } = services;
    const subject = await find(services, account, params);
    const count = await comments.count(subject);
    const asked = pageRequestOf(queryOf(request), ids);
    const { items, ...ends } = await comments.page(subject, asked);
    const present = await commentPresenter(presenting, services, items);
    return ok(cursorPage(request, asked, ids, { items, ...ends, count }, present));
  };

/** The list of comments about one subject, by number. */
const numberedListOf =
  <Name extends string>(find: FindSubject<Name>) =>
  async ({ request, params, account, presenting, services }: Call<Name>) => {
    const subject = await find(services, account, params);
    const count = await services.comments.count(subject);
    const asked = numberedPageRequestOf(queryOf(request));
    const found = await services.comments.list(subject, asked.offset, asked.limit);
    const present = await commentPresenter(presenting, services, found);
    return ok(numberedPage(request, asked, count, found.map(present)));
  };

/** New and single comments about one kind of subject. */
function handlersOf<Name extends string>(find: FindSubject<Name>) {
  const findComment = async (services: Services, account: AccountRecord, params: Record<Name | 'comment', string>) => {
    const subject = await find(services, account, params);
    return services.comments.get(subject, services.ids.decode('comment', params.comment));
  };
  return {
    'POST /': async ({ params, body, account, presenting, services }: Call<Name, 'token', unknown, NewCommentBody>) => {
      const subject = await find(services, account, params);
      const comment = await services.comments.create(account, subject, body.text);
      return created((await commentPresenter(presenting, services, [comment]))(comment));
    },

    'GET /<comment>/': async ({ params, account, presenting, services }: Call<Name | 'comment'>) => {
      const comment = await findComment(services, account, params);
      return ok((await commentPresenter(presenting, services, [comment]))(comment));
    },

    'PUT|PATCH /<comment>/': async ({
      params,
      body,
      account,
      presenting,
      services,
    }: Call<Name | 'comment', 'token', unknown, CommentChangesBody>) => {
      const comment = await findComment(services, account, params);
      const changed = await services.comments.change(account, comment, body.text ?? comment.text);
      return ok((await commentPresenter(presenting, services, [changed]))(changed));
    },

    'DELETE /<comment>/': async ({ params, account, services }: Call<Name | 'comment'>) => {
      await services.comments.remove(account, await findComment(services, account, params));
      return noContent;
    },
  };
}

const aboutApk: FindSubject<'sha256'> = async ({ catalogue }, _account, params) => ({
  apkId: (await catalogue.get(params.sha256)).id,
});
const aboutRuleset: FindSubject<'id'> = async (services, account, params) => ({
  rulesetId: (await services.rulesets.get(account, rulesetId(services, params))).id,
});
const aboutProfile: FindSubject<'username'> = async ({ accounts }, _account, params) => ({
  profileId: (await accounts.get(params.username)).id,
});

export const commentHandlers: Handlers<typeof commentOperations> = {
  ...under('/apks/<sha256>/comments', { 'GET /': listOf(aboutApk), ...handlersOf(aboutApk) }),
  ...under('/rulesets/<id>/comments', { 'GET /': listOf(aboutRuleset), ...handlersOf(aboutRuleset) }),
  ...under('/analysts/<username>/profile_comments', {
    'GET /': numberedListOf(aboutProfile),
    ...handlersOf(aboutProfile),
  }),
};
