// APKs that are like another, as they cross a line. Imports zod only.
import { z } from 'zod';
import { apkReferenceSchema } from './apk.ts';

const similarityKinds = ['code', 'signer', 'package'] as const;
export type SimilarityKind = (typeof similarityKinds)[number];

const similarApkSchema = z.object({
  apk: apkReferenceSchema,
  /** 0 to 1: how much of the apps' own code is the same. */
  score: z.number().min(0).max(1),
  /** What both have in common. */
  kinds: z.array(z.enum(similarityKinds)),
  /** "412 of 431 own methods, another signer" */
  reason: z.string(),
});

export const similarApksSchema = z.object({ count: z.int(), results: z.array(similarApkSchema) });
export type SimilarApks = z.infer<typeof similarApksSchema>;
