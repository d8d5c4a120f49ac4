// Records of the older generation of the API: integer ids, Unix seconds, older names. Imports zod only.
import { z } from 'zod';
import { sha256Schema, urlSchema } from './list.ts';
import { androguardReportSchema, cuckooReportSchema } from './reports.ts';

/** Unix seconds. */
const seconds = z.number().int();

export const legacyApkSchema = z.object({
  created_on: seconds,
  /** Positive minus negative votes. */
  rating: z.number().int(),
  image: urlSchema.nullable(),
  tags: z.array(z.string()),
  md5: z.string(),
  sha1: z.string(),
  sha256: sha256Schema,
  app: z.string(),
  package_name: z.string(),
  company: z.string(),
  displayed_version: z.string(),
  /** Bytes. */
  size: z.number().int(),
  /** Everything in the catalogue has a file and is an Android app. */
  stored: z.literal(true),
  is_apk: z.literal(true),
  /** Statically. */
  analyzed: z.boolean(),
  trusted: z.boolean(),
  detected: z.boolean(),
  corrupted: z.boolean(),
  repo: z.literal(''),
  on_devices: z.boolean(),
});
export type LegacyApk = z.infer<typeof legacyApkSchema>;

/** The reports that there are, null for those that there are not. */
export const legacyAnalysisSchema = z.object({
  sha256: sha256Schema,
  status: z.literal('analyzed'),
  androguard: androguardReportSchema.nullable(),
  cuckoo: cuckooReportSchema.nullable(),
  droidbox: z.record(z.string(), z.unknown()).nullable(),
});
export type LegacyAnalysis = z.infer<typeof legacyAnalysisSchema>;

/** What an analysis that was asked for is doing. */
export const legacyAnalysisRequestSchema = z.object({ sha256: sha256Schema, status: z.enum(['queued', 'running']) });
