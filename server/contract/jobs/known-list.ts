// Lists of known files and signers over HTTP. Imports zod only.
import { z } from 'zod';
import { knownKindSchema } from '../catalogue/known.ts';
import { timestampSchema, wholeListSchema } from '../list.ts';
import { jobSchema } from './job.ts';

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
export const knownListsSchema = wholeListSchema(knownListSchema).extend({
  /** The import that was asked for last since the server started; null: none. */
  job: jobSchema.nullable(),
});

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
