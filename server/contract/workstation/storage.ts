// Room on the disk, the retention rule, and backups, as the owner sees them. Imports zod only.
import { z } from 'zod';
import { formBooleanSchema, timestampSchema, urlSchema, wholeListSchema } from '../list.ts';

const bytes = z.number().int();

export const storageSchema = z.object({
  folder: z.string(),
  apks: z.number().int(),
  apk_bytes: bytes,
  /** Everything but the APKs: records, search index, reports. */
  database_bytes: bytes,
  /** Part of `database_bytes`. */
  report_bytes: bytes,
  feed_bytes: bytes,
  backup_bytes: bytes,
  cache_bytes: bytes,
  free_bytes: bytes,
  disk_bytes: bytes,
  retention: z.object({
    /** APKs older than this are deleted; null: none is. */
    days: z.number().int().nullable(),
    /** Also APKs with comments, votes or matches. */
    includes_engaged: z.boolean(),
    due_apks: z.number().int(),
    due_bytes: bytes,
  }),
});

/** As many letters as nobody guesses who has the file and all the time. */
export const passphraseLength = 12;

export const newBackupSchema = z.object({
  /** Seals the backup: nobody reads it without. None: whoever has the file reads all of it, APKs and keys too. */
  passphrase: z
    .string()
    .max(500)
    .regex(/^[^\r\n]*$/, 'One line.')
    .refine((text) => [...text].length >= passphraseLength, `At least ${passphraseLength} characters.`)
    .optional(),
  /** Takes the authority's key along, which vouches for this workstation before teammates. Otherwise a restored one makes another. */
  with_authority: formBooleanSchema.optional(),
});

export const backupRunSchema = z.object({
  name: z.string(),
  status: z.enum(['running', 'done', 'failed']),
  progress: z.number(),
  error: z.string().nullable(),
});

const scheduledBackupSchema = z.object({
  started_at: timestampSchema,
  ended_at: timestampSchema,
  /** null: it ended well. */
  error: z.string().nullable(),
  apks: z.number().int(),
  /** What was written for it. */
  copied: bytes,
  /** All backups of the folder. */
  size: bytes,
  /** Backups in the folder. */
  states: z.number().int(),
  /** Pieces that were found altered and were taken away. */
  damaged: z.number().int(),
  /** Of those the ones that only older backups need. */
  lost: z.number().int(),
});

export const backupScheduleSchema = z.object({
  /** null: none is set (`backup_folder`). */
  folder: z.string().nullable(),
  hours: z.number().int(),
  /** 0 to 1; null: none is under way. */
  progress: z.number().nullable(),
  last: scheduledBackupSchema.nullable(),
  last_good: scheduledBackupSchema.nullable(),
  due_at: timestampSchema.nullable(),
});

const backupSchema = z.object({
  name: z.string(),
  is_sealed: z.boolean(),
  size: bytes,
  created_at: timestampSchema,
  /** Valid for 3 minutes. */
  download_url: urlSchema,
});

export const backupListSchema = wholeListSchema(backupSchema).extend({
  /** The backup under way, or how the last one ended since the server's start. */
  run: backupRunSchema.nullable(),
});
