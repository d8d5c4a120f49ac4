// What lists of known files and signers say of an APK. Imports zod only.
import { z } from 'zod';
import { timestampSchema, wholeListSchema } from '../list.ts';

export const knownKinds = ['good', 'bad'] as const;
export const knownKindSchema = z.enum(knownKinds);
export type KnownKind = z.infer<typeof knownKindSchema>;

/** What analysts say of signers is a list too. */
export const ownSigners = 'own signers';

export const knownSchema = z.object({
  /** Name of the list. */
  list: z.string(),
  kind: knownKindSchema,
  /** What the list has: the file, or the certificate that signed it. */
  by: z.enum(['file', 'signer']),
  /** Malware family or product by the list's word; empty: it tells none. */
  name: z.string(),
});
export type Known = z.infer<typeof knownSchema>;

const knownListSchema = z.object({
  name: z.string(),
  /** null: its file is damaged, and importing it again mends it; nothing else is known of it then. */
  kind: knownKindSchema.nullable(),
  /** Hashes in it. */
  count: z.int(),
  /** Name of the file that it was read from; empty: unknown. */
  source: z.string(),
  imported_at: timestampSchema.nullable(),
  /** Hashes that the list of its name before did not have, and those that only that had. */
  added: z.int(),
  removed: z.int(),
  /** Lines without a hash, and the first of them, from 1; 0: none. */
  unreadable: z.int(),
  first_unreadable_line: z.int(),
});
export type KnownList = z.infer<typeof knownListSchema>;
export const knownListsSchema = wholeListSchema(knownListSchema);

export const listImportQuerySchema = z.object({
  name: z
    .string()
    .regex(
      /^\w[\w. -]{0,63}$/,
      'Up to 64 letters, digits, blanks, dots, hyphens and underscores, a letter or digit first.',
    )
    .describe('Of the list'),
  kind: knownKindSchema.describe('What stands in the list is known good, or known bad'),
  source: z.string().max(255).default('').describe('Name of the file, where no form says it'),
});
