// Comments on APKs and rulesets over HTTP, as clients of the older API know them.

import { legacyCommentSchema } from '../../legacy.ts';
import { pageSchema } from '../../list.ts';
import { commentChangesSchema, newCommentSchema } from '../../people/comment.ts';
import { type Operation, type Operations, under } from '../operation.ts';

const list = {
  summary: 'Comments, newest first (older API)',
  access: 'token',
  paging: 'cursor',
  answers: { 200: pageSchema(legacyCommentSchema) },
} as const satisfies Operation;

/** What is about one thing. */
const thread = {
  'GET /': list,
  'POST /': {
    summary: 'Comments on it (older API)',
    access: 'token',
    body: newCommentSchema,
    answers: { 201: legacyCommentSchema },
  },
} satisfies Operations;

const comment = {
  'GET /<id>/': { summary: 'One comment (older API)', access: 'token', answers: { 200: legacyCommentSchema } },
  'PUT|PATCH /<id>/': {
    summary: 'Changes a comment (its author, the owner; older API)',
    access: 'token',
    body: commentChangesSchema,
    answers: { 200: legacyCommentSchema },
  },
  'DELETE /<id>/': {
    summary: 'Deletes a comment (its author, the owner; older API)',
    access: 'token',
    answers: { 204: null },
  },
} satisfies Operations;

export const legacyCommentOperations = {
  ...under('/legacy/apks/<sha256>/comments', { ...thread, ...comment }),
  ...under('/legacy/public_rulesets/<ruleset>/comments', { ...thread, ...comment }),
  ...under('/legacy/analysts/<username>/profile_comments', {
    ...thread,
    'GET /': { ...list, paging: 'number' },
    ...comment,
  }),
  'GET /legacy/comments/': { ...list, summary: 'Comments of everybody, newest first (older API)' },
  ...under('/legacy/comments', comment),
  'GET /legacy/analysts/<username>/comments/': {
    summary: 'Comments that an analyst wrote, newest first (older API)',
    access: 'token',
    limit: 'analysts',
    paging: 'number',
    answers: { 200: pageSchema(legacyCommentSchema) },
  },
} satisfies Operations;
