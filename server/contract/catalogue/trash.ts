// The trash over HTTP: APKs and rulesets that were deleted and can come back. Imports zod only.
import { z } from 'zod';
import { pageSchema, publicIdSchema, sha256Schema, timestampSchema, urlSchema } from '../list.ts';

export const trashItemSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  kind: z.enum(['apk', 'ruleset']),
  /** Of an APK. */
  sha256: sha256Schema.nullable(),
  /** That a ruleset had, and gets again. */
  ruleset: publicIdSchema.nullable(),
  /** Of the app or the ruleset. */
  name: z.string(),
  /** Bytes of the APK, characters of the rules. */
  size: z.number().int(),
  /** Username. */
  deleted_by: z.string(),
  deleted_at: timestampSchema,
  /** When it goes for good; sooner where the disk fills. */
  expires_at: timestampSchema,
});
export type TrashItem = z.infer<typeof trashItemSchema>;

export const trashListSchema = pageSchema(trashItemSchema);

export const trashListQuerySchema = z.object({
  subject: z.string().max(100).optional().describe('Only the APK of this SHA-256, or the ruleset of this id'),
});

/** Where what came back stands: one of the two. */
export const restoredSchema = z.object({ apk: urlSchema.nullable(), ruleset: urlSchema.nullable() });
