// The difference of two APKs: what either has alone, what changed, and what only has another name. Imports zod only.
import { z } from 'zod';

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
  'classes',
  'methods',
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
