// Libraries that people imported, over HTTP. Imports zod only.
import { z } from 'zod';
import { timestampSchema, wholeListSchema } from '../list.ts';
import { jobSchema } from './job.ts';

const librarySchema = z.object({
  name: z.string(),
  /** Empty: its file did not say it. */
  version: z.string(),
  /** Methods that it is known by. */
  methods: z.int(),
  /** Name of the file that it was read from. */
  source: z.string(),
  imported_at: timestampSchema,
});
export type Library = z.infer<typeof librarySchema>;

const libraryImportSchema = z.object({ source: z.string(), job: jobSchema });

export const librariesSchema = wholeListSchema(librarySchema).extend({
  /** Imports since the server started that are under way or failed, the newest first. */
  imports: z.array(libraryImportSchema),
});

const said = z.string().max(200);
export const libraryImportQuerySchema = z.object({
  name: said.default('').describe('Of the library; empty: as its file says'),
  version: said.default('').describe('Of the library; empty: as its file says'),
  source: z.string().max(255).default('').describe('Name of the file, where no form says it'),
});
