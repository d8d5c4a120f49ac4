// What an app's own code does, small enough to be kept for each APK and compared with any other's. Imports zod only.
import { z } from 'zod';

/** Hashes that a sketch keeps: shares that are estimated from as many are off by some two percent. */
export const maxSketchHashes = 2048;
/** Groups of minimal hashes; APKs that share half of their code are next to certain to have one alike. */
export const sketchBands = 32;
export const hashBytes = 4;

export const codeSketchSchema = z.strictObject({
  /** Different methods of the app's own code, without those of a few instructions. */
  methods: z.int().nonnegative(),
  /**
   * The smallest hashes of these methods, ascending, each of `hashBytes`, the highest first: all of them where there are no
   * more than `maxSketchHashes`.
   */
  hashes: z.custom<Uint8Array>(
    (bytes) =>
      bytes instanceof Uint8Array && bytes.length <= maxSketchHashes * hashBytes && bytes.length % hashBytes === 0,
  ),
  /**
   * What APKs with much code in common have in common, each with the number of its group: of own code, then of all code.
   * None without own methods.
   */
  bands: z.array(z.int().nonnegative()).max(2 * sketchBands),
});
export type CodeSketch = z.infer<typeof codeSketchSchema>;
