// Signers of the APKs in the catalogue over HTTP, and whether they are trusted. Imports zod only.
import { z } from 'zod';
import { formBooleanSchema, pageSchema } from '../list.ts';

const hash = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));

export const signerSchema = z.object({
  /** Of the certificate. */
  sha256: hash(64),
  sha1: hash(40),
  /** O, else CN, of the certificate. */
  company: z.string(),
  is_trusted: z.boolean(),
  /** Analysts know it for malware: its APKs are known bad. */
  is_bad: z.boolean(),
  apks_count: z.number().int(),
  /** What finds them in the catalogue. */
  search: z.string(),
});
export type Signer = z.infer<typeof signerSchema>;

/** Signers of most APKs first; pages by `page` and `page_size`. */
export const signerListSchema = pageSchema(signerSchema);

export const signerListQuerySchema = z.object({ is_trusted: formBooleanSchema.optional() });

/**
 * A trusted signer's APKs are trusted and known good, a bad one's known bad, those that come later too. No signer is both:
 * what is said last holds.
 */
export const signerChangesSchema = z
  .object({ is_trusted: formBooleanSchema.optional(), is_bad: formBooleanSchema.optional() })
  .refine(({ is_trusted, is_bad }) => is_trusted !== undefined || is_bad !== undefined, {
    path: ['is_trusted'],
    message: 'Say whether it is trusted, or bad.',
  })
  .refine(({ is_trusted, is_bad }) => !(is_trusted === true && is_bad === true), {
    path: ['is_bad'],
    message: 'A signer is trusted or bad, not both.',
  });
