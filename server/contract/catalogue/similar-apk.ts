// APKs that are like another, as they cross a line. Imports zod only.
import { z } from 'zod';
import { apkSchema } from './apk.ts';

/** `files`: those in the archive; `native`: what libraries import, export and do; `tlsh`, `ssdeep`: of the file or of a dex. */
const similarityKinds = [
  ...(['code', 'files', 'native', 'icon', 'tlsh', 'ssdeep', 'behaviour'] as const),
  ...(['signer', 'package'] as const),
] as const;
export type SimilarityKind = (typeof similarityKinds)[number];

const similarApkSchema = z.object({
  apk: apkSchema,
  /** 0 to 1: how much speaks for it that both are made of the same. */
  score: z.number().min(0).max(1),
  /** What both have in common. */
  kinds: z.array(z.enum(similarityKinds)),
  /** "412 of 431 own methods, another signer" */
  reason: z.string(),
});

export const similarApksSchema = z.object({ count: z.int(), results: z.array(similarApkSchema) });
export type SimilarApks = z.infer<typeof similarApksSchema>;
