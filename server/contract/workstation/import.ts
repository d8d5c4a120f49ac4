// Imports of files of the workstation's machine, over HTTP. Imports zod only.
import { z } from 'zod';
import { tagNameSchema } from '../catalogue/tag.ts';
import { formBooleanSchema, pageSchema, publicIdSchema, timestampSchema, wholeListSchema } from '../list.ts';
import { machinePathSchema } from './machine-path.ts';

export const newImportSchema = z.object({
  path: machinePathSchema.describe(
    "A file, an archive or a folder with all folders in it: absolute, on the workstation's machine",
  ),
  tags: z.array(tagNameSchema).max(20).default([]),
  has_folder_tags: formBooleanSchema.default(false).describe('The folders in it that a file lies in are tags too'),
});
export type NewImport = z.output<typeof newImportSchema>;

/** `stopped` by somebody, or because nothing more could be taken in: `problem` says why. */
export const importStates = ['running', 'stopped', 'ended'] as const;
export type ImportState = (typeof importStates)[number];

export const importChangesSchema = z.object({
  state: z.enum(['running', 'stopped']).describe('`stopped`: until it is told to go on'),
});

export const importSchema = z.object({
  id: publicIdSchema,
  path: z.string(),
  tags: z.array(z.string()),
  has_folder_tags: z.boolean(),
  state: z.enum(importStates),
  /** Empty: none. */
  problem: z.string(),
  /** Files and bytes in all; null: they are still counted. */
  file_count: z.int().nullable(),
  byte_count: z.int().nullable(),
  /** What is done of them. */
  done_files: z.int(),
  done_bytes: z.int(),
  /** APKs that were new, and those that the catalogue had. */
  added_count: z.int(),
  held_count: z.int(),
  /** Files, also in archives, that were not taken in. */
  refused_count: z.int(),
  /** Since it began or went on; null: not yet known, or it does not run. */
  bytes_per_second: z.number().nullable(),
  files_per_second: z.number().nullable(),
  seconds_left: z.int().nullable(),
  created_at: timestampSchema,
  ended_at: timestampSchema.nullable(),
});
export type Import = z.infer<typeof importSchema>;
/** The newest first. */
export const importsSchema = wholeListSchema(importSchema);

export const importRefusalsSchema = pageSchema(
  z.object({
    /** From the path of the import; an archive where it is in one. */
    path: z.string(),
    /** Of the file, or of the one in the archive. */
    name: z.string(),
    reason: z.string(),
  }),
);
