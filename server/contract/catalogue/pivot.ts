// What an APK has that others may have too, each with how many do: from there one goes on to them. Imports zod only.
import { z } from 'zod';

/** Fields of searches: `field:"value"` finds the APKs that have it. */
export const pivotFields = ['family', 'signer', 'cert', 'domain', 'ip', 'payload', 'icon'] as const;
export type PivotField = (typeof pivotFields)[number];

const pivotSchema = z.object({
  field: z.enum(pivotFields),
  value: z.string(),
  /** What people call it, where the value is a hash; else empty. */
  label: z.string(),
  /** How many have it, the APK itself among them. */
  apks_count: z.int().nonnegative(),
});

export const pivotsSchema = z.object({
  /** Of all, however many are listed. */
  count: z.int().nonnegative(),
  results: z.array(pivotSchema),
});
export type Pivots = z.infer<typeof pivotsSchema>;
