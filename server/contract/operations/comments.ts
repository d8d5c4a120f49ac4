// Comments on APKs, rulesets and profiles over HTTP.
import { commentChangesSchema, commentListSchema, commentSchema, newCommentSchema } from '../people/comment.ts';
import { type Operations, under } from './operation.ts';

/** The list and the single comments about one thing. */
const thread = {
  'GET /': {
    summary: 'Comments, newest first',
    access: 'token',
    paging: 'cursor',
    answers: { 200: commentListSchema },
  },
  'POST /': { summary: 'Comments', access: 'token', body: newCommentSchema, answers: { 201: commentSchema } },
  'GET /<comment>/': { summary: 'One comment', access: 'token', answers: { 200: commentSchema } },
  'PUT|PATCH /<comment>/': {
    summary: 'Changes a comment (its author, the owner)',
    access: 'token',
    body: commentChangesSchema,
    answers: { 200: commentSchema },
  },
  'DELETE /<comment>/': {
    summary: 'Deletes a comment (its author, the owner)',
    access: 'token',
    answers: { 204: null },
  },
} satisfies Operations;

export const commentOperations = {
  ...under('/apks/<sha256>/comments', thread),
  ...under('/rulesets/<id>/comments', thread),
  ...under('/analysts/<username>/profile_comments', { ...thread, 'GET /': { ...thread['GET /'], paging: 'number' } }),
} satisfies Operations;
