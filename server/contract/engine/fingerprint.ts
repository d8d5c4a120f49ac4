// What an APK consists of besides its own code, small enough to be kept for each and compared with any other's. Imports zod only.
import { z } from 'zod';
import { hashBytes } from './code-sketch.ts';

/** Hashes that are kept of a set: shares that are estimated from as many are off by some five percent. */
export const maxSetHashes = 256;
/** Bytes that say what an icon looks like, see `engine/app/icon/drawn/drawn-hash.ts`. */
const iconHashBytes = 8;
/** The largest dex files, of which fuzzy hashes are kept. */
export const maxDexDigests = 4;

export const hashSetSchema = z.strictObject({
  /** Different members. */
  count: z.int().nonnegative(),
  /** The smallest hashes of these, ascending, each of `hashBytes`, the highest first. */
  hashes: z.custom<Uint8Array>(
    (bytes) =>
      bytes instanceof Uint8Array && bytes.length <= maxSetHashes * hashBytes && bytes.length % hashBytes === 0,
  ),
});
export type HashSet = z.infer<typeof hashSetSchema>;

const fuzzyDigestSchema = z.strictObject({
  /** Null where there are too few bytes, or too many to be worth it. */
  tlsh: z
    .string()
    .regex(/^[0-9A-F]{70}$/)
    .nullable(),
  ssdeep: z.string().max(148),
});
export type FuzzyDigest = z.infer<typeof fuzzyDigestSchema>;

export const fingerprintSchema = z.strictObject({
  /** What the icon looks like; null where there is none, or one of a single colour. */
  icon: z.custom<Uint8Array>((bytes) => bytes instanceof Uint8Array && bytes.length === iconHashBytes).nullable(),
  /** Of the file, then of its dex files, the largest first. */
  digests: z
    .array(fuzzyDigestSchema)
    .min(1)
    .max(1 + maxDexDigests),
  /** Files in the archive, without code and what libraries bring. */
  files: hashSetSchema,
  /** What native libraries export, what their functions do, and how each is linked. */
  native: hashSetSchema,
});
export type Fingerprint = z.infer<typeof fingerprintSchema>;
