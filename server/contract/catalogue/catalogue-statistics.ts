// What came in, what was found, what is running: the dashboard's figures. Imports zod only.
import { z } from 'zod';
import { severities } from '../findings/finding.ts';
import { publicIdSchema, timestampSchema, urlSchema } from '../list.ts';
import { apkReferenceSchema, apkSchema } from './apk.ts';
import { damages } from './damage.ts';

const daySchema = z.object({
  /** A UTC day, `2022-01-14`. */
  date: z.string(),
  count: z.number().int(),
});

/** An APK of a short list. */
const listedSchema = apkReferenceSchema.extend({
  created_at: timestampSchema,
  workstation: apkSchema.shape.workstation,
});

export const catalogueStatisticsSchema = z.object({
  /** Figures are some seconds old at most. */
  generated_at: timestampSchema,
  apks: z.object({
    total: z.number().int(),
    detected: z.number().int(),
    trusted: z.number().int(),
    corrupted: z.number().int(),
    /** What is wrong with those that are. */
    damages: z.record(z.enum(damages), z.number().int()),
    static_analyzed: z.number().int(),
    dynamic_analyzed: z.number().int(),
    yara_analyzed: z.number().int(),
  }),
  /** APKs that came in, by day, the oldest day first, without a gap. */
  imports: z.array(daySchema),
  /** APKs that got a detection, by day. */
  detections: z.array(daySchema),
  /** Signers of most APKs. */
  signers: z.array(
    z.object({
      sha1: z.string(),
      sha256: z.string(),
      company: z.string(),
      is_trusted: z.boolean(),
      count: z.number().int(),
      search: z.string(),
    }),
  ),
  /** Rulesets with most matches, of those that the account may see. */
  rulesets: z.array(
    z.object({
      id: publicIdSchema,
      url: urlSchema,
      name: z.string(),
      /** APKs that it matches. */
      count: z.number().int(),
      search: z.string(),
    }),
  ),
  /** The newest APKs, newest first. */
  newest: z.array(listedSchema),
  /** Those of the highest risk that nobody has judged, the riskiest first. */
  worst: z.array(listedSchema),
  /** APKs by the severity of their gravest finding, the gravest first. */
  severities: z.array(z.object({ severity: z.enum(severities), count: z.number().int(), search: z.string() })),
  /** Permissions that most of the newest APKs ask for. */
  permissions: z.object({
    /** How many APKs were looked at. */
    apks: z.number().int(),
    most: z.array(z.object({ name: z.string(), count: z.number().int(), search: z.string() })),
  }),
  queue: z.object({
    queued: z.number().int(),
    running: z.number().int(),
    kinds: z.array(z.object({ kind: z.string(), queued: z.number().int(), running: z.number().int() })),
  }),
  storage: z.object({
    /** Bytes of the APKs themselves. */
    apks: z.number().int(),
    /** Bytes of the database with its reports. */
    database: z.number().int(),
  }),
});
export type CatalogueStatistics = z.infer<typeof catalogueStatisticsSchema>;

export const catalogueStatisticsQuerySchema = z.object({
  days: z.coerce.number().int().min(1).max(366).optional().describe('How many days back; 30 by default'),
});
