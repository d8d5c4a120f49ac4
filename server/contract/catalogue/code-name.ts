// Names and notes on the code of an APK over HTTP: who calls what how, mapping files, what others called equal classes. Imports zod only.
import { z } from 'zod';
import { codeSymbolSchema, maxNameLength, maxNoteLength } from '../engine/code-names.ts';
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

const codeNameKinds = ['name', 'note'] as const;
/** Said by an analyst, read from a mapping file, or taken over from an equal class of another APK. */
export const codeNameOrigins = ['analyst', 'import', 'offer'] as const;
export type CodeNameOrigin = (typeof codeNameOrigins)[number];

export const codeNameSchema = z.object({
  id: publicIdSchema,
  url: urlSchema,
  kind: z.enum(codeNameKinds),
  /** `La/b/C;`, `La/b/C;->f:I`, `La/b/C;->m(I)V`, a variable `La/b/C;->m(I)V#p0`, a package `a/b/`. */
  symbol: z.string(),
  /** Of a note within a method, in code units. */
  address: z.number().nullable(),
  text: z.string(),
  origin: z.enum(codeNameOrigins),
  /** Username, as it was then. */
  analyst: z.string(),
  created_at: timestampSchema,
});
export type CodeName = z.infer<typeof codeNameSchema>;

export const codeNameListSchema = pageSchema(codeNameSchema);

export const codeNameQuerySchema = z.object({
  q: z.string().max(1000).optional().describe('A part of the name, the note or the symbol'),
  symbol: z.string().max(10_000).optional().describe('What was said of this alone'),
  kind: filterSchema(z.enum(codeNameKinds)),
});

export const newCodeNameSchema = z
  .object({
    kind: z.enum(codeNameKinds).default('name'),
    symbol: codeSymbolSchema.describe(
      '`La/b/C;`, `La/b/C;->f:I`, `La/b/C;->m(I)V`, a variable `La/b/C;->m(I)V#p0` as the Java tells it, a package `a/b/`',
    ),
    address: z.coerce
      .number()
      .int()
      .nonnegative()
      .max(0xffffffff)
      .nullable()
      .default(null)
      .describe('Of a note within a method, in code units'),
    text: z.string().trim().max(maxNoteLength).describe('Empty: what was said is taken back'),
  })
  .refine(({ kind, text }) => kind === 'note' || text.length <= maxNameLength, {
    path: ['text'],
    message: `A name has ${maxNameLength} characters at most.`,
  })
  .refine(({ kind, address }) => kind === 'note' || address === null, {
    path: ['address'],
    message: 'A note alone has an address.',
  });

export const mappingFormats = ['proguard', 'jadx'] as const;
export type MappingFormat = (typeof mappingFormats)[number];

export const mappingQuerySchema = z.object({
  format: z.enum(mappingFormats).default('proguard'),
  derived: formBooleanSchema.default(false).describe('With the readable names of what is called by no word'),
});

/** Whether code is shown with readable names in the place of those that are no words. */
export const deobfuscationSchema = z.object({
  is_on: z.boolean(),
});

export const newMappingSchema = z.object({
  mapping: z.string().min(1).describe('The text of the file'),
  format: z.enum(mappingFormats).optional().describe('Told by its lines where absent'),
});

/** Lines that are told one by one. */
export const maxToldLines = 1000;

export const mappingResultSchema = z.object({
  format: z.enum(mappingFormats),
  /** Names and notes that were taken over, those that held already among them. */
  applied: z.number(),
  /** Lines of which nothing could be taken over. */
  refused: z.number(),
  /** The first of them. */
  lines: z.array(z.object({ line: z.number(), text: z.string(), reason: z.string() })).max(maxToldLines),
});
export type MappingResult = z.infer<typeof mappingResultSchema>;

export const offersQuerySchema = z.object({
  class: z.string().min(1).max(65_535).optional().describe('Descriptor, `Lcom/example/A;`; without it all classes'),
  dex: z.string().max(1000).optional().describe('Which dex, where several define the class; else the first'),
});

export const acceptOffersSchema = offersQuerySchema.extend({
  symbols: z.array(codeSymbolSchema).max(2000).optional().describe('Only the names for these'),
});

/** What an equal class of another APK has that this one has not. */
export const codeNameOfferSchema = z.object({
  symbol: z.string(),
  text: z.string(),
  analyst: z.string(),
  created_at: timestampSchema,
  /** The APK, and what the thing is there. */
  from: z.object({ sha256: sha256Schema, symbol: z.string() }),
});
export type CodeNameOffer = z.infer<typeof codeNameOfferSchema>;
export const codeNameOffersSchema = wholeListSchema(codeNameOfferSchema);

export const acceptedOffersSchema = z.object({
  /** Names that were taken over. */
  applied: z.number(),
  /** Those that this APK cannot take, and why. */
  refused: z.array(z.object({ symbol: z.string(), text: z.string(), reason: z.string() })),
});
