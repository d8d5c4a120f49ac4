// Sealed collections: a part of the catalogue as one file for another workstation, and what is told of reading and writing one. Imports
// zod only.
import { z } from 'zod';
import { caseFileSchema } from '../catalogue/case.ts';
import { tagNameSchema } from '../catalogue/tag.ts';
import { newVerdictSchema, verdictSchema } from '../catalogue/verdict.ts';
import { codeSymbolSchema, maxNameLength, maxNoteLength } from '../engine/code-names.ts';
import { formBooleanSchema, publicIdSchema, sha256Schema, timestampSchema, wholeListSchema } from '../list.ts';
import { machinePathSchema } from './machine-path.ts';
import { passphraseLength } from './storage.ts';

const time = z.iso.datetime();
const person = z.string().min(1).max(200);
const text = (most: number) => z.string().max(most);

/** Characters of what anybody said. */
const maxText = 10_000;
/** Rules of a ruleset that are named. */
export const maxRules = 200;
const { family, note } = newVerdictSchema.shape;

/** What somebody said of an APK, by its kind. */
export const sayingSchema = z.union([
  z.strictObject({
    ...{ kind: z.literal('verdict'), analyst: person, said_at: time },
    ...{ verdict: verdictSchema, family: family.unwrap(), note: note.unwrap() },
  }),
  z.strictObject({ kind: z.literal('comment'), analyst: person, said_at: time, text: text(maxText) }),
  z.strictObject({
    ...{ kind: z.literal('code'), analyst: person, said_at: time, as: z.enum(['name', 'note']) },
    ...{ symbol: codeSymbolSchema, address: z.int().nonnegative().max(0xffffffff).nullable() },
    text: text(Math.max(maxNameLength, maxNoteLength)),
  }),
  z.strictObject({
    ...{ kind: z.literal('dismissal'), analyst: person, said_at: time },
    ...{ what: text(300), place: text(maxText).nullable(), reason: text(maxText) },
  }),
  /** A ruleset of somebody's matches. */
  z.strictObject({
    ...{ kind: z.literal('match'), analyst: person, said_at: time },
    ...{ ruleset: text(500), rules: z.array(text(200)).max(maxRules) },
  }),
]);
export type Saying = z.infer<typeof sayingSchema>;

/** Of one kind and APK; the newest. */
export const maxSayings = 1000;
const maxParts = 1000;

const fileSchema = z.strictObject({ sha256: sha256Schema, size: z.int().positive(), name: text(1000) });
export type CollectedFile = z.infer<typeof fileSchema>;

export const collectionHeaderSchema = z.strictObject({
  format: z.literal('apk-workstation-collection'),
  version: z.literal(1),
  created_at: time,
  analyst: person,
  title: text(maxText),
  apks: z.int().nonnegative(),
});
export type CollectionHeader = z.infer<typeof collectionHeaderSchema>;

/** The pieces after it. */
export const collectionPieceSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('apk'),
    sha256: sha256Schema,
    tags: z.array(tagNameSchema).max(10_000),
    sayings: z.array(sayingSchema).max(20 * maxSayings),
    /** Whose bytes follow in this order: its own file, unless that was lost, then its parts. */
    files: z.array(fileSchema).max(1 + maxParts),
  }),
  z.strictObject({ type: z.literal('case'), file: caseFileSchema }),
  z.strictObject({ type: z.literal('end') }),
]);
export type CollectionPiece = z.infer<typeof collectionPieceSchema>;
export type CollectedApk = Extract<CollectionPiece, { type: 'apk' }>;

const passphrase = z
  .string()
  .max(500)
  .regex(/^[^\r\n]*$/, 'One line.');

export const newCollectionSchema = z.object({
  path: machinePathSchema.describe("A new file: absolute, on the workstation's machine"),
  passphrase: passphrase
    .refine((words) => [...words].length >= passphraseLength, `At least ${passphraseLength} characters.`)
    .describe('Nobody reads it without'),
  search: z.string().max(10_000).default('').describe('Which APKs; an empty one finds all'),
  has_cases: formBooleanSchema.default(true).describe('Takes along the cases that they belong to, each as a whole'),
});
export type NewCollection = z.output<typeof newCollectionSchema>;

export const readCollectionSchema = z.object({ path: machinePathSchema, passphrase: passphrase.min(1) });
export type ReadCollection = z.output<typeof readCollectionSchema>;

const collectionStates = ['running', 'ended', 'failed'] as const;

/** One that is written or read, or was since the workstation started. */
export const collectionTransferSchema = z.object({
  id: publicIdSchema,
  direction: z.enum(['written', 'read']),
  path: z.string(),
  state: z.enum(collectionStates),
  /** Why it failed; empty: it did not. */
  problem: z.string(),
  /** APKs in all; null: not known yet. */
  apk_count: z.int().nullable(),
  done_count: z.int(),
  /** APKs that were new here, and those that were held. */
  added_count: z.int(),
  held_count: z.int(),
  /** What of it was not taken in, the first 200. */
  refused: z.array(z.object({ name: z.string(), reason: z.string() })),
  refused_count: z.int(),
  /** Words of people and rules: all that were written, or those that were new here. */
  saying_count: z.int(),
  case_count: z.int(),
  started_at: timestampSchema,
});
export type CollectionTransfer = z.infer<typeof collectionTransferSchema>;
export const collectionTransfersSchema = wholeListSchema(collectionTransferSchema);

const toldSayingSchema = z.object({
  saying: sayingSchema,
  /** Username of who read the collection in. */
  brought_by: z.string(),
  brought_at: timestampSchema,
});
export type ToldSaying = z.infer<typeof toldSayingSchema>;
export const toldSayingsSchema = wholeListSchema(toldSayingSchema);
