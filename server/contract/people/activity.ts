// What an analyst did, over HTTP. Imports zod only.
import { z } from 'zod';
import { apkReferenceSchema } from '../catalogue/apk.ts';
import { pageSchema, timestampSchema } from '../list.ts';
import { rulesetSchema } from '../rules/ruleset.ts';
import { commentSchema } from './comment.ts';
import { voteKinds } from './vote.ts';

export const activitySchema = z.object({
  type: z.enum(['comment', 'vote', 'ruleset', 'follow', 'upload']),
  /** Username. */
  analyst: z.string(),
  apk: apkReferenceSchema.nullable(),
  ruleset: rulesetSchema.nullable(),
  comment: commentSchema.nullable(),
  /** Of a vote. */
  kind: z.enum(voteKinds).nullable(),
  created_at: timestampSchema,

  /** Whom a follow or a comment on a profile is about: a username. */
  profile: z.string().nullable(),
});
export type Activity = z.infer<typeof activitySchema>;

export const activityListSchema = pageSchema(activitySchema);
