// One action on many APKs. Imports zod only.
import { z } from 'zod';
import { tagNameSchema } from '../catalogue/tag.ts';
import { newVerdictSchema } from '../catalogue/verdict.ts';
import { sha256Schema } from '../list.ts';
import { jobSchema } from './job.ts';

export const bulkActions = [
  'analyze_static',
  'analyze_dynamic',
  'analyze_yara',
  'analyze_antivirus',
  'tag',
  'untag',
  'trust',
  'untrust',
  'judge',
  'delete',
] as const;
export type BulkAction = (typeof bulkActions)[number];

/** More are named by a search. */
const maxBulkHashes = 5000;

export const bulkRequestSchema = z
  .object({
    action: z.enum(bulkActions),
    sha256: z
      .array(z.string().toLowerCase().pipe(sha256Schema))
      .max(maxBulkHashes)
      .optional()
      .describe('Either these APKs'),
    search: z.string().optional().describe('or those that this finds; an empty one finds all'),
    tag: tagNameSchema.optional().describe('With `tag` and `untag`'),
    verdict: newVerdictSchema.shape.verdict.describe('With `judge`, as `family` and `note`'),
    family: newVerdictSchema.shape.family,
    note: newVerdictSchema.shape.note,
  })
  .refine(({ sha256, search }) => (sha256 === undefined) !== (search === undefined), {
    message: 'Either "sha256" or "search" is required.',
  })
  .refine(({ action, tag }) => (action === 'tag' || action === 'untag') === (tag !== undefined), {
    path: ['tag'],
    message: 'A tag is named with the actions "tag" and "untag" alone.',
  })
  .refine(({ action, verdict }) => (action === 'judge') === (verdict !== undefined), {
    path: ['verdict'],
    message: 'A verdict is said with the action "judge" alone.',
  });
export type BulkRequest = z.infer<typeof bulkRequestSchema>;

export const bulkAnswerSchema = z.object({
  /** How many APKs it is about; of hashes, how many the catalogue holds. */
  count: z.number().int(),
  /** Some dozens are done before the answer: null. More are a job with progress, which can be cancelled. */
  job: jobSchema.nullable(),
  /** APKs that were done by now. */
  done: z.number().int(),
  /** APKs that it was refused for, with the reason. */
  refused: z.array(z.object({ sha256: z.string(), detail: z.string() })),
});
export type BulkAnswer = z.infer<typeof bulkAnswerSchema>;
