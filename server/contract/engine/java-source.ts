// Java source of an app's classes as an analyst reads it: a class with what its text shows, and a search. Imports zod only.
import { z } from 'zod';

/** Longer source is cut at a line. */
export const maxJavaLength = 4 * 1024 * 1024;
/** Source with more spans is cut at a line. */
export const maxSpans = 80_000;

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
  methods: z.number(),
  /** Methods without source: their smali stands in comments. */
  lost: z.number(),
  /** Values whose type could not be told. */
  unresolved: z.number(),
  /** Methods whose control flow is a variable in a loop. */
  dispatched: z.number(),
});
export type JavaSource = z.infer<typeof javaSourceSchema>;
