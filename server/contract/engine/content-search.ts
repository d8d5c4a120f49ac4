// What is looked for in the files of APKs, and where it stands in them. Imports zod only.
import { z } from 'zod';
import { contentStepSchema } from './content-index.ts';

/** Shorter ones stand almost everywhere. */
export const leastContentBytes = 4;
const maxTextLength = 400;
const maxBytesLength = 400;
/** Different contents that one search may name. */
export const maxContentTerms = 16;

/**
 * `text`: in any case of ASCII letters, as UTF-8 or as UTF-16 (little-endian);
 * `bytes`: two signs each, hex digits or `?` for any.
 */
export const contentTermSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string().min(leastContentBytes).max(maxTextLength) }),
  z.strictObject({
    kind: z.literal('bytes'),
    bytes: z
      .string()
      .max(2 * maxBytesLength)
      .regex(/^(?:[\da-f?]{2})+$/),
  }),
]);
export type ContentTerm = z.infer<typeof contentTermSchema>;

/** Bytes that are told before and behind a place, and of what stands there. */
export const contextLength = 32;
export const maxToldLength = 96;
const hexSchema = z.string().regex(/^(?:[\da-f]{2})*$/);

/** Places that are told of one content in one APK. */
export const maxPlaces = 20;
/** Places that are counted. */
export const maxCountedPlaces = 10_000;

const contentPlaceSchema = z.strictObject({
  /** The entry's name; empty: the APK as it is packed. */
  file: z.string(),
  offset: z.int().nonnegative(),
  length: z.int().positive(),
  before: hexSchema.max(2 * contextLength),
  /** The beginning of what stands there. */
  found: hexSchema.max(2 * maxToldLength),
  after: hexSchema.max(2 * contextLength),
});
export type ContentPlace = z.infer<typeof contentPlaceSchema>;

const foundContentSchema = z.strictObject({
  /** Up to `maxCountedPlaces`. */
  count: z.int().nonnegative().max(maxCountedPlaces),
  /** The first ones. */
  places: z.array(contentPlaceSchema).max(maxPlaces),
});
export type FoundContent = z.infer<typeof foundContentSchema>;

/** For each content that was asked for, in that order. */
export const contentPlacesSchema = z.strictObject({ found: z.array(foundContentSchema) });
/** What a file has to meet for each content to be in it. */
export const contentNeedsSchema = z.strictObject({ needs: z.array(z.array(contentStepSchema).min(1)) });
