// Searches in the files of APKs over HTTP. Imports zod only.
import { z } from 'zod';
import { pageSchema, publicIdSchema, urlSchema } from '../list.ts';
import { apkReferenceSchema } from './apk.ts';

export const contentSearchRequestSchema = z.object({
  search: z
    .string()
    .min(1)
    .max(10_000)
    .describe(
      'A search of the catalogue that names contents: content:"text" (any case, UTF-8 or UTF-16) or content:{de ad ?? be}',
    ),
});

/** It is kept in memory, for its account, until newer ones take its place or the server ends. */
export const contentSearchSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  /** As it was asked. */
  search: z.string(),
  status: z.enum(['running', 'done', 'cancelled', 'failed']),
  error: z.string().nullable(),
  contents: z.array(
    z.object({
      /** As the search would name it. */
      content: z.string(),
      /**
       * Whether the index of contents tells which APKs may hold it: for that it has ten printable characters in a row. Else
       * all APKs are read that the rest of the search finds. Null: that is not known yet.
       */
      is_indexed: z.boolean().nullable(),
    }),
  ),
  /** APKs that the rest of the search finds. */
  apks_count: z.number().int(),
  /** Those that have to be read, as far as is known. */
  candidates_count: z.number().int(),
  read_count: z.number().int(),
  /** Could not be read: nothing is known of them. */
  failed_count: z.number().int(),
  found_count: z.number().int(),
  /** Since its start, or from its start to its end. */
  seconds: z.number(),
  /** Until it is done as fast as so far; null: not known. */
  seconds_left: z.number().nullable(),
});
export type ContentSearch = z.infer<typeof contentSearchSchema>;

const hexSchema = z.string().describe('Bytes as hex digits');

const contentHitSchema = z.object({
  apk: apkReferenceSchema,
  /** In the order of the search's contents; null: it was found for what it does not hold, or more than 2,000 others before it. */
  contents: z
    .array(
      z.object({
        /** How many places there are, up to 10,000. */
        count: z.number().int(),
        /** The first twenty. */
        places: z.array(
          z.object({
            /** Its path in the APK; empty: in the APK as it is packed. */
            file: z.string(),
            offset: z.number().int(),
            length: z.number().int(),
            /** What stands before it, the beginning of it, and what stands behind it. */
            before: hexSchema,
            found: hexSchema,
            after: hexSchema,
          }),
        ),
      }),
    )
    .nullable(),
});
export type ContentHit = z.infer<typeof contentHitSchema>;
export const contentHitListSchema = pageSchema(contentHitSchema);
