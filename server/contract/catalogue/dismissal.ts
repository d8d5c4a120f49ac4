// Dismissals of findings and of rules' matches over HTTP: what is no matter of concern, where, and why. Imports zod only.
import { z } from 'zod';
import { dismissalScopes } from '../findings/dismissed.ts';
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
import { apkReferenceSchema } from './apk.ts';

export const dismissalSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  /** Code of a finding; null: it is about a rule. */
  finding: z.string().nullable(),
  ruleset: z.object({ id: publicIdSchema, url: urlSchema, name: z.string() }).nullable(),
  rule: z.string().nullable(),
  scope: z.enum(dismissalScopes),
  /** With the scope `apk`. */
  apk: apkReferenceSchema.nullable(),
  /** With the scope `signer`. */
  signer: z.object({ sha256: sha256Schema }).nullable(),
  /** With the scope `library`: a class, a package, or a native library by its file name. */
  library: z.string().nullable(),
  /** With the scope `apk`: this place alone; null: all places. */
  where: z.string().nullable(),
  reason: z.string(),
  /** Username, as it was then. */
  analyst: z.string(),
  created_at: timestampSchema,
  /** Username of who undid it; null: it holds. */
  undone_by: z.string().nullable(),
  undone_at: timestampSchema.nullable(),
});
export type Dismissal = z.infer<typeof dismissalSchema>;

export const dismissalListSchema = pageSchema(dismissalSchema);
/** Those that hold for one APK. */
export const heldDismissalsSchema = wholeListSchema(dismissalSchema);

export const dismissalListQuerySchema = z.object({
  is_undone: filterSchema(formBooleanSchema).describe('Only those that were undone, or only those that hold'),
});

const hash = z.string().toLowerCase().pipe(sha256Schema);
const place = z.string().trim().min(1, 'This field may not be blank.').max(500);

export const newDismissalSchema = z
  .object({
    finding: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'A finding is named by its code.')
      .max(100)
      .optional()
      .describe('Either the code of a finding'),
    ruleset: publicIdSchema.optional().describe('or a ruleset and its rule'),
    rule: z.string().min(1).max(200).optional(),
    scope: z.enum(dismissalScopes),
    apk: hash.optional().describe('With `apk`; with `signer` it names the one of this APK'),
    signer: hash.optional().describe("With `signer`: SHA-256 of the signer's certificate"),
    library: place.optional().describe('With `library`: a class, a package, or a native library by its file name'),
    where: place.optional().describe('With `apk`: this place alone'),
    reason: z.string().trim().min(1, 'This field may not be blank.').max(1000),
  })
  .refine(({ finding, ruleset }) => (finding === undefined) !== (ruleset === undefined), {
    path: ['finding'],
    message: 'Either the code of a finding or a ruleset and its rule are required.',
  })
  .refine(({ ruleset, rule }) => (ruleset === undefined) === (rule === undefined), {
    path: ['rule'],
    message: 'A rule and its ruleset are named together.',
  })
  .refine(({ scope, apk }) => scope !== 'apk' || apk !== undefined, {
    path: ['apk'],
    message: 'This field is required.',
  })
  .refine(({ scope, apk, signer }) => scope !== 'signer' || apk !== undefined || signer !== undefined, {
    path: ['signer'],
    message: 'This field is required.',
  })
  .refine(({ scope, library }) => (scope === 'library') === (library !== undefined), {
    path: ['library'],
    message: 'A library is named with the scope "library" alone.',
  })
  .refine(({ scope, where }) => scope === 'apk' || where === undefined, {
    path: ['where'],
    message: 'A place is named with the scope "apk" alone.',
  });
export type NewDismissal = z.infer<typeof newDismissalSchema>;
