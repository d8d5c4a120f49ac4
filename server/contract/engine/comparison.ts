// The difference of two APKs: what either has alone, what changed, and what only has another name. Imports zod and lists alone.
import { z } from 'zod';
import { formBooleanSchema } from '../list.ts';

/** What is told apart, each as a list; the manifest is compared by its lines. */
export const comparedParts = [
  'app',
  'permissions',
  'components',
  'certificate',
  'files',
  'resources',
  'strings',
  'native',
  'code',
  'functionalities',
  'libraries',
  'indicators',
  'findings',
  'classes',
  'methods',
  'fields',
] as const;
export type ComparedPart = (typeof comparedParts)[number];

export const differenceStates = ['removed', 'added', 'changed', 'renamed', 'same'] as const;

/** What one side says of a thing, by name. */
const factsSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
export type Facts = z.infer<typeof factsSchema>;

export const differenceSchema = z.object({
  state: z.enum(differenceStates),
  /** On the left; on the right where only that has it. */
  name: z.string(),
  /** On the right, where it has another name there. */
  to: z.string().nullable(),
  /** null: that side does not have it. */
  first: factsSchema.nullable(),
  second: factsSchema.nullable(),
});
export type Difference = z.infer<typeof differenceSchema>;

const partSchema = z.object({
  /** Of all, however many are listed. */
  counts: z.object(
    Object.fromEntries(differenceStates.map((state) => [state, z.number()])) as Record<
      (typeof differenceStates)[number],
      z.ZodNumber
    >,
  ),
  /** Not all differences are listed, or not all was looked at. */
  is_cut: z.boolean(),
  /** Those that differ; what is the same is only counted. */
  differences: z.array(differenceSchema),
});
export type ComparedList = z.infer<typeof partSchema>;

export const comparisonSchema = z.object({
  /** SHA-256 of the left side: the lower version code, else what was seen first. */
  first: z.string(),
  second: z.string(),
  manifest: z.object({
    /** Lines. */
    removed: z.number(),
    added: z.number(),
    is_cut: z.boolean(),
    /** As in a unified diff: each line begins with a blank, `-` or `+`; lines are counted from 1. */
    hunks: z.array(
      z.object({
        first_start: z.number(),
        first_lines: z.number(),
        second_start: z.number(),
        second_lines: z.number(),
        lines: z.array(z.string()),
      }),
    ),
  }),
  parts: z.object(
    Object.fromEntries(comparedParts.map((part) => [part, partSchema])) as Record<ComparedPart, typeof partSchema>,
  ),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** A comparison that takes longer than its caller waits. */
export const comparingSchema = z.object({
  stage: z.string(),
  /** 0 to 1. */
  done: z.number(),
});

export const comparisonQuerySchema = z.object({
  wait: z.coerce
    .number()
    .min(0)
    .max(60)
    .default(60)
    .describe('Seconds to wait for the comparison; past them the answer is 202 and says how far it is'),
});

const codeName = z.string().max(65_535);
export const linesQuerySchema = comparisonQuerySchema.extend({
  first: codeName
    .optional()
    .describe('A class or method on the left, `Lcom/a/B;` or `Lcom/a/B;->m(I)V`; the manifest where neither is named'),
  second: codeName.optional().describe('The one on the right, which may have another name'),
  as: z
    .enum(['smali', 'java'])
    .default('smali')
    .describe('The language of code. Names that changed throughout are differences in Java alone'),
  whole: formBooleanSchema.default(false).describe('All lines, not only those around differences'),
});
export type LinesQuery = z.infer<typeof linesQuerySchema>;

/** `renamed`: only names differ that other code has changed as well. */
const rowStates = ['same', 'renamed', 'changed', 'removed', 'added'] as const;

/** Two texts side by side: what one side does not have is null there. */
export const comparedLinesSchema = z.object({
  /** Rows by what is different in them. */
  counts: z.object({ renamed: z.number(), changed: z.number(), removed: z.number(), added: z.number() }),
  /** Not all rows are listed, or the texts are too different to be told apart line by line. */
  is_cut: z.boolean(),
  hunks: z.array(
    z.object({
      /** Lines are counted from 1. */
      first_start: z.number(),
      second_start: z.number(),
      rows: z.array(
        z.object({ state: z.enum(rowStates), first: z.string().nullable(), second: z.string().nullable() }),
      ),
    }),
  ),
});
export type ComparedLines = z.infer<typeof comparedLinesSchema>;
export type ComparedRow = ComparedLines['hunks'][number]['rows'][number];
