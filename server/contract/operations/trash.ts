// The trash over HTTP.
import { z } from 'zod';
import { restoredSchema, trashItemSchema, trashListQuerySchema, trashListSchema } from '../catalogue/trash.ts';
import type { Operations } from './operation.ts';

export const trashOperations = {
  'GET /trash/': {
    summary: 'Deleted items that can be restored, newest first: APKs for the owner, rulesets for their authors',
    access: 'token',
    query: trashListQuerySchema,
    paging: 'cursor',
    answers: { 200: trashListSchema },
  },
  'DELETE /trash/': {
    summary: 'Empties the trash: deletes permanently all that one could restore',
    access: 'token',
    answers: { 204: null },
  },
  'GET /trash/<id>/': { summary: 'One item of the trash', access: 'token', answers: { 200: trashItemSchema } },
  'POST /trash/<id>/restore/': {
    summary: 'Restores an APK with its file, reports, comments and verdicts, or a ruleset with its matches',
    access: 'token',
    body: z.object({}),
    refusals: ['apk-held', 'private-ruleset-quota'],
    answers: { 200: restoredSchema },
  },
  'DELETE /trash/<id>/': { summary: 'Deletes an item permanently', access: 'token', answers: { 204: null } },
} satisfies Operations;
