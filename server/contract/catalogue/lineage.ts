// The versions of a package in their order, and what each step between them changed, as they cross a line. Imports zod only.
import { z } from 'zod';
import { eachOf, pageSchema, sha256Schema } from '../list.ts';
import { apkSchema } from './apk.ts';

/** What is compared between two versions: each a list of names. */
export const lineageParts = [
  'permissions',
  'hosts',
  'trackers',
  'libraries',
  'activities',
  'services',
  'receivers',
  'providers',
  'apis',
  'findings',
  'techniques',
] as const;
export type LineagePart = (typeof lineageParts)[number];

/** Names that are listed of each part and direction; the comparison of both APKs has all. */
export const maxLineageNames = 50;

const names = z.array(z.string()).max(maxLineageNames);

export const lineageChangeSchema = z.object({
  /** Of all, however many are listed. */
  added_count: z.int().nonnegative(),
  removed_count: z.int().nonnegative(),
  added: names,
  removed: names,
});
export type LineageChange = z.infer<typeof lineageChangeSchema>;

/** Different methods of the app's own code, without those of a few instructions. */
export const lineageCodeSchema = z.object({
  methods: z.int().nonnegative(),
  added: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  /** Of large apps the numbers are estimated, to some percent. */
  is_estimated: z.boolean(),
});
export type LineageCode = z.infer<typeof lineageCodeSchema>;

const lineageStepSchema = z.object({
  apk: apkSchema,
  /** SHA-256 of the certificate that signed it; null: none did. */
  signer: sha256Schema.nullable(),
  /** It is that of the APK that was asked for. */
  is_same_signer: z.boolean(),
  /** What it is compared with: the version before it by the same signer, else the version before it; null: there is none. */
  previous: z
    .object({
      ...apkSchema.pick({
        sha256: true,
        version: true,
        version_code: true,
        size: true,
        min_sdk: true,
        target_sdk: true,
        is_dynamic_analyzed: true,
      }).shape,
      is_same_signer: z.boolean(),
    })
    .nullable(),
  /** What differs; null where there is no previous one, or one of both has no static report yet. */
  changes: eachOf(lineageParts, lineageChangeSchema).nullable(),
  /** null where the code of one of both was not read. */
  code: lineageCodeSchema.nullable(),
});
export type LineageStep = z.infer<typeof lineageStepSchema>;

export const lineageSchema = pageSchema(lineageStepSchema).extend({
  /** Where the APK that was asked for stands in the whole list, from 1. */
  position: z.int().positive(),
  /** How many signers the versions have; unsigned ones count as one. */
  signers: z.int().positive(),
});
