// Java source of an app's classes as an analyst reads it: a class with what its text shows, and a search. Imports zod only.
import { z } from 'zod';
import { formBooleanSchema } from '../list.ts';

/** Longer source is cut at a line. */
export const maxJavaLength = 4 * 1024 * 1024;
/** Source with more spans is cut at a line. */
export const maxSpans = 80_000;
/** Places of variables' names that are told; those behind them are not. */
export const maxVariablePlaces = 100_000;

export const javaQuerySchema = z.object({
  class: z
    .string()
    .min(1)
    .max(65_535)
    .describe('Descriptor, `Lcom/example/A;`; one that stands in another leads to the file of its top-level class'),
  dex: z
    .string()
    .max(1000)
    .optional()
    .describe('Which dex, where several define the class; else the first, as on Android'),
  whole: formBooleanSchema
    .default(false)
    .describe('Take the time that all methods need; else those are left out that are not done after half a second'),
});

export const javaSourceSchema = z.object({
  /** Descriptor of the top-level class. */
  class: z.string(),
  dex: z.string(),
  /** `com/example/A.java` */
  path: z.string(),
  source: z.string(),
  /** Whether the source ends early, at a line. */
  is_cut: z.boolean(),
  /** What ranges of the text show, by where they start, those around others first. */
  spans: z.array(
    z.object({
      /** UTF-16 units from the start of the text. */
      start: z.number(),
      end: z.number(),
      /**
       * What is named there: `Lcom/a/B;`, `Lcom/a/B;->name:I`, `Lcom/a/B;->name(I)V`. With an address, the method whose
       * code stands there.
       */
      symbol: z.string().optional(),
      /** Code units from the start of the method. */
      address: z.number().optional(),
      is_declaration: z.literal(true).optional(),
    }),
  ),
  /** Variables of methods, each where its name stands in the text. */
  variables: z.array(
    z.object({
      /** `La/b/C;->m(I)V#p0`: its method, and by what it is told from the others there. */
      symbol: z.string(),
      name: z.string(),
      at: z.array(z.number()),
    }),
  ),
  methods: z.number(),
  /** Methods without source: their smali stands in comments. */
  lost: z.number(),
  /** Those of them that were left out because the file takes more work than is done at once. */
  late: z.number(),
  /** Values whose type could not be told. */
  unresolved: z.number(),
  /** Methods whose control flow is a variable in a loop. */
  dispatched: z.number(),
});
export type JavaSource = z.infer<typeof javaSourceSchema>;

/** Lines of one file that a search lists. */
export const maxLinesEach = 100;
/** Lines that one page of a search lists, but for those of its last file. */
export const maxLinesPage = 300;

/** Of one dex file alone. */
export const dexField = z
  .string()
  .max(1000)
  .optional()
  .describe('Name of a dex file; without it the code of all of them');

export const javaSearchQuerySchema = z.object({
  dex: dexField,
  q: z.string().min(1).max(1000).describe('A part of a line of the source'),
  case: formBooleanSchema.default(false).describe('Whether upper and lower case differ'),
  cursor: z.coerce
    .number()
    .int()
    .nonnegative()
    .max(10_000_000)
    .default(0)
    .describe('`next` of the page before, for the same words'),
});

export const javaSearchSchema = z.object({
  results: z.array(
    z.object({
      /** Descriptor of the top-level class. */
      class: z.string(),
      dex: z.string(),
      /** From 1. */
      line: z.number(),
      /** The line from its first word on, or a part of it around what was found. */
      text: z.string(),
    }),
  ),
  /** Files that were searched up to here; those that name what is sought come first, own code before libraries. */
  searched: z.number(),
  /** Files that there are. */
  total: z.number(),
  /** Files of this page that could not be decompiled. */
  failed: z.number(),
  /** Null where all files were searched. */
  next: z.number().nullable(),
});
export type JavaSearch = z.infer<typeof javaSearchSchema>;
