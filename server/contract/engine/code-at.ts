// Which code stands at bytes of a dex file, or uses the text that does. Imports zod only.
import { z } from 'zod';

export const codeAtQuerySchema = z.object({
  path: z.string().min(1).max(65_535).describe('Name of the dex file, as in matches of rules'),
  at: z.coerce.number().int().nonnegative().describe('Place in it, in bytes from its start'),
});

export const codeAtSchema = z.object({
  /** The instruction, or the first one that loads the text; null: there is none. */
  place: z
    .object({
      class: z.string(),
      dex: z.string(),
      method: z.string(),
      /** Code units from the start of the method. */
      offset: z.int().nonnegative(),
    })
    .nullable(),
  /** The text that the bytes belong to; null: they belong to none. */
  text: z.string().nullable(),
});
export type CodeAt = z.infer<typeof codeAtSchema>;
