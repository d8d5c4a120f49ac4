// What crosses the line to a process that opens archives of APKs, in both directions. Imports zod only.
import { z } from 'zod';
import { maxBundleEntries, maxBundleName, maxFailureText } from './limits.ts';

/** `send` and `leave` concern the archive that was opened last, of those in each other. */
export type BundleRequest =
  | { type: 'open'; path: string; passwords: readonly string[] }
  | { type: 'send'; index: number; maxBytes: number }
  | { type: 'leave' };

const bundleEntrySchema = z.strictObject({
  name: z.string().max(maxBundleName),
  /** Bytes, as the archive declares them. */
  size: z.number().nonnegative(),
});
export type BundleEntry = z.infer<typeof bundleEntrySchema>;

/** A file comes as any number of `bytes`, ended by `sent`; none of what is no app. One that is an archive is `opened`. */
export const bundleReplySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('opened'), entries: z.array(bundleEntrySchema).max(maxBundleEntries) }),
  z.strictObject({ type: z.literal('bytes'), bytes: z.instanceof(Uint8Array) }),
  z.strictObject({ type: z.literal('sent') }),
  z.strictObject({ type: z.literal('failed'), message: z.string().max(maxFailureText) }),
]);
export type BundleReply = z.infer<typeof bundleReplySchema>;
