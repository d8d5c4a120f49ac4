// Java source of an app's classes, as a worker hands it over page by page. Imports zod only.
import { z } from 'zod';

/** Pages of a decompilation go on where the one before ended. */
export const decompiledPageSchema = z.strictObject({
  files: z.array(
    z.strictObject({
      /** `com/example/Name.java`: names of Java, none of which leads out of a folder. */
      path: z.string().regex(/^(?:[^/\\.\0-\x1f]{1,250}\/)*[^/\\.\0-\x1f]{1,250}\.java$/),
      source: z.string(),
    }),
  ),
  /** How many files are behind this page; null where it is the last. */
  next: z.int().positive().nullable(),
  /** Top-level classes of the whole app. */
  total: z.int().nonnegative(),
  counts: z.strictObject({
    methods: z.int().nonnegative(),
    lost: z.int().nonnegative(),
    unresolved: z.int().nonnegative(),
    dispatched: z.int().nonnegative(),
  }),
  /** AndroidManifest.xml as text, on the first page; null where it cannot be read. */
  manifest: z.string().nullable(),
});
export type DecompiledPage = z.infer<typeof decompiledPageSchema>;
