// What lists of known files and signers say of an APK. Imports zod only.
import { z } from 'zod';

export const knownKindSchema = z.enum(['good', 'bad']);
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
