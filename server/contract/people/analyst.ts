// An analyst as others see them, in the legacy shape that both generations of the API serve. Imports zod only.
import { z } from 'zod';
import { filterSchema, formBooleanSchema } from '../list.ts';
import { accountChangesSchema, roles } from './account.ts';

export const apiGroups = ['basic', 'bronze', 'silver', 'gold', 'workstation'] as const;
export type ApiGroup = (typeof apiGroups)[number];

/** `/analysts/current` is whoever asks. */
const reservedUsername = 'current';

export const usernameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,149}$/, 'Letters, digits and _ . - only, at most 150, and no leading . or -.')
  .refine((name) => name.toLowerCase() !== reservedUsername, 'This name stands for whoever asks: choose another.');

export const analystSchema = z.object({
  username: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  /** Unix seconds. */
  date_joined: z.number().int(),
  /** The time of joining until the first one. */
  last_login: z.number().int(),
  total_public_rulesets: z.number().int(),
  total_followers: z.number().int(),
  total_following: z.number().int(),
  total_comments: z.number().int(),
  avatar_url: z.string(),
  occupation: z.string(),
  bio: z.string(),
  twitter_user: z.string(),

  role: z.enum(roles),
  api_group: z.string(),
  is_expert: z.boolean(),
  is_disabled: z.boolean(),
});
export type Analyst = z.infer<typeof analystSchema>;

/** Pages by `page` and `page_size` instead of a cursor. */
export const analystPageQuerySchema = z.object({
  page: z.coerce.number().int().positive().optional(),
  page_size: z.coerce.number().int().positive().optional(),
});

export const followFiltersSchema = z.object({
  username: filterSchema(z.string()).describe('Only this analyst: whether he is among them'),
});

export const newAnalystSchema = z.object({
  username: usernameSchema,
  first_name: z.string().max(150).optional(),
  last_name: z.string().max(150).optional(),
  api_group: z.enum(apiGroups).optional(),
});
export type NewAnalystBody = z.infer<typeof newAnalystSchema>;

/** `one_time_password` is shown this once and opens one session, in which the analyst sets a password. */
export const createdAnalystSchema = analystSchema.extend({ one_time_password: z.string() });
export type CreatedAnalyst = z.infer<typeof createdAnalystSchema>;

export const renamingSchema = z.object({ username: usernameSchema });

/** `one_time_password` as in a created analyst. */
export const oneTimePasswordSchema = z.object({ one_time_password: z.string() });

/** What an analyst (the first five) and the owner (all) may change. */
export const analystChangesSchema = accountChangesSchema.pick({ first_name: true, last_name: true }).extend({
  occupation: z.string().max(200).optional(),
  bio: z.string().max(10_000).optional(),
  twitter_user: z.string().max(100).optional(),
  role: z.enum(roles).optional(),
  api_group: z.enum(apiGroups).optional(),
  is_expert: formBooleanSchema.optional(),
  is_disabled: formBooleanSchema.optional(),
});
export type AnalystChangesBody = z.infer<typeof analystChangesSchema>;
