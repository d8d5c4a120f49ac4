// The instructions of a method as bytes, for rules that look for them. Imports zod only.
import { z } from 'zod';

/** Instructions that are told of one method; a rule takes far fewer. */
export const maxCodeBytes = 4096;

export const codeBytesQuerySchema = z.object({
  of: z.string().min(1).max(65_535).describe('A method, `Lcom/a/B;->m(I)V`'),
  dex: z.string().max(1000).optional().describe('Which dex, where several define the class'),
});

export const codeBytesSchema = z.object({
  dex: z.string(),
  instructions: z
    .array(
      z.object({
        /** Code units from the start of the method. */
        address: z.int().nonnegative(),
        /** Pairs of hexadecimal digits; `??` where the file's own tables are pointed into, which differ from file to file. */
        pattern: z.string(),
      }),
    )
    .max(maxCodeBytes),
  /** There are more instructions. */
  is_cut: z.boolean(),
});
export type CodeBytes = z.infer<typeof codeBytesSchema>;
