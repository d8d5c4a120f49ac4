// What an analyst is told of, over HTTP. Imports zod only.
import { z } from 'zod';
import { apkReferenceSchema } from '../catalogue/apk.ts';
import { jobStates } from '../jobs/job.ts';
import {
  filterSchema,
  formBooleanSchema,
  pageQuerySchema,
  pageSchema,
  publicIdSchema,
  timestampSchema,
  urlSchema,
} from '../list.ts';

export const notificationTypes = [
  'ruleset_matched',
  'ruleset_commented',
  'analysis_completed',
  'user_new_follower',
  'ruleset_social_accepted',
  'ruleset_social_rejected',
  'mention_comment_sample',
  'mention_comment_ruleset',
  'profile_commented',
  'ruleset_suspended',
  'authority_renewed',
  'machine_gone',
  'backup_failed',
] as const;
export type NotificationType = (typeof notificationTypes)[number];

/** An analyst as other records mention him. */
const analystReferenceSchema = z.object({ username: z.string(), url: urlSchema, avatar_url: z.string() });

const recordReference = { id: publicIdSchema, url: urlSchema };

export const notificationSchema = z.object({
  ...recordReference,
  type: z.enum(notificationTypes),
  is_read: z.boolean(),
  created_at: timestampSchema,
  apk: apkReferenceSchema.nullable(),
  ruleset: z.object({ ...recordReference, name: z.string() }).nullable(),
  /** null too where the match no longer holds. */
  match: z.object(recordReference).nullable(),
  /** Who did what this tells of. */
  analyst: analystReferenceSchema.nullable(),
  comment: z.object({ ...recordReference, text: z.string() }).nullable(),

  /**
   * With `analysis_completed`: the job that ended. With `ruleset_matched` and no APK: the retrohunt that it tells the
   * matches of; with several rulesets `ruleset` is null too.
   */
  job: z
    .object({ ...recordReference, kind: z.string(), status: z.enum(jobStates), result_url: urlSchema.nullable() })
    .nullable(),
  /** Rules of the ruleset that match the APK; APKs in which a retrohunt found something new; null with other types. */
  matches_count: z.number().int().nullable(),
});
export type Notification = z.infer<typeof notificationSchema>;

export const notificationListSchema = pageSchema(notificationSchema);

/** true, false, read, unread and the words of forms, in any case. */
const readStateSchema = z
  .preprocess((value) => {
    const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
    return word === 'read' ? true : word === 'unread' ? false : value;
  }, formBooleanSchema)
  .meta({ type: 'boolean' });

export const notificationListQuerySchema = pageQuerySchema.extend({
  type: filterSchema(z.enum(notificationTypes)).describe('Only this type'),
  is_read: filterSchema(readStateSchema).describe('true or read, false or unread'),
});

export const notificationChangesSchema = z.object({ is_read: readStateSchema.optional() });
