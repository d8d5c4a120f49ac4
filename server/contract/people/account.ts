// The authenticated analyst's own account: profile, settings, tokens, session, use of limits. Imports zod only.
import { z } from 'zod';
import { eachOf, formBooleanSchema, publicIdSchema, timestampSchema, urlSchema, wholeListSchema } from '../list.ts';
import { actions } from '../policy.ts';

export const accountSettingNames = [
  'notify_analysis_completed',
  'notify_ruleset_matched',
  'notify_new_profile_comment',
  'notify_new_ruleset_comment',
  'notify_new_follower',
  'notify_new_mention',
  'email_analysis_completed',
  'email_ruleset_matched',
  'email_new_follower',
] as const;

const accountSettingsSchema = eachOf(accountSettingNames, z.boolean());

const settingChangesSchema = eachOf(accountSettingNames, formBooleanSchema.optional());

/** What a picture beside a name may be. */
export const avatarTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

const profileSchema = z.object({
  avatar: z.string(),
  occupation: z.string(),
  biography: z.string(),
  twitter: z.string(),
  is_expert: z.boolean(),
});

export const roles = ['owner', 'analyst'] as const;

export const accountSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** The time of joining until the first one. */
  last_login: timestampSchema,
  profile: profileSchema,
  settings: accountSettingsSchema,
  api_group: z.string(),
  can_get_apks_feed: z.boolean(),
  can_get_analyses_feed: z.boolean(),
  can_get_detected_feed: z.boolean(),
  followers_count: z.number().int(),
  followed_count: z.number().int(),
  rulesets_count: z.number().int(),
  created_at: timestampSchema,

  role: z.enum(roles),
  email: z.string(),
  /** false: no password yet, the account is opened by tokens and one-time codes alone. */
  has_password: z.boolean(),
  /** What only some accounts may do, and this one may. */
  may: z.array(z.enum(actions)),
});
export type Account = z.infer<typeof accountSchema>;

const line = (max: number) => z.string().max(max);

/** Characters of a picture of 1 MiB in base64, with some room. */
const maxDataUrl = 1_500_000;

/**
 * A picture as a data URL, or as a file part of a form; some words in its place; empty: none. The address that a record
 * shows, sent back, changes nothing.
 */
const avatarSchema = line(maxDataUrl).refine((text) => text.length <= 2000 || text.startsWith('data:'), {
  message: 'At most 2000 characters, or a picture as a data URL.',
});

/** Any subset; what is absent keeps its value. Read-only fields are ignored, so that a record can be sent back whole. */
export const accountChangesSchema = z.object({
  first_name: line(150).optional(),
  last_name: line(150).optional(),
  email: z.union([z.literal(''), z.email()]).optional(),
  profile: z
    .object({
      avatar: avatarSchema.optional(),
      occupation: line(200).optional(),
      biography: line(10_000).optional(),
      twitter: line(100).optional(),
    })
    .optional(),
  settings: settingChangesSchema.optional(),
});
export type AccountChangesBody = z.infer<typeof accountChangesSchema>;

export const minPasswordLength = 8;
const maxPasswordLength = 1000;

/** Characters are what people count, not what UTF-16 needs for them. */
const newPasswordSchema = z
  .string()
  .max(maxPasswordLength)
  .refine((password) => [...password.normalize('NFC')].length >= minPasswordLength, {
    message: `Ensure this field has at least ${minPasswordLength} characters.`,
  })
  .meta({ minLength: minPasswordLength });

/** Sets the password; the current one is asked for where there is one. All other sessions end. */
export const passwordChangeSchema = z.object({
  current_password: z.string().max(maxPasswordLength).optional(),
  password: newPasswordSchema,
});
export type PasswordChangeBody = z.infer<typeof passwordChangeSchema>;

/** A code of the second factor, or a recovery code; where it is missing or wrong, this field is at fault (400). */
const secondFactor = { second_factor: z.string().max(64).optional() };

/** Opens a session: by username and password, or by a one-time login code. */
export const sessionRequestSchema = z.union([
  z.object({ login_code: z.string().min(1).max(200), ...secondFactor }),
  z.object({
    username: z.string().min(1).max(150),
    password: z.string().min(1).max(maxPasswordLength),
    ...secondFactor,
  }),
]);
export type SessionRequest = z.infer<typeof sessionRequestSchema>;

export const sessionSchema = z.object({
  /** Sent as `Authorization: Token <token>`. */
  token: z.string(),
  /** However it is used. */
  expires_at: timestampSchema,
  /** It ends earlier when nobody has used it for so long; 0: it does not. */
  idle_minutes: z.number().int(),
  account: accountSchema,
});
export type Session = z.infer<typeof sessionSchema>;

export const tokenSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  name: z.string(),
  created_at: timestampSchema,
  expires_at: timestampSchema.nullable(),
  last_used_at: timestampSchema.nullable(),
});
export type Token = z.infer<typeof tokenSchema>;

export const tokenListSchema = wholeListSchema(tokenSchema);

/** A log-in that has not ended; its name says from what and where. */
const sessionRecordSchema = z.object({
  id: publicIdSchema,
  name: z.string(),
  created_at: timestampSchema,
  expires_at: timestampSchema.nullable(),
  /** Unless it is used before; at the latest it `expires_at`. */
  ends_at: timestampSchema,
  last_used_at: timestampSchema.nullable(),
  /** The session that asks. */
  is_current: z.boolean(),
});
export type SessionRecord = z.infer<typeof sessionRecordSchema>;
export const sessionListSchema = wholeListSchema(sessionRecordSchema);

export const newTokenSchema = z.object({ name: line(100).optional() });
/** `token` is shown this once. */
export const createdTokenSchema = tokenSchema.extend({ token: z.string().regex(/^[0-9a-f]{40}$/) });
export type CreatedToken = z.infer<typeof createdTokenSchema>;

export const limitNames = [
  'apk-search',
  'apk-detail',
  'apk-download',
  'apk-analyze',
  'apk-analysis',
  'api-usage',
] as const;
export type LimitName = (typeof limitNames)[number];

export const rulesetLimitNames = ['enabled', 'enabled_characters', 'private'] as const;
export type RulesetLimitName = (typeof rulesetLimitNames)[number];

export const statisticsSchema = z.object({
  rate_limits: eachOf(
    limitNames,
    z.object({
      limit: z.string().regex(/^\d+\/(day|min)$/),
      used: z.number().int(),
    }),
  ),
  /** What the account's rulesets may be; `limit` is null where they may be any number. */
  ruleset_limits: eachOf(rulesetLimitNames, z.object({ limit: z.int().nullable(), used: z.int() })),
  /** Seconds of the processor that the account's enabled rulesets may take together for one APK; null: any. */
  ruleset_scan_seconds: z.int().nullable(),
});
export type Statistics = z.infer<typeof statisticsSchema>;
