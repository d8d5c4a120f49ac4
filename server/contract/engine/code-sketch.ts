// What an app's own code does, small enough to be kept for each APK and compared with any other's. Imports zod only.
import { z } from 'zod';

/** Hashes that a sketch keeps: shares that are estimated from as many are off by some two percent. */
export const maxSketchHashes = 2048;
/** Of the code that is surely the app's own. */
export const maxCoreHashes = 256;
/** Smallest hashes that others are found by: of two APKs with a tenth of their code in common some four are alike. */
export const sketchBands = 48;
export const coreBands = 32;
export const hashBytes = 4;
/** Fewer methods say nothing of whose code it is. */
export const tellingMethods = 8;

const hashList = (most: number) =>
  z.custom<Uint8Array>(
    (bytes) => bytes instanceof Uint8Array && bytes.length <= most * hashBytes && bytes.length % hashBytes === 0,
  );

export const codeSketchSchema = z.strictObject({
  /** Different methods of the app's own code, without those of a few instructions. */
  methods: z.int().nonnegative(),
  /**
   * The smallest hashes of these methods, ascending, each of `hashBytes`, the highest first: all of them where there are no
   * more than `maxSketchHashes`.
   */
  hashes: hashList(maxSketchHashes),
  /**
   * How many of them stand where the manifest says that the app's own code is, and the smallest of their hashes; null where no
   * class does. What strangers have in common, such as a library that no table has, stands elsewhere.
   */
  core: z.strictObject({ methods: z.int().nonnegative(), hashes: hashList(maxCoreHashes) }).nullable(),
  /** What APKs with code in common have in common: the smallest hashes of own methods, and of those in the core. */
  bands: z.array(z.int().nonnegative()).max(sketchBands + coreBands),
});
export type CodeSketch = z.infer<typeof codeSketchSchema>;
