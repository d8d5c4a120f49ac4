// What can stand next in a search. Imports zod only.
import { z } from 'zod';

export const completionSchema = z.object({
  /** What `[from, to)` of the search is replaced with; a field ends with its colon. */
  text: z.string(),
  /** `meant`: a field and a value in the place of a hash, host or name that was typed without one. */
  kind: z.enum(['field', 'value', 'word', 'operator', 'meant']),
  /** For people: of a field what its values are, of a signer its company, of a finding its title, of a technique its name; else empty. */
  label: z.string(),
  /** About how many APKs have it, where that is known at once. */
  count: z.number().int().nullable(),
});
export type Completion = z.infer<typeof completionSchema>;

export const completionsSchema = z.object({
  /** Offsets in the search, in UTF-16 units. */
  from: z.number().int(),
  to: z.number().int(),
  /** The likeliest first, at most 80. */
  completions: z.array(completionSchema),
});
export type Completions = z.infer<typeof completionsSchema>;

export const completionsQuerySchema = z.object({
  search: z.string().optional().describe('The whole search as it stands'),
  position: z.coerce.number().int().min(0).max(4000).optional().describe('Where the cursor is; its end by default'),
});
