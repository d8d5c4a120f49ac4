// Folders of the workstation's machine whose files are taken in, over HTTP. Imports zod only.
import { z } from 'zod';
import { tagNameSchema } from '../catalogue/tag.ts';
import { formBooleanSchema, publicIdSchema, sha256Schema, timestampSchema, wholeListSchema } from '../list.ts';
import { machinePathSchema } from './machine-path.ts';

/** `note`: beside the file. `move`: into a folder of its own, with the note. `delete`: nothing is left of what was taken in. */
export const folderOutcomes = ['note', 'move', 'delete'] as const;
export type FolderOutcome = (typeof folderOutcomes)[number];

/** When its APKs are analysed: as uploads are, after them, or when nothing else is to do. */
export const folderPriorities = ['upload', 'import', 'bulk'] as const;
export type FolderPriority = (typeof folderPriorities)[number];

/** What of a folder can be chosen, and what it is by default. */
const fields = {
  tags: z.array(tagNameSchema).max(20).default([]),
  has_folder_tags: formBooleanSchema.default(false).describe('The folders in it that a file lies in are tags too'),
  rulesets: z
    .array(publicIdSchema)
    .max(50)
    .default([])
    .describe('Rulesets that scan its APKs, also where they are disabled for all others'),
  match_tags: z
    .array(tagNameSchema)
    .max(20)
    .default([])
    .describe('Tags of its APKs that one of these rulesets matches'),
  priority: z.enum(folderPriorities).default('import'),
  outcome: z.enum(folderOutcomes).default('note'),
  settle_seconds: z.coerce.number().int().min(1).max(3600).default(5),
  uses_polling: formBooleanSchema.default(false).describe('Where its file system tells nobody of changes'),
  is_on: formBooleanSchema.default(true),
};

export const newWatchedFolderSchema = z.object({ path: machinePathSchema, ...fields });
export type NewWatchedFolder = z.output<typeof newWatchedFolderSchema>;

/** Any subset. */
export const watchedFolderChangesSchema = z.object({
  tags: fields.tags.unwrap().optional(),
  has_folder_tags: fields.has_folder_tags.unwrap().optional(),
  rulesets: fields.rulesets.unwrap().optional(),
  match_tags: fields.match_tags.unwrap().optional(),
  priority: fields.priority.unwrap().optional(),
  outcome: fields.outcome.unwrap().optional(),
  settle_seconds: fields.settle_seconds.unwrap().optional(),
  uses_polling: fields.uses_polling.unwrap().optional(),
  is_on: fields.is_on.unwrap().optional(),
});
export type WatchedFolderChanges = z.output<typeof watchedFolderChangesSchema>;

const waitingFileSchema = z.object({ path: z.string(), reason: z.string() });

export const watchedFolderSchema = z.object({
  id: publicIdSchema,
  path: z.string(),
  tags: z.array(z.string()),
  has_folder_tags: z.boolean(),
  rulesets: z.array(publicIdSchema),
  match_tags: z.array(z.string()),
  priority: z.enum(folderPriorities),
  outcome: z.enum(folderOutcomes),
  settle_seconds: z.int(),
  uses_polling: z.boolean(),
  is_on: z.boolean(),
  created_at: timestampSchema,
  /** `unreachable`: its drive or share is not there; it is looked for again. */
  state: z.enum(['off', 'starting', 'watching', 'unreachable']),
  /** What is wrong with the folder; empty: nothing. */
  problem: z.string(),
  /** Files that were taken in, or hold nothing else. */
  taken_count: z.int(),
  /** Files of which something was not taken in. */
  refused_count: z.int(),
  /** Files that still change, or wait for their turn. */
  waiting_count: z.int(),
  /** Some of those that cannot be read now: locked, or on a share that fails. They are tried again. */
  unreadable: z.array(waitingFileSchema),
});
export type WatchedFolder = z.infer<typeof watchedFolderSchema>;
export const watchedFoldersSchema = wholeListSchema(watchedFolderSchema);

export const watchedFilesQuerySchema = z.object({
  is_refused: formBooleanSchema.optional().describe('Only those of which something was refused, or nothing'),
});

const watchedFileSchema = z.object({
  /** From the folder. */
  path: z.string(),
  size: z.int(),
  sha256: sha256Schema,
  apks: z.array(z.object({ sha256: sha256Schema, is_new: z.boolean() })),
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
  taken_at: timestampSchema,
});
export type WatchedFile = z.infer<typeof watchedFileSchema>;
/** The newest ones. */
export const watchedFilesSchema = wholeListSchema(watchedFileSchema);

export const retriedFilesSchema = z.object({ files: z.int() });
