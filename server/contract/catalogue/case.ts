// Cases: APKs that people look into together, with what they note, ask, have to do and know of when it happened. Imports zod
// only.
import { z } from 'zod';
import {
  filterSchema,
  formBooleanSchema,
  pageSchema,
  publicIdSchema,
  sha256Schema,
  timestampSchema,
  urlSchema,
  wholeListSchema,
} from '../list.ts';
import { apkSchema } from './apk.ts';
import { verdicts } from './verdict.ts';

/** Of one case: so many can be exported at once too. */
export const maxCaseApks = 2000;
const maxPeople = 100;
/** Of one case. */
export const maxCaseEntries = 5000;
const maxTextLength = 10_000;

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, 'It has no control characters.');
const name = line(100).min(1, 'This field may not be blank.');
const note = z.string().trim().max(maxTextLength);
const person = line(150).min(1, 'This field may not be blank.');

export const entryKinds = ['note', 'question', 'task', 'event'] as const;
export type EntryKind = (typeof entryKinds)[number];

export const caseSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  name: z.string(),
  note: z.string(),
  is_closed: z.boolean(),
  /** Username of who made it, as it was then. */
  analyst: z.string(),
  people: z.array(z.string()).describe('Usernames of those who work on it, also of other workstations'),
  apks_count: z.int().nonnegative(),
  open_questions_count: z.int().nonnegative(),
  open_tasks_count: z.int().nonnegative(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type Case = z.infer<typeof caseSchema>;
export const caseListSchema = pageSchema(caseSchema);
export const wholeCaseListSchema = wholeListSchema(caseSchema);
export const caseListQuerySchema = z.object({
  search: z.string().max(100).optional().describe('A part of the name or the note'),
  is_closed: filterSchema(formBooleanSchema),
});

export const newCaseSchema = z.object({ name, note: note.default('') });
export const caseChangesSchema = z.object({
  name: name.optional(),
  note: note.optional(),
  is_closed: z.boolean().optional(),
  people: z.array(person).max(maxPeople).optional().describe('All of them, in the place of those before'),
});

export const caseApkSchema = z.object({
  sha256: sha256Schema,
  apk: apkSchema.nullable().describe('null: it is not in the catalogue, or not any more'),
  /** As the app was called when it was added. */
  name: z.string(),
  note: z.string(),
  analyst: z.string(),
  added_at: timestampSchema,
});
export type CaseApk = z.infer<typeof caseApkSchema>;
export const caseApksSchema = pageSchema(caseApkSchema);
export const newCaseApksSchema = z
  .object({
    apks: z
      .array(z.string().toLowerCase().pipe(sha256Schema))
      .min(1)
      .max(maxCaseApks)
      .optional()
      .describe('Either these, also ones that are not in the catalogue'),
    search: z.string().max(10_000).optional().describe('or those that this finds now; an empty one finds all'),
    note: note.default('').describe('Why they belong there'),
  })
  .refine(({ apks, search }) => (apks === undefined) !== (search === undefined), {
    path: ['apks'],
    message: 'Either "apks" or "search" is required.',
  });
export const addedCaseApksSchema = z.object({
  /** Of them the case had some before. */
  count: z.int().nonnegative(),
  added: z.int().nonnegative(),
});

export const caseEntrySchema = z.object({
  id: publicIdSchema,
  kind: z.enum(entryKinds),
  text: z.string(),
  answer: z.string().describe('To a question'),
  assignee: z.string().describe('Username of who does a task; empty: nobody'),
  is_done: z.boolean().describe('A task is done, or a question is answered'),
  happened_at: timestampSchema.describe('Of an event; of others when they were written'),
  analyst: z.string(),
  created_at: timestampSchema,
  updated_at: timestampSchema,
});
export type CaseEntry = z.infer<typeof caseEntrySchema>;
export const caseEntriesSchema = pageSchema(caseEntrySchema);
export const caseEntriesQuerySchema = z.object({ kind: filterSchema(z.enum(entryKinds)) });

const text = z.string().trim().min(1, 'This field may not be blank.').max(maxTextLength);
const entryChanges = {
  text: text.optional(),
  answer: note.optional(),
  assignee: line(150).optional(),
  is_done: z.boolean().optional(),
  happened_at: z.iso.datetime({ offset: true }).optional().describe('Of an event'),
};
export const newCaseEntrySchema = z.object({ ...entryChanges, kind: z.enum(entryKinds), text });
export const caseEntryChangesSchema = z.object(entryChanges);

const time = z.iso.datetime({ offset: true });

/** A whole case with what is known of its APKs, for another workstation. */
export const caseFileSchema = z.object({
  format: z.literal('apk-workstation-case'),
  version: z.literal(1),
  case: z.object({ name, note, is_closed: z.boolean(), people: z.array(person).max(maxPeople), analyst: person }),
  entries: z
    .array(
      z.object({
        ...{ kind: z.enum(entryKinds), text, answer: note, assignee: line(150), is_done: z.boolean() },
        ...{ happened_at: time, created_at: time, analyst: person },
      }),
    )
    .max(maxCaseEntries),
  apks: z
    .array(
      z.object({
        ...{ sha256: sha256Schema, name: line(500), note, analyst: person, added_at: time },
        known: z
          .object({
            ...{ sha1: z.string(), md5: z.string(), size: z.int().nonnegative() },
            ...{ app: z.string(), package_name: z.string(), version: z.string(), company: z.string() },
            ...{ verdict: z.enum(verdicts), family: line(100), verdict_note: z.string().max(2000) },
            ...{ risk: z.int().nullable(), tags: z.array(z.string().max(50)).max(1000) },
          })
          .nullable()
          .describe('null: the workstation did not hold it'),
      }),
    )
    .max(maxCaseApks),
});
export type CaseFile = z.infer<typeof caseFileSchema>;

export const importedCaseSchema = z.object({
  case: caseSchema,
  /** APKs of the file that are in this catalogue. */
  held: z.int().nonnegative(),
  /** Those that are not: the case has them by their hash, and finds them when they come. */
  missing: z.int().nonnegative(),
});
