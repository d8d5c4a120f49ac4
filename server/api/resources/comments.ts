// Comments on APKs, rulesets and profiles over HTTP.
import { commentChangesSchema, commentListSchema, commentSchema, newCommentSchema } from '../../contract/comment.ts';
import type { AccountRecord } from '../../services/people/accounts.ts';
import type { Services } from '../../services/services.ts';
import type { CommentRecord, CommentSubject } from '../../services/triage/comments.ts';
import { queryOf } from '../addressing.ts';
import { created, noContent, ok, operation, type Resource } from '../operation.ts';
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

type FindSubject = (
  services: Services,
  account: AccountRecord,
  params: Record<string, string>,
) => Promise<CommentSubject>;

/** The list and the single comments about one kind of subject. */
function commentResourcesOf(path: string, paging: 'cursor' | 'number', find: FindSubject): Resource[] {
  const list = operation(
    { summary: 'Comments, newest first', access: 'token', answers: { 200: commentListSchema } },
    async ({ request, params, account, presenting, services }) => {
      const { comments, ids } = services;
      const subject = await find(services, account, params);
      const count = await comments.count(subject);
      if (paging === 'number') {
        const asked = numberedPageRequestOf(queryOf(request));
        const found = await comments.list(subject, asked.offset, asked.limit);
        const present = await commentPresenter(presenting, services, found);
        return ok(numberedPage(request, asked, count, found.map(present)));
      }
      const asked = pageRequestOf(queryOf(request), ids);
      const { rows: items, ...ends } = await comments.page(subject, asked);
      const present = await commentPresenter(presenting, services, items);
      return ok(cursorPage(request, asked, ids, { items, ...ends, count }, present));
    },
  );

  const create = operation(
    { summary: 'Comments', access: 'token', bodySchema: newCommentSchema, answers: { 201: commentSchema } },
    async ({ params, body, account, presenting, services }) => {
      const subject = await find(services, account, params);
      const comment = await services.comments.create(account, subject, body.text);
      return created((await commentPresenter(presenting, services, [comment]))(comment));
    },
  );

  const findComment = async (services: Services, account: AccountRecord, params: Record<string, string>) => {
    const subject = await find(services, account, params);
    return services.comments.get(subject, services.ids.decode('comment', params.comment!));
  };

  const detail = operation(
    { summary: 'One comment', access: 'token', answers: { 200: commentSchema } },
    async ({ params, account, presenting, services }) => {
      const comment = await findComment(services, account, params);
      return ok((await commentPresenter(presenting, services, [comment]))(comment));
    },
  );

  const change = operation(
    {
      summary: 'Changes a comment (its author, the owner)',
      access: 'token',
      bodySchema: commentChangesSchema,
      answers: { 200: commentSchema },
    },
    async ({ params, body, account, presenting, services }) => {
      const comment = await findComment(services, account, params);
      const changed = await services.comments.change(account, comment, body.text ?? comment.text);
      return ok((await commentPresenter(presenting, services, [changed]))(changed));
    },
  );

  const remove = operation(
    { summary: 'Deletes a comment (its author, the owner)', access: 'token', answers: { 204: null } },
    async ({ params, account, services }) => {
      await services.comments.remove(account, await findComment(services, account, params));
      return noContent;
    },
  );

  return [
    { path, operations: { get: list, post: create } },
    { path: `${path}/:comment`, operations: { get: detail, put: change, patch: change, delete: remove } },
  ];
}

export const commentResources: Resource[] = [
  ...commentResourcesOf('/apks/:sha256/comments', 'cursor', async ({ catalogue }, _account, params) => ({
    apkId: (await catalogue.get(params.sha256!)).id,
  })),
  ...commentResourcesOf('/rulesets/:id/comments', 'cursor', async (services, account, params) => ({
    rulesetId: (await services.rulesets.get(account, rulesetId(services, params))).id,
  })),
  ...commentResourcesOf('/analysts/:username/profile_comments', 'number', async ({ accounts }, _account, params) => ({
    profileId: (await accounts.get(params.username!)).id,
  })),
];
