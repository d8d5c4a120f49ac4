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
  apks_count: z.number().int(),
  /** What finds them in the catalogue. */
  search: z.string(),
});
export type Signer = z.infer<typeof signerSchema>;

/** Signers of most APKs first; pages by `page` and `page_size`. */
export const signerListSchema = pageSchema(signerSchema);

export const signerListQuerySchema = z.object({ is_trusted: formBooleanSchema.optional() });

/** A trusted signer's APKs are trusted, those that come later too. */
export const signerChangesSchema = z.object({ is_trusted: formBooleanSchema });
