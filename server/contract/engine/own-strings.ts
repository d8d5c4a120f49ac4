// Texts that an app's own code loads, few enough to be kept for each APK and compared with any other's. Imports zod only.
import { z } from 'zod';
import { hashBytes } from './code-sketch.ts';

export const maxOwnStrings = 256;
/** Of a longer text the beginning is kept. */
export const maxOwnStringLength = 120;
/** Of all texts as JSON, in which a letter takes six bytes at most. */
const maxTextBytes = maxOwnStrings * (maxOwnStringLength + 1) * 6;

export const ownStringsSchema = z.strictObject({
  /** There are more: with others it can be compared by the texts up to its last key alone. */
  isCut: z.boolean(),
  /** What stands for each text in any APK, the most telling first: ascending, each of `hashBytes`, the highest first. */
  keys: z.custom<Uint8Array>(
    (bytes) =>
      bytes instanceof Uint8Array && bytes.length <= maxOwnStrings * hashBytes && bytes.length % hashBytes === 0,
  ),
  /** The texts in this order: a list as JSON of `size` bytes, compressed. */
  texts: z.strictObject({
    size: z.int().nonnegative().max(maxTextBytes),
    compressed: z.custom<Uint8Array>((bytes) => bytes instanceof Uint8Array && bytes.length <= maxTextBytes),
  }),
});
export type OwnStrings = z.infer<typeof ownStringsSchema>;
