// A comment on an APK, a ruleset or a profile over HTTP. Imports zod only.
import { z } from 'zod';
import { pageSchema, publicIdSchema, sha256Schema, timestampSchema, urlSchema } from '../list.ts';

export const commentSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  author: z.object({ username: z.string(), url: urlSchema, avatar_url: z.string() }),
  /** What it is about: exactly one of the three. */
  apk: sha256Schema.nullable(),
  ruleset: publicIdSchema.nullable(),
  /** Username. */
  profile: z.string().nullable(),
  text: z.string(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Comment = z.infer<typeof commentSchema>;

export const commentListSchema = pageSchema(commentSchema);

const textSchema = z.string().trim().min(1, 'This field may not be blank.').max(10_000);

/** `@name` mentions an analyst; `#word` tags the APK that the comment is on. */
export const newCommentSchema = z.object({ text: textSchema });
export type NewCommentBody = z.infer<typeof newCommentSchema>;
export const commentChangesSchema = z.object({ text: textSchema.optional() });
export type CommentChangesBody = z.infer<typeof commentChangesSchema>;
