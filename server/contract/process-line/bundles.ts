// What crosses the line to a process that opens a ZIP file of APKs, in both directions. Imports zod only.
import { z } from 'zod';
import { maxBundleEntries, maxBundleName, maxFailureText } from './limits.ts';

export type BundleRequest = { type: 'open'; path: string } | { type: 'send'; index: number; maxBytes: number };

const bundleEntrySchema = z.strictObject({
  name: z.string().max(maxBundleName),
  /** Bytes, as the ZIP's directory declares them. */
  size: z.number().nonnegative(),
});
export type BundleEntry = z.infer<typeof bundleEntrySchema>;

/** A file comes as any number of `bytes`, ended by `sent`. */
export const bundleReplySchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('opened'), entries: z.array(bundleEntrySchema).max(maxBundleEntries) }),
  z.strictObject({ type: z.literal('bytes'), bytes: z.instanceof(Uint8Array) }),
  z.strictObject({ type: z.literal('sent') }),
  z.strictObject({ type: z.literal('failed'), message: z.string().max(maxFailureText) }),
]);
export type BundleReply = z.infer<typeof bundleReplySchema>;
