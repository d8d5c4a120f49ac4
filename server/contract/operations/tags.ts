// Tags of APKs over HTTP.
import { addedTagSchema, newTagSchema } from '../catalogue/tag.ts';
import type { Operations } from './operation.ts';

export const tagOperations = {
  'POST /apks/<sha256>/tags/': {
    summary: 'Tags an APK',
    access: 'token',
    body: newTagSchema,
    answers: { 201: addedTagSchema },
  },
  'DELETE /apks/<sha256>/tags/<name>/': {
    summary: 'Removes a tag from an APK',
    access: 'token',
    answers: { 204: null },
  },
} satisfies Operations;
