// An authenticator app as an account's second factor. Imports zod only.
import { z } from 'zod';
import { timestampSchema, wholeListSchema } from '../list.ts';

/** A code of the app, or a recovery code. */
const secondFactorCodeSchema = z.string().min(1).max(64);

const password = z.string().max(1000).optional();

export const secondFactorSchema = z.object({
  /** Since when codes are asked for; null: they are not. */
  confirmed_at: timestampSchema.nullable(),
  recovery_codes_left: z.number().int(),
});

/** The current password is asked for where there is one, as for a change of it. */
export const newSecondFactorSchema = z.object({ current_password: password });

/** Shown this once. */
export const createdSecondFactorSchema = z.object({
  /** Base32, for an app that cannot read the code of the address. */
  secret: z.string(),
  /** For the app, as a QR code: `otpauth://totp/…`. */
  uri: z.string(),
});
export type CreatedSecondFactor = z.infer<typeof createdSecondFactorSchema>;

export const secondFactorConfirmationSchema = z.object({ second_factor: secondFactorCodeSchema });
export const secondFactorChangeSchema = newSecondFactorSchema.extend({ second_factor: secondFactorCodeSchema });
export type SecondFactorChange = z.infer<typeof secondFactorChangeSchema>;

/** Each opens one session in the place of a code. Shown this once. */
export const recoveryCodesSchema = z.object({ recovery_codes: z.array(z.string()) });

/** Accounts that have a second factor, for the owner. */
export const secondFactorListSchema = wholeListSchema(
  z.object({ username: z.string(), confirmed_at: timestampSchema }),
);
export type SecondFactorList = z.infer<typeof secondFactorListSchema>;
